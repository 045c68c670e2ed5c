"""A SQLite database: the graph at rest, which ``graph.store`` opens and Datasette shows as it is."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import OutputError
from podgraph.graph import Store, fill_from_networkx

from ..files import atomic_file, output_errors

if TYPE_CHECKING:
    from podgraph.graph import Graph


def to_sqlite(graph: Graph) -> bytes:
    """Return the bytes of a SQLite database of ``graph``.

    >>> import networkx
    >>> to_sqlite(networkx.MultiDiGraph())[:15]
    b'SQLite format 3'
    """
    with closing(sqlite3.connect(":memory:")) as database:
        fill_from_networkx(database, graph)
        return database.serialize()


def write_sqlite(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write ``graph`` as a database to the file ``path``, all or nothing. Raises ``OutputError``."""
    folder = Path(os.path.realpath(path)).parent
    with output_errors(str(folder)), atomic_file(path) as stream:
        # files.py removes folders with this name after a killed process.
        scratch = folder / f".podgraph-{os.getpid()}-{secrets.token_hex(4)}.tmp"
        try:
            scratch.mkdir(mode=0o700)
            with closing(sqlite3.connect(scratch / "graph.sqlite")) as database:
                fill_from_networkx(database, graph)
            with (scratch / "graph.sqlite").open("rb") as written:
                shutil.copyfileobj(written, stream, 1 << 20)
        except sqlite3.OperationalError as error:
            remedy = "free some space, or narrow the graph"
            raise OutputError(f"cannot be written: {error}", source=os.fspath(path), remedy=remedy) from error
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def read_sqlite(path: str | os.PathLike[str]) -> Graph:
    """Return the graph of a database written by podgraph. Raises ``SourceError``."""
    with Store.open(path) as store:
        return store.to_networkx()
