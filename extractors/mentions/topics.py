"""Which topics an episode's title and notes name: every spelling of a vocabulary, found in one pass."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from ..languages.phrase_finder import automaton, folded
from ..model import Mention
from ..notes.addresses import addresses_in, without_addresses
from ..ref import Ref
from ..subjects.vocabulary import case_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..languages.phrase_finder import Automaton
    from ..model import Episode
    from ..notes.asides import Aside
    from ..subjects.subject import Subject
    from ..subjects.vocabulary import Topic, Vocabulary
    from .corpus import Corpus, Derived

# Hyphens, line ends and typographic marks are one with the plain space and apostrophe; lengths stay as they are.
_EVEN = str.maketrans({"-": " ", "\u2010": " ", "\u2011": " ", "\u00a0": " ", "\n": " ", "\t": " ", "\u2019": "'"})
# The ending of a plural, and no letter behind it.
_PLURAL = re.compile(r"e?s(?!\w)")
_KATAKANA, _KATAKANA_END = "\u30a1", "\u30fc"
_SPACELESS, _HAN, _SPACELESS_END = "\u3041", "\u3400", "\u9fff"
_MARKS = " ?!."  # characters round a title that is a single spelling
_WEAK, _EVERYDAY = 0.7, 0.4  # how sure a weak spelling is: as a name is written; in small letters among other words
_OPENING = 320  # characters of notes that introduce the subject of an item


class _Spelling(NamedTuple):
    """A spelling of a topic: its length, its topic, whether it needs company, the exact case if that counts."""

    length: int
    topic: str
    weak: bool
    exact: str


class _Hit(NamedTuple):
    start: int
    end: int
    topic: str
    weak: bool
    named: bool  # a weak spelling that looks like a name: one capitalised word


def find_topics(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the topics in an episode's title and notes.

    The topics are those of ``corpus.vocabularies`` whose subject the feed or the item is about. Yields a ``Mention``
    (relation ``about``) for each place: method ``title`` in the title, ``alias`` in the notes. Only whole words count,
    plurals too; acronyms only in their own case; of overlapping spellings the longest; never inside a URL. A weak
    spelling counts as the title, or beside another topic of its area.
    """
    texts = (episode.title, episode.notes)
    found = [part for part, here in corpus.vocabularies.items() if here or is_about(part.subject, *texts)]
    for vocabulary in found:
        if vocabulary.topics:
            yield from _find(episode, vocabulary, corpus)
    if corpus.derived is not None:
        yield from _own_topics(episode, corpus.derived)


def is_about(subject: Subject, title: str, notes: str) -> bool:
    """Return whether an item of a feed that is not about a subject is: its title names it, or its opening and more.

    A link among others, or a word in passing, does not make all topics of the subject likely.
    """
    if not subject.words or subject.concerns(title):
        return True
    opening, rest = notes[:_OPENING], notes[_OPENING:]
    return subject.concerns(opening) and (
        subject.names_in(opening) > 1 or subject.concerns(without_addresses(rest, " "))
    )


def opening_end(asides: Iterable[Aside], length: int) -> int:
    """Return the end of the first ``length`` characters of notes outside these boilerplate passages.

    >>> from podgraph.extractors import Aside
    >>> opening_end([Aside(0, 100, 9, True), Aside(450, 500, 9, True)], 320)
    420
    """
    end = length
    for aside in asides:
        end += aside.end - aside.start if aside.start < end else 0
    return end


@lru_cache(maxsize=8192)
def topic_ref(topic: Topic, vocabulary: Vocabulary) -> Ref:
    """Return the reference of a topic: ``topic:<id>``, with the label of its area."""
    area = vocabulary.topics[vocabulary.areas[topic.id]]
    attrs = (("area", area.name),) if area.area else ()
    return Ref("topic", f"topic:{topic.id}", topic.name, "", (*attrs, ("derived", True)) if topic.derived else attrs)


def _own_topics(episode: Episode, derived: Derived) -> Iterator[Mention]:
    """Yield a mention for each place of the topics of the show's own words that were chosen for an item, in order."""
    texts = {"title": episode.title, "notes": episode.notes}
    for field, start, end, id_ in derived.places.get(episode.id, ()):
        ref = topic_ref(derived.vocabulary.topics[id_], derived.vocabulary)
        method = "title" if field == "title" else "alias"
        yield Mention(ref, field, start, end, texts[field][start:end], method, "topics", relation="about")


def _find(episode: Episode, vocabulary: Vocabulary, corpus: Corpus) -> Iterator[Mention]:
    """Yield the topics of a vocabulary in an episode.

    A weak spelling is a word with other meanings, too. It counts as the whole title, or where a sure spelling of the
    same area is in the episode.
    """
    spelt = _automaton(vocabulary)
    asides = ((aside.start, aside.end) for aside in corpus.asides.get(episode.id, ()))
    barred = [*addresses_in(episode.notes), *asides]
    title = episode.title.strip(_MARKS)
    titled = _hits(episode.title, spelt, ())
    noted = _hits(episode.notes, spelt, barred)
    whole = {hit.topic for hit in titled if hit.weak and hit.end - hit.start == len(title)}
    # A single capitalised word in a title may be a name of something else.
    sure = whole | {hit.topic for hit in titled if not (hit.weak and hit.named)}
    sure |= {hit.topic for hit in noted if not hit.weak}
    sure_areas = {vocabulary.areas[topic] for topic in sure}
    for field, text, hits in (("title", episode.title, titled), ("notes", episode.notes, noted)):
        for hit in hits:
            if not hit.weak or vocabulary.areas[hit.topic] in sure_areas:
                quote = text[hit.start : hit.end]
                confidence = _confidence(hit, quote, whole=hit.topic in whole and hits is titled)
                ref = topic_ref(vocabulary.topics[hit.topic], vocabulary)
                place = (field, hit.start, hit.end, quote, "title" if hits is titled else "alias")
                yield Mention(ref, *place, "topics", confidence, relation="about")


def _confidence(hit: _Hit, quote: str, *, whole: bool) -> float:
    """Return the confidence of a topic: lower for a weak spelling, lowest where it is written like an ordinary word."""
    if not hit.weak:
        return 1.0
    return _EVERYDAY if quote.islower() and not whole else _WEAK


_AUTOMATA: WeakKeyDictionary[Vocabulary, Automaton[tuple[_Spelling, ...]]] = WeakKeyDictionary()


def _automaton(vocabulary: Vocabulary) -> Automaton[tuple[_Spelling, ...]]:
    """Return the Aho-Corasick automaton of a vocabulary's spellings."""
    if vocabulary in _AUTOMATA:
        return _AUTOMATA[vocabulary]
    spellings: dict[str, dict[str, _Spelling]] = {}
    for topic in vocabulary.topics.values():
        if topic.id in vocabulary.roots:
            continue
        for spelling, weak in _spellings(topic, vocabulary):
            even = spelling.translate(_EVEN)
            key = folded(even)
            if len(key) > 1 or _is_han(key):
                value = _Spelling(len(key), topic.id, weak, even if case_counts(spelling, weak=weak) else "")
                owners = spellings.setdefault(key, {})
                owners[topic.id] = min(owners.get(topic.id, value), value, key=lambda kept: (kept.weak, kept.exact))
    _AUTOMATA[vocabulary] = automaton({key: tuple(owners.values()) for key, owners in spellings.items()})
    return _AUTOMATA[vocabulary]


def _spellings(topic: Topic, vocabulary: Vocabulary) -> Iterator[tuple[str, bool]]:
    """Yield how a topic is written, plurals also without their ending, and whether a spelling is weak."""
    strong = (topic.name, *topic.aliases)
    names = dict.fromkeys(topic.weak, True) | {name: name.lower() in vocabulary.ordinary for name in strong}
    for name, weak in names.items():
        yield name, weak
        if _is_plural(name):
            yield name[:-1], weak


def _is_plural(name: str) -> bool:
    return " " in name and len(name) > 6 and name.endswith("s") and not name.endswith(("ss", "us", "is"))


def _hits(text: str, spelt: Automaton[tuple[_Spelling, ...]], barred: Sequence[tuple[int, int]]) -> list[_Hit]:
    """Return the spellings in ``text`` outside the ``barred`` spans, none overlapping: the longest go first."""
    if not text or not len(spelt):
        return []
    even = text.translate(_EVEN)
    found: list[_Hit] = []
    for last, spellings in spelt.iter(folded(even)):
        for length, topic, weak, exact in spellings:
            start = last + 1 - length
            end = _word_end(text, start, last + 1)
            if end and (not exact or even[start : last + 1] == exact):
                found.append(_Hit(start, end, topic, weak, bool(exact)))
    found.sort(key=lambda hit: (hit.start - hit.end, hit.start, hit.weak, hit.topic))
    return _apart(found, len(text), barred)


def _apart(hits: Iterable[_Hit], length: int, barred: Iterable[tuple[int, int]]) -> list[_Hit]:
    """Return those of ``hits`` that overlap no earlier one and no barred span, in order of place."""
    taken = bytearray(length)
    for start, end in barred:
        taken[start:end] = b"\x01" * (min(end, length) - start)
    kept = []
    for hit in hits:
        if not any(taken[hit.start : hit.end]):
            taken[hit.start : hit.end] = b"\x01" * (hit.end - hit.start)
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)


def _word_end(text: str, start: int, end: int) -> int:
    """Return where the words at a place end, with that of a plural; 0 where they begin before or go on behind."""
    if start and text[start - 1] != " " and _goes_on(text[start - 1], text[start]):
        return 0
    if end - start == 1 and _is_han(text[start]) and (_is_han(text[start - 1 : start]) or _is_han(text[end : end + 1])):
        return 0  # one character of a longer word
    if end < len(text) and text[end] != " " and _goes_on(text[end - 1], text[end]):
        plural = _PLURAL.match(text, end)
        return plural.end() if plural else 0
    return end


def _is_han(char: str) -> bool:
    return len(char) == 1 and _HAN <= char <= _SPACELESS_END


def _goes_on(one: str, other: str) -> bool:
    """Return whether two neighbouring characters belong to one word.

    A run of katakana is one word; after any other character of a script without spaces a word may end.

    >>> [_goes_on(*pair) for pair in ("ab", "a ", "味噌", "味の", "パン", "パa")]
    [True, False, False, False, True, False]
    """
    if not (_in_word(one) and _in_word(other)):
        return False
    scripts = [_KATAKANA <= char <= _KATAKANA_END for char in (one, other)]
    if any(scripts):
        return all(scripts)
    return not (_SPACELESS <= one <= _SPACELESS_END or _SPACELESS <= other <= _SPACELESS_END)


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_"
