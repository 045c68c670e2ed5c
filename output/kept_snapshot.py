"""The graph of the built-in snapshot, for questions: built once, then kept in the user's folder for caches.

It is kept with what it was made from: the version, the package's files, and which packages are installed. Where any of
that is another, it is built anew, and so it is where what was kept is damaged. It is whole, map and all: the answers
are to the letter those of the graph that was built. Like the cache of feeds, a folder that cannot be used means that
nothing is kept, never a failure.
"""

from __future__ import annotations

import os
import sys
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

import podgraph
from podgraph.extractors import PodgraphError, cache_folder, plugins_installed, plugins_wanted

from .library import Graph, sample

if TYPE_CHECKING:
    from collections.abc import Iterator

_START = "snapshot-"
_SUFFIX = ".graph"
_MOST = 3  # of as many versions and environments
_LARGEST = 1 << 26  # bytes
_METADATA = (".dist-info", ".egg-info")  # folders that name what is installed


def open_snapshot() -> Graph:
    """Return what ``sample()`` does, as its questions see it: what was kept of it, where that is good.

    Of what packages bring to the graph nothing is known here, so that with any installed nothing is kept.
    """
    folder = cache_folder()
    made_from = _made_from()
    path = os.path.join(folder, f"{_START}{zlib.crc32(made_from):08x}{_SUFFIX}")  # noqa: PTH118 - see below
    if folder and (data := _kept(path, made_from)):
        from .formats.shared.json_view import LineView  # noqa: PLC0415

        with suppress(ValueError):
            return Graph(LineView(data, "sample"), lambda: sample().networkx, "sample")
    graph = sample()
    if folder and not (plugins_wanted() and plugins_installed()):
        _keep(path, made_from, graph)
    return graph


def _made_from() -> bytes:
    """Return what a graph of the snapshot depends on, as lines; the last one is empty."""
    lines = [f"podgraph {podgraph.__version__} of Python {sys.version}, packages wanted: {plugins_wanted()}"]
    home = os.path.dirname(podgraph.__file__)  # noqa: PTH120 - pathlib costs as much as an answer
    record = os.path.join(os.path.dirname(home), f"podgraph-{podgraph.__version__}.dist-info", "RECORD")  # noqa: PTH118, PTH120
    try:
        lines.append(_told(record, os.stat(record)))  # noqa: PTH116 - an installer wrote the files beside it, nobody else
    except OSError:
        lines += sorted(_files(home))
    for folder in sys.path:
        with suppress(OSError), os.scandir(folder or ".") as entries:
            lines += sorted(entry.path for entry in entries if entry.name.endswith(_METADATA))
    return "\n".join((*lines, "", "")).encode("utf-8", "surrogateescape")


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                yield _told(entry.path, entry.stat())
            elif entry.name != "__pycache__":
                yield from _files(entry.path)


def _told(path: str, about: os.stat_result) -> str:
    return f"{about.st_size} {about.st_mtime_ns} {path}"


def _kept(path: str, made_from: bytes) -> bytes:
    """Return the JSON that was kept of just that; b"" for none, and for what is damaged."""
    with suppress(OSError, MemoryError):
        if os.path.isfile(path):  # noqa: PTH113 - a pipe in its place would be waited for
            with open(path, "rb") as stream:  # noqa: PTH123
                data = stream.read(_LARGEST)
            head, rest = data[: len(made_from)], data[len(made_from) :]
            if head == made_from and rest[:9] == _sum(rest[9:]):
                return rest[9:]
    return b""


def _sum(data: bytes) -> bytes:
    return b"%08x\n" % zlib.crc32(data)


def _keep(path: str, made_from: bytes, graph: Graph) -> None:
    from pathlib import Path  # noqa: PLC0415 - once

    from .files import write_atomically  # noqa: PLC0415
    from .formats.node_link import to_json  # noqa: PLC0415

    target = Path(path)
    data = to_json(graph.networkx).encode()
    with suppress(OSError, PodgraphError):
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(target, made_from + _sum(data) + data)
        kept = sorted(target.parent.glob(f"{_START}*{_SUFFIX}"), key=lambda one: one.stat().st_mtime)
        for old in kept[:-_MOST]:
            old.unlink(missing_ok=True)
