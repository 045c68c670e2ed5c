"""The candidates of each extractor in one episode, with the reason why each was kept or rejected."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from .corpus import Extraction, known_pages, own_pages
from .extraction import EXTRACTORS, corpora, join, run
from .people import with_roles
from .urls import truncated_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model import Episode, Feed, Mention
    from ..subjects.subject import Subject
    from ..subjects.vocabulary import Vocabulary
    from .extraction import Extractor

_LEFT_OUT = "leads to this episode itself"


class Decision(NamedTuple):
    """A place that an extractor saw: ``field[start:end]``; the ``mention`` it makes, or the ``reason`` why none."""

    extractor: str
    field: str
    start: int
    end: int
    mention: Mention | None = None
    reason: str = ""


def decide(
    feeds: Sequence[Feed],
    episode: Episode,
    extractors: Sequence[tuple[str, Extractor]] = EXTRACTORS,
    *,
    repo: str = "",
    vocabulary: Vocabulary | None = None,
    subjects: tuple[Subject, ...] = (),
) -> list[Decision]:
    """Read one ``episode`` of ``feeds`` as ``extract`` does, and return each extractor's candidates, in order of place.

    Words that never were candidates, because they are not like a name, number or link, are left out.
    """
    found: list[Decision] = []
    mentions: list[Mention] = []
    for feed, corpus in corpora(feeds, repo=repo, vocabulary=vocabulary, subjects=subjects):
        for name, find in extractors if episode in feed.episodes else ():

            def drop(field: str, start: int, end: int, reason: str, name: str = name) -> None:
                found.append(Decision(name, field, start, end, reason=reason))

            mentions += run(name, find, episode, replace(corpus, drop=drop))
        if episode in feed.episodes:
            mentions = [*with_roles(episode, mentions, corpus.people)]
    pages = known_pages(item for feed in feeds for item in own_pages(feed))
    (joined,) = join([Extraction(episode, tuple(mentions), truncated_links(episode))], pages, subjects)
    kept = {(one.field, one.start, one.end) for one in joined.mentions}
    found += (Decision(one.extractor, one.field, one.start, one.end, one) for one in joined.mentions)
    found += (
        Decision(one.extractor, one.field, one.start, one.end, reason=_LEFT_OUT)
        for one in mentions
        if (one.field, one.start, one.end) not in kept
    )
    return _without_parts(dict.fromkeys(found))


def _without_parts(decisions: Iterable[Decision]) -> list[Decision]:
    """Leave out rejected parts of another candidate of the same extractor, and sort by place."""
    found: list[Decision] = []
    ends: dict[tuple[str, str], int] = {}  # how far the decisions of each extractor reach in each field
    for one in sorted(decisions, key=lambda one: (one.field != "title", one.start, -one.end, one.mention is None)):
        reach = ends.get((one.extractor, one.field), 0)
        if one.mention or one.end > reach:
            found.append(one)
        ends[one.extractor, one.field] = max(reach, one.end)
    return found
