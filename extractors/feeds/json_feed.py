"""JSON Feed 1.0 and 1.1 (jsonfeed.org): to the same raw feed that the XML readers make."""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import FeedError
from .bodies import richest
from .raw import Body, RawFeed, Record
from .xml_reader import MOST_ITEMS

_SURROGATE = re.compile("[\ud800-\udfff]")  # halves of characters, which JSON alone can write
_VERSION = "jsonfeed.org/version/1"


def parse_json_feed(data: bytes, *, source: str) -> RawFeed:
    """Read a JSON Feed (UTF-8). What has the wrong type is passed over; an item that is none gets a warning.

    Raises ``FeedError`` for JSON that is broken or no feed.

    >>> data = b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": 7}]}'
    >>> feed = parse_json_feed(data, source="feed.json")
    >>> feed.items[0].get("guid")
    '7'
    """
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise FeedError(
            f"is not readable JSON ({where})", source=source, remedy="fetch it again, it may be cut off"
        ) from error
    if not isinstance(document, dict) or not _is_feed(document):
        raise FeedError("is JSON, but no JSON Feed", source=source, remedy="give the feed's own URL")
    feed = RawFeed()
    channel = feed.channel
    channel.put("title", _text(document, "title"))
    channel.put("link", _text(document, "home_page_url"))
    channel.put("self", _text(document, "feed_url"))
    channel.put("image", _text(document, "icon"))
    channel.put("language", _text(document, "language"))
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
            feed.spoken = feed.spoken or bool(feed.items[-1].enclosures)
        else:
            feed.warnings.append(f"item {index + 1} is no object; it is passed over")
    return feed


def _is_feed(document: dict[str, Any]) -> bool:
    return _VERSION in _text(document, "version") or (
        isinstance(document.get("items"), list) and ("home_page_url" in document or "feed_url" in document)
    )


def _item(item: dict[str, Any], position: int) -> Record:
    record = Record(position=position)
    record.put("guid", _text(item, "id"))
    record.put("permalink", _text(item, "id"))
    record.put("title", _text(item, "title"))
    record.put("link", _text(item, "url"))
    record.put("other_page", _text(item, "external_url"))
    record.put("published", _text(item, "date_published"))
    record.put("updated", _text(item, "date_modified"))
    record.put("image", _text(item, "image"))
    bodies = (("content_html", 0, "html"), ("content_text", 0, "text"), ("summary", 2, "text"))
    for name, rank, kind in bodies:
        if text := _text(item, name):
            record.bodies.append(Body(text, rank, kind))
    record.bodies = richest(record.bodies)
    record.authors = _authors(item)
    record.keywords = [tag for tag in _list(item, "tags") if isinstance(tag, str)]
    for attachment in _list(item, "attachments"):
        if isinstance(attachment, dict):
            record.enclosures.append((_text(attachment, "url"), _text(attachment, "mime_type")))
            record.put("duration", _text(attachment, "duration_in_seconds"))
    return record


def _authors(node: dict[str, Any]) -> list[str]:
    """Read ``authors`` (1.1), else ``author`` (1.0)."""
    authors = _list(node, "authors") or [node.get("author")]
    return [name for author in authors if isinstance(author, dict) and (name := _text(author, "name"))]


def _list(node: dict[str, Any], name: str) -> list[Any]:
    value = node.get(name)
    return value if isinstance(value, list) else []


def _text(node: dict[str, Any], name: str) -> str:
    """Return a string, or a number as one: ids and durations come as either."""
    value = node.get(name)
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return _SURROGATE.sub("\ufffd", str(value)).strip()
