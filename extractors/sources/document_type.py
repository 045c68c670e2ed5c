"""Detect the type of a document from its first bytes: a feed, a list of feeds, a web page, or another."""

from __future__ import annotations

import re

from ..charsets import codec_of
from ..feeds.encoding import BYTE_ORDER_MARKS

_HEAD = 65536
# The encoding in an XML declaration.
_DECLARED = re.compile(rb"\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{1,40})")
_KINDS = {"rss": "feed", "feed": "feed", "rdf": "feed", "opml": "opml", "html": "page"}
# The start tag of the outermost element, or the document type of HTML.
_ROOT = re.compile(r"<(?:[a-z_][\w.-]*:)?(rss|feed|rdf|opml|html|!doctype\s+html)(?=[\s>/])", re.IGNORECASE)
_NO_TEXT = frozenset("<\ufffd")  # the begin of markup; the replacement of bytes that are not text
# A line of a text of addresses.
_ADDRESS = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)
# Where a comment begins in one.
_COMMENT = re.compile(r"(?:^|(?<=\s))#")
# A text near the begin of every JSON Feed.
_JSON_FEED = re.compile(r"\"version\"\s*:\s*\"https?:(?:\\?/){2}jsonfeed\.org|\"items\"\s*:\s*\[")


def document_type(data: bytes) -> str:
    r"""Return the type of ``data``: ``feed``, ``opml``, ``page`` (HTML), ``json``, ``text``, or an empty text.

    A JSON Feed is a ``feed``; ``json`` is any other JSON object. ``opml`` is a text of addresses, too, one a line, some
    of them perhaps misspelt. ``text`` is any other without markup: as a file of the user's, it may list files.

    >>> document_type(b"<?xml version='1.0'?><!-- <html> --><rss version='2.0'>")
    'feed'
    >>> [document_type(d) for d in (b"<!DOCTYPE html><p>hi", b'{"schema": 1}', b"hello", b"\x00", b"<a>")]
    ['page', 'json', 'text', '', '']
    """
    head = decode(data[:_HEAD]).lstrip("\ufeff \t\r\n\0")
    if head.startswith("{"):
        return "feed" if _JSON_FEED.search(head) else "json"
    root = _ROOT.search(_drop_comments(head))
    if root is None:
        lines = addresses(head)
        if any(map(_ADDRESS.fullmatch, lines)) and not any(len(line.split()) > 1 for line in lines):
            return "opml"
        is_text = (
            head
            and not head.startswith("[")
            and all(line.isprintable() and not _NO_TEXT.intersection(line) for line in lines)
        )
        return "text" if is_text else ""
    return "page" if root[1].startswith("!") else _KINDS[root[1].lower()]


def addresses(text: str) -> list[str]:
    r"""Return the lines of a text of addresses without comments, from a ``#`` that no word is before.

    >>> addresses("# mine\n\nhttps://a.example/f#x  # good\n")
    ['https://a.example/f#x']
    """
    return [*filter(None, (_COMMENT.split(line, maxsplit=1)[0].strip() for line in text.splitlines()))]


def decode(data: bytes) -> str:
    """Return the text of a markup document: by byte order mark, by XML declaration, as UTF-8, as Latin-1.

    Never fails; undecodable bytes are replaced.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if data[:2] in {b"<\0", b"\0<"}:
        return data.decode("utf-16-le" if data[:1] == b"<" else "utf-16-be", "replace")
    declared = _DECLARED.match(data[:1024])
    codec = codec_of(declared[1].decode("ascii"), ascii_based=True) if declared else None
    for encoding in filter(None, (codec, "utf-8")):
        if (text := _decoded(data, encoding)) is not None:
            return text
    return data.decode("latin-1")


def _decoded(data: bytes, encoding: str) -> str | None:
    """Return the text of the first piece of a document, or ``None`` if it is not in this encoding."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        # A character cut in two at the end of the piece is not a fault.
        return data.decode(encoding, "replace") if error.end >= len(data) - 4 else None


def _drop_comments(text: str) -> str:
    """Return markup without its ``<!-- -->`` comments. A comment without an end runs to the end of the text."""
    kept, start = [], 0
    while (at := text.find("<!--", start)) >= 0:
        kept.append(text[start:at])
        end = text.find("-->", at + 4)
        if end < 0:
            return "".join(kept)
        start = end + 3
    return "".join([*kept, text[start:]])
