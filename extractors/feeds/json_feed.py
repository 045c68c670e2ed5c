"""JSON Feed 1.0 and 1.1 (jsonfeed.org): to a raw feed as the XML readers make it."""

from __future__ import annotations

import json
import re

from ..errors import FeedError
from ..printable import why_unreadable
from .bodies import richest
from .raw import MOST_ITEMS, Body, RawElement, RawFeed

# Halves of characters: JSON alone can write them.
_SURROGATE = re.compile("[\ud800-\udfff]")
_VERSION = "jsonfeed.org/version/1"
# Our name for a value, and JSON Feed's.
_CHANNEL = (
    ("title", "title"), ("link", "home_page_url"), ("self", "feed_url"), ("image", "icon"), ("language", "language"),
    ("next", "next_url"),
)  # fmt: skip
_ITEM = (
    ("guid", "id"), ("permalink", "id"), ("title", "title"), ("link", "url"), ("other_page", "external_url"),
    ("published", "date_published"), ("updated", "date_modified"), ("image", "image"),
)  # fmt: skip
# The fields of an item's texts, their rank among equally long ones, and their text types.
_BODIES = (("content_html", 0, "html"), ("content_text", 0, "text"), ("summary", 2, "text"))


def parse_json_feed(data: bytes, *, source: str) -> RawFeed:
    """Read a JSON Feed (UTF-8). Values of a wrong type are skipped; an item other than an object gets a warning.

    Raises ``FeedError`` for broken JSON and for JSON other than a feed.

    >>> data = b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": 7}]}'
    >>> feed = parse_json_feed(data, source="feed.json")
    >>> feed.items[0].get("guid")
    '7'
    """
    document = _load(data, source)
    if not isinstance(document, dict) or not _is_feed(document):
        raise FeedError("is JSON, but no JSON Feed", source=source, remedy="give the feed's own URL")
    feed = RawFeed()
    channel = feed.channel
    _put(channel, document, _CHANNEL)
    if description := _text(document, "description"):
        channel.bodies.append(Body(description, 1, "text"))
    channel.authors = _authors(document)
    items = document.get("items")
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if index >= MOST_ITEMS:
            feed.warnings.append(f"the feed has more than {MOST_ITEMS} items; the rest is left out")
            break
        if isinstance(item, dict):
            feed.items.append(_item(item, index + 1))
            feed.spoken = feed.spoken or bool(feed.items[-1].sounds)
        else:
            feed.warnings.append(f"item {index + 1} is not an object; skipped")
    return feed


def _load(data: bytes, source: str) -> object:
    """Return the parsed JSON. Raise ``FeedError`` for text that is not JSON."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        where = (
            f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else why_unreadable(error)
        )
        problem = f"is not readable JSON ({where})"
        raise FeedError(problem, source=source, remedy="fetch it again, it may be cut off") from error


def _is_feed(document: dict[str, object]) -> bool:
    return _VERSION in _text(document, "version") or (
        isinstance(document.get("items"), list) and ("home_page_url" in document or "feed_url" in document)
    )


def _put(record: RawElement, node: dict[str, object], names: tuple[tuple[str, str], ...]) -> None:
    for ours, theirs in names:
        record.put(ours, _text(node, theirs))


def _item(item: dict[str, object], position: int) -> RawElement:
    """Return an item of a JSON Feed as a raw element."""
    record = RawElement(position=position)
    _put(record, item, _ITEM)
    for name, rank, kind in _BODIES:
        if text := _text(item, name):
            record.bodies.append(Body(text, rank, kind))
    record.bodies = richest(record.bodies)
    record.authors = _authors(item)
    record.keywords = [tag for tag in _list(item, "tags") if isinstance(tag, str)]
    for attachment in _list(item, "attachments"):
        if isinstance(attachment, dict):
            record.sounds.append((_text(attachment, "url"), _text(attachment, "mime_type"), 0))
            record.put("duration", _text(attachment, "duration_in_seconds"))
    return record


def _authors(node: dict[str, object]) -> list[str]:
    """Read ``authors`` (1.1), else ``author`` (1.0)."""
    authors = _list(node, "authors") or [node.get("author")]
    return [name for author in authors if isinstance(author, dict) and (name := _text(author, "name"))]


def _list(node: dict[str, object], name: str) -> list[object]:
    value = node.get(name)
    return value if isinstance(value, list) else []


def _text(node: dict[str, object], name: str) -> str:
    """Return a string, or a number as one: ids and durations come as either."""
    value = node.get(name)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return _SURROGATE.sub("\ufffd", str(value)).strip()
