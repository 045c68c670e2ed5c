"""A saved graph is opened by its suffix, with as little as its questions need."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from podgraph.graph import Adjacency

from .bounded import check_foreign, graph_bytes, not_ours

if TYPE_CHECKING:
    from podgraph.graph import View

_GENERATOR = b'"generator": "podgraph '  # among the first bytes of our files
_HEAD = 4096  # bytes
_SQLITE = (".sqlite", ".sqlite3", ".db")


def view_of(path: str | os.PathLike[str]) -> View:
    """Open a saved graph by its suffix. Raises ``SourceError`` for an unreadable file, or one of another program."""
    source = os.fspath(path)
    name = source.lower()
    if name.endswith(_SQLITE):
        from .formats.shared.sqlite_view import SqliteView  # noqa: PLC0415 - only needed for SQLite

        return SqliteView(source)
    if not name.endswith((".json", ".json.gz")):
        from .formats import read_own_graph  # noqa: PLC0415 - node-link JSON needs no networkx

        return Adjacency.of_graph(read_own_graph(source))
    data = graph_bytes(source)
    if _GENERATOR not in data[:_HEAD]:
        check_foreign(data, source)
    try:
        return Adjacency.of_node_link(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise not_ours(source, error) from error
