"""The page, the site and the database as formats: other rooms make them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from podgraph.extractors import GraphError
from podgraph.graph import View, select_valid

from ..page.page import to_html
from ..site.site import write_site

if TYPE_CHECKING:
    from podgraph.graph import Graph

    from .rows import Rows


def to_page(rows: Rows, **options: Any) -> list[str]:
    """Return the parts of the page's HTML. ``options`` are those of ``to_html``.

    Of a stranger's graph, nodes and edges with attributes of other types than the contract's are left out.
    """
    try:
        return [to_html(rows.store, **options)]
    except (AttributeError, KeyError, GraphError, TypeError, ValueError):
        return [to_html(_select_valid_part(rows), **options)]


def write_folder(rows: Rows, path: str, **options: Any) -> None:
    """Write, or update, the site in a folder."""
    try:
        write_site(rows.networkx(), path, **options)
    except (AttributeError, KeyError, GraphError, TypeError, ValueError):
        write_site(_select_valid_part(rows), path, **options)


def _select_valid_part(rows: Rows) -> Graph:
    return View.from_networkx(select_valid(rows.networkx())).to_networkx()


def write_sqlite(rows: Rows, stream: BinaryIO) -> None:
    """Write a graph as the database that ``graph.store`` opens, and Datasette shows as it is."""
    file = rows.store.file
    if file and not Path(f"{file}-wal").exists():  # it may be larger than the memory
        with Path(file).open("rb") as database:
            shutil.copyfileobj(database, stream, 1 << 20)
    else:
        stream.write(rows.store.to_bytes())
