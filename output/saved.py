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


def open_graph(path: str, *, quiet: bool = False) -> Graph:
    """Open the graph at ``path``, else of ``$PODGRAPH_GRAPH``, the settings, the working folder; else the snapshot.

    A line on standard error says when the snapshot is asked because there is no graph. Raises ``SourceError``.
    """
    if path := path or os.environ.get("PODGRAPH_GRAPH", ""):
        return open_file(path)
    config = load_config()
    if chosen := config.values.get("graph"):
        if config.paths[-1] == NAME:
            note(f"the graph is from {NAME} here", quiet=quiet)
        return open_file(str(chosen))
    for name in _FILES:
        if Path(name).is_file():
            return open_file(name)
    from podgraph.extractors import SNAPSHOT_DATE  # noqa: PLC0415 - a saved graph never needs it

    note(f"no {_FILES[0]} here: asking the built-in snapshot of {SNAPSHOT_DATE}", quiet=quiet)
    return sample()
