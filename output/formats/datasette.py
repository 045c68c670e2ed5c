"""Datasette metadata for a SQLite graph: titles, facets and example queries.

Use: ``datasette talks.sqlite --metadata talks.datasette.yaml``. The database has the name of its file. Rules:
https://docs.datasette.io/en/stable/metadata.html.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from ..files import write_text
from .shared.citations import graph_title

if TYPE_CHECKING:
    import os

    from .shared.plain import Graph

# The name of a file up to the first point.
_STEM = re.compile(r"[^.]+")
_TEXT = Path(__file__).with_suffix(".yaml")


def to_datasette(graph: Graph, *, database: str = "podgraph") -> str:
    """Return the metadata for a database of this name.

    >>> import networkx
    >>> print(to_datasette(networkx.MultiDiGraph(), database="talks").splitlines()[4])
      "talks":
    """
    return _TEXT.read_text("utf-8").format(title=json.dumps(graph_title(graph)), database=json.dumps(database))


def write_datasette(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the metadata of the database called like ``path``. Raises ``OutputError``."""
    stem = _STEM.match(Path(path).name)
    write_text(path, [to_datasette(graph, database=stem[0] if stem else "podgraph")])
