"""Names of persons in a text: runs of capitalised words, cut where no name goes on."""

from __future__ import annotations

import lzma
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from ..feeds.bylines import PARTICLES, is_person
from ..languages.trigger_phrases import TABLES, phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

OFFICES, SMALL, NO_NAMES, TITLES = map(phrases, ("roles", "small", "no names", "titles"))

_ENDS = SMALL - PARTICLES  # words in small letters that no name goes on with
UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u017e\u0386-\u03ab\u0400-\u042f\u0490\u1e00-\u1eff"
# A capitalised word, with the dots, apostrophes and hyphens inside it: "C.", "O'Brien", "Jean-Luc".
_REST = r"[^\W\d_]*(?:['\u2019-][^\W\d_]+)*\.?"
_PARTICLES = "|".join(sorted(PARTICLES - {"e", "y", "das"}))  # these stand between two persons, or begin what is behind
_NICKNAME = r"(?:[\"'\u201c\u201e\u2018]\w+[\"'\u201c\u201d\u2019][ \u00a0])?"
# Two such words or more, with "de la", "van der" and a nickname in quotes between them. The look behind the first
# capital comes after it: the search then leaps from capital to capital.
_RUN = re.compile(
    rf"[{UPPER}](?<![\w'\u2019.@/#-].){_REST}"
    rf"(?:[ \u00a0]{{1,2}}{_NICKNAME}(?:(?:{_PARTICLES})[ \u00a0]){{0,3}}[{UPPER}]{_REST})+(?!\w)"
)
_WORD = re.compile(r"[^\s\u00a0]+")
_TECHNICAL = re.compile(r"[a-z][A-Z]|[A-Z]{2}|\d|[^\W\d_]\.[^\W\d_]")  # in no person's name: fooBar, CUDA, 2
# The capital inside McCall, MacLeod, DeVito, and that of two initials: JF.
_INNER_CAPITAL = re.compile(r"\A[A-Z](?=[A-Z] )|\b(?:Mc|Mac|De|Di|Du|La|Le|Van|Fitz|O['\u2019]|D['\u2019])(?=[A-Z])")
_ACCENTS = re.compile("(?<=[a-z])[\u0300-\u036f]+")  # on Latin letters
_LONGEST = 5  # words of a name


@lru_cache(maxsize=1)
def _given_names() -> frozenset[str]:
    """Return names that persons are commonly given, in small letters, without accents on Latin ones."""
    lines = (TABLES / "given_names.txt").read_text("utf-8").splitlines()
    more = lzma.decompress((TABLES / "given_names.txt.xz").read_bytes()).decode()
    return frozenset(_plain(" ".join([*(line for line in lines if not line.startswith("#")), more])).split())


def _plain(name: str) -> str:
    return name if name.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFD", name))


@lru_cache(maxsize=4096)
def is_name(name: str) -> bool:
    """Return whether words can be a person's name, and have no word that things and organisations are called by.

    >>> [is_name(name) for name in ("Ann Example", "Anna de la Cruz", "Machine Learning", "Ann", "Visual Basic")]
    [True, True, False, False, False]
    """
    words = set(name.casefold().split())
    if len(words) < 2 or not NO_NAMES.isdisjoint(words) or not SMALL.isdisjoint(words - PARTICLES):
        return False
    return is_person(name) and not _TECHNICAL.search(_INNER_CAPITAL.sub("", name))


@lru_cache(maxsize=4096)
def is_likely(name: str) -> bool:
    """Return whether a name begins with a given name or an initial."""
    first = _plain(name.split(maxsplit=1)[0].casefold())
    return not _given_names().isdisjoint((first, *first.split("-"))) or (len(first) == 2 and first[1] == ".")


def names_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and words of the names in a text.

    >>> [name for _, _, name in names_in("With Ann 'Clay' Example, Dr. Bo Lind and the Kiln Works of Jean de la Cruz")]
    ['Ann Example', 'Bo Lind', 'Jean de la Cruz']
    """
    for match in _RUN.finditer(text):
        for words in _cut_run(text, *match.span()):
            if name := _choose_name(text, words):
                yield name


def name_at_start(words: str) -> str:
    """Return the name of a person that words begin with, as written, or nothing.

    >>> name_at_start("Ann Example on Mastodon"), name_at_start("The Example Book")
    ('Ann Example', '')
    """
    at = len(words) - len(words.lstrip(" @\"'("))
    run = _RUN.match(words, at)
    name = _choose_name(words, next(_cut_run(words, *run.span()), [])) if run else None
    return words[name[0] : name[1]] if name and name[0] == at else ""


def _cut_run(text: str, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the places of capitalised words, cut at words that no name goes on with."""
    words: list[tuple[int, int]] = []
    for word in _WORD.finditer(text, start, end):
        small = word[0].casefold()
        is_office = small in OFFICES and len(words) != 1
        is_small = small.rstrip(".") in _ENDS and len(small) > 2
        # Behind a full name, a place of origin follows.
        is_origin = small in {"de", "del"} and words and text[word.end() + 1 : word.end() + 2].isupper()
        is_origin = (small == "von" and words) or (is_origin and not is_likely(text[slice(*words[-1])]))
        ends = small in TITLES or is_office or is_small or is_origin
        if not ends and (words or small not in PARTICLES):
            ends = len(small) > 2 and small.endswith((".", "'s", "\u2019s"))
            words.append((word.start(), word.end() - small.endswith(".") * ends))
        if ends and words:
            yield words
            words = []
    if words:
        yield words


def _choose_name(text: str, words: list[tuple[int, int]]) -> tuple[int, int, str] | None:
    """Return (begin, end, name) in a run of capitalised words: from a likely given name on, else the whole run."""
    while words and text[slice(*words[-1])] in PARTICLES:
        words.pop()
    likely = [at for at, word in enumerate(words[:-1]) if text[word[0]].isupper() and is_likely(text[slice(*word)])]
    for at in (*likely[:1], 0):
        if 2 <= len(words) - at <= _LONGEST:
            begin, end = words[at][0], words[-1][1]
            end -= len("'s") * text[begin:end].endswith(("'s", "\u2019s"))
            parts = [part for part in text[begin:end].split() if part[0].isalpha()]  # without a nickname in quotes
            name = " ".join(parts).rstrip("'\u2019-")
            if is_name(name):
                return begin, end, name
    return None
