"""JSON Lines: one line for each episode with its text, citations and topics, and two files of nodes and edges.

An episode (or post) has its ``text``, its topics (``about``), its citations and mentions with quotes, offsets into the
text and moments, and its related episodes with reasons. A search engine over episodes, or a language model
retrieving them, can be built on it. Nodes and edges are those of node-link JSON. Rules: https://jsonlines.org.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ..json_text import escaped
from .rows import encode_json, name_of, text_of
from .shared.days import newest_first
from .shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .rows import Citation, Rows

_FACTS = ("kind", "title", "date", "number", "season", "duration", "url", "audio_url", "guid", "image", "author")
_EVIDENCE = ("quote", "field", "start", "end", "moment", "link", "method", "confidence")


def to_jsonl(rows: Rows) -> tuple[Iterator[str], Iterator[str], Iterator[str]]:
    """Return the lines of the episodes, of the nodes and of the edges.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("episode:a/b", kind="episode", title="Views", summary="On views.")
    >>> print(*to_jsonl(Rows(graph))[0], end="")
    {"id":"episode:a/b","kind":"episode","title":"Views","text":"On views.","about":[],"cites":[],"related":[]}
    """
    return _episode_lines(rows), _node_lines(rows), _edge_lines(rows)


def _episode_lines(rows: Rows) -> Iterator[str]:
    """Yield a line for each episode, and each post that cites, the newest first."""
    related: dict[str, list[dict[str, Any]]] = {}
    for source, target, relation, edge in rows.edges():
        if relation == "related":
            weight = edge.get("weight")
            strength = float(weight) if isinstance(weight, int | float) else 0.0
            for one, other in ((source, target), (target, source)):
                relative = {"id": other, "title": "", "weight": strength, "reasons": edge.get("reasons")}
                related.setdefault(one, []).append(relative)
    nodes: dict[str, dict[str, Any]] = {}
    for id_, node in rows.nodes():
        nodes[id_] = {name: node[name] for name in (*_FACTS, "label", "state", "podcast", "summary") if name in node}
    mentions = {
        id_: list(_group_by_artifact(group, nodes))
        for id_, group in groupby(rows.citations(), attrgetter("episode_id"))
    }
    for id_ in newest_first(
        {id_: nodes[id_] for id_ in nodes if nodes[id_].get("kind") == "episode" or id_ in mentions}
    ):
        node = nodes[id_]
        line: dict[str, Any] = {"id": id_, "kind": "", **{name: node[name] for name in _FACTS if name in node}}
        podcast = node.get("podcast")
        if isinstance(podcast, str):
            line |= {"podcast": podcast, "podcast_title": name_of(nodes.get(podcast, {}), podcast)}
        if "summary" in node:
            line["text"] = node["summary"]
        artifacts = mentions.pop(id_, [])
        line["about"] = [item for item in artifacts if item["relation"] == "about"]
        line["cites"] = [item for item in artifacts if item["relation"] != "about"]
        line["related"] = sorted(related.get(id_, []), key=lambda item: (-item["weight"], item["id"]))
        for relative in line["related"]:
            relative["title"] = name_of(nodes[relative["id"]], relative["id"])
        yield _to_line(line)


def _group_by_artifact(rows: Iterable[Citation], nodes: dict[str, dict[str, Any]]) -> Iterator[dict[str, object]]:
    """Yield each node that an episode mentions, with the evidence."""
    key = attrgetter("relation", "thing_id")
    for (relation, artifact), group in groupby(sorted(rows, key=key), key):
        quotes = []
        for row in group:
            quotes.append({name: value for name in _EVIDENCE if (value := getattr(row, name)) is not None})
        node = nodes[artifact]
        details = {"url": web_link(node.get("url")), "state": text_of(node, "state"), "author": text_of(node, "author")}
        line = {"id": artifact, "relation": relation, "kind": row.kind, "name": row.thing}
        yield line | {name: text for name, text in details.items() if text} | {"quotes": quotes}


def _node_lines(rows: Rows) -> Iterator[str]:
    for id_, node in rows.nodes():
        yield _to_line({"id": id_} | _without_reserved(node, {"id"}))


def _edge_lines(rows: Rows) -> Iterator[str]:
    for source, target, relation, edge in rows.edges():
        head = {"source": source, "target": target, "relation": relation}
        yield _to_line(head | _without_reserved(dict(edge), {"id", *head}))


def _without_reserved(attributes: dict[str, Any], reserved: set[str]) -> dict[str, Any]:
    return {f"{name}_" if name in reserved else name: value for name, value in attributes.items()}


def _to_line(value: object) -> str:
    return escaped(encode_json(value)) + "\n"
