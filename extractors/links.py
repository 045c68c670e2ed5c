"""Find the URLs that are written out in plain text, and where each ends.

A URL ends where its characters end (RFC 3986), but prose puts brackets, full stops and whole words of other
scripts right behind it, and pages cut long ones with an ellipsis. The rules here are: brackets that the URL did
not open end it; closing punctuation of any script is not part of it; a script without spaces that sets in right
behind a Latin letter or a digit is the sentence going on; what was cut or elided is said to be so, never mended.
Every search starts where the last one stopped, so the time grows with the length of the text and no more.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from .model import Link
from .suffixes import public_suffix
from .url import normalise_host, split_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LABEL = r"[a-z0-9\u00a1-\u1fff\u2c00-\ud7ff\uf900-\ufdcf\ufdf0-\ufeff](?:[a-z0-9_\u00a1-\u1fff\u2c00-\ud7ff\uf900-\ufdcf\ufdf0-\ufeff-]{0,61}[a-z0-9\u00a1-\u1fff\u2c00-\ud7ff\uf900-\ufdcf\ufdf0-\ufeff])?"
_START = re.compile(
    rf"""(?P<scheme>https?://)
       | (?<![\w@.:/-])(?P<slashes>//)(?=[a-z0-9-]++\.)
       | (?<![\w@./:+=&%\#?$~\\-])(?P<host>(?:{_LABEL}\.)+{_LABEL}|[a-z0-9-]++\.(?:\.\.|…)/|[a-z0-9-]++(?:\.[a-z0-9-]++)++/(?:\.{{3}}|…))
         (?![\w@-]|\.[\w-])
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Runs that need no thought; everything else is looked at one character at a time.
_PLAIN = re.compile(r"[A-Za-z0-9/_~%&=+.,;!?#@$*-]+")
_STOP = frozenset(" \t\n\r\f\v<>\"`|\\^\x7f\u00a0\u201c\u201d\u2018\u2019\u00ab\u00bb\u2039\u203a\u201e\u201f\u201a\u2014\u2015\u3000\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f\u2026\u060c\u061b\u061f\u0964\u0965\u05c3\u2028\u2029")
_OPENERS = "([{（［｛【「『《〈〔〖｢"
_CLOSERS = ")]}）］｝】」』》〉〕〗｣"
_PAIR = dict(zip(_CLOSERS, _OPENERS, strict=True))
_TRAILING = frozenset(".,:;!?'\"*~´·،؛؟…")
_ELLIPSIS_END = re.compile(r"(?<!\.)(?:\.{3,}+|…|\[(?:\.{3}|…)\])[\])}»”’\"',:;!?/*]{0,8}\Z")
_ELIDED = re.compile(r"/(?:\.{3,8}|…|\[(?:\.{3}|…)\])(?=/)|…")
_INNER_DOTS = re.compile(r"(?<=[\w-])\.{3}(?=[\w-])")
_CUT_BEHIND = re.compile(r"…|\.{3}|\[(?:…|\.{3})\]|\((?:…|\.{3})\)")
_NESTED = re.compile(r"https?\Z", re.IGNORECASE)
# Sites whose own URLs hold another one in their path; elsewhere a URL behind a slash is a second link.
_HOLDS_URL = re.compile(
    r"https?://(?:[a-z0-9-]+\.)*(?:archive\.org|archive\.(?:is|ph|today|vn|md|li|fo)|webcitation\.org|r\.jina\.ai|12ft\.io|"
    r"hypothes\.is|gitpod\.io|urldefense\.(?:com|proofpoint\.com)|translate\.goog|wayback\.[a-z.]+|outline\.com)[/:]",
    re.IGNORECASE,
)
_LOOK_BACK = 300  # how far before a URL an open bracket still belongs to its sentence

# Without a scheme or a path, only hosts under these read as hosts; `engine.py`, `torch.cat` or `model.to` are code.
_PLAIN_SUFFIXES = frozenset(
    "com org net edu gov mil int io ai dev app info biz tv uk de fr jp cn ru nl eu ca au ch se es br kr fm gg ly xyz "
    "cloud tech online site blog social page codes engineer software systems wiki academy space store news agency fi "
    "dk cz gr ie il ir mx nz pt ro sg tr tw ua za vn ar cl hk hu ua рф xn--p1ai museum aero coop jobs mobi tel travel".split()
)
_CODE_SUFFIXES = frozenset("py md rs sh pl cc so ps zip mov pm ml mk st do la vi ac am data java".split())
_CODE_ROOTS = frozenset(
    "torch np numpy nn tf jax self cls os sys math std at aten c10 f x y t this model tensor loss optim optimizer std "
    "module func obj input output data config args cuda dist pd plt e i".split()
)


def find_links(text: str, taken: Sequence[tuple[int, int]] = ()) -> Iterator[Link]:
    """Find the links written in ``text``, in order, none inside a span of ``taken``.

    ``taken`` are sorted (start, end) spans of hyperlinks; a link written right up to one ends there. With a
    scheme or ``www.``, every host is one; without, only hosts under a known public suffix. Yields ``Link`` with
    method ``url`` and, as ``url``, the characters as they stand; ``truncated`` marks those that were cut.

    >>> [link.url for link in find_links("(see https://en.wikipedia.org/wiki/Set_(maths)), not README.md; x.org/a...")]
    ['https://en.wikipedia.org/wiki/Set_(maths)', 'x.org/a...']
    """
    edges = [*taken, (len(text), len(text))]
    at = edge = 0
    while match := _START.search(text, at):
        start = match.start()
        while edges[edge][1] <= start and edge < len(edges) - 1:
            edge += 1
        limit, resume = edges[edge]
        if limit <= start:
            at = max(resume, match.start() + 1)
            continue
        link = _link_at(text, match, limit)
        if link is None:
            at = max(match.end("scheme") if match["scheme"] else match.end(), start + 1)
        else:
            yield link
            at = link.end


def is_truncated(url: str) -> bool:
    """Tell whether a URL was cut at its end or elided in the middle.

    >>> is_truncated("https://github.com/.../README.md"), is_truncated("https://github.com/a/b/compare/v1...v2")
    (True, False)
    """
    bare = url.replace("%E2%80%A6", "…").replace("%e2%80%a6", "…")
    if _ELLIPSIS_END.search(bare) or _ELIDED.search(bare):
        return True
    return "/compare/" not in bare and bool(_INNER_DOTS.search(bare.partition("#")[0].partition("?")[0]))


def with_scheme(url: str) -> str:
    """Return a URL as found with the ``https://`` that its writer left out.

    >>> with_scheme("github.com/pytorch"), with_scheme("//x.org"), with_scheme("HTTP://x.org")
    ('https://github.com/pytorch', 'https://x.org', 'HTTP://x.org')
    """
    if url[:8].lower().startswith(("http://", "https://")):
        return url
    return f"https:{url}" if url.startswith("//") else f"https://{url}"


def _link_at(text: str, match: re.Match[str], limit: int) -> Link | None:
    start = match.start()
    if match["host"]:
        return _bare_link(text, match, limit)
    end = _trim(text, start, _walk(text, match.end(), start, limit))
    url = text[start:end]
    parts = split_url(with_scheme(url))
    if parts is None or not _is_host(parts.host) or end <= match.end():
        return None
    cut = _cut_end(text, start, end, limit)
    return Link(text[start:cut], start, cut, "url", truncated=cut > end or is_truncated(url))


def _bare_link(text: str, match: re.Match[str], limit: int) -> Link | None:
    start, host = match.start(), match["host"]
    if "…" in host or "..." in host:
        end = _walk(text, match.end(), start, limit, through_ellipsis=True)
        return Link(text[start:end], start, end, "url", truncated=True)
    host_end = match.end()
    if host_end > limit:
        return None
    if not host.isascii():
        host = _ascii_end(host)
        host_end = start + len(host)
    here = text[host_end : host_end + 1]
    if here == ":" and (port := re.compile(r":\d{2,5}(?![\d.])").match(text, host_end)):
        here = text[port.end() : port.end() + 1]
    has_path = here in ("/", "?", "#") and here != ""
    if here == "(" or not _reads_as_host(host, has_path=has_path and text[host_end + 1 : host_end + 2].strip() != ""):
        return None
    end = _trim(text, start, _walk(text, host_end, start, limit)) if has_path else host_end
    cut = _cut_end(text, start, end, limit)
    return Link(text[start:cut], start, cut, "url", truncated=cut > end or is_truncated(text[start:end]))


def _walk(text: str, at: int, start: int, limit: int, *, through_ellipsis: bool = False) -> int:
    """Return where the URL that began at ``start`` ends at the latest, going on from ``at``."""
    depth: list[str] = []
    while at < limit:
        plain = _PLAIN.match(text, at, limit)
        if plain:
            at = plain.end()
            continue
        char = text[at]
        if char == "…" and (through_ellipsis or (text[at - 1] == "/" and text[at + 1 : at + 2] == "/")):
            at += 1
        elif char in _STOP:
            break
        elif char == ":":
            nested = _NESTED.search(text, max(start + 1, at - 5), at) if text.startswith("//", at + 1) else None
            if nested:
                before = text[nested.start() - 1]
                if not (before in "=&?:#!@+%" or (before == "/" and _HOLDS_URL.match(text, start))):
                    return nested.start()
            at += 1
        elif char == "'":
            if text[start - 1 : start] == "'":
                break
            at += 1
        elif char in _OPENERS:
            if not char.isascii() and _is_plain_letter(text[at - 1]):
                break
            if text[at + 1 : at + 2] in ("h", "H") and text[at + 1 : at + 9].lower().startswith(("http://", "https://")):
                break
            depth.append(char)
            at += 1
        elif char in _CLOSERS:
            if depth and depth[-1] == _PAIR[char]:
                depth.pop()
            elif _closes_the_sentence(text, start, at, char):
                break
            at += 1
        elif char.isascii() or not _sentence_goes_on(text[at - 1], char):
            at += 1
        else:
            break
    return at


def _closes_the_sentence(text: str, start: int, at: int, closer: str) -> bool:
    """Tell whether an unopened closer belongs to the prose: it was opened there, or nothing of a URL follows."""
    behind = text[at + 1 : at + 2]
    if closer != ")" or not (behind.isascii() and (behind.isalnum() or behind in "/_-%")) or not behind:
        return True
    before = text[max(0, start - _LOOK_BACK) : start]
    return before.count("(") > before.count(")")


def _sentence_goes_on(before: str, char: str) -> bool:
    """Tell whether ``char`` is no part of the URL: other punctuation, or another script right behind a word."""
    if unicodedata.category(char)[0] in "ZC":
        return True
    return _is_plain_letter(before) and not _is_latin(char)


def _is_plain_letter(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _is_latin(char: str) -> bool:
    return char < "\u0250" or "\u1e00" <= char < "\u1f00" or char == "–"  # an en dash stands inside titles of articles


def _trim(text: str, start: int, end: int) -> int:
    """Take closing punctuation, and brackets that nothing opened, off the end of ``text[start:end]``."""
    opened = {opener: text.count(opener, start, end) for opener in _OPENERS} if end - start < 1 << 16 else {}
    closed = {closer: text.count(closer, start, end) for closer in _CLOSERS} if opened else {}
    emphasis = text[start - 1 : start] == "_"
    while end > start:
        char = text[end - 1]
        if char in _TRAILING or (emphasis and char == "_") or (not char.isascii() and unicodedata.category(char)[0] == "P" and char not in _PAIR):
            end -= 1
        elif char in _OPENERS:
            opened[char] = opened.get(char, 1) - 1
            end -= 1
        elif char in _CLOSERS and closed.get(char, 0) > opened.get(_PAIR[char], 0):
            closed[char] -= 1
            end -= 1
        else:
            break
    return end


def _cut_end(text: str, start: int, end: int, limit: int) -> int:
    """Return where the ellipsis right behind a URL ends, or ``end`` when there is none."""
    behind = _CUT_BEHIND.match(text, end, limit)
    return behind.end() if behind else end


def _is_host(host: str) -> bool:
    name = host.partition(":")[0] if not host.startswith("[") else host
    if name.startswith("[") or name == "localhost":
        return True
    first, dot, last = name.rpartition(".")
    if not dot:
        return False
    if last.isdigit():
        parts = name.split(".")
        return len(parts) == 4 and all(part.isdigit() and int(part) < 256 for part in parts)
    return len(last) > 1 and bool(first) and "_" not in name.rpartition(".")[0].rpartition(".")[2] + last


def _ascii_end(host: str) -> str:
    """Cut a host where a script without spaces sets in behind a whole Latin host: ``example.comです``."""
    for index in range(1, len(host)):
        if _is_plain_letter(host[index - 1]) and not _is_latin(host[index]) and not host[index].isascii():
            head = host[:index]
            return head if "." in head and public_suffix(head.lower()) else host
    return host


def _reads_as_host(written: str, *, has_path: bool) -> bool:
    """Tell whether dotted words without a scheme are a host: of a known suffix, and no code, file or sentence."""
    host = normalise_host(written)
    if host is None or not _is_host(host) or host.rpartition(".")[2].isdigit():
        return False
    suffix = public_suffix(host)
    if not suffix:
        return False
    if written[:4].lower() == "www." and host.count(".") >= 1:
        return True
    last = written.rpartition(".")[2]
    if not last.islower() and last.isascii() and not (written.isupper() and has_path):
        return False
    if has_path:
        return "." not in suffix and suffix not in _CODE_SUFFIXES or host.count(".") > 1 or suffix == "rs" or "." in suffix
    if host.count(".") == 1 and host.partition(".")[0] in _CODE_ROOTS:
        return False
    return suffix in _PLAIN_SUFFIXES or suffix.rpartition(".")[2] in _PLAIN_SUFFIXES or not written.isascii()
