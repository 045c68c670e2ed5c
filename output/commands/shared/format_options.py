"""Options of single formats, the same for every command with files to write."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import OutputError, PodgraphError, may_reach

from ...terminal import note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from podgraph.graph import Graph

    from ...formats import Format

    Target = tuple[Path, Format, dict[str, bool | str]]

# An option, its help, and its values: several words, a text (with its placeholder), or nothing for a switch.
_OPTIONS: dict[str, tuple[str, tuple[str, ...] | str]] = {
    "dynamic": ("GEXF: nodes and edges begin at their dates, for a timeline", ()),
    "everything": ("SVG: the whole map rather than its atlas (so it is with --focus)", ()),
    "all": ("Obsidian: a note for everything, not only for episodes, topics and what two name", ()),
    "clusters": ("DOT: a box for each area of topics", ()),
    "publish_private": ("site: publish titles and notes of a private feed, too", ()),
    "base_url": ("JSON-LD, Turtle: what the IRIs of nodes begin with (default: urn:podgraph:)", "URL"),
    "evidence": (
        "Cypher: what a text says as lists of quotes and links (the default), as nodes, or as JSON alone",
        ("lists", "nodes", "json"),
    ),
}
# Options of earlier versions, and their replacements.
_REMOVED = {
    "yed": "write .graphml, and map the columns to labels in yEd (Edit, Properties Mapper)",
    "dialect": "write .cypher for Neo4j, or .csv, which Memgraph and FalkorDB load",
}

# What the page takes of its host; none fits it not, as each can stand in a file of defaults.
_OF_PAGE = {
    "title": ("TEXT", "the title of the page (default: the podcast's)"),
    "description": ("TEXT", "what search engines and networks say of it (default: the podcast's own)"),
    "accent": (
        "COLOUR",
        "the colour of links and marks, as #0a66c2; made darker or lighter where it would be illegible",
    ),
    "logo": ("FILE", "a PNG, SVG, JPEG or WebP to stand before the title, inside the page (100 KB at most)"),
    "site_url": ("URL", "where the page will stand, for its canonical address"),
}
_OF_SITE = {
    "css": ("FILE", "a style sheet of the site, after ours"),
    "templates": ("FOLDER", "templates of the site, in place of ours of the same name"),
}


def add_page_arguments(parser: argparse.ArgumentParser, *, site: bool = False) -> None:
    """Add what the page, and the ``site`` too, takes of its host to a command that writes it."""
    group = parser.add_argument_group("options of the page" + " and the site" * site)
    for name, (metavar, said) in {**_OF_PAGE, **(_OF_SITE if site else {})}.items():
        group.add_argument(f"--{name.replace('_', '-')}", default="", metavar=metavar, help=said)


def page_options(arguments: argparse.Namespace) -> dict[str, bool | str]:
    """Return what was given of it. Raise ``OutputError`` when something of it will not do."""
    given = {name: str(value) for name in (*_OF_PAGE, *_OF_SITE) if (value := getattr(arguments, name, ""))}
    if given:
        from ...page.host import PageOptions, read_host  # noqa: PLC0415 - few give any

        read_host(PageOptions(**given))  # type: ignore[typeddict-item]
    return dict(given)


def add_format_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--format`` and ``--force``, and the options of single formats, to a command."""
    add_force_argument(parser)
    add_page_arguments(parser, site=True)
    parser.add_argument(
        "--format", default="", metavar="NAME,…",
        help="the format, whatever the suffix; of several each is written, with its suffix behind FILE",
    )  # fmt: skip
    parser.add_argument(
        "--hugging-face", dest="format", action="store_const", const="hugging-face",
        help="a folder for the Hugging Face Hub: the same as --format hugging-face",
    )  # fmt: skip
    group = parser.add_argument_group("options of formats")
    for name, (said, values) in _OPTIONS.items():
        flag = f"--{name.replace('_', '-')}"
        if not values:
            group.add_argument(flag, action="store_true", help=said)
        elif isinstance(values, str):
            group.add_argument(flag, default="", metavar=values, help=said)
        else:
            group.add_argument(flag, default="", choices=values, help=said)
    for name in _REMOVED:
        parser.add_argument(f"--{name}", nargs="?", const="", help=argparse.SUPPRESS)


def add_force_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--force`` to a command with files to write."""
    parser.add_argument("--force", action="store_true", help="replace files that podgraph did not write, or reads from")


def chosen_targets(
    arguments: argparse.Namespace, paths: Sequence[Path], read: Iterable[str], usual: Sequence[Path] = ()
) -> tuple[list[Target], list[OutputError]]:
    """Return each file to write with its format and options, and the errors of the unwritable files.

    ``read`` are the files of the graph's sources; ``usual`` is written where no path is given, and stays in the
    working folder: a link in it may be a stranger's. Raises ``OutputError`` when no file can be written, and for
    unfitting options.
    """
    from ...config import folder_origin  # noqa: PLC0415 - loaded for writing alone
    from ...formats import check_each, format_named, formats, targets  # noqa: PLC0415 - as above

    known = formats()
    named = [format_named(name.strip(), known) for name in arguments.format.split(",") if name.strip()]
    given = bool(paths)
    if not given:
        paths = [Path("podgraph")] if named else usual
    if len(named) > 1 or (named and not given):
        paths = [Path(f"{path}{item.suffixes[0]}") for path in paths for item in named]
    force = arguments.force
    checked = check_each(paths, named[0] if len(named) == 1 else None, known, force=force, read=read)
    errors = [one.error for one in checked if one.error]
    if len(errors) == len(checked):
        raise errors[0]
    usable = [(one, one.format) for one in checked if one.format]
    by_default = [] if given else [(one.path, item) for one, item in usable]
    for path, item in by_default:
        for file in targets(path, item):
            if not may_reach(folder_origin(), str(file)):
                raise OutputError("is a link out of this folder", source=str(file), remedy=f"name it: -o {path}")
    options = format_options(arguments, [item for _, item in usable])
    rows = zip(usable, options, strict=True)
    return [(Path(one.path), item, taken) for (one, item), taken in rows if not one.error], errors


def write_targets(
    graph: Graph,
    targets: Iterable[Target],
    arguments: argparse.Namespace,
    part: str = "",
    errors: Iterable[OutputError] = (),
) -> int:
    """Write the graph into each file, print a line for each, and return the status: 2 when one was not written.

    An unwritable file does not keep the others from being written; ``errors`` are those known
    before. ``part`` describes the part of the graph.
    """
    from ...files import is_standard_output  # noqa: PLC0415 - loaded for writing alone
    from ...formats import write_graph  # noqa: PLC0415

    status = 0
    for refused in errors:
        note(str(refused))
        status = refused.status
    left: PodgraphError | None = None
    for path, item, given in targets:
        try:
            written = write_graph(graph, path, item, force=arguments.force, **given)
        except PodgraphError as error:
            if isinstance(error.__cause__, BrokenPipeError):  # the reader of standard output has closed it
                left = error
                continue
            note(str(error))
            status = error.status
            continue
        held = _held(graph, item)
        for target in written:
            note(f"wrote {target}{held or part}", quiet=arguments.quiet or is_standard_output(target))
    if left and not status:
        raise left
    return status


def _held(graph: Graph, item: Format) -> str:
    """Return the number of nodes on the page of a graph too large for one, and the remedy."""
    if item.name != "html":
        return ""
    from podgraph.graph import MOST_PLACED  # noqa: PLC0415 - loaded by the format

    if len(graph) <= MOST_PLACED:
        return ""
    return f": {MOST_PLACED} of {len(graph)} nodes; --focus NODE --hops 2 makes a page of a part, GEXF holds all"


def format_options(arguments: argparse.Namespace, chosen: Sequence[Format]) -> list[dict[str, bool | str]]:
    """Return the given options of each of the ``chosen`` formats.

    Raises ``OutputError`` for an option foreign to the chosen formats.
    """
    given: dict[str, bool | str] = {name: value for name in _OPTIONS if (value := getattr(arguments, name))}
    for name, remedy in _REMOVED.items():
        if getattr(arguments, name) is not None:
            raise OutputError("was removed", source=f"--{name}", remedy=remedy)
    around = {"everything": True} if getattr(arguments, "focus", "") else {}  # it has no atlas of its own
    for name in given:
        _check_option(name, chosen)
    known = {**around, **given}
    if any("site_url" in item.options for item in chosen):
        known |= page_options(arguments)
    return [{name: value for name, value in known.items() if name in item.options} for item in chosen]


def _check_option(name: str, chosen: Sequence[Format]) -> None:
    """Raise ``OutputError`` when no chosen format takes an option."""
    if not any(name in item.options for item in chosen):
        from ...formats import formats  # noqa: PLC0415 - the list of formats is loaded for writing alone

        fitting = " ".join(item.suffixes[0] for item in formats() if name in item.options)
        asked = ", ".join(dict.fromkeys(item.name for item in chosen))
        raise OutputError(f"does not fit {asked}", source=f"--{name.replace('_', '-')}", remedy=f"it is for {fitting}")
