"""The findings of each extractor in a passage of an episode, and the reasons for rejected candidates."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from podgraph.extractors import EXTRACTORS, Episode, Feed, Link, Person, decide, default_repo_of, parse_people

from .resolve import resolve_episode
from .view import label_of, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from podgraph.extractors import Decision, Extractor, Vocabulary

    from ..attributes import EdgeAttributes, NodeAttributes
    from .view import View

_NOT_HERE = "found now, but this graph was built without it: with other rules or options, or from other notes"
_PASSING = "a topic named in passing: beside those that the episode is about it weighs too little"


@dataclass(frozen=True, slots=True)
class Seen:
    """A place in a text, its extractor, and the resulting node, or the ``reason`` for its rejection.

    A ``boilerplate`` finding makes an edge without weight, also with a ``reason``.
    """

    extractor: str
    field: str
    start: int
    end: int
    quote: str
    id: str = ""
    kind: str = ""
    label: str = ""
    relation: str = ""
    reason: str = ""
    boilerplate: bool = False

    def record(self) -> dict[str, object]:
        """Return all its fields with a value."""
        names = ("extractor", "field", "start", "end", "quote", "id", "kind", "label", "relation", "reason")
        told: dict[str, object] = {name: value for name in names if (value := getattr(self, name)) != ""}
        return told | ({"boilerplate": True} if self.boilerplate else {})


@dataclass(frozen=True, slots=True)
class Why:
    """The findings in a passage of an episode, in order of place.

    ``field`` is the field with the passage, ``title`` or ``notes``; empty when neither contains it: then it was read
    as if it were at the end of the notes.
    """

    text: str
    id: str
    attributes: NodeAttributes
    field: str
    seen: tuple[Seen, ...]

    def __bool__(self) -> bool:
        """Return whether anything was seen."""
        return bool(self.seen)

    def to_dict(self) -> dict[str, object]:
        """Return the answer with all fields of each candidate's place, as JSON has it."""
        return {
            "query": self.text,
            "id": self.id,
            "title": title_of(self.attributes, self.id),
            "found": bool(self),
            "field": self.field,
            "seen": [one.record() for one in self.seen],
        }


def why(
    episode: str,
    text: str,
    view: View,
    *,
    repo: str = "",
    vocabulary: Vocabulary | None = None,
    extractors: Sequence[tuple[str, Extractor]] = EXTRACTORS,
) -> Why:
    """Return the findings of ``extractors`` in ``text``, a passage of the episode called ``episode``.

    The extractors read the notes in the graph; hyperlinks behind words are known only where the graph has
    them. The graph's own evidence of a place has priority. ``repo``, ``vocabulary`` are those of a build. Raises
    ``QueryError`` for an ``episode`` matching none, or several.
    """
    id_ = resolve_episode(episode, view)
    node = view.node(id_) or {}
    item = _episode(id_, node, view)
    passages = [*_passages(text, "title", item.title), *_passages(text, "notes", item.notes)]
    read, asked = item, not passages
    if asked:
        notes = f"{item.notes}\n\n{text}" if item.notes else text
        read, passages = replace(item, notes=notes), [("notes", len(notes) - len(text), len(notes))]
    feed = _feed(read, node, view)
    decisions = decide([feed], read, extractors, repo=repo, vocabulary=vocabulary)
    held = {} if asked else dict(_evidence_by_place(id_, view))
    counted = {(one.extractor, *place[:3]) for place, ones in held.items() for one in ones}
    inside = [
        one
        for one in decisions
        if _overlaps(one.field, one.start, one.end, passages) and (one.mention or one[:4] not in counted)
    ]
    seen = [_seen(one, read, view, None if asked else held) for one in inside]
    found = {(one.field, one.start, one.end, one.id) for one in seen}
    seen += (
        one
        for (field, start, end, _), ones in held.items()
        for one in ones
        if _overlaps(field, start, end, passages) and (field, start, end, one.id) not in found
    )
    seen.sort(key=lambda one: (one.field != "title", one.start, -one.end, bool(one.reason)))
    return Why(text, id_, node, "" if asked else passages[0][0], tuple(seen))


def _passages(text: str, field: str, whole: str) -> Iterator[tuple[str, int, int]]:
    """Yield the places of ``text`` in a field, ignoring case and white space."""
    words = r"\s+".join(map(re.escape, text.split()))
    if not words:  # an empty pattern would match everywhere
        return
    for match in re.finditer(words, whole, re.IGNORECASE):
        yield field, *match.span()


def _overlaps(field: str, start: int, end: int, passages: Sequence[tuple[str, int, int]]) -> bool:
    return any(field == where and start < last and first < end for where, first, last in passages)


def _seen(decision: Decision, episode: Episode, view: View, evidence_at: dict[_Place, list[Seen]] | None) -> Seen:
    """Return a decision for the answer. ``evidence_at`` is the graph's evidence by place."""
    quote = (episode.title if decision.field == "title" else episode.notes)[decision.start : decision.end]
    place = (decision.field, decision.start, decision.end)
    if decision.mention is None:
        return Seen(decision.extractor, *place, quote, reason=decision.reason)
    ref, relation = decision.mention.ref, decision.mention.relation
    if evidence_at is not None:
        same_place = evidence_at.get((*place, relation), [])
        same_node = [item for item in same_place if item.id == ref.id]
        if same_place:
            return (same_node or same_place)[0]
    label = label_of(ref.id, view) if view.node(ref.id) else ref.label
    reason = "" if evidence_at is None else _PASSING if relation == "about" else _NOT_HERE
    return Seen(decision.extractor, *place, quote, ref.id, ref.kind, label, relation, reason)


_Place = tuple[str, int, int, str]  # field, start, end, relation


def _evidence_by_place(id_: str, view: View) -> Iterator[tuple[_Place, list[Seen]]]:
    """Yield the places of an episode's text with evidence in the graph, and the node of each."""
    by_place: dict[_Place, list[Seen]] = {}
    for edge in view.edges_from(id_):
        node = view.node(edge.target) or {}
        is_boilerplate = edge.attributes.get("boilerplate", False)
        reason = edge.attributes.get("reasons", ("",))[-1].removeprefix("boilerplate: ") if is_boilerplate else ""
        for proof in edge.attributes.get("evidence", ()):
            place = proof.get("field", ""), proof.get("start", 0), proof.get("end", 0)
            target_fields = edge.target, node.get("kind", ""), node.get("label", edge.target), edge.relation
            seen = Seen(
                proof.get("extractor", ""), *place, proof.get("quote", ""), *target_fields, reason, is_boilerplate
            )
            by_place.setdefault((seen.field, seen.start, seen.end, seen.relation), []).append(seen)
    yield from by_place.items()


def _feed(episode: Episode, node: NodeAttributes, view: View) -> Feed:
    """Return the feed of an episode or post, with all its items, as far as the graph holds it."""
    podcast = view.node(episode.podcast) or {} if episode.podcast else {}
    title, about = podcast.get("title", ""), podcast.get("description", "")
    host = episode.id.partition("/")[0]
    items = [
        episode if id_ == episode.id else _episode(id_, other, view)
        for id_, other in view.nodes(node.get("kind", "episode"))
        if "title" in other
        and (other.get("podcast") == episode.podcast if episode.podcast else id_.partition("/")[0] == host)
    ]
    url, feed_url = podcast.get("url", ""), podcast.get("feed_url", "")
    people = tuple(map(Person, parse_people(podcast.get("author", ""))))
    return Feed(
        "", "podcast" if episode.podcast else "blog", episode.podcast, title, tuple(items), url, feed_url, about,
        default_repo=default_repo_of(url, feed_url), people=people,
    )  # fmt: skip


def _episode(id_: str, node: NodeAttributes, view: View) -> Episode:
    """Return an episode or post as its extractors read it."""
    links = {link for edge in view.edges_from(id_) for link in _links(edge.attributes)}
    return Episode(
        id_, node.get("kind", ""), node.get("podcast", ""), node.get("title", ""), node.get("summary", ""),
        tuple(sorted(links, key=lambda link: (link.start, link.end))), node.get("url", ""), number=node.get("number"),
    )  # fmt: skip


def _links(edge: EdgeAttributes) -> Iterator[Link]:
    """Yield the hyperlinks of the notes in an edge's evidence."""
    for proof in edge.get("evidence", ()):
        if proof.get("method") in {"href", "crosslink"} and {"url", "start", "end"} <= proof.keys():
            yield Link(proof["url"], proof["start"], proof["end"], "href")
