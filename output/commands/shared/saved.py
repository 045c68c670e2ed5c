"""The graph that a question is asked of: a saved file, or the built-in snapshot."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from podgraph.extractors import SourceError
from podgraph.graph import Adjacency

from ...terminal import note

if TYPE_CHECKING:
    import argparse

    from podgraph.graph import Graph, View

VARIABLE = "PODGRAPH_GRAPH"
DEFAULT = "podgraph.json"
_SQLITE = (".sqlite", ".sqlite3", ".db")
_GZIP = b"\x1f\x8b"


def add_graph_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``-g/--graph`` to a command that asks a saved graph."""
    parser.add_argument(
        "-g", "--graph", metavar="FILE",
        help=f"the graph to ask; else ${VARIABLE}, else {DEFAULT} here, else the built-in snapshot",
    )  # fmt: skip


def open_view(arguments: argparse.Namespace) -> View:
    """Open the graph to ask: ``--graph``, ``$PODGRAPH_GRAPH``, ``podgraph.json``, the snapshot."""
    named = arguments.graph or os.environ.get(VARIABLE)
    if named:
        return view_of(named)
    if os.path.isfile(DEFAULT):  # noqa: PTH113 - pathlib costs as much as the answer
        return view_of(DEFAULT)
    from podgraph.extractors import SNAPSHOT_DATE  # noqa: PLC0415 - a saved graph never needs it

    from ...pipeline import snapshot_graph  # noqa: PLC0415

    note(f"no {DEFAULT} here: asking the built-in snapshot of {SNAPSHOT_DATE}", quiet=arguments.quiet)
    return Adjacency.of_graph(snapshot_graph())


def open_graph(arguments: argparse.Namespace) -> Graph:
    """Return the graph that ``--graph`` and its fall-backs name, as networkx has it."""
    from ...formats import read_graph  # noqa: PLC0415 - loads networkx's readers

    named = arguments.graph or os.environ.get(VARIABLE) or (DEFAULT if os.path.isfile(DEFAULT) else "")  # noqa: PTH113
    if named:
        return read_graph(named)
    from ...pipeline import snapshot_graph  # noqa: PLC0415

    note(f"no {DEFAULT} here: taking the built-in snapshot", quiet=arguments.quiet)
    return snapshot_graph()


def view_of(path: str | os.PathLike[str]) -> View:
    """Open a saved graph by its suffix; ``SourceError`` when it cannot be read or is no graph of ours."""
    source = os.fspath(path)
    name = source.lower()
    if name.endswith(_SQLITE):
        from ...formats.shared.sqlite_view import SqliteView  # noqa: PLC0415 - asked where it lies, whatever its size

        return SqliteView(source)
    if not name.endswith((".json", ".json.gz")):
        from ...formats import read_graph  # noqa: PLC0415 - node-link JSON needs no networkx

        return Adjacency.of_graph(read_graph(source))
    try:
        with open(source, "rb") as stream:  # noqa: PTH123 - pathlib costs as much as the answer
            data = stream.read()
        return Adjacency.of_node_link(json.loads(_unpacked(data)))
    except FileNotFoundError:
        raise SourceError("there is no such file", source=source, remedy="`podgraph build` makes one") from None
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", source=source) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SourceError(
            "is no graph that podgraph wrote", source=source, remedy="`podgraph build` makes one"
        ) from error


def _unpacked(data: bytes) -> bytes:
    """Return what gzip packed, whatever the file is called; ``ValueError`` when it is damaged."""
    if not data.startswith(_GZIP):
        return data
    import gzip  # noqa: PLC0415 - few graphs are packed
    import zlib  # noqa: PLC0415

    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError("damaged") from error
