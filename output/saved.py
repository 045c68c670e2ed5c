"""The graph of a question: a saved file, or the built-in snapshot."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from .config import NAME, load_config
from .library import open as open_file
from .library import sample
from .terminal import note

if TYPE_CHECKING:
    from .library import Graph

_FILES = ("podgraph.sqlite", "podgraph.json")  # in the working folder


def find_graph(path: str, *, quiet: bool = False) -> str:
    """Return the graph at ``path``, else of ``$PODGRAPH_GRAPH``, the settings, the working folder; else ``""``.

    Without ``quiet`` a line on standard error says when it is from the settings, and when there is none.
    """
    if path := path or os.environ.get("PODGRAPH_GRAPH", ""):
        return path
    config = load_config()
    if chosen := config.values.get("graph"):
        if config.paths[-1] == NAME:
            note(f"the graph is from {NAME} here", quiet=quiet)
        return str(chosen)
    for name in _FILES:
        if Path(name).is_file():
            return name
    from podgraph.extractors import SNAPSHOT_DATE  # noqa: PLC0415 - a saved graph never needs it

    note(f"no {_FILES[0]} here: asking the built-in snapshot of {SNAPSHOT_DATE}", quiet=quiet)
    return ""


def open_graph(path: str, *, quiet: bool = False) -> Graph:
    """Open the graph that ``find_graph`` finds, or the built-in snapshot. Raises ``SourceError``."""
    found = find_graph(path, quiet=quiet)
    return open_file(found) if found else sample()
