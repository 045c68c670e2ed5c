"""The questions given to a command, with those of standard input in the place of ``-``."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Sequence

from ...terminal import note

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def questions(words: Sequence[str], *, quiet: bool) -> list[str]:
    """Return the words of the command line, and for ``-`` each line of standard input, without blank ones.

    Reports an empty input in one line: an empty question has an empty answer.
    """
    found: list[str] = []
    for word in words:
        found += _lines() if word == "-" else [word]
    if "-" in words and not found:
        note("standard input is empty: nothing was asked", quiet=quiet)
    return found


def standard_input() -> str:
    """Return standard input, without a byte order mark."""
    if sys.stdin is None:
        return ""
    stream = getattr(sys.stdin, "buffer", None)
    text = sys.stdin.read() if stream is None else _decoded(stream.read())
    return text.removeprefix("\ufeff")


def _lines() -> list[str]:
    """Return the lines of standard input without blank ones, with any line ends."""
    return [line.strip() for line in standard_input().splitlines() if line.strip()]


def _decoded(data: bytes) -> str:
    """Decode UTF-8, or UTF-16 with its mark, as PowerShell writes it."""
    return data.decode("utf-16" if data.startswith(_UTF16) else "utf-8", "replace")
