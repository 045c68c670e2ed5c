"""Where a URL that began in plain text ends, and whether it was cut there."""

from __future__ import annotations

import re
import unicodedata

# Runs that need no thought; everything else is looked at one character at a time.
_PLAIN = re.compile(r"[A-Za-z0-9/_~%&=+.,;!?#@$*-]+")
_STOP = frozenset(
    " \t\n\r\f\v<>`\\\x7f\u00a0\u3000\u2028\u2029\u2014\u2015"
    "\u201c\u201d\u2018\u2019\u00ab\u00bb\u2039\u203a\u201e\u201f\u201a"
)
_OPENERS = "([{\uff08\uff3b\uff5b\u3010\u300c\u300e\u300a\u3008\u3014\u3016\uff62"
_CLOSERS = ")]}\uff09\uff3d\uff5d\u3011\u300d\u300f\u300b\u3009\u3015\u3017\uff63"
_PAIR = dict(zip(_CLOSERS, _OPENERS, strict=True))
_INSIDE_WORDS = frozenset("\u2013\u2010\u00b7\u30fb\u05be\u05f3\u05f4\u0f0b")  # inside titles of articles
_TRAILING = frozenset(".,:;!?'\"*~|^\u00b4")
_QUOTED = re.compile(r"(?<=[/_=+-])\"[\w%./-]+\"")
_NOTE = re.compile(r"\[\d{1,3}\]\Z")  # a footnote: .../a[1]
_PARTICLE = re.compile("を|です")  # no Japanese word begins so
# Soft hyphens, zero-width and bidirectional marks; the joiners belong to a word of the scripts that use them.
# Markdown escapes what it would read as markup: torch/\\_tensor.py.
_ESCAPED = re.compile(r"\\(?=[_*~#&.-][\w/%.])")
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|(?<![^\x00-\x7f])[\u200c\u200d]+"
)
_JOINS = re.compile("[\u200c\u200d\ufe00-\ufe0f]")
_ENTITY_LEFT = re.compile(r"&(?:lt|gt|quot|apos|nbsp|#0*3[49]|#0*6[02]|#0*160|#[xX]0*(?:22|27|3[cCeE]|[aA]0));")
_ENTITY_END = re.compile(r"&[A-Za-z][A-Za-z0-9]{1,31};\Z")
_NESTED = re.compile(r"https?\Z", re.IGNORECASE)
_LOOK_BACK = 300  # how far before a URL an open bracket still belongs to its sentence

_DOTS = r"(?:\.{3}|[…‥⋯]|。{3}|&hellip;|&#8230;)"
_MARK = r"(?:[…‥⋯]|。{3}|&hellip;|&#8230;)"
# Three to six full stops are an ellipsis; a longer row leads to a page number.
_CUT = re.compile(rf"\.*+{_MARK}++|\.{{3,6}}+(?!\.)|\[{_DOTS}\]|\({_DOTS}\)")
_CUT_END = re.compile(rf"(?:(?<!\.)\.{{3,6}}|{_MARK}|\[{_DOTS}\]|\({_DOTS}\))[\])}}»”\u2019\"',:;!?/*]{{0,8}}\Z")
_ELIDED = re.compile(r"/(?:\.{3,8}|\[\.{3}\]|\(\.{3}\))(?=/)|[…‥⋯]|<[\w -]+>")
_INNER_DOTS = re.compile(r"(?<=[\w-])\.{3}(?=[\w-])")
_GOES_ON = re.compile(r"[…‥⋯][\w%.~=&-]{0,200}/")
# `https://github.com/<owner>/<name>` is a pattern, no page.
_PLACEHOLDER = re.compile(
    r"(?:<(?!/?(?:a|b|br|i|p|em|li|ul|ol|div|span|strong|code|u|wbr|img|hr)\b)[A-Za-z][\w -]{0,40}>[\w%./?#=&-]*+){1,9}"
)
# Sites whose own URLs hold another one in their path; elsewhere a URL behind a slash is a second link.
_HOLDS_URL = re.compile(
    r"https?://(?:[a-z0-9-]+\.)*(?:archive\.org|archive\.(?:is|ph|today|vn|md|li|fo)|webcitation\.org|r\.jina\.ai|"
    r"12ft\.io|hypothes\.is|gitpod\.io|urldefense\.(?:com|proofpoint\.com)|translate\.goog|wayback\.[a-z.]+|"
    r"outline\.com|podtrac\.com|chtbl\.com|op3\.dev|pdst\.fm|href\.li|anonym\.to|nbviewer\.org)[/:]",
    re.IGNORECASE,
)
_HANDS_ON = re.compile(
    r"/(?:redirect(?:\.mp3)?|proxy|url|goto|out|embed|iframe|web/[\d*]\w*|\d{14}(?:[a-z]{2}_)?)/\Z", re.IGNORECASE
)
# Where the shape of a URL says that the next word was glued on: pages that drop line ends do that to whole lists.
_SURE_END = re.compile(
    r"(?i:(?:https?://)?(?:www\.)?)(?:t\.co/[A-Za-z0-9]+(?=[^A-Za-z0-9])|youtu\.be/[\w-]{11}(?=\w)"
    r"|youtube\.com/watch\?v=[\w-]{11}(?=[A-Z])|arxiv\.org/(?:abs|pdf)/\d{4}\.\d{4,5}(?:v\d+)?(?!v\d)(?=[A-Za-z])"
    r"|github\.com/[\w.-]+/[\w.-]+/(?:pull|issues|discussions)/\d+(?:#(?:issuecomment-|discussion_r)\d+)?(?=[A-Za-z])"
    r"|github\.com/[^?#]+#L\d+(?:-L\d+)?(?=[A-Z](?!\d))|[\w.-]+/t/[\w-]+/\d+(?=[A-Za-z])"
    r"|[^?#/]+/[^?#]*?(?:/\d{5,}+(?=[A-Z][a-z])|\.html(?=[A-Za-z])"
    r"|\.(?:cpp|cuh?|hpp|h|py|md|rst|sh|ya?ml|bzl|ipynb|pdf|htm|json|toml|txt)(?=[A-Z][a-z])))"
)


def is_truncated(url: str) -> bool:
    """Tell whether a URL was cut at its end, elided in the middle, or is only a pattern of one.

    >>> is_truncated("https://github.com/.../README.md"), is_truncated("https://github.com/a/b/compare/v1...v2")
    (True, False)
    """
    bare = url.replace("%E2%80%A6", "…").replace("%e2%80%a6", "…")
    if _CUT_END.search(bare) or _ELIDED.search(bare):
        return True
    return "/compare/" not in bare and bool(_INNER_DOTS.search(bare.partition("#")[0].partition("?")[0]))


def visible(url: str) -> str:
    """Return a URL as found without the invisible characters and escapes that were put into it."""
    if "\\" in url:
        url = _ESCAPED.sub("", url)
    return url if url.isascii() else _INVISIBLE.sub("", url)


def cut_end(text: str, end: int, limit: int) -> int:
    """Return where the ellipsis that stands at ``end`` ends, or ``end`` when there is none."""
    cut = _CUT.match(text, end, limit)
    return cut.end() if cut else end


def tail_end(text: str, start: int, at: int, limit: int) -> tuple[int, bool]:
    """Return where the URL that begins at ``start`` ends, and whether it was cut there.

    ``at`` is where its path, query or fragment begins; at ``limit`` it ends at the latest.
    """
    before = text[start - 1 : start]
    end, opened = _walk(text, start, at, limit)
    if before == "<" and text[end : end + 1] == ">" and end < limit:
        end = _first(text, "|", at, end)  # <https://x.org/a|words>, as chats write it
        return end, is_truncated(text[start:end])
    if before and before in "'*":
        end = _first(text, before, at, end)
    elif before == "~":
        end = _first(text, "~~", at, end)
    url = text[start:end]
    if sure := _SURE_END.match(url):
        cut = cut_end(text, start + sure.end(), limit)
        return cut, cut > start + sure.end()
    if "&" in url and (entity := _ENTITY_LEFT.search(url)):
        end = start + entity.start()
    if (cut := cut_end(text, end, limit)) > end:
        bracketed = text[end - 1 : end] in tuple("[(") and text[cut : cut + 1] in tuple("])")
        return cut + bracketed, True
    if placeholder := _placeholder(text, end, limit):
        return placeholder, True
    if _CUT_END.search(url, max(0, len(url) - 40)):
        return end, True
    for opener in opened:
        if opener < end:
            end = opener
            break
    end = _trim(text, start, end, emphasis=before == "_")
    if text[end - 1] == "]" and "?" not in url and (note := _NOTE.search(text, max(start, end - 5), end)):
        end = note.start()
    return end, is_truncated(text[start:end])


def _first(text: str, mark: str, at: int, end: int) -> int:
    found = text.find(mark, at, end)
    return end if found < 0 else found


def _placeholder(text: str, end: int, limit: int) -> int:
    if text[end : end + 1] != "<" or text[end - 1] not in "/=-_.":
        return 0
    found = _PLACEHOLDER.match(text, end, limit)
    return found.end() if found else 0


def _walk(text: str, start: int, at: int, limit: int) -> tuple[int, list[int]]:
    """Return where the URL ends at the latest, and the places of brackets in it that nothing closes."""
    opened: list[int] = []
    in_query = False
    while at < limit:
        if plain := _PLAIN.match(text, at, limit):
            in_query = in_query or "?" in plain[0] or "#" in plain[0]
            at = plain.end()
            continue
        char = text[at]
        if char == ":":
            if text.startswith("//", at + 1) and (end := _glued(text, start, at)):
                while text[end - 1] in "&+":
                    end -= 1
                return end, opened
            at += 1
        elif char in _OPENERS:
            if (not char.isascii() and _is_word(text[at - 1])) or text.startswith("[/", at):
                break  # prose in brackets of its own script, or the end of [url]...[/url]
            if text[at + 1 : at + 2] in ("h", "H") and text[at + 1 : at + 9].lower().startswith(
                ("http://", "https://")
            ):
                break
            opened.append(at)
            at += 1
        elif char in _CLOSERS:
            if opened and text[opened[-1]] == _PAIR[char]:
                opened.pop()
            elif _closes_the_sentence(text, start, at, limit):
                break
            at += 1
        elif char in "|^":
            if not in_query or at + 1 >= limit or text[at + 1] in _STOP:
                break
            at += 1
        elif char == '"':
            quoted = _QUOTED.match(text, at, limit)
            if quoted is None or text[start - 1 : start] == '"':
                break
            at = quoted.end()
        elif char in "…‥⋯":
            elided = _GOES_ON.match(text, at, limit)
            if elided is None:
                break
            at = elided.end()
        elif char == "\\" and _ESCAPED.match(text, at, limit):
            at += 2
        elif char == "'" or not _sentence_goes_on(text, at, limit):
            at += 1
        else:
            break
    return at, opened


def _glued(text: str, start: int, colon: int) -> int:
    """Return where a second URL's scheme begins before ``colon``, or 0 when it belongs to the first one."""
    nested = _NESTED.search(text, max(start + 1, colon - 5), colon)
    if nested is None:
        return 0
    before = text[nested.start() - 1]
    in_query = text.find("?", start, nested.start()) > 0
    if (
        before in "=?#"
        or (before in "&:+%$" and in_query)
        or (
            before == "/"
            and (
                _HOLDS_URL.match(text, start) or _HANDS_ON.search(text, max(start, nested.start() - 40), nested.start())
            )
        )
    ):
        return 0
    return nested.start()


def _closes_the_sentence(text: str, start: int, at: int, limit: int) -> bool:
    """Tell whether an unopened closer belongs to the prose: it was opened there, or nothing of a URL follows."""
    behind = text[at + 1 : at + 2] if at + 1 < limit else ""
    if text[at] != ")" or not behind.isascii() or not (behind.isalnum() or behind in tuple("/_-%+=&")):
        return True
    before = text[max(0, start - _LOOK_BACK) : start]
    return before.count("(") > before.count(")")


def _sentence_goes_on(text: str, at: int, limit: int) -> bool:
    """Tell whether the character at ``at`` is no part of the URL: a stop, or another script right behind a word."""
    char, before = text[at], text[at - 1]
    if char in _STOP:
        return True
    if char.isascii():
        return not char.isprintable()
    if _INVISIBLE.match(text, at) or (_JOINS.match(char) and not before.isascii()):
        return False
    category = unicodedata.category(char)
    if category[0] in "LMN":
        if category == "No":
            return True  # a footnote: a¹
        if "a" <= char.lower() <= "\u024f" or "\u1e00" <= char < "\u1f00":
            return False
        if _is_word(before) or before in _PAIR:
            return True
        if before in ".,;:!" and at > 1 and text[at - 2].isascii():
            return True
        return before == "/" and _PARTICLE.match(text, at) is not None
    if category[0] == "P":
        behind = text[at + 1 : at + 2] if at + 1 < limit else ""
        return not (char in _INSIDE_WORDS and before.isalnum() and behind.isalnum())
    return category not in ("So", "Sk") or _is_word(before)


def _is_word(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _trim(text: str, start: int, end: int, *, emphasis: bool) -> int:
    """Take closing punctuation off the end of ``text[start:end]``."""
    counts: dict[str, int] = {}
    while end > start:
        char = text[end - 1]
        if char in "'\"":
            count = counts[char] = counts.get(char, text.count(char, start, end) + 1) - 1
            if count % 2 == 0:
                break
            end -= 1
        elif char == ";" and (entity := _ENTITY_END.search(text, max(start, end - 33), end)):
            end = entity.start()
        elif char == "*" and text[end - 2] == "/":
            break
        elif char in _TRAILING or (emphasis and char == "_") or _is_mark(char):
            end -= 1
        else:
            break
    return end


def _is_mark(char: str) -> bool:
    """Tell whether a character is punctuation of another script, or an invisible one."""
    if char.isascii() or char in _PAIR:
        return False
    return unicodedata.category(char)[0] == "P" or _INVISIBLE.match(char) is not None
