"""Parses untrusted TOML in time proportional to its size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_MOST_DOTS = 100
# A string of any of the four kinds, or a comment. A string without an end goes to the end of the text: no parser gets
# beyond it. Nothing here backtracks.
_STRING = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+(?:"|[\s\S]*)'
    r"|'[^'\n]*+(?:'|[\s\S]*)"
    r"|#[^\n]*"
)


class TomlError(ValueError):
    """A text that ``parse_toml`` does not read, though it may be TOML."""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table that a TOML text contains.

    Raises ``ValueError`` for invalid TOML and for a line with more than 100 dots outside of strings and comments,
    ``RecursionError`` for deep nesting. The work of ``tomllib`` is the square of the parts of a dotted key: a key of
    64 KB takes it 22 s.
    """
    import tomllib  # noqa: PLC0415 - only needed with such a file

    bare = _STRING.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:
            raise TomlError(f"a key has more than {_MOST_DOTS} parts (at line {number})")
    return tomllib.loads(text)
