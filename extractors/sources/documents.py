"""Detect the type of a document, and read the feeds that a list (OPML, text) or a web page names."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, NamedTuple

from ..charsets import codec_of
from ..feeds.encoding import BYTE_ORDER_MARKS
from ..printable import printable
from ..url import is_web, join
from .spellings import parse_web_address

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = {"rss": "feed", "feed": "feed", "rdf": "feed", "opml": "opml", "html": "page"}
# The start tag of the outermost element, or the document type of HTML.
_ROOT = re.compile(r"<(?:[a-z_][\w.-]*:)?(rss|feed|rdf|opml|html|!doctype\s+html)(?=[\s>/])", re.IGNORECASE)
# A comment; without an end it runs to the end of the text.
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# A text near the begin of every JSON Feed.
_JSON_FEED = re.compile(r"\"version\"\s*:\s*\"https?:(?:\\?/){2}jsonfeed\.org|\"items\"\s*:\s*\[")
# A comment, CDATA, a script, or a tag. Each part ends at the end of the text at the latest: the time is linear.
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<(script|style|textarea)\b.*?(?:</\1\b|\Z)"
    r"|<(?P<name>/?[a-z][^\s/>]*)(?P<rest>(?:[^>\"']|\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z))*+)",
    re.IGNORECASE | re.DOTALL,
)
# An attribute and its value in or without quotes.
_ATTRIBUTE = re.compile(r"([^\s=/>\"']+)(?:\s*=\s*(?:\"([^\"]*)|'([^']*)|([^\s>\"']+)))?")
_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"})
# Addresses of feeds in links for readers: feeds.HOST/…, /feed, /feed.xml, /rss, /podcast.rss
_FEED_ADDRESS = re.compile(
    r"https?://(?:feeds?\.[^/?#]+/.|[^?#]*/(?:feed|rss)(?:\.xml)?/?$|[^?#]*\.rss$)", re.IGNORECASE
)
# A show at Apple Podcasts
_APPLE = re.compile(r"https?://(?:podcasts|itunes)\.apple\.com/[^?#]*/id\d", re.IGNORECASE)


class Entry(NamedTuple):
    """One entry of a list of feeds: its address or path, the groups around it joined by slashes, and its line."""

    name: str
    group: str = ""
    line: int = 0


def document_type(data: bytes) -> str:
    r"""Return the type of ``data``: ``feed``, ``opml``, ``page`` (HTML), ``json``, ``text``, or an empty text.

    A JSON Feed is a ``feed``; ``json`` is any other JSON object. ``opml`` is a text of addresses, too, one a line, some
    of them perhaps misspelt. ``text`` is any other without markup: as a file of the user's, it may list files.

    >>> document_type(b"<?xml version='1.0'?><!-- <html> --><rss version='2.0'>")
    'feed'
    >>> [document_type(d) for d in (b"<!DOCTYPE html><p>hi", b'{"schema": 1}', b"hello", b"\x00", b"<a>")]
    ['page', 'json', 'text', '', '']
    """
    head = decode(data[:65536]).lstrip("\ufeff \t\r\n\0")
    if head.startswith("{"):
        return "feed" if _JSON_FEED.search(head) else "json"
    if root := _ROOT.search(_COMMENT.sub("", head)):
        return "page" if root[1].startswith("!") else _KINDS[root[1].lower()]
    if not head or head.startswith("[") or "<" in head or "\ufffd" in head or not "".join(head.split()).isprintable():
        return ""
    names = [entry.name for entry in _read_text(head)]
    is_list = any(map(is_web, names)) and not any(len(name.split()) > 1 for name in names)
    return "opml" if is_list else "text"


def decode(data: bytes) -> str:
    """Return the text of a markup document: by byte order mark, by XML declaration, as UTF-8, as Latin-1.

    Never fails; undecodable bytes are replaced.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if data[:2] in {b"<\0", b"\0<"}:
        return data.decode("utf-16-le" if data[:1] == b"<" else "utf-16-be", "replace")
    declared = re.match(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})", data[:1024])
    codec = codec_of(declared[1].decode("ascii"), ascii_based=True) if declared else None
    for encoding in filter(None, (codec, "utf-8")):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            if error.end >= len(data) - 4:  # a character is cut in two at the end of the piece
                return data.decode(encoding, "replace")
    return data.decode("latin-1")


def read_entries(data: bytes, base: str = "") -> list[Entry]:
    """Return the entries of an OPML document in its order, nested ones too, or of a text, one a line.

    In OPML these are outlines with an ``xmlUrl``, and outlines that include another list (``type`` is ``include``, or
    ``link`` to a name ending in ``.opml``; OPML 2.0, "Inclusion" and "Directories"). Relative addresses are resolved
    against ``base``.

    >>> read_entries(b"<opml><outline text='a'><outline xmlUrl='feed:https://a.example/f'/></outline></opml>")
    [Entry(name='https://a.example/f', group='a', line=0)]
    """
    text = decode(data)
    if "<" not in text:
        return list(_read_text(text))
    entries: list[Entry] = []
    outer_names: list[str] = []
    for tag, attributes in find_tags(text, frozenset({"outline", "/outline"})):
        if tag == "/outline":
            del outer_names[-1:]
            continue
        kind, url = attributes.get("type", "").strip().lower(), attributes.get("url", "").strip()
        is_list = kind == "include" or (kind == "link" and url.lower().endswith(".opml"))
        if feed := attributes.get("xmlurl", "").strip() or (url if is_list else ""):
            group = "/".join(filter(None, outer_names[:5]))
            entries.append(Entry(parse_web_address(feed) or join(base, feed), group))
        name = "" if "xmlurl" in attributes else attributes.get("text") or attributes.get("title", "")
        outer_names.append(printable(" ".join(name.split()))[:80])
    return entries


def _read_text(text: str) -> Iterator[Entry]:
    r"""Yield the lines of a text without comments, from a ``#`` that no word is before.

    A line may be as in newsboat's list: an address, tags, a title with ``~``. The first tag is the group. Lines of
    newsboat's that are queries or programs are left out.

    >>> list(_read_text('# mine\nfeed:https://a.example/f#x "news" "~A"  # good\nquery:all:unread = "yes"'))
    [Entry(name='https://a.example/f#x', group='news', line=2)]
    """
    for number, line in enumerate(text.splitlines(), 1):
        name = re.split(r"(?:^|(?<=\s))#", line, maxsplit=1)[0].strip()
        address, _, rest = name.partition(" ")
        if not name or name.startswith(("query:", "exec:", "filter:")):
            continue
        if url := parse_web_address(address):
            tags = [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', rest)]
            group = next((tag for tag in tags if not tag.startswith(("~", "!"))), "")
            yield Entry(url, printable(group)[:80], number)
        else:
            yield Entry(name, "", number)


def find_feed_links(data: bytes, base: str) -> list[str]:
    """Return the addresses of the feeds that an HTML page names by ``<link rel="alternate" type="...">``.

    Relative ones are resolved against the page's ``<base href>`` and its own address ``base``; only http(s)
    addresses are returned. Addresses whose type is only JSON come last; without any, those of ``<a>`` that look like a
    feed's, then links to Apple Podcasts. The rule is the RSS Advisory Board's "RSS Autodiscovery".

    >>> page = b'<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
    >>> find_feed_links(page, "https://a.example/about")
    ['https://a.example/feed.xml']
    """
    feeds: list[str] = []
    json_files: list[str] = []
    anchors: list[str] = []
    # The links are in the head of a page.
    for name, attributes in find_tags(decode(data[:2_000_000]), frozenset({"base", "link", "a"})):
        url = join(base, attributes.get("href", "").strip())
        kind = attributes.get("type", "").partition(";")[0].strip().lower()
        is_alternate = name == "link" and "alternate" in attributes.get("rel", "").lower().split()
        if name == "base":
            base = url
        elif not is_web(url) or not attributes.get("href"):
            continue
        elif name == "a":
            anchors.append(url)
        elif is_alternate and kind in _FEED_TYPES:
            feeds.append(url)
        elif is_alternate and kind == "application/json":
            json_files.append(url)
    return feeds + json_files or [*filter(_FEED_ADDRESS.match, anchors)] or [*filter(_APPLE.match, anchors)]


def find_tags(text: str, names: frozenset[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield ``(name, attributes)`` of each tag called one of ``names``, in the order of the text.

    Names of tags and attributes are lower-case, values decoded; of a repeated attribute the first counts. Comments,
    CDATA sections and scripts are not markup. An end tag is called ``/name``; ``<name/>`` has both.

    >>> list(find_tags("<!-- <link> --><LINK rel=alternate Href='/a?b=1&amp;c'>", frozenset({"link"})))
    [('link', {'rel': 'alternate', 'href': '/a?b=1&c'})]
    """
    for match in _TAG.finditer(text):
        name = (match["name"] or "").lower()
        if name not in names:
            continue
        attributes: dict[str, str] = {}
        for key, *values in _ATTRIBUTE.findall(match["rest"]):
            attributes.setdefault(key.lower(), html.unescape("".join(values)))
        yield name, attributes
        if f"/{name}" in names and match["rest"].endswith("/"):
            yield f"/{name}", {}
