"""Input and output of the steps of extraction: the facts about the feeds, and the mentions found in an item."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ..languages.phrase_finder import automaton, fold_case
from ..sites import identify
from ..subjects.registry import known_subjects
from ..url import host_of

_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")  # Japanese and Chinese
IETF = "docs:ietf/"  # how the ids of the IETF's RFCs begin
# Characters that join a name to the word before or after it.
_WORD_BEFORE, _WORD_BEHIND = re.compile(r"\w"), re.compile(r"\w|-\w")

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Feed, KnownEdge, Mention
    from ..notes.asides import Aside
    from ..ref import Ref
    from ..subjects.subject import Subject
    from ..subjects.vocabulary import Vocabulary


def name_key(name: str) -> str:
    """Return a name in small letters, with single spaces: the key under which persons are known."""
    return fold_case(" ".join(name.split()))


class NameFinder:
    """Finds many names in a text in one pass, in capital or small letters."""

    def __init__(self, names: Iterable[str]) -> None:
        self._lengths = automaton({name: len(name) for name in names if name})

    def places(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and key of each name between the bounds of words.

        >>> list(NameFinder(["ann", "ann example"]).places("Ann Example, Anna"))
        [(0, 3, 'ann'), (0, 11, 'ann example')]
        """
        small = fold_case(text).replace("\u00a0", " ")
        for last, length in self._lengths.iter(small) if len(self._lengths) else ():
            start, end = last + 1 - length, last + 1
            in_word = (start and _WORD_BEFORE.match(text, start - 1)) or _WORD_BEHIND.match(text, end)
            if not in_word or _UNSPACED.match(text, start):
                yield start, end, small[start:end]


@dataclass(frozen=True, eq=False)
class KnownPeople:
    """The confirmed persons of a feed and of the feeds beside it: ``people`` by ``name_key``.

    ``subjects`` are those whose lists of persons apply to all feeds. ``profiles`` maps the id of a profile or home page
    to its person. ``hosts`` are the ids of the show's hosts, ``widespread`` those of persons in more than a third of
    its items.
    """

    people: Mapping[str, Ref]
    subjects: Sequence[Subject] = ()
    profiles: Mapping[str, Ref] = field(default_factory=dict)
    hosts: frozenset[str] = frozenset()
    widespread: frozenset[str] = frozenset()

    @cached_property
    def finder(self) -> NameFinder:
        """Finds the names of the persons."""
        return NameFinder(self.people)


class ShownRfcs(NamedTuple):
    """The RFCs that a show's links name, by number, and the series of most of them.

    ``series`` is that of the IETF (``IETF``, which is also the default), a repository (``owner/name``), or empty.
    """

    refs: Mapping[int, Ref] = MappingProxyType({})
    series: str = IETF


class Derived(NamedTuple):
    """The topics of a feed, and by item id the mentions of them."""

    vocabulary: Vocabulary
    mentions: Mapping[str, Sequence[Mention]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The facts that an extractor may use beside the episode in hand.

    ``pages`` maps the canonical id of an episode's or post's own page to its node id. ``default_repo`` is the
    repository of a bare ``#N`` (empty: such numbers are not resolved). ``vocabularies`` hold the topics to look for:
    ``True`` if the feed is about their subject, else only in items that name the subject. ``own_topics`` are those
    from the feed's own words, with their mentions. ``titles`` maps the names of an item to its node id. ``people`` are
    the persons; ``subjects`` those with names, persons and proposals to look for. ``asides`` maps the id
    of an item to its boilerplate passages; ``hosts`` are those of the feed's own pages; ``rfcs`` are the RFCs that its
    links name.
    """

    pages: Mapping[str, str]
    default_repo: str = ""
    vocabularies: Mapping[Vocabulary, bool] = field(default_factory=dict)
    own_topics: Derived | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    people: KnownPeople = field(default_factory=lambda: KnownPeople({}))
    subjects: tuple[Subject, ...] = field(default_factory=known_subjects)
    asides: Mapping[str, tuple[Aside, ...]] = field(default_factory=dict)
    hosts: frozenset[str] = frozenset()
    rfcs: ShownRfcs = field(default_factory=ShownRfcs)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The mentions found in one episode, in the order of reading, and its truncated links as written.

    ``asides`` are its boilerplate passages; ``guests`` those that the feed declares as data. ``hosts`` are the
    podcast's hosts by the feed, with its first item. ``words`` counts the stems of title (three times) and notes,
    without stop words, addresses and boilerplate. ``spellings`` has the commonest spelling of each stem in the feed,
    with its first item.
    """

    episode: Episode
    mentions: tuple[Mention, ...]
    truncated_links: tuple[str, ...]
    asides: tuple[Aside, ...] = ()
    guests: tuple[KnownEdge, ...] = ()
    hosts: tuple[Ref, ...] = ()
    words: Mapping[str, int] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)


def find_own_hosts(feed: Feed) -> frozenset[str]:
    """Return the hosts of a feed's home page, and of the pages of more than half of its items."""
    hosts = Counter(host_of(episode.url) for episode in feed.episodes if episode.url)
    most = [host for host, count in hosts.items() if 2 * count > len(feed.episodes)]
    return frozenset(filter(None, (host_of(feed.url), *most)))


def list_own_pages(feed: Feed) -> list[tuple[str, str]]:
    """Return (id, node id of an item): the canonical ids of the item's page and sound, and its node id itself.

    An item whose page is the home page of the feed has no page of its own.
    """
    artifacts = [(item, identify(url)) for item in feed.episodes for url in (item.url, item.audio_url) if url]
    home = identify(feed.url) if feed.url else None
    own_ids = [(item.id, item.id) for item in feed.episodes]
    return own_ids + [(artifact.ref.id, item.id) for item, artifact in artifacts if artifact and artifact != home]


def find_owners(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the node id of an item by each of its names or pages.

    ``pairs`` are (name, node id). A name of several items is left out.
    """
    owners: dict[str, set[str]] = defaultdict(set)
    for name, item in pairs:
        owners[name].add(item)
    return {name: items.pop() for name, items in owners.items() if len(items) == 1}
