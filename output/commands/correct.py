"""``podgraph correct KEY NAME …``: adds a correction to ``podgraph.toml``, after a check against the saved graph."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.extractors import OutputError, QueryError, may_reach, nearest, parse_toml
from podgraph.graph import Corrections, View, compare_graphs, correct_graph, find_node

from ..cells import to_cells
from ..config import NAME, folder_origin, load_config
from ..files import write_text
from ..json_text import toml_text
from ..library import open as open_graph
from ..opening import find_graph
from ..parser import add_graph_option
from ..terminal import note, print_table
from .corrections import GROUPS, TABLES, read_corrections

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from podgraph.graph import Graph

EXAMPLES = """examples:
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
applies it."""
# The kinds of nodes that a key takes; others take any.
_KINDS = {
    "drop": ("topic",), "merge": ("topic",), "no_person": ("person",), "same": ("person",), "before": ("episode",),
    "relate": ("episode", "blog"), "unrelate": ("episode", "blog"),
}  # fmt: skip
_HEADER = "[corrections]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = EXAMPLES
    parser.add_argument("key", metavar="KEY", choices=Corrections._fields, help="the kind of correction")
    parser.add_argument("names", metavar="NAME", nargs="+", help="one name, or two where the key has pairs")
    parser.add_argument("--dry-run", action="store_true", help="print the changes, and write nothing")
    add_graph_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the correction, print its changes to the graph and write it. Raise ``PodgraphError`` if it has none."""
    key, names = arguments.key, list(dict.fromkeys(arguments.names))
    pairs = key in (*GROUPS, *TABLES)
    if pairs and (len(names) < 2 or (key != "same" and len(names) > 2)):
        raise QueryError(f"takes two different names, not {len(names)}", source=key, remedy="see correct --help")
    value: Any = {names[0]: names[1]} if key in TABLES else [names] if key in GROUPS else names
    written = load_config().corrections
    known = [found for path, table in written if path == NAME for one, found in table.items() if one == key]
    if any(_has(one, value) for one in known):
        note(f"{NAME} has this correction already", quiet=arguments.quiet)
        return 0
    graph = open_graph(find_graph(arguments.graph, quiet=arguments.quiet) or "sample").networkx()
    correct_graph(graph, read_corrections(written))  # those since the last build
    _show_changes(graph, key, value, names, quiet=arguments.quiet)
    path = Path(NAME)
    if not may_reach(folder_origin(), NAME):
        raise OutputError("is a link out of this folder", source=NAME, remedy="remove the link")
    text = add_correction(path.read_text("utf-8-sig") if path.is_file() else "", key, value)
    if not arguments.dry_run:
        write_text(path, [text])
        command = "podgraph build" if "sources" in load_config().values else "podgraph build FEED"
        note(f"wrote {NAME}; `{command}` here applies it", quiet=arguments.quiet)
    return 0


def _has(known: object, value: object) -> bool:
    """Return whether the corrections written under a key contain a new one."""
    if isinstance(known, dict) and isinstance(value, dict):
        return value.items() <= known.items()
    return isinstance(known, list) and isinstance(value, list) and all(one in known for one in value)


def _show_changes(graph: Graph, key: str, value: object, names: list[str], *, quiet: bool) -> None:
    """Print the effect of a correction. Raise ``QueryError`` without any."""
    before = graph.copy()
    checked = names[:1] if key == "rename" else names  # the second name of a renaming is new
    if key == "rename" and find_node(graph, names[0], "topic") and (other := find_node(graph, names[1], "topic")):
        label = graph.nodes[other]["label"]
        remedy = f"podgraph correct merge {names[0]!r} {label!r}"
        raise QueryError(f"a topic is called {label!r} already", source=key, remedy=remedy)
    if key.endswith("boilerplate"):  # these may be addresses without a node
        checked = []
    for name in checked:
        _check_name(graph, name, _KINDS.get(key, ()))
    lines = correct_graph(graph, read_corrections([(NAME, {key: value})]))
    difference = compare_graphs(View.from_networkx(before), View.from_networkx(graph))
    edges = dict(graph.edges.items())
    marked = sum(edge in edges and edges[edge] != data for edge, data in before.edges.items())
    if not (difference.rows or marked):
        raise QueryError("changes nothing in this graph", source=key, remedy="check the names; see correct --help")
    nodes = replace(difference, rows=tuple(row for row in difference.rows if not row.source))
    columns, rows = to_cells(nodes, is_terminal=sys.stdout.isatty())
    print_table(columns, rows, wide=range(2, len(columns)))
    for line in lines:
        note(line, quiet=quiet)
    changes = Counter(row.change for row in difference.rows if row.source)
    note(f"edges: {changes['added']} added, {changes['removed']} removed, {marked} changed", quiet=quiet)


def _check_name(graph: Graph, name: str, kinds: Sequence[str]) -> None:
    """Raise ``QueryError`` unless a name belongs to exactly one node of the kinds."""
    if find_node(graph, name, *kinds) or (not kinds and find_node(graph, name, "topic")):
        return
    nodes = (data for _, data in graph.nodes(data=True) if not kinds or data["kind"] in kinds)
    remedy = nearest(name, (str(node.get("title") or node["label"]) for node in nodes))
    problem = f"no single {' or '.join(kinds) or 'node'} is called {name!r}"
    raise QueryError(problem, remedy=remedy or f"podgraph search {name!r} finds names")


def add_correction(text: str, key: str, value: dict[str, str] | list[Any]) -> str:
    r"""Return the text of a settings file with one more correction; all else, comments too, stays as it is.

    Each place where the new entry can stand is tried, and the first counts whose text reads as the wanted table.

    >>> print(add_correction('title = "Kiln"  # ours', "drop", ["oven"]))
    title = "Kiln"  # ours
    <BLANKLINE>
    [corrections]
    drop = ["oven"]
    <BLANKLINE>
    >>> add_correction('[corrections]\ndrop = ["oven", # hot\n]', "drop", ["clay"])
    '[corrections]\ndrop = ["oven", # hot\n"clay"]'
    """
    wanted = parse_toml(text)
    table = wanted.setdefault("corrections", {})
    table[key] = {**table.get(key, {}), **value} if isinstance(value, dict) else [*table.get(key, []), *value]
    for candidate in _changed_texts(text, key, value):
        try:
            if parse_toml(candidate) == wanted:
                return candidate
        except ValueError:
            continue
    remedy = f"write it into the file: {key} = {_toml(table[key])}"
    raise OutputError(f"has a form of {key} that podgraph does not change", source=NAME, remedy=remedy)


def _changed_texts(text: str, key: str, value: object) -> Iterator[str]:
    """Yield the settings file with the new entry at each possible position, most of them invalid.

    The positions are: before each closing bracket behind the key, under the heading of the table, at the end.
    """
    entry = _toml(value)
    for found in re.finditer(rf"^[ \t]*(?:corrections\.)?{key}[ \t]*=[ \t]*[\[{{]", text, re.MULTILINE):
        for end in re.finditer(r"[\]}]", text[found.end() :]):
            head, tail = text[: found.end() + end.start()], text[found.end() + end.start() :]
            for comma in ("", ", "):
                space = " " * (tail[0] == "}")
                yield f"{head.rstrip()}{comma}{entry[1:-1].strip()}{space}{tail}"
                yield f"{head}{comma}{entry[1:-1].strip()}{tail}"
    for header, line in ((f"[corrections.{key}]", entry[1:-1].strip()), (_HEADER, f"{key} = {entry}")):
        for found in re.finditer(rf"^[ \t]*{re.escape(header)}[^\n]*(?:\n|\Z)", text, re.MULTILINE):
            yield f"{text[: found.end()].rstrip()}\n{line}\n{text[found.end() :]}"
    yield f"{text.rstrip()}\n\n{_HEADER}\n{key} = {entry}\n".lstrip()


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{toml_text(one)} = {toml_text(other)}' for one, other in value.items())} }}"
    return f"[{', '.join(map(_toml, value))}]" if isinstance(value, list) else toml_text(str(value))
