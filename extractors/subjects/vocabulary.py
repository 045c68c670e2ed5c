"""A vocabulary of topics: names, spellings, and how they hang together.

Two levels matter: a topic and its area, the nearest one above it that is marked as one. The built-in vocabulary is
PyTorch's: the concepts of the index, grouped and completed by ``topics.toml``; a file of that form replaces or
extends it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .index.index import Concept

_LISTS = ("aliases", "weak", "part_of", "paths", "docs", "tutorials", "members")
_KEYS = frozenset((*_LISTS, "id", "label", "area", "repo"))


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of a vocabulary.

    ``aliases`` are spellings that mean it wherever they stand; ``weak`` ones that do so only as the title or beside
    another topic of the same area. ``paths`` are files and folders (these end in ``/``) of the vocabulary's
    repository, ``docs`` and ``tutorials`` pages of PyTorch's, the most telling first; ``repo`` (``owner/name``) is a
    repository of the topic's own. ``derived`` says that the
    topic was found in the corpus itself.
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

    @property
    def name(self) -> str:
        """The label without its explanation in brackets."""
        return self.label.partition(" (")[0]


class Vocabulary:
    """Topics by id, in the order of their file.

    ``subject`` is the word that a feed or an item must use for the vocabulary to apply (empty: it always does);
    ``root`` the id of the topic of last resort; ``repo`` the repository that the topics' paths are of; ``ordinary``
    holds spellings that are everyday words too, in lower case: they count as weak;
    ``broad`` the ids of topics so wide that a file in their folders says nothing.
    """

    def __init__(
        self,
        topics: Iterable[Topic],
        *,
        subject: str = "",
        root: str = "",
        repo: str = "",
        ordinary: Iterable[str] = (),
        broad: Iterable[str] = (),
    ) -> None:
        self.topics = {topic.id: topic for topic in topics}
        self.subject = subject
        self.root = root
        self.repo = repo
        self.ordinary = frozenset(word.lower() for word in ordinary)
        self.broad = frozenset(broad)

    @cached_property
    def areas(self) -> Mapping[str, str]:
        """The id of each topic's area; a topic outside all areas is its own."""
        return {
            id_: next((above for above in (id_, *self.above(id_)) if self.topics[above].area), id_)
            for id_ in self.topics
        }

    def above(self, id_: str) -> list[str]:
        """Return the topics that ``id_`` is part of, nearest first, each once; a circle ends where it closes."""
        found: dict[str, None] = {}
        waiting = [id_]
        while waiting:
            for parent in self.topics[waiting.pop(0)].part_of:
                if parent in self.topics and parent not in found and parent != id_:
                    found[parent] = None
                    waiting.append(parent)
        return list(found)

    def extended(self, other: Vocabulary) -> Vocabulary:
        """Return this vocabulary with the topics of ``other`` added; where both have an id, the names join."""
        topics = dict(self.topics)
        for id_, topic in other.topics.items():
            topics[id_] = _joined(topics[id_], topic) if id_ in topics else topic
        return Vocabulary(
            topics.values(), subject=self.subject, root=self.root, repo=self.repo,
            ordinary=self.ordinary | other.ordinary,
            broad=self.broad | other.broad,
        )  # fmt: skip

    def concerns(self, *texts: str, repo: str = "") -> bool:
        """Tell whether a feed or an item, by its texts or its repository (``owner/name``), is about the subject."""
        subject = self.subject.lower()
        return not subject or bool(repo and repo == self.repo) or any(subject in text.lower() for text in texts)


@lru_cache(maxsize=1)
def builtin_vocabulary() -> Vocabulary:
    """Return PyTorch's vocabulary, the one that comes with podgraph."""
    from importlib.resources import files  # noqa: PLC0415 - loads zipfile and more

    from .index import read_index  # noqa: PLC0415 - only builds need it

    text = (files(f"{__package__}.pytorch") / "topics.toml").read_text("utf-8")
    return _read(text, "topics.toml", [_of_concept(concept) for concept in read_index().concepts])


def parse_vocabulary(text: str, *, source: str) -> Vocabulary:
    r"""Read a vocabulary from TOML: ``[[topic]]`` and ``[[area]]`` tables with ``id`` or ``label``, and the rest.

    With ``extends = true`` at the top the built-in vocabulary is extended and serves every feed, else it is
    replaced. Raises ``SourceError`` that names the place for a text that is no vocabulary.

    >>> text = '[[topic]]\nlabel = "Sourdough"\naliases = ["levain"]'
    >>> parse_vocabulary(text, source="bread.toml").topics["sourdough"].aliases
    ('levain',)
    """
    return _read(text, source, [])


def _read(text: str, source: str, base: list[Topic]) -> Vocabulary:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SourceError(f"is no TOML file ({error})", source=source, remedy="write [[topic]] tables") from error
    tables = [(kind, table) for kind in ("area", "topic") for table in _tables(data, kind, source)]
    if not tables:
        raise SourceError("has no [[topic]] tables", source=source, remedy="add one with a label and aliases")
    own: dict[str, Topic] = {}
    members: dict[str, str] = {}
    for place, (kind, table) in enumerate(tables, 1):
        topic, inside = _topic(table, f"{source}, table {place}", area=kind == "area", base={item.id for item in base})
        own[topic.id] = _joined(own[topic.id], topic) if topic.id in own else topic
        members |= dict.fromkeys(inside, topic.id)
    topics = {topic.id: topic for topic in base}
    extends = data.get("extends") is True
    if extends:
        topics = dict(builtin_vocabulary().topics)
    for id_, topic in own.items():
        topics[id_] = _joined(topics[id_], topic) if id_ in topics else topic
    for id_, topic in own.items():
        if missing := [parent for parent in topic.part_of if parent not in topics]:
            problem = f"the topic {id_!r} is part of {missing[0]!r}, which is none"
            raise SourceError(problem, source=source, remedy="add that topic, or give the id of one")
    ordinary, broad = (_words(data, name, source) for name in ("ordinary", "broad"))
    for id_, area in members.items():
        if id_ in topics:
            # A grouping goes before the broad place that the list of concepts gives, not before a narrower one.
            kept = tuple(parent for parent in topics[id_].part_of if parent not in broad and parent != area)
            topics[id_] = replace(topics[id_], part_of=(area, *kept))
    words = {name: str(data.get(name, "")) for name in ("subject", "root", "repo")}
    if extends:
        words = {"subject": "", "root": "", "repo": builtin_vocabulary().repo}
        ordinary |= builtin_vocabulary().ordinary
        broad |= builtin_vocabulary().broad
    return Vocabulary(topics.values(), ordinary=ordinary, broad=broad, **words)


_SHARED = frozenset(("pytorch/rfcs", "pytorch/benchmark"))  # repositories of many things


def _words(data: Mapping[str, Any], name: str, source: str) -> set[str]:
    words = data.get(name, [])
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise SourceError(f"{name} must be a list of texts", source=source, remedy=f'write {name} = ["…"]')
    return set(words)


def _tables(data: Mapping[str, Any], kind: str, source: str) -> list[Any]:
    tables = data.get(kind, [])
    if not isinstance(tables, list):
        raise SourceError(f"{kind} is no list of tables", source=source, remedy=f"write it as [[{kind}]]")
    return tables


def _topic(table: Any, where: str, *, area: bool, base: set[str]) -> tuple[Topic, tuple[str, ...]]:
    """Return a table's topic, and the ids of the topics that it gathers."""
    from ..slugs import slugify  # noqa: PLC0415 - only files without ids need it

    if not isinstance(table, dict):
        raise SourceError("is no table", source=where, remedy="write it as [[topic]]")
    if unknown := sorted(table.keys() - _KEYS):
        near = get_close_matches(unknown[0], _KEYS, 1)
        remedy = f"did you mean {near[0]}?" if near else f"it may have {', '.join(sorted(_KEYS))}"
        raise SourceError(f"has a key {unknown[0]!r} that means nothing", source=where, remedy=remedy)
    label = table.get("label", "")
    id_ = table.get("id") or slugify(str(label))
    if not isinstance(label, str) or not isinstance(id_, str) or not id_:
        raise SourceError("has neither a label nor an id", source=where, remedy='add label = "…"')
    lists: dict[str, tuple[str, ...]] = {}
    for name in _LISTS:
        value = table.get(name, [])
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise SourceError(f"{name} must be a list of texts", source=where, remedy=f'write {name} = ["…"]')
        lists[name] = tuple(value)
    topic = Topic(
        id_,
        label or ("" if id_ in base else id_),
        lists["aliases"],
        lists["weak"],
        lists["part_of"],
        area or table.get("area") is True,
        lists["paths"],
        lists["docs"],
        lists["tutorials"],
        str(table.get("repo", "")),
    )
    return topic, lists["members"]


def _joined(old: Topic, new: Topic) -> Topic:
    """Return a topic with the names of both; of the new one count the label and the place, where it gives them."""
    former = (old.name,) if old.name and new.label not in ("", old.label) else ()
    return replace(
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


def _of_concept(concept: Concept) -> Topic:
    return Topic(
        concept.id, concept.label, concept.aliases, concept.weak, concept.part_of,
        paths=concept.paths, docs=concept.docs, tutorials=concept.tutorials,
        repo="" if concept.repo in _SHARED else concept.repo,
    )  # fmt: skip
