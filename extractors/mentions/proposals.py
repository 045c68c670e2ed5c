"""Which RFCs a show means: those that its links lead to."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from ..sites import identify

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..model import Episode
    from ..ref import Ref

IETF = "docs:ietf/"  # how the ids of the IETF's begin
# "RFC 1931" in the words of a link.
_RFC = re.compile(r"\bRFC[ #-]{0,2}0{0,3}(?P<number>[1-9]\d{1,4})\b")
_PAGES = re.compile(r"web:(?P<owner>[a-z0-9-]+)\.github\.io/(?P<repo>[\w.-]+)/")  # a page of a repository
_MEANT = 0.5  # more of a show's RFCs are of one series: then the others are, too


class ShownRfcs(NamedTuple):
    """Facts from a show's links: the proposal of each number, and its series (``IETF``, a repository, "")."""

    known: Mapping[str, Ref]
    series: str


def proposals_of(episodes: Iterable[Episode]) -> ShownRfcs:
    """Return the targets of a show's links named like "RFC 1931", by number, and the series of most of them."""
    seen: dict[str, Counter[Ref]] = defaultdict(Counter)
    series: Counter[str] = Counter()
    for episode in episodes:
        for link in episode.links if "RFC" in episode.notes else ():
            words = _RFC.search(episode.notes, link.start, min(link.end, link.start + 80))
            found = identify(link.url) if words is not None and not link.truncated else None
            if words is not None and found is not None:
                ref = found[1]._replace(rev="", lines="", time="")
                seen[words["number"]][ref] += 1
                series[_series(ref)] += 1
    del series[""]
    most = series.most_common(1)
    meant = most[0][0] if most and most[0][1] > _MEANT * series.total() else ""
    return ShownRfcs({number: min(refs, key=lambda ref: (-refs[ref], ref.id)) for number, refs in seen.items()}, meant)


def _series(ref: Ref) -> str:
    """Return the series of a proposal: the IETF's, or the repository that has it."""
    if ref.id.startswith(IETF):
        return IETF
    pages = _PAGES.match(ref.id)
    return f"{pages['owner']}/{pages['repo']}" if pages else str(dict(ref.attrs).get("repo", ""))
