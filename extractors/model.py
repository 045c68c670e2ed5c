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


class Packed:
    """Plain values that pickle makes anew from their fields, which is faster than what dataclass has for it."""

    __slots__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), tuple(getattr(self, name) for name in self.__slots__)


@dataclass(frozen=True, slots=True)
class Link(Packed):
    """A link of an episode's notes.

    ``url`` as found (entities decoded, relative ones made absolute); ``notes[start:end]`` is what the reader
    sees of it; ``method`` is ``href`` for a hyperlink and ``url`` for a URL written in the text;
    ``truncated`` says that the URL was cut or elided, so that it leads nowhere.
    """

    url: str
    start: int
    end: int
    method: str
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Mention(Packed):
    """A place in a text that names a thing, with the proof.

    ``quote`` is ``text[start:end]`` of the episode's ``field`` (``notes``, ``title``, ``transcript``, ``chapters``).
    ``relation`` is the edge it makes. ``confidence`` lies in 0..1; 1.0 is an exact identification. ``time`` is the
    moment of the recording, in seconds, where the notes say one; what is said ``count`` times is said at ``moments``, a
    second of each minute. ``role`` and ``affiliation`` are those of a person.
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
class Person(Packed):
    """Someone the feed itself names: ``role`` is ``host``, ``guest``, … as the feed says it."""

    name: str
    role: str = "host"
    url: str = ""


@dataclass(frozen=True, slots=True)
class Episode(Packed):
    """One item of a feed: an episode, or a post when the feed is a blog (``kind`` says which).

    ``id`` is the node's id; ``podcast`` the id of the feed's node (empty for a post). ``notes`` is the plain
    text of its richest body and ``links`` the hyperlinks in it. ``date`` is aware; ``duration`` is in seconds.
    ``uncertain`` names the fields that the feed itself marks as not certain.
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
    uncertain: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)  # that of all fields takes long, and the id tells nearly all items apart


@dataclass(frozen=True, slots=True)
class Feed(Packed):
    """A parsed source: what it is, and its items in the order of the source.

    ``kind`` is ``podcast`` or ``blog``; ``id`` the node id of the podcast; ``warnings`` one line each for what
    was passed over.
    ``group`` is the heading under which a list of feeds has it. ``empty_because`` says why there are no episodes, where
    something is known of it; ``cut``, in a line, that the end of the feed is missing, and with it perhaps episodes.
    Of a ``private`` feed the addresses of its own are mere hosts.
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
    etag: str = ""
    default_repo: str = ""
    people: tuple[Person, ...] = ()
    warnings: tuple[str, ...] = ()
    empty_because: str = ""
    cut: str = ""
    group: str = ""
    private: bool = False


@dataclass(frozen=True, slots=True)
class Fact(Packed):
    """Something looked up about a node: attributes to add, and what it turned out to be (``ref``), if that is news.

    A ``ref`` of another id is the same thing under its present one: the node moves there, and keeps its former id
    among its names. ``labels`` are those of an issue tracker. ``looked_up`` is (who said so, when they did: ISO 8601).
    """

    id: str
    attrs: Attrs
    ref: Ref | None = None
    labels: tuple[str, ...] = ()
    looked_up: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class KnownEdge(Packed):
    """A relation that follows from something known, not from a text: ``reasons`` say why it holds.

    ``attrs`` become attributes of the edge beside its reasons; ``looked_up`` is as a ``Fact`` has it.
    """

    source: Ref
    target: Ref
    relation: str
    attrs: Attrs = ()
    reasons: tuple[str, ...] = ()
    looked_up: tuple[str, str] = ("", "")
