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
    decisions: list[Decision] = []
    mentions: list[Mention] = []
    for feed, corpus in corpora(feeds, repo=repo, vocabulary=vocabulary, subjects=subjects):
        if episode not in feed.episodes:
            continue
        for name, find in extractors:

            def drop(field: str, start: int, end: int, reason: str, name: str = name) -> None:
                decisions.append(Decision(name, field, start, end, reason=reason))

            mentions += run(name, find, episode, replace(corpus, drop=drop))
        mentions = [*with_roles(episode, mentions, corpus.people)]
    pages = known_pages(item for feed in feeds for item in own_pages(feed))
    (joined,) = join([Extraction(episode, tuple(mentions), truncated_links(episode))], pages, subjects)
    kept = {(mention.field, mention.start, mention.end) for mention in joined.mentions}
    decisions += (
        Decision(mention.extractor, mention.field, mention.start, mention.end, mention) for mention in joined.mentions
    )
    decisions += (
        Decision(mention.extractor, mention.field, mention.start, mention.end, reason=_LEFT_OUT)
        for mention in mentions
        if (mention.field, mention.start, mention.end) not in kept
    )
    return _drop_parts(dict.fromkeys(decisions))


def _drop_parts(decisions: Iterable[Decision]) -> list[Decision]:
    """Leave out rejected parts of another candidate of the same extractor, and sort by place."""
    kept: list[Decision] = []
    ends: dict[tuple[str, str], int] = {}  # how far the decisions of each extractor reach in each field
    for decision in sorted(decisions, key=_order):
        reach = ends.get((decision.extractor, decision.field), 0)
        if decision.mention or decision.end > reach:
            kept.append(decision)
        ends[decision.extractor, decision.field] = max(reach, decision.end)
    return kept


def _order(decision: Decision) -> tuple[bool, int, int, bool]:
    """Return the key that sorts by place, the title first, and of candidates at one place the longest first."""
    return decision.field != "title", decision.start, -decision.end, decision.mention is None
