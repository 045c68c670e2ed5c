"""``podgraph index WHEEL``: an index of the names of another version of PyTorch, or with other projects' names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import (
    TYPED,
    SourceError,
    default_subject,
    fetch_url,
    index_from_wheel,
    parse_inventory_option,
    patient,
    read_index,
)

from ..files import write_atomically
from ..terminal import note

if TYPE_CHECKING:
    import argparse

_LARGEST = 64 << 20  # bytes of an inventory
_EXAMPLES = """examples:
  podgraph index torch-2.13.0-cp311-none-linux_x86_64.whl -o pytorch.idx
  podgraph index torch.whl --docs-inventory numpy=https://numpy.org/doc/stable/objects.inv
  podgraph build --index pytorch.idx"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument("wheel", metavar="WHEEL", type=Path, help="a wheel of PyTorch; it is read, never installed")
    parser.add_argument(
        "--docs-inventory", metavar="[PROJECT=]FILE|URL", action="append", default=[],
        help="a Sphinx objects.inv: PyTorch's own, or another project's; several times (needs podgraph[index])",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, default=Path(default_subject().names), help="default: %(default)s"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build the index and write it."""
    inventories = {}
    for option in arguments.docs_inventory:
        project, source, base = parse_inventory_option(option)
        inventories[project] = (base, _read(source))
    data, left_out = index_from_wheel(arguments.wheel, read_index(), inventories=inventories or None)
    write_atomically(arguments.output, data)
    for line in left_out:
        note(line, quiet=not arguments.verbose)
    note(f"wrote {arguments.output}: {len(data):,} bytes, {len(left_out)} places left out", quiet=arguments.quiet)
    return 0


def _read(source: str) -> bytes:
    if source.startswith(("http://", "https://")):
        return fetch_url(source, origin=TYPED).data
    try:
        with open(source, "rb", opener=patient) as stream:
            data = stream.read(_LARGEST + 1)
    except OSError as error:
        raise SourceError(
            f"cannot be read ({error.strerror})", source=source, remedy="give an objects.inv file or its URL"
        ) from error
    if len(data) > _LARGEST:
        raise SourceError("is larger than any inventory", source=source, remedy="give an objects.inv file or its URL")
    return data
