"""DOT, for Graphviz. Everything is quoted; attributes of the graph are called ``data_…``.

Many attribute names have a meaning in Graphviz (``image`` reads a file), so attributes from a feed never keep
their own name. Rules: https://graphviz.org/doc/info/lang.html and …/docs/attr-types/escString.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from podgraph.graph import RELATIONS, kinds_of

from ..files import write_text
from .shared.flatten import Flat, flatten, scalar_text, values_of
from .shared.plain import unique_names
from .shared.steering import without_steering
from .shared.style import colour, dot_shape
from .shared.weblink import web_link

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from .shared.flatten import Values
    from .shared.plain import Graph

# The lexer takes at most 16 KiB a string, but strings can be added; strict readers do not know this.
# None should end in a backslash.
_LONGEST = 4000
_LONGEST_ASCII = 15_000
# A piece without a backslash at its end, or the rest of the text.
_PIECES = re.compile(r"(?s).{0,3999}[^\\]|.+")
# Characters to escape in a label to be printed unchanged by Graphviz.
_SHOWN = re.compile(r'[&\\"\r\n]')
_SHOW = {"&": "&amp;", "\\": "\\\\", '"': '\\"', "\r": "", "\n": "\\n"}
# Backslashes before a quote or the end.
_BEFORE_END = re.compile(r'(\\*)("|\Z)')
# Line ends: strict readers take none in a string, and the language has no escape for them.
_LINE_END = re.compile(r"\r\n|\r|\n")
# A line is full, of dots (dashes of two pixels at most) or of dashes.
_STYLES = {
    name: "solid" if not relation.dash else "dotted" if relation.dash[0] <= 2 else "dashed"
    for name, relation in RELATIONS.items()
}


def to_dot(graph: Graph) -> str:
    r"""Return ``graph`` as a DOT digraph: the same graph gives the same text.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label='"v"map')
    >>> print(to_dot(graph).splitlines()[4].partition(", color")[0])
    "topic:vmap" [label="\"v\"map", tooltip="topic:vmap", shape="diamond"
    """
    return "".join(_lines(graph))


def write_dot(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph))


def quote(text: str) -> str:
    r"""Return ``text`` as a quoted DOT string.

    Only a backslash in front of the end or of a quote means anything to the lexer; an odd one there is doubled. A line
    end becomes ``\n``, shown as one in labels and tooltips.

    >>> print(quote('a\\b "c"\nd'))
    "a\b \"c\"\nd"
    """
    text = _LINE_END.sub(r"\\n", without_steering(text))
    if (
        '"' not in text
        and "\\" not in text
        and len(text) <= _LONGEST_ASCII
        and (text.isascii() or len(text) <= _LONGEST)
    ):
        return f'"{text}"'
    return " + ".join(f'"{_BEFORE_END.sub(_guard, piece)}"' for piece in _pieces(text))


def quote_label(text: str) -> str:
    r"""Return ``text`` as a quoted DOT string, to be shown as it is: no escapes, no entities.

    >>> print(quote_label("a\\Nb & c"))
    "a\\Nb &amp; c"
    """
    return " + ".join(f'"{_SHOWN.sub(_show, piece)}"' for piece in _pieces(without_steering(text)))


def _pieces(text: str) -> list[str]:
    most = _LONGEST_ASCII if text.isascii() else _LONGEST
    return [text] if len(text) <= most else _PIECES.findall(text)


def _show(match: re.Match[str]) -> str:
    return _SHOW[match[0]]


def _guard(match: re.Match[str]) -> str:
    slashes, end = match[1], match[2]
    if len(slashes) % 2:
        slashes += "\\"
    return slashes + ('\\"' if end == '"' else "")


def _lines(graph: Graph) -> Iterator[str]:
    """Yield the graph in pieces."""
    flat = flatten(graph)
    ids = tuple(flat.ids.values())
    names = dict(zip(ids, unique_names(ids, lambda name: _LINE_END.sub(r"\\n", name)), strict=True))
    yield 'digraph "podgraph" {\n'
    yield 'graph [charset="UTF-8", overlap="false", splines="true"];\n'
    yield 'node [fontname="sans-serif", fontsize="10", penwidth="2"];\n'
    yield 'edge [color="#8a8a8a", arrowsize="0.6"];\n'
    yield from _nodes(flat, names)
    for source, target, relation, row in flat.edges():
        style = _STYLES.get(relation, "solid")
        yield f'{quote(names[source])} -> {quote(names[target])} [tooltip={quote_label(relation)}, style="{style}", '
        yield f'"data_relation"={quote(relation)}{_data(values_of(flat.edge_columns, row))}];\n'
    yield "}\n"


def _nodes(flat: Flat, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the line of each node, drawn in the shape and colour of its kind."""
    kinds = kinds_of(flat.graph.graph)
    for node, row in flat.nodes():
        values = values_of(flat.node_columns, row)
        kind = kinds[scalar_text(values.get("kind") or "")]
        label = scalar_text(values.get("label", node))
        link = web_link(values.get("url"))
        drawn = f"label={quote_label(label)}, tooltip={quote_label(node)}"
        # Graphviz writes a link into SVG as it finds it.
        drawn += f", URL={quote(link.replace('&', '&amp;'))}" if link else ""
        drawn += f', shape="{dot_shape(kind)}", color="{colour(kind)}"'
        yield f"{quote(names[node])} [{drawn}{_data(values)}];\n"


def _data(values: Values) -> str:
    return "".join(f', "data_{name}"={quote(scalar_text(value))}' for name, value in values.items())
