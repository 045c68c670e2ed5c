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


def add_snapshot_facts(feeds: Sequence[Feed], extractions: Sequence[Extraction]) -> list[Extraction]:
    """Return the extractions with the snapshot's facts that they lack, as mentions of the method ``snapshot``.

    Feeds of other shows stay unchanged. The snapshot itself gets the references from transcripts only, because its
    other facts are in its own notes.
    """
    sources = {feed.source for feed in feeds if feed.id == SNAPSHOT_PODCAST}
    if not sources:
        return [*extractions]
    facts: dict[str, list[Mention]] = defaultdict(list)
    for episode, relation, ref, second in _list_references() if "sample" in sources else _list_facts():
        fields = (ref, "snapshot", 0, len(ref.label), ref.label, "snapshot", "snapshot", 0.9)
        facts[episode].append(Mention(*fields, relation=relation, time=second))
    results = []
    for result in extractions:
        ids = {mention.ref.id for mention in result.mentions} | {result.episode.id}
        additions = [mention for mention in facts[result.episode.id] if mention.ref.id not in ids]
        results.append(replace(result, mentions=(*result.mentions, *additions)))
    return results


def _list_references() -> Iterator[tuple[str, str, Ref, int | None]]:
    """Yield the host's references to other episodes: episode, relation, target, second of speech."""
    podcast = SNAPSHOT_PODCAST.replace("podcast:", "episode:")
    for line in sample_references().splitlines():
        if not line.startswith("#"):
            episode, target, relation, second = line.split("\t")
            ref = Ref("episode", f"{podcast}/{target}", target.replace("-", " "))
            yield f"{podcast}/{episode}", relation, ref, int(second) if second else None


def _list_facts() -> Iterator[tuple[str, str, Ref, int | None]]:
    """Yield the facts with evidence in the snapshot's graph, without boilerplate, as ``_list_references`` does."""
    query = """
        SELECT s.id, e.relation, v.time, t.kind, t.id, t.label, coalesce(t.url, '')
        FROM edges e JOIN nodes s ON s.n = e.source JOIN nodes t ON t.n = e.target
          JOIN evidence v ON v.edge = e.id AND v.place = 1
        WHERE e.boilerplate IS NULL AND t.kind <> 'person'
          AND e.relation IN ('about', 'cites', 'mentions', 'see_also', 'listen_first') ORDER BY e.id
    """
    with closing(sqlite3.connect(f"file:{sample_graph()}?immutable=1", uri=True)) as database:
        for source, relation, time, *target in database.execute(query):
            yield source, relation, Ref(*target), time
