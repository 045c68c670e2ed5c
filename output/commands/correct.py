"""Add a correction to podgraph.toml, and show its changes.

examples:
  podgraph correct drop "Sourdough"                  a topic that is not a topic
  podgraph correct rename "sourdough" "Sourdough bread"   a topic, a person or a link
  podgraph correct merge "levain" "Sourdough bread"  a topic that belongs to another
  podgraph correct no_person "Oak Table"             a name that is not a person
  podgraph correct same "Ann Lee" "Ann B. Lee"       one person; the first name stays
  podgraph correct boilerplate oak.example           links that the show repeats: a host, or how addresses begin
  podgraph correct not_boilerplate oak.example       links that belong on the page
  podgraph correct unrelate "Episode 1" "Episode 7"  two episodes that are not related; relate: that are
  podgraph correct before "Episode 1" "Episode 7"    the first one comes before the second in a listening order

Names are ids, addresses or whole labels. The line goes into podgraph.toml here, where comments stay; `podgraph build`
applies it.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomlkit

from podgraph.extractors import OutputError, QueryError, may_reach, nearest
from podgraph.graph import Corrections, View, compare_graphs, correct_graph, find_node

from ..config import NAME, folder_origin, load_config
from ..files import write_atomically
from ..library import open as open_graph
from ..opening import find_graph
from ..parser import add_graph_option
from ..render import to_cells
from ..terminal import note, print_table
from .corrections import GROUPS, TABLES, read_corrections

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from podgraph.graph import Graph

# A key of [corrections] -> the kinds of nodes that it takes; other keys take any kind.
_KINDS_OF_KEY = {
    "drop": ("topic",), "merge": ("topic",), "no_person": ("person",), "same": ("person",), "before": ("episode",),
    "relate": ("episode", "blog"), "unrelate": ("episode", "blog"),
}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``podgraph correct`` to its parser."""
    parser.add_argument("key", metavar="KEY", choices=Corrections._fields, help="the kind of correction")
    parser.add_argument("names", metavar="NAME", nargs="+", help="one name, or two where the key has pairs")
    parser.add_argument("--dry-run", action="store_true", help="print the changes, and write nothing")
    add_graph_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print how a correction changes the graph, and add it to ``podgraph.toml``. Return the exit status, 0.

    Raises ``PodgraphError`` for an unknown name, and for a correction that changes nothing.
    """
    key, names = arguments.key, list(dict.fromkeys(arguments.names))
    if key in (*GROUPS, *TABLES) and (len(names) < 2 or (key != "same" and len(names) > 2)):
        raise QueryError(f"takes two different names, not {len(names)}", source=key, remedy="see correct --help")
    value: Any = {names[0]: names[1]} if key in TABLES else [names] if key in GROUPS else names
    correction, config = read_corrections([(NAME, {key: value})]), load_config()
    earlier = read_corrections((path, table) for path, table in config.corrections if path == NAME)  # in this file
    if set(getattr(correction, key)) <= set(getattr(earlier, key)):
        note(f"{NAME} has this correction already")
        return 0
    graph = open_graph(find_graph(arguments.graph)).networkx()
    correct_graph(graph, read_corrections(config.corrections))  # those added since the last build
    _check_names(graph, key, names)
    _apply_and_print(graph, key, correction)
    if not may_reach(folder_origin(), NAME):
        raise OutputError("is a link out of this folder", source=NAME, remedy="remove the link")
    if not arguments.dry_run:
        path = Path(NAME)
        text = path.read_text("utf-8-sig") if path.is_file() else ""
        write_atomically(path, add_correction(text, key, value).encode())
        command = "podgraph build" if "sources" in config.values else "podgraph build FEED"
        note(f"wrote {NAME}; `{command}` here applies it")
    return 0


def _check_names(graph: Graph, key: str, names: Sequence[str]) -> None:
    """Raise ``QueryError`` unless each of ``names`` is that of exactly one node, of a kind that the correction takes.

    ``key`` is the kind of correction, such as ``drop``.
    """
    if key == "rename" and find_node(graph, names[0], "topic") and (other := find_node(graph, names[1], "topic")):
        label = graph.nodes[other]["label"]
        remedy = f"podgraph correct merge {names[0]!r} {label!r}"
        raise QueryError(f"a topic is called {label!r} already", source=key, remedy=remedy)
    if key.endswith("boilerplate"):  # these may be addresses without a node
        return
    kinds = _KINDS_OF_KEY.get(key, ())
    for name in names[:1] if key == "rename" else names:  # the second name of a renaming is new
        if not (find_node(graph, name, *kinds) or (not kinds and find_node(graph, name, "topic"))):
            nodes = (data for _, data in graph.nodes(data=True) if not kinds or data["kind"] in kinds)
            remedy = nearest(name, (str(node.get("title") or node["label"]) for node in nodes))
            problem = f"no single {' or '.join(kinds) or 'node'} is called {name!r}"
            raise QueryError(problem, remedy=remedy or f"podgraph search {name!r} finds names")


def _apply_and_print(graph: Graph, key: str, correction: Corrections) -> None:
    """Apply a correction to the graph, in place, and print the changes. Raises ``QueryError`` if there are none.

    ``key`` is the kind of correction, for the message.
    """
    before = graph.copy()
    lines = correct_graph(graph, correction)
    difference = compare_graphs(View.from_networkx(before), View.from_networkx(graph))
    edges = dict(graph.edges.items())
    change_count = sum(edge in edges and edges[edge] != data for edge, data in before.edges.items())
    if not (difference.rows or change_count):
        raise QueryError("changes nothing in this graph", source=key, remedy="check the names; see correct --help")
    nodes = replace(difference, rows=tuple(row for row in difference.rows if not row.source))
    columns, rows = to_cells(nodes, is_terminal=sys.stdout.isatty())
    print_table(columns, rows, wide=columns[2:])  # all columns wrap but the first two, which are short words
    for line in lines:
        note(line)
    changes = Counter(row.change for row in difference.rows if row.source)
    note(f"edges: {changes['added']} added, {changes['removed']} removed, {change_count} changed")


def add_correction(text: str, key: str, value: dict[str, str] | list[Any]) -> str:
    """Return the text of a settings file with one more correction; all else, comments too, stays as it is.

    ``key`` is the kind of correction (``drop``); ``value`` are its names, in the form that the key takes.

    >>> print(add_correction('title = "Kiln"  # ours', "drop", ["oven"]))
    title = "Kiln"  # ours
    [corrections]
    drop = ["oven"]
    <BLANKLINE>
    """
    document: Any = tomlkit.parse(text)
    table = document.setdefault("corrections", tomlkit.table())
    if isinstance(value, dict):
        table.setdefault(key, tomlkit.inline_table()).update(value)
    else:
        table.setdefault(key, tomlkit.array()).extend(value)
    return tomlkit.dumps(document)
