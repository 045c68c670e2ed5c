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

_HEAD = 1 << 16  # bytes at the beginning of a file, searched for its mark
_FORCE = "replace it with --force (force=True)"


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
    stem = target.name
    ending = max((end for end in item.endings if stem.lower().endswith(end)), key=len, default="")
    packed = ".gz" if ending.endswith(".gz") else ""
    return tuple(
        target.with_name(stem.removesuffix(stem[len(stem) - len(ending) :]) + sibling + packed)
        for sibling in item.siblings
    )


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
    item = _resolve(path, format, FORMATS)
    check_targets([path], item, force=force)
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
    except (PodgraphError, OSError):
        raise
    except (Exception, SystemExit) as error:
        if item in FORMATS:
            raise
        problem = f"the format failed ({type(error).__name__}: {error})"
        remedy = "update or uninstall its package"
        raise OutputError(problem, source=f"{item.name} ({item.writer})", remedy=remedy) from error
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
    the sources of the build.
    """
    known = tuple(known)
    sources = {os.path.normcase(os.path.realpath(path)) for path in read if path}
    seen: set[str] = set()
    checked = []
    for path in paths:
        item = None
        try:
            item = _resolve(path, format, known)
            _check_path(path, item, sources, seen, force=force)
            checked.append(Checked(path, item))
        except OutputError as error:
            checked.append(Checked(path, item, error))
    return checked


def _resolve(path: AnyPath, chosen: str | Format | None, known: Iterable[Format]) -> Format:
    """Return the format that is chosen, else that of the suffix; standard output has none, so it gets JSON."""
    if isinstance(chosen, Format):
        return chosen
    if os.fspath(path) == "-":
        chosen = chosen or "json"
    return format_named(chosen, known) if chosen else format_of(path, known)


def _check_path(path: AnyPath, item: Format, sources: set[str], seen: set[str], *, force: bool) -> None:
    """Raise ``OutputError`` when ``item`` cannot be written to a path; add its files to ``seen``."""
    if item.needs and find_spec(item.needs) is None:
        raise OutputError(f"needs {item.needs}", source=os.fspath(path), remedy=f"pip install 'podgraph[{item.extra}]'")
    if item.form == "folder" and Path(path).suffix and not str(path).lower().endswith(item.endings):
        raise OutputError(
            f"names a file, but {item.name} writes a folder", source=os.fspath(path), remedy="name a folder"
        )
    for number, file in enumerate(targets(path, item)):
        _check_target(file, item)
        real = os.path.normcase(os.path.realpath(file))
        is_stream = is_standard_output(file) or _is_device(file)
        is_protected = not (force or item.form == "folder" or is_stream)
        if is_protected and real in sources:
            raise OutputError("is what is read", source=str(file), remedy=f"name another file, or {_FORCE}")
        if real in seen and not _is_device(file):
            raise OutputError("would be written twice", source=str(file), remedy="name it once")
        if is_protected and item.marks and file.is_file() and not _is_ours(file, item.marks[number]):
            remedy = f"name another file, or {_FORCE}"
            raise OutputError("is there, and podgraph did not write it", source=str(file), remedy=remedy)
        seen.add(real)


def _check_target(file: Path, item: Format) -> None:
    """Raise ``OutputError`` when a file, or the folder of a format, cannot be written."""
    is_folder = item.form == "folder"
    if is_standard_output(file) or (item.siblings and file.name.startswith("-.")):
        if is_folder or item.siblings:
            raise OutputError("takes one file", source="standard output", remedy=f"{item.name} is several: name a path")
        return
    real = Path(os.path.realpath(file))
    if _is_device(real):
        return
    parent = real.parent
    create = f"create the folder {parent} first"
    is_shut = not (is_folder and real.exists()) and not os.access(parent, os.W_OK | os.X_OK)
    # Test, error, remedy; the first true test is reported.
    for is_wrong, problem, remedy in (
        (parent.exists() and not parent.is_dir(), "its folder is a file", create),
        (not parent.exists(), "its folder does not exist", create),
        (is_folder and real.is_file(), "is a file", "this format writes a folder: choose another name"),
        (not is_folder and real.is_dir(), "is a folder", "name a file in it"),
        (real.exists() and not os.access(real, os.W_OK), "may not be written", "choose another place"),
        (is_shut, "its folder may not be written", "choose another place"),
    ):
        if is_wrong:
            raise OutputError(problem, source=str(file), remedy=remedy)


def _is_ours(file: Path, mark: str) -> bool:
    """Return whether a file is empty or has our ``mark`` at its beginning."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
            if head.startswith(b"PAR1"):  # Parquet names the writing program at the end of the file
                stream.seek(-min(_HEAD, file.stat().st_size), os.SEEK_END)
                head = stream.read()
        if file.name.lower().endswith(".gz"):
            head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, _HEAD)
    except (OSError, zlib.error):
        return False
    return not head or bool(re.search(mark, head.decode("latin-1"), re.DOTALL))


def _is_device(path: Path) -> bool:
    """Return whether ``path`` is a device such as /dev/stdout: written to, never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()
