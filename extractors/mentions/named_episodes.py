"""Other episodes that the notes name by their titles: "related episodes on X and Y"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import Mention
from ..ref import Ref

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from ..model import Episode
    from .corpus import Corpus

# Words that announce other episodes. Without them a title such as "Shared memory" is only what the notes are about.
_CUE = re.compile(
    r"\b(?:related|previous|earlier|other|past|prior|another|separate|last|see also (?:the|my|our))\b[^.!?\n]{0,30}"
    r"\b(?:episode|podcast|post)s?\b|\b(?:episode|podcast|post)s (?:on|about|called|titled)\b",
    re.IGNORECASE,
)
# A title in quotes, before the word or behind "see also": the whole of it, or it is no title.
_WHOLE = re.compile(
    r"\b(?:(?:episode|podcast|post|show)s?|listen(?:ed|ing)? to)\b[^.!?\n\"“”]{0,30}"
    r"[\"“](?P<quoted>[^\"“”\n]{2,100})[\"”]|"
    r"\bsee also:?[ \t]+(?P<alone>[^.!?,;()\n]{2,100})(?=[.,;)]?(?:\s|\Z))",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\s(?:episode|podcast)\b", re.IGNORECASE)  # behind a title: "the vmap episode"
_BEFORE = re.compile(r"\b(?:the|our|my|that)\s+", re.IGNORECASE)  # in front of such a title
_FIRST = re.compile(r"\bfirst\b|\bprerequisites?\b|\bbefore this\b", re.IGNORECASE)  # it is wanted first
_AHEAD = 20  # characters before "listen to", which may say that this comes first
_REACH = 120  # characters behind the words that announce
_LONGEST = 10  # words in a title
_WORD = re.compile(r"[\w.+#']*\w[+#]*")  # with the marks of "C++", "don't", "v1.2"
_END = re.compile(r"[!?\n;]|\.\s|\w{1,12}://|www\.")
_LIKELY = 0.9
_UNANNOUNCED = "the title of an episode, but no words such as `related episodes` or `see also` announce one"


def find_named_episodes(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the titles of other episodes of the feed in the notes, where the words before them announce episodes.

    Yields a ``Mention`` of method ``crosslink`` (``see_also`` or ``listen_first``) for each; the longest title counts.
    """
    if not corpus.titles:
        return
    seen: set[int] = set()
    for cue, start, end in _places(episode.notes, corpus):
        quote = episode.notes[start:end]
        target = corpus.titles[_folded(quote)]
        if target == episode.id or start in seen:
            continue
        seen.add(start)
        ref = Ref(target.partition(":")[0], target, quote)
        relation = "listen_first" if _FIRST.search(episode.notes, cue, start) else "see_also"
        yield Mention(ref, "notes", start, end, quote, "crosslink", "crosslinks", _LIKELY, relation=relation)
    if corpus.drop:
        words = list(_WORD.finditer(episode.notes))
        for place, word in enumerate(words):
            behind = _end_of_title(words, place, corpus.titles)
            if behind and word.start() not in seen:
                corpus.drop("notes", word.start(), words[behind - 1].end(), _UNANNOUNCED)


def _places(notes: str, corpus: Corpus) -> Iterator[tuple[int, int, int]]:
    """Yield (begin of the words that announce, begin of a known title, its end)."""
    done = 0
    for cue in _CUE.finditer(notes):
        stop = _END.search(notes, cue.end(), cue.end() + _REACH)
        end = stop.start() if stop else min(cue.end() + _REACH, len(notes))
        words = list(_WORD.finditer(notes, max(cue.end(), done), end))
        place = 0
        while place < len(words):
            behind = _end_of_title(words, place, corpus.titles)
            if behind > place:
                done = words[behind - 1].end()
                yield cue.start(), words[place].start(), done
            place = max(behind, place + 1)
    for cue in _WHOLE.finditer(notes):
        yield from _title(notes, cue.start() - _AHEAD, *cue.span(cue.lastgroup or ""), corpus)
    for cue in _AFTER.finditer(notes):
        end = cue.start()
        for before in _BEFORE.finditer(notes, max(end - _REACH, 0), end):
            yield from _title(notes, end - _AHEAD, before.end(), end, corpus)


def _end_of_title(words: list[re.Match[str]], place: int, titles: Container[str]) -> int:
    """Return where the longest title ends that begins with a word: the number of the word behind it; 0 for none."""
    for behind in range(min(place + _LONGEST, len(words)), place, -1):
        if " ".join(word[0].casefold() for word in words[place:behind]) in titles:
            return behind
    return 0


def _title(notes: str, cue: int, start: int, end: int, corpus: Corpus) -> Iterator[tuple[int, int, int]]:
    """Yield the place of what stands between ``start`` and ``end`` if the whole of it is a title."""
    words = list(_WORD.finditer(notes, start, end))
    if " ".join(word[0].casefold() for word in words) in corpus.titles:
        yield max(cue, 0), words[0].start(), words[-1].end()


def _folded(text: str) -> str:
    return " ".join(word.casefold() for word in _WORD.findall(text))


def known_titles(episodes: Iterable[Episode]) -> dict[str, str]:
    """Return the titles of episodes, folded to their words, and whose they are; one that several bear is nobody's.

    >>> from podgraph.extractors.model import Episode
    >>> known_titles([Episode("episode:p/vmap", "episode", "podcast:p", "vmap: an introduction")])
    {'vmap an introduction': 'episode:p/vmap'}
    """
    owners: dict[str, set[str]] = {}
    for episode in episodes:
        words = _folded(episode.title)
        if len(words) > 2:
            owners.setdefault(words, set()).add(episode.id)
    return {title: ids.pop() for title, ids in owners.items() if len(ids) == 1}
