"""Find names and topics in an episode's transcript and chapters, with their times; never links.

The extractors of notes read speech in its written form (``written.py``). Their finds are folded: each artifact is one
mention, with its first place, its count, and a second of each minute with it. An episode is about a topic that comes
back in two thirds of the minutes, or, if title and notes have no topic, in three. Other topics are only mentioned.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...model import Link, Mention
from ..symbols.finding import find_symbols
from ..topics import find_topics
from ..urls import find_urls
from .written import write_down

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...model import Episode
    from ...subjects.subject import Subject
    from ...subjects.vocabulary import Vocabulary
    from ...transcripts.cues import Transcript
    from ..corpus import Corpus

MOST_WORDS = 12  # of a transcript in one quote
_CONFIDENCE = 0.8  # of a spoken mention, relative to a written one
_EVERYDAY = 0.5  # below this, the word is an ordinary one: it counts beside another sign
_SHARE, _MINUTES = 2 / 3, 3  # of the minutes a topic comes back in, and minutes where nothing else names a topic
_OFTEN = 3  # places at which an everyday word counts beside a topic of its area
_PACE = 15  # characters of speech a second, where a transcript has no times
_MOST_MOMENTS = 24
_WORD = re.compile(r"\S+")
# The end of a sentence, and the space behind it.
_END = re.compile(r"[.?!]\s+")
_NO_END = 400  # characters on one side of a name in which the ends of its sentence are looked for


class _Said(NamedTuple):
    """A mention, its place in the transcript, and whether it is clear by itself."""

    mention: Mention
    start: int
    end: int
    clear: bool


def find_said(
    episode: Episode, transcript: Transcript, named: Iterable[Mention], corpus: Corpus, words: int = MOST_WORDS
) -> Iterator[Mention]:
    """Find the names in a transcript and chapters of an episode; ``named`` are those in its title and notes.

    Yields a mention (method ``transcript``) for each symbol, file and topic, the quote not longer than ``words``, and
    never than ``MOST_WORDS``.
    """
    if transcript.chapters:
        yield from _in_chapters(episode, transcript, corpus)
    if not transcript.text:
        return
    known = [*named]
    ids = {mention.ref.id for mention in known}
    found: dict[tuple[str, str], list[_Said]] = defaultdict(list)
    for said in _heard(episode, transcript.text, corpus):
        found[said.mention.ref.id, said.mention.relation].append(said)
    minutes = _second(transcript, len(transcript.text) - 1) // 60 + 1
    most = math.ceil(minutes * _SHARE)
    least = most if any(mention.relation == "about" for mention in known) else min(most, _MINUTES)
    for (id_, relation), places in found.items():
        if id_ in ids or any(said.clear for said in places) or len(places) >= _OFTEN:
            moments = _moments([_second(transcript, said.start) for said in places])
            folded = _folded(places, transcript, moments, min(words, MOST_WORDS))
            passing = relation == "about" and id_ not in ids and len(moments) < least
            yield replace(folded, relation="mentions") if passing else folded


def _heard(episode: Episode, text: str, corpus: Corpus) -> Iterator[_Said]:
    """Yield the finds of the extractors of notes in speech, in its written form for each subject."""
    for subject in corpus.subjects:
        written = write_down(text, subject)
        item = replace(episode, notes=written.text, links=())
        part = replace(
            corpus, subjects=(subject,), asides={}, derived=None, people=corpus.people,
            vocabularies=_vocabularies(corpus, subject),
        )  # fmt: skip
        for find in (find_symbols, find_topics):
            for mention in find(item, part):
                if mention.field == "notes":
                    start, end, sure = written.said(mention.start, mention.end)
                    yield _Said(mention, start, end, sure and mention.confidence > _EVERYDAY)


def _vocabularies(corpus: Corpus, subject: Subject) -> dict[Vocabulary, bool]:
    """Return the vocabularies of a subject; the topics of the show's own words come with the first subject."""
    own = {one: here for one, here in corpus.vocabularies.items() if one.subject == subject}
    return own | ({corpus.derived.vocabulary: True} if corpus.derived and subject == corpus.subjects[0] else {})


def _second(transcript: Transcript, place: int) -> int:
    time = transcript.time_at(place)
    return place // _PACE if time is None else time


def _moments(seconds: Sequence[int]) -> tuple[int, ...]:
    """Return the first second of each minute."""
    first: dict[int, int] = {}
    for second in sorted(seconds):
        first.setdefault(second // 60, second)
    return tuple(first.values())


def _folded(places: Sequence[_Said], transcript: Transcript, moments: tuple[int, ...], words: int) -> Mention:
    """Return one mention for all places of a thing, the first of which gives its time and quote."""
    first = min(places, key=lambda said: said.start)
    confidence = round(_CONFIDENCE * max(said.mention.confidence for said in places), 3)
    start, end = in_sentence(transcript.text, first.start, first.end, words)
    return replace(
        first.mention, field="transcript", start=start, end=end, quote=transcript.text[start:end],
        method="transcript", confidence=confidence, time=transcript.time_at(first.start), count=len(places),
        moments=moments[:_MOST_MOMENTS] if transcript.times else (),
    )  # fmt: skip


def in_sentence(text: str, start: int, end: int, words: int) -> tuple[int, int]:
    """Return the place of at most ``words`` words of the sentence round a name, the name among them.

    >>> text = "So it goes. We call the dispatcher, and it calls. Good."
    >>> [text[slice(*in_sentence(text, 24, 34, words))] for words in (12, 3, 1, 0)]
    ['We call the dispatcher, and it calls.', 'the dispatcher, and', 'dispatcher,', '']
    """
    if not words:
        return start, start
    low, high = max(0, start - _NO_END), min(len(text), end + _NO_END)
    low = next((low + match.end() for match in reversed(list(_END.finditer(text[low:start])))), low)
    closing = _END.search(text, end - 1, high)
    spans = [match.span() for match in _WORD.finditer(text, low, closing.start() + 1 if closing else high)]
    inside = [n for n, span in enumerate(spans) if span[1] > start and span[0] < end]
    first, last = inside[0], min(inside[-1], inside[0] + words - 1)
    while last - first + 1 < words and (first > 0 or last < len(spans) - 1):
        if last < len(spans) - 1:
            last += 1
        if first > 0 and last - first + 1 < words:
            first -= 1
    return spans[first][0], spans[last][1]


def _in_chapters(episode: Episode, transcript: Transcript, corpus: Corpus) -> Iterator[Mention]:
    """Yield the names in the titles of chapters, and the targets of their links, each with its time."""
    text, starts, links = "", [], []
    for chapter in transcript.chapters:
        title = " ".join(chapter.text.split()) or chapter.url
        starts.append(len(text))
        if chapter.url:
            links.append(Link(chapter.url, len(text), len(text) + len(title), "href"))
        text += f"{title}\n"
    item = replace(episode, notes=text, links=tuple(links))
    own = {corpus.derived.vocabulary: True} if corpus.derived else {}
    part = replace(corpus, asides={}, derived=None, vocabularies={**corpus.vocabularies, **own})
    for find in (find_urls, find_symbols, find_topics):
        for mention in find(item, part):
            if mention.field == "notes":
                at = sum(start <= mention.start for start in starts) - 1
                second = transcript.chapters[at].start
                yield replace(mention, field="chapters", time=None if second is None else int(second))
