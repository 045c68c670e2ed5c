"""How the names of a subject sound, by hand: a line each of ``spoken.txt``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple


class Spoken(NamedTuple):
    """The written form of some spoken words. ``sure``: valid everywhere, else only where the context has the name."""

    written: str
    sure: bool


@lru_cache(maxsize=8)
def read_spoken(file: str) -> dict[tuple[str, ...], Spoken]:
    """Return the spoken forms of a list by their words in lower case; a missing file is an empty list."""
    path = Path(file)
    return parse_spoken(path.read_text("utf-8")) if path.is_file() else {}


def parse_spoken(text: str) -> dict[tuple[str, ...], Spoken]:
    """Parse lines of ``written: spoken form, another one; less certain forms``; ``#`` begins a comment.

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
