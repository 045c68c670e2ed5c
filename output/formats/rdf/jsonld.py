"""JSON-LD 1.1 with the schema.org vocabulary, one subject a line. ``statements`` documents the mapping."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ...files import write_text
from ...json_text import escaped
from .statements import PREFIXES, subjects

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from ..shared.plain import Graph

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_CONTEXT = {"@vocab": PREFIXES["schema"]} | PREFIXES


def to_jsonld(graph: Graph, *, base_url: str = "") -> str:
    """Return ``graph`` as JSON-LD; ``base_url`` is the prefix of its nodes' IRIs.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap")
    >>> print(to_jsonld(graph).splitlines()[1])
    {"@id":"urn:podgraph:topic:vmap","@type":"DefinedTerm","name":"vmap"}
    """
    return "".join(_lines(graph, base_url))


def write_jsonld(graph: Graph, path: str | os.PathLike[str], *, base_url: str = "") -> None:
    """Write ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph, base_url))


def _lines(graph: Graph, base_url: str) -> Iterator[str]:
    yield f'{{"@context":{_encode(_CONTEXT)},"@graph":['
    ahead = "\n"
    for iri, pairs in subjects(graph, base_url):
        found: dict[str, list[object]] = {}
        for predicate, (form, text) in pairs:
            if predicate == "rdf:type":
                found.setdefault("@type", []).append(text.removeprefix("schema:"))
            else:
                found.setdefault(predicate.removeprefix("schema:"), []).append(_value(form, text))
        yield ahead + escaped(_encode({"@id": iri} | {name: v[0] if len(v) == 1 else v for name, v in found.items()}))
        ahead = ",\n"
    yield "\n]}\n"


def _value(form: str, text: str) -> object:
    if form == "text":
        return text
    return {"@id": text} if form == "iri" else {"@value": text, "@type": form}
