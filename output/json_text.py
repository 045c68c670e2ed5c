"""JSON safe on a terminal: control characters are written as escapes with the same meaning."""

from __future__ import annotations

import re

MARK = "made by podgraph"  # in each file with an answer: only files with this mark are replaced
# DEL, the C1 controls, and marks changing the writing direction (UAX 9); JSON itself escapes those below U+0020.
_CONTROLS = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def escape_controls(text: str) -> str:
    r"""Return a JSON text with ``\u`` escapes for control characters and direction marks: these occur only in strings.

    >>> print(escape_controls('["' + chr(0x202E) + chr(0x9B) + '2J"]'))
    ["\u202e\u009b2J"]
    """
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
