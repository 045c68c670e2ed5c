"""One string of a feed to one value of an episode: titles, dates, texts, sound, persons."""

from __future__ import annotations

import re
from collections import Counter
from html import escape, unescape
from typing import TYPE_CHECKING, TypeVar

from ..model import Chapter, Link, Person
from ..notes.text import to_text
from ..slugs import slugify
from ..url import split_url
from .bylines import parse_people
from .dates import is_guess, parse_clock, parse_date
from .web_urls import web_url

if TYPE_CHECKING:
    from datetime import datetime

    from .raw import RawElement

T = TypeVar("T")

LONGEST_TITLE = 1000
LONGEST_BODY = 10_000_000
MOST_VALUES = 500  # of each kind: persons, transcripts, keywords of one item

# Controls, lone surrogates and code points without a character.
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
# An HTML entity.
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Emphasised words.
_EMPHASIS = re.compile(
    r"<(em|i|b|strong|code|tt|sub|sup|u|s|cite|span|mark)(?:\s[^<>]*)?>([^<>]*)</\1\s*>", re.IGNORECASE
)
# A whole number.
_WHOLE = re.compile(r"\+?([0-9]{1,9})(?:\.0*)?")
# The end of a file of sound or pictures.
_MEDIA_SUFFIX = re.compile(r"\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|flac|wav|mp4|m4v|mov|webm|mkv)$", re.IGNORECASE)


class Warnings:
    """Warnings for a reader of the feed: one line for each kind, with the first case and how many more there are."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def add(self, line: str, kind: str = "") -> None:
        """Take one more line; lines of one ``kind`` are counted."""
        self._first.setdefault(kind or line, line)
        self._counts[kind or line] += 1

    def list_lines(self) -> tuple[str, ...]:
        """Return the lines."""
        each = ((line, self._counts[kind] - 1) for kind, line in self._first.items())
        return tuple(f"{line} (and {more} more like it)" if more else line for line, more in each)


def one_line(text: str) -> str:
    r"""Return ``text`` on one line: white space folded, control characters and lone surrogates gone.

    >>> one_line(" a\x07 \n b\ud800 ")
    'a b'
    """
    return " ".join(_UNSEEN.sub("", text).split())


def read_title(record: RawElement, warnings: Warnings) -> str:
    """Read a title: plain text, with characters escaped twice and words emphasised by some publishers."""
    raw = record.get("title", "other_title")
    if record.title_kind == "html":
        text = one_line(to_text(f"<span>{raw[: 8 * LONGEST_TITLE]}</span>")[0])
    else:
        text = one_line(raw)[: 2 * LONGEST_TITLE]
        if "<" in text:
            text = _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text))
        if "&" in text:
            text = one_line(_REFERENCE.sub(lambda match: unescape(match[0]), text))
    if len(text) > LONGEST_TITLE:
        warnings.add(f"{record.place()}: its title is cut after {LONGEST_TITLE} characters")
        text = text[: LONGEST_TITLE - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return text


def read_date(record: RawElement, language: str, warnings: Warnings) -> datetime | None:
    """Read the date of publication, else of the last change; warn of an unreadable one.

    A guessed one has a warning, too, and is marked as uncertain in the record.
    """
    texts = [text for name in ("published", "updated", "created") if (text := record.get(name))]
    for text in texts:
        if date := parse_date(text, language):
            if is_guess(text):
                record.uncertain.append("date")
                problem = f'its date "{one_line(text[:60])}" is taken for {date.date()}, which is not certain'
                warnings.add(f"{record.place()}: {problem}", "guess")
            return date
    if texts:
        warnings.add(f'{record.place()}: its date "{one_line(texts[0][:60])}" cannot be read; it has none', "date")
    return None


def read_page(record: RawElement, home: str, feed_url: str) -> str:
    """Return the item's link; behind a click counter the original one, without a link a guid with an address."""
    found = (web_url(record.get(name), home, feed_url) for name in ("original", "link", "other_page"))
    return next(filter(None, found), "") or web_url(record.get("permalink"))


def read_text(record: RawElement, base: str, warnings: Warnings) -> tuple[str, tuple[Link, ...]]:
    """Return the plain text of the record's (one) body and the links in it."""
    if not record.bodies:
        return "", ()
    body = record.bodies[0]
    markup = body.markup
    if len(markup) > LONGEST_BODY:
        # Never inside a word: it may be a URL.
        markup = markup[: max(markup.rfind(stop, 0, LONGEST_BODY) for stop in "< \n") + 1].rstrip("<")
        warnings.add(f"{record.place()}: its text is cut after {LONGEST_BODY} characters")
    if body.kind == "text":
        # The element around it declares markup, so nothing is decoded twice; for titles as well.
        markup = f"<span>{escape(markup, quote=False)}</span>"
    return to_text(markup, web_url(body.base, base) or base)


def read_whole(record: RawElement, *names: str) -> int | None:
    """Return the first whole number under the names."""
    matches = (_WHOLE.fullmatch(record.get(name).strip()) for name in names)
    return next((int(match[1]) for match in matches if match), None)


def read_audio(record: RawElement, bases: tuple[str, ...]) -> str:
    """Return the first enclosure of audio, else of video, else with the look of either."""
    best = ("", 9)
    for written, kind, penalty in record.sounds:
        url = web_url(written, *bases)
        parts = split_url(url) if url else None
        if parts is None or parts.host.partition(":")[0].endswith(".invalid"):  # a placeholder (RFC 2606)
            continue
        family = kind.strip().lower().partition("/")[0]
        rank = ("audio", "video").index(family) if family in {"audio", "video"} else 2
        if rank == 2 and not _MEDIA_SUFFIX.search(parts.path):
            continue
        if rank + 3 * penalty < best[1]:
            best = (url, rank + 3 * penalty)
    return best[0]


def is_recording(url: str, kind: str, rank: int) -> bool:
    """Return whether a source of an item is sound or video; an enclosure (rank 0) is, unless it is a picture."""
    family = kind.strip().lower().partition("/")[0]
    return family in {"audio", "video"} or (
        family not in {"image", "text"} and (not rank or _MEDIA_SUFFIX.search(url.partition("?")[0]) is not None)
    )


def read_moments(record: RawElement, bases: tuple[str, ...], warnings: Warnings) -> tuple[Chapter, ...]:
    """Return the chapters and soundbites in the feed, by their time; those without a time are left out."""
    found = []
    for start, title, href in _first(record.chapters, record, "chapters", warnings):
        moment = parse_clock(start)
        if moment is not None and (title or href):
            found.append(Chapter(moment, one_line(title)[:LONGEST_TITLE], web_url(href, *bases)))
    return tuple(sorted(found, key=lambda one: one.start))


def read_urls(record: RawElement, bases: tuple[str, ...], warnings: Warnings) -> tuple[str, ...]:
    """Return the addresses of the record's transcripts."""
    written = _first(record.transcripts, record, "transcripts", warnings)
    return tuple(dict.fromkeys(filter(None, (web_url(url, *bases) for url in written))))


def read_keywords(record: RawElement, warnings: Warnings) -> tuple[str, ...]:
    """Return the keywords and categories, each once."""
    words: dict[str, str] = {}
    for raw in _first(record.keywords, record, "keywords", warnings):
        if 0 < len(word := one_line(raw)) <= 100:
            words.setdefault(word.casefold(), word)
    return tuple(words.values())


def read_people(
    record: RawElement, role: str, feed_title: str, bases: tuple[str, ...], warnings: Warnings
) -> tuple[Person, ...]:
    """Take the persons of the podcast namespace unchanged, and from the bylines only certain names."""
    people: dict[tuple[str, str], Person] = {}
    for raw, said, href in _first(record.people, record, "persons", warnings):
        if name := one_line(raw)[:200]:
            person = Person(name, one_line(said).lower()[:60] or role, web_url(href, *bases))
            people.setdefault((slugify(name), person.role), person)
    known = {slug for slug, _ in people}
    for byline in _first(record.authors, record, "authors", warnings):
        for name in parse_people(one_line(byline), feed_title):
            if (slug := slugify(name)) not in known:
                known.add(slug)
                people[slug, role] = Person(name, role)
    return tuple(people.values())


def _first(values: list[T], record: RawElement, what: str, warnings: Warnings) -> list[T]:
    if len(values) <= MOST_VALUES:
        return values
    warnings.add(f"{record.place()}: has more than {MOST_VALUES} {what}; the rest is left out")
    return values[:MOST_VALUES]
