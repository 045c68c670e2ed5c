"""The subjects that are known: the folders beside this file, then those of installed packages, in a fixed order."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from importlib import import_module

from ..plugins import SUBJECTS, load_plugins, plugins_wanted
from .subject import Nearness, Subject

_FIRST = "pytorch"  # the subject of what names none: the feed when none is given, the repository of a bare number


@lru_cache(maxsize=1)
def default_subject() -> Subject:
    """Return the subject of what names none: the first one."""
    return _of_folder(_FIRST)


def known_subjects() -> tuple[Subject, ...]:
    """Return the default subject, then those of the other folders and those of installed packages, each by name.

    A folder here that holds a ``topics.toml`` and whose ``__init__.py`` says ``SUBJECT`` is one; an installed package
    brings one as an entry point of the group ``podgraph.subjects``. Builds ask this, questions never. A package whose
    subject cannot be loaded is told of (``rule_plugins``).
    """
    return _known(plugins_wanted())


@lru_cache(maxsize=2)
def _known(_wanted: bool, /) -> tuple[Subject, ...]:
    from pathlib import Path  # noqa: PLC0415 - questions need the default subject alone

    homes = sys.modules[__package__].__path__
    folders = {path.parent.name for home in homes for path in Path(home).glob("*/topics.toml")}
    found = [default_subject(), *map(_of_folder, sorted(folders - {_FIRST}))]
    found += (
        plugin.brought for plugin in load_plugins(SUBJECTS, problem_of_subject) if isinstance(plugin.brought, Subject)
    )
    return tuple(found)


def problem_of_subject(brought: object) -> str:
    """Return what is wrong with what an entry point of ``podgraph.subjects`` leads to, "" for nothing.

    All files of the subject are read, so that a build does not fail on one later. Raises ``PodgraphError`` for a file
    that is missing or damaged.
    """
    if not isinstance(brought, Subject):
        return "the subject is no Subject"
    if not os.path.isfile(brought.file("topics.toml")):  # noqa: PTH113 - as `Subject.file` has it
        return f"the subject {brought.name} has no topics.toml in its folder"
    for read in (brought.read_names, brought.read_vocabulary, brought.read_people, brought.read_layout):
        read()
    brought.read_spoken()
    return ""


def default_repo_of(*urls: str) -> str:
    """Return the repository that a bare ``#12`` means in a feed with these addresses; "" where none is known."""
    own = (subject.repo for subject in known_subjects() if subject.nearness(urls=urls) is Nearness.OWN)
    return next(own, "")


def _of_folder(name: str) -> Subject:
    subject = import_module(f".{name}", __package__).SUBJECT
    assert isinstance(subject, Subject)
    return subject
