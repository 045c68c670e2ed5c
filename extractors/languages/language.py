"""The languages of notes: their stop words, inflections, and word boundaries.

A language is a file in ``tables/``, on top of the stop words of stopwords-iso and the stemmer of Snowball. Languages
without a file have only the words of stopwords-iso.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from ..errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_TABLES: Final = Path(__file__).parent / "tables"
_SEEN: Final = 20_000  # characters for detecting the language of a feed that does not name it
# The scripts that name a language, as ranges of characters; kana before Han, which Japanese has too.
_SCRIPTS: Final = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
)
_SCRIPT_SHARE: Final = 0.2  # of the letters: notes in every language contain names in Latin letters
_SAME_SCRIPT: Final = frozenset((("zh", "ja"), ("ru", "uk"), ("ru", "bg"), ("ru", "sr"), ("ru", "be")))
_FEW_SMALL, _CLEAR_SMALL, _TIMES_AS_MANY = 3, 40, 2.5  # small words that hint at a language, and that contradict a tag
_UNKNOWN_SHARE: Final = 0.1
_HAN: Final = "\u3400-\u9fff\u3005\u3006"
_CJK: Final = "\u3041-\u30fc\u3400-\u9fff"
_KATAKANA: Final = "[\u30a1-\u30fa\u30fc]"
_HIRAGANA: Final = "[\u3041-\u309f]"
# A word of a script with spaces, and the characters inside it: `C++`, `F#`, `Node.js`, `don't`.
_SPACED: Final = (
    rf"(?:[A-Za-z0-9]++[^\W_{_CJK}]*+|(?![\u3005\u3006])[^\W_{_CJK}]++)"  # the first is there for its speed
    rf"(?:[.'\u2019\u05f3\u05f4&-][^\W_{_CJK}]++)*+(?:\+\+|\#)?+"
)
# The same, or a run of one of the scripts without spaces.
_WORD: Final = re.compile(rf"({_SPACED}|{_KATAKANA}+|[{_HAN}]+|{_HIRAGANA}+)")
_LONGEST_RUN: Final = 1000  # characters of Chinese that are cut into words at once
_PARTICLES: Final = "のをはがにでともへやかさしすなだまよ"  # or endings that make a verb of a noun
_NOUN_ENDS: Final = "りめぎきけみれせちえげびい"  # of a verb that is a noun behind two Han and more: `金継ぎ`
# A Hiragana behind Han that makes of it a part of a verb.
_VERBAL: Final = f"[{''.join(sorted({*map(chr, range(0x3041, 0x30A0))} - {*_PARTICLES}))}]"
# A word of Japanese: Katakana; Hiragana without another script beside it; Han outside verbs.
_JAPANESE: Final = re.compile(
    rf"({_SPACED}|{_KATAKANA}{{2,}}+|(?<![{_CJK}]){_HIRAGANA}{{2,}}+(?![{_CJK}])"
    rf"|(?<![{_HAN}])(?:[{_HAN}]{{2,}}+(?:[{_NOUN_ENDS}](?!{_VERBAL})|(?!{_VERBAL}))"
    rf"|(?<!{_VERBAL})[{_HAN}](?![{_HAN}])(?!{_VERBAL})))"
)


class _Segmenter(Protocol):
    def parse(self, sentence: str) -> list[str]:
        """Return the parts of a sentence."""


@dataclass(frozen=True, eq=False)
class Language:
    """A language by its two letters (``code``); words are in small letters.

    ``stop`` words have no meaning and end a name, ``generic`` ones are never the first or last word of a name,
    ``alone`` are no names by themselves, ``inside`` are allowed in the middle of a name. ``inflections`` are endings of
    forms of one noun (empty: any ending), ``dates`` words of dates and hours. ``nouns`` is true if all nouns have a
    capital. ``numbering`` precedes the number of an item.
    """

    code: str
    stop: frozenset[str] = frozenset()
    generic: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    numbering: tuple[str, ...] = ()
    inflections: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    nouns: bool = False
    stem: Callable[[str], str] = str
    segmenter: str = ""

    def places(self, text: str) -> Iterable[tuple[int, int, str]]:
        """Return the places of the words of a text, and the words themselves; in Japanese without parts of verbs."""
        found = ((match.start(), match.end(), match[0]) for match in self.pattern.finditer(text))
        return found if self.cut_by_pattern else self._cut_runs(found)

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of a word: one group around the whole."""
        return _JAPANESE if self.segmenter == "ja" else _WORD

    @property
    def cut_by_pattern(self) -> bool:
        """Whether the pattern finds the ends of words; Chinese needs a model besides."""
        return self.segmenter in ("", "ja")

    def key(self, word: str) -> str:
        """Return the stem of a word, in small letters."""
        return _key(self.stem, word)

    def _cut_runs(self, found: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, word) for runs of letters; the model cuts those in Chinese characters into words."""
        for start, _, run in found:
            if not "\u3041" <= run < "\ua000":  # Latin letters, digits and the like are words already
                yield start, start + len(run), run
                continue
            for at in range(0, len(run), _LONGEST_RUN):  # the model's time grows with the square of the length
                for part in _segmenter().parse(run[at : at + _LONGEST_RUN]):
                    yield start, start + len(part), part
                    start += len(part)  # noqa: PLW2901 - where the next part begins

    @property
    def spaced(self) -> bool:
        """Whether words have spaces between them."""
        return not self.segmenter


def language_of(declared: str, texts: Iterable[str] = ()) -> Language:
    """Return the language of a feed: the one that its titles and notes (``texts``) are in.

    The tag that the feed declares (``de-AT``) holds unless the texts contradict it: by their script, or by the small
    words of another language. Without a tag, a few small words are enough; without any, the language is English.

    >>> language_of("de-AT").code, language_of("", ["Как заварить чай"]).code, language_of("en", ["味噌の話"]).code
    ('de', 'ru', 'ja')
    >>> language_of("en-us", ["Wir reden über das Brot, und wie man es mit der Hand knetet. " * 9]).code
    'de'
    """
    code = re.split("[-_]", declared.strip().lower())[0]
    sample = _take_sample(texts)
    letters = sum(map(str.isalpha, sample)) or 1
    script = next((name for name, chars in _SCRIPTS if len(chars.findall(sample)) > _SCRIPT_SHARE * letters), "")
    if script:
        return language(code if (script, code) in _SAME_SCRIPT else script)
    counts = _small_words(sample)
    likely = max(counts, key=lambda one: (counts[one], one == code, one == "en"))
    if not code:
        return language(likely if counts[likely] >= _FEW_SMALL else "en")
    foreign = code in {name for name, _ in _SCRIPTS} and bool(sample)
    most = counts.get(code, _UNKNOWN_SHARE * len(sample.split()))  # of a language that has no list, we know no words
    clear = counts[likely] >= _CLEAR_SMALL and counts[likely] > _TIMES_AS_MANY * most
    return language(likely if foreign or clear else code)


@lru_cache(maxsize=32)
def language(code: str) -> Language:
    """Return a language by its two letters; one without a table knows its stop words at most."""
    path = _TABLES / f"{code}.toml"
    table = _table(path) if code.isalpha() and path.is_file() else {}
    lists = {name: tuple(str(table.get(name, "")).split()) for name in _LISTS}
    stem = _stemmer(str(table.get("stemmer", "")))
    stop = _stop_words(code) - set(lists["named"])
    return Language(
        code=code,
        stop=stop - set(lists["inside"]),
        generic=frozenset(lists["generic"]),
        alone=frozenset(lists["alone"]),
        inside=frozenset(lists["inside"]),
        numbering=lists["numbering"],
        inflections=frozenset(lists["inflections"]),
        dates=frozenset(lists["dates"]),
        nouns=table.get("nouns") == "capital",
        stem=stem,
        segmenter=str(table.get("segmenter", "")),
    )


_LISTS: Final = ("named", "generic", "alone", "inside", "numbering", "inflections", "dates")


_KEYS: Final = frozenset((*_LISTS, "nouns", "stemmer", "segmenter"))


def _table(path: Path) -> dict[str, object]:
    """Return the table of a language. Raises ``SourceError`` for an unknown key, which would have no effect."""
    table = tomllib.loads(path.read_text("utf-8"))
    if unknown := sorted(table.keys() - _KEYS):
        problem = f"has an unknown key {unknown[0]!r}"
        raise SourceError(problem, source=path.name, remedy=f"use one of {', '.join(sorted(_KEYS))}")
    return table


@lru_cache(maxsize=1)
def first_names() -> frozenset[str]:
    """Return first names in small letters."""
    lines = (_TABLES / "first_names.txt").read_text("utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())


@lru_cache(maxsize=100_000)
def _key(stem: Callable[[str], str], word: str) -> str:
    return stem(plain(word))


def plain(word: str) -> str:
    """Return a word in small letters, without a possessive ending."""
    small = word.lower()
    return small if small.isalpha() else small.replace("\u2019", "'").removesuffix("'s").rstrip("'")


def _take_sample(texts: Iterable[str]) -> str:
    """Return the beginnings of the texts, ``_SEEN`` characters in all: enough to detect a language."""
    parts: list[str] = []
    left = _SEEN
    for text in texts:
        parts.append(text[: min(left, 1000)])
        left -= len(parts[-1])
        if left <= 0:
            break
    return " ".join(parts)


def _small_words(sample: str) -> dict[str, int]:
    """Return how often a text has the commonest small words of each language in Latin letters."""
    words = Counter(word.lower() for word in re.findall(r"[^\W\d_]+", sample))
    return {code: sum(words[word] for word in small) for code, small in SMALL_WORDS.items()}


# Words that few of the other languages have, or that are far commoner in this one.
SMALL_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "en": frozenset("the and of to is in with for this that on we are how you what it".split()),
    "de": frozenset("der die und das ist mit von ein eine im zu wir den über auf nicht sich auch wie".split()),
    "fr": frozenset("le la les et des est une dans du avec pour nous sur au qui ce pas plus".split()),
    "es": frozenset("el la los las y una con del por para que en se un es cómo más".split()),
    "pt": frozenset("o os as uma com do da em para não que um no na é como dos mais".split()),
    "it": frozenset("il la di che è per non del una con sono della nel gli anche come e i un si".split()),
    "nl": frozenset("de het een en van is op met dat voor niet zijn ook wij we over hoe".split()),
}


def _stop_words(code: str) -> frozenset[str]:
    from stopwordsiso import has_lang, stopwords  # noqa: PLC0415 - only builds need the lists

    return frozenset(word.lower() for word in stopwords(code)) if has_lang(code) else frozenset()


def _stemmer(name: str) -> Callable[[str], str]:
    """Return the Snowball stemmer of a language, without its cache, which is slower than the stemmer."""
    if not name:
        return str
    from Stemmer import Stemmer  # noqa: PLC0415 - only builds need it

    stem: Callable[[str], str] = Stemmer(name, 0).stemWord
    return stem


@lru_cache(maxsize=1)
def _segmenter() -> _Segmenter:
    from budoux import load_default_simplified_chinese_parser  # noqa: PLC0415 - only Chinese needs it

    return cast("_Segmenter", load_default_simplified_chinese_parser())
