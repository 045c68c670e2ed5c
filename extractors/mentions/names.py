"""The names of artifacts in link text, after a check."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from ..languages.trigger_phrases import phrases
from ..notes.links import find_links
from ..url import split_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model import Mention
    from .corpus import Extraction

EMPTY, SITES = phrases("empty", of="links"), phrases("sites", of="links")
_LONGEST = 100  # characters: longer text is a sentence about the artifact, not its name
_LINE = 300  # how far before a URL its line is read
_BEST = 60  # characters: of names used as often the longest of up to so many
_TRIM = " \t\u00a0\u3000-\u2013\u2014\u2022\u00b7*>|:;,.\u3002\u3001\uff1a=<\u2192\u00bb~/"
# "#12", "PR 123", "owner/repo#12": repetitions of the address; "[3]", "12:34": counts and times.
_NUMBER = re.compile(
    r"(?:(?:pr|pull(?: request)?|issue|gh|[\w.-]+/[\w.-]+)[ #:-]{0,2}|[#(\[]{0,2})\d[\d.:)\]]*", re.IGNORECASE
)
# A time before a name: "12:34 Salt", "1:02:03 Salt", "[5:30] Salt"; "3:10 to Yuma" is a title.
_TIME = re.compile(
    r"[(\[@]{0,2}(?:(?:\d{1,2}:\d\d|\d{2,3}):[0-5]\d|\d:[0-5]\d(?=\s?[)\]:|\u00b7\u2013\u2014-]))"
    r"[)\]]?(?!:\d)(?=[\s:|\u00b7\u2013\u2014-]+\S)"
)
# Every name contains one of these: two letters, "C#", "C++", one of a script of syllables or words.
_LETTERS = re.compile(r"[^\W\d_]{2}|[^\W\d_](?=[+#\d])|[\u3040-\u30ff\u4e00-\u9fff]")
_MARK = re.compile(r"[^\w\s+#]")  # punctuation
# Words in brackets or quotes, and none in them.
_OPEN, _CLOSE = r"(\[{\u300c\u300e\u3010\u201c\u201e\u00ab\"'\u2018", r")\]}\u300d\u300f\u3011\u201d\u00bb"
_BRACKETED = re.compile(rf"[{_OPEN}]([^{_OPEN}{_CLOSE}]*)[{_CLOSE}\"'\u2019]")
# Phrases before a URL about its place rather than its content: "can be found at".
_UNFINISHED = re.compile(
    r"(?:\b(?:at|in|on|to|see|by|from|of|and|or|with|for|is|are|the|a|an|out|here|via)|[(,])\W*\Z", re.IGNORECASE
)
_SENTENCE = re.compile(r"[.!?\u3002\uff01\uff1f]\s|[.!?]\W*\Z")  # the end of a sentence
_ADDRESS = re.compile(r"\s*(?:[*\u2022-]\s*)?\w{1,12}://")  # another address follows


class ArtifactNames(NamedTuple):
    """The names of an artifact, the commonest first; ``is_link_text`` is false for words in front of addresses."""

    names: tuple[str, ...]
    is_link_text: bool


def collect_names(extractions: Iterable[Extraction]) -> dict[str, ArtifactNames]:
    """Return the names of linked artifacts in the texts, by the artifact's id.

    Names are the words of hyperlinks, and the words before an address at the end of its line. Words without a meaning
    are left out: "here", addresses, numbers, sentences, and names of many artifacts. A name counts once an episode; of
    equally frequent names the longest goes first, up to ``_BEST`` characters.
    """
    uses: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    for extraction in extractions:
        for id_, name, is_link in set(_find_names(extraction)):
            uses[id_, is_link][name] += 1
    names_of = {id_: names for (id_, _), names in sorted(uses.items())}  # the words of links go before all other words
    artifacts = Counter(name for names in names_of.values() for name in {*map(str.casefold, names)})
    results: dict[str, ArtifactNames] = {}
    for id_, names in names_of.items():
        spellings: dict[str, Counter[str]] = defaultdict(Counter)
        for name, count in names.items():
            if artifacts[name.casefold()] <= 3:  # "chat log" names more artifacts, and so none
                spellings[name.casefold()][name] = count
        best = {min(counts, key=lambda name: (-counts[name], name)): counts.total() for counts in spellings.values()}
        order = sorted(best, key=lambda name: (-best[name], -len(name) if len(name) <= _BEST else 0, name))
        if order:
            results[id_] = ArtifactNames(tuple(order[:8]), (id_, True) in uses)
    return results


def _find_names(extraction: Extraction) -> Iterator[tuple[str, str, bool]]:
    """Yield (id of an artifact, name, whether it is the link's own text) for the links of the notes.

    For a bare address, the name is the words before it.
    """
    notes, last = extraction.episode.notes, 0
    for mention in extraction.mentions:
        if mention.field == "notes" and mention.url:
            is_link = mention.method in {"href", "crosslink"} and "://" not in mention.quote
            words = mention.quote if is_link else _find_words_before(notes, mention, last)
            last = mention.end
            if name := clean_name(words, mention.url):
                yield mention.ref.id, name, is_link


def _find_words_before(notes: str, mention: Mention, last: int) -> str:
    """Return the words before an address that ends its line, or the line over one alone on its line, unless a sentence.

    ``last`` is the end of the link before.
    """
    begin = max(last, mention.start - _LINE, 0)
    lines = notes[begin : mention.start].split("\n")
    if begin and notes[begin - 1] != "\n":
        lines[0] = ""  # not the whole line
    words, above = lines[-1].strip(_TRIM), lines[-2:-1]
    is_last = not notes[mention.end : mention.end + 2].strip(" .)").partition("\n")[0]
    is_name = is_last and words.count(" ") < 8 and not _UNFINISHED.search(words)
    if not words:
        if above == [""] and not _ADDRESS.match(notes, mention.end):  # no heading of a list of addresses
            above = lines[-3:-2]
        words = "".join(above).strip()
        is_name = is_last and not words.endswith((":", "\uff1a"))
    return words if is_name and not _SENTENCE.search(words) else ""


def clean_name(words: str, url: str = "") -> str:
    """Return the words of a link as the name of the page at ``url``, or an empty text where they are not a name.

    >>> [clean_name(words) for words in ("\u201cThe Art of Kilns\u201d:", "(here)", "a paper on arXiv", "PR #12")]
    ['The Art of Kilns', '', '', '']
    """
    name = " ".join(words.split()).strip(_TRIM)
    if time := _TIME.match(name):
        name = name[time.end() :].strip(_TRIM)
    if inner := _BRACKETED.fullmatch(name):
        name = inner[1].strip(_TRIM)
    plain = " ".join(_MARK.sub(" ", name).casefold().split())
    place, _, site = plain.rpartition(" on ")
    is_empty = plain in EMPTY or (site in SITES and place in EMPTY)  # "a paper on OpenReview"
    if len(name) > _LONGEST or is_empty or not _LETTERS.search(name) or _NUMBER.fullmatch(name) or "://" in name:
        return ""
    if plain in SITES and (parts := split_url(url)) is not None and parts.segments:
        return ""
    return "" if " " not in name and any(link.end - link.start == len(name) for link in find_links(name)) else name
