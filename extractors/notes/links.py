"""Find the URLs written out in plain text: with a scheme, without one, and truncated ones.

After ``http(s)://`` and ``www.`` every host counts; otherwise dotted words need a known public suffix. Every search
starts where the last one stopped and looks back no further than the longest host, so the time grows linearly with the
length of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import Link
from .hosts import host_length, is_host, reads_as_host
from .link_ends import cut_end, is_foreign, is_word, tail_end, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A URL shows itself by `//`, a host without a scheme by a dot inside a word; all else is left alone.
_ANCHOR = re.compile(r"//|\.(?=[^\W\d_])")
# The scheme that ends here, with or without its colon.
_SCHEME_BEFORE = re.compile(r"https?(?P<colon>:?)\Z", re.IGNORECASE)
_LONGEST_HOST = 253  # RFC 1035, 2.3.4
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
    """Find the links written in ``text``, in order, none inside a span of ``hyperlinks``.

    ``hyperlinks`` are sorted (start, end) spans; a link written right up to one ends there. Yields ``Link`` with method
    ``url`` and, as ``url``, the written characters without the invisible ones; ``truncated`` marks those that were cut
    or elided.

    >>> [link.url for link in find_links("(see https://en.wikipedia.org/wiki/Set_(maths)), not README.md; x.org/a...")]
    ['https://en.wikipedia.org/wiki/Set_(maths)', 'x.org/a...']
    """
    if "." not in text and "//" not in text:
        return  # as are most words of links
    edges = [*hyperlinks, (len(text), len(text))]
    at = edge = 0
    while match := _ANCHOR.search(text, at):
        anchor = match.start()
        while edges[edge][1] <= anchor and edge < len(edges) - 1:
            at = max(at, edges[edge][1])
            edge += 1
        limit, resume = edges[edge]
        if limit <= anchor:
            at = max(resume, match.end())
            continue
        link = (_behind_slashes if match[0] == "//" else _behind_dot)(text, anchor, at, limit)
        if isinstance(link, Link):
            yield link
            link = link.end
        at = max(link, match.end())


def _behind_slashes(text: str, anchor: int, floor: int, limit: int) -> Link | int:
    """Return the link whose scheme ends with the slashes at ``anchor``, or the place to search from."""
    scheme = _SCHEME_BEFORE.search(text, max(floor, anchor - 6), anchor)
    start = scheme.start() if scheme else anchor
    before = text[start - 1 : start]
    certain = scheme is not None and bool(scheme["colon"])
    if not certain and (before.isalnum() or (before in "_@.:/" and before)):
        return anchor
    at = anchor + 2
    if certain and text.startswith("/", at):
        at += 1
    return _link_at(text, start, at, limit, certain=certain)


def _behind_dot(text: str, anchor: int, floor: int, limit: int) -> Link | int:
    """Return the link from the dotted word round ``anchor`` on, or where to look on."""
    word_start = _word_start(text, anchor, max(floor, anchor - _LONGEST_HOST - 1))
    start = _MARKS.match(text, word_start).end()  # type: ignore[union-attr]  # matches anywhere
    if abbreviation := _ABBREVIATION.match(text, start):
        start = abbreviation.end()
    if start == anchor:
        return anchor
    if text[start - 1 : start] == "/" and (scheme := _ONE_SLASH.search(text, max(floor, start - 7), start)):
        return _link_at(text, scheme.start(), start, limit, certain=True)
    words = _DOTTED.match(text, start, min(limit, start + _LONGEST_HOST + 1))
    if words is None:
        return anchor
    if (start == word_start and text[start - 1 : start] in _NOT_BEFORE_HOST) or text[start - 2 : start] == "::":
        return words.end()
    end = start + host_length(words[0])
    if text.startswith("@", end):
        return words.end()
    link = _link_at(text, start, start, limit, certain=False)
    # After an underscore it is a link if another follows it, for emphasis.
    if isinstance(link, Link) and text.startswith("_", word_start) and word_start < start:
        return link if text.startswith("_", link.end) else link.end
    return link


def _word_start(text: str, anchor: int, lowest: int) -> int:
    """Return where the word with dots in it begins that goes on at ``anchor``, ``lowest`` at the earliest."""
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


def _link_at(text: str, start: int, at: int, limit: int, *, certain: bool) -> Link | int:
    """Return the link that begins at ``start`` with the authority at ``at``; without one, where to search next.

    ``certain``: it has a scheme, so a user name and a cut host are allowed. Otherwise only a host with dots is a link.
    """
    if certain and (user := _USER.match(text, at, limit)):
        at = user.end()
    authority = (_AUTHORITY if certain else _DOTTED).match(text, at, min(limit, at + _LONGEST_HOST + 1))
    if authority is None:
        cut = cut_end(text, at, limit)
        return (
            _link(text, start, tail_end(text, start, cut, limit)[0], is_truncated=True) if certain and cut > at else at
        )
    host = authority[0]
    if "..." not in host and not host.startswith("["):
        host = host[: host_length(host)].rstrip(".-" if text[start - 1 : start] != "_" else ".-_")
    if "..." in host:  # a host that was cut, or elided: https://github.../file
        cut = cut_end(text, at + host.index("..."), limit)
        return _link(text, start, tail_end(text, start, cut, limit)[0], is_truncated=True)
    end = at + len(host)
    if certain and (cut := cut_end(text, end, limit)) > end:
        return _link(text, start, cut, is_truncated=True)
    return _behind_host(text, start, host, end, limit, whole=end == authority.end(), certain=certain)


def _behind_host(text: str, start: int, host: str, end: int, limit: int, *, whole: bool, certain: bool) -> Link | int:
    """Return the link whose ``host`` ends at ``end``, ``whole`` if it was not cut, or the place to search from."""
    port = _PORT.match(text, end, limit) if whole else None
    if port and int(port[1][:6]) > 65535:
        return port.end()
    tail = port.end() if port else end
    opens = whole and text.startswith(("/", "?", "#"), tail, limit)
    if certain and not is_host(visible(host)):
        return end
    if not certain:
        path = _PATH.match(text, tail) if opens else None
        if not reads_as_host(host, path[0] if path else "") or text.startswith(("(", "@"), end):
            return end
    if opens:
        end, is_truncated = tail_end(text, start, tail, limit)
        return _link(text, start, end, is_truncated=is_truncated)
    cut = cut_end(text, end, limit)
    return _link(text, start, max(tail, cut), is_truncated=cut > end)


def _link(text: str, start: int, end: int, *, is_truncated: bool) -> Link:
    return Link(visible(text[start:end]), start, end, "url", truncated=is_truncated)
