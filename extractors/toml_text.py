"""Parses untrusted TOML in time proportional to its size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_MOST_DOTS = 100
# The marks of a string over lines, a string in one line, or a comment.
_STRING = re.compile(r""""{3}|'{3}|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|#.*""")


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table that a TOML text contains.

    Raises ``ValueError`` for invalid TOML and for a line with more than 100 dots outside of strings and comments,
    ``RecursionError`` for deep nesting. The work of ``tomllib`` is the square of the parts of a dotted key: a key of
    64 KB takes it 22 s.
    """
    import tomllib  # noqa: PLC0415 - only needed with such a file

    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MOST_DOTS and _STRING.sub("", line).count(".") > _MOST_DOTS:
            raise ValueError(f"a key has more than {_MOST_DOTS} parts (at line {number})")
    return tomllib.loads(text)
