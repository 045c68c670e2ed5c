"""Make the shipped index anew from a wheel and the fact files.

``python -m podgraph.extractors.subjects.pytorch.making torch-VERSION.whl``
"""

from __future__ import annotations

import sys
from pathlib import Path

from .. import SUBJECT
from .build import build_index
from .facts import read_facts


def main(arguments: list[str]) -> int:
    """Build the index of the wheel named in ``arguments`` and write it where podgraph ships it."""
    if len(arguments) != 1:
        print("usage: python -m podgraph.extractors.subjects.pytorch.making torch-VERSION.whl", file=sys.stderr)
        return 2
    data, dropped = build_index(Path(arguments[0]), read_facts())
    target = Path(SUBJECT.file(SUBJECT.names))
    target.write_bytes(data)
    print(f"{target}: {len(data):,} bytes, {len(dropped)} places left out", file=sys.stderr)
    for line in dropped:
        print(line, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
