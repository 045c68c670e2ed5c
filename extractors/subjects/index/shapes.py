"""How the JSON of an index is shaped: for type checkers, nothing at work loads it."""

from typing import Required, TypedDict


class NamedThing(TypedDict, total=False):
    """A curated name: ``find`` is a text of its definition's line in the file ``path``, ``docs`` its page."""

    name: Required[str]
    kind: Required[str]
    path: str
    find: str
    docs: str


class Spellings(TypedDict):
    """The curated spellings with their possible names, and the other facts about names in the fact file."""

    phrases: dict[str, list[str]]
    words: dict[str, list[str]]
    prefixes: dict[str, str]
    dunders: dict[str, str]
    dtypes: dict[str, str]
    moved: dict[str, str]
    symbols: list[NamedThing]
    variables: list[str]
    docs: dict[str, str]
    renamed: dict[str, str]


class ConceptEntry(TypedDict, total=False):
    """A concept as the fact file lists it: see ``Concept``."""

    id: Required[str]
    label: Required[str]
    repo: str
    aliases: list[str]
    weak: list[str]
    paths: list[str]
    docs: list[str]
    tutorials: list[str]
    part_of: list[str]


class Pages(TypedDict):
    """Pages of the docs and tutorials to their titles, where they moved, and the lost ones."""

    docs: dict[str, str]
    docs_moves: dict[str, str]
    docs_gone: list[str]
    tutorials: dict[str, str]
    tutorials_moves: dict[str, str]
    tutorials_past: list[str]
