"""How the names of a subject sound, by hand: a line each of ``spoken.txt``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple


class Spoken(NamedTuple):
    """What is written for some words; ``sure``: wherever they stand, else only where the name is known to be meant."""

    written: str
    sure: bool


@lru_cache(maxsize=8)
def read_spoken(file: str) -> dict[tuple[str, ...], Spoken]:
    """Return the spoken forms of a list by their words in small letters; none where there is no such file."""
    path = Path(file)
    return parse_spoken(path.read_text("utf-8")) if path.is_file() else {}


def parse_spoken(text: str) -> dict[tuple[str, ...], Spoken]:
    """Read lines of ``written: as it is said, or so; or, less surely, so``; ``#`` begins a comment.

    >>> parse_spoken("ATen: a ten, eight n; eighteen")[("eighteen",)]
    Spoken(written='ATen', sure=False)
    """
    found: dict[tuple[str, ...], Spoken] = {}
    for line in text.splitlines():
        written, colon, forms = line.rpartition(": ")
        if not colon or line.startswith("#"):
            continue
        for part, sure in zip(forms.split("; "), (True, False), strict=False):
            for form in filter(None, map(str.strip, part.split(","))):
                found.setdefault(tuple(form.lower().split()), Spoken(written, sure))
    return found
