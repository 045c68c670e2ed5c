"""Private feeds: detecting one, and removing the data for its subscribers alone.

A feed is private if it declares so (``itunes:block``), if it needed a login, or if its address holds a key. Its keys
are replaced in all data before anything is made from it; no later module ever has them.
"""

from __future__ import annotations

import re
from html import unescape
from itertools import chain
from typing import Any
from urllib.parse import unquote

from ..keys import HIDDEN, find_random_parts, keys_of
from ..languages.phrase_finder import automaton, fold_case
from ..url import host_of, is_web, query_text, split_url
from .values import Node, list_nodes, text_of

_MARK = "\0"  # replaces a key until the address round it is cut
# Text without white space and quotes, such as an address.
_TOKEN = re.compile(r"[^\s\"'<>]*[^\s\"'<>.,;:!?)]")


def find_secrets(feed: Node, addresses: tuple[str, ...], *, private: bool | None) -> Secrets | None:
    """Return the keys of a private feed, to hide them in its texts; ``None`` for a public feed.

    A feed is private if it declares so (``itunes:block``), or if one of its addresses has a key.

    Args:
        feed: the whole feed, in the shape of feedparser's results
        addresses: the feed's own addresses: the requested, the final and the declared one; "" for an unknown one
        private: overrides the detection; ``None``: detect
    """
    channel = feed["feed"]
    keys = {key for url in addresses for key in keys_of(url)}
    is_private = text_of(channel, "itunes:block").lower() == "yes" or bool(keys)
    if not (is_private if private is None else private):
        return None
    keys.update(keys_of(text_of(channel, "link")))
    for url in chain(addresses, *map(_list_addresses, (channel, *feed["entries"]))):
        if is_web(url) and (parts := split_url(url)):
            keys.update(keys_of(url), find_random_parts(parts.path + query_text(parts.query)))
    return Secrets(keys)


class Secrets:
    """The keys of a private feed, which give access to it, to be taken out of its texts."""

    def __init__(self, keys: set[str]) -> None:
        # A key of fewer characters may be a part of any word.
        self._keys = automaton({key: key for key in map(_decode, keys) if len(key) >= 6})

    def hide(self, value: Any) -> Any:
        """Return a value with an ellipsis in place of each key in all its texts, however the key is encoded.

        The value is a text, or dictionaries, lists and tuples of texts; other values stay. An address with a key
        becomes its host and an ellipsis, so later steps take it for a truncated link.
        """
        if isinstance(value, dict):
            return {name: self.hide(part) for name, part in value.items()}
        if type(value) in {list, tuple}:
            return type(value)(map(self.hide, value))
        if not isinstance(value, str) or not (keys := self._find_keys(value)):
            return value
        pattern = "|".join(map(re.escape, sorted(keys, key=len, reverse=True)))
        text = re.sub(pattern, _MARK, value, flags=re.IGNORECASE)
        return _TOKEN.sub(self._hide_token, text).replace(_MARK, HIDDEN)

    def _hide_token(self, token: re.Match[str]) -> str:
        """Return a word or an address without keys: of one with a key, only scheme and host stay, with an ellipsis.

        ``token`` is a match of the word or address, in which keys may be replaced by ``_MARK`` already.
        """
        if _MARK not in token[0] and not self._find_keys(token[0]):
            return token[0]
        before, _, address = token[0].partition("://")
        host = host_of(f"https://{address}")
        return f"{before}://{host}/{HIDDEN}" if host else HIDDEN

    def _find_keys(self, text: str) -> set[str]:
        """Return the keys that a text contains, as ``_decode`` spells them."""
        return {key for _, key in self._keys.iter(_decode(text))} if len(self._keys) else set()


def _decode(text: str) -> str:
    """Return a text in the spelling in which keys are compared: entities and percent-codes decoded, in lower case.

    It is decoded until nothing changes, because a key may be encoded twice.

    >>> _decode("K%2526Y")
    'k&y'
    """
    while text != (text := unescape(unquote(text))):
        pass
    return fold_case(text)


def _list_addresses(node: Node) -> list[str]:
    """Return all addresses of a channel or an item (``node``) itself, not those in its notes; some may be ""."""
    names = ("link", "id", "feedburner_origlink", "itunes:image", "image", "logo", "icon", "podcast:chapters")
    media = (*list_nodes(node, "links"), *list_nodes(node, "media_content"))
    transcripts = [url for (url,) in node.get("podcast:transcript", ())]
    return [*(text_of(node, name) for name in names), *(text_of(link, "href", "url") for link in media), *transcripts]
