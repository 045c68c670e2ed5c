"""The persons of a subject, by hand: a line each of ``people.txt``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple


class Listed(NamedTuple):
    """A person of a subject's list: GitHub login, spellings of the name, and a first name of theirs alone."""

    login: str
    names: tuple[str, ...]
    called: str


@lru_cache(maxsize=8)
def read_people(file: str) -> tuple[Listed, ...]:
    """Return the persons of a list; a missing file is an empty list. Lines beginning with ``#`` are comments."""
    path = Path(file)
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return tuple(parse_listed(line) for line in lines if line and not line.startswith("#"))


def parse_listed(line: str) -> Listed:
    """Read ``login: Name, other spelling; called``.

    >>> parse_listed("annex: Ann Example, Ann B. Example; Ann")
    Listed(login='annex', names=('Ann Example', 'Ann B. Example'), called='Ann')
    """
    login, _, rest = line.partition(": ")
    names, _, called = rest.partition("; ")
    return Listed(login, tuple(names.split(", ")), called)
