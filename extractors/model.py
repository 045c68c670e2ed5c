"""The plain values that flow from a feed to the graph.

All are frozen and slotted: a step takes values and returns new ones. Offsets are indexes of code points
into the plain text they name: ``notes`` of an episode, or its ``title``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from .ref import Attrs, Ref


@dataclass(frozen=True, slots=True)
class Link:
    """A link of an episode's notes.

    ``url`` as found (entities decoded, relative ones made absolute); ``notes[start:end]`` is its visible
    text; ``method`` is ``href`` for a hyperlink and ``url`` for a URL written in the text;
    ``truncated``: the feed cut off the URL, so it leads nowhere.
    """

    url: str
    start: int
    end: int
    method: str
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """One place in a text that refers to an artifact, topic or person, with its evidence.

    ``quote`` is ``text[start:end]`` of the episode's ``field`` (``notes``, ``title``, ``transcript``, ``chapters``).
    ``relation`` is the relation of the resulting edge. ``confidence`` is in 0..1; 1.0 is an exact identification.
    ``time`` is the moment in the recording, in seconds, if the notes give one. A spoken mention occurs ``count`` times,
    at ``moments`` (one second for each minute). ``role`` and ``affiliation`` are those of a person.
    """

    ref: Ref
    field: str
    start: int
    end: int
    quote: str
    method: str
    extractor: str
    confidence: float = 1.0
    url: str = ""
    relation: str = "cites"
    time: int | None = None
    count: int = 0
    moments: tuple[int, ...] = ()
    role: str = ""
    affiliation: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A person in the feed's own tags: ``role`` is the tag's value, such as ``host`` or ``guest``."""

    name: str
    role: str = "host"
    url: str = ""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A moment of a recording that the feed itself names (Podlove chapters, soundbites): ``start`` is in seconds."""

    start: int
    title: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Episode:
    """One item of a feed: an episode, or a post when the feed is a blog (see ``kind``).

    ``id`` is the node's id; ``podcast`` the id of the feed's node (empty for a post). ``notes`` is the plain
    text of its richest body and ``links`` the hyperlinks in it. ``date`` has a time zone; ``duration`` is in seconds.
    ``type`` is ``trailer`` or ``bonus``, or empty. ``chapters`` is the address of a file of chapters, ``moments`` are
    the chapters in the feed itself. ``uncertain`` lists the fields that the feed itself marks as uncertain.
    """

    id: str
    kind: str
    podcast: str
    title: str
    notes: str = ""
    links: tuple[Link, ...] = ()
    url: str = ""
    guid: str = ""
    date: datetime | None = None
    duration: int | None = None
    number: int | None = None
    season: int | None = None
    audio_url: str = ""
    image: str = ""
    explicit: bool | None = None
    keywords: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()
    transcripts: tuple[str, ...] = ()
    chapters: str = ""
    moments: tuple[Chapter, ...] = ()
    type: str = ""
    uncertain: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)  # hashing all fields is slow, and nearly all ids differ


@dataclass(frozen=True, slots=True)
class Feed:
    """A parsed source: metadata of the feed, and its items in the order of the source.

    ``kind`` is ``podcast`` or ``blog``; ``id`` the node id of the podcast; ``warnings`` has one line for each skipped
    part. ``group`` is its heading in a list of feeds. ``empty_because`` is the known reason for a feed without
    episodes; ``cut`` is a line of warning when the end of the feed, and perhaps episodes, are missing.
    The own addresses of a ``private`` feed are reduced to hosts. ``next_page`` is the address of
    another page of the feed (RFC 5005, and ``next_url`` of JSON Feed), ``moved_to`` is the feed's new address
    (``itunes:new-feed-url``), each absolute or empty. Those of a private feed have its keys: they
    are for fetching alone.
    """

    source: str
    kind: str
    id: str
    title: str
    episodes: tuple[Episode, ...]
    url: str = ""
    feed_url: str = ""
    description: str = ""
    author: str = ""
    image: str = ""
    language: str = ""
    default_repo: str = ""
    people: tuple[Person, ...] = ()
    warnings: tuple[str, ...] = ()
    empty_because: str = ""
    cut: str = ""
    group: str = ""
    private: bool = False
    next_page: str = ""
    moved_to: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A look-up's result about a node: attributes to add, and its present identity (``ref``) when that changed.

    With a ``ref`` of another id the node moves to that id, and keeps its former id
    among its names. ``labels`` are those of an issue tracker. ``looked_up`` is (source, time in ISO 8601).
    """

    id: str
    attrs: Attrs
    ref: Ref | None = None
    labels: tuple[str, ...] = ()
    looked_up: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class KnownEdge:
    """A relation from known facts, not from a text: ``reasons`` explain it.

    ``attrs`` become attributes of the edge beside its reasons; ``looked_up`` is as in ``Fact``.
    """

    source: Ref
    target: Ref
    relation: str
    attrs: Attrs = ()
    reasons: tuple[str, ...] = ()
    looked_up: tuple[str, str] = ("", "")
