"""The words of a text that tell it from others, and the series that a title belongs to."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# a word, with what is part of it: `C++`, `F#`, `node.js`, `don't`
_WORD = re.compile(r"[^\W\d_][\w'+#.]*")
# a URL
_ADDRESS = re.compile(r"(?<!\w)\w{1,12}://\S*")
# the name before the first colon or dash of a title: `Inductor - IR`
_SERIES = re.compile(r"\s*([^\W\d_][\w .'+]{2,40}?)\s*(?::\s|\s[-\u2013\u2014|]\s)")
_STOP = frozenset(
    "about after all also an and any are as at be because been before being but by can could did do does doing "
    "don't each for from further get go going had has have having he her here how if in into is it it's its "
    "itself just know let like link links little lot make many may me might more most much my need never new "
    "no not now of off on one only or other our out over own podcast podcasts episode episodes reading really "
    "same see she should so some such talk talking than that that's the their them then there these they thing "
    "things this those through to today too up us use used using very want was way we well were what what's "
    "when where which while who why will with work would you your i'll i'm we'll we're you're isn't doesn't "
    "first".split()
)


def words_of(text: str, code: str = "en") -> Iterator[str]:
    """Yield the words of a text that carry meaning, in lower case and without their plural; addresses are passed over.

    ``code`` is the language: of any other than English they come as stems, without its stop words.

    >>> list(words_of("What are CUDA graphs? See https://example.com/x"))
    ['cuda', 'graph']
    """
    if code not in ("", "en"):
        from podgraph.extractors import language  # noqa: PLC0415 - a question about code wants only `singular`

        known = language(code)
        found = known.words(_without_addresses(text))
        yield from (word.key for word in found if word.text.lower() not in known.stop | known.inside)
        return
    yield from filter(None, map(_word, _WORD.findall(_without_addresses(text))))


def count_words(text: str, code: str = "en") -> dict[str, int]:
    """Return how often a text has each word that ``words_of`` yields.

    >>> count_words("A graph, two graphs and their nodes")
    {'graph': 2, 'two': 1, 'node': 1}
    """
    if code not in ("", "en"):
        return dict(Counter(words_of(text, code)))
    counts: dict[str, int] = {}
    for spelling, times in Counter(_WORD.findall(_without_addresses(text))).items():
        if word := _word(spelling):
            counts[word] = counts.get(word, 0) + times
    return counts


def _without_addresses(text: str) -> str:
    return _ADDRESS.sub(" ", text) if "://" in text else text


@lru_cache(maxsize=1 << 16)  # most words of a text are those of others
def _word(spelling: str) -> str:
    """Return the word that is spelled, "" for one that carries no meaning."""
    word = spelling.lower().rstrip(".'")
    return singular(word) if len(word) > 1 and word not in _STOP else ""


def series_of(title: str) -> str:
    """Return the name before the dash or colon of a title, folded: the series it belongs to, if others do too.

    >>> series_of("Inductor - IR"), series_of("vmap")
    ('inductor', '')
    """
    match = _SERIES.match(title)
    return match[1].casefold() if match else ""


def singular(word: str) -> str:
    """Take the plural off an English word, so that both forms are one.

    >>> [singular(word) for word in ("graphs", "class", "libraries", "axis")]
    ['graph', 'class', 'library', 'axis']
    """
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
