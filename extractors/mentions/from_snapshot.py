"""Facts of the built-in snapshot for the episodes of its show: topics, citations and references to other episodes.

The snapshot's topics and links are checked by hand, so a build of the live feed is never worse than the snapshot. An
episode matches by its node id, which is made of the show's title and the episode's slug.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import Mention
from ..ref import Ref
from ..sample import SNAPSHOT_PODCAST, sample_graph, sample_references

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..model import Feed
    from .corpus import Extraction

_RELATIONS = frozenset(("about", "cites", "mentions", "see_also", "listen_first"))
_CONFIDENCE = 0.9
_Fact = tuple[str, str, Ref, "int | None"]  # episode, relation, target, second of the recording


def with_snapshot(feeds: Sequence[Feed], found: Sequence[Extraction]) -> list[Extraction]:
    """Return the extractions with the snapshot's facts that they lack, as mentions of the method ``snapshot``.

    Feeds of other shows stay unchanged. The snapshot itself gets the references from transcripts only, because its
    other facts are in its own notes.
    """
    shows = [feed for feed in feeds if feed.id == SNAPSHOT_PODCAST]
    if not shows:
        return [*found]
    facts: dict[str, list[_Fact]] = defaultdict(list)
    is_snapshot = any(feed.source == "sample" for feed in shows)
    for fact in _references() if is_snapshot else _facts():
        facts[fact[0]].append(fact)
    return [
        replace(result, mentions=(*result.mentions, *_make_missing_mentions(result, facts[result.episode.id])))
        for result in found
    ]


def _make_missing_mentions(result: Extraction, facts: Sequence[_Fact]) -> Iterator[Mention]:
    """Yield a mention for each of the snapshot's ``facts`` whose target the extraction does not mention."""
    known = {mention.ref.id for mention in result.mentions} | {result.episode.id}
    for _, relation, ref, second in facts:
        if ref.id not in known:
            yield Mention(
                ref, "snapshot", 0, len(ref.label), ref.label, "snapshot", "snapshot", _CONFIDENCE,
                relation=relation, time=second,
            )  # fmt: skip


def _references() -> Iterator[_Fact]:
    """Yield the host's references to other episodes, those in speech with their seconds."""
    podcast = SNAPSHOT_PODCAST.partition(":")[2]
    for line in sample_references().splitlines():
        if not line.startswith("#"):
            episode, target, relation, second = line.split("\t")
            ref = Ref("episode", f"episode:{podcast}/{target}", target.replace("-", " "))
            yield f"episode:{podcast}/{episode}", relation, ref, int(second) if second else None


def _facts() -> Iterator[_Fact]:
    """Yield the facts with evidence in the snapshot's graph, without boilerplate."""
    query = """
        SELECT s.id, e.relation, t.kind, t.id, t.label, coalesce(t.url, ''), v.time
        FROM edges e JOIN nodes s ON s.n = e.source JOIN nodes t ON t.n = e.target
          JOIN evidence v ON v.edge = e.id AND v.place = 1
        WHERE e.boilerplate IS NULL AND t.kind <> 'person' ORDER BY e.id
    """
    with closing(sqlite3.connect(f"file:{sample_graph()}?immutable=1", uri=True)) as database:
        for source, relation, *target, time in database.execute(query):
            if relation in _RELATIONS:
                yield source, relation, Ref(*target), time
