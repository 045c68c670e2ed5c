"""Where a URL that began in plain text ends, and whether it was cut there."""

from __future__ import annotations

import re
import unicodedata

from ..url import without_scheme

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
# Characters that end a URL right after them: emphasis and quotes.
_CLOSING = {"'": "'", "*": "*", "~": "~~"}
# The begin of a query or fragment.
_QUERY = re.compile(r"[?#]")
# A footnote: .../a[1]
_NOTE = re.compile(r"\[\d{1,3}\]\Z")
# Markdown escapes characters that it would read as markup: torch/\\_tensor.py.
_ESCAPED = re.compile(r"\\(?=[_*~#&.-][\w/%.])")
# Soft hyphens, zero-width and bidirectional marks; the joiners belong to a word of the scripts that use them.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|(?<![^\x00-\x7f])[\u200c\u200d]+"
)
# Joiners and selectors of variants.
_JOINS = re.compile("[\u200c\u200d\ufe00-\ufe0f]")
# An entity for a character that ends a URL.
_ENTITY_LEFT = re.compile(r"&(?:lt|gt|quot|apos|nbsp|#0*3[49]|#0*6[02]|#0*160|#[xX]0*(?:22|27|3[cCeE]|[aA]0));")
# The scheme of a second URL.
_NESTED = re.compile(r"https?\Z", re.IGNORECASE)
# The end of a possessive, after which no path goes on: github.com/o/kiln's.
_POSSESSIVE = re.compile(r"'s(?![\w/%=&+}\]-])")
# Without one of them no URL in ASCII is cut, elided or a pattern.
_MAY_BE_CUT = ("...", "<", "&hellip;", "&#8230;", "%E2%80%A6", "%e2%80%a6")
_LOOK_BACK = 300  # how far before a URL an open bracket still belongs to its sentence

_DOTS = r"(?:\.{3}|[…‥⋯]|。{3}|&hellip;|&#8230;)"
_MARK = r"(?:[…‥⋯]|。{3}|&hellip;|&#8230;)"
# Three to six full stops are an ellipsis; a longer row leads to a page number.
_CUT = re.compile(rf"\.*+{_MARK}++|\.{{3,6}}+(?!\.)|\[{_DOTS}\]|\({_DOTS}\)")
# An ellipsis at the end, with closing characters after it.
_CUT_END = re.compile(rf"(?:(?<!\.)\.{{3,6}}|{_MARK}|\[{_DOTS}\]|\({_DOTS}\))[\])}}»”\u2019\"',:;!?/*]{{0,8}}\Z")
# An ellipsis with the brackets and slashes round it.
_ELLIPSIS = re.compile(r"(?<![/\[(])[/\[(]*+(?:\.{3}|\u2026|&hellip;|&#8230;)[/\])]*")
# An omitted part of the path, or a placeholder for any.
_ELIDED = re.compile(r"/(?:\.{3,8}|\[\.{3}\]|\(\.{3}\))(?=/)|[…‥⋯]|<[\w -]+>")
# Three dots inside a word.
_INNER_DOTS = re.compile(r"(?<=[\w-])\.{3}(?=[\w-])")
# An ellipsis after which the path goes on.
_GOES_ON = re.compile(r"[…‥⋯][\w%.~=&-]{0,200}/")
# `https://github.com/<owner>/<name>` is a pattern, no page.
_PLACEHOLDER = re.compile(
    r"(?:<(?!/?(?:a|b|br|i|p|em|li|ul|ol|div|span|strong|code|u|wbr|img|hr)\b)[A-Za-z][\w -]{0,40}>[\w%./?#=&-]*+){1,9}"
)
# The end of a path that another URL follows on any site.
_HANDS_ON = re.compile(
    r"/(?:redirect(?:\.mp3)?|proxy|url|goto|out|embed|iframe|web/[\d*]\w*|\d{14}(?:[a-z]{2}_)?)/\Z", re.IGNORECASE
)
# Shapes of a URL that show that the next word was joined to it: pages that drop line ends do that to whole lists.
_SURE_END = re.compile(
    r"(?i:(?:https?://)?(?:www\.)?)(?:t\.co/[A-Za-z0-9]+(?=[^A-Za-z0-9])|youtu\.be/[\w-]{11}(?=\w)"
    r"|youtube\.com/watch\?v=[\w-]{11}(?=[A-Z])|arxiv\.org/(?:abs|pdf)/\d{4}\.\d{4,5}(?:v\d+)?(?!v\d)(?=[A-Za-z])"
    r"|github\.com/[\w.-]+/[\w.-]+/(?:pull|issues|discussions)/\d+(?:#(?:issuecomment-|discussion_r)\d+)?(?=[A-Za-z])"
    r"|github\.com/[^?#]+#L\d+(?:-L\d+)?(?=[A-Z](?!\d))|[\w.-]+/t/[\w-]+/\d+(?=[A-Za-z])"
    r"|[^?#/]+/[^?#]*?(?:/\d{5,}+(?=[A-Z][a-z])|\.html(?=[A-Za-z])"
    r"|\.(?:cpp|cuh?|hpp|h|py|md|rst|sh|ya?ml|bzl|ipynb|pdf|htm|json|toml|txt)(?=[A-Z][a-z])))"
)


def is_truncated(url: str) -> bool:
    """Return whether a URL was cut off at its end, has an omitted part in the middle, or is only a pattern of one.

    >>> is_truncated("https://github.com/.../README.md"), is_truncated("https://github.com/a/b/compare/v1...v2")
    (True, False)
    """
    if url.isascii() and not any(map(url.__contains__, _MAY_BE_CUT)):
        return False
    bare = url.replace("%E2%80%A6", "…").replace("%e2%80%a6", "…")
    if _CUT_END.search(bare) or _ELIDED.search(bare):
        return True
    return "/compare/" not in bare and bool(_INNER_DOTS.search(bare.partition("#")[0].partition("?")[0]))


def is_shortened(url: str, whole_url: str) -> bool:
    """Return whether a truncated URL is the beginning of another, or its beginning and its end round an ellipsis."""
    head, *tail = _ELLIPSIS.split(without_scheme(url), maxsplit=1)
    whole = without_scheme(whole_url)
    return whole.startswith(head) and whole.endswith("".join(tail))


def remove_invisible(url: str) -> str:
    r"""Return a URL as found, without invisible characters and without Markdown's backslashes before its characters.

    >>> remove_invisible("x.org/a\\_b\u200b")
    'x.org/a_b'
    """
    if "\\" in url:
        url = _ESCAPED.sub("", url)
    return url if url.isascii() else _INVISIBLE.sub("", url)


def find_ellipsis_end(text: str, end: int, limit: int) -> int:
    """Return the offset where the ellipsis at the offset ``end`` of a URL ends, or ``end`` itself if there is none.

    ``limit`` is the offset where the text to look at ends.
    """
    cut = _CUT.match(text, end, limit)
    return cut.end() if cut else end


def find_tail_end(text: str, start: int, at: int, limit: int) -> tuple[int, bool]:
    """Return the offset where a URL ends, and whether the URL is truncated there.

    Args:
        text: plain text
        start: the offset where the URL begins
        at: the offset where its path, query or fragment begins
        limit: it ends at this offset at the latest
    """
    before = text[start - 1 : start]
    end, open_brackets = _find_latest_end(text, start, at, limit)
    if before == "<" and text.startswith(">", end, limit):
        end = _find_first(text, "|", at, end)  # <https://x.org/a|words>, as chats write it
        return end, is_truncated(text[start:end])  # the angle brackets show its end, so nothing else has to be tried
    if mark := _CLOSING.get(before):  # a quote or emphasis that was opened right before the URL
        end = _find_first(text, mark, at, end)
    url = text[start:end]
    if sure := _SURE_END.match(url):  # the next word was joined to the URL
        cut = find_ellipsis_end(text, start + sure.end(), limit)
        return cut, cut > start + sure.end()
    if entity := _ENTITY_LEFT.search(url):  # such as &gt;
        end = start + entity.start()
    if cut := _find_cut_end(text, url, end, limit):
        return cut, True
    if open_brackets:
        end = min(end, open_brackets[0])
    end = _trim_punctuation(text, start, end, emphasis=before == "_")
    if "?" not in url and (note := _NOTE.search(text, max(start, end - 5), end)):  # [123] has five characters
        end = note.start()
    return end, is_truncated(text[start:end])


def _find_cut_end(text: str, url: str, end: int, limit: int) -> int:
    """Return the offset behind a truncated URL's ellipsis or placeholder; 0 if the URL is not truncated.

    Args:
        text: plain text
        url: the URL, as far as it was found
        end: its end in the text
        limit: nothing behind this offset belongs to the URL
    """
    if (cut := find_ellipsis_end(text, end, limit)) > end:
        # A bracket round the ellipsis belongs to it.
        return cut + (text[end - 1] in "[(" and text.startswith(("]", ")"), cut))
    if placeholder_end := _find_placeholder_end(text, end, limit):
        return placeholder_end
    # Only its end needs a search.
    return end if _CUT_END.search(url, max(0, len(url) - 40)) else 0


def _find_first(text: str, mark: str, at: int, end: int) -> int:
    """Return the offset of the first ``mark`` in ``text[at:end]``, ``end`` without one."""
    place = text.find(mark, at, end)
    return end if place < 0 else place


def _find_placeholder_end(text: str, end: int, limit: int) -> int:
    """Return the offset behind a placeholder such as ``<name>`` that continues the URL ending at ``end`` in ``text``.

    The result is 0 without one, and at most ``limit``.
    """
    if text[end : end + 1] != "<" or text[end - 1] not in "/=-_.":
        return 0
    match = _PLACEHOLDER.match(text, end, limit)
    return match.end() if match else 0


def _find_latest_end(text: str, start: int, at: int, limit: int) -> tuple[int, list[int]]:  # noqa: C901
    """Return the latest offset where a URL can end, and the offsets of the brackets in it that nothing closes.

    The punctuation that closes the sentence is still in the URL; the caller removes it. The walk goes from character to
    character. Brackets that the URL opened belong to it, together with those that close them.

    Args:
        text: plain text
        start: the offset where the URL begins
        at: the offset where its path, query or fragment begins
        limit: it ends at this offset at the latest
    """
    brackets: list[int] = []
    while at < limit:
        plain = _PLAIN.match(text, at, limit)
        if plain:
            at = plain.end()
            continue
        char = text[at]
        behind = at  # where the URL goes on; unchanged if it ends here
        if char == ":":
            end = _find_second_url(text, start, at) if text.startswith("//", at + 1) else 0
            if end:
                return len(text[:end].rstrip("&+")), brackets  # the marks that join two URLs
            behind = at + 1
        elif char in _OPENERS:
            # It opens a bracket of the URL, except before prose in its own script, and before [/url].
            if (char.isascii() or not is_word(text[at - 1])) and not text.startswith("[/", at):
                brackets.append(at)
                behind = at + 1
        elif char in _CLOSERS:
            # It belongs to the URL if its bracket was opened there.
            if brackets and text[brackets[-1]] == _PAIR[char]:
                brackets.pop()
                behind = at + 1
            elif not _closes_the_sentence(text, start, at, limit):
                behind = at + 1
        elif char in "|^":  # only within a query, before more of it
            if at + 1 < limit and text[at + 1] not in _STOP and _QUERY.search(text, start, at):
                behind = at + 1
        elif char in "…‥⋯\\":  # an ellipsis with more of the path behind it, or an escape of Markdown
            match = (_ESCAPED if char == "\\" else _GOES_ON).match(text, at, limit)
            behind = at if match is None else at + 1 if char == "\\" else match.end()
        elif char == "'":  # not in "github.com/o/kiln's", unless it is in a query
            if not _POSSESSIVE.match(text, at, limit) or _QUERY.search(text, start, at):
                behind = at + 1
        elif not _ends_url(text, at, limit):
            behind = at + 1
        if behind == at:
            break
        at = behind
    return at, brackets


def _find_second_url(text: str, start: int, colon: int) -> int:
    """Return the offset of the scheme of another URL within a URL, 0 if the other one is a part of it.

    Some pages drop line ends, which joins two URLs. A URL in a query, or behind the path of a redirecting page, belongs
    to the URL that it is in.

    Args:
        text: plain text
        start: the offset where the first URL begins
        colon: the offset of a colon with two slashes behind it
    """
    scheme = _NESTED.search(text, max(start, colon - 5), colon)  # "https" has five letters
    if scheme is None:
        return 0
    at = scheme.start()
    before = text[at - 1]
    belongs = before in "=?#" or (before in "&:+%$" and "?" in text[start:at])
    return 0 if belongs or (before == "/" and _HANDS_ON.search(text, max(start, at - 40), at)) else at


def _closes_the_sentence(text: str, start: int, at: int, limit: int) -> bool:
    """Return whether a closing bracket behind a URL belongs to the sentence, as nothing in the URL opened it.

    It belongs to the URL only if it is a round one, if no bracket before the URL is open, and if something follows that
    can continue a URL. Other brackets always belong to the sentence, because URLs hardly ever have them unpaired.

    Args:
        text: plain text
        start: the offset where the URL begins
        at: the offset of the bracket
        limit: nothing behind this offset belongs to the URL
    """
    behind = text[at + 1 : at + 2] if at + 1 < limit else ""
    # A tuple of characters, because the empty text is a part of every text, but not an element of it.
    if text[at] != ")" or not behind.isascii() or not (behind.isalnum() or behind in tuple("/_-%+=&")):
        return True
    before = text[max(0, start - _LOOK_BACK) : start]
    return before.count("(") > before.count(")")


def _ends_url(text: str, at: int, limit: int) -> bool:
    """Return whether a URL in ``text`` ends before the character at the offset ``at``.

    It ends before white space, most punctuation and a letter of another script. The character is not one of ASCII that
    a URL can have. ``limit`` is the offset where the URL ends at the latest.
    """
    char, before = text[at], text[at - 1]
    if char.isascii():  # the caller has passed the characters of a URL already
        return True
    if _INVISIBLE.match(text, at) or (_JOINS.match(char) and not before.isascii()):
        return False
    category = unicodedata.category(char)
    if category[0] in "LMN":
        return category == "No" or _begins_prose(text, at)  # No: the number of a footnote, a¹
    if category[0] == "P":
        return char not in _INSIDE_WORDS or not (before.isalnum() and text[at + 1 : min(at + 2, limit)].isalnum())
    return category not in ("So", "Sk") or is_word(before)


def _begins_prose(text: str, at: int) -> bool:
    """Return whether the letter beyond ASCII at the offset ``at`` begins prose, behind a URL without a space.

    ``text`` has the URL and the letter.
    """
    char, before = text[at], text[at - 1]
    if not is_foreign(char):
        return False
    if is_word(before) or before in _PAIR:
        return True
    if before == "/":
        return text.startswith(("\u3092", "\u3067\u3059"), at)  # を and です: no Japanese word begins so
    # A mark that closes the sentence with the URL.
    return before in ".,;:!" and text[at - 2].isascii()


def is_word(char: str) -> bool:
    """Return whether a character is a Latin letter without marks, or a digit."""
    return char.isascii() and char.isalnum()


def is_foreign(char: str) -> bool:
    """Return whether a character is of another script than the Latin one (with all its accents)."""
    return char > "\u024f" and not "\u1e00" <= char < "\u1f00"


def _trim_punctuation(text: str, start: int, end: int, *, emphasis: bool) -> int:
    """Return the offset where the URL in ``text[start:end]`` ends without its closing punctuation.

    Quotes in pairs stay, and ``/*``. ``emphasis`` is true if an underscore is before the URL: those at its end are
    punctuation, then.
    """
    counts: dict[str, int] = {}  # of each quote, the number that is left in the URL
    trailing = _TRAILING | {"_"} if emphasis else _TRAILING
    while end > start:
        char = text[end - 1]
        if char in "'\"":  # with an even number up to here, it closes a pair and belongs to the URL
            count = counts[char] = counts.get(char, text.count(char, start, end) + 1) - 1
            if count % 2 == 0:
                break
            end -= 1
        elif char == "*" and text[end - 2] == "/":
            break
        elif char in trailing or _is_mark(char):
            end -= 1
        else:
            break
    return end


def _is_mark(char: str) -> bool:
    """Return whether a character is punctuation of another script, or an invisible one."""
    if char.isascii() or char in _PAIR:
        return False
    return unicodedata.category(char)[0] == "P" or _INVISIBLE.match(char) is not None
