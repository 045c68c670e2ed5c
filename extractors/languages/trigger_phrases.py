"""The phrases that introduce a guest or an episode, by language (``tables/guests.txt``, ``tables/episodes.txt``)."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

TABLES = Path(__file__).parent / "tables"


@lru_cache(maxsize=8)
def read_tables(name: str) -> dict[str, list[str]]:
    """Return the phrases of all languages in each table of the file ``tables/<name>.txt``.

    A table is a line ``[table]``, then lines of a language's code, a colon, and phrases with ``|`` between. ``#``
    begins a comment.
    """
    tables: dict[str, list[str]] = {}
    table: list[str] = []
    for line in (TABLES / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            table = tables.setdefault(line.strip("[] "), [])
        elif not line.startswith("#"):
            table += filter(None, map(str.strip, line.partition(":")[2].split("|")))
    return tables


def phrases(table: str, of: str = "guests") -> frozenset[str]:
    """Return the phrases of a table, in all languages.

    ``table`` is the name of the table, ``of`` that of its file, such as ``guests`` or ``episodes``.
    """
    return frozenset(read_tables(of)[table])


def alternatives(table: str, of: str = "guests") -> str:
    """Return the phrases of a table as the alternatives of a regular expression, the longest first.

    ``table`` is the name of the table, ``of`` that of its file, such as ``guests`` or ``episodes``.
    """
    return "|".join(map(re.escape, sorted(read_tables(of)[table], key=lambda phrase: (-len(phrase), phrase))))


def endings(table: str, of: str = "guests") -> tuple[tuple[str, str], ...]:
    """Return (end, form) for each phrase of a table that is written as ``end>form``, in their order.

    ``table`` is the name of the table, ``of`` that of its file, such as ``guests`` or ``episodes``.
    """
    return tuple((end, form) for end, _, form in (phrase.partition(">") for phrase in read_tables(of)[table]))
