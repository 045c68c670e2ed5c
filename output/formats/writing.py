"""The one way to write a graph into files: check everything, then load the format."""

from __future__ import annotations

import os
import re
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import OutputError, PodgraphError

from ..files import atomic_files, is_standard_output, text_files
from .registry import FORMATS, Format, format_named, format_of
from .rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from podgraph.graph import Graph, Store

    AnyPath = str | os.PathLike[str]

_FORCE = "name another file, or replace it with --force (force=True)"


class Checked(NamedTuple):
    """A path to write, its format (``None`` for an unknown one), and the ``error`` against writing it."""

    path: AnyPath
    format: Format | None = None
    error: OutputError | None = None


def targets(path: AnyPath, item: Format) -> tuple[Path, ...]:
    """Return the files, or the folder, of the format ``item`` for ``path``.

    >>> [str(p) for p in targets("g.csv", format_of("g.csv"))]
    ['g.nodes.csv', 'g.edges.csv']
    """
    target = Path(path)
    if not item.siblings:
        return (target,)
    ending = max((end for end in item.endings if target.name.lower().endswith(end)), key=len, default="")
    stem = target.name[: len(target.name) - len(ending)]
    packed = ".gz" if ending.endswith(".gz") else ""
    return tuple(target.with_name(stem + sibling + packed) for sibling in item.siblings)


def write_graph(
    graph: Graph | Store | Rows,
    path: AnyPath,
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    *,
    force: bool = False,
    **options: object,
) -> tuple[Path, ...]:
    """Write ``graph`` to ``path`` and return the written files.

    ``format`` is a name or a ``Format``; without it the suffix decides. Only ``force`` replaces an existing file
    of another program. ``options`` go to the format. Raises ``OutputError``; then no file has changed.
    """
    (item,) = check_targets([path], format, force=force)
    rows = graph if isinstance(graph, Rows) else Rows(graph)
    files = targets(path, item)
    write = item.load_writer()
    try:
        if item.form == "folder":
            write(rows, path, **options)
        elif item.form == "binary":
            with atomic_files(files) as streams:
                write(rows, *streams, **options)
        else:
            texts = write(rows, **options)
            with text_files(files) as streams:
                for stream, pieces in zip(streams, texts if item.siblings else (texts,), strict=True):
                    stream.writelines(piece.encode("utf-8", "replace") for piece in pieces)
    except (Exception, SystemExit) as error:
        if item in FORMATS or isinstance(error, PodgraphError | OSError):
            raise
        problem = f"the format failed ({type(error).__name__}: {error})"
        source = f"{item.name} ({item.writer})"
        raise OutputError(problem, source=source, remedy="update or uninstall its package") from error
    return files


def check_targets(
    paths: Sequence[AnyPath],
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    known: Iterable[Format] = FORMATS,
    *,
    force: bool = False,
    read: Iterable[AnyPath] = (),
) -> tuple[Format, ...]:
    """Check the paths before any work, and return the format of each; see ``check_each``.

    Raises the ``OutputError`` of the first path with one.
    """
    checked = check_each(paths, format, known, force=force, read=read)
    for one in checked:
        if one.error:
            raise one.error
    return tuple(one.format for one in checked if one.format)


def check_each(
    paths: Sequence[AnyPath],
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    known: Iterable[Format] = FORMATS,
    *,
    force: bool = False,
    read: Iterable[AnyPath] = (),
) -> list[Checked]:
    """Check the paths before any work, and return each path with its format or its error.

    Every suffix must be known and its library installed; every folder must exist and be writable; no path may be
    a folder or occur twice. Only ``force`` replaces a file of another program, or one of the files in ``read``,
    the sources of the build. Standard output has no suffix and gets JSON.
    """
    known = tuple(known)
    seen: set[str] = set()
    sources = {os.path.realpath(path) for path in read if path}
    checked = []
    for path in paths:
        item = None
        try:
            name = format or ("json" if os.fspath(path) == "-" else "")
            item = name if isinstance(name, Format) else format_named(name, known) if name else format_of(path, known)
            _check_format(path, item)
            for number, file in enumerate(targets(path, item)):
                if problem := _find_problem(file, item, seen):
                    raise OutputError(problem[0], source=str(file), remedy=problem[1])
                if not force and item.form != "folder" and file.is_file():
                    if os.path.realpath(file) in sources:
                        raise OutputError("is what is read", source=str(file), remedy=_FORCE)
                    if item.marks and not _is_ours(file, item.marks[number]):
                        raise OutputError("is there, and podgraph did not write it", source=str(file), remedy=_FORCE)
        except OutputError as error:
            checked.append(Checked(path, item, error))
        else:
            checked.append(Checked(path, item))
    return checked


def _check_format(path: AnyPath, item: Format) -> None:
    """Raise ``OutputError`` when a format's library is missing, or when the path cannot be of that format."""
    source = os.fspath(path)
    if item.needs and find_spec(item.needs) is None:
        raise OutputError(f"needs {item.needs}", source=source, remedy=f"pip install 'podgraph[{item.extra}]'")
    if is_standard_output(path) and (item.form == "folder" or item.siblings):
        raise OutputError("takes one file", source="standard output", remedy=f"{item.name} is several: name a path")
    if item.form == "folder" and Path(path).suffix and not source.rstrip("/").lower().endswith(item.endings):
        raise OutputError(f"names a file, but {item.name} writes a folder", source=source, remedy="name a folder")


def _find_problem(file: Path, item: Format, seen: set[str]) -> tuple[str, str] | None:
    """Return why a file, or the folder of a format, cannot be written, and the remedy. Adds it to ``seen``."""
    real = Path(os.path.realpath(file))
    is_device = real.exists() and not real.is_file() and not real.is_dir()  # such as /dev/stdout: it is never replaced
    if is_device:
        return None
    if str(real) in seen:
        return "would be written twice", "name it once"
    seen.add(str(real))
    if is_standard_output(file):
        return None
    parent, is_folder = real.parent, item.form == "folder"
    is_shut = not (is_folder and real.exists()) and not os.access(parent, os.W_OK | os.X_OK)
    create = f"create the folder {parent} first"
    for is_wrong, problem, remedy in (
        (parent.exists() and not parent.is_dir(), "its folder is a file", create),
        (not parent.exists(), "its folder does not exist", create),
        (is_folder and real.is_file(), "is a file", "this format writes a folder: choose another name"),
        (not is_folder and real.is_dir(), "is a folder", "name a file in it"),
        (real.exists() and not os.access(real, os.W_OK), "may not be written", "choose another place"),
        (is_shut, "its folder may not be written", "choose another place"),
    ):
        if is_wrong:
            return problem, remedy
    return None


def _is_ours(file: Path, mark: str) -> bool:
    """Return whether a file is empty or has our ``mark`` at its beginning."""
    most = 1 << 16  # bytes
    try:
        with file.open("rb") as stream:
            head = stream.read(most)
            if head.startswith(b"PAR1"):  # Parquet names the writing program at the end of the file
                stream.seek(-min(most, file.stat().st_size), os.SEEK_END)
                head = stream.read()
        if file.name.lower().endswith(".gz"):
            head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, most)
    except (OSError, zlib.error):
        return False
    return not head or bool(re.search(mark, head.decode("latin-1"), re.DOTALL))
