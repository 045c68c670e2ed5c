"""A broken feed, item by item: well-formed items are read strictly, only broken ones loosely.

So one broken item costs nothing but itself, and no loose reading touches the URLs of the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape

from .bodies import richest
from .markup import read_xml
from .mend import Pieces, cut_up
from .raw import Body, RawElement, RawFeed
from .xml_reader import MOST_ITEMS, FeedTarget

_TOGETHER = 128
_MOST_LOOSE = 10_000
MOST_LOOSE_TAGS = 200_000  # of broken items in sum, and of a document read loosely: some seconds
# An element with a body, and its text.
_BODY = re.compile(
    r"<(?P<name>content:encoded|content|description|summary|itunes:summary)(?=[\s>])[^<>]*>(?P<inner>.*?)</(?P=name)\s*>",
    re.DOTALL | re.IGNORECASE,
)
# A CDATA section, to the end of the text if it is not closed.
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*?)(?:\]\]>\s*|\Z)", re.DOTALL)
_RANKS = {"content:encoded": 0, "content": 0, "description": 1, "summary": 1, "itunes:summary": 2}
# Marks of a podcast's feed.
_SPOKEN = re.compile(r"<(?:itunes|podcast):[a-z]|<enclosure[\s>]", re.IGNORECASE)
# The mark of a private feed: feedparser reads it in two spellings alone.
_BLOCK = re.compile(r"<itunes:block>\s*(?:<!\[CDATA\[\s*)?yes\b", re.IGNORECASE)
_ADDRESSES = ("link", "page", "other_page", "permalink", "original", "itunes_image", "image", "chapters")


def salvage(text: str, loose: Callable[[bytes], RawFeed]) -> RawFeed | None:
    """Read a mended feed, still malformed; ``None`` when it holds no feed.

    ``loose`` reads a document of one item somehow. A URL from it counts only where the source has this very URL, and
    bodies are taken as written.
    """
    pieces = cut_up(text)
    if pieces is None:
        return None
    feed = _read_strictly(pieces.document(pieces.head)) or loose(pieces.document(pieces.head))
    feed.items = []
    feed.channel.put("block", "yes" if _BLOCK.search(pieces.head) else "")
    feed.spoken = _SPOKEN.search(text) is not None
    if len(pieces.items) > MOST_ITEMS:
        feed.warnings.append(f"the feed has more than {MOST_ITEMS} items; the rest is left out")
    broken = tags = 0
    for position, item, chunk in _items(pieces):
        if item is not None:
            item.position = position
            feed.items.append(item)
            continue
        broken += 1
        tags += chunk.count("<")
        is_little = broken <= _MOST_LOOSE and tags <= MOST_LOOSE_TAGS
        read = _read_loosely(chunk, pieces, loose) if is_little else None
        if read is None:
            feed.warnings.append(f"item {position} is broken XML; it is passed over")
        else:
            read.position = position
            feed.items.append(read)
            feed.warnings.append(f"item {position} is broken XML; it is read as far as it can be")
    if pieces.cut:
        feed.cut = "the feed ends in the middle of an item, which is passed over"
    elif f"</{pieces.name}" not in pieces.head:
        feed.cut = f"the feed's end (</{pieces.name}>) is missing"
    return feed


def _read_strictly(document: bytes) -> RawFeed | None:
    target = FeedTarget()
    return target.feed if read_xml(document, target) is None else None


def _items(pieces: Pieces) -> Iterator[tuple[int, RawElement | None, str]]:
    """Give (position, item, source text) in order; the item is missing where its text is broken."""
    ranges = [(at, min(at + _TOGETHER, len(pieces.items))) for at in range(0, len(pieces.items), _TOGETHER)][::-1]
    while ranges:
        start, end = ranges.pop()
        if start >= MOST_ITEMS:
            return
        feed = _read_strictly(pieces.document(*pieces.items[start:end]))
        if feed is not None and len(feed.items) == end - start:
            for offset, item in enumerate(feed.items):
                yield start + offset + 1, item, pieces.items[start + offset]
        elif end - start == 1:
            yield end, None, pieces.items[start]
        else:
            middle = (start + end) // 2
            ranges += [(middle, end), (start, middle)]


def _read_loosely(chunk: str, pieces: Pieces, loose: Callable[[bytes], RawFeed]) -> RawElement | None:
    """Return the item in a broken ``chunk``, read by the ``loose`` parser, or ``None``.

    A loose parser may change what it reads. So an address stays only if the chunk contains it, and bodies are taken
    from the chunk.
    """
    read = loose(pieces.document(chunk)).items
    if not read:
        return None
    item = read[0]
    written = unescape(chunk)
    for name in _ADDRESSES:
        if name in item.values and item.values[name] not in written:
            del item.values[name]
    item.enclosures = [enclosure for enclosure in item.enclosures if enclosure[0] in written]
    if bodies := [_body(match) for match in _BODY.finditer(chunk)]:
        item.bodies = richest(bodies)
    return item


def _body(match: re.Match[str]) -> Body:
    """Return a body as written between its tags: the content of a CDATA section, or escaped text decoded."""
    inner = match["inner"]
    section = _CDATA.match(inner)
    if section:
        inner = section[1]
    elif "<" not in inner:
        inner = unescape(inner)
    return Body(inner.strip(), _RANKS[match["name"].lower()])
