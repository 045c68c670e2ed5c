"""Private feeds: detecting one, and removing the data for its subscribers alone.

A feed is private if it declares so (``itunes:block``), if it needed a login, or if its address holds a key. Its keys
are replaced in all data before anything is made from it; no later module ever has them.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import replace
from html import unescape
from itertools import chain
from typing import TYPE_CHECKING

from ..keys import HIDDEN, keys_of, random_parts
from ..languages.phrase_finder import automaton, folded
from ..url import host_of, is_web, query_text, split_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model import Episode, Feed
    from .raw import RawElement

_SHORTEST = 6  # characters of a key looked for in texts: a shorter one may be a part of any word
_MARK = "\0"  # replaces a key until the address round it is cut
# The values of a channel or an item with addresses of its own.
_ADDRESSES = (
    *("self", "link", "other_page", "original", "permalink", "guid"),
    *("image", "itunes_image", "icon", "chapters"),
)
# An address in a text, behind its scheme.
_ADDRESS = re.compile(r"(?<=://)([^\s\"'<>/]*)(?:[^\s\"'<>]*[^\s\"'<>.,;:!?)])?")
# A percent-encoded character (also twice), or an entity.
_CODE = re.compile(r"%(?:25)*([2-7][0-9a-f])|&(?:#[0-9]{2,7}|#x[0-9a-f]{2,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)


def find_secrets(
    channel: RawElement, items: Iterable[RawElement], addresses: Iterable[str], *, private: bool | None
) -> Secrets | None:
    """Return the secrets of a private feed, ``None`` for a public one.

    ``addresses`` are the requested and the final ones; ``private`` overrides the detection.
    """
    own = [*addresses, channel.get("self")]
    if private is None:
        private = channel.get("block").lower() == "yes" or any(key for url in own for key in keys_of(url))
    if not private:
        return None
    home = keys_of(channel.get("link", "other_page"))
    return Secrets(chain(home, *map(_list_keys, chain(own, *map(_list_addresses, (channel, *items))))))


class Secrets:
    """The keys of a private feed, to be taken out of its texts."""

    def __init__(self, keys: Iterable[str]) -> None:
        plain = {_decode(key)[0] for key in keys}
        self._lengths = automaton({key: len(key) for key in plain if len(key) >= _SHORTEST})

    def hide(self, text: str) -> str:
        """Return ``text`` with an ellipsis in place of each key, however its characters are encoded."""
        return self._mark_keys(text).replace(_MARK, HIDDEN)

    def hide_in(self, record: RawElement) -> None:
        """Take the keys out of all data of a channel or an item."""
        hide = self.hide
        record.values = {name: hide(value) for name, value in record.values.items()}
        record.bodies = [
            replace(body, markup=self._hide_in_body(body.markup), base=hide(body.base)) for body in record.bodies
        ]
        record.authors, record.keywords = [*map(hide, record.authors)], [*map(hide, record.keywords)]
        record.transcripts = [*map(hide, record.transcripts)]
        record.people = [(hide(name), role, hide(href)) for name, role, href in record.people]
        record.sounds = [(hide(url), kind, rank) for url, kind, rank in record.sounds]
        record.chapters = [(start, hide(title), hide(href)) for start, title, href in record.chapters]

    def cut_to_hosts(self, feed: Feed) -> Feed:
        """Return a feed made from the private result of ``hide_in``: its own addresses become mere hosts."""
        return replace(
            feed,
            private=True,
            source=self.hide(feed.source),
            url=host_of(feed.url) if HIDDEN in feed.url else feed.url,
            feed_url=host_of(feed.feed_url),
            image=host_of(feed.image),
            episodes=tuple(map(_cut_to_hosts, feed.episodes)),
            warnings=tuple(map(self.hide, feed.warnings)),
            empty_because=self.hide(feed.empty_because),
            cut=self.hide(feed.cut),
        )

    def _hide_in_body(self, markup: str) -> str:
        """Return a body in which an address with a key is its host and an ellipsis: readers take it for cut."""
        marked = self._mark_keys(markup)
        if _MARK in marked:
            marked = _ADDRESS.sub(_host_of_marked, marked)
        return marked.replace(_MARK, HIDDEN)

    def _mark_keys(self, text: str) -> str:
        """Return a text with a mark in place of each key; keys that overlap get one mark.

        A key may be written with escapes, so it is found in the decoded text and replaced in the original.
        """
        if not len(self._lengths) or len(text) < _SHORTEST:
            return text
        plain, places = _decode(text)
        pieces, at = [], 0
        for start, end in sorted((last + 1 - length, last + 1) for last, length in self._lengths.iter(plain)):
            if start >= at:
                pieces += [text[places[at] : places[start]], _MARK]
            at = max(at, end)
        return "".join((*pieces, text[places[at] :])) if pieces else text


def _decode(text: str) -> tuple[str, array[int] | range]:
    """Return a text as keys are compared, decoded and in small letters, and where each of its characters is from."""
    if "%" not in text and "&" not in text:
        return folded(text), range(len(text) + 1)
    pieces: list[str] = []
    places, at = array("L"), 0
    for code in _CODE.finditer(text):
        character = chr(int(code[1], 16)) if code[1] else unescape(code[0])
        pieces += [text[at : code.start()], character]
        places.extend(range(at, code.start()))
        places.extend([code.start()] * len(character))
        at = code.end()
    places.extend(range(at, len(text) + 1))
    return folded("".join((*pieces, text[at:]))), places


def _host_of_marked(address: re.Match[str]) -> str:
    return f"{address[1].rpartition('@')[2]}/{HIDDEN}" if _MARK in address[0] else address[0]


def _list_addresses(record: RawElement) -> Iterator[str]:
    """Yield the addresses of a channel or an item of its own."""
    yield from (value for name in _ADDRESSES if is_web(value := record.values.get(name, "")))
    yield from (url for url, *_ in record.sounds)
    yield from record.transcripts


def _list_keys(url: str) -> Iterator[str]:
    """Yield the keys of an address of a private feed: all its random-looking parts."""
    parts = split_url(url)
    return chain(keys_of(url), random_parts(parts.path + query_text(parts.query)) if parts else ())


def _cut_to_hosts(episode: Episode) -> Episode:
    """Return an episode whose addresses are only their hosts: every other part may be a key."""
    guid = episode.guid
    return replace(
        episode,
        url=host_of(episode.url),
        audio_url=host_of(episode.audio_url),
        image=host_of(episode.image),
        chapters=host_of(episode.chapters),
        moments=tuple(one if HIDDEN not in one.url else replace(one, url="") for one in episode.moments),
        transcripts=tuple(dict.fromkeys(map(host_of, episode.transcripts))),
        guid=host_of(guid) if is_web(guid) else "" if HIDDEN in guid else guid,
    )
