"""N-Triples (RDF 1.1), the same statements as Turtle, each whole in a line: for big graphs and their stores."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...files import write_text
from ..shared.steering import STEERING
from .statements import PREFIXES, subjects

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from ..shared.plain import Graph

# What a literal escapes (RDF 1.1 N-Triples, 3.3).
_ESCAPED = re.compile(rf'["\\\n\r{STEERING}]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_ESCAPES |= {mark: f"\\u{ord(mark):04X}" for mark in STEERING}
# A name with one of our prefixes.
_PREFIXED = re.compile(rf"({'|'.join(PREFIXES)}):([A-Za-z]+)")


def to_ntriples(graph: Graph, *, base_url: str = "") -> str:
    """Return ``graph`` as N-Triples; ``base_url`` is what the IRIs of its nodes begin with.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap")
    >>> print(to_ntriples(graph).splitlines()[-1])
    <urn:podgraph:topic:vmap> <https://schema.org/name> "vmap" .
    """
    return "".join(_lines(graph, base_url))


def write_ntriples(graph: Graph, path: str | os.PathLike[str], *, base_url: str = "") -> None:
    """Write ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph, base_url))


def _lines(graph: Graph, base_url: str) -> Iterator[str]:
    yield "# podgraph\n"
    for iri, pairs in subjects(graph, base_url):
        for predicate, (form, text) in pairs:
            yield f"<{iri}> {_term(predicate)} {_object(form, text)} .\n"


def _object(form: str, text: str) -> str:
    if form == "iri":
        return _term(text)
    quoted = '"' + _ESCAPED.sub(lambda match: _ESCAPES[match[0]], text) + '"'
    return quoted if form == "text" else f"{quoted}^^{_term(form)}"


def _term(iri: str) -> str:
    match = _PREFIXED.fullmatch(iri)
    return f"<{PREFIXES[match[1]]}{match[2]}>" if match else f"<{iri}>"
