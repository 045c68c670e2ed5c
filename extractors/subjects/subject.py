"""The type of a subject: its facts as data, and a test whether a text or a feed is about it.

The module has only named tuples and few imports, because a query about the default repository loads only this.
Annotations are not strings here: named tuples would compile each string, as slow as a small query.
"""

import re
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Nearness(IntEnum):
    """How near a text, a feed or an item is to a subject: each step is more than the one before.

    ``NAMESPACE``: a full name in one of its namespaces (``c10::Device``), possibly of other projects too.
    ``CODE``: a full name in one of its packages (``torch.vmap``). ``NAMED``: the name of the subject, or
    a repository of its family. ``OWN``: the feed or the repository is the subject's own.
    """

    APART = 0
    NAMESPACE = 1
    CODE = 2
    NAMED = 3
    OWN = 4


class Code(NamedTuple):
    """The form of names and paths in a subject's code.

    ``roots`` are its packages (``torch``) and ``namespaces`` those of C++ (``c10``), the beginnings of full names;
    ``core`` are namespaces often omitted. ``owners`` are modules and classes with documented
    members often called by their bare names, by priority; the first three also own calls such as ``backward()``.
    ``everywhere`` are owners of too many members to be specific. ``coinages`` are parts of words found only in
    this code. ``top_folders`` are the folders at the root of the repository; ``shelves`` folders of
    subsystems, themselves none; ``unseen`` beginnings of paths missing in the index's older tree.
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
    """A subject's own series of RFCs, with leading zeros (``RFC-0005``), unlike the IETF's.

    ``repo`` has a file ``RFC-0005-…`` for each; ``project`` is the series' name in ``docs:<project>/rfc-0005``;
    ``digits`` the length of a number. In texts about the subject, a number below ``least`` does not mean the IETF's.
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
    """The facts of a subject: a software project, such as PyTorch, that shows talk about; unknown facts are empty.

    ``name`` is its usual name. ``words``, in lower case, are beginnings of words for it in a text; without
    any, every text is about it. ``repo`` (``owner/name``) is its repository, the target of a bare ``#12``, and
    ``family`` lists beginnings of the names of related repositories (``owner/``). ``feed`` is the address of its
    podcast; a feed is its own when its address or home page begins with one of ``homes``, given without scheme.
    ``docs`` and ``tutorials`` are the base addresses of its pages, ``docs_project`` and ``tutorials_project``
    the projects in the ids of these pages. ``proposals`` are its own RFCs, ``code`` the form of its names.

    ``folder`` contains its files: ``topics.toml``, the vocabulary (see ``parse_vocabulary``); ``people.txt``, a line
    for each person; ``layout.txt``, a line for each place of its repository; ``spoken.txt``, a line for each name with
    an unusual pronunciation; and ``names``, the index of its code: an index file, or ``….tsv`` with a line for
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

    def __hash__(self) -> int:
        return hash(self.name)  # hashing all fields is slow

    @property
    def key(self) -> str:
        """The name in ids and file names."""
        return "-".join(self.name.lower().split())

    def measure_nearness(self, *texts: str, repo: str = "", urls: "Iterable[str]" = ()) -> Nearness:
        """Return how near some texts or a feed are to the subject: the nearest step that holds.

        All decisions whether a text is about a subject use this function; callers choose the step they require.

        Args:
            texts: plain texts, such as a title and notes
            repo: the default repository of the feed (``owner/name``); "": unknown
            urls: the addresses of the feed

        >>> loom = Subject("Loom", ("loom",), repo="weavers/loom", code=Code(roots=("loom",), namespaces=("lm",)))
        >>> texts = ("Loom's news", "an heirloom", "import loom.warp", "lm::Weft")
        >>> [loom.measure_nearness(text).name for text in texts]
        ['NAMED', 'APART', 'NAMED', 'NAMESPACE']
        >>> loom.measure_nearness("Anything", repo="weavers/loom").name
        'OWN'
        """
        name = repo.lower()
        if (name and name == self.repo) or (self.homes and any(map(self._is_home, urls))):
            return Nearness.OWN
        if name.startswith(self.family):
            return Nearness.NAMED
        return max((_measure_text(self, text) for text in texts), default=Nearness.APART)

    def concerns(self, *texts: str, repo: str = "") -> bool:
        """Return whether some texts or a feed name the subject, or are its own.

        A subject without words concerns every text. ``repo`` is the default repository of the feed (``owner/name``).
        """
        return not self.words or self.measure_nearness(*texts, repo=repo) >= Nearness.NAMED

    def count_names(self, text: str) -> int:
        """Return how often a text names the subject.

        >>> Subject("Loom", ("loom",)).count_names("Loom, and looms; an heirloom")
        2
        """
        # The first step is the name of the subject, if it has words.
        return len(_compile_steps(self)[0].pattern.findall(text.lower())) if self.words else 0

    def _is_home(self, url: str) -> bool:
        """Return whether a URL is below one of the addresses of the subject's own podcast."""
        from ..url import split_url  # noqa: PLC0415 - questions about a graph ask no feeds

        parts = split_url(url)
        return parts is not None and f"{parts.host}{parts.path}".startswith(self.homes)

    def file(self, name: str) -> str:
        """Return the path of the file ``name`` in the subject's folder; an absolute path is returned as it is."""
        return str(Path(self.folder) / name)

    def read_lines(self, name: str) -> list[str]:
        """Return the lines of the file ``name`` in the subject's folder, without empty lines and comments (``#``).

        A missing file has no lines.
        """
        path = Path(self.file(name))
        lines = path.read_text("utf-8").splitlines() if path.is_file() else []
        return [line for line in lines if line and not line.startswith("#")]


class Topic(NamedTuple):
    """One topic of a vocabulary, or a concept of an index: a subsystem or idea of a subject.

    ``aliases`` are spellings with this meaning alone; ``weak`` spellings count only as the title or beside
    another topic of the same area. ``paths`` are files and folders (these end in ``/``) of the repository of
    ``subject``, ``docs`` and ``tutorials`` its pages, the most specific first; ``repo`` (``owner/name``) is a
    repository of the topic's own. ``derived``: the topic comes from the corpus itself.
    """

    id: str
    label: str
    aliases: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    part_of: tuple[str, ...] = ()
    area: bool = False
    paths: tuple[str, ...] = ()
    docs: tuple[str, ...] = ()
    tutorials: tuple[str, ...] = ()
    repo: str = ""
    derived: bool = False
    subject: Subject = Subject()

    @property
    def name(self) -> str:
        """The label without its explanation in brackets: "Dispatcher" of "Dispatcher (how calls find kernels)"."""
        return self.label.partition(" (")[0]


class _Step(NamedTuple):
    """A step of nearness: a text is so near if it, in lower case, has one of the ``parts`` and matches the pattern."""

    nearness: Nearness
    parts: list[str]
    pattern: re.Pattern[str]


@lru_cache(maxsize=32)
def _compile_steps(subject: Subject) -> list[_Step]:
    """Return the steps of nearness that a text can show, from near to far; those without names are left out."""
    steps = (
        (Nearness.NAMED, subject.words, "", r"(?<![a-z0-9])(?:{})"),  # at the beginning of a word: not "heirloom"
        (Nearness.CODE, subject.code.roots, ".", r"\b(?:{})\.[a-z_]"),  # torch.vmap
        (Nearness.NAMESPACE, subject.code.namespaces, "::", r"\b(?:{})::[a-z_]"),  # c10::Device
    )
    return [
        _Step(near, [f"{name}{mark}" for name in names], re.compile(pattern.format("|".join(map(re.escape, names)))))
        for near, names, mark, pattern in steps
        if names
    ]


@lru_cache(maxsize=16)  # each extractor asks for the same texts
def _measure_text(subject: Subject, text: str) -> Nearness:
    """Return how near a text is to a subject: it names the subject, its code, a namespace of its code, or nothing."""
    small = text.lower()
    for step in _compile_steps(subject):
        # Most texts have none of the parts, and a search for these is ten times as fast as the pattern.
        if any(map(small.__contains__, step.parts)) and step.pattern.search(small):
            return step.nearness
    return Nearness.APART
