"""Which topics an episode's title and notes name: every spelling of a vocabulary, found in one pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from ..model import Mention
from ..ref import Ref

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..model import Episode
    from ..subjects.vocabulary import Topic, Vocabulary
    from .corpus import Corpus

# Hyphens, line ends and typographic marks are one with the plain space and apostrophe; lengths stay as they are.
_EVEN = str.maketrans({"-": " ", "\u2010": " ", "\u2011": " ", "\u00a0": " ", "\n": " ", "\t": " ", "\u2019": "'"})
_PLURAL = re.compile(r"e?s(?!\w)")
# What stands in an address names nothing. Every part is bounded: a line of a megabyte costs no more than its length.
ADDRESS = re.compile(
    r"(?<!\w)\w{1,12}://\S*|(?<!\w)www\.\S*|(?<![\w.-])[\w.-]{1,80}\.(?:com|org|io|net|dev|ai|edu|gov)/\S*",
    re.IGNORECASE,
)
_WEAK, _EVERYDAY = 0.7, 0.4  # how sure a weak spelling is: as a name is written; in small letters among other words
_ANY_CASE = 7  # names in CamelCase of this length and more are also found all in lower case


class _Spelling(NamedTuple):
    """A way to write a topic: how many characters, whose, whether it needs company, the exact case if that counts."""

    length: int
    topic: str
    weak: bool
    exact: str


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    topic: str
    weak: bool
    named: bool  # a weak spelling that looks like a name: one capitalised word


def find_topics(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the topics that an episode's title and notes name.

    Those of ``corpus.vocabulary`` where the feed or the item is about its subject, and those of ``corpus.derived``.
    Yields a ``Mention`` (relation ``about``) for each place: method ``title`` in the title, ``alias`` in the notes.
    Whole words only, plurals too; acronyms must stand in their case; of overlapping spellings the longest counts;
    what stands in a URL does not. A weak spelling counts as the title, or beside another topic of its area.
    """
    applies = corpus.vocabulary is not None and (
        corpus.on_subject or corpus.vocabulary.concerns(episode.title, episode.notes)
    )
    urls = [match.span() for match in ADDRESS.finditer(episode.notes)]
    for vocabulary in (corpus.vocabulary if applies else None, corpus.derived):
        if vocabulary is not None and vocabulary.topics:
            yield from _find(episode, vocabulary, urls)


def topic_ref(topic: Topic, vocabulary: Vocabulary) -> Ref:
    """Return the reference of a topic: ``topic:<id>``, with the label of its area."""
    area = vocabulary.topics[vocabulary.areas[topic.id]]
    attrs = (("area", area.name),) if area.area else ()
    return Ref("topic", f"topic:{topic.id}", topic.name, "", (*attrs, ("derived", True)) if topic.derived else attrs)


def _find(episode: Episode, vocabulary: Vocabulary, urls: Sequence[tuple[int, int]]) -> Iterator[Mention]:
    automaton = _automaton(vocabulary)
    in_title = _hits(episode.title, automaton, ())
    in_notes = _hits(episode.notes, automaton, urls)
    whole = [hit for hit in in_title if hit.weak and len(episode.title.strip(" ?!.")) == hit.end - hit.start]
    sure = {hit.topic for hit in in_title if not hit.weak or not hit.named} | {hit.topic for hit in whole}
    sure |= {hit.topic for hit in in_notes if not hit.weak}
    company = {vocabulary.areas[topic] for topic in sure}
    for field, text, hits in (("title", episode.title, in_title), ("notes", episode.notes, in_notes)):
        for hit in hits:
            if hit.weak and hit.topic not in sure and vocabulary.areas[hit.topic] not in company:
                continue
            topic = vocabulary.topics[hit.topic]
            method = "title" if field == "title" else "alias"
            quote = text[hit.start : hit.end]
            confidence = (_EVERYDAY if quote.islower() and hit not in whole else _WEAK) if hit.weak else 1.0
            yield Mention(
                topic_ref(topic, vocabulary),
                field,
                hit.start,
                hit.end,
                quote,
                method,
                "topics",
                confidence,
                relation="about",
            )


_AUTOMATA: WeakKeyDictionary[Vocabulary, Any] = WeakKeyDictionary()


def _automaton(vocabulary: Vocabulary) -> Any:
    """Return the Aho-Corasick automaton of a vocabulary's spellings."""
    if vocabulary in _AUTOMATA:
        return _AUTOMATA[vocabulary]
    import ahocorasick  # type: ignore[import-not-found]  # noqa: PLC0415 - has no stubs; only builds need it

    spellings: dict[str, dict[str, _Spelling]] = {}
    for topic in vocabulary.topics.values():
        if topic.id == vocabulary.root:
            continue
        strong = (topic.name, *topic.aliases)
        names = dict.fromkeys(topic.weak, True) | {name: name.lower() in vocabulary.ordinary for name in strong}
        for name, weak in names.items():
            for spelling in (name, name[:-1]) if _is_plural(name) else (name,):
                key = _fold(spelling.translate(_EVEN))
                if len(key) > 1:
                    value = _Spelling(
                        len(key), topic.id, weak, spelling.translate(_EVEN) if _case_counts(spelling, weak=weak) else ""
                    )
                    owners = spellings.setdefault(key, {})
                    owners[topic.id] = min(owners.get(topic.id, value), value, key=lambda one: (one.weak, one.exact))
    automaton = ahocorasick.Automaton()
    for key, owners in sorted(spellings.items()):
        automaton.add_word(key, tuple(owners.values()))
    if spellings:
        automaton.make_automaton()
    _AUTOMATA[vocabulary] = automaton
    return automaton


def _case_counts(name: str, *, weak: bool) -> bool:
    """Tell whether a spelling counts only with its capitals: acronyms, code, and everyday words with a capital.

    >>> [_case_counts(name, weak=False) for name in ("CI", "ShapeEnv", "Inductor", "CUDA graphs", "vmap")]
    [True, False, False, False, False]
    >>> _case_counts("Work", weak=True)
    True
    """
    if " " in name or "-" in name or not any(char.isupper() for char in name):
        return False
    if name[0].isupper() and not any(char.isupper() for char in name[1:]):
        return weak
    return name.upper() == name or len(name) < _ANY_CASE


def _is_plural(name: str) -> bool:
    return " " in name and len(name) > 6 and name.endswith("s") and not name.endswith(("ss", "us", "is"))


def _fold(text: str) -> str:
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _hits(text: str, automaton: Any, barred: Sequence[tuple[int, int]]) -> list[_Hit]:
    """Return the spellings in ``text`` outside the ``barred`` spans, none overlapping: the longest go first."""
    if not text or not len(automaton):
        return []
    even = text.translate(_EVEN)
    found: list[_Hit] = []
    for last, spellings in automaton.iter(_fold(even)):
        for length, topic, weak, exact in spellings:
            start, end = last + 1 - length, last + 1
            if start and _in_word(text[start - 1]) and _in_word(text[start]):
                continue
            if exact and even[start:end] != exact:
                continue
            if end < len(text) and _in_word(text[end]) and _in_word(text[end - 1]):
                plural = _PLURAL.match(text, end)
                if not plural:
                    continue
                end = plural.end()
            found.append(_Hit(start, end, topic, weak, bool(exact)))
    found.sort(key=lambda hit: (hit.start - hit.end, hit.start, hit.weak, hit.topic))
    taken = bytearray(len(text))
    for start, end in barred:
        taken[start:end] = b"\x01" * (min(end, len(text)) - start)
    kept = []
    for hit in found:
        if not any(taken[hit.start : hit.end]):
            taken[hit.start : hit.end] = b"\x01" * (hit.end - hit.start)
            kept.append(hit)
    kept.sort(key=lambda hit: hit.start)
    return kept


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"
