"""Names of persons in a text: runs of capitalised words, cut where no name goes on."""

from __future__ import annotations

import lzma
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..feeds.bylines import PARTICLES, is_person
from ..languages.trigger_phrases import TABLES, phrases
from .patterns import read_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATTERNS = read_patterns("persons")
OFFICES, SMALL, NO_NAMES, TITLES = map(phrases, ("roles", "small", "no names", "titles"))
_ENDS = SMALL - PARTICLES  # words in small letters that no name goes on with
_MAXIMUM_LENGTH = 5  # words of a name
_POSSESSIVES = "'s", "\u2019s"


class NamePlace(NamedTuple):
    """A name and its place in a text, which may have a nickname in quotes."""

    start: int
    end: int
    name: str


@lru_cache(maxsize=1)
def _given_names() -> frozenset[str]:
    """Return names that persons are commonly given, in small letters, without accents on Latin ones."""
    lines = (TABLES / "given_names.txt").read_text("utf-8").splitlines()
    more = lzma.decompress((TABLES / "given_names.txt.xz").read_bytes()).decode()
    return frozenset(_plain(" ".join([*(line for line in lines if not line.startswith("#")), more])).split())


def _plain(name: str) -> str:
    return name if name.isascii() else _PATTERNS["accents"].sub("", unicodedata.normalize("NFD", name))


@lru_cache(maxsize=4096)
def is_name(name: str) -> bool:
    """Return whether words can be a person's name, and have no word that things and organisations are called by.

    >>> [is_name(name) for name in ("Ann Example", "Anna de la Cruz", "Machine Learning", "Ann", "Visual Basic")]
    [True, True, False, False, False]
    """
    words = set(name.casefold().split())
    if len(words) < 2 or not NO_NAMES.isdisjoint(words) or not SMALL.isdisjoint(words - PARTICLES):
        return False
    return is_person(name) and not _PATTERNS["technical"].search(_PATTERNS["inner capital"].sub("", name))


@lru_cache(maxsize=4096)
def is_likely(name: str) -> bool:
    """Return whether a name begins with a given name or an initial."""
    first = _plain(name.split(maxsplit=1)[0].casefold())
    return not _given_names().isdisjoint((first, *first.split("-"))) or (len(first) == 2 and first[1] == ".")


def find_person_names(text: str) -> Iterator[NamePlace]:
    """Yield the names in a text, in order.

    >>> [one.name for one in find_person_names("With Ann 'Clay' Example, Dr. Bo Lind and the Kiln of Jean de la Cruz")]
    ['Ann Example', 'Bo Lind', 'Jean de la Cruz']
    """
    for run in _PATTERNS["run"].finditer(text):
        for words in _cut_run(text, *run.span()):
            if name := _choose_name(text, words):
                yield name


def name_at_start(words: str) -> str:
    """Return the name of a person that words begin with, as written, or nothing.

    >>> name_at_start("Ann Example on Mastodon"), name_at_start("The Example Book"), name_at_start("Ann Example De")
    ('Ann Example', '', 'Ann Example De')
    """
    at = len(words) - len(words.lstrip(" @\"'("))
    run = _PATTERNS["run"].match(words, at)
    name = _choose_name(words, next(_cut_run(words, *run.span()), [])) if run else None
    return words[at : name.end] if name and name.start == at else ""


def _cut_run(text: str, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
    """Yield lists of the places (start, end) of capitalised words: a run of them, cut at words that no name has."""
    words: list[tuple[int, int]] = []
    for match in _PATTERNS["word"].finditer(text, start, end):
        small = match[0].casefold()
        is_office = small in OFFICES and len(words) != 1  # behind a first name it is a surname
        # Behind a full name, "de Oliva Clara" and "von Lotum" are an origin.
        is_de = small in {"de", "del"} and text[match.end() + 1 : match.end() + 2].isupper()
        is_origin = words and (small == "von" or (is_de and not is_likely(text[slice(*words[-1])])))
        is_small = len(small) > 2 and small.rstrip(".") in _ENDS
        is_end = small in TITLES or is_office or is_small or is_origin
        if not is_end and (words or small not in PARTICLES):
            is_end = len(small) > 2 and small.endswith((".", *_POSSESSIVES))
            words.append((match.start(), match.end() - small.endswith(".") * is_end))
        if is_end and words:
            yield words
            words = []
    if words:
        yield words


def _choose_name(text: str, words: list[tuple[int, int]]) -> NamePlace | None:
    """Return the name in capitalised words, given as places: from a likely given name on, else all words."""
    likely = [at for at, word in enumerate(words[:-1]) if text[word[0]].isupper() and is_likely(text[slice(*word)])]
    for at in (*likely[:1], 0):
        if 2 <= len(words) - at <= _MAXIMUM_LENGTH:
            start, end = words[at][0], words[-1][1]
            end -= len("'s") * text[start:end].endswith(_POSSESSIVES)
            parts = [part for part in text[start:end].split() if part[0].isalpha()]  # without a nickname in quotes
            name = " ".join(parts).rstrip("'\u2019-")
            if is_name(name):
                return NamePlace(start, end, name)
    return None
