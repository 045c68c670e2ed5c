"""The persons in a feed's bylines. Precision first: organisations and doubtful names are left out."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

# An e-mail address.
_ADDRESS = re.compile(r"[^\s@<>()]+@[^\s@<>()]+")
_EMPTY_BRACKETS = re.compile(r"(?:mailto:)?(?:<\s*>|\(\s*\)|\[\s*\])|mailto:")
_BRACKETED = re.compile(r"\([^()]*\)|<[^<>]*>|\[[^\[\]]*\]")
# Any bracket.
_BRACKET = re.compile(r"[()<>\[\]]")
# Separators between two names.
_SEPARATOR = re.compile(r"\s*(?:[,;/|\n\u2022\u00b7]|&(?!\w)|\band\b|\bund\b|\bet\b|\bwith\b|\+)\s*", re.IGNORECASE)
# Words before the first name.
_LEAD = re.compile(r"(?:by|hosted by|host|hosts|guest|guests|from)\b[:\s]+", re.IGNORECASE)
# A word of a name: letters, with dots, apostrophes and hyphens in it.
_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|[.'\u2019-])*")
_PARTICLE_WORDS = "al bin da das de del den der di do dos du e el ibn la le ten ter van von y zu"
PARTICLES = frozenset(_PARTICLE_WORDS.split())
_AFTER_NAMES = frozenset(("jr", "sr", "ii", "iii", "phd", "ph.d", "md", "m.d", "esq", "msc", "bsc", "mba", "dphil"))
_COMPANIES = frozenset(("ag", "co", "corp", "gmbh", "inc", "limited", "llc", "llp", "ltd", "plc", "sa", "srl"))
_OF_ORGANISATIONS = frozenset(Path(__file__).with_name("organisation_words.txt").read_text(encoding="utf-8").split())


@lru_cache(maxsize=1024)
def parse_people(byline: str, feed_title: str = "") -> tuple[str, ...]:
    """Return the personal names in a byline, in its order.

    A name has two to five words beginning as names do, and none from names of organisations;
    ``feed_title`` and parts of it are no person.

    >>> parse_people("nobody@example.com (Edward Yang, Team PyTorch)")
    ('Edward Yang',)
    >>> parse_people("Anna de la Cruz & Bo Z. Li, PhD and The Weekly Show")
    ('Anna de la Cruz', 'Bo Z. Li')
    """
    text = _BRACKET.sub("\n", _ADDRESS.sub("\n", byline[:2000]))
    names: dict[str, str] = {}
    last = ""
    for part in _SEPARATOR.split(text):
        if part.strip(" .").casefold() in _COMPANIES:
            names.pop(last, None)  # "Example Words, Inc."
            continue
        name = _bare(part)
        last = name.casefold()
        if is_person(name) and last not in feed_title.casefold():
            names.setdefault(last, name)
    return tuple(names.values())


def without_mail(byline: str) -> str:
    """Return a byline without addresses of mail, and without the brackets that they leave.

    >>> without_mail("ada@example.com (Ada Potter)"), without_mail("Ada <ada@example.com>, Bo"), without_mail("x@y.org")
    ('Ada Potter', 'Ada, Bo', '')
    """
    if (name := _ADDRESS.sub("", byline)) == byline:
        return byline
    name = " ".join(_EMPTY_BRACKETS.sub("", name).split()).replace(" ,", ",").strip(" ,;:")
    return name[1:-1] if _BRACKETED.fullmatch(name) else name


def _bare(part: str) -> str:
    """Return a name without the words before it (``by``) and the degrees after it (``PhD``)."""
    words = _LEAD.sub("", part.strip()).strip(" -:\u2013\u2014").split()
    while len(words) > 2 and words[-1].strip(".").casefold() in _AFTER_NAMES:
        words.pop()
    return " ".join(words)


def is_person(name: str) -> bool:
    """Return whether words look like a name: two to five, begun as names are, none from names of organisations."""
    words = name.split(" ")
    if not 2 <= len(words) <= 5 or len(name) > 60:
        return False
    if any(word.strip(".'\u2019").casefold() in _OF_ORGANISATIONS for word in words):
        return False
    begins_large = all(word.lower() in PARTICLES or not word[0].islower() for word in words)
    return begins_large and not words[-1][0].islower() and all(_TOKEN.fullmatch(word) for word in words)
