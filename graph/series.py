"""``listen_first`` edges between parts of a series, from titles and notes."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import read_patterns

from .attributes import because
from .words import ASKING, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .attributes import Graph, NewEdge

_MAXIMUM_CONTINUATIONS = 3  # of one title: a title that is contained in more titles is a common word, not a subject
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_PATTERNS = read_patterns("series")  # regular expressions of all languages, by name: "part", "next", "last" …


class _Episode(NamedTuple):
    """A dated episode."""

    date: str
    id: str
    title: str


def find_series(graph: Graph) -> Iterator[NewEdge]:
    """Yield (later, earlier, attributes with the reason) of ``listen_first`` edges; the graph is not changed.

    An episode continues an earlier one of its podcast in three cases. Its title contains the words of the other's in
    their order and more ("CUDA graph trees" and "CUDA graphs"), or is the next part of the same. Its notes mention the
    last episode, or the notes of the last one announce it.
    """
    for episodes in _list_episodes(graph).values():
        yield from _find_longer_titles(episodes)
        yield from _find_numbered_parts(episodes)
        yield from _find_announced_neighbours(episodes, graph)


def _list_episodes(graph: Graph) -> dict[str, list[_Episode]]:
    """Return {podcast id: its episodes with a title and a date, in the order of their dates}."""
    podcasts: dict[str, list[_Episode]] = defaultdict(list)
    for id_ in sorted(graph):
        data = graph.nodes[id_]
        if data["kind"] == "episode" and data.get("title") and data.get("date"):
            podcasts[data.get("podcast", "")].append(_Episode(data["date"], id_, data["title"]))
    return {podcast: sorted(episodes) for podcast, episodes in podcasts.items()}


def _find_longer_titles(episodes: list[_Episode]) -> Iterator[NewEdge]:
    """Yield an edge from each episode to an earlier one whose title it continues with more words.

    ``episodes`` are those of one podcast. A title of only common words or numbers is not continued, nor is one with
    more than ``_MAXIMUM_CONTINUATIONS`` longer titles.
    """
    words = {episode: [word.removesuffix("s") for word in words_of(episode.title)] for episode in episodes}  # singular
    holders: dict[str, list[_Episode]] = defaultdict(list)
    for episode, title_words in words.items():
        for word in {*title_words}:
            holders[word].append(episode)
    for earlier, title_words in words.items():
        if all(word in ASKING or word.isdigit() for word in words_of(earlier.title)):
            continue
        # A longer title has every word of the shorter: comparing the titles with its rarest word is enough.
        rarest = min((holders[word] for word in title_words), key=len)
        longer = [episode for episode in rarest if _has_words_in_order(words[episode], title_words)]
        is_subject = len(longer) <= _MAXIMUM_CONTINUATIONS and len(rarest) <= 2 * _MAXIMUM_CONTINUATIONS
        for later in longer if is_subject else ():
            if later.date > earlier.date and not _PATTERNS["rebroadcast"].search(later.title):
                yield later.id, earlier.id, because(f"“{later.title}” goes on from “{earlier.title}”, by its title")


def _has_words_in_order(longer: list[str], words: list[str]) -> bool:
    """Return whether the list ``longer`` contains ``words`` in their order, and at least one word more."""
    rest = iter(longer)  # each search goes on after the word found before: hence the order
    return len(longer) > len(words) and all(word in rest for word in words)


def _find_numbered_parts(episodes: list[_Episode]) -> Iterator[NewEdge]:
    """Yield an edge from each numbered part of a series ("Looms, part 2") to the part before it.

    ``episodes`` are those of one podcast. Parts belong together if their titles are equal without the number.
    """
    parts: dict[tuple[str, int], str] = {}  # (title without the number, number) -> the first such episode
    for _, id_, title in episodes:
        part = _PATTERNS["part"].search(title)
        name = (title[: part.start()] + title[part.end() :]).casefold().strip() if part else ""
        if part and name:
            number = part[1].lower()
            parts.setdefault((name, _NUMBERS[number] if number in _NUMBERS else int(number)), id_)
    for (name, number), later in sorted(parts.items()):
        if earlier := parts.get((name, number - 1)):
            yield later, earlier, because(f"part {number} comes after part {number - 1}")


def _find_announced_neighbours(episodes: list[_Episode], graph: Graph) -> Iterator[NewEdge]:
    """Yield an edge between two successive episodes of a podcast if the notes of one mention the other.

    The notes of the earlier one announce the next episode, or those of the later one mention the last.
    """
    for earlier, later in pairwise(episodes):
        for episode, pattern in ((earlier, _PATTERNS["next"]), (later, _PATTERNS["last"])):
            if words := pattern.search(graph.nodes[episode.id].get("summary", "")):
                yield later.id, earlier.id, because(f"“{episode.title}” says: {words[0]}")
                break
