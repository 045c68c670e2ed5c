"""What an extractor may know beside the episode in hand, drawn from all feeds before the first is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..sites import identify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..model import Feed
    from ..ref import Ref
    from ..subjects.vocabulary import Vocabulary


class KnownPeople:
    """The persons that the corpus confirms: ``people`` by case-folded name, and by ``@`` and login.

    ``words`` are those that such a name begins with, and the logins: what to look for first. ``listed`` says
    that the shipped list of persons holds here, too.
    """

    def __init__(self, people: Mapping[str, Ref], *, listed: bool = False) -> None:
        self.people = people
        self.listed = listed
        self.words = frozenset(word.lstrip("@") for name in people for word in name.split()[:1])


@dataclass(frozen=True, slots=True)
class Corpus:
    """What an extractor may know beside the episode in hand.

    ``pages`` maps the canonical id of an episode's or post's own page to its node id; ``default_repo`` is the
    repository that a bare ``#N`` means (empty: none is guessed). ``vocabulary`` holds the topics to look for, in
    every item when the feed is ``on_subject``, else in items that name the subject; ``derived`` those that the
    feed's own words make; ``titles`` maps the words of an item's title to its node id; ``people`` are the persons.
    """

    pages: Mapping[str, str]
    default_repo: str = ""
    vocabulary: Vocabulary | None = None
    on_subject: bool = False
    derived: Vocabulary | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    people: KnownPeople = field(default_factory=lambda: KnownPeople({}))


def known_pages(feeds: Sequence[Feed]) -> dict[str, str]:
    """Return the canonical id of the own page of each item of ``feeds``, and the item's node id.

    A page that several items name as theirs (the podcast's home, say) is nobody's own.
    """
    owners: dict[str, str | None] = {}
    for feed in feeds:
        home = _page_id(feed.url)
        for episode in feed.episodes:
            page = _page_id(episode.url)
            if page and page != home:
                owners[page] = episode.id if owners.get(page, episode.id) == episode.id else None
    return {page: owner for page, owner in owners.items() if owner}


def _page_id(url: str) -> str:
    known = identify(url) if url else None
    return known[1].id if known else ""
