"""Tables of patterns (regular expressions with names, which contain each other and the phrases of all languages)."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..languages.trigger_phrases import alternatives

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_Place = TypeVar("_Place", bound=Any)
MASK = "\ufffc"  # a character that is in no name or number


class Patterns(dict[str, re.Pattern[str]]):
    """Patterns by name, each compiled when it is first used: a build needs half of them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def __missing__(self, name: str) -> re.Pattern[str]:
        pattern = self[name] = re.compile(self.texts[name])
        return pattern


@lru_cache(maxsize=8)
def read_patterns(name: str) -> Patterns:
    """Return the patterns of the table ``name``: ``name = pattern``, a line; an indented line continues its pattern.

    ``<<other>>`` inserts an earlier pattern, ``<<file: table>>`` the phrases of a table of ``languages/tables``.
    """
    texts: dict[str, str] = {}
    key = ""
    for line in (Path(__file__).parent / "tables" / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            new, _, text = line.partition(" = ") if line[0] != " " else (key, "", line.strip())
            for other, table in re.findall(r"<<([\w ]+)(?:: ([\w ]+))?>>", text):
                part = alternatives(table, other) if table else texts[other]
                text = text.replace(f"<<{other}{table and f': {table}'}>>", part)
            texts[new] = texts.get(new, "") + text
            key = new
    return Patterns(texts)


def skip_overlaps(places: Iterable[_Place]) -> Iterator[_Place]:
    """Yield places in a text, which have a ``start`` and an ``end``, in order and without those that overlap.

    Of two places that overlap the first counts, of two that begin together the longer one.

    >>> from collections import namedtuple
    >>> place = namedtuple("place", "start end")
    >>> [tuple(one) for one in skip_overlaps([place(4, 8), place(0, 5), place(0, 2), place(5, 9)])]
    [(0, 5), (5, 9)]
    """
    last_end = 0
    for place in sorted(places, key=lambda place: (place.start, -place.end)):
        if place.start >= last_end:
            last_end = place.end
            yield place


def mask_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text of the same length with ``MASK`` all over some spans of it.

    ``spans`` are (start, end); an end behind that of the text counts as the end of the text.
    """
    characters = [*text]
    for start, end in spans:
        characters[start:end] = MASK * (min(end, len(text)) - start)
    return "".join(characters)
