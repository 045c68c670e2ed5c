"""The words of a show's titles and notes, with the passages that it repeats marked: made once, read by every step."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..languages.language import language_of

if TYPE_CHECKING:
    from ..languages.language import Language
    from ..model import Feed
    from .asides import Aside
    from .word_table import WordTable


class ShowWords(NamedTuple):
    """The words of a show's items: in ``table``, the title of item ``n`` is row ``2 * n``, its notes are the next row.

    ``asides`` are, by the id of the item, the passages of its notes that the show repeats; their words are marked
    ``BOILERPLATE``.
    """

    language: Language
    table: WordTable
    asides: dict[str, tuple[Aside, ...]]


@lru_cache(maxsize=16)
def show_words(feed: Feed) -> ShowWords:
    """Return the words of a feed's titles and notes, by the rules of its language, with the repeated passages marked.

    The last 16 feeds are remembered, because every extractor asks for the words.
    """
    from .asides import find_asides  # noqa: PLC0415 - questions import extractors, and read no texts
    from .word_table import BOILERPLATE, build_word_table  # noqa: PLC0415

    language = language_of(feed.language, (f"{item.title} {item.notes}" for item in feed.episodes))
    table = build_word_table([text for item in feed.episodes for text in (item.title, item.notes)], language)
    asides = find_asides(table)
    # The rows of the table are titles and notes in turn; titles have no passages.
    spans = [row for passages in asides for row in ((), [(aside.start, aside.end) for aside in passages])]
    asides_by_id = {item.id: passages for item, passages in zip(feed.episodes, asides, strict=True)}
    return ShowWords(language, table.set_flag(BOILERPLATE, spans), asides_by_id)
