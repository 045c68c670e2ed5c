"""``python -m tools.index WHEEL``: make the index of a wheel of PyTorch, from the root of a checkout."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import PodgraphError
from podgraph.extractors.subjects.pytorch import SUBJECT
from podgraph.output.files import write_atomically

from .build import build_index
from .facts import read_facts

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> int:
    """Build the index that ``words`` ask for and write it; return the exit status, 2 for an error (one line)."""
    parser = argparse.ArgumentParser(prog="python -m tools.index", description="Make the index of a wheel of PyTorch.")
    parser.add_argument("wheel", metavar="WHEEL", type=Path, help="a wheel of PyTorch; it is read, never installed")
    shipped = Path(SUBJECT.file(SUBJECT.names))
    help_ = "default: the index that the package ships"
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, default=shipped, help=help_)
    arguments = parser.parse_args(words)
    try:
        data, left_out = build_index(arguments.wheel, read_facts())
        write_atomically(arguments.output, data)
    except PodgraphError as error:
        print(error, file=sys.stderr)
        return 2
    summary = f"wrote {arguments.output}: {len(data):,} bytes, {len(left_out)} places left out"
    print(*left_out, summary, sep="\n", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
