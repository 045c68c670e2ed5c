"""``python -m tools.index WHEEL``: make the index of a wheel of PyTorch, from the root of a checkout."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import TYPED, PodgraphError, SourceError, fetch_url
from podgraph.extractors.subjects.pytorch import SUBJECT
from podgraph.output.files import write_atomically

from .build import build_index, parse_inventory_option
from .facts import read_facts

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> int:
    """Build the index that ``words`` ask for and write it; return the exit status, 2 for an error (one line)."""
    parser = argparse.ArgumentParser(prog="python -m tools.index", description="Make the index of a wheel of PyTorch.")
    parser.add_argument("wheel", metavar="WHEEL", type=Path, help="a wheel of PyTorch; it is read, never installed")
    parser.add_argument(
        "--docs-inventory", metavar="[PROJECT=]FILE|URL", action="append", default=[],
        help="a Sphinx objects.inv: PyTorch's own, or another project's; several times",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, default=Path(SUBJECT.file(SUBJECT.names)),
        help="default: the index that the package ships",
    )  # fmt: skip
    arguments = parser.parse_args(words)
    try:
        inventories = {}
        for option in arguments.docs_inventory:
            project, source, base = parse_inventory_option(option)
            inventories[project] = (base, _read(source))
        data, left_out = build_index(arguments.wheel, read_facts(), inventories=inventories)
        write_atomically(arguments.output, data)
    except PodgraphError as error:
        print(error, file=sys.stderr)
        return 2
    summary = f"wrote {arguments.output}: {len(data):,} bytes, {len(left_out)} places left out"
    print(*left_out, summary, sep="\n", file=sys.stderr)
    return 0


def _read(source: str) -> bytes:
    if source.startswith(("http://", "https://")):
        return fetch_url(source, origin=TYPED).data
    try:
        return Path(source).read_bytes()
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise SourceError(problem, source=source, remedy="give an objects.inv file or its URL") from error


if __name__ == "__main__":
    sys.exit(main())
