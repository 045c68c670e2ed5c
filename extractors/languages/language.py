"""The languages of notes: their stop words, stems, and word boundaries.

A language is a file in ``tables/``, on top of the stop words of stopwords-iso and the stemmer of Snowball. Languages
without a file have only the words of stopwords-iso.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from .trigger_phrases import TABLES, read_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from budoux.parser import Parser

# The scripts that name a language; kana before Han, which Japanese has too.
_SCRIPTS: Final = {"ja": "\u3040-\u30ff", "zh": "\u4e00-\u9fff", "ru": "\u0400-\u04ff", "he": "\u0590-\u05ff"}
_SCRIPT_SHARE: Final = 0.2  # of the letters: notes in every language contain names in Latin letters
_SAME_SCRIPT: Final = frozenset((("zh", "ja"), ("ru", "uk"), ("ru", "bg"), ("ru", "sr"), ("ru", "be")))
_MAXIMUM_SAMPLE: Final = 20_000  # characters that are read, at most a thousand of one text
# Small words that are enough for a language without a tag; that contradict a tag, and how many times as many as the
# tag's language has.
_FEW_SMALL, _CLEAR_SMALL, _TIMES_AS_MANY = 3, 40, 2.5
_UNKNOWN_SHARE: Final = 0.1  # of the words are taken for small words of a language without a list
SMALL_WORDS: Final = {code: frozenset(words) for code, words in read_tables("small_words").items()}
_HAN: Final = "\u3400-\u9fff\u3005\u3006"
_CJK: Final = "\u3041-\u30fc\u3400-\u9fff"
_KATAKANA, _HIRAGANA = "[\u30a1-\u30fa\u30fc]", "[\u3041-\u309f]"
# A word of a script with spaces, and the characters inside it: `C++`, `F#`, `Node.js`, `don't`.
_SPACED: Final = (
    rf"(?:[A-Za-z0-9]++[^\W_{_CJK}]*+|(?![\u3005\u3006])[^\W_{_CJK}]++)"  # the first is there for its speed
    rf"(?:[.'\u2019\u05f3\u05f4&-][^\W_{_CJK}]++)*+(?:\+\+|\#)?+"
)
# The same, or a run of one of the scripts without spaces.
_WORD: Final = re.compile(rf"({_SPACED}|{_KATAKANA}+|[{_HAN}]+|{_HIRAGANA}+)")
_LONGEST_RUN: Final = 1000  # characters of Chinese that are cut into words at once
_NOUN_ENDS: Final = "りめぎきけみれせちえげびい"  # of a verb that is a noun behind two Han and more: `金継ぎ`
# A Hiragana behind Han that makes of it a part of a verb: no particle, and no ending that makes a verb of a noun.
_VERBAL: Final = f"(?![のをはがにでともへやかさしすなだまよ]){_HIRAGANA}"
# A word of Japanese: Katakana; Hiragana without another script beside it; Han outside verbs.
_JAPANESE: Final = (  # compiled when a feed is in Japanese
    rf"({_SPACED}|{_KATAKANA}{{2,}}+|(?<![{_CJK}]){_HIRAGANA}{{2,}}+(?![{_CJK}])"
    rf"|(?<![{_HAN}])(?:[{_HAN}]{{2,}}+(?:[{_NOUN_ENDS}](?!{_VERBAL})|(?!{_VERBAL}))"
    rf"|(?<!{_VERBAL})[{_HAN}](?![{_HAN}])(?!{_VERBAL})))"
)


_LISTS: Final = ("generic", "alone", "inside", "numbering", "dates")


@dataclass(frozen=True, eq=False)
class Language:
    """A language by its two letters (``code``); words are in small letters.

    ``stop`` words have no meaning and end a name, ``generic`` ones are never the first or last word of a name,
    ``alone`` are no names by themselves, ``inside`` are allowed in the middle of a name, ``dates`` those of dates and
    hours. ``nouns`` is true if all nouns have a capital. ``numbering`` precedes the number of an item.
    """

    code: str
    stop: frozenset[str]
    generic: frozenset[str]
    alone: frozenset[str]
    inside: frozenset[str]
    numbering: frozenset[str]
    dates: frozenset[str]
    nouns: bool
    stem: Callable[[str], str]

    def split(self, text: str) -> list[str]:
        """Return a text as gaps and words in turn: a gap, a word, a gap, …; both ends are gaps, perhaps "".

        All parts joined are the text. In Japanese, parts of verbs are in gaps.

        >>> language("en").split("Red clay!")
        ['', 'Red', ' ', 'clay', '!']
        """
        parts = re.split(_JAPANESE, text) if self.code == "ja" else _WORD.split(text)
        return [*_cut_chinese(parts)] if self.code == "zh" else parts

    def key(self, word: str) -> str:
        """Return the stem of a word, by which words are compared: in small letters, without endings."""
        return self.stem(plain(word))

    @property
    def has_spaces(self) -> bool:
        """Whether words have spaces between them."""
        return self.code not in {"ja", "zh"}


def language_of(tag: str, texts: Iterable[str] = ()) -> Language:
    """Return the language of a feed.

    The ``tag`` that the feed declares (``de-AT``) holds unless the texts contradict it: by their script, or by the
    small words of another language ("und", "the"). Without a tag, a few small words are enough; without any, the
    language is English.

    Args:
        tag: the declared language; "": none
        texts: titles and notes, of which a sample is read

    >>> language_of("de-AT").code, language_of("", ["Как заварить чай"]).code, language_of("en", ["味噌の話"]).code
    ('de', 'ru', 'ja')
    >>> language_of("en-us", ["Wir reden über das Brot, und wie man es mit der Hand knetet. " * 9]).code
    'de'
    """
    code = re.split("[-_]", tag.strip().lower())[0]
    sample = " ".join(text[:1000] for text in texts)[:_MAXIMUM_SAMPLE]
    # First by the script, then by the small words.
    minimum = _SCRIPT_SHARE * max(1, sum(map(str.isalpha, sample)))
    for script, characters in _SCRIPTS.items():
        if len(re.findall(f"[{characters}]", sample)) > minimum:
            return language(code if (script, code) in _SAME_SCRIPT else script)
    words = Counter(re.findall(r"[^\W\d_]+", sample.lower()))
    counts = {each: sum(words[word] for word in small_words) for each, small_words in SMALL_WORDS.items()}
    # Of languages with equal counts the declared one, then English.
    likely = max(counts, key=lambda each: (counts[each], each == code, each == "en"))
    is_foreign = code in _SCRIPTS and bool(sample)  # the texts do not have the script of the declared language
    declared_count = counts.get(code, _UNKNOWN_SHARE * words.total())
    minimum_count = max(_CLEAR_SMALL, _TIMES_AS_MANY * declared_count) if code else _FEW_SMALL
    return language(likely if is_foreign or counts[likely] >= minimum_count else code or "en")


@lru_cache(maxsize=32)
def language(code: str) -> Language:
    """Return the language with a two-letter ``code``: the words that matter, and its stemmer.

    They are in the language's file in ``tables/``, stop words in stopwords-iso. A language without a file has its stop
    words at most, and no stemmer: each word is its own stem.
    """
    from stopwordsiso import has_lang, stopwords  # noqa: PLC0415 - only builds need the lists

    path = TABLES / f"{code}.toml"
    table = tomllib.loads(path.read_text("utf-8")) if code.isalpha() and path.is_file() else {}
    stop = frozenset(word.lower() for word in stopwords(code)) if has_lang(code) else frozenset()
    stem: Callable[[str], str] = str
    if name := table.get("stemmer"):
        from Stemmer import Stemmer  # noqa: PLC0415 - only builds need it

        stem = Stemmer(str(name), 0).stemWord  # its cache is slower than the stemmer
    word_lists = {name: frozenset(str(table.get(name, "")).split()) for name in _LISTS}
    stop -= word_lists["inside"].union(str(table.get("named", "")).split())
    return Language(code=code, stop=stop, nouns=table.get("nouns") == "capital", stem=stem, **word_lists)


def plain(word: str) -> str:
    """Return a word in lower case, without a possessive ending.

    >>> plain("Ann's"), plain("Boxes'")
    ('ann', 'boxes')
    """
    small = word.lower()
    return small if small.isalpha() else small.replace("\u2019", "'").removesuffix("'s").rstrip("'")


def _cut_chinese(parts: Iterable[str]) -> Iterator[str]:
    """Yield gaps and words in turn, with each run of Chinese cut into words, between which there are empty gaps.

    ``parts`` are gaps and words in turn, as ``Language.split`` returns them, with a run of Chinese as one word. Long
    runs are cut in pieces first, because the time of the model that finds the words grows with the square of a length.
    """
    for place, part in enumerate(parts):
        words = [part]
        if place % 2 and "\u3041" <= part < "\ua000":  # a word, not a gap, and of Chinese
            pieces = (part[at : at + _LONGEST_RUN] for at in range(0, len(part), _LONGEST_RUN))
            words = [word for piece in pieces for word in _load_chinese().parse(piece)]
        yield words[0]
        for word in words[1:]:
            yield from ("", word)


@lru_cache(maxsize=1)
def _load_chinese() -> Parser:
    """Return the model that cuts Chinese into words; it is loaded once."""
    from budoux import load_default_simplified_chinese_parser  # noqa: PLC0415 - only Chinese needs it

    return load_default_simplified_chinese_parser()
