"""Parses untrusted TOML in time proportional to its size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_MAXIMUM_DOTS = 100  # in a line, outside of strings and comments
# The marks of a string over lines, a string in one line, or a comment.
_STRING = re.compile(r""""{3}|'{3}|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|#.*""")


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table in a TOML text from a stranger.

    ``tomllib`` takes the square of the number of parts of a dotted key: 22 s for a key of 64 KB. So lines with more
    than 100 dots, outside of strings and comments, are refused.

    Raises ``ValueError`` for such a line and for invalid TOML, ``RecursionError`` for deep nesting.
    """
    import tomllib  # noqa: PLC0415 - only needed with such a file

    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MAXIMUM_DOTS and _STRING.sub("", line).count(".") > _MAXIMUM_DOTS:
            raise ValueError(f"a key has more than {_MAXIMUM_DOTS} parts (at line {number})")
    return tomllib.loads(text)
