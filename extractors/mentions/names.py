"""The names of artifacts in link text, after a check."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from ..languages.link_words import EMPTY, SITES
from ..notes.links import find_links
from ..url import split_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model import Mention
    from .corpus import Extraction

_LONGEST = 100  # characters: longer text is a sentence about the artifact, not its name
_LINE = 300  # how far before a URL its line is read
_WORDS = 8  # of a name before an address: more make a sentence
_BULLET = 4  # characters before an address alone on its line
_MOST = 8  # names that are kept
_SHARED = 3  # artifacts with one name: words for more artifacts name none of them ("chat log", "script")
_BEST = 60  # characters: of names used as often the longest of up to so many
_TRIM = " \t\u00a0\u3000-\u2013\u2014\u2022\u00b7*>|:;,.\u3002\u3001\uff1a=<\u2192\u00bb~/"
# "#12", "PR 123", "owner/repo#12": repetitions of the address; "[3]", "12:34": counts and times.
_NUMBER = re.compile(
    r"(?:(?:pr|pull(?: request)?|issue|bug|gh|[\w.-]+/[\w.-]+)[ #:-]{0,2}|[#(\[]{0,2})\d[\d.:)\]]*", re.IGNORECASE
)
# A time before a name: "12:34 Salt", "1:02:03 Salt", "[5:30] Salt"; "3:10 to Yuma" is a title.
_TIME = re.compile(
    r"[(\[@]{0,2}(?:(?:\d{1,2}:\d\d|\d{2,3}):[0-5]\d|\d:[0-5]\d(?=\s?[)\]:|\u00b7\u2013\u2014-]))"
    r"[)\]]?(?!:\d)(?=[\s:|\u00b7\u2013\u2014-]+\S)"
)
# Every name contains one of these: two letters, "C#", "C++", one of a script of syllables or words.
_LETTERS = re.compile(r"[^\W\d_]{2}|[^\W\d_](?=[+#\d])|[\u3040-\u30ff\u4e00-\u9fff]")
_MARK = re.compile(r"[^\w\s+#]")  # punctuation
_OPEN, _CLOSE = "([{\u300c\u300e\u3010\u201c\u201e\u00ab\"'\u2018", ")]}\u300d\u300f\u3011\u201d\u00bb\"'\u2019"
# Words in brackets or quotes, and none in them.
_BRACKETED = re.compile(rf"[{re.escape(_OPEN)}]([^{re.escape(_OPEN + _CLOSE[:-1])}]*)[{re.escape(_CLOSE)}]")
# Phrases before a URL about its place rather than its content: "can be found at".
_UNFINISHED = re.compile(
    r"(?:\b(?:at|in|on|to|see|by|from|of|and|or|with|for|is|are|the|a|an|out|here|via)|[(,])\W*\Z", re.IGNORECASE
)
_ADDRESS = re.compile(r"\s*(?:[*\u2022-]\s*)?\w{1,12}://")  # another address follows
_SENTENCE = re.compile(r"[.!?\u3002\uff01\uff1f]\s|[.!?]\W*\Z")  # the end of a sentence


class Called(NamedTuple):
    """The names of a thing, the commonest first; ``linked``: words of links, not only words in front of addresses."""

    names: tuple[str, ...]
    linked: bool


def called(extractions: Iterable[Extraction]) -> dict[str, Called]:
    """Return the names of linked artifacts in the texts, by the artifact's id.

    Names are the words of hyperlinks, and the words before an address at the end of its line. Words without a meaning
    are left out: "here", addresses, numbers, sentences, and names of many artifacts. A name counts once an episode; of
    equally frequent names the longest goes first, up to ``_BEST`` characters.
    """
    uses: dict[str, dict[str, set[str] | str]] = defaultdict(dict)
    linked: set[str] = set()
    for extraction in extractions:
        for mention, name, is_link in _link_names(extraction):
            if is_link and mention.ref.id not in linked:
                linked.add(mention.ref.id)
                uses.pop(mention.ref.id, None)  # the words of links go before all other words
            if is_link or mention.ref.id not in linked:
                _use(uses[mention.ref.id], name, extraction.episode.id)
    shared = Counter(name for names in uses.values() for name in {*map(str.casefold, names)})
    called = {}
    for id_, names in uses.items():
        spellings: dict[str, dict[str, set[str]]] = defaultdict(dict)
        for name, items in names.items():
            if shared[folded := name.casefold()] <= _SHARED:
                spellings[folded][name] = {items} if isinstance(items, str) else items
        if spellings:
            called[id_] = Called(_rank_names(spellings.values()), id_ in linked)
    return called


def _use(names: dict[str, set[str] | str], name: str, item: str) -> None:
    """Note that an item uses a name; most are used by one item alone, which needs no set of its own."""
    items = names.setdefault(name, item)
    if isinstance(items, set):
        items.add(item)
    elif items != item:
        names[name] = {items, item}


def _link_names(extraction: Extraction) -> Iterator[tuple[Mention, str, bool]]:
    """Yield (mention, name, whether it is the link's own text) for mentions in notes whose words name the linked page.

    For a bare address, the name is the words before it.
    """
    notes = extraction.episode.notes
    last = 0
    for mention in extraction.mentions:
        if mention.field != "notes" or not mention.url:
            continue
        is_link = mention.method in {"href", "crosslink"} and "://" not in mention.quote
        words = mention.quote if is_link else _words_before(notes, mention.start, mention.end, last)
        last = mention.end
        if name := good_name(words, mention.url):
            yield mention, name, is_link


def _words_before(notes: str, start: int, end: int, last: int) -> str:
    """Return the words before an address that ends its line, or the line over one alone on its line, unless a sentence.

    ``last`` is the end of the link before.
    """
    if notes[end : end + 2].strip(" .)").partition("\n")[0]:
        return ""
    line = notes.rfind("\n", max(0, start - _LINE), start) + 1
    words = notes[line:start].strip(_TRIM) if last <= line else ""
    if not words and start - line < _BULLET:
        over = line - 1
        if notes[over - 1 : over] == "\n" and not _ADDRESS.match(notes, end):  # no heading of a list of addresses
            over -= 1  # a blank line between
        above = notes.rfind("\n", max(0, over - _LINE), max(0, over)) + 1
        words = notes[above:over].strip() if last <= above < over else ""
        return "" if words.endswith((":", "\uff1a")) or _SENTENCE.search(words) else words
    return "" if words.count(" ") >= _WORDS or _SENTENCE.search(words) or _UNFINISHED.search(words) else words


def good_name(words: str, url: str = "") -> str:
    """Return the words of a link as the name of the page at ``url``, or an empty text where they are not a name.

    >>> [good_name(words) for words in ("\u201cThe Art of Kilns\u201d:", "(here)", "a paper on arXiv", "PR #12")]
    ['The Art of Kilns', '', '', '']
    """
    name = " ".join(words.split()).strip(_TRIM)
    if (time := _TIME.match(name)) is not None:
        name = name[time.end() :].strip(_TRIM)
    if (inner := _BRACKETED.fullmatch(name)) is not None:
        name = inner[1].strip(_TRIM)
    plain = " ".join(_MARK.sub(" ", name).casefold().split())
    place, _, site = plain.rpartition(" on ")
    if site in SITES and place in EMPTY:  # "a paper on OpenReview"
        return ""
    if len(name) > _LONGEST or plain in EMPTY or not _LETTERS.search(name) or _NUMBER.fullmatch(name):
        return ""
    if plain in SITES and (parts := split_url(url)) is not None and parts.segments:
        return ""
    is_address = " " not in name and any(link.end - link.start == len(name) for link in find_links(name))
    return "" if "://" in name or is_address else name


def _rank_names(spellings: Iterable[dict[str, set[str]]]) -> tuple[str, ...]:
    """Return the names of a thing, the one that most items use first; of each, the commonest spelling."""
    rows: list[tuple[int, int, str]] = []
    for written in spellings:
        best = min(written, key=lambda name: (-len(written[name]), name))
        rows.append((-len(set().union(*written.values())), -len(best) if len(best) <= _BEST else 0, best))
    return tuple(name for _, _, name in sorted(rows)[:_MOST])
