"""A saved graph is opened by its suffix."""

from __future__ import annotations

import json
import os

from podgraph.extractors import SourceError, is_web
from podgraph.graph import View

from .bounded import build_it_first, check_foreign, graph_bytes, not_ours


def open_store(path: str | os.PathLike[str]) -> View:
    """Open a saved graph. Raises ``SourceError`` for an unreadable file, or one of another program."""
    source = os.fspath(path)
    name = source.lower()
    if name.endswith((".sqlite", ".sqlite3", ".db")):
        try:
            return View.open(source)
        except ValueError as error:
            raise not_ours(source, error) from error
    if name.endswith((".xml", ".rss", ".atom", ".opml")) or is_web(source):
        raise SourceError("is a feed, not a graph", source=source, remedy=build_it_first(source))
    if name.endswith((".html", ".htm")):
        remedy = "the graph is in podgraph.sqlite beside it: -g podgraph.sqlite"
        raise SourceError("is a page, not a saved graph", source=source, remedy=remedy)
    data = graph_bytes(source)
    if b'"generator": "podgraph ' not in data[:4096]:
        check_foreign(data, source)
    try:
        return View.from_node_link(json.loads(data), source)
    except (ValueError, RecursionError) as error:
        raise not_ours(source, error) from error
