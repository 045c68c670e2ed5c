"""A saved graph is opened by its suffix, with as little as its questions need."""

from __future__ import annotations

import json
import os

from podgraph.extractors import SourceError
from podgraph.graph import View

from .bounded import check_foreign, graph_bytes, not_ours

_GENERATOR = b'"generator": "podgraph '  # among the first bytes of our files
_HEAD = 4096  # bytes
_SQLITE = (".sqlite", ".sqlite3", ".db")


def view_of(path: str | os.PathLike[str]) -> View:
    """Open a saved graph by its suffix. Raises ``SourceError`` for an unreadable file, or one of another program."""
    source = os.fspath(path)
    name = source.lower()
    if name.endswith(_SQLITE):
        return View.open(source)
    if not name.endswith((".json", ".json.gz")):
        raise SourceError("is not a saved graph", source=source, remedy="give a .sqlite or .json that podgraph wrote")
    data = graph_bytes(source)
    if _GENERATOR not in data[:_HEAD]:
        check_foreign(data, source)
    try:
        return View.from_node_link(json.loads(data), source)
    except (ValueError, RecursionError) as error:
        raise not_ours(source, error) from error
