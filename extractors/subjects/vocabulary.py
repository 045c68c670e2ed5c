"""A vocabulary of topics: names, spellings, and their hierarchy.

Two levels matter: a topic and its area, the nearest area above it. A subject's vocabulary consists
of the concepts of its index, grouped and completed by its ``topics.toml``; a user's file of the same form replaces or
extends it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import SourceError
from ..printable import why_unreadable
from ..slugs import slugify
from ..toml_text import parse_toml
from .default import default_subject
from .index.index import subject_index
from .subject import Subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from .index.index import Concept

_LISTS = ("aliases", "weak", "part_of", "paths", "docs", "tutorials", "members")
_KEYS = frozenset((*_LISTS, "id", "label", "area", "repo"))
_NOBODY = Subject()
_ANY_CASE = 7  # names in CamelCase of this length and more are also found all in lower case


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of a vocabulary.

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
    subject: Subject = _NOBODY

    @property
    def name(self) -> str:
        """The label without its explanation in brackets."""
        return self.label.partition(" (")[0]


class Vocabulary:
    """Topics by id, in the order of their file.

    The vocabulary applies to feeds and items about ``subject`` (one without words: to all). ``root`` is the id of the
    topic of last resort. ``ordinary`` contains spellings also in use as everyday words, in lower case: they count as
    weak. ``broad`` contains ids of topics too wide for evidence from their folders. ``parts`` are the vocabularies of
    the single subjects, or the vocabulary itself.
    """

    def __init__(
        self,
        topics: Iterable[Topic],
        *,
        subject: Subject = _NOBODY,
        root: str = "",
        ordinary: Iterable[str] = (),
        broad: Iterable[str] = (),
        parts: Sequence[Vocabulary] = (),
    ) -> None:
        self.topics = {topic.id: topic for topic in topics}
        self.subject = subject
        self.root = root
        self.ordinary = frozenset(word.lower() for word in ordinary)
        self.broad = frozenset(broad)
        self.parts = tuple(parts) or (self,)

    @cached_property
    def areas(self) -> Mapping[str, str]:
        """The id of each topic's area; a topic outside all areas is its own."""
        return {
            id_: next((above for above in (id_, *self.above(id_)) if self.topics[above].area), id_)
            for id_ in self.topics
        }

    @property
    def roots(self) -> tuple[str, ...]:
        """The ids of the topics of last resort."""
        return tuple(part.root for part in self.parts)

    def above(self, id_: str) -> list[str]:
        """Return the wholes of the topic ``id_``, nearest first, each once; a circle ends where it closes."""
        found: dict[str, None] = {}
        waiting = [id_]
        while waiting:
            for parent in self.topics[waiting.pop(0)].part_of:
                if parent in self.topics and parent not in found and parent != id_:
                    found[parent] = None
                    waiting.append(parent)
        return list(found)

    def apart_from(self, taken: Iterable[str]) -> Vocabulary:
        """Return this vocabulary with the subject's key before the ``taken`` ids."""
        ids = {id_: f"{self.subject.key}/{id_}" for id_ in taken if id_ in self.topics}
        if not ids:
            return self
        topics = (
            replace(topic, id=ids.get(id_, id_), part_of=tuple(ids.get(parent, parent) for parent in topic.part_of))
            for id_, topic in self.topics.items()
        )
        broad = (ids.get(id_, id_) for id_ in self.broad)
        root = ids.get(self.root, self.root)
        return Vocabulary(topics, subject=self.subject, root=root, ordinary=self.ordinary, broad=broad)


def builtin_vocabulary() -> Vocabulary:
    """Return the vocabulary of the default subject."""
    return subject_vocabulary(default_subject())


@lru_cache(maxsize=8)
def subject_vocabulary(subject: Subject) -> Vocabulary:
    """Return the vocabulary of a subject: its ``topics.toml``, on top of the concepts of its index."""
    index = subject_index(subject)
    path = Path(subject.file("topics.toml"))
    data = _parse(path.read_text("utf-8"), str(path))
    shared = frozenset(_texts(data, "shared", str(path)))
    concepts = [_of_concept(concept, shared, subject) for concept in (index.concepts if index else ())]
    return _File(data, str(path), subject, {topic.id: topic for topic in concepts}).vocabulary()


@lru_cache(maxsize=8)
def joined_vocabulary(subjects: tuple[Subject, ...]) -> Vocabulary:
    """Return the one vocabulary of several subjects; of two topics of one id the second has its subject's key in it."""
    parts: list[Vocabulary] = []
    for subject in subjects:
        taken = [id_ for part in parts for id_ in part.topics]
        parts.append(subject_vocabulary(subject).apart_from(taken))
    if len(parts) == 1:
        return parts[0]
    topics = (topic for part in parts for topic in part.topics.values())
    return Vocabulary(topics, broad=(id_ for part in parts for id_ in part.broad), parts=parts)


def parse_vocabulary(text: str, *, source: str) -> Vocabulary:
    r"""Read a vocabulary from TOML: ``[[topic]]`` and ``[[area]]`` tables with ``id`` or ``label``.

    With ``extends = true`` at the top the built-in vocabulary is extended and serves every feed, else it is
    replaced. Raises ``SourceError`` with the place in an invalid text.

    >>> text = '[[topic]]\nlabel = "Sourdough"\naliases = ["levain"]'
    >>> parse_vocabulary(text, source="bread.toml").topics["sourdough"].aliases
    ('levain',)
    """
    data = _parse(text, source)
    if data.get("extends") is True:  # a subject without name and words fits every feed
        return _File(data, source, default_subject()._replace(name="", words=()), {}).vocabulary(builtin_vocabulary())
    name = str(data.get("subject", ""))
    words = (name.lower(),) if name else ()
    subject = default_subject()._replace(name=name, words=words, repo=str(data.get("repo", "")), family=(), homes=())
    return _File(data, source, subject, {}).vocabulary()


def _parse(text: str, source: str) -> Mapping[str, object]:
    try:
        return parse_toml(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"is not a TOML file ({why_unreadable(error)})", source=source, remedy="write [[topic]] tables"
        ) from error


class _File:
    """A file of topics: ``own`` are its topics, ``members`` maps a topic to its area.

    ``base`` are the topics of the vocabulary extended by the file.
    """

    def __init__(self, data: Mapping[str, object], source: str, subject: Subject, base: Mapping[str, Topic]) -> None:
        """Read the tables of areas and topics. Raise ``SourceError`` for a table that is not valid."""
        self._data, self._source, self._subject, self._base = data, source, subject, base
        tables = [(kind, table) for kind in ("area", "topic") for table in self._tables(kind)]
        if not tables:
            raise SourceError("has no [[topic]] tables", source=source, remedy="add one with a label and aliases")
        self.own: dict[str, Topic] = {}
        self.members: dict[str, str] = {}
        for place, (kind, table) in enumerate(tables, 1):
            topic, inside = self._topic(table, f"{source}, table {place}", area=kind == "area")
            _add(self.own, topic)
            self.members |= dict.fromkeys(inside, topic.id)

    def vocabulary(self, extended: Vocabulary | None = None) -> Vocabulary:
        """Return the topics of the file and its base, and those of the extended vocabulary."""
        topics = dict(extended.topics if extended else self._base)
        for topic in self.own.values():
            _add(topics, topic)
        self._check_parents(topics)
        ordinary, broad = (set(_texts(self._data, name, self._source)) for name in ("ordinary", "broad"))
        for id_ in self.members.keys() & topics.keys():
            # A grouping goes before the broad place in the list of concepts, not before a narrower one.
            area = self.members[id_]
            kept = tuple(parent for parent in topics[id_].part_of if parent not in broad and parent != area)
            topics[id_] = replace(topics[id_], part_of=(area, *kept))
        if extended:
            ordinary, broad = ordinary | extended.ordinary, broad | extended.broad
        root = "" if extended else str(self._data.get("root", ""))
        return Vocabulary(topics.values(), subject=self._subject, root=root, ordinary=ordinary, broad=broad)

    def _check_parents(self, topics: Mapping[str, Topic]) -> None:
        for id_, topic in self.own.items():
            if missing := [parent for parent in topic.part_of if parent not in topics]:
                problem = f"the topic {id_!r} is part of {missing[0]!r}, which does not exist"
                raise SourceError(problem, source=self._source, remedy="add that topic, or give the id of one")

    def _tables(self, kind: str) -> Sequence[object]:
        tables = self._data.get(kind, [])
        if not isinstance(tables, list):
            raise SourceError(f"{kind} is not a list of tables", source=self._source, remedy=f"write it as [[{kind}]]")
        return tables

    def _topic(self, table: object, where: str, *, area: bool) -> tuple[Topic, tuple[str, ...]]:
        """Return a table's topic, and the ids of the topics gathered in it."""
        if not isinstance(table, dict):
            raise SourceError("is not a table", source=where, remedy="write it as [[topic]]")
        for unknown in sorted(table.keys() - _KEYS):
            near = get_close_matches(unknown, _KEYS, 1)
            remedy = f"did you mean {near[0]}?" if near else f"it may have {', '.join(sorted(_KEYS))}"
            raise SourceError(f"has a key {unknown!r} that means nothing", source=where, remedy=remedy)
        label = table.get("label", "")
        id_ = table.get("id") or slugify(str(label))
        if not isinstance(label, str) or not isinstance(id_, str) or not id_:
            raise SourceError("has neither a label nor an id", source=where, remedy='add label = "…"')
        lists = {name: _texts(table, name, where, one_will_do=True) for name in _LISTS}
        members = lists.pop("members")
        label = label or ("" if id_ in self._base else id_)
        topic = Topic(id_, label, area=area or table.get("area") is True, subject=self._subject)
        return replace(topic, repo=str(table.get("repo", "")), **lists), members  # type: ignore[arg-type]


def _texts(table: Mapping[str, object], name: str, where: str, *, one_will_do: bool = False) -> tuple[str, ...]:
    value = table.get(name, [])
    if one_will_do and isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise SourceError(f"{name} must be a list of texts", source=where, remedy=f'write {name} = ["…"]')
    return tuple(value)


def _add(topics: dict[str, Topic], new: Topic) -> None:
    """Add a topic. If its id is taken, the names are joined, and a given label and place replace those before."""
    old = topics.get(new.id)
    if old is None:
        topics[new.id] = new
        return
    former = (old.name,) if old.name and new.label not in ("", old.label) else ()
    topics[new.id] = replace(
        old,
        label=new.label or old.label,
        part_of=new.part_of or old.part_of,
        area=new.area or old.area,
        aliases=_union(old.aliases, new.aliases, former),
        weak=_union(old.weak, new.weak),
        paths=_union(old.paths, new.paths),
        docs=_union(old.docs, new.docs),
        tutorials=_union(old.tutorials, new.tutorials),
        repo=new.repo or old.repo,
    )


def _union(*parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for part in parts for item in part))


def _of_concept(concept: Concept, shared: frozenset[str], subject: Subject) -> Topic:
    """Return the topic for a concept of the index; a repository shared by many concepts is not the topic's own."""
    return Topic(
        concept.id, concept.label, concept.aliases, concept.weak, concept.part_of,
        paths=concept.paths, docs=concept.docs, tutorials=concept.tutorials,
        repo="" if concept.repo in shared else concept.repo, subject=subject,
    )  # fmt: skip


def case_counts(name: str, *, weak: bool) -> bool:
    """Return whether a spelling counts only with its capitals: acronyms, code, and everyday words with a capital.

    >>> [case_counts(name, weak=False) for name in ("CI", "ShapeEnv", "Inductor", "CUDA graphs", "vmap")]
    [True, False, False, False, False]
    >>> case_counts("Work", weak=True)
    True
    """
    if " " in name or "-" in name or not any(char.isupper() for char in name):
        return False
    if name[0].isupper() and not any(char.isupper() for char in name[1:]):
        return weak
    return name.upper() == name or len(name) < _ANY_CASE
