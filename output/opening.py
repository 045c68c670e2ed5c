"""Finding the saved graph that a question is for, and opening it (SQLite or JSON)."""

from __future__ import annotations

import json
import os
from pathlib import Path

from podgraph.extractors import GraphError, is_web, why_unreadable
from podgraph.graph import NewerError, View

from .config import NAME, load_config
from .terminal import note

_MAXIMUM_JSON = 512  # MB: parsed, it takes eight times as much memory
_BUILD_REMEDY = "`podgraph build` makes one"


def find_graph(path: str) -> str:
    """Return the path of the graph to ask: ``path``, the user's choice, unless it is "".

    Else it is ``$PODGRAPH_GRAPH``, the graph in the settings, ``podgraph.sqlite`` or ``podgraph.json`` in the working
    folder, or ``"sample"`` for the built-in snapshot. A note is printed about a graph from the folder's settings, and
    about the snapshot.
    """
    if path := path or os.environ.get("PODGRAPH_GRAPH", ""):
        return path
    config = load_config()
    if path := str(config.values.get("graph", "")):
        if config.files["graph"] == NAME:
            note(f"the graph is from {NAME} here")
        return path
    for name in ("podgraph.sqlite", "podgraph.json"):
        if Path(name).is_file():
            return name
    from podgraph.extractors import SNAPSHOT_DATE  # noqa: PLC0415 - a saved graph never needs it

    note(f"no podgraph.sqlite here: asking the built-in snapshot of {SNAPSHOT_DATE}")
    return "sample"


def open_store(path: str | os.PathLike[str]) -> View:
    """Return the database of the saved graph at ``path``; the suffix says whether it is SQLite or JSON.

    Raises ``GraphError`` for an unreadable file, for one of another program, and for a newer version of the format.
    """
    source = os.fspath(path)
    name = source.lower()
    if name.endswith((".xml", ".rss", ".atom", ".opml")) or is_web(source):
        remedy = f"build it first: `podgraph build {source} -o podgraph.json`"
        raise GraphError("is a feed, not a graph", source=source, remedy=remedy)
    if name.endswith((".html", ".htm")):
        remedy = "the graph is in podgraph.sqlite beside it: -g podgraph.sqlite"
        raise GraphError("is a page, not a saved graph", source=source, remedy=remedy)
    try:
        if name.endswith((".sqlite", ".sqlite3", ".db")):
            return View.open(source)
        return View.from_node_link(json.loads(_read_json(source)), source)
    except NewerError as error:
        raise GraphError(str(error), source=source, remedy="update podgraph, or build it anew") from error
    except (ValueError, RecursionError) as error:
        problem = f"is not a graph that podgraph wrote: {why_unreadable(error)}"
        raise GraphError(problem, source=source, remedy=_BUILD_REMEDY) from error


def _read_json(source: str) -> bytes:
    """Return the bytes of the JSON file ``source``. If it does not begin with ``{``, return only its first 64 bytes.

    A device without an end is therefore not read to its end. Raises ``GraphError`` for a file that is missing,
    unreadable or too large.
    """
    try:
        with Path(source).open("rb") as stream:
            if os.fstat(stream.fileno()).st_size > _MAXIMUM_JSON << 20:
                remedy = "`podgraph build -o FILE.sqlite` makes one of any size"
                raise GraphError(f"is larger than {_MAXIMUM_JSON} MB, the most of JSON", source=source, remedy=remedy)
            data = stream.read(64)
            # The first character behind blanks and a byte order mark.
            return data + (stream.read() if data.lstrip(b" \t\r\n\xef\xbb\xbf")[:1] in (b"", b"{") else b"")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        problem = f"cannot be read ({getattr(error, 'strerror', error)})"
        problem = "there is no such file" if isinstance(error, FileNotFoundError) else problem
        raise GraphError(problem, source=source, remedy=_BUILD_REMEDY) from error
