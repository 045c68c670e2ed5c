"""Find the URLs written out in plain text: with a scheme, without one, and truncated ones.

After ``http(s)://`` and ``www.`` every host counts; otherwise dotted words need a known public suffix. Every search
starts where the last one stopped and looks back no further than the longest host, so the time grows linearly with the
length of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import Link
from .hosts import find_host_end, is_host, reads_as_host
from .link_ends import find_ellipsis_end, find_tail_end, is_foreign, is_word, remove_invisible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A URL shows itself by `//`, a host without a scheme by a dot inside a word; all else is left alone.
_ANCHOR = re.compile(r"//|\.(?=[^\W\d_])")
# The scheme that ends here, with or without its colon.
_SCHEME_BEFORE = re.compile(r"https?(?P<colon>:?)\Z", re.IGNORECASE)
_MAXIMUM_HOST = 253  # characters (RFC 1035, 2.3.4)
# Letters, digits, hyphens, and the vowel marks of many scripts.
_IN_LABEL = (
    r"\w\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
    r"\u0e31-\u0e4e\u3099\u309a-"
)
# A scheme and one slash.
_ONE_SLASH = re.compile(r"https?:/\Z", re.IGNORECASE)
# A character of a label.
_LABEL_CHARACTER = re.compile(rf"[{_IN_LABEL}]")
# Labels with dots between.
_DOTTED = re.compile(rf"[{_IN_LABEL}]++(?:\.[{_IN_LABEL}]++)*+")
# A user name and password before a host.
_USER = re.compile(r"[A-Za-z0-9._~%!$&*+=:-]{1,200}+@(?=[^\W_]|\[)")
# After a scheme, a host may contain everything but spaces, controls and punctuation.
_AUTHORITY = re.compile(
    r"\[[0-9A-Fa-f:.]{2,45}\]|(?:[\w.-]|[^\x00-\xbf\u05be-\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964"
    r"\u0965\u2000-\u200a\u2010-\u2029\u202f-\u205f\u2e00-\u2e7f\u3000-\u303f\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff0f"
    r"\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufffc-\uffff])++"
)
# A port.
_PORT = re.compile(r":(\d+)")
# Hyphens and underscores before a word, often emphasis.
_MARKS = re.compile(r"[-_]*+")
# Abbreviations before a word without a space: e.g.github.com.
_ABBREVIATION = re.compile(r"(?:e\.g|i\.e)\.(?=[A-Za-z0-9])", re.IGNORECASE)
# The start of a path, query or fragment with content.
_PATH = re.compile(r"[/?#]\S.{0,58}", re.DOTALL)
_NOT_BEFORE_HOST = frozenset("@/=+&%#?$\\.-_")


def find_links(text: str, hyperlinks: Sequence[tuple[int, int]] = ()) -> Iterator[Link]:
    """Yield the links written out in ``text``, in its order, except those within hyperlinks.

    A link has the method ``url``; its ``url`` is as written, without the invisible characters. It is ``truncated`` if
    it was cut off or has an omitted part.

    Args:
        text: plain text
        hyperlinks: (start, end) of the words of links that need no search, sorted; a link written right before one ends
            where it begins

    >>> [link.url for link in find_links("(see https://en.wikipedia.org/wiki/Set_(maths)), not README.md; x.org/a...")]
    ['https://en.wikipedia.org/wiki/Set_(maths)', 'x.org/a...']
    """
    if "." not in text and "//" not in text:
        return  # as are most words of links
    spans = [*hyperlinks, (len(text), len(text))]  # the last one stands for the end of the text
    at = number = 0  # the offset of the search, and the number of the next hyperlink
    while match := _ANCHOR.search(text, at):
        anchor = match.start()
        while spans[number][1] <= anchor and number < len(spans) - 1:
            at = max(at, spans[number][1])
            number += 1
        limit, end_of_hyperlink = spans[number]
        if limit <= anchor:
            at = max(end_of_hyperlink, match.end())
            continue
        read = _read_url_at_slashes if match[0] == "//" else _read_url_at_dot
        link = read(text, anchor, at, limit)
        if isinstance(link, Link):
            yield link
            link = link.end
        at = max(link, match.end())


def _read_url_at_slashes(text: str, anchor: int, floor: int, limit: int) -> Link | int:
    """Return the link with ``//`` at the offset ``anchor``, or the offset to continue the search from.

    Args:
        text: plain text
        anchor: the offset of the slashes
        floor: the link must not begin before this offset
        limit: the link must end at this offset
    """
    scheme = _SCHEME_BEFORE.search(text, max(floor, anchor - 6), anchor)  # "https:" has six characters
    start = scheme.start() if scheme else anchor
    before = text[start - 1 : start]
    certain = scheme is not None and bool(scheme["colon"])
    if not certain and (before.isalnum() or (before in "_@.:/" and before)):
        return anchor
    at = anchor + 2  # behind the slashes
    if certain and text.startswith("/", at):
        at += 1  # one too many
    return _read_url(text, start, at, limit, certain=certain)


def _read_url_at_dot(text: str, anchor: int, floor: int, limit: int) -> Link | int:
    """Return the link without a scheme that begins with the dotted word round an offset.

    Without a link there the result is the offset to continue the search from.

    Args:
        text: plain text
        anchor: the offset of a dot within the word
        floor: the link must not begin before this offset
        limit: the link must end at this offset
    """
    word_start = _find_word_start(text, anchor, max(floor, anchor - _MAXIMUM_HOST - 1))
    start = _MARKS.match(text, word_start).end()  # type: ignore[union-attr]  # matches anywhere
    if abbreviation := _ABBREVIATION.match(text, start):
        start = abbreviation.end()
    if start == anchor:
        return anchor
    # "https:/" has seven characters: the second slash is missing.
    if text[start - 1 : start] == "/" and (scheme := _ONE_SLASH.search(text, max(floor, start - 7), start)):
        return _read_url(text, scheme.start(), start, limit, certain=True)
    words = _DOTTED.match(text, start, min(limit, start + _MAXIMUM_HOST + 1))
    if words is None:
        return anchor
    if (start == word_start and text[start - 1 : start] in _NOT_BEFORE_HOST) or text[start - 2 : start] == "::":
        return words.end()  # a part of a path, an address or a name in code
    end = start + find_host_end(words[0])
    if text.startswith("@", end):
        return words.end()  # a user name of an e-mail address
    link = _read_url(text, start, start, limit, certain=False)
    # After an underscore it is a link if another follows it, for emphasis.
    if isinstance(link, Link) and text.startswith("_", word_start) and word_start < start:
        return link if text.startswith("_", link.end) else link.end
    return link


def _find_word_start(text: str, anchor: int, lowest: int) -> int:
    """Return the offset where the dotted word in ``text`` begins that has the offset ``anchor`` in it.

    It is at least ``lowest``.
    """
    start = anchor
    while start > lowest:
        before = text[start - 1]
        if not _LABEL_CHARACTER.match(before):
            if before != "." or start - 1 == lowest or not _LABEL_CHARACTER.match(text[start - 2]):
                break
        # A script without spaces runs into a Latin host: 参照github.com.
        elif is_word(text[start]) and is_foreign(before):
            break
        start -= 1
    return start


def _read_url(text: str, start: int, at: int, limit: int, *, certain: bool) -> Link | int:
    """Return the link at an offset; without one, the offset to continue the search from.

    Args:
        text: plain text
        start: the offset where the link begins, with its scheme if it has one
        at: the offset of its host, or of the user name before the host
        limit: the link must end at this offset
        certain: it has a scheme, so a user name and a truncated host are allowed; else only a host with dots is a link
    """
    if certain and (user := _USER.match(text, at, limit)):
        at = user.end()
    authority = (_AUTHORITY if certain else _DOTTED).match(text, at, min(limit, at + _MAXIMUM_HOST + 1))
    if authority is None:
        cut = find_ellipsis_end(text, at, limit)
        return _make_truncated_link(text, start, cut, limit) if certain and cut > at else at
    host = authority[0]
    if "..." not in host and not host.startswith("["):
        host = host[: find_host_end(host)].rstrip(".-" if text[start - 1 : start] != "_" else ".-_")
    if "..." in host:  # a host that was cut, or elided: https://github.../file
        cut = find_ellipsis_end(text, at + host.index("..."), limit)
        return _make_truncated_link(text, start, cut, limit)
    end = at + len(host)
    if certain and (cut := find_ellipsis_end(text, end, limit)) > end:
        return _make_link(text, start, cut, is_truncated=True)
    return _read_after_host(text, start, host, end, limit, whole=end == authority.end(), certain=certain)


def _read_after_host(
    text: str, start: int, host: str, end: int, limit: int, *, whole: bool, certain: bool
) -> Link | int:  # fmt: skip
    """Return the link with a certain host, with its port and path; without one, the offset to continue the search from.

    Args:
        text: plain text
        start: the offset where the link begins
        host: its host
        end: the offset where the host ends
        limit: the link must end at this offset
        whole: all characters that a host can have are in ``host``; else the sentence goes on right behind it
        certain: the link has a scheme; else the host must not read as code, a file or a sentence
    """
    port = _PORT.match(text, end, limit) if whole else None
    if port and int(port[1][:6]) > 65535:  # six digits are enough to see that a number is too large
        return port.end()
    tail = port.end() if port else end
    opens = whole and text.startswith(("/", "?", "#"), tail, limit)
    if certain and not is_host(remove_invisible(host)):
        return end
    if not certain:
        path = _PATH.match(text, tail) if opens else None
        if not reads_as_host(host, path[0] if path else "") or text.startswith(("(", "@"), end):
            return end
    if opens:
        end, is_truncated = find_tail_end(text, start, tail, limit)
        return _make_link(text, start, end, is_truncated=is_truncated)
    cut = find_ellipsis_end(text, end, limit)
    return _make_link(text, start, max(tail, cut), is_truncated=cut > end)


def _make_truncated_link(text: str, start: int, ellipsis_end: int, limit: int) -> Link:
    """Return the truncated link from ``start`` on, with the part of it behind its ellipsis, if there is any.

    The ellipsis ends at ``ellipsis_end``; the link ends at ``limit`` at the latest.
    """
    return _make_link(text, start, find_tail_end(text, start, ellipsis_end, limit)[0], is_truncated=True)


def _make_link(text: str, start: int, end: int, *, is_truncated: bool) -> Link:
    """Return the link in ``text[start:end]``."""
    return Link(remove_invisible(text[start:end]), start, end, "url", truncated=is_truncated)
