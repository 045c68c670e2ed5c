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
from itertools import accumulate, product, repeat
from typing import TYPE_CHECKING, NamedTuple

from ..languages.language import plain
from ..languages.trigger_phrases import phrases
from ..model import Link, Mention
from ..ref import Ref
from ..subjects.index import last_part, subject_index
from ..subjects.lists import read_spoken
from ..subjects.subject import Subject
from .crosslinks import choose_relation
from .patterns import read_patterns, skip_overlaps
from .symbols.finding import find_symbols
from .topics import find_topics
from .urls import find_urls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..languages.language import Language
    from ..model import Episode
    from ..subjects.index import Index
    from ..transcripts.cues import Transcript
    from .corpus import Corpus

_MAXIMUM_QUOTE = 12  # words of a transcript
_CONFIDENCE = 0.8  # of a spoken mention, relative to a written one
# A topic of an episode comes back in this share of the minutes, or, where nothing else names a topic, in so many.
_MINIMUM_SHARE, _MINIMUM_MINUTES = 2 / 3, 3
_SENTENCE_REACH = 400  # characters on each side of a name that may belong to its sentence
_PACE = 15  # characters of speech a second, where a transcript has no times
_MAXIMUM_MOMENTS = 24
_PATTERNS = read_patterns("episodes")
_SPOKEN_WORD = re.compile(r"[\w+#]+(?:'\w+)?")  # "c++" and "don't" too
_INNER_UNDERSCORE = re.compile(r"(?<=[a-z0-9])_")  # people do not speak it
_WORDS_BEFORE, _WORDS_BEHIND = 4, 12  # most words before and behind a mark that may belong to the name
_TITLE_REACH = 120  # characters on each side of a trigger that may have the words of the title
_MINIMUM_LIKENESS = 0.5  # of a title's words by rarity


class Piece(NamedTuple):
    """A word or a name of speech: its written form, and its place in the speech.

    ``is_name`` tells names from ordinary words, ``mark`` is the mark of code that the words name. A form that is not
    ``sure`` may be an ordinary word.
    """

    start: int
    end: int
    text: str
    is_name: bool = False
    sure: bool = True
    mark: str = ""


class Written(NamedTuple):
    """A text of speech with some of its words written otherwise.

    ``origins`` has for each character of ``text`` the start and end in the speech, and whether the form is sure.
    """

    text: str
    origins: list[tuple[int, int, bool]]

    def to_spoken(self, start: int, end: int) -> tuple[int, int, bool]:
        """Return the span in the speech of a span in the text, and whether each form in it is sure."""
        starts, ends, are_sure = zip(*self.origins[start:end], strict=True)
        return starts[0], ends[-1], all(are_sure)


def write_down(speech: str, subject: Subject) -> Written:
    """Return a text with a subject's names in their written form."""
    index = subject_index(subject)
    words = [*_read_words(speech, subject)]
    names = [*(_join_names(words, index) if index else ()), *(word for word in words if word.is_name)]
    parts: list[str] = []
    origins: list[tuple[int, int, bool]] = []
    last_end = 0
    for name in (*skip_overlaps(names), Piece(len(speech), len(speech), "")):  # the last one stands for the end
        parts += speech[last_end : name.start], name.text
        origins += zip(range(last_end, name.start), range(last_end + 1, name.start + 1), repeat(True))
        origins += [(name.start, name.end, name.sure)] * len(name.text)
        last_end = name.end
    return Written("".join(parts), origins)


@lru_cache(maxsize=8)
def _read_forms(subject: Subject) -> dict[str, list[tuple[list[str], Piece]]]:
    """Return (spoken words, written form) of a subject's names and of code's marks, by the first of the words.

    Those with the most words go first. The written forms have no place yet.
    """
    forms = {words: Piece(0, 0, name.text, True, name.sure) for words, name in read_spoken(subject).items()}
    for mark in (".", "_", "/", "::"):
        forms.update((tuple(form.split()), Piece(0, 0, mark, mark=mark)) for form in phrases(mark, of="spoken"))
    forms_of: dict[str, list[tuple[list[str], Piece]]] = defaultdict(list)
    for words in sorted(forms, key=len, reverse=True):
        forms_of[words[0]].append(([*words], forms[words]))
    return dict(forms_of)


def _read_words(speech: str, subject: Subject) -> Iterator[Piece]:
    """Yield the words of a text in order; words that are the spoken form of a name or mark make one, the longest."""
    forms_of = _read_forms(subject)
    places = [*_SPOKEN_WORD.finditer(speech)]
    words = [place[0].lower() for place in places]
    at = 0
    while at < len(words):
        forms = (form for form in forms_of.get(words[at], ()) if words[at : at + len(form[0])] == form[0])
        spoken, piece = next(forms, ([words[at]], Piece(0, 0, places[at][0])))
        last = places[at + len(spoken) - 1]
        yield piece._replace(start=places[at].start(), end=last.end())
        at += len(spoken)


def _join_names(words: Sequence[Piece], index: Index) -> Iterator[Piece]:
    """Yield the names of the code that some words and the marks between them make, also those that overlap."""
    names = _read_names(index)
    texts = [word.mark or word.text.strip("_") for word in words]
    for at in (at for at, word in enumerate(words) if word.mark):
        for first, last in product(range(max(0, at - _WORDS_BEFORE), at), range(at + 1, at + _WORDS_BEHIND)):
            if name := names.get(_squeeze("".join(texts[first : last + 1]))) if last < len(words) else "":
                is_sure = all(word.sure for word in words[first : last + 1])
                yield Piece(words[first].start, words[last].end, name, is_name=True, sure=is_sure)


@lru_cache(maxsize=8)
def _read_names(index: Index) -> dict[str, str]:
    """Return the names and paths of a code by their squeezed form; of those alike, the shortest in small letters.

    A name without dots has underscores in it, because a mark was spoken.
    """
    names = {*index.rows, *index.aliases, *index.modules}
    names |= {word for word in map(last_part, names) if "_" in word}
    for path in (*index.files, *index.older_files):
        names |= {path, path.rpartition("/")[0], path.rpartition("/")[2]}
    order = sorted(names, key=lambda name: (name.islower(), -len(name), name))  # later ones replace earlier ones
    return {_squeeze(name): name for name in order}


def _squeeze(name: str) -> str:
    """Return a name in small letters without the underscores inside it, as people speak it."""
    return _INNER_UNDERSCORE.sub("", name.lower())


class _Place(NamedTuple):
    """A mention, its place in the transcript, and whether all written forms in it are sure."""

    mention: Mention
    start: int
    end: int
    is_clear: bool


def find_spoken(
    episode: Episode, transcript: Transcript, mentions: Sequence[Mention], corpus: Corpus
) -> Iterator[Mention]:
    """Yield a mention for each symbol, file and topic in the chapters and the speech of an episode.

    ``mentions`` are those of its title and notes. In speech, an artifact counts that these name, too, or that is clear
    at one place. A topic that comes back in few minutes is only mentioned.
    """
    own_topics = {corpus.own_topics.vocabulary: True} if corpus.own_topics else {}
    corpus = replace(corpus, asides={}, own_topics=None, vocabularies={**corpus.vocabularies, **own_topics})
    yield from _read_chapters(episode, transcript, corpus)
    written_ids = {mention.ref.id for mention in mentions}
    places_of: dict[tuple[str, str], list[_Place]] = defaultdict(list)  # by the artifact's id and the relation
    for place in _read_speech(episode, transcript.text, corpus):
        places_of[place.mention.ref.id, place.mention.relation].append(place)
    minimum = math.ceil(_MINIMUM_SHARE * (_get_second(transcript, len(transcript.text) - 1) // 60 + 1))
    if not any(mention.relation == "about" for mention in mentions):
        minimum = min(minimum, _MINIMUM_MINUTES)
    for (id_, relation), places in places_of.items():
        is_written = id_ in written_ids
        if is_written or any(place.is_clear for place in places):
            minutes = {_get_second(transcript, place.start) // 60 for place in places}
            is_passing = relation == "about" and not is_written and len(minutes) < minimum
            yield _join_places(places, transcript, "mentions" if is_passing else relation)


def _read_speech(episode: Episode, text: str, corpus: Corpus) -> Iterator[_Place]:
    """Yield each place of ``text`` at which the extractors of notes find a symbol, file or topic.

    They read the text once for each subject, in the written form of its names. Topics of no subject, such as those of
    the show's own words, are looked for in the first reading.
    """
    for number, subject in enumerate(corpus.subjects if text else ()):
        written = write_down(text, subject)
        item = replace(episode, title="", notes=written.text, links=())
        subjects = {subject} if number else {subject, Subject()}
        vocabularies = {one: is_near for one, is_near in corpus.vocabularies.items() if one.subject in subjects}
        part = replace(corpus, subjects=(subject,), vocabularies=vocabularies)
        for mention in (*find_symbols(item, part), *find_topics(item, part)):
            start, end, is_sure = written.to_spoken(mention.start, mention.end)
            yield _Place(mention, start, end, is_sure)


def _get_second(transcript: Transcript, place: int) -> int:
    """Return the second at which a place in the transcript is spoken, without times an estimate."""
    time = transcript.find_time(place)
    return place // _PACE if time is None else time


def _join_places(places: Sequence[_Place], transcript: Transcript, relation: str) -> Mention:
    """Return one mention for all places of an artifact, the first of which gives its time and quote."""
    first = min(places, key=lambda place: place.start)
    start, end = _cut_quote(transcript.text, first.start, first.end)
    seconds = sorted((_get_second(transcript, place.start) for place in places), reverse=True)
    moments = sorted({second // 60: second for second in seconds}.values())  # the first second of each minute
    return replace(
        first.mention, field="transcript", start=start, end=end, quote=transcript.text[start:end], method="transcript",
        confidence=round(_CONFIDENCE * max(place.mention.confidence for place in places), 3),
        time=transcript.find_time(first.start), count=len(places), relation=relation,
        moments=tuple(moments[:_MAXIMUM_MOMENTS]) if transcript.times else (),
    )  # fmt: skip


def _cut_quote(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the place of at most ``_MAXIMUM_QUOTE`` words of the sentence round a name, the name among them.

    >>> text = "So it goes. We call the dispatcher, and it calls. Good."
    >>> text[slice(*_cut_quote(text, 24, 34))]
    'We call the dispatcher, and it calls.'
    """
    opening = _PATTERNS["end of speech"].split(text[max(0, start - _SENTENCE_REACH) : start])[-1]
    closing = _PATTERNS["end of speech"].search(text, end - 1, end + _SENTENCE_REACH)
    sentence_end = closing.end() if closing else end + _SENTENCE_REACH
    words = [*re.compile(r"\S+").finditer(text, start - len(opening), sentence_end)]
    before = sum(word.end() <= start for word in words)
    first = max(0, min(before + 1 - _MAXIMUM_QUOTE // 2, len(words) - _MAXIMUM_QUOTE))
    return words[first].start(), words[first:][:_MAXIMUM_QUOTE][-1].end()


def _read_chapters(episode: Episode, transcript: Transcript, corpus: Corpus) -> Iterator[Mention]:
    """Yield the names in the titles of chapters, and the targets of their links, each with its time."""
    chapters = transcript.chapters
    lines = [" ".join(chapter.text.split()) or chapter.url for chapter in chapters]
    starts = [0, *accumulate(len(line) + 1 for line in lines)]  # of the lines in their text, and its end
    places = zip(chapters, starts, lines, strict=False)
    links = (Link(one.url, start, start + len(line), "href") for one, start, line in places if one.url)
    item = replace(episode, title="", notes="\n".join(lines), links=tuple(links))
    for find in (find_urls, find_symbols, find_topics) if lines else ():
        for mention in find(item, corpus):
            second = chapters[bisect_right(starts, mention.start) - 1].start
            yield replace(mention, field="chapters", time=None if second is None else int(second))


class SpokenReferences:
    """The titles of a show's episodes, to find the one that a speaker refers to: “see my previous podcast about X”."""

    def __init__(self, episodes: Sequence[Episode], name: str, language: Language, subject: Subject) -> None:
        """Index the titles of a show called ``name`` by their words, except for the show's own name."""
        self._language, self._subject = language, subject
        show_words = self._cut_words(name)
        self._titles = {episode: self._cut_words(episode.title) - show_words for episode in episodes}
        counts = Counter(word for title in self._titles.values() for word in title)
        self._weights = {word: math.log(1 + len(episodes) / count) for word, count in counts.items()}

    def find(self, episode: Episode, transcript: Transcript) -> Iterator[Mention]:
        """Yield a mention (``see_also`` or ``listen_first``) for each earlier episode that the transcript refers to.

        It has the first moment and the number of all.
        """
        places_by_episode: dict[Episode, list[_Place]] = defaultdict(list)
        written = write_down(transcript.text, self._subject)
        for trigger in _PATTERNS["spoken"].finditer(written.text):
            if target := self._find_target(episode, written.text, *trigger.span()):
                closing = _PATTERNS["end of speech"].search(written.text, trigger.end())
                end = closing.start() if closing else len(written.text)
                relation = choose_relation(written.text, end, end)
                ref = Ref(target.kind, target.id, target.title)
                mention = Mention(ref, "notes", 0, 0, "", "transcript", "stated", relation=relation)
                places_by_episode[target].append(_Place(mention, *written.to_spoken(*trigger.span())))
        for places in places_by_episode.values():
            yield _join_places(places, transcript, min(place.mention.relation for place in places))

    def _find_target(self, episode: Episode, text: str, start: int, end: int) -> Episode | None:
        """Return the earlier episode whose title agrees best with the words of a trigger, or those after or before it.

        The trigger is ``text[start:end]`` (“the episode on”), in the speech of ``episode``; ``None`` without a title.
        """
        behind = _PATTERNS["end of speech"].split(text[end : end + _TITLE_REACH], maxsplit=1)[0]
        before = " ".join(_PATTERNS["end of speech"].split(text[max(0, start - _TITLE_REACH) : start])[-2:])

        def is_earlier(other: Episode) -> bool:
            return other != episode and not (episode.date and other.date and other.date >= episode.date)

        titles = {other: title for other, title in self._titles.items() if title and is_earlier(other)}
        for words in map(self._cut_words, (text[start:end], behind, before)):
            shares = {other: self._weigh(title & words) / self._weigh(title) for other, title in titles.items()}
            best = max(shares.values(), default=0)
            if best >= _MINIMUM_LIKENESS and [*shares.values()].count(best) == 1:
                return next(other for other, share in shares.items() if share == best)
        return None

    def _cut_words(self, text: str) -> set[str]:
        return {plain(word) for word in self._language.split(text)[1::2]} - self._language.stop

    def _weigh(self, words: Iterable[str]) -> float:
        return math.fsum(map(self._weights.__getitem__, words))
