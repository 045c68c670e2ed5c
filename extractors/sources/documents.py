"""Read documents, no more than fits, detect their type, and find the feeds that a list or a web page names."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FeedError, SourceError
from ..feeds.encoding import to_utf8
from ..printable import for_message, printable
from ..url import is_web, join
from .connection import LIMITS, WORLD, Budget
from .directories import parse_web_address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from lxml import etree

# The start tag of the outermost element, or the document type of HTML.
_ROOT = re.compile(r"<(?:[a-z_][\w.-]*:)?(rss|feed|rdf|opml|html|!doctype\s+html)(?=[\s>/])", re.IGNORECASE)
# A text near the begin of every JSON Feed.
_JSON_FEED = re.compile(r"\"version\"\s*:\s*\"https?:(?:\\?/){2}jsonfeed\.org|\"items\"\s*:\s*\[")
# The end of an item, or its id in a JSON Feed.
_ITEM = re.compile(r"</(?:\w+:)?(?:item|entry)\s*>|\"id\"\s*:", re.IGNORECASE)
_END = re.compile(r"</(?:\w+:)?(?:rss|feed|rdf)\s*>|\}\s*\Z", re.IGNORECASE)
# Addresses of feeds in links for readers: feeds.HOST/…, /feed, /feed.xml, /rss, /podcast.rss; a show at Apple Podcasts
_FEED_ADDRESS = re.compile(
    r"(?i)https?://(?:feeds?\.[^/?#]+/.|[^?#]*(?:/(?:feed|rss)(?:\.xml)?/?|\.rss)$|podcasts\.apple\.com/[^?#]*/id\d)"
)
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json")


def read_file(file: str | Path | BinaryIO | None, budget: Budget | None = None) -> bytes:
    """Return the content of a file, unpacked if it is gzip.

    Args:
        file: a path; or an open stream, which stands for standard input and is read to its end; ``None``: empty input
        budget: the bytes read and unpacked are taken from it; ``None``: a budget of this file's own

    Raises:
        SourceError: the file is missing, unreadable, empty, damaged or too large
    """
    name = for_message(str(file)) if isinstance(file, str | Path) else "standard input"
    take = (budget or Budget(WORLD)).take
    try:
        with Path(file).open("rb") if isinstance(file, str | Path) else nullcontext(file or io.BytesIO()) as stream:
            data = stream.read(LIMITS.body + 1)
        take(len(data))
        data = unpack(data, LIMITS.body, take)
        if not data or data.isspace():
            raise SourceError("is empty", remedy="check that it is the right file")
    except SourceError as error:  # the same error, with the name of the file
        SourceError.__init__(error, error.problem, source=name, remedy=error.remedy)
        raise
    except FileNotFoundError as error:
        remedy = "check the path, or give a feed's address"
        raise SourceError("there is no such file", source=name, remedy=remedy) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        problem = f"cannot be read: {for_message(getattr(error, 'strerror', None) or str(error))}"
        raise SourceError(problem, source=name, remedy="check the path and its permissions") from error
    return data


def unpack(data: bytes, limit: int, take: Callable[[int], None]) -> bytes:
    """Return the content of gzip ``data`` (RFC 1952), unpacked piece by piece; other ``data`` as it is.

    Args:
        data: the bytes of a file
        limit: the maximum size of the result, in bytes
        take: is called with the size of each unpacked piece, in bytes, so that a caller can charge a budget

    Raises:
        SourceError: the data is damaged, larger than ``limit``, or packed suspiciously well

    >>> unpack(gzip.compress(b"<rss/>"), 100, print), unpack(b"<rss/>", 100, print)
    6
    (b'<rss/>', b'<rss/>')
    """
    try:
        with io.BytesIO() as content, gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            # 1f 8b begins every gzip file; 1 << 20 bytes are one piece.
            while data.startswith(b"\x1f\x8b") and content.tell() <= limit and (piece := file.read(1 << 20)):
                take(len(piece))
                content.write(piece)
                check_packing(content.tell(), len(data))
            data = content.getvalue() or data
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError("contains damaged or truncated compressed data", remedy="check that it is whole") from error
    if len(data) > limit:
        raise SourceError(f"is larger than {limit / 1e6:,.6g} MB", remedy="give a smaller feed")
    return data


def check_packing(size: int, packed_size: int) -> None:
    """Raise ``SourceError`` if data is a decompression bomb: over 4 MB, and over 100 times its packed size.

    Both sizes are in bytes. Real feeds are packed to a twentieth of their size.
    """
    if size > max(4_000_000, 100 * packed_size):
        raise SourceError("unpacks to more than 100 times its size", remedy="unpack it yourself if you trust it")


def document_type(data: bytes) -> str:
    r"""Return the type of a document: ``feed``, ``list``, ``page`` (HTML), ``json``, ``text``, or "" for anything else.

    A JSON Feed is a ``feed``; ``json`` is any other JSON object. ``list`` is OPML, or a text with one entry a line of
    which at least one is a web address. ``text`` is any other text without markup: as a file of the user's, it may
    list files.

    >>> document_type(b"<?xml version='1.0'?><!-- <html> --><rss version='2.0'>")
    'feed'
    >>> [document_type(d) for d in (b"<!DOCTYPE html><p>hi", b'{"schema": 1}', b"hello", b"\x00", b"<a>")]
    ['page', 'json', 'text', '', '']
    """
    head = decode(data[:65536]).lstrip("\ufeff \t\r\n\0")
    if head.startswith("{"):
        return "feed" if _JSON_FEED.search(head) else "json"
    if root := _ROOT.search(re.sub(r"<!--.*?(?:-->|\Z)", "", head, flags=re.DOTALL)):
        return {"opml": "list", "html": "page"}.get(root[1].lower(), "page" if root[1].startswith("!") else "feed")
    if not head or head.startswith("[") or "<" in head or "\ufffd" in head or not "".join(head.split()).isprintable():
        return ""
    names = [name for name, _ in _read_lines(head)]
    is_list = any(map(is_web, names)) and not any(len(name.split()) > 1 for name in names)
    return "list" if is_list else "text"


def find_fault(data: bytes, copy: bytes = b"") -> str:
    """Return why fetched ``data`` must not replace the last good ``copy`` of a feed or list, "" if it may.

    Reasons: it is not a feed or a list, it has no items, or it is cut off and has fewer items than the copy (empty:
    there is no copy).

    >>> find_fault(b"<rss><item></item><item>"), find_fault(b"<rss><item></item><item>", b"<rss><item/>")
    ('', '')
    >>> find_fault(b"<rss><item></item>", b"<rss><item></item><item></item></rss>"), find_fault(b"<rss></rss>")
    ('is cut off: 1 of 2 items are left', 'has no items')
    """
    type_ = document_type(data)
    if type_ != "feed":
        return "" if type_ == "list" else "is not a feed"
    text = decode(data)
    count = len(_ITEM.findall(text))
    if not count:
        return "has no items"
    # A feed with its end tag is whole, however few items it has; only the last characters can have that tag.
    copy_count = 0 if _END.search(text[-5000:]) else len(_ITEM.findall(decode(copy)))
    return f"is cut off: {count} of {copy_count} items are left" if count < copy_count else ""


def decode(data: bytes) -> str:
    """Return the text of a feed, list or page, in the encoding that it declares; else as Latin-1. It never fails."""
    try:
        return to_utf8(data, source="").decode("utf-8", "replace")
    except FeedError:
        return data.decode("latin-1")


def read_entries(data: bytes, base: str = "") -> list[tuple[str, str]]:
    """Return (address or path, group) of each entry of a list of feeds, in its order.

    The list ``data`` is an OPML document, whose entries are the outlines with an ``xmlUrl``, or a text with one entry a
    line. The group of an outline is the names of the at most five outermost outlines around it, joined by slashes; ""
    without any. ``base`` is the list's own address: relative addresses in OPML are resolved against it.

    >>> read_entries(b"<opml><outline text='a'><outline xmlUrl='feed:https://a.example/f'/></outline></opml>")
    [('https://a.example/f', 'a')]
    """
    text = decode(data)
    if "<" not in text:
        return list(_read_lines(text))
    entries: list[tuple[str, str]] = []
    for element in _find_elements(text, "outline", is_page=False):
        attributes = _read_attributes(element)
        if feed := attributes.get("xmlurl"):
            # lxml yields the innermost ancestor first; a group begins with the outermost.
            outlines = [*map(_read_attributes, element.iterancestors("outline"))][::-1]
            names = [outline.get("text") or outline.get("title", "") for outline in outlines if "xmlurl" not in outline]
            group = "/".join(printable(" ".join(name.split()))[:80] for name in names[:5] if name)
            entries.append((parse_web_address(feed) or join(base, feed), group))
    return entries


def _read_lines(text: str) -> Iterator[tuple[str, str]]:
    r"""Yield (address or path, group) for each line of a list of feeds in a text.

    A comment begins with ``#`` at the begin of a line or behind a space. A line may be as in the list of the feed
    reader newsboat: an address, then tags, among them the title with ``~`` before it. The first tag is the group (at
    most 80 characters, "" without a tag). newsboat's lines for queries and programs are left out.

    >>> list(_read_lines('# mine\nfeed:https://a.example/f#x "news" "~A"  # good\nquery:all:unread = "yes"'))
    [('https://a.example/f#x', 'news')]
    """
    for line in text.splitlines():
        name = re.split(r"(?:^|(?<=\s))#", line, maxsplit=1)[0].strip()
        address, _, rest = name.partition(" ")
        if not name or name.startswith(("query:", "exec:", "filter:")):
            continue
        url = parse_web_address(address)
        tags = [in_quotes or bare for in_quotes, bare in re.findall(r'"([^"]*)"|(\S+)', rest)] if url else []
        yield url or name, printable(next((tag for tag in tags if not tag.startswith(("~", "!"))), ""))[:80]


def find_feed_links(data: bytes, base: str) -> list[str]:
    """Return the addresses of the feeds that an HTML page names, in the order of the page.

    These are the ``<link rel="alternate" type="...">`` with the type of a feed (the RSS Advisory Board's "RSS
    Autodiscovery"). If there are none: the ``<a>`` that look like a feed's address, or lead to a show at Apple
    Podcasts. Only http(s) addresses are returned.

    Args:
        data: the page, of which the first 2 MB are read
        base: the page's own address; relative links are resolved against it, or the page's ``<base href>``

    >>> page = b'<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    >>> find_feed_links(page, "https://a.example/about")
    ['https://a.example/feed.xml']
    """
    feeds, anchors = [], []
    # The links are in the head of a page.
    for element in _find_elements(decode(data[:2_000_000]), "base link a", is_page=True):
        attributes = _read_attributes(element)
        url = join(base, attributes.get("href", ""))
        if element.tag == "base":
            base = url
        elif is_web(url) and attributes.get("href") and element.tag == "a":
            anchors.append(url)
        elif is_web(url) and "alternate" in attributes.get("rel", "").lower().split():
            feeds += [url] if attributes.get("type", "").lower().startswith(_FEED_TYPES) else []
    return feeds or [*filter(_FEED_ADDRESS.match, anchors)]


def _find_elements(text: str, tags: str, *, is_page: bool) -> Iterator[etree._Element]:
    """Yield the elements of a document with certain names, in the order of the text; none if it cannot be parsed.

    Args:
        text: an HTML page (``is_page``) or an OPML document
        tags: the names, with spaces between: ``"base link a"``
        is_page: whether the lenient parser for HTML reads it, or that for XML, which recovers from errors
    """
    from lxml import etree  # noqa: PLC0415 - no question about a graph needs it

    parser: Any = etree.HTMLParser(encoding="utf-8")
    if not is_page:
        parser = etree.XMLParser(encoding="utf-8", recover=True, resolve_entities=False)
        text = re.sub(r"&(?!#?\w+;)", "&amp;", text)  # a bare & in an address is not valid XML
    with suppress(etree.XMLSyntaxError):  # nothing in it can be read
        root = etree.fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser)
        yield from root.iter(*tags.split()) if root is not None else ()


def _read_attributes(element: etree._Element) -> dict[str, str]:
    """Return the attributes of an element: names in lower case, values without white space round them."""
    return {str(name).lower(): str(value).strip() for name, value in element.attrib.items()}
