"""The files that a command writes: choosing their formats, checking what must not be replaced, writing them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from podgraph.extractors import OutputError, PodgraphError, may_reach

from ..terminal import note, warn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from podgraph.graph import Graph, View

    from ..formats import Format


class Target(NamedTuple):
    """A file to write: its path, its format, and the options for the writer of the format."""

    path: Path
    format_: Format
    options: dict[str, Any]


def choose_targets(
    paths: Sequence[str | Path], sources: Iterable[str], settings: Mapping[str, Any], *,
    format_names: str = "", defaults: Sequence[Path] = (), force: bool = False,
) -> tuple[list[Target], list[OutputError]]:  # fmt: skip
    """Return the files to write, each with its format and options, and the errors of those that cannot be written.

    ``paths`` are the files that the user named. Without any, the formats in ``settings`` are written, else the files
    ``defaults``, all in the working folder; there, a link may be a stranger's. ``sources`` are the files that the graph
    is made of, which must not be replaced. ``format_names`` are names of formats, separated by commas; several give a
    file for each. ``settings`` also has the options of the page. ``force`` allows replacing files of other programs.
    Raises ``OutputError`` when no file can be written, and for invalid options of the page.
    """
    from ..config import folder_origin  # noqa: PLC0415 - loaded for writing alone
    from ..formats import check_target, format_named, list_target_files, make_default_path  # noqa: PLC0415 - as above

    formats = [format_named(name.strip()) for name in format_names.split(",") if name.strip()]
    is_default = not paths
    if is_default:
        formats = formats or [format_named(name) for name in settings.get("formats", ())]
        names = (
            format_.name if format_.form == "folder" else make_default_path("podgraph", format_) for format_ in formats
        )
        paths = [Path(name) for name in names] or defaults
    elif len(formats) > 1:
        paths = [Path(make_default_path(str(path), format_)) for path in paths for format_ in formats]
    only_format = formats[0] if len(formats) == 1 else None
    targets: list[Target] = []
    errors: list[OutputError] = []
    in_use: set[str] = set()
    for path in paths:
        try:
            format_ = check_target(path, only_format, force=force, sources=sources, in_use=in_use)
        except OutputError as error:
            errors.append(error)
            continue
        for file in list_target_files(path, format_) if is_default else ():
            if not may_reach(folder_origin(), str(file)):
                raise OutputError("is a link out of this folder", source=str(file), remedy=f"name it: -o {path}")
        options = {name: value for name in format_.options if (value := settings.get(name))}
        if options and "site_url" in format_.options:
            from ..page.host import PageOptions, read_host  # noqa: PLC0415 - few shows have any

            read_host(PageOptions(**options))  # type: ignore[typeddict-item]
        targets.append(Target(Path(path), format_, options))
    if not targets:
        raise errors[0]
    return targets, errors


def write_targets(
    graph: Graph | View, targets: Iterable[Target], *, force: bool, errors: Iterable[OutputError] = ()
) -> int:
    """Write the graph into each target, and print a line for each file.

    Return the exit status: 2 if one was not written.

    A target that cannot be written does not keep the others from being written. ``force`` allows replacing files of
    other programs. ``errors`` are those of files that were left out before; they are printed and give status 2.
    """
    from podgraph.graph import MOST_PLACED  # noqa: PLC0415 - loaded for writing alone

    from ..files import is_standard_output  # noqa: PLC0415
    from ..formats import Rows, write_graph  # noqa: PLC0415

    status = 0
    for error in errors:
        warn(str(error))
        status = error.status
    rows = Rows(graph)
    for path, format_, options in targets:
        try:
            files = write_graph(rows, path, format_, force=force, **options)
        except PodgraphError as error:
            if not isinstance(error.__cause__, BrokenPipeError):  # the reader of standard output has closed it
                warn(str(error))
                status = error.status
            continue
        part = ""
        if format_.name == "html" and (count := rows.store.value("SELECT count(*) FROM nodes")) > MOST_PLACED:
            remedy = "`podgraph export part.html --focus NODE --hops 2` makes a page of a part, GEXF has all"
            part = f": {MOST_PLACED} of {count} nodes; {remedy}"
        for file in files:
            if not is_standard_output(file):
                note(f"wrote {file}{part}")
    return status
