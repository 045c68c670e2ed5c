"""What a subject is: everything that is known of one, as data, and whether a text or a feed is about it.

Apart from machinery, and named tuples: a question that needs the default repository alone loads this and no more.
Annotations are no texts here: of texts, named tuples would compile each, which takes as long as a small question.
"""

import os
import re
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Nearness(IntEnum):
    """How near a text, a feed or an item is to a subject: each step is more than the one before.

    ``NAMESPACE``: a name of its code stands in full behind a namespace (``c10::Device``), which others may share.
    ``CODE``: a name of one of its packages stands in full (``torch.vmap``). ``NAMED``: the subject itself is named, or
    a repository of its family is meant. ``OWN``: the feed or the repository is the subject's own.
    """

    APART = 0
    NAMESPACE = 1
    CODE = 2
    NAMED = 3
    OWN = 4


class Code(NamedTuple):
    """How the names and paths of a subject's code look.

    ``roots`` are its packages (``torch``) and ``namespaces`` those of C++ (``c10``) by which a name in full is known;
    ``core`` the namespaces whose names people give without them. ``owners`` are modules and classes whose documented
    members go by their bare names, in the order in which they win; of the first three also as a call, ``backward()``.
    ``everywhere`` own too much to say anything about one of their members. ``coinages`` are parts of words that only
    this code has. ``top_folders`` are those at the root of the repository; ``shelves`` folders that hold subsystems
    rather than being one; ``unseen`` beginnings of paths of which the index's older tree knows nothing.
    """

    roots: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()
    core: frozenset[str] = frozenset()
    owners: tuple[str, ...] = ()
    everywhere: frozenset[str] = frozenset()
    coinages: tuple[str, ...] = ()
    top_folders: frozenset[str] = frozenset()
    shelves: frozenset[str] = frozenset()
    unseen: tuple[str, ...] = ()


class Proposals(NamedTuple):
    """A subject's own series of RFCs, numbered with zeros in front (``RFC-0005``), which the IETF's never are.

    ``repo`` is where each is a file ``RFC-0005-…``; ``project`` is what ``docs:<project>/rfc-0005`` calls the series;
    ``digits`` how long a number is; in what is about the subject, a number below ``least`` is none of the IETF's.
    """

    repo: str
    project: str
    digits: int = 4
    least: int = 1000

    @property
    def id_prefix(self) -> str:
        """The beginning of the id of an RFC known by its number alone."""
        return f"docs:{self.project}/rfc-"

    @property
    def file_prefix(self) -> str:
        """The beginning of the id of an RFC's file, up to the number."""
        return f"github:{self.repo}:RFC-"


class Subject(NamedTuple):
    """What is known of a subject; what it has none of is empty.

    ``name`` is what people call it, ``words`` those (in small letters) with which a word of a text must begin to name
    it (none: every text is about it). ``repo`` (``owner/name``) is its repository, which a bare ``#12`` means, and
    ``family`` the beginnings of the names of others that belong to it (``owner/``). ``feed`` is the address of its
    podcast; a feed is its own whose address or home page begins with one of ``homes``, given without scheme.
    ``docs`` and ``tutorials`` are the addresses its pages are relative to, ``docs_project`` and ``tutorials_project``
    what stands in the ids of these pages. ``proposals`` are its own RFCs, ``code`` how its names look.

    ``folder`` holds its files: ``topics.toml``, the vocabulary (see ``parse_vocabulary``); ``people.txt``, a line for
    each person; ``layout.txt``, a line for each place of its repository; ``spoken.txt``, a line for each name that
    sounds otherwise than it is written; and ``names``, the index of its code: an index file, or ``….tsv``, a line for
    each name.
    """

    name: str = ""
    words: tuple[str, ...] = ()
    repo: str = ""
    family: tuple[str, ...] = ()
    feed: str = ""
    homes: tuple[str, ...] = ()
    docs: str = ""
    docs_project: str = ""
    tutorials: str = ""
    tutorials_project: str = ""
    proposals: Proposals | None = None
    code: Code = Code()
    folder: str = ""
    names: str = ""

    @property
    def key(self) -> str:
        """The name as it stands in ids and names of files."""
        return "-".join(self.name.lower().split())

    def nearness(self, *texts: str, repo: str = "", urls: "Iterable[str]" = ()) -> Nearness:
        """Return how near ``texts`` are, or a feed of that default repository (``owner/name``) or those addresses.

        This is the one place where it is decided what is about a subject; callers say how much they ask for.

        >>> loom = Subject("Loom", ("loom",), repo="weavers/loom", code=Code(roots=("loom",), namespaces=("lm",)))
        >>> [loom.nearness(text).name for text in ("Loom's news", "an heirloom", "import loom.warp", "lm::Weft")]
        ['NAMED', 'APART', 'NAMED', 'NAMESPACE']
        >>> loom.nearness("Anything", repo="weavers/loom").name
        'OWN'
        """
        name = repo.lower()
        if (name and name == self.repo) or (self.homes and any(map(self._is_home, urls))):
            return Nearness.OWN
        if name.startswith(self.family):
            return Nearness.NAMED
        return max((_nearness(self, text) for text in texts), default=Nearness.APART)

    def concerns(self, *texts: str, repo: str = "") -> bool:
        """Tell whether texts or a feed name the subject, or are its own; every one is about a subject without words."""
        return not self.words or self.nearness(*texts, repo=repo) >= Nearness.NAMED

    def names_in(self, text: str) -> int:
        """Return how often a text names the subject.

        >>> Subject("Loom", ("loom",)).names_in("Loom, and looms; an heirloom")
        2
        """
        return len(_patterns(self)[0][1].findall(text.lower())) if self.words else 0

    def _is_home(self, url: str) -> bool:
        from ..url import split_url  # noqa: PLC0415 - questions about a graph ask no feeds

        parts = split_url(url)
        return parts is not None and f"{parts.host}{parts.path}".startswith(self.homes)

    def file(self, name: str) -> str:
        """Return the path of a file of the subject's folder; that of a file elsewhere is as it is."""
        return str(Path(self.folder) / name)

    def __reduce__(self) -> "tuple[Callable[..., Subject], tuple[str, tuple[object, ...]]]":
        """Pack a folder beside this file without its place: on the machine that unpacks it, it may lie elsewhere."""
        return _unpacked, (self.folder.removeprefix(_HERE), tuple(self))


_HERE = f"{Path(__file__).parent}{os.sep}"


def _unpacked(folder: str, fields: "Iterable[object]") -> Subject:
    return Subject._make(fields)._replace(folder=f"{_HERE}{folder}" if folder else "")


@lru_cache(maxsize=32)
def _patterns(subject: Subject) -> tuple[tuple[Nearness, re.Pattern[str]], ...]:
    """Return what a text in small letters must hold to name a subject or its code, the nearest first."""
    words = "|".join(map(re.escape, subject.words))
    roots = "|".join(map(re.escape, subject.code.roots))
    patterns = []
    if words:  # a word that begins so: Loom's, but no heirloom; scripts without spaces may stand before it
        patterns.append((Nearness.NAMED, re.compile(rf"(?<![a-z0-9])(?:{words})")))
    if roots:  # torch.vmap
        patterns.append((Nearness.CODE, re.compile(rf"\b(?:{roots})\.[a-z_]")))
    if spaces := "|".join(map(re.escape, subject.code.namespaces)):  # c10::Device
        patterns.append((Nearness.NAMESPACE, re.compile(rf"\b(?:{spaces})::[a-z_]")))
    return tuple(patterns)


@lru_cache(maxsize=32)
def _parts(subject: Subject) -> tuple[str, ...]:
    """Return what stands in every text that a pattern of the subject finds."""
    return (*subject.words, *(f"{root}." for root in subject.code.roots), *(["::"] if subject.code.namespaces else ()))


@lru_cache(maxsize=16)  # each extractor asks for the same texts
def _nearness(subject: Subject, text: str) -> Nearness:
    small = text.lower()
    if not any(map(small.__contains__, _parts(subject))):
        return Nearness.APART  # found ten times as fast as by the patterns, and true of most texts
    return next((near for near, pattern in _patterns(subject) if pattern.search(small)), Nearness.APART)
