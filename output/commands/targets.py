"""The files that a command writes: their formats, the settings of the page, what must not be replaced."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.extractors import OutputError, PodgraphError, may_reach

from ..terminal import note

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from podgraph.graph import Graph, Store

    from ..formats import Format

    Target = tuple[Path, Format, dict[str, Any]]

_PAGE_SETTINGS = ("title", "description", "accent", "logo", "site_url")


def choose_targets(
    paths: Sequence[str | Path],
    sources: Iterable[str],
    settings: Mapping[str, Any],
    *,
    format_names: str = "",
    defaults: Sequence[Path] = (),
    force: bool = False,
    publish_private: bool = False,
) -> tuple[list[Target], list[OutputError]]:
    """Return each file to write with its format and options, and the errors of the unwritable files.

    ``sources`` are the files of the graph's sources. ``format_names`` has names of formats, with commas. Without
    ``paths`` the formats of the settings are written, else ``defaults``, in the working folder: a link in it may be a
    stranger's. Raises ``OutputError`` when no file can be written, and for invalid settings of the page.
    """
    from ..config import folder_origin  # noqa: PLC0415 - loaded for writing alone
    from ..formats import format_named, make_default_path, targets  # noqa: PLC0415 - as above

    named = [format_named(name.strip()) for name in format_names.split(",") if name.strip()]
    is_default = not paths
    if is_default:
        items = named or [format_named(name) for name in settings.get("formats", ())]
        paths = [
            Path(item.name if item.form == "folder" else make_default_path("podgraph", item)) for item in items
        ] or defaults
    elif len(named) > 1:
        paths = [Path(make_default_path(str(path), item)) for path in paths for item in named]
    checked, errors = _check_paths(paths, named[0] if len(named) == 1 else None, sources, force=force)
    options: dict[str, Any] = {name: value for name in _PAGE_SETTINGS if (value := settings.get(name))}
    if options and any("site_url" in item.options for _, item in checked):
        from ..page.host import PageOptions, read_host  # noqa: PLC0415 - few shows have any

        read_host(PageOptions(**options))  # type: ignore[typeddict-item]
    if publish_private:
        options["publish_private"] = True
    chosen: list[Target] = []
    for path, item in checked:
        for file in targets(path, item) if is_default else ():
            if not may_reach(folder_origin(), str(file)):
                raise OutputError("is a link out of this folder", source=str(file), remedy=f"name it: -o {path}")
        chosen.append((path, item, {name: value for name, value in options.items() if name in item.options}))
    return chosen, errors


def _check_paths(
    paths: Iterable[str | Path], item: Format | None, sources: Iterable[str], *, force: bool
) -> tuple[list[tuple[Path, Format]], list[OutputError]]:
    """Return the writable paths, each with its format, and the errors of the others. Raises the first without any."""
    from ..formats import check_target  # noqa: PLC0415 - as above

    checked: list[tuple[Path, Format]] = []
    errors: list[OutputError] = []
    in_use: set[str] = set()
    for path in paths:
        try:
            checked.append((Path(path), check_target(path, item, force=force, sources=sources, in_use=in_use)))
        except OutputError as error:
            errors.append(error)
    if not checked:
        raise errors[0]
    return checked, errors


def write_targets(
    graph: Graph | Store,
    targets: Iterable[Target],
    *,
    force: bool,
    errors: Iterable[OutputError] = (),
    quiet: bool = False,
) -> int:
    """Write the graph into each file, print a line for each, and return the status: 2 when one was not written.

    An unwritable file does not keep the others from being written; ``errors`` are those found before.
    """
    from podgraph.graph import MOST_PLACED  # noqa: PLC0415 - loaded for writing alone

    from ..files import is_standard_output  # noqa: PLC0415
    from ..formats import Rows, write_graph  # noqa: PLC0415

    status = 0
    for error in errors:
        note(str(error))
        status = error.status
    rows = Rows(graph)
    for path, item, options in targets:
        try:
            written = write_graph(rows, path, item, force=force, **options)
        except PodgraphError as error:
            if not isinstance(error.__cause__, BrokenPipeError):  # the reader of standard output has closed it
                note(str(error))
                status = error.status
            continue
        part = ""
        if item.name == "html" and (count := rows.store.value("SELECT count(*) FROM nodes")) > MOST_PLACED:
            remedy = "`podgraph export part.html --focus NODE --hops 2` makes a page of a part, GEXF has all"
            part = f": {MOST_PLACED} of {count} nodes; {remedy}"
        for target in written:
            note(f"wrote {target}{part}", quiet=quiet or is_standard_output(target))
    return status
