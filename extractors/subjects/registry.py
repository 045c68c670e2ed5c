"""The known subjects: the folders beside this file, then those of installed packages, in a fixed order."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from ..plugins import SUBJECTS, load_plugins
from .default import default_subject
from .subject import Nearness, Subject


@lru_cache(maxsize=1)
def known_subjects() -> tuple[Subject, ...]:
    """Return the default subject, then those of the other folders and those of installed packages, each by name.

    A subject is a folder beside this file with a ``topics.toml`` and a ``SUBJECT`` in its ``__init__.py``, or an entry
    point of the group ``podgraph.subjects`` in an installed package. Builds call this, queries never do. A package
    whose subject cannot be loaded is reported (``rule_plugins``).
    """
    homes = sys.modules[__package__].__path__
    folders = {path.parent.name for home in homes for path in Path(home).glob("*/topics.toml")}
    found = [default_subject(), *map(_of_folder, sorted(folders - {Path(default_subject().folder).name}))]
    found += (brought for _, brought in load_plugins(SUBJECTS, problem_of_subject) if isinstance(brought, Subject))
    return tuple(found)


def problem_of_subject(brought: object) -> str:
    """Return the error in the object of an entry point of ``podgraph.subjects``, "" without one.

    Reads all files of the subject, before a build fails on one later. Raises ``PodgraphError`` for a missing
    or damaged file.
    """
    if not isinstance(brought, Subject):
        return "the subject is not a Subject"
    from .index.index import subject_index  # noqa: PLC0415 - queries on a graph do not read the index
    from .layout import read_layout  # noqa: PLC0415
    from .people import read_people  # noqa: PLC0415
    from .spoken import read_spoken  # noqa: PLC0415
    from .vocabulary import subject_vocabulary  # noqa: PLC0415

    if not os.path.isfile(brought.file("topics.toml")):  # noqa: PTH113 - as `Subject.file` has it
        return f"the subject {brought.name} has no topics.toml in its folder"
    subject_index(brought)
    subject_vocabulary(brought)
    read_people(brought.file("people.txt"))
    read_layout(brought)
    read_spoken(brought.file("spoken.txt"))
    return ""


def default_repo_of(*urls: str) -> str:
    """Return the repository of a bare ``#12`` in a feed with these addresses; "" where none is known."""
    own = (subject.repo for subject in known_subjects() if subject.nearness(urls=urls) is Nearness.OWN)
    return next(own, "")


def _of_folder(name: str) -> Subject:
    subject = import_module(f".{name}", __package__).SUBJECT
    assert isinstance(subject, Subject)
    return subject


def with_index(path: Path | None) -> tuple[Subject, ...]:
    """Return the known subjects, with the index at ``path`` in place of the index of the same repository.

    An index of an unknown repository replaces the default subject's. Raises ``SourceError`` for an invalid index.
    """
    from .index.index import read_index  # noqa: PLC0415 - few builds are given one

    if path is None:
        return known_subjects()
    repo = read_index(path).repo
    owner = next((one for one in known_subjects() if one.repo == repo), default_subject())
    return tuple(one._replace(names=str(path.resolve())) if one is owner else one for one in known_subjects())
