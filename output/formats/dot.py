"""DOT, for Graphviz: nodes with label, link, shape and colour, edges with their relation as tooltip.

Rules: https://graphviz.org/doc/info/lang.html and …/docs/attr-types/escString.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from podgraph.graph import FAMILIES, RELATIONS, SHAPES

from .rows import Rows, format_cell
from .shared.texts import to_web_link

_HEAD = """\
digraph "podgraph" {
graph [charset="UTF-8", overlap="false", splines="true"];
node [fontname="sans-serif", fontsize="10", penwidth="2"];
edge [color="#8a8a8a", arrowsize="0.6"];
"""
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\r": "\\r", "\n": "\\n"})


def to_dot(rows: Rows) -> Iterator[str]:
    r"""Yield the parts of a DOT file with a directed graph.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label='"v"map')
    >>> print("".join(to_dot(Rows(graph))).splitlines()[4].partition(", color")[0])
    "topic:vmap" [label="\"v\"map", tooltip="topic:vmap", shape="diamond"
    """
    yield _HEAD
    for node, values in rows.flat_nodes():
        kind = rows.store.kinds[format_cell(values.get("kind", ""))]  # SHAPES has the names of GEXF and of Graphviz
        label, link = format_cell(values.get("label", node)), to_web_link(values.get("url"))
        url = f", URL={_quote_label(link)}" if link else ""
        yield f"{quote(node)} [label={_quote_label(label)}, tooltip={_quote_label(node)}"
        yield f', shape="{SHAPES[kind.shape][1]}", color="{FAMILIES[kind.family].light}"{url}];\n'
    for source, target, relation, _ in rows.flat_edges():
        dash = RELATIONS[relation].dash if relation in RELATIONS else ()
        style = "solid" if not dash else "dotted" if dash[0] <= 2 else "dashed"  # a dash of at most 2 pixels is a dot
        yield f'{quote(source)} -> {quote(target)} [tooltip={_quote_label(relation)}, style="{style}"];\n'
    yield "}\n"


def quote(text: str) -> str:
    r"""Return a text as a quoted DOT string. Different texts give different strings.

    The lexer of Graphviz takes at most 16 KiB for a string, so a long text becomes several strings with "+" between.

    >>> print(quote('a\\N "c"\nd'))
    "a\\N \"c\"\nd"
    """
    return " + ".join(f'"{piece.translate(_ESCAPES)}"' for piece in re.findall("(?s).{1,4000}", text) or [""])


def _quote_label(text: str) -> str:
    """Return a text as a quoted DOT string for an attribute in which Graphviz decodes entities such as ``&lt;``."""
    return quote(text.replace("&", "&amp;"))
