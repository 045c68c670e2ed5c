"""The page, the site and the database as formats.

Other modules make them. A graph that another program wrote may have values of wrong types, and needs repairs first.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from podgraph.extractors import GraphError
from podgraph.graph import View, select_valid

from ..page.page import to_html

if TYPE_CHECKING:
    from podgraph.graph import Graph

    from .rows import Rows


def to_page(rows: Rows, **options: Any) -> list[str]:
    """Return the page's HTML, as a list with one text. ``options`` are those of ``to_html``.

    Nodes and edges with attributes of wrong types are left out; a graph of another program may have some.
    """
    try:
        return [to_html(rows.store, **options)]
    except (AttributeError, KeyError, GraphError, TypeError, ValueError):
        return [to_html(_select_valid_part(rows), **options)]


def write_folder(rows: Rows, path: str, **options: Any) -> None:
    """Write, or update, the site in the folder ``path``. ``options`` are those of ``to_site``.

    Nodes and edges with attributes of wrong types are left out; a graph of another program may have some.
    """
    from ..site.site import write_site  # noqa: PLC0415 - a build of page and database does without

    try:
        write_site(rows.networkx(), path, **options)
    except (AttributeError, KeyError, GraphError, TypeError, ValueError):
        write_site(_select_valid_part(rows), path, **options)


def _select_valid_part(rows: Rows) -> Graph:
    """Return the graph of ``rows`` without the nodes and edges that have attributes of wrong types."""
    return View.from_networkx(select_valid(rows.networkx())).to_networkx()


def write_sqlite(rows: Rows, stream: BinaryIO) -> None:
    """Write a graph as a SQLite database, the format that podgraph opens fastest and Datasette shows as it is."""
    file = rows.store.file
    if file and not Path(f"{file}-wal").exists():  # copied in parts, as it may be larger than the memory
        with Path(file).open("rb") as database:
            shutil.copyfileobj(database, stream, 1 << 20)
    else:
        stream.write(rows.store.to_bytes())
