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
    """Yield the graph in pieces: a line for each subject, with its predicates as keys."""
    yield f'{{"@context":{_encode(_CONTEXT)},"@graph":['
    separator = "\n"
    for iri, pairs in subjects(graph, base_url):
        by_key: dict[str, list[object]] = {}
        for predicate, (form, text) in pairs:
            if predicate == "rdf:type":
                by_key.setdefault("@type", []).append(text.removeprefix("schema:"))
            else:
                by_key.setdefault(predicate.removeprefix("schema:"), []).append(_value(form, text))
        single_or_list = {key: values[0] if len(values) == 1 else values for key, values in by_key.items()}
        yield separator + escaped(_encode({"@id": iri} | single_or_list))
        separator = ",\n"
    yield "\n]}\n"


def _value(form: str, text: str) -> object:
    if form == "text":
        return text
    return {"@id": text} if form == "iri" else {"@value": text, "@type": form}
