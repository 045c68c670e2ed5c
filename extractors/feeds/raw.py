"""A feed as its source has it: strings under the names of this project, nothing understood yet.

The readers of the formats (XML, JSON) fill these; ``items`` makes values of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_ITEMS = 200_000


@dataclass(frozen=True, slots=True)
class Body:
    """One of the texts of an item.

    ``kind`` is ``html`` (markup, or plain text where the author did not know better) or ``text`` (declared to
    be plain). ``rank`` orders equals: 0 the whole body, 1 the description, 2 a summary, 3 a teaser.
    """

    markup: str
    rank: int
    kind: str = "html"
    base: str = ""


@dataclass(slots=True)
class RawElement:
    """Data common to a channel and an item.

    ``values`` has single texts under ``title``, ``link``, ``guid``, ``published``, ``duration``, …; ``title_kind`` is
    ``html`` where the title is declared so. ``people`` are (name, role, href) as in the podcast namespace, ``authors``
    bylines with one name or several, ``sounds`` (address, media type, rank), ``chapters`` (start, title, href).
    ``position`` is an item's place in the source, from 1.
    """

    values: dict[str, str] = field(default_factory=dict)
    title_kind: str = ""
    bodies: list[Body] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    people: list[tuple[str, str, str]] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    sounds: list[tuple[str, str, int]] = field(default_factory=list)
    transcripts: list[str] = field(default_factory=list)
    chapters: list[tuple[str, str, str]] = field(default_factory=list)
    uncertain: list[str] = field(default_factory=list)
    position: int = 0

    def place(self) -> str:
        """Return the item's place in the source (from 1) and its title, for a warning."""
        if not self.position:
            return "the feed"
        title = " ".join(self.get("title", "other_title")[:200].split())
        short = title if len(title) <= 60 else title[:59] + "\N{HORIZONTAL ELLIPSIS}"
        return f'item {self.position} ("{short}")' if title else f"item {self.position}"

    def put(self, name: str, text: str | None) -> None:
        """Keep the first text under a name, except an empty one."""
        if text and name not in self.values:
            self.values[name] = text

    def get(self, *names: str) -> str:
        """Return the text under the first of the names with one."""
        return next((self.values[name] for name in names if name in self.values), "")


@dataclass(slots=True)
class RawFeed:
    """A source as read: the channel, its items in the order of the source, and the evidence for its kind.

    ``spoken`` is true if a recording, or an element of the itunes or podcast namespace, is somewhere in it.
    ``cut``, a line, reports its missing end. ``pages`` is the number of its pages that were read.
    """

    channel: RawElement = field(default_factory=RawElement)
    items: list[RawElement] = field(default_factory=list)
    spoken: bool = False
    warnings: list[str] = field(default_factory=list)
    cut: str = ""
    pages: int = 1
