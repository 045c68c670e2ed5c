"""A SQLite database: the graph at rest, which ``graph.store`` opens and Datasette shows as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from .rows import Rows


def write_sqlite(rows: Rows, stream: BinaryIO) -> None:
    """Write a graph as a database."""
    stream.write(rows.store.to_bytes())
