"""Other episodes that a speaker refers to, such as “see my previous podcast about X”, with their moments.

A trigger phrase announces a later or an earlier episode. The episode is the one whose title, or whose title's topic,
agrees best with the words next to the phrase: first the words before “podcast” (“the X podcast”), then the rest of the
sentence, then the words before the phrase.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from ...languages.language import plain
from ...languages.trigger_phrases import alternatives
from ...model import Mention
from ...ref import Ref
from ..crosslinks import is_wanted_first
from ..topics import find_topics
from .finding import in_sentence
from .written import write_down

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...languages.language import Language
    from ...model import Episode
    from ...transcripts.cues import Transcript
    from ..corpus import Corpus

_TRIGGER = re.compile(
    r"\b(?:previous|earlier|older|old|past|prior|another|separate)\s(?:(?!this\b|today)\w+\s){0,2}?"
    r"(?:podcast|episode)s?\b"
    r"|\b(?:remember|recall|see|out|listen\sto|in|on)\s(?:(?:from|to)\s)?(?:the|my|our|that|one\sof\s(?:my|our))\s"
    r"(?P<name>(?:(?!dev\b|this\b)[\w.+:-]+\s){0,4})(?:podcast|episode)\b(?!\s(?:notes|today))"
    rf"|(?<!\w)(?:{alternatives('announce', 'episodes')})(?!\w)",
    re.IGNORECASE,
)
_END = re.compile(r"[.?!]\s")
_BEHIND, _BEFORE = 120, 130  # characters next to a trigger phrase
_SHORT = 25  # characters of a sentence before a phrase: with fewer, the sentence before it counts too
_LEAST = 0.5  # of a title's words by rarity; a topic that is in the title of one episode only counts 1
_CONFIDENCE = 0.8


class StatedReferences:
    """The titles of a show's episodes, to find which one a speaker refers to."""

    def __init__(self, episodes: Sequence[Episode], name: str, language: Language, corpus: Corpus) -> None:
        """Index the titles of a show called ``name`` by their words, except for the show's own name, and by topic."""
        self._language = language
        self._corpus = replace(corpus, asides={})
        show = self._words(name)
        self._titles = {episode.id: self._words(episode.title) - show for episode in episodes}
        spread = Counter(word for title in self._titles.values() for word in title)
        self._rarity = {word: math.log(1 + len(self._titles) / count) for word, count in spread.items()}
        self._dates = {episode.id: episode.date for episode in episodes}
        self._labels = {episode.id: episode.title for episode in episodes}
        self._titled: dict[str, set[str]] = defaultdict(set)  # topic -> episodes with it in the title
        for episode in episodes:
            for mention in find_topics(replace(episode, notes="", links=()), self._corpus):
                self._titled[mention.ref.id].add(episode.id)

    def find(self, episode: Episode, transcript: Transcript, words: int) -> Iterator[Mention]:
        """Yield a mention (``see_also`` or ``listen_first``) for each episode that the transcript refers to.

        It has the first moment and the number of all. A quote has at most ``words`` words.
        """
        found: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        written = write_down(transcript.text, self._corpus.subjects[0])
        for trigger in _TRIGGER.finditer(written.text):
            if target := self._target(episode, written.text, trigger):
                start, end, _ = written.said(*trigger.span())
                closing = _END.search(written.text, trigger.end())
                ends = closing.start() if closing else len(written.text)
                relation = "listen_first" if is_wanted_first(written.text, ends, ends) else "see_also"
                found[target].append((start, end, relation))
        for target, places in found.items():
            start, end = in_sentence(transcript.text, *places[0][:2], words)
            moments = sorted({second for place in places if (second := transcript.time_at(place[0])) is not None})
            yield Mention(
                Ref(target.partition(":")[0], target, self._labels[target]),
                *("transcript", start, end, transcript.text[start:end], "transcript", "stated", _CONFIDENCE),
                relation=min(relation for _, _, relation in places), time=moments[0] if moments else None,
                count=len(places), moments=tuple(moments),
            )  # fmt: skip

    def _target(self, episode: Episode, text: str, trigger: re.Match[str]) -> str:
        """Return the id of the episode that a trigger phrase refers to, "" without a clear one."""
        closing = _END.search(text, trigger.end())
        behind = text[trigger.end() : min(closing.start() if closing else len(text), trigger.end() + _BEHIND)]
        before = text[max(0, trigger.start() - _BEFORE) : trigger.start()]
        ends = [match.end() for match in _END.finditer(before)]
        if ends and len(before) - ends[-1] > _SHORT:
            before = before[ends[-1] :]
        elif len(ends) > 1:
            before = before[ends[-2] :]
        for words in (trigger["name"] or "", behind, before):
            ranked = self._rank_episodes(episode, words)
            if ranked and ranked[0][0] >= _LEAST and ranked[0][0] > max(score for score, _ in [*ranked[1:2], (0, "")]):
                return ranked[0][1]
        return ""

    def _rank_episodes(self, episode: Episode, text: str) -> list[tuple[float, str]]:
        """Return the earlier episodes whose titles share some words, with their scores, the best first."""
        words = self._words(text)
        mentions = find_topics(replace(episode, notes=text, links=()), self._corpus)
        topics = {mention.ref.id for mention in mentions if mention.field == "notes"}
        scores: dict[str, float] = defaultdict(float)
        for id_, title in self._titles.items():
            if shared := title & words:
                scores[id_] += self._sum(shared) / self._sum(title)
        for topic in topics:
            for id_ in self._titled.get(topic, ()):
                scores[id_] += 1 / len(self._titled[topic])
        ranked = []
        for id_, score in scores.items():
            date = self._dates[id_]
            is_later = bool(episode.date and date and date >= episode.date)
            if id_ != episode.id and not is_later:
                ranked.append((score, id_))
        return sorted(ranked, key=lambda pair: (-pair[0], pair[1]))

    def _words(self, text: str) -> set[str]:
        return {plain(word) for _, _, word in self._language.places(text)} - self._language.stop

    def _sum(self, words: set[str]) -> float:
        return sum(self._rarity[word] for word in sorted(words))
