"""The persons in a feed's bylines. Precision first: organisations and doubtful names are left out."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

# An e-mail address.
_ADDRESS = re.compile(r"(?:mailto:)?[^\s@<>()\[\]]+@[^\s@<>()\[\]]+")
# Separators between two names; a bracket is one, too.
_SEPARATOR = re.compile(r"\s*(?:[()<>\[\],;/|\n\u2022\u00b7+]|&(?!\w)|\b(?:and|und|et|with)\b)\s*", re.IGNORECASE)
# Words before the first name.
_FIRST_WORDS = re.compile(r"(?:by|hosted by|host|hosts|guest|guests|from)\b[:\s]+", re.IGNORECASE)
# A word of a name: letters, with dots, apostrophes and hyphens in it.
_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[.'\u2019-])*")
_WORDS = Path(__file__).with_name("byline_words.txt").read_text(encoding="utf-8").split("\n\n")
PARTICLES, _DEGREES, _COMPANIES, _ORGANISATIONS = (frozenset(part.split()) for part in _WORDS)


@lru_cache(maxsize=1024)
def parse_people(byline: str, feed_title: str = "") -> tuple[str, ...]:
    """Return the names of persons in a byline such as "Hosted by A and B", in its order, each once.

    A name has two to five words that begin as names do, without words that are typical of organisations. Academic
    degrees and companies are removed. ``feed_title`` is the show's title: a part of it is not a person.

    >>> parse_people("nobody@example.com (Edward Yang, Team PyTorch)")
    ('Edward Yang',)
    >>> parse_people("Anna de la Cruz & Bo Z. Li, PhD and The Weekly Show")
    ('Anna de la Cruz', 'Bo Z. Li')
    """
    names: dict[str, str] = {}  # in small letters -> as written
    last = ""  # the name before, in small letters
    for part in _SEPARATOR.split(_ADDRESS.sub("\n", byline[:2000])):
        words = _FIRST_WORDS.sub("", part.strip()).strip(" -:\u2013\u2014").split()
        if " ".join(words).strip(".").casefold() in _COMPANIES:
            names.pop(last, None)  # "Example Words, Inc.": the part before was a company's name
            continue
        while len(words) > 2 and words[-1].strip(".").casefold() in _DEGREES:
            words.pop()
        name = " ".join(words)
        last = name.casefold()
        if is_person(name) and last not in feed_title.casefold():
            names.setdefault(last, name)
    return tuple(names.values())


def is_person(name: str) -> bool:
    """Return whether a text looks like a person's name: two to five words, written as names are.

    Words have capitals, except particles such as "de"; words from names of organisations ("Team") rule a person out.
    """
    words = name.split(" ")
    if not 2 <= len(words) <= 5 or len(name) > 60 or not all(map(_TOKEN.fullmatch, words)):
        return False
    if any(word.strip(".'\u2019").casefold() in _ORGANISATIONS for word in words):
        return False
    return not words[-1][0].islower() and all(word.lower() in PARTICLES or not word[0].islower() for word in words)
