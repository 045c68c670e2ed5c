"""JSON Feed 1.0 and 1.1 (jsonfeed.org): read into the shape of feedparser's results."""

from __future__ import annotations

from json import JSONDecodeError, loads

from ..errors import FeedError
from ..printable import why_unreadable
from .values import Node, list_nodes, text_of

_BODIES = (("content_html", "text/html"), ("content_text", "text/plain"), ("summary", "text/plain"))


def read_json_feed(data: bytes, source: str) -> Node:
    """Return a JSON Feed 1.0 or 1.1 (jsonfeed.org) in the shape of feedparser's results, as ``read_xml_feed`` does.

    The result has ``feed`` (the channel), ``entries`` (the items), ``is_show``, ``warnings`` and ``cut``. Values of a
    wrong type are left out; an item that is not an object is empty.

    Args:
        data: the feed in UTF-8
        source: its name in errors

    Raises:
        FeedError: the JSON is broken, or is not a feed

    >>> data = b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": 7}]}'
    >>> read_json_feed(data, "feed.json")["entries"][0]["id"]
    '7'
    """
    try:
        document = loads(data)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}: {error.msg}" if isinstance(error, JSONDecodeError) else why_unreadable(error)
        problem = f"is not readable JSON ({where})"
        raise FeedError(problem, source=source, remedy="fetch it again, it may be cut off") from error
    document = document if isinstance(document, dict) else {}
    items = document["items"] if isinstance(document.get("items"), list) else []
    if "jsonfeed.org/version/1" not in text_of(document, "version") and not (items and "home_page_url" in document):
        raise FeedError("is JSON, but no JSON Feed", source=source, remedy="give the feed's own URL")
    addresses = (("self", "feed_url"), ("next", "next_url"))
    channel = {
        "is_declared": True, "title": text_of(document, "title"), "link": text_of(document, "home_page_url"),
        "icon": text_of(document, "icon"), "language": text_of(document, "language"),
        "links": [{"rel": rel, "href": text_of(document, name)} for rel, name in addresses],
        "content": [{"type": "text/plain", "value": text_of(document, "description")}],
        ":author": _list_authors(document),
    }  # fmt: skip
    entries = [_convert_item(item if isinstance(item, dict) else {}) for item in items]
    return {"feed": channel, "entries": entries, "is_show": False, "warnings": [], "cut": ""}


def _convert_item(item: Node) -> Node:
    """Return an item of a JSON Feed in the shape of feedparser's entries: with feedparser's names for its values."""
    sounds = list_nodes(item, "attachments")
    tags = item["tags"] if isinstance(item.get("tags"), list) else []
    return {
        "is_declared": True, "id": text_of(item, "id"), "title": text_of(item, "title"),
        "link": text_of(item, "url", "external_url", "id"), "image": text_of(item, "image"),
        "published": text_of(item, "date_published"), "updated": text_of(item, "date_modified"),
        "tags": [{"term": tag} for tag in tags], ":author": _list_authors(item), "media_content": sounds,
        "content": [{"type": kind, "value": text_of(item, name)} for name, kind in _BODIES],
        "itunes_duration": next(filter(None, (text_of(sound, "duration_in_seconds") for sound in sounds)), ""),
    }  # fmt: skip


def _list_authors(node: Node) -> list[tuple[str]]:
    """Return (name,) for each author of a feed or an item (``node``): under ``authors``, else under ``author``.

    The latter is the name in version 1.0. A tuple of one text is the form of bylines in XML feeds, too.
    """
    return [(text_of(author, "name"),) for author in list_nodes(node, "authors") or list_nodes(node, "author")]
