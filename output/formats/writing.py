"""The one way to write a graph into files, and to read one back: check everything, then load the format."""

from __future__ import annotations

import os
import re
import zlib
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import OutputError, PodgraphError, SourceError, is_web
from podgraph.graph import SCHEMA, NewerError, checked_about, checked_edge, checked_node, upgrade_edge

from ..bounded import build_it_first, not_ours
from ..files import check_folder, is_standard_output
from .registry import FORMATS, Format, format_named, format_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .shared.plain import Graph


_HEAD = 1 << 16  # bytes at the beginning of a file, searched for its mark
_FORCE = "replace it with --force (force=True)"


def targets(path: str | os.PathLike[str], item: Format) -> tuple[Path, ...]:
    """Return the files, or the folder, of the format ``item`` for ``path``.

    >>> [str(p) for p in targets("g.json", format_of("g.json"))]
    ['g.json']
    """
    target = Path(path)
    if not item.siblings or _wants_folder(path, item):
        return (target,)
    stem = target.name
    ending = next((end for end in sorted(item.endings, key=len, reverse=True) if stem.lower().endswith(end)), "")
    packed = ".gz" if ending.endswith(".gz") else ""
    stem = stem[: len(stem) - len(ending)]
    return tuple(target.with_name(stem + sibling + packed) for sibling in item.siblings)


def write_graph(
    graph: Graph,
    path: str | os.PathLike[str],
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    *,
    force: bool = False,
    **options: object,
) -> tuple[Path, ...]:
    """Write ``graph`` to ``path`` and return the written files.

    ``format`` is a name or a ``Format``; without it the suffix decides. Only ``force`` replaces an existing file
    of another program. ``options`` go to the format: ``title`` and more (html),
    ``dynamic`` (gexf), ``clusters`` (dot), ``evidence`` (cypher). Raises ``OutputError``; then no file
    has changed.
    """
    item = _resolve(path, format, FORMATS)
    check_targets([path], item, force=force)
    with _named(item):
        if _wants_folder(path, item):
            item.door(f"{item.write}_folder" if item.siblings else item.write)(graph, path, **options)
        elif item.siblings:
            item.door(item.write)(graph, *targets(path, item), **options)
        else:
            item.door(item.write)(graph, path, **options)
    return targets(path, item)


@contextmanager
def _named(item: Format) -> Iterator[None]:
    """Turn each exception of a plug-in's format into an ``OutputError`` with the format's name."""
    try:
        yield
    except (PodgraphError, OSError):
        raise
    except (Exception, SystemExit) as error:
        if item in FORMATS:
            raise
        remedy = "update or uninstall its package"
        told = f"the format failed ({type(error).__name__}: {error})"
        raise OutputError(told, source=f"{item.name} ({item.module})", remedy=remedy) from error


def check_targets(
    paths: Sequence[str | os.PathLike[str]],
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    known: Iterable[Format] = FORMATS,
    *,
    force: bool = False,
    read: Iterable[str | os.PathLike[str]] = (),
) -> tuple[Format, ...]:
    """Check the paths and options before any work, and return the format of each path.

    See ``check_each``. Raises the ``OutputError`` of the first path with one.
    """
    chosen = []
    for one in check_each(paths, format, known, force=force, read=read):
        if one.error or one.format is None:
            raise one.error or OutputError("is not a format", source=os.fspath(one.path))
        chosen.append(one.format)
    return tuple(chosen)


class Checked(NamedTuple):
    """A path to write, its format (``None`` for an unknown one), and the ``error`` against writing it."""

    path: str | os.PathLike[str]
    format: Format | None = None
    error: OutputError | None = None


def check_each(
    paths: Sequence[str | os.PathLike[str]],
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    known: Iterable[Format] = FORMATS,
    *,
    force: bool = False,
    read: Iterable[str | os.PathLike[str]] = (),
) -> list[Checked]:
    """Check the paths and options before any work, and return each path with its format or its error.

    Every suffix must be known and its library installed; every folder must exist and be writable; no path may be
    a folder or occur twice. Only ``force`` replaces a file of another program, or one of the files in ``read``,
    the sources of the build. A ``format`` of a folder is the format of the paths without a suffix of a file.
    """
    known = tuple(known)
    sources = {os.path.normcase(os.path.realpath(path)) for path in read if path}
    seen: dict[str, str] = {}
    checked = []
    for path in paths:
        item = None
        try:
            item = _resolve(path, format, known)
            by_suffix = _file_format(path, (*known, item)) if format and item.folder else None
            if by_suffix:
                if all(_file_format(other, known) for other in paths):
                    problem = f"names a file, but {item.name} writes a folder"
                    raise OutputError(problem, source=os.fspath(path), remedy="name a folder")
                item = by_suffix
            _check_path(path, item, sources, seen, force=force)
        except OutputError as error:
            checked.append(Checked(path, item, error))
        else:
            checked.append(Checked(path, item))
    return checked


def _check_path(
    path: str | os.PathLike[str], item: Format, sources: set[str], seen: dict[str, str], *, force: bool
) -> None:
    """Raise ``OutputError`` when ``item`` cannot be written to a path; note its files in ``seen``."""
    if item.needs and find_spec(item.needs) is None:
        raise OutputError(f"needs {item.needs}", source=os.fspath(path), remedy=f"pip install 'podgraph[{item.extra}]'")
    for target in targets(path, item):
        folder = _wants_folder(path, item)
        _check_target(target, item, folder=folder)
        real = os.path.normcase(os.path.realpath(target))
        kept = not (force or folder or is_standard_output(target) or _is_device(target))
        if kept and real in sources:
            raise OutputError("is what is read", source=str(target), remedy=f"name another file, or {_FORCE}")
        if real in seen and not _is_device(target):
            raise OutputError("would be written twice", source=str(target), remedy=f"name it once (see {seen[real]})")
        seen[real] = os.fspath(path)
    if not force:
        _check_owner(path, item)


def read_graph(path: str | os.PathLike[str]) -> Graph:
    """Read back a graph written by podgraph as JSON, GraphML, GEXF or SQLite.

    Raises ``SourceError`` when the file is missing, of another kind, damaged, or of a newer podgraph.
    """
    readable = [item for item in FORMATS if item.read]
    try:
        item = format_of(path, readable)
    except OutputError as error:
        names = ", ".join(suffix for item in readable for suffix in item.suffixes)
        source = os.fspath(path)
        if source.endswith((".xml", ".rss", ".atom", ".opml")) or is_web(source):
            raise SourceError("is a feed, not a graph", source=source, remedy=build_it_first(source)) from error
        raise SourceError("is not a graph that can be read back", source=source, remedy=f"use {names}") from error
    graph: Graph = item.door(item.read)(path)
    schema = graph.graph.get("schema")
    try:
        checked_about(
            {"schema": schema} if isinstance(schema, int) else {}
        )  # a foreign graph may have another thing there
    except NewerError as error:
        raise not_ours(os.fspath(path), error) from error
    if isinstance(schema, int) and schema < SCHEMA:
        graph.graph["schema"] = SCHEMA
        for _, _, edge in graph.edges(data=True):
            upgrade_edge(edge)
    return graph


def read_own_graph(path: str | os.PathLike[str]) -> Graph:
    """Read a graph as ``read_graph`` does, and look at its types as a question does; ``SourceError`` for others."""
    graph = read_graph(path)
    try:
        checked_about(graph.graph)
        for id_, node in graph.nodes(data=True):
            checked_node({**node, "id": id_})
        for source, target, relation, edge in graph.edges(keys=True, data=True):
            checked_edge({**edge, "source": source, "target": target, "key": relation})
    except ValueError as error:
        raise not_ours(os.fspath(path), error) from error
    return graph


def _resolve(path: str | os.PathLike[str], chosen: str | Format | None, known: Iterable[Format]) -> Format:
    """Return the format that is chosen, else that of the suffix; standard output has none, so it gets JSON."""
    if isinstance(chosen, Format):
        return chosen
    if os.fspath(path) == "-":
        chosen = chosen or "json"
    return format_named(chosen, known) if chosen else format_of(path, known)


def _file_format(path: str | os.PathLike[str], known: tuple[Format, ...]) -> Format | None:
    """Return the format of files for the suffix of a path, or ``None``."""
    try:
        item = format_of(path, known) if Path(path).suffix else None
    except OutputError:
        return None
    return None if item and item.folder else item


def _wants_folder(path: str | os.PathLike[str], item: Format) -> bool:
    """Return whether the format writes a folder: always, or because the path of a many-file format is one."""
    if item.folder:
        return True
    text = os.fspath(path)
    return bool(item.siblings and item.members) and (
        text.endswith(("/", os.sep)) or Path(text).is_dir() or not Path(text).suffix
    )


def _check_owner(path: str | os.PathLike[str], item: Format) -> None:
    """Raise ``OutputError`` when a file without our mark would be replaced."""
    files = targets(path, item)
    if _wants_folder(path, item):
        files = tuple(Path(path) / member for member in item.members)
    for file, mark in zip(files, item.marks, strict=False):
        if file.is_file() and not is_standard_output(file) and not _is_ours(file, mark):
            problem = "is there, and podgraph did not write it"
            raise OutputError(problem, source=str(file), remedy=f"name another file, or {_FORCE}")


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


def _check_target(target: Path, item: Format, *, folder: bool) -> None:
    """Raise ``OutputError`` if the format cannot be written to ``target``.

    ``folder`` means that ``target`` becomes a folder.
    """
    if is_standard_output(target):
        if folder or item.siblings:
            raise OutputError("takes one file", source="standard output", remedy=f"{item.name} is several: name a path")
        return
    real = Path(os.path.realpath(target))
    parent = real.parent
    source = str(target)
    if _is_device(real):
        return
    if folder and parent.is_dir() and not item.in_place:
        check_folder(real, item.members)
    replaced = not real.exists() or real.is_file() or not item.in_place
    shut = replaced and not os.access(parent, os.W_OK | os.X_OK)
    # Test, error, remedy; the first true test is reported.
    for wrong, problem, remedy in (
        (parent.exists() and not parent.is_dir(), "its folder is a file", f"create the folder {parent} first"),
        (not parent.exists(), "its folder does not exist", f"create the folder {parent} first"),
        (folder and item.in_place and real.exists() and not real.is_dir(), "is a file",
         "this format writes a folder: choose another name"),
        (not folder and real.is_dir(), "is a folder", "name a file in it"),
        (real.exists() and not os.access(real, os.W_OK), "may not be written", "choose another place"),
        (shut, "its folder may not be written", "choose another place"),
    ):  # fmt: skip
        if wrong:
            raise OutputError(problem, source=source, remedy=remedy)


def _is_device(path: Path) -> bool:
    """Return whether ``path`` is a device such as /dev/stdout: written to, never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()
