"""JSON Lines: one line for each episode with its text, citations and topics, and two files of nodes and edges.

An episode (or post) has its ``text``, its topics (``about``), its citations and mentions with quotes, offsets into the
text and moments, and its related episodes with reasons. A search engine over episodes, or a language model
retrieving them, can be built on it. Nodes and edges are those of node-link JSON. Rules: https://jsonlines.org.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ..files import atomic_folder, text_files
from ..json_text import escaped
from .shared.citations import Citation, citations, name_of, text_of
from .shared.days import newest_first
from .shared.flatten import clean_text
from .shared.plain import edges_in_order, node_ids, plain, plain_attributes, whole_text
from .shared.weblink import web_link

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping
    from typing import BinaryIO

    from .shared.plain import Graph

MEMBERS = ("episodes.jsonl", "nodes.jsonl", "edges.jsonl")
_FACTS = ("kind", "title", "date", "number", "season", "duration", "url", "audio_url", "guid", "image", "author")
_SAID = ("quote", "field", "start", "end", "moment", "link", "method", "confidence")
_NUMBERS = dict.fromkeys(("number", "season", "duration", "start", "end"), "int64")
_TYPES = {**_NUMBERS, "moment": "float64", "confidence": "float64", "weight": "float64"}
_THING = ("id", "relation", "kind", "name", "url", "state", "author")


def _typed(*names: str) -> dict[str, object]:
    return {name: _TYPES.get(name, "string") for name in names}


_THINGS = _typed(*_THING) | {"quotes": _typed(*_SAID)}
EPISODE: dict[str, object] = (
    _typed("id", *_FACTS, "podcast", "podcast_title", "text")
    | {"about": _THINGS, "cites": _THINGS}
    | {"related": {**_typed("id", "title", "weight"), "reasons": ["string"]}}
)
"""The fields of a line and their types; of a list those of its items."""
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def to_jsonl(graph: Graph) -> tuple[str, str, str]:
    """Return the episodes, the nodes and the edges of ``graph``, each as lines of JSON.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("episode:a/b", kind="episode", title="Views", summary="On views.")
    >>> print(to_jsonl(graph)[0], end="")
    {"id":"episode:a/b","kind":"episode","title":"Views","about":[],"cites":[],"related":[],"text":"On views."}
    """
    episodes, nodes, edges = map("".join, _tables(graph))
    return episodes, nodes, edges


def write_jsonl(graph: Graph, *paths: str | os.PathLike[str]) -> None:
    """Write the three files: episodes, nodes, edges; all or none. Raises ``OutputError``."""
    with text_files(paths) as streams:
        _write(graph, streams)


def write_jsonl_folder(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the three files into the folder ``path``, all or none. Raises ``OutputError``."""
    with atomic_folder(Path(path), MEMBERS) as streams:
        _write(graph, streams)


def episode_lines(graph: Graph) -> Iterator[str]:
    """Yield a line of JSON for each episode, and each post of the sources, the newest first."""
    ids = node_ids(graph, clean_text)
    nodes = {name: graph.nodes[node] for node, name in ids.items()}
    said: dict[str, list[Citation]] = {}
    for row in citations(graph):
        said.setdefault(row.episode_id, []).append(row)
    related: dict[str, list[tuple[float, str, object]]] = {}
    for source, target, relation, attrs in edges_in_order(graph, ids, clean_text):
        if relation == "related":
            weight = attrs.get("weight")
            strength = float(weight) if isinstance(weight, (int, float)) else 0.0
            related.setdefault(source, []).append((-strength, target, attrs.get("reasons")))
            related.setdefault(target, []).append((-strength, source, attrs.get("reasons")))
    items = {name: attrs for name, attrs in nodes.items() if attrs.get("kind") == "episode" or name in said}
    for name in newest_first(items):
        attrs = items[name]
        facts = {key: attrs[key] for key in _FACTS if attrs.get(key) is not None}
        podcast = attrs.get("podcast")
        if isinstance(podcast, str):
            facts |= {"podcast": podcast, "podcast_title": name_of(nodes.get(podcast, {}), podcast)}
        if (text := attrs.get("summary")) is not None:
            facts["text"] = text
        about: list[dict[str, object]] = []
        cites: list[dict[str, object]] = []
        for thing in _things(said.get(name, []), nodes):
            (about if thing["relation"] == "about" else cites).append(thing)
        relatives = [
            {"id": other, "title": name_of(nodes[other], other), "weight": -weight, "reasons": reasons}
            for weight, other, reasons in sorted(related.get(name, []), key=lambda row: row[:2])
        ]
        yield _line({"id": name, "kind": "", **facts, "about": about, "cites": cites, "related": relatives})


def _things(rows: Iterable[Citation], nodes: Mapping[str, Mapping[str, object]]) -> Iterator[dict[str, object]]:
    """Yield each node mentioned in an episode, with the evidence."""
    groups: dict[tuple[str, str], list[Citation]] = {}
    for row in rows:
        groups.setdefault((row.relation, row.thing_id), []).append(row)
    for (relation, thing), found in groups.items():
        first, attrs = found[0], nodes.get(thing, {})
        head = {"id": thing, "relation": relation, "kind": first.kind, "name": first.thing}
        state = text_of(attrs, "state")
        told = {"url": web_link(attrs.get("url")) or None, "state": state, "author": text_of(attrs, "author")}
        quotes = [{name: getattr(row, name) for name in _SAID if getattr(row, name) is not None} for row in found]
        yield head | {key: value for key, value in told.items() if value} | {"quotes": quotes}


def _tables(graph: Graph) -> tuple[Iterator[str], Iterator[str], Iterator[str]]:
    return episode_lines(graph), _nodes(graph), _edges(graph)


def _nodes(graph: Graph) -> Iterator[str]:
    for node, name in node_ids(graph, clean_text).items():
        yield _line({"id": name} | plain_attributes(graph.nodes[node], frozenset({"id"})))


def _edges(graph: Graph) -> Iterator[str]:
    taken = frozenset({"id", "source", "target", "relation"})
    for source, target, relation, attrs in edges_in_order(graph, node_ids(graph, clean_text), clean_text):
        yield _line({"source": source, "target": target, "relation": relation} | plain_attributes(attrs, taken))


def _line(value: object) -> str:
    return escaped(whole_text(_encode(plain(value)))) + "\n"


def _write(graph: Graph, streams: list[BinaryIO]) -> None:
    for stream, lines in zip(streams, _tables(graph), strict=True):
        stream.writelines(line.encode() for line in lines)
