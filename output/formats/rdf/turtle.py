"""Turtle (RDF 1.1), the same statements as JSON-LD, written as they come: see ``statements``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ...files import write_text
from ..shared.steering import STEERING
from .statements import PREFIXES, subjects

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from ..shared.plain import Graph

# Characters to escape in a literal in double quotes (RDF 1.1 Turtle, 2.5.1).
_ESCAPED = re.compile(rf'["\\\n\r\t{STEERING}]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPES |= {mark: f"\\u{ord(mark):04X}" for mark in STEERING}
# A name with one of our prefixes.
_PREFIXED = re.compile(rf"({'|'.join(PREFIXES)}):[A-Za-z]+")


def to_turtle(graph: Graph, *, base_url: str = "") -> str:
    """Return ``graph`` as Turtle; ``base_url`` is the prefix of its nodes' IRIs.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap")
    >>> print(to_turtle(graph).splitlines()[-1])
    <urn:podgraph:topic:vmap> a schema:DefinedTerm ; schema:name "vmap" .
    """
    return "".join(_lines(graph, base_url))


def write_turtle(graph: Graph, path: str | os.PathLike[str], *, base_url: str = "") -> None:
    """Write ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph, base_url))


def _lines(graph: Graph, base_url: str) -> Iterator[str]:
    yield from (f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    for iri, pairs in subjects(graph, base_url):
        parts = (f"{_term(predicate)} {_object(form, text)}" for predicate, (form, text) in pairs)
        yield f"<{iri}> {' ; '.join(parts)} .\n"


def _object(form: str, text: str) -> str:
    if form == "iri":
        return _term(text)
    quoted = '"' + _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text) + '"'
    return quoted if form == "text" else f"{quoted}^^{form}"


@lru_cache(maxsize=1 << 14)
def _term(iri: str) -> str:
    if iri == "rdf:type":
        return "a"
    return iri if _PREFIXED.fullmatch(iri) else f"<{iri}>"
