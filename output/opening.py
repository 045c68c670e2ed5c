"""A saved graph is opened by its suffix, with as little as its questions need."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from podgraph.extractors import SourceError
from podgraph.graph import Adjacency

if TYPE_CHECKING:
    from podgraph.graph import View

_SQLITE = (".sqlite", ".sqlite3", ".db")
_GZIP = b"\x1f\x8b"


def view_of(path: str | os.PathLike[str]) -> View:
    """Open a saved graph by its suffix; ``SourceError`` when it cannot be read or is no graph of ours."""
    source = os.fspath(path)
    name = source.lower()
    if name.endswith(_SQLITE):
        from .formats.shared.sqlite_view import SqliteView  # noqa: PLC0415 - asked where it lies, whatever its size

        return SqliteView(source)
    if not name.endswith((".json", ".json.gz")):
        from .formats import read_graph  # noqa: PLC0415 - node-link JSON needs no networkx

        return Adjacency.of_graph(read_graph(source))
    try:
        with open(source, "rb") as stream:  # noqa: PTH123 - pathlib costs as much as the answer
            data = stream.read()
        return _view_of_json(_unpacked(data), source)
    except FileNotFoundError:
        raise SourceError("there is no such file", source=source, remedy="`podgraph build` makes one") from None
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", source=source) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SourceError(
            "is no graph that podgraph wrote", source=source, remedy="`podgraph build` makes one"
        ) from error


def _view_of_json(data: bytes, source: str) -> View:
    """Return a view of the lines that podgraph wrote; of what another program laid out, of the whole."""
    from .formats.shared.json_view import LineView  # noqa: PLC0415 - SQLite needs none of it

    try:
        return LineView(data, source)
    except ValueError:
        return Adjacency.of_node_link(json.loads(data))


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
