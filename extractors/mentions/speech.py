"""Find names, topics and other episodes in an episode's transcript and chapters, with their times; never links.

The extractors of notes read speech in its written form: “torch dot compile” as ``torch.compile``. A subject has the
sounds of its names (``spoken.txt``), a language the spoken names of code's marks (``languages/tables/spoken.txt``).
Words round a mark are a name if the index of the code has it.

Each artifact is one mention, with its first place, its count, and a second of each minute with it. An episode is about
a topic that comes back in two thirds of the minutes, or, if title and notes have no topic, in three. Other topics are
only mentioned.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ..languages.language import plain
from ..languages.trigger_phrases import phrases
from ..model import Link, Mention
from ..ref import Ref
from ..subjects.index import last_part, subject_index
from ..subjects.lists import read_spoken
from .crosslinks import choose_relation
from .patterns import read_patterns
from .symbols.finding import find_symbols
from .topics import find_topics
from .urls import find_urls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..languages.language import Language
    from ..model import Episode
    from ..subjects.index import Index
    from ..subjects.subject import Subject
    from ..transcripts.cues import Transcript
    from .corpus import Corpus

_MOST_WORDS = 12  # of a transcript in one quote
_CONFIDENCE = 0.8  # of a spoken mention, relative to a written one
_SHARE, _MINUTES = 2 / 3, 3  # of the minutes a topic comes back in, and minutes where nothing else names a topic
_OFTEN = 3  # places at which an everyday word counts beside a topic of its area
_PACE = 15  # characters of speech a second, where a transcript has no times
_MOST_MOMENTS = 24
_PATTERNS = read_patterns("episodes")
_SPOKEN_WORD = re.compile(r"[\w+#]+(?:'\w+)?")  # "c++" and "don't" too
_GAP = re.compile(r"[\s,.\-]{1,3}")  # between words of one form: recognisers put commas and points anywhere
_DUNDER = "__"
_INNER = re.compile(r"(?<=[a-z0-9])_")  # an underscore inside a word, which people do not speak
_BEFORE, _BEHIND = 4, 12  # words before and behind a mark that may belong to the name
_NEAR = 120  # characters on each side of a trigger that may have the words of the title
_LEAST = 0.5  # of a title's words by rarity


class Piece(NamedTuple):
    """A word, a name or a passage of speech: its written form and its place; ``mark`` is the mark of code it names."""

    text: str
    start: int
    end: int
    is_name: bool = False
    sure: bool = True
    mark: str = ""


class Written(NamedTuple):
    """A text with some of its words written otherwise: its ``pieces``, and the ``starts`` of these in the text."""

    text: str
    pieces: list[Piece]
    starts: list[int]

    def to_spoken(self, start: int, end: int) -> tuple[int, int, bool]:
        """Return the span in the spoken text of a span in the written one, and whether each name in it is sure."""
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        one, two = self.pieces[first], self.pieces[last]
        speech_start = one.start if one.is_name else one.start + start - self.starts[first]
        speech_end = two.end if two.is_name else two.start + end - self.starts[last]
        return speech_start, speech_end, all(piece.sure for piece in self.pieces[first : last + 1])


def write_down(speech: str, subject: Subject) -> Written:
    """Return a text with a subject's names in their written form."""
    index = subject_index(subject)
    words = [*_read_words(speech, subject)]
    names = [*(_join_names(words, index) if index else ()), *(word for word in words if word.is_name)]
    pieces, at = [], 0
    for name in sorted(names, key=lambda name: (name.start, -name.end)):
        if name.start >= at:
            pieces += [Piece(speech[at : name.start], at, name.start), name]
            at = name.end
    pieces.append(Piece(speech[at:], at, len(speech)))
    pieces = [piece for piece in pieces if piece.text]
    starts = [0, *accumulate(len(piece.text) for piece in pieces)]
    return Written("".join(piece.text for piece in pieces), pieces, starts[:-1])


@lru_cache(maxsize=8)
def _read_forms(subject: Subject) -> tuple[Mapping[str, Piece], Mapping[str, int]]:
    """Return the spoken forms of names and marks, as pieces without a place, and the most words of one by its first."""
    forms = {
        " ".join(form): Piece(name.text, 0, 0, is_name=True, sure=name.sure)
        for form, name in read_spoken(subject).items()
    }
    for mark in (".", "_", "/", "::", _DUNDER):
        forms.update((form, Piece(mark, 0, 0, mark=mark)) for form in phrases(mark, of="spoken"))
    longest: dict[str, int] = defaultdict(int)
    for first, *others in map(str.split, forms):
        longest[first] = max(len(others) + 1, longest[first])
    return forms, longest


def _read_words(speech: str, subject: Subject) -> Iterator[Piece]:
    """Yield the words of a text, those that make a spoken form as one; the longest form counts."""
    forms, longest = _read_forms(subject)
    words = [*_SPOKEN_WORD.finditer(speech)]
    at = 0
    while at < len(words):
        start, piece, length = words[at].start(), Piece(words[at][0], *words[at].span()), 1
        for count in range(min(longest.get(piece.text.lower(), 0), len(words) - at), 0, -1):
            end = words[at + count - 1].end()
            if form := forms.get(_GAP.sub(" ", speech[start:end].lower())):
                piece, length = form._replace(start=start, end=end), count
                break
        yield piece
        at += length


def _join_names(words: Sequence[Piece], index: Index) -> Iterator[Piece]:
    """Yield the names of the code that some words and the marks between them make: the longest at each mark."""
    names = _read_names(index)
    texts = [word.mark or word.text.strip("_") for word in words]
    done = 0
    for at, word in enumerate(words):
        lefts = range(max(done, at - _BEFORE), at) if word.mark != _DUNDER else [at]
        for right in range(min(at + _BEHIND, len(words)) - 1, at, -1) if word.mark and at >= done else ():
            first = next((one for one in lefts if _squeeze("".join(texts[one : right + 1])) in names), None)
            if first is not None and not words[right].mark:
                name = names[_squeeze("".join(texts[first : right + 1]))]
                sure = all(part.sure for part in words[first : right + 1])
                yield Piece(name, words[first].start, words[right].end, is_name=True, sure=sure)
                done = right + 1
                break


@lru_cache(maxsize=8)
def _read_names(index: Index) -> dict[str, str]:
    """Return the names of a code by their squeezed form, the plainest first: in full, by a module's short form, paths.

    A name without dots has underscores in it, because a mark was spoken.
    """
    full = [*index.rows, *index.aliases, *index.modules]
    names = {*full, *(word for word in map(last_part, full) if "_" in word)}
    for short, module in index.spellings["prefixes"].items():
        names |= {short + name.removeprefix(module) for name in full if name.startswith(f"{module}.")}
    for path in (*index.files, *index.older_files):
        names |= {path, path.rpartition("/")[0], path.rpartition("/")[2]}
    names_of: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (name != name.lower(), "_" in name, name)):
        names_of.setdefault(_squeeze(name), name)
    return names_of | {_DUNDER + _squeeze(name.strip("_")): name for name in index.spellings["dunders"]}


def _squeeze(name: str) -> str:
    return _INNER.sub("", name.lower())


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
    start, end = _cut_quote(transcript.text, first.start, first.end)
    moments: dict[int, int] = {}  # the first second of each minute
    for second in sorted(_get_second(transcript, place.start) for place in places):
        moments.setdefault(second // 60, second)
    return replace(
        first.mention, field="transcript", start=start, end=end, quote=transcript.text[start:end],
        method="transcript", confidence=confidence, time=transcript.time_at(first.start), count=len(places),
        moments=tuple(moments.values())[:_MOST_MOMENTS] if transcript.times else (), relation=relation,
    )  # fmt: skip


def _cut_quote(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the place of at most ``_MOST_WORDS`` words of the sentence round a name, the name among them.

    >>> text = "So it goes. We call the dispatcher, and it calls. Good."
    >>> text[slice(*_cut_quote(text, 24, 34))]
    'We call the dispatcher, and it calls.'
    """
    low = max(
        0,
        start - 400,
        *(match.end() for match in _PATTERNS["end of speech"].finditer(text, max(0, start - 400), start)),
    )
    closing = _PATTERNS["end of speech"].search(text, end - 1, end + 400)
    spans = [match.span() for match in re.compile(r"\S+").finditer(text, low, closing.end() if closing else end + 400)]
    before = sum(stop <= start for _, stop in spans)
    part = spans[max(0, min(before + 1 - _MOST_WORDS // 2, len(spans) - _MOST_WORDS)) :][:_MOST_WORDS]
    return part[0][0], part[-1][1]


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
        for trigger in _PATTERNS["spoken"].finditer(speech.text):
            if target := self._find_target(episode, speech.text, *trigger.span()):
                closing = _PATTERNS["end of speech"].search(speech.text, trigger.end())
                end = closing.start() if closing else len(speech.text)
                relation = choose_relation(speech.text, end, end)
                ref = Ref(target.kind, target.id, target.title)
                mention = Mention(ref, "notes", 0, 0, "", "transcript", "stated", relation=relation)
                places_by_episode[target].append(_Place(mention, *speech.to_spoken(*trigger.span())))
        for places in places_by_episode.values():
            yield _fold(places, transcript, min(place.mention.relation for place in places))

    def _find_target(self, episode: Episode, text: str, start: int, end: int) -> Episode | None:
        """Return the earlier episode whose title agrees best with the words of a trigger, or those after or before it.

        The trigger is ``text[start:end]`` (“the episode on”), in the speech of ``episode``; ``None`` without a title.
        """
        behind = _PATTERNS["end of speech"].split(text[end : end + _NEAR], maxsplit=1)[0]
        before = " ".join(_PATTERNS["end of speech"].split(text[max(0, start - _NEAR) : start])[-2:])
        for words in map(self._cut_words, (text[start:end], behind, before)):
            shares: dict[Episode, float] = {}
            for other, title in self._titles.items():
                is_later = episode.date and other.date and other.date >= episode.date
                if title & words and other != episode and not is_later:
                    shares[other] = self._weigh(title & words) / self._weigh(title)
            best = max(shares.values(), default=0)
            if best >= _LEAST and [*shares.values()].count(best) == 1:
                return next(other for other, share in shares.items() if share == best)
        return None

    def _cut_words(self, text: str) -> set[str]:
        return {plain(word) for word in self._language.split(text)[1::2]} - self._language.stop

    def _weigh(self, words: Iterable[str]) -> float:
        return math.fsum(math.log(1 + len(self._titles) / self._spread[word]) for word in words)
