"""JSON as a terminal may show it: what it would obey is written as an escape, and means the same."""

from __future__ import annotations

import json

# DEL, the C1 controls, and the marks that turn the writing direction (UAX 9); JSON itself escapes what is below U+0020.
_OBEYED = {
    place: f"\\u{place:04x}"
    for place in (*range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}


def escaped(text: str) -> str:
    r"""Return a JSON text with controls and direction marks as ``\u`` escapes; they can stand in its strings alone.

    >>> print(escaped('["' + chr(0x202E) + chr(0x9B) + '2J"]'))
    ["\u202e\u009b2J"]
    """
    return text if text.isascii() and "\x7f" not in text else text.translate(_OBEYED)


def toml_text(value: str) -> str:
    r"""Return a text as TOML has it; what JSON escapes, TOML escapes alike, but for DEL.

    >>> print(toml_text('a "b"' + chr(0x7F)))
    "a \"b\"\u007f"
    """
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
