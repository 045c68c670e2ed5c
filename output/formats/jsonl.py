"""JSON Lines: one line for each episode with its text, topics, citations and related episodes.

An episode (or a post that cites) has its ``text``, its topics (``about``), its citations and mentions with quotes,
offsets into the text and moments, and its related episodes with reasons. A search engine over episodes, or a language
model retrieving them, can be built on it. Rules: https://jsonlines.org.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ..json_text import escape_controls
from .rows import Attributes, Rows, encode_json, find_name, get_text, get_weight, list_evidence
from .shared.days import sort_newest_first
from .shared.texts import to_web_link

_FACT_NAMES = ("kind", "title", "date", "number", "season", "duration", "url", "audio_url", "guid", "image", "author")
_EVIDENCE_NAMES = ("quote", "field", "start", "end", "time", "url", "method", "confidence")


def to_jsonl(rows: Rows) -> Iterator[str]:
    """Yield a line of JSON for each episode, and for each post that cites something, the newest first.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("episode:a/b", kind="episode", title="Views", summary="On views.")
    >>> print(*to_jsonl(Rows(graph)), end="")
    {"id":"episode:a/b","kind":"episode","title":"Views","text":"On views.","about":[],"cites":[],"related":[]}
    """
    nodes: dict[str, dict[str, Any]] = {}
    for id_, node in rows.nodes():
        nodes[id_] = {
            name: node[name] for name in (*_FACT_NAMES, "label", "state", "podcast", "summary") if name in node
        }
    # Episode -> its topics, its citations and its related episodes, each a list of JSON objects.
    parts: defaultdict[str, dict[str, list[dict[str, Any]]]] = defaultdict(
        lambda: {"about": [], "cites": [], "related": []}
    )
    citing = {id_ for id_, node in nodes.items() if node.get("kind") == "episode"}
    for source, target, relation, attributes in rows.edges():
        if relation == "related":
            weight, reasons = get_weight(attributes), attributes.get("reasons")
            for episode, other in ((source, target), (target, source)):
                title = find_name(nodes[other], other)
                parts[episode]["related"].append({"id": other, "title": title, "weight": weight, "reasons": reasons})
        elif list_evidence(attributes) or relation in {"cites", "mentions", "about"}:
            part = "about" if relation == "about" else "cites"
            parts[source][part].append(_describe_citation(target, relation, attributes, nodes[target]))
            citing.add(source)
    for id_ in sort_newest_first({id_: node for id_, node in nodes.items() if id_ in citing}):
        node = nodes[id_]
        line: dict[str, Any] = {"id": id_, "kind": "", **{name: node[name] for name in _FACT_NAMES if name in node}}
        podcast = node.get("podcast")
        if isinstance(podcast, str):
            line |= {"podcast": podcast, "podcast_title": find_name(nodes.get(podcast, {}), podcast)}
        if "summary" in node:
            line["text"] = node["summary"]
        parts[id_]["related"].sort(key=lambda item: (-item["weight"], item["id"]))
        yield escape_controls(encode_json(line | parts[id_])) + "\n"


def _describe_citation(id_: str, relation: str, edge: Attributes, node: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON object of a citation: the artifact or topic ``id_`` with its facts, the relation, and the quotes.

    ``edge`` and ``node`` are the attributes of the edge and of its target.
    """
    details = {name: get_text(node, name) for name in ("state", "author")} | {"url": to_web_link(node.get("url"))}
    item = {"id": id_, "relation": relation, "kind": get_text(node, "kind")}
    item |= {"name": find_name(node, id_)} | {name: text for name, text in details.items() if text}
    quotes = [{name: piece[name] for name in _EVIDENCE_NAMES if name in piece} for piece in list_evidence(edge)]
    return item | {"quotes": quotes}
