"""Which topics an episode's title and notes name: every spelling of a vocabulary, found in one pass."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..languages.phrase_finder import automaton, fold_case
from ..model import Mention
from ..notes.addresses import find_addresses, without_addresses
from ..ref import Ref
from ..subjects.vocabulary import needs_capitals
from .patterns import mask_spans, skip_overlaps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model import Episode
    from ..notes.asides import Aside
    from ..subjects.subject import Subject, Topic
    from ..subjects.vocabulary import Vocabulary
    from .corpus import Corpus

# Hyphens, line ends and typographic marks are one with the plain space and apostrophe; lengths stay as they are.
_EVEN = str.maketrans({"-": " ", "\u2010": " ", "\u2011": " ", "\u00a0": " ", "\n": " ", "\t": " ", "\u2019": "'"})
_PLURAL_ENDING = re.compile(r"e?s(?!\w)")
_SPACELESS = re.compile("[\u3041-\u9fff]")  # scripts without spaces
# Two characters of one word: a run of katakana is a word; round other characters of scripts without spaces one may end.
_INSIDE_WORD = re.compile(r"(?:(?=\w)[\u30a1-\u30fc]){2}|(?:(?![\u3041-\u9fff])\w){2}")
_WEAK_CONFIDENCE = 0.7
OPENING_LENGTH = 320  # characters of notes that introduce the subject of an item


class _Spelling(NamedTuple):
    """A spelling of a topic: its length, its topic, whether it needs company, the exact case if that counts."""

    length: int
    topic: str
    is_weak: bool
    exact: str


class _Hit(NamedTuple):
    """A place in a text with a spelling of a topic."""

    start: int
    end: int
    topic: str
    is_weak: bool


def find_topics(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the topics in an episode's title and notes.

    The topics are those of ``corpus.vocabularies`` whose subject the feed or the item is about. Yields a ``Mention``
    (relation ``about``) for each place: method ``title`` in the title, ``alias`` in the notes. Only whole words count,
    plurals too; acronyms only in their own case; of overlapping spellings the longest; never inside a URL. A weak
    spelling counts as the title, or beside another topic of its area.
    """
    for vocabulary, is_near in corpus.vocabularies.items():
        if vocabulary.topics and (is_near or is_about(vocabulary.subject, episode.title, episode.notes)):
            yield from _find_in_episode(episode, vocabulary, corpus)
    if corpus.own_topics is not None:
        yield from corpus.own_topics.mentions.get(episode.id, ())


def is_about(subject: Subject, title: str, notes: str) -> bool:
    """Return whether an item of a feed that is not about a subject is: its title names it, or its opening and more.

    A link among others, or a word in passing, does not make all topics of the subject likely.
    """
    if not subject.words or subject.concerns(title):
        return True
    opening, rest = notes[:OPENING_LENGTH], notes[OPENING_LENGTH:]
    return subject.concerns(opening) and (
        subject.count_names(opening) > 1 or subject.concerns(without_addresses(rest, " "))
    )


def opening_end(asides: Iterable[Aside], length: int) -> int:
    """Return the end of the first ``length`` characters of notes outside these boilerplate passages.

    >>> from podgraph.extractors import Aside
    >>> opening_end([Aside(0, 100), Aside(450, 500)], 320)
    420
    """
    end = length
    for aside in asides:
        end += aside.end - aside.start if aside.start < end else 0
    return end


@lru_cache(maxsize=8192)
def make_topic_ref(topic: Topic, vocabulary: Vocabulary) -> Ref:
    """Return the reference of a topic: ``topic:<id>``, with the label of its area."""
    area = vocabulary.topics[vocabulary.areas[topic.id]]
    attrs = (("area", area.name),) if area.area else ()
    return Ref("topic", f"topic:{topic.id}", topic.name, "", (*attrs, ("derived", True)) if topic.derived else attrs)


def _find_in_episode(episode: Episode, vocabulary: Vocabulary, corpus: Corpus) -> Iterator[Mention]:
    """Yield the topics of a vocabulary in an episode.

    A weak spelling is a word with other meanings, too. It counts as the whole title, or where a sure spelling of the
    same area is in the episode.
    """
    places = [("title", "title", episode.title, hit) for hit in _find_hits(episode.title, vocabulary, ())]
    excluded_spans = (*find_addresses(episode.notes), *corpus.asides.get(episode.id, ()))
    places += (("notes", "alias", episode.notes, hit) for hit in _find_hits(episode.notes, vocabulary, excluded_spans))
    whole_title = episode.title.strip(" ?!.")
    sure_areas = set()
    for field, _, text, hit in places:
        if not hit.is_weak or (field == "title" and text[hit.start : hit.end] == whole_title):
            sure_areas.add(vocabulary.areas[hit.topic])
    for field, method, text, (start, end, topic, is_weak) in places:
        if not is_weak or vocabulary.areas[topic] in sure_areas:
            place = (field, start, end, text[start:end], method, "topics", _WEAK_CONFIDENCE if is_weak else 1.0)
            yield Mention(make_topic_ref(vocabulary.topics[topic], vocabulary), *place, relation="about")


@lru_cache(maxsize=8)
def _build_automaton(vocabulary: Vocabulary) -> Any:
    """Return the Aho-Corasick automaton of a vocabulary's spellings, each with its topics."""
    spellings: dict[str, list[_Spelling]] = defaultdict(list)
    for topic in vocabulary.topics.values():
        names = dict.fromkeys(topic.weak, True)
        names |= {name: name.lower() in vocabulary.ordinary for name in (topic.name, *topic.aliases)}
        for name, is_weak in names.items() if topic.id not in vocabulary.roots else ():
            even = name.translate(_EVEN)
            if len(even) > 1 or _SPACELESS.match(even):
                exact = even if needs_capitals(name, weak=is_weak) else ""
                spellings[fold_case(even)].append(_Spelling(len(even), topic.id, is_weak, exact))
    return automaton(spellings)


def _find_hits(text: str, vocabulary: Vocabulary, excluded_spans: Iterable[tuple[int, int]]) -> list[_Hit]:
    """Return the spellings in ``text`` outside the ``excluded_spans``; where some overlap the first and longest one."""
    finder, even = _build_automaton(vocabulary), mask_spans(text.translate(_EVEN), excluded_spans)
    hits: list[_Hit] = []
    for last, spellings in finder.iter(fold_case(even)) if text and len(finder) else ():
        for length, topic, is_weak, exact in spellings:
            start = last + 1 - length
            end = _find_word_end(text, start, last + 1)
            if end and (not exact or even[start : last + 1] == exact):
                hits.append(_Hit(start, end, topic, is_weak))
    return [*skip_overlaps(sorted(hits, key=lambda hit: (hit.is_weak, hit.topic)))]


def _find_word_end(text: str, start: int, end: int) -> int:
    """Return where the words at a place end, with that of a plural; 0 where they begin before or go on behind."""
    if start and _INSIDE_WORD.match(text, start - 1):
        return 0
    if end - start == 1 and all(map(_SPACELESS.match, text[max(0, start - 1) : end + 1])):
        return end if len(text) == 1 else 0  # one character of a longer word
    if _INSIDE_WORD.match(text, end - 1):
        plural = _PLURAL_ENDING.match(text, end)
        return plural.end() if plural else 0
    return end
