"""Facts of the built-in snapshot: topics, citations and references to other episodes, as mentions.

The snapshot's topics and links are checked by hand, so a build of the live feed is never worse than the snapshot.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from typing import TYPE_CHECKING

from ..model import Mention
from ..ref import Ref
from . import SNAPSHOT_PODCAST, sample_graph, sample_references

if TYPE_CHECKING:
    from collections.abc import Iterator


def list_snapshot_mentions(*, only_references: bool) -> dict[str, list[Mention]]:
    """Return the snapshot's facts by the node id of the episode, as mentions of the method ``snapshot``.

    With ``only_references`` these are the host's references to other episodes, which are in no notes.
    """
    mentions: dict[str, list[Mention]] = defaultdict(list)
    for episode, relation, ref, second in _list_references() if only_references else _list_facts():
        # Field, start, end, quote, method, extractor and confidence of the mention: it is in no text.
        place = ("snapshot", 0, len(ref.label), ref.label, "snapshot", "snapshot", 0.9)
        mentions[episode].append(Mention(ref, *place, relation=relation, time=second))
    return mentions


def _list_references() -> Iterator[tuple[str, str, Ref, int | None]]:
    """Yield (episode id, relation, target, second) for each reference of the host to another episode.

    ``second`` is the time at which it is spoken, ``None`` for a reference in the notes.
    """
    podcast = SNAPSHOT_PODCAST.replace("podcast:", "episode:")
    for line in sample_references().splitlines():
        if not line.startswith("#"):
            episode, target, relation, second = line.split("\t")
            ref = Ref("episode", f"{podcast}/{target}", target.replace("-", " "))
            yield f"{podcast}/{episode}", relation, ref, int(second) if second else None


def _list_facts() -> Iterator[tuple[str, str, Ref, int | None]]:
    """Yield (episode id, relation, target, second) for each fact with evidence in the snapshot's graph.

    ``second`` is the time in the recording, ``None`` without one. Boilerplate and persons are left out.
    """
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
