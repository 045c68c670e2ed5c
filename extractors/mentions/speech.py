"""Find names, topics and other episodes in an episode's transcript and chapters, with their times; never links.

The extractors of notes read speech in its written form. Each artifact is one mention, with its first place, its count,
and a second of each minute with it. An episode is about a topic that comes back in two thirds of the minutes, or, if
title and notes have no topic, in three. Other topics are only mentioned.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ..languages.language import plain
from ..model import Link, Mention
from ..ref import Ref
from .crosslinks import choose_relation
from .patterns import read_patterns
from .symbols.finding import find_symbols
from .topics import find_topics
from .urls import find_urls
from .written_speech import write_down

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..languages.language import Language
    from ..model import Episode
    from ..subjects.subject import Subject
    from ..transcripts.cues import Transcript
    from .corpus import Corpus

_MOST_WORDS = 12  # of a transcript in one quote
_CONFIDENCE = 0.8  # of a spoken mention, relative to a written one
_SHARE, _MINUTES = 2 / 3, 3  # of the minutes a topic comes back in, and minutes where nothing else names a topic
_OFTEN = 3  # places at which an everyday word counts beside a topic of its area
_PACE = 15  # characters of speech a second, where a transcript has no times
_MOST_MOMENTS = 24
_TRIGGER, _END = read_patterns("episodes")["spoken"], read_patterns("episodes")["end of speech"]
_WORD = re.compile(r"\S+")
_NEAR = 120  # characters on each side of a trigger that may have the words of the title
_LEAST = 0.5  # of a title's words by rarity


class _Place(NamedTuple):
    """A mention, its place in the transcript, and whether it is clear by itself."""

    mention: Mention
    start: int
    end: int
    is_clear: bool


def find_spoken(
    episode: Episode, transcript: Transcript, mentions: Sequence[Mention], corpus: Corpus
) -> Iterator[Mention]:
    """Find the names in a transcript and chapters of an episode; ``mentions`` are those of its title and notes.

    Yields a mention (method ``transcript``) for each symbol, file and topic.
    """
    yield from _read_chapters(episode, transcript, corpus)
    ids = {mention.ref.id for mention in mentions}
    places_by_artifact: dict[tuple[str, str], list[_Place]] = defaultdict(list)
    for place in _read_speech(episode, transcript.text, corpus):
        places_by_artifact[place.mention.ref.id, place.mention.relation].append(place)
    most = math.ceil(_SHARE * (_get_second(transcript, len(transcript.text) - 1) // 60 + 1))
    least = most if any(mention.relation == "about" for mention in mentions) else min(most, _MINUTES)
    for (id_, relation), places in places_by_artifact.items():
        if id_ in ids or any(place.is_clear for place in places) or len(places) >= _OFTEN:
            minutes = {_get_second(transcript, place.start) // 60 for place in places}
            is_passing = relation == "about" and id_ not in ids and len(minutes) < least
            yield _fold(places, transcript, "mentions" if is_passing else relation)


def _read_speech(episode: Episode, text: str, corpus: Corpus) -> Iterator[_Place]:
    """Yield the finds of the extractors of notes in speech, in its written form for each subject."""
    own = {corpus.own_topics.vocabulary: True} if corpus.own_topics else {}  # the topics of the show's own words
    for subject in corpus.subjects if text else ():
        speech = write_down(text, subject)
        item = replace(episode, title="", notes=speech.text, links=())
        vocabularies = {one: here for one, here in corpus.vocabularies.items() if one.subject == subject}
        part = replace(corpus, subjects=(subject,), asides={}, own_topics=None, vocabularies=vocabularies | own)
        for mention in (*find_symbols(item, part), *find_topics(item, part)):
            start, end, is_sure = speech.to_spoken(mention.start, mention.end)
            # Below, the word is an ordinary one.
            yield _Place(mention, start, end, is_sure and mention.confidence > 0.5)
        own = {}


def _get_second(transcript: Transcript, place: int) -> int:
    time = transcript.time_at(place)
    return place // _PACE if time is None else time


def _fold(places: Sequence[_Place], transcript: Transcript, relation: str) -> Mention:
    """Return one mention for all places of an artifact, the first of which gives its time and quote."""
    first = min(places, key=lambda place: place.start)
    confidence = round(_CONFIDENCE * max(place.mention.confidence for place in places), 3)
    start, end = cut_quote(transcript.text, first.start, first.end)
    moments: dict[int, int] = {}  # the first second of each minute
    for second in sorted(_get_second(transcript, place.start) for place in places):
        moments.setdefault(second // 60, second)
    return replace(
        first.mention, field="transcript", start=start, end=end, quote=transcript.text[start:end],
        method="transcript", confidence=confidence, time=transcript.time_at(first.start), count=len(places),
        moments=tuple(moments.values())[:_MOST_MOMENTS] if transcript.times else (), relation=relation,
    )  # fmt: skip


def cut_quote(text: str, start: int, end: int, words: int = _MOST_WORDS) -> tuple[int, int]:
    """Return the place of at most ``words`` words of the sentence round a name, the name among them.

    >>> text = "So it goes. We call the dispatcher, and it calls. Good."
    >>> [text[slice(*cut_quote(text, 24, 34, words))] for words in (12, 3, 1, 0)]
    ['We call the dispatcher, and it calls.', 'the dispatcher, and', 'dispatcher,', '']
    """
    low = max([0, start - 400, *(match.end() for match in _END.finditer(text, max(0, start - 400), start))])
    closing = _END.search(text, end - 1, end + 400)
    spans = [match.span() for match in _WORD.finditer(text, low, closing.start() + 1 if closing else end + 400)]
    inside = [n for n, span in enumerate(spans) if span[1] > start and span[0] < end]
    first = max(0, min(inside[0] - max(0, words - len(inside)) // 2, len(spans) - words))
    part = spans[min(first, inside[0]) :][:words]
    return (part[0][0], part[-1][1]) if part else (start, start)


def _read_chapters(episode: Episode, transcript: Transcript, corpus: Corpus) -> Iterator[Mention]:
    """Yield the names in the titles of chapters, and the targets of their links, each with its time."""
    text, starts, links = "", [], []
    for chapter in transcript.chapters:
        title = " ".join(chapter.text.split()) or chapter.url
        starts.append(len(text))
        if chapter.url:
            links.append(Link(chapter.url, len(text), len(text) + len(title), "href"))
        text += f"{title}\n"
    item = replace(episode, title="", notes=text, links=tuple(links))
    own = {corpus.own_topics.vocabulary: True} if corpus.own_topics else {}
    part = replace(corpus, asides={}, own_topics=None, vocabularies={**corpus.vocabularies, **own})
    for find in (find_urls, find_symbols, find_topics) if text else ():
        for mention in find(item, part):
            second = transcript.chapters[bisect_right(starts, mention.start) - 1].start
            yield replace(mention, field="chapters", time=None if second is None else int(second))


class SpokenReferences:
    """The titles of a show's episodes, to find the one that a speaker refers to: “see my previous podcast about X”."""

    def __init__(self, episodes: Sequence[Episode], name: str, language: Language, subject: Subject) -> None:
        """Index the titles of a show called ``name`` by their words, except for the show's own name."""
        self._language, self._subject = language, subject
        show = self._cut_words(name)
        self._titles = {episode: self._cut_words(episode.title) - show for episode in episodes}
        self._spread = Counter(word for title in self._titles.values() for word in title)

    def find(self, episode: Episode, transcript: Transcript) -> Iterator[Mention]:
        """Yield a mention (``see_also`` or ``listen_first``) for each earlier episode that the transcript refers to.

        It has the first moment and the number of all.
        """
        places_by_episode: dict[Episode, list[_Place]] = defaultdict(list)
        speech = write_down(transcript.text, self._subject)
        for trigger in _TRIGGER.finditer(speech.text):
            if target := self._find_target(episode, speech.text, *trigger.span()):
                closing = _END.search(speech.text, trigger.end())
                end = closing.start() if closing else len(speech.text)
                ref, relation = Ref(target.kind, target.id, target.title), choose_relation(speech.text, end, end)
                mention = Mention(ref, "notes", 0, 0, "", "transcript", "stated", relation=relation)
                places_by_episode[target].append(_Place(mention, *speech.to_spoken(*trigger.span())))
        for places in places_by_episode.values():
            yield _fold(places, transcript, min(place.mention.relation for place in places))

    def _find_target(self, episode: Episode, text: str, start: int, end: int) -> Episode | None:
        """Return the episode whose title agrees best with the words at, behind or before a trigger, or ``None``."""
        behind = _END.split(text[end : end + _NEAR], maxsplit=1)[0]
        before = " ".join(_END.split(text[max(0, start - _NEAR) : start])[-2:])
        for words in map(self._cut_words, (text[start:end], behind, before)):
            ranking = [(0.0, "", episode)]
            for other, title in self._titles.items():
                is_later = episode.date and other.date and other.date >= episode.date
                if title & words and other != episode and not is_later:
                    ranking.append((self._weigh(title & words) / self._weigh(title), other.id, other))
            second, best = sorted([*ranking, ranking[0]])[-2:]
            if best[0] >= _LEAST and best[0] > second[0]:
                return best[2]
        return None

    def _cut_words(self, text: str) -> set[str]:
        return {plain(word) for word in self._language.split(text)[1::2]} - self._language.stop

    def _weigh(self, words: Iterable[str]) -> float:
        return math.fsum(math.log(1 + len(self._titles) / self._spread[word]) for word in words)
