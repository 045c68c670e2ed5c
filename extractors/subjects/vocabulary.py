"""A vocabulary of topics: names, spellings, and their hierarchy.

Two levels matter: a topic and its area, the nearest area above it. A subject's vocabulary consists
of the concepts of its index, grouped and completed by its ``topics.toml``; a user's file of the same form replaces or
extends it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import SourceError, nearest
from ..printable import why_unreadable
from ..slugs import slugify
from ..toml_text import parse_toml
from .default import default_subject
from .index.index import subject_index
from .subject import Subject, Topic

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

_MERGED = ("aliases", "weak", "paths", "docs", "tutorials")
_LISTS = (*_MERGED, "part_of", "members")
# the keys of a table, and of the whole file, each with an example of its values
_TABLE_KEYS = {**{key: ["…"] for key in _LISTS}, "id": "…", "label": "…", "repo": "…"}
_FILE_KEYS = {
    "area": [{}], "topic": [{}], "ordinary": ["…"], "broad": ["…"], "shared": ["…"], "extends": True, "subject": "…",
    "repo": "…", "root": "…",
}  # fmt: skip


_NO_SUBJECT = Subject()


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Topics by id, in the order of their file.

    The vocabulary applies to feeds and items about ``subject`` (one without words: to all). ``root`` is the id of the
    topic of last resort. ``ordinary`` contains spellings also in use as everyday words, in lower case: they count as
    weak. ``broad`` contains ids of topics too wide for evidence from their folders. ``joined`` are the vocabularies
    of several subjects.
    """

    topics: Mapping[str, Topic]
    subject: Subject = _NO_SUBJECT
    root: str = ""
    ordinary: frozenset[str] = frozenset()
    broad: frozenset[str] = frozenset()
    joined: tuple[Vocabulary, ...] = ()

    @property
    def parts(self) -> tuple[Vocabulary, ...]:
        """The vocabularies of the single subjects, or the vocabulary itself."""
        return self.joined or (self,)

    @cached_property
    def areas(self) -> Mapping[str, str]:
        """For the id of each topic, the id of its area: the nearest area above the topic.

        A topic outside all areas is its own.
        """
        lines = {id_: (id_, *self.list_wholes(id_)) for id_ in self.topics}
        return {id_: next((whole for whole in line if self.topics[whole].area), id_) for id_, line in lines.items()}

    @property
    def roots(self) -> tuple[str, ...]:
        """The ids of the topics of last resort."""
        return tuple(part.root for part in self.parts)

    def list_wholes(self, id_: str) -> list[str]:
        """Return the ids of all topics that a topic is part of, directly or not: the nearest first, each once.

        If topics are part of each other in a circle, the topic itself is left out.
        """
        wholes: dict[str, None] = {}
        queue = [id_]
        while queue:
            for parent in self.topics[queue.pop(0)].part_of:
                if parent in self.topics and parent not in wholes and parent != id_:
                    wholes[parent] = None
                    queue.append(parent)
        return list(wholes)

    def rename_ids(self, used_ids: Container[str]) -> Vocabulary:
        """Return this vocabulary with the subject's key before the id of each topic whose id is among ``used_ids``.

        The id ``jit`` becomes ``loom/jit`` for a subject with the key ``loom``.
        """
        ids = {id_: f"{self.subject.key}/{id_}" if id_ in used_ids else id_ for id_ in self.topics}
        topics = {}
        for id_, topic in self.topics.items():
            parents = tuple(ids.get(parent, parent) for parent in topic.part_of)
            topics[ids[id_]] = topic._replace(id=ids[id_], part_of=parents)
        broad = frozenset(ids.get(id_, id_) for id_ in self.broad)
        return replace(self, topics=topics, root=ids.get(self.root, self.root), broad=broad)


def builtin_vocabulary() -> Vocabulary:
    """Return the vocabulary of the default subject, PyTorch."""
    return subject_vocabulary(default_subject())


@lru_cache(maxsize=8)
def subject_vocabulary(subject: Subject) -> Vocabulary:
    """Return the vocabulary of a subject: the concepts of its index, grouped and completed by its ``topics.toml``.

    Raises ``SourceError`` for an invalid file.
    """
    index = subject_index(subject)
    path = Path(subject.file("topics.toml"))
    data = _parse_tables(path.read_text("utf-8"), str(path))
    base = {}
    for topic in index.concepts if index else ():
        is_shared = topic.repo in data.get("shared", ())  # a repository of many concepts is not the topic's own
        base[topic.id] = topic._replace(repo="") if is_shared else topic
    return _build_vocabulary(data, str(path), Vocabulary(base, subject, data.get("root", "")))


@lru_cache(maxsize=8)
def joined_vocabulary(subjects: tuple[Subject, ...]) -> Vocabulary:
    """Return one vocabulary with the topics of several subjects.

    If two topics have one id, the later one gets the key of its subject before its id.
    """
    parts: list[Vocabulary] = []
    for subject in subjects:
        used_ids = {id_ for part in parts for id_ in part.topics}
        parts.append(subject_vocabulary(subject).rename_ids(used_ids))
    if len(parts) == 1:
        return parts[0]
    topics = dict(item for part in parts for item in part.topics.items())
    broad = frozenset(id_ for part in parts for id_ in part.broad)
    return Vocabulary(topics, broad=broad, joined=tuple(parts))


def parse_vocabulary(text: str, *, source: str) -> Vocabulary:
    r"""Return the vocabulary in a TOML text: ``[[topic]]`` and ``[[area]]`` tables with ``id`` or ``label``.

    It replaces the built-in vocabulary. With ``extends = true`` at the top it extends it instead, and applies to every
    feed.

    Args:
        text: the content of the file
        source: its name in errors

    Raises:
        SourceError: the text is invalid; the error names the place

    >>> text = '[[topic]]\nlabel = "Sourdough"\naliases = ["levain"]'
    >>> parse_vocabulary(text, source="bread.toml").topics["sourdough"].aliases
    ('levain',)
    """
    data = _parse_tables(text, source)
    subject = default_subject()
    if data.get("extends"):  # a subject without name and words fits every feed
        subject = subject._replace(name="", words=())
        return _build_vocabulary(data, source, replace(builtin_vocabulary(), subject=subject, root=""))
    name = data.get("subject", "")
    words = (name.lower(),) if name else ()
    subject = subject._replace(name=name, words=words, repo=data.get("repo", ""), family=(), homes=())
    return _build_vocabulary(data, source, Vocabulary({}, subject, data.get("root", "")))


def _parse_tables(text: str, source: str) -> dict[str, Any]:
    """Return the checked content of a vocabulary's TOML text, with a list in place of each single text.

    Raises ``SourceError``, with the name ``source`` and the place, for an invalid text.
    """
    try:
        data = parse_toml(text)
    except (ValueError, RecursionError) as error:
        problem = f"is not a TOML file ({why_unreadable(error)})"
        raise SourceError(problem, source=source, remedy="write [[topic]] tables") from error
    _check_values(data, _FILE_KEYS, source)
    for number, table in enumerate((*data.get("area", ()), *data.get("topic", ())), 1):
        place = f"{source}, table {number}"
        _check_values(table, _TABLE_KEYS, place)
        if not table.get("id") and not slugify(table.get("label", "")):
            raise SourceError("has neither a label nor an id", source=place, remedy='add label = "…"')
    return data


def _check_values(table: dict[str, Any], keys: Mapping[str, object], place: str) -> None:
    """Check the keys and values of a table, and replace a single text by a list where a list is needed.

    Args:
        table: a table of TOML, which is changed
        keys: the allowed keys, each with an example of its value
        place: the place in errors, such as ``topics.toml, table 3``

    Raises:
        SourceError: a key is unknown, or a value is of another type than its example
    """
    for key, value in table.items():
        if key not in keys:
            remedy = nearest(key, keys) or f"use {', '.join(sorted(keys))}"
            raise SourceError(f"has an unknown key {key!r}", source=place, remedy=remedy)
        example = keys[key]
        if value and example == ["…"] and isinstance(value, str):
            table[key] = [value]
        elif not _is_like(value, example):
            form = f"[[{key}]]" if example == [{}] else f"{key} = {json.dumps(example, ensure_ascii=False)}"
            raise SourceError(f"{key} has an invalid value", source=place, remedy=f"write {form}")


def _is_like(value: object, example: object) -> bool:
    """Return whether a ``value`` has the type of an ``example``; elements of a list, that of its first element."""
    if isinstance(value, list) and isinstance(example, list):
        return all(item != "" and type(item) is type(example[0]) for item in value)
    return type(value) is type(example)


def _build_vocabulary(data: Mapping[str, Any], source: str, base: Vocabulary) -> Vocabulary:
    """Return the vocabulary ``base`` with the topics of a file added; a topic with a known id is merged with it.

    Args:
        data: the checked content of the file
        source: its name in errors
        base: the vocabulary to extend

    Raises:
        SourceError: the file has no topics, or a topic is part of an unknown one
    """
    tables = [(kind == "area", table) for kind in ("area", "topic") for table in data.get(kind, ())]
    if not tables:
        raise SourceError("has no [[topic]] tables", source=source, remedy="add one with a label and aliases")
    topics = dict(base.topics)
    broad = set(data.get("broad", ()))
    members: dict[str, str] = {}  # the id of a topic -> the id of the topic that lists it as a member
    for is_area, table in tables:
        label = table.get("label", "")
        id_ = table.get("id") or slugify(label)
        lists: dict[str, Any] = {name: tuple(table.get(name, ())) for name in _LISTS}
        members |= dict.fromkeys(lists.pop("members"), id_)
        topic = Topic(id_, label, area=is_area, subject=base.subject, repo=table.get("repo", ""), **lists)
        topics[id_] = _merge_topics(topics[id_], topic) if id_ in topics else topic._replace(label=label or id_)
    for topic in topics.values():
        if missing := [parent for parent in topic.part_of if parent not in topics]:
            problem = f"the topic {topic.id!r} is part of {missing[0]!r}, which does not exist"
            raise SourceError(problem, source=source, remedy="add that topic, or give the id of one")
    for id_ in members.keys() & topics.keys():
        # A grouping goes before the broad place in the list of concepts, not before a narrower one.
        others = (parent for parent in topics[id_].part_of if parent not in broad and parent != members[id_])
        topics[id_] = topics[id_]._replace(part_of=(members[id_], *others))
    ordinary = base.ordinary.union(word.lower() for word in data.get("ordinary", ()))
    return replace(base, topics=topics, ordinary=ordinary, broad=base.broad | broad)


def _merge_topics(old: Topic, new: Topic) -> Topic:
    """Return the topic ``old`` with the names, paths and pages of both.

    The label, the wholes and the repository of ``new`` replace the old ones, unless they are empty. The old name stays
    as an alias.
    """
    lists: dict[str, Any] = {}
    for name in _MERGED:
        former = [old.name] if name == "aliases" and old.name and new.label not in ("", old.label) else []
        lists[name] = tuple(dict.fromkeys((*getattr(old, name), *getattr(new, name), *former)))
    label, part_of = new.label or old.label, new.part_of or old.part_of
    return old._replace(label=label, part_of=part_of, area=new.area or old.area, repo=new.repo or old.repo, **lists)


def needs_capitals(name: str, *, weak: bool) -> bool:
    """Return whether a topic's spelling is found only with its capitals: an acronym, short code, an everyday word.

    ``weak`` is true for a spelling that is also an everyday word.

    >>> [needs_capitals(name, weak=False) for name in ("CI", "ShapeEnv", "Inductor", "CUDA graphs", "vmap")]
    [True, False, False, False, False]
    >>> needs_capitals("Work", weak=True)
    True
    """
    if " " in name or "-" in name or not any(char.isupper() for char in name):
        return False
    if name[0].isupper() and not any(char.isupper() for char in name[1:]):
        return weak
    # Longer names in CamelCase are found all in lower case, too.
    return name.upper() == name or len(name) < 7
