"""The last step of reading a feed: from the shape of feedparser's results to a ``Feed`` and its ``Episode`` values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape, unescape
from typing import TYPE_CHECKING

from ..keys import HIDDEN
from ..model import Chapter, Episode, Link, Person
from ..notes.text import to_text
from ..slugs import slugify
from ..url import host_of, is_web, split_url
from .bylines import parse_people
from .dates import parse_clock, parse_date
from .values import Node, find_body, list_nodes, one_line, text_of, web_url

if TYPE_CHECKING:
    from collections import defaultdict
    from datetime import datetime

_MAXIMUM_TITLE = 1000  # characters
# A tag of emphasised words.
_EMPHASIS = re.compile(r"</?(?:em|i|b|strong|code|tt|sub|sup|u|s|cite|span|mark)(?:\s[^<>]*)?>", re.IGNORECASE)
# The end of a file of sound or pictures.
_MEDIA_SUFFIX = re.compile(r"\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|flac|wav|mp4|m4v|mov|webm|mkv)$", re.IGNORECASE)
_MAXIMUM_NOTES = 1_000_000  # characters of the notes of one item, with markup
BYLINES = ("itunes:author", ":author", "dc:creator", ":managingeditor")
IMAGES = ("itunes:image", "image", "logo", "icon")
_EXPLICIT = {"true": True, "yes": True, "explicit": True, "false": False, "no": False, "clean": False}


@dataclass(frozen=True, slots=True)
class Show:
    """Data common to all items of a feed, and the methods that read an item.

    ``title``, ``home`` (the website), ``feed_url`` and ``language`` are the show's own; ``podcast`` is its node id, ""
    for a blog. ``is_private`` means that addresses must not have a subscriber's keys. ``warnings`` collects lines for
    the user, under a key for each kind of problem.
    """

    title: str
    home: str
    feed_url: str
    podcast: str
    language: str
    is_private: bool
    warnings: defaultdict[str, list[str]]

    def list_episodes(self, entries: list[Node]) -> list[Episode]:
        """Return the items of a feed as episodes or posts, each once, in their order, still without ids.

        Items with the same guid and the same title or page are one; without a guid, items with all data the same. The
        one with the longer notes stays. An item without any identifying data is left out. Both add a warning.

        ``entries`` are the items in the shape of feedparser's entries.
        """
        positions: dict[tuple[str, ...], int] = {}  # of each key's episode among the episodes
        episodes: list[Episode] = []
        places: list[str] = []
        for number, entry in enumerate(entries, 1):
            title = read_title(entry)
            place = f'item {number} ("{_shorten(title, 60)}")' if title else f"item {number}"
            new = self._make_episode(entry, title, place)
            if not (title or new.notes or new.audio_url or new.guid or new.url or new.number):
                self.warnings["empty"].append(f"{place} is empty; it is passed over")
                continue
            # Each key identifies the item: its guid with its title, and with its page unless these are all the same.
            names = (title,) if self.is_private else (title, new.url)
            keys: list[tuple[str, ...]] = [(new.guid, same) for same in names if new.guid and same]
            keys = keys or [(new.guid, title, new.url, new.audio_url, str((new.date, new.number)), new.notes)]
            at = next((positions[key] for key in keys if key in positions), len(episodes))
            if at == len(episodes):  # a new one
                episodes.append(new)
                places.append(place)
            else:
                self.warnings["same"].append(f"{place} repeats {places[at]}; the fuller one is kept")
                episodes[at] = max(episodes[at], new, key=lambda episode: len(episode.notes))
            positions.update(dict.fromkeys(keys, at))
        return episodes

    def _make_episode(self, entry: Node, title: str, place: str) -> Episode:
        """Return the episode or post of one item of the feed, without an id.

        Args:
            entry: the item, in the shape of feedparser's entries
            title: its plain title
            place: its name in warnings, such as ``item 7``
        """
        guid, link = text_of(entry, "id"), text_of(entry, "link")
        # feedparser takes a guid for a link: a relative one is not resolved.
        page_bases = ("", "") if link == guid else (self.home, self.feed_url)
        addresses = (text_of(entry, "feedburner_origlink"), link, guid if is_web(guid) else "")
        page = next(filter(None, (web_url(address, *page_bases) for address in addresses)), "")
        bases = (page, self.home, self.feed_url)
        notes, links = self.read_text(entry, next(filter(None, bases), ""))
        if self.is_private and (is_web(guid) or HIDDEN in guid):
            guid = ""
        words = (one_line(text_of(tag, "label", "term")) for tag in list_nodes(entry, "tags"))
        transcripts = (self.clean_address(url, *bases) for (url,) in entry.get("podcast:transcript", ()))
        kind = text_of(entry, "itunes_episodetype").lower()
        return Episode(
            "", "episode" if self.podcast else "blog", self.podcast, title, notes, links, url=self.clean_address(page),
            guid=one_line(guid)[:2000], date=self._read_date(entry, place),
            duration=parse_clock(text_of(entry, "itunes_duration")) or None,
            number=_read_whole_number(entry, "itunes_episode", "podcast:episode"),
            season=_read_whole_number(entry, "itunes_season", "podcast:season"),
            audio_url=next(map(self.clean_address, list_recordings(entry, *bases)), ""),
            image=self.clean_address(text_of(entry, *IMAGES), *bases),
            explicit=_EXPLICIT.get(text_of(entry, "itunes:explicit").lower()),
            keywords=tuple({word.casefold(): word for word in words if 0 < len(word) <= 100}.values()),
            people=self.read_people(entry, bases), transcripts=tuple(dict.fromkeys(filter(None, transcripts))),
            chapters=self.clean_address(text_of(entry, "podcast:chapters"), *bases),
            moments=_read_moments(entry, bases), type=kind if kind in {"trailer", "bonus"} else "",
            uncertain=tuple(text_of(entry, "podgraph:uncertain").split()),
        )  # fmt: skip

    def read_text(self, node: Node, base: str) -> tuple[str, tuple[Link, ...]]:
        """Return the plain text of the richest body of a channel or an item (``node``), and the links in it.

        Links have offsets in the plain text. A text of more than 1,000,000 characters is cut, with a warning. ``base``
        is the address against which relative links are resolved, unless the body names one.
        """
        body = find_body(node)
        markup = text_of(body, "value")
        if len(markup) > _MAXIMUM_NOTES:
            self.warnings["long"].append(f"a text has more than {_MAXIMUM_NOTES:,} characters; the others are left out")
        markup = markup[:_MAXIMUM_NOTES].replace("></br>", "/>")
        if node["is_declared"] and text_of(body, "type") == "text/plain":
            # A body declared as plain text has no tags: < and & stand for themselves. For titles as well.
            markup = f"<span>{escape(markup, quote=False)}</span>"
        return to_text(markup, web_url(text_of(body, "base"), base) or base)

    def _read_date(self, entry: Node, place: str) -> datetime | None:
        """Return the date of publication of an item (``entry``), else of its last change; ``None`` without one.

        An unreadable date adds a warning, in which ``place`` names the item.
        """
        texts = [text for name in ("published", "updated", "created") if (text := text_of(entry, name))]
        date = next(filter(None, (parse_date(text, self.language) for text in texts)), None)
        if texts and not date:
            self.warnings["date"].append(f'{place}: its date "{one_line(texts[0][:60])}" cannot be read; it has none')
        return date

    def read_people(self, node: Node, bases: tuple[str, ...]) -> tuple[Person, ...]:
        """Return the persons of a channel or an item (``node``): those in ``podcast:person``, then those in bylines.

        Persons in ``podcast:person`` are taken as they are written; of a byline, only names that are surely a person's.
        A person without a role is a host, of a blog an author. A relative link of a person is resolved against the
        first of ``bases`` (addresses) with which it becomes an address of the web.
        """
        default_role = "host" if self.podcast else "author"
        people: dict[tuple[str, str], Person] = {}
        for text, role, href in node.get("podcast:person", ()):
            if name := one_line(text)[:200]:
                person = Person(name, one_line(role).lower()[:60] or default_role, self.clean_address(href, *bases))
                people.setdefault((slugify(name), person.role), person)
        bylines = [one_line(byline) for element in BYLINES for (byline,) in node.get(element, ())]
        names = [name for byline in bylines for name in parse_people(byline, self.title)]
        known_people = {slug for slug, _ in people}
        names = [name for name in names if slugify(name) not in known_people]
        # Reversed twice, so that the first spelling of a name counts.
        new = {slugify(name): Person(name, default_role) for name in reversed(names)}
        return (*people.values(), *reversed(new.values()))

    def clean_address(self, address: str, *bases: str) -> str:
        """Return one of the feed's own addresses as an absolute URL, of a private feed only its host; else "".

        It is resolved against the first of ``bases`` that is a web address. Any part of a private feed's address but
        the host may be the subscriber's key.
        """
        url = web_url(address, *bases)
        return host_of(url) if self.is_private else url


def _shorten(text: str, maximum: int) -> str:
    """Return ``text``, cut with an ellipsis to at most ``maximum`` characters."""
    return text if len(text) <= maximum else text[: maximum - 1] + "\N{HORIZONTAL ELLIPSIS}"


def read_title(node: Node) -> str:
    """Return the title of a channel or an item (``node``) as plain text on one line, at most 1,000 characters.

    Some publishers escape characters twice, or emphasise words with tags; both are undone.
    """
    text = one_line(text_of(node, "title", "itunes_title"))[: 8 * _MAXIMUM_TITLE]  # with markup
    kind = next((text_of(detail, "type") for detail in list_nodes(node, "title_detail")), "")
    if kind == "application/xhtml+xml" or (node["is_declared"] and kind == "text/html"):
        text = to_text(f"<span>{text}</span>")[0]
    else:
        text = re.sub(r"&#?\w{1,31};", lambda match: unescape(match[0]), _EMPHASIS.sub("", text))
    return _shorten(one_line(text), _MAXIMUM_TITLE)


def _read_moments(entry: Node, bases: tuple[str, ...]) -> tuple[Chapter, ...]:
    """Return the chapters and soundbites in an item (``entry``) itself, in the order of their times.

    ``bases`` resolve relative addresses. One without a time, or with neither words nor an address, is left out.
    """
    # Both elements are read as (time, words, address). An ellipsis in an address shows that it had a key.
    moments = [
        Chapter(start, one_line(words)[:_MAXIMUM_TITLE], "" if HIDDEN in href else web_url(href, *bases))
        for text, words, href in (*entry.get("podcast:soundbite", ()), *entry.get("psc:chapter", ()))
        if (start := parse_clock(text)) is not None and (words or href)
    ]
    return tuple(sorted(moments, key=lambda chapter: chapter.start))


def _read_whole_number(node: Node, *names: str) -> int | None:
    """Return the whole number ("12", "+3.0") under the first of ``names`` that has a text; ``None`` if that is not one.

    ``node`` is a channel or an item.
    """
    match = re.fullmatch(r"\+?([0-9]{1,9})(?:\.0*)?", text_of(node, *names))
    return int(match[1]) if match else None


def list_recordings(entry: Node, *bases: str) -> list[str]:
    """Return the addresses of the sound and video of an item (``entry``), the best first.

    Enclosures come before media of Media RSS; of each, files declared as sound come first, then video, then files with
    the suffix of sound or video, then enclosures of unknown type. ``bases`` resolve relative addresses.
    """
    ranks: list[tuple[int, str]] = []
    enclosures = [link for link in list_nodes(entry, "links") if text_of(link, "rel") == "enclosure"]
    for penalty, sounds in ((0, enclosures), (4, list_nodes(entry, "media_content"))):
        for sound in sounds:
            url = web_url(text_of(sound, "href", "url"), *bases)
            kind = text_of(sound, "type", "mime_type", "medium").lower()
            parts, family = split_url(url), kind.partition("/")[0]
            if parts and not parts.host.partition(":")[0].endswith(".invalid"):  # a placeholder (RFC 2606)
                is_unknown = kind in {"", "application/octet-stream"} and not penalty
                signs = (family == "audio", family == "video", _MEDIA_SUFFIX.search(parts.path), is_unknown)
                # The first sign that holds is the rank; without any it is not a recording.
                ranks += [(penalty + rank, url) for rank, sign in enumerate(signs) if sign][:1]
    return [url for _, url in sorted(ranks, key=lambda ranked: ranked[0])]
