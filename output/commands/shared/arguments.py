"""Arguments that several commands take: numbers with a least value, and repositories."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# a whole number, not too long
_NUMBER = re.compile(r"-?\d{1,9}")
# `owner/name`
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[\w.-]+", re.ASCII)


def number_from(least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from ``least`` on, for ``type`` of an argument.

    >>> number_from(1)("12")
    12
    """

    def read(text: str) -> int:
        if not _NUMBER.fullmatch(text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least}")
        return int(text)

    return read


def repository(text: str) -> str:
    """Read ``OWNER/NAME``, or nothing, for ``type`` of an argument.

    >>> repository("pytorch/pytorch")
    'pytorch/pytorch'
    """
    if text and not _REPOSITORY.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no OWNER/NAME")
    return text
