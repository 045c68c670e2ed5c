"""``podgraph merge FOLDER``: the parts of a large build as one graph."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ..terminal import note
from .shared.format_options import add_format_arguments, chosen_targets, write_targets

if TYPE_CHECKING:
    import argparse

EXAMPLES = """examples:
  podgraph build shows.opml -o all.parts/ --jobs 4
  podgraph merge all.parts/ -o all.sqlite
  podgraph merge all.parts/ -o all.json -o all.gexf    where the graph fits into memory"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a folder of parts, by `build -o FOLDER.parts/`")
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", type=Path,
        help="where to write, several times: .sqlite needs little memory, others hold the graph in memory (default: "
        "podgraph.sqlite)",
    )  # fmt: skip
    add_format_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Merge and write; 2 when one of several files cannot be written."""
    paths = arguments.output or []
    targets, errors = chosen_targets(arguments, paths, read=[str(arguments.folder)], usual=[Path("podgraph.sqlite")])
    from ..large.merge import merge_parts  # noqa: PLC0415 - not for a target that cannot be written

    def merge(path: Path) -> None:
        nodes, edges = merge_parts(arguments.folder, path)
        note(f"merged {arguments.folder}: {nodes:,} nodes, {edges:,} edges", quiet=arguments.quiet)

    (first, item, _), *others = targets
    if item.name == "sqlite" and not others:
        merge(first)
        note(f"wrote {first}; ask it with -g {first}", quiet=arguments.quiet)
        for refused in errors:
            note(str(refused))
        return 2 if errors else 0
    from podgraph.graph import add_places  # noqa: PLC0415

    from ..formats import read_graph  # noqa: PLC0415

    with TemporaryDirectory(prefix="podgraph-") as scratch:
        merge(Path(scratch, "merged.sqlite"))
        graph = read_graph(Path(scratch, "merged.sqlite"))
    if any(item.mapped for _, item, _ in targets):
        add_places(graph, {})
    return write_targets(graph, targets, arguments, errors=errors)
