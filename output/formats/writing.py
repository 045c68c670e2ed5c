"""Writing a graph into files: check everything first, then load the format's module and write."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from podgraph.extractors import OutputError

from ..files import atomic_files, check_place, is_standard_output, output_errors
from .registry import Format, format_named, format_of
from .rows import AnyGraph, Rows

AnyPath = str | os.PathLike[str]


def list_target_files(path: AnyPath, format_: Format) -> tuple[Path, ...]:
    """Return the files that a format writes for ``path``, or the folder.

    >>> [str(file) for file in list_target_files("g.csv", format_of("g.csv"))]
    ['g.nodes.csv', 'g.edges.csv']
    """
    target = Path(path)
    ending = next((suffix for suffix in format_.suffixes if target.name.lower().endswith(suffix)), "")
    stem = target.name[: len(target.name) - len(ending)]
    return tuple(target.with_name(stem + sibling) for sibling in format_.siblings) or (target,)


def write_graph(
    graph: AnyGraph | Rows,
    path: AnyPath,
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    *,
    force: bool = False,
    **options: object,
) -> tuple[Path, ...]:
    """Write a graph in a format to ``path``, and return the paths of the written files.

    ``format`` is a format or its name; without it, the suffix of ``path`` decides. ``options`` are those of the format.
    Only with ``force`` is a file of another program replaced. Raises ``OutputError`` on a failure; then no file has
    changed.
    """
    format_ = check_target(path, format, force=force)
    rows = graph if isinstance(graph, Rows) else Rows(graph)
    files = list_target_files(path, format_)
    module, _, function = format_.writer.partition(":")
    write = getattr(import_module(f".{module}", __package__), function)
    if format_.form == "folder":
        write(rows, path, **options)
    elif format_.form == "binary":
        with atomic_files(files) as streams:
            write(rows, *streams, **options)
    else:
        texts = write(rows, **options)
        with atomic_files(files) as streams:
            for stream, pieces in zip(streams, texts if format_.siblings else (texts,), strict=True):
                stream.writelines(piece.encode("utf-8", "replace") for piece in pieces)
    return files


def check_target(
    path: AnyPath,
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    *,
    force: bool = False,
    sources: Iterable[AnyPath] = (),
    in_use: set[str] | None = None,
) -> Format:
    """Check before any work whether a file can be written at ``path``, and return its format.

    ``format`` is a format or its name; without it, the suffix decides, and standard output gets JSON. The format's
    library must be installed, and the folder must exist and be writable. Only with ``force``, the file may replace one
    of another program, or one of ``sources``: the files that the graph is made of. ``in_use`` are the files of earlier
    checks; those of this one are added. Raises ``OutputError`` for a file that cannot be written.
    """
    name = format or ("json" if is_standard_output(path) else "")
    format_ = name if isinstance(name, Format) else format_named(name) if name else format_of(path)
    _check_format(path, format_)
    read_files = {os.path.realpath(file) for file in sources if file}
    in_use = set() if in_use is None else in_use
    for file in list_target_files(path, format_):
        real = Path(os.path.realpath(file))
        if real.exists() and not real.is_file() and not real.is_dir():
            continue  # a device such as /dev/stdout: it is never replaced
        if str(real) in in_use:
            raise OutputError("would be written twice", source=str(file), remedy="name it once")
        in_use.add(str(real))
        if not is_standard_output(file):
            with output_errors(str(file)):
                check_place(real, is_folder=format_.form == "folder")
                if not force and real.is_file():
                    _check_replaced(file, format_, is_source=str(real) in read_files)
    return format_


def _check_format(path: AnyPath, format_: Format) -> None:
    """Raise ``OutputError`` if the format's library is missing, or ``path`` does not fit the format.

    A file does not fit a format that is a folder, and standard output does not fit one of several files.
    """
    source = os.fspath(path)
    if format_.needs and find_spec(format_.needs) is None:
        extra = format_.name.rstrip("/")
        raise OutputError(f"needs {format_.needs}", source=source, remedy=f"pip install 'podgraph[{extra}]'")
    if is_standard_output(path) and (format_.form == "folder" or format_.siblings):
        raise OutputError("takes one file", source="standard output", remedy=f"{format_.name} is several: name a path")
    has_its_suffix = source.lower().rstrip("/").endswith(tuple(suffix.rstrip("/") for suffix in format_.suffixes))
    if format_.form == "folder" and Path(path).suffix and not has_its_suffix:
        raise OutputError(f"names a file, but {format_.name} writes a folder", source=source, remedy="name a folder")


def _check_replaced(file: Path, format_: Format, *, is_source: bool) -> None:
    """Raise ``OutputError`` if the existing ``file`` must not be replaced by one of the format.

    It must not if the graph is read from it (``is_source``), or if another program wrote it. An empty file, or one with
    the format's mark in its first or last 64 KiB, may be replaced.
    """
    maximum = 1 << 16  # bytes
    with file.open("rb") as stream:
        head = stream.read(maximum)
        stream.seek(-min(maximum, file.stat().st_size), os.SEEK_END)
        text = (head + stream.read()).decode("latin-1")  # Parquet names the writing program at the end of the file
    is_ours = not text or re.search(format_.mark, text, re.DOTALL)
    if is_source or not is_ours:
        problem = "is what is read" if is_source else "is there, and podgraph did not write it"
        remedy = "name another file, or replace it with --force (force=True)"
        raise OutputError(problem, source=str(file), remedy=remedy)
