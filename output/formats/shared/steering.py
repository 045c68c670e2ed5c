"""Control characters for terminals, and marks changing the writing direction (UAX 9)."""

from __future__ import annotations

import re

# DEL and the C1 controls; then embeddings, overrides, isolates and their ends, because they affect the rest of a line.
# LRM, RLM and ALM affect only their neighbours, and are part of the spelling.
STEERING = "".join(map(chr, (*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_STEERING = re.compile(f"[{STEERING}]")


def without_steering(text: str) -> str:
    """Return a text without them, for formats without escapes.

    >>> without_steering("a" + chr(0x202E) + "fdp.exe")
    'afdp.exe'
    """
    return text if text.isascii() and "\x7f" not in text else _STEERING.sub("", text)
