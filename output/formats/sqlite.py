"""A SQLite database: the graph at rest, which ``graph.store`` opens and Datasette shows as it is."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from .rows import Rows


def write_sqlite(rows: Rows, stream: BinaryIO) -> None:
    """Write a graph as a database; SQLite fills a file of its own first."""
    with tempfile.TemporaryDirectory(prefix="podgraph-") as folder:
        path = Path(folder) / "graph.sqlite"
        with closing(sqlite3.connect(path)) as database:
            rows.store.copy_to(database)
        with path.open("rb") as written:
            copyfileobj(written, stream, 1 << 20)
