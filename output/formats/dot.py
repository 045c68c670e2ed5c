"""DOT, for Graphviz. Everything is quoted; attributes of the graph are called ``data_…``.

Many attribute names have a meaning in Graphviz (``image`` reads a file), so attributes from a feed never keep
their own name. Rules: https://graphviz.org/doc/info/lang.html and …/docs/attr-types/escString.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from podgraph.graph import RELATIONS

from .rows import cell_text
from .shared.style import colour, dot_shape
from .shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .rows import Column, Rows, Scalar

# The lexer takes at most 16 KiB a string, but strings can be added. No piece ends in a backslash.
_PIECES = re.compile(r"(?s).{0,3999}[^\\]|.+")
# Characters to escape in a label to be printed unchanged by Graphviz.
_SHOWN = re.compile(r'[&\\"\r\n]')
_SHOW = {"&": "&amp;", "\\": "\\\\", '"': '\\"', "\r": "", "\n": "\\n"}
# Backslashes before a quote or the end.
_BEFORE_END = re.compile(r'(\\*)("|\Z)')
# Line ends: strict readers take none in a string, and the language has no escape for them.
_LINE_END = re.compile(r"\r\n|\r|\n")


def to_dot(rows: Rows) -> Iterator[str]:
    r"""Yield a graph as a DOT digraph.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label='"v"map')
    >>> print("".join(to_dot(Rows(graph))).splitlines()[4].partition(", color")[0])
    "topic:vmap" [label="\"v\"map", tooltip="topic:vmap", shape="diamond"
    """
    yield 'digraph "podgraph" {\n'
    yield 'graph [charset="UTF-8", overlap="false", splines="true"];\n'
    yield 'node [fontname="sans-serif", fontsize="10", penwidth="2"];\n'
    yield 'edge [color="#8a8a8a", arrowsize="0.6"];\n'
    names: dict[str, str] = {}
    taken: set[str] = set()
    columns = rows.node_columns()
    for node, row in rows.flat_nodes(columns):
        name = quote(node)
        while name in taken:  # two ids differ only in their line ends
            name = f'{name[:-1]}~"'
        taken.add(name)
        names[node] = name
        values = {column.name: value for column, value in zip(columns, row, strict=True)}
        kind = rows.kinds[cell_text(values.get("kind") or "")]
        label = values.get("label")
        drawn = f"label={quote_label(node if label is None else cell_text(label))}, tooltip={quote_label(node)}"
        if link := web_link(values.get("url")):  # Graphviz writes a link into SVG as it finds it
            drawn += f", URL={quote(link.replace('&', '&amp;'))}"
        yield f'{name} [{drawn}, shape="{dot_shape(kind)}", color="{colour(kind)}"{_data(columns, row)}];\n'
    columns = rows.edge_columns()
    for source, target, relation, row in rows.flat_edges(columns):
        yield f'{names[source]} -> {names[target]} [tooltip={quote_label(relation)}, style="{_style_of(relation)}", '
        yield f'"data_relation"={quote(relation)}{_data(columns, row)}];\n'
    yield "}\n"


def quote(text: str) -> str:
    r"""Return ``text`` as a quoted DOT string.

    Only a backslash in front of the end or of a quote means anything to the lexer; an odd one there is doubled. A line
    end becomes ``\n``, shown as one in labels and tooltips.

    >>> print(quote('a\\b "c"\nd'))
    "a\b \"c\"\nd"
    """
    text = _LINE_END.sub(r"\\n", text)
    if len(text) <= 4000 and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return " + ".join(f'"{_BEFORE_END.sub(_guard, piece)}"' for piece in _pieces(text))


def quote_label(text: str) -> str:
    r"""Return ``text`` as a quoted DOT string, to be shown as it is: no escapes, no entities.

    >>> print(quote_label("a\\Nb & c"))
    "a\\Nb &amp; c"
    """
    return " + ".join(f'"{_SHOWN.sub(lambda match: _SHOW[match[0]], piece)}"' for piece in _pieces(text))


def _pieces(text: str) -> list[str]:
    return [text] if len(text) <= 4000 else _PIECES.findall(text)


def _guard(match: re.Match[str]) -> str:
    slashes, end = match[1], match[2]
    if len(slashes) % 2:
        slashes += "\\"
    return slashes + ('\\"' if end else "")


def _style_of(relation: str) -> str:
    """Return the style of a line: dots have dashes of two pixels at most."""
    dash = RELATIONS[relation].dash if relation in RELATIONS else ()
    return "solid" if not dash else "dotted" if dash[0] <= 2 else "dashed"


def _data(columns: list[Column], row: list[Scalar]) -> str:
    return "".join(
        f', "data_{column.name}"={quote(cell_text(value))}'
        for column, value in zip(columns, row, strict=True)
        if value is not None
    )
