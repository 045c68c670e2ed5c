"""The parts of an item's title: its number, the series it belongs to, its guest, and what it is about."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ..languages.language import first_names
from ..languages.language import language as known_language
from ..languages.phrase_finder import Finder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..languages.language import Language

# What parts a title: a colon, a dash between spaces, a bar, brackets round a whole part.
_PARTED: Final = re.compile(
    r"\s*[:\uff1a|\uff5c\uff0f]\s+|\s+[-\u2013\u2014\u2022·/]+\s+|[\uff1a\uff5c]|\s*[\u3010\u3011\u300c\u300d\u300e\u300f()\uff08\uff09\[\]]\s*|\u2014"
)
_SERIES_LEAST, _SERIES_SHARE, _SERIES_MOST = 3, 0.04, 0.5  # titles that have a part of the same name
_CAPITAL: Final = r"[^\W\d_a-z\u0430-\u044f\u0451][\w.'\u2019-]*"  # a word that begins with a capital, or has no case
_OF: Final = "(?:van|von|de|der|da|di|la|el|bin)"  # small words inside of names
_NAME: Final = re.compile(rf"{_CAPITAL}(?:\s+{_OF})*(?:\s+{_CAPITAL}){{0,3}}")
_JOINED: Final = re.compile(r"\s*(?:,|&|\+|\band\b|\bund\b|\bet\b|\by\b|\be\b|\bи\b)\s*", re.IGNORECASE)


class Title(NamedTuple):
    """A title taken apart: the parts that say what it is about, the series it names, the guests behind a “with”."""

    parts: tuple[str, ...]
    series: tuple[str, ...]
    guests: tuple[str, ...]


def split_titles(titles: Sequence[str], show: str, language: Language) -> list[Title]:
    """Take the titles of a feed apart; ``show`` is its own title, which says nothing in an item's.

    A part that several titles share is their series, unless most have it.
    """
    split = [_parts(title, show, language) for title in titles]
    number = _item_number(language)
    spread = Counter(key for parts in split for key in {_key(part, number) for part in parts})
    least = max(_SERIES_LEAST, _SERIES_SHARE * len(titles))
    shared = {key for key, count in spread.items() if key and count >= least}
    common = {key for key in shared if spread[key] > _SERIES_MOST * len(titles)}
    found = []
    for parts in split:
        several = len(parts) > 1 or bool(parts and number.search(parts[0]))
        series = [part for part in parts if _key(part, number) in shared] if several else []
        rest = [part for part in parts if part not in series]
        guests, kept = _without_guests(rest, language)
        named = tuple(name for part in series if (name := number.sub("", part)) and _key(part, number) not in common)
        found.append(Title(kept, named, guests))
    return found


def _parts(title: str, show: str, language: Language) -> list[str]:
    """Return the parts of a title without its number and the name of the show."""
    name = show.casefold().strip()
    parts = []
    for part in _PARTED.split(_numbering(language).sub("", title.strip())):
        text = _numbering(language).sub("", part or "").strip(" .,!\u2026*")
        if name and text.casefold().startswith(name):
            text = _numbering(language).sub("", text[len(name) :].strip(" -:#")).strip()
        if any(map(str.isalpha, text)):
            parts.append(text)
    return parts


def _number_words(language: Language) -> str:
    """Return a pattern of the words beside an item's number, in the language and in English: `episode`, `part`."""
    words = {re.escape(word) for one in (language, known_language("en")) for word in one.numbering}
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


@lru_cache(maxsize=16)
def _item_number(language: Language) -> re.Pattern[str]:
    """Return a pattern of the number behind a series' name: ` 202007`, ` #12`, ` episode 3`, `, part 2: Flour`."""
    return re.compile(rf"(?i)[\s,.:(\u2013\u2014-]*(?:\b(?:{_number_words(language)}))?\s*[#№]?\s*\d.*")


@lru_cache(maxsize=16)
def _numbering(language: Language) -> re.Pattern[str]:
    """Return what counts an item at the beginning of a title or its part: `Episode 12:`, `#12 -`, `第12回`, `12.`."""
    words = _number_words(language)
    return re.compile(
        rf"(?i)^(?:(?:{words})\s*)?[#№]?\s*\d+(?:[.]\d+)?\s*(?:{words})?\s*(?:[.:\uff1a)|\u2013\u2014-]+\s*|\s+|$)"
    )


def _key(part: str, number: re.Pattern[str]) -> str:
    return number.sub("", part).strip(" .,:!#-").casefold()


def _without_guests(parts: Sequence[str], language: Language) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the guests of a title's parts, and the parts without them."""
    guests: list[str] = []
    kept = []
    for part in parts:
        cues = list(_guest_words(language).finditer(part))
        names = person_names(part[cues[-1].end() :]) if cues else []
        guests += names
        subject = part[: cues[-1].start()] if names else part
        if subject.strip():
            kept.append(subject.strip(" ,("))
    return tuple(guests), tuple(kept)


@lru_cache(maxsize=16)
def _introductions(language: Language) -> tuple[re.Pattern[str], Finder]:
    """Return what introduces persons: a label of a line ("Hosts: …"), and words before a name ("talks with …")."""
    both = (language, known_language("en"))
    labels, speaks, towards = (
        "|".join(sorted({re.escape(word) for one in both for word in getattr(one, name)}))
        for name in ("credits", "speaks", "towards")
    )
    label = re.compile(rf"(?im)^\W*(?:{labels})\s*[:\uff1a]\s*(?P<names>[^\n]{{2,160}})")
    name = rf"{_CAPITAL}(?:\s{_OF})?(?:\s{_CAPITAL}){{1,2}}"
    cues = [word for one in both for word in one.speaks]
    return label, Finder(rf"(?<!\w)(?i:{speaks})(?: (?i:{towards}))* (?P<name>{name})", cues, flags=0)


def introduced(text: str, language: Language) -> list[str]:
    """Return the names of persons that notes introduce.

    >>> from podgraph.extractors.languages.language import language
    >>> introduced("Bo talks with Ann Lee about tar. Hosts: Bo Ray", language("en"))
    ['Ann Lee']
    """
    label, speaks = _introductions(language)
    labelled = label.finditer(text) if ":" in text or "\uff1a" in text else ()
    names = [name for match in labelled for name in person_names(match["names"])]
    return names + [match["name"] for match in speaks.finditer(text)]


@lru_cache(maxsize=16)
def _guest_words(language: Language) -> re.Pattern[str]:
    words = "|".join(
        sorted(
            {re.escape(word) for one in (language, known_language("en")) for word in one.guests}, key=len, reverse=True
        )
    )
    return re.compile(rf"(?i)(?:^|[\s(,])(?:{words})[:\uff1a]?\s+")


def person_names(text: str) -> list[str]:
    """Return the names of persons that a text consists of, [] where it is anything else.

    A name is two to four capitalised words, or one that is a first name.

    >>> person_names("Ann Lee and Bob"), person_names("Docker"), person_names("the best oven")
    (['Ann Lee', 'Bob'], [], [])
    """
    names = [name.strip(" .()") for name in _JOINED.split(text.strip(" .()!"))]
    if not names or not all(_NAME.fullmatch(name) for name in names):
        return []
    known = first_names()
    return names if any(len(name.split()) > 1 or name.casefold() in known for name in names) else []


def in_order(items: Iterable[tuple[str, str]]) -> list[int]:
    """Return the places of (date, id) in their order, those without a date last."""
    listed = list(items)
    return sorted(range(len(listed)), key=lambda place: (not listed[place][0], listed[place]))
