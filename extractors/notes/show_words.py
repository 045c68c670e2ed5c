"""The words of a show's titles and notes, with the passages that it repeats marked: made once, read by every step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ..languages.language import language, language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..languages.language import Language
    from ..model import Episode, Feed
    from .asides import Aside
    from .word_table import Words, WordTable


@dataclass(frozen=True, eq=False)
class ShowWords:
    """The words of some items: in ``table``, the title of item ``n`` is row ``2 * n``, its notes are row ``2 * n + 1``.

    ``asides`` are the passages of each item's notes that the show repeats, which are marked ``BOILERPLATE``.
    """

    episodes: tuple[Episode, ...]
    language: Language
    table: WordTable
    asides: Sequence[tuple[Aside, ...]]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each item by its id."""
        return {episode.id: number for number, episode in enumerate(self.episodes)}

    @cached_property
    def passages(self) -> dict[str, tuple[Aside, ...]]:
        """The passages that are set aside, by the id of the item."""
        return {episode.id: found for episode, found in zip(self.episodes, self.asides, strict=True)}

    def within(self, episode: Episode) -> tuple[ShowWords, int]:
        """Return the words that an item is among, and its number there; one with texts not of the show is alone."""
        number = self.numbers.get(episode.id, -1)
        if number >= 0 and self.table.texts[2 * number : 2 * number + 2] == (episode.title, episode.notes):
            return self, number
        return words_of((episode,), self.language), 0

    def of(self, episode: Episode) -> tuple[Words, Words]:
        """Return the words of an item's title and notes."""
        words, number = self.within(episode)
        return words.table.of(2 * number), words.table.of(2 * number + 1)

    def content(self) -> list[dict[str, int]]:
        """Return how often each item has each stem: see ``WordTable.content``."""
        return self.table.content(2)


def words_of(episodes: tuple[Episode, ...], language: Language) -> ShowWords:
    """Return the words of items, with no passage set aside."""
    from .word_table import word_table  # noqa: PLC0415 - questions import extractors, and read no texts

    texts = [text for episode in episodes for text in (episode.title, episode.notes)]
    return ShowWords(episodes, language, word_table(texts, language), [()] * len(episodes))


@lru_cache(maxsize=16)
def show_words(feed: Feed) -> ShowWords:
    """Return the words of a feed's items, in its language, with what it repeats marked."""
    from .asides import find_asides  # noqa: PLC0415 - questions import extractors, and read no texts
    from .word_table import BOILERPLATE  # noqa: PLC0415

    known = language_of(feed.language, (f"{item.title} {item.notes}" for item in feed.episodes))
    words = words_of(feed.episodes, known)
    asides = find_asides(words.table)
    spans = [spans for found in asides for spans in ((), [(one.start, one.end) for one in found])]
    return ShowWords(feed.episodes, known, words.table.marked(BOILERPLATE, spans), asides)


def no_words() -> ShowWords:
    """Return the words of no item."""
    return words_of((), language("en"))
