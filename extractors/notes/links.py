"""Find the URLs that are written out in plain text: with a scheme, without one, cut ones told apart.

Behind ``http(s)://`` and ``www.`` every host is one; otherwise dotted words must stand under a known public
suffix. Every search starts where the last one stopped and looks back no further than a host is long, so the
time grows with the length of the text and no more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import Link
from .hosts import host_length, is_host, reads_as_host
from .link_ends import cut_end, tail_end, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A URL shows itself by `//`, a host without a scheme by a dot inside a word; all else is left alone.
_ANCHOR = re.compile(r"//|\.(?=[^\W\d_])")
_SCHEME_BEFORE = re.compile(r"https?(?P<colon>:?)\Z", re.IGNORECASE)
_LONGEST_HOST = 253  # RFC 1035, 2.3.4
# Letters, digits, hyphens, and the marks that many scripts write vowels with.
_IN_LABEL = (
    r"\w\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
    r"\u0e31-\u0e4e\u3099\u309a-"
)
_LABEL_CHARACTER = re.compile(rf"[{_IN_LABEL}]")
_DOTTED = re.compile(rf"[{_IN_LABEL}]++(?:\.[{_IN_LABEL}]++)*+")
_USER = re.compile(r"[A-Za-z0-9._~%!$&*+=:-]{1,200}+@(?=[^\W_]|\[)")
# Behind a scheme whatever is no space, control or punctuation may stand in a host.
_AUTHORITY = re.compile(
    r"\[[0-9A-Fa-f:.]{2,45}\]|(?:[\w.-]|[^\x00-\xbf\u05be-\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964"
    r"\u0965\u2000-\u200a\u2010-\u2029\u202f-\u205f\u2e00-\u2e7f\u3000-\u303f\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff0f"
    r"\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufffc-\uffff])++"
)
_GLUED_SCHEME = re.compile(r"https?\Z", re.IGNORECASE)
_PORT = re.compile(r":(\d+)")
_NOT_BEFORE_HOST = frozenset("@/=+&%#?$\\.-_")


def find_links(text: str, taken: Sequence[tuple[int, int]] = ()) -> Iterator[Link]:
    """Find the links written in ``text``, in order, none inside a span of ``taken``.

    ``taken`` are sorted (start, end) spans of hyperlinks; a link written right up to one ends there. Yields
    ``Link`` with method ``url`` and, as ``url``, the characters as they stand but the invisible ones;
    ``truncated`` marks those that were cut or elided.

    >>> [link.url for link in find_links("(see https://en.wikipedia.org/wiki/Set_(maths)), not README.md; x.org/a...")]
    ['https://en.wikipedia.org/wiki/Set_(maths)', 'x.org/a...']
    """
    edges = [*taken, (len(text), len(text))]
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
        found = (_behind_slashes if match[0] == "//" else _behind_dot)(text, anchor, at, limit)
        if isinstance(found, Link):
            yield found
            found = found.end
        at = max(found, match.end())


def _behind_slashes(text: str, anchor: int, floor: int, limit: int) -> Link | int:
    """Return the link whose scheme ends with the slashes at ``anchor``, or where to look on."""
    scheme = _SCHEME_BEFORE.search(text, max(floor, anchor - 6), anchor)
    start = scheme.start() if scheme else anchor
    before = text[start - 1 : start]
    certain = scheme is not None and bool(scheme["colon"])
    if not certain and (before.isalnum() or (before in "_@.:/" and before)):
        return anchor + 2
    at = anchor + 2
    if certain and text.startswith("/", at):
        at += 1
    return _from(text, start, at, limit, certain=certain)


def _behind_dot(text: str, anchor: int, floor: int, limit: int) -> Link | int:
    """Return the link that the dotted word round ``anchor`` begins, or where to look on."""
    start = anchor
    lowest = max(floor, anchor - _LONGEST_HOST - 1)
    while start > lowest:
        if not _LABEL_CHARACTER.match(text[start - 1]):
            if text[start - 1] != "." or start - 1 == lowest or not _LABEL_CHARACTER.match(text[start - 2]):
                break
        # A script without spaces runs into a Latin host: 参照github.com.
        elif _is_word(text[start]) and _is_foreign(text[start - 1]):
            break
        start -= 1
    word_start = start
    while start < anchor and text[start] in "-_":
        start += 1
    if text[start : start + 4].lower() in {"e.g.", "i.e."} and _is_word(text[start + 4 : start + 5]):
        start += 4
        anchor = max(anchor, text.find(".", start, start + _LONGEST_HOST))
    if start == anchor:
        return anchor + 1
    before = text[start - 1 : start]
    if before == "/" and (scheme := _SCHEME_BEFORE.search(text, max(floor, start - 7), start - 1)) and scheme["colon"]:
        return _from(text, scheme.start(), start, limit, certain=True)
    emphasis = word_start < start and text[word_start] == "_"
    if before == "~" and text[start - 2 : start] == "~~":
        before = ""
    dotted = _DOTTED.match(text, start, min(limit, start + _LONGEST_HOST + 1))
    if (
        dotted is None
        or (before in _NOT_BEFORE_HOST and before and word_start == start)
        or (before == ":" and text[start - 2 : start] == "::")
    ):
        return max(anchor + 1, dotted.end() if dotted else 0)
    end = start + host_length(dotted[0])
    if text[end : end + 1] == "@" or (end == dotted.end() and text[end - 1] in "-_" and not emphasis):
        return dotted.end()
    found = _from(text, start, start, limit, certain=False)
    if emphasis and isinstance(found, Link) and not text.startswith("_", found.end):
        return found.end
    return found


def _from(text: str, start: int, at: int, limit: int, *, certain: bool) -> Link | int:
    """Return the link that begins at ``start`` and whose authority begins at ``at``, or where to look on."""
    if certain and (user := _USER.match(text, at, limit)):
        at = user.end()
    authority = (_AUTHORITY if certain else _DOTTED).match(text, at, min(limit, at + _LONGEST_HOST + 1))
    if authority is None:
        cut = cut_end(text, at, limit)
        return _link(text, start, tail_end(text, start, cut, limit)[0], truncated=True) if certain and cut > at else at
    written, end = authority[0], authority.end()
    if text.startswith("://", end) and (glued := _GLUED_SCHEME.search(written)):
        written = written[: glued.start()]
    if "..." in written:
        # A host that was cut, or elided: github.../file.
        end = at + written.index("...")
        return (
            _link(text, start, tail_end(text, start, cut_end(text, end, limit), limit)[0], truncated=True)
            if certain
            else end + 3
        )
    if not written.startswith("["):
        written = written[: host_length(written)].rstrip(".-" if text[start - 1 : start] != "_" else ".-_")
    end = at + len(written)
    cut = cut_end(text, end, limit)
    if cut > end and certain:
        return _link(text, start, cut, truncated=True)
    whole = end == authority.end()
    tail = end
    if whole and (port := _PORT.match(text, end, limit)):
        if int(port[1][:6]) > 65535:
            return port.end()
        tail = port.end()
    opens = whole and tail < limit and text[tail] in "/?#"
    path = text[tail : tail + 60] if opens and text[tail + 1 : tail + 2].strip() else ""
    if not (is_host(visible(written)) if certain else reads_as_host(written, path)):
        return max(end, at)
    if not certain and text[end : end + 1] in ("(", "@") and text[end : end + 1]:
        return end
    if opens:
        end, truncated = tail_end(text, start, tail, limit)
        return _link(text, start, end, truncated=truncated)
    return _link(text, start, max(tail, cut), truncated=cut > end)


def _link(text: str, start: int, end: int, *, truncated: bool) -> Link:
    return Link(visible(text[start:end]), start, end, "url", truncated=truncated)


def _is_word(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _is_foreign(char: str) -> bool:
    """Tell whether a character is of a script other than the Latin."""
    return char > "\u024f" and not "\u1e00" <= char < "\u1f00"
