"""The known subjects: those beside this file, then those of installed packages, in a fixed order."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..plugins import SUBJECTS, load_plugins
from .default import default_subject
from .subject import Nearness, Subject

if TYPE_CHECKING:
    from pathlib import Path

_BUILT_IN = (default_subject(),)


@lru_cache(maxsize=1)
def known_subjects() -> tuple[Subject, ...]:
    """Return the built-in subjects, and those of installed packages by name.

    The group of the entry points is ``podgraph.subjects``. Builds call this, queries never do. A package
    whose subject cannot be loaded is reported (``rule_plugins``).
    """
    plugins = load_plugins(SUBJECTS, problem_of_subject)
    return (*_BUILT_IN, *(subject for _, subject in plugins if isinstance(subject, Subject)))


def problem_of_subject(value: object) -> str:
    """Return the error in the object of an entry point of ``podgraph.subjects``, "" without one.

    Reads all files of the subject, before a build fails on one later. Raises an error for a missing or damaged file.
    """
    if not isinstance(value, Subject):
        return "the subject is not a Subject"
    from .layout import read_layout  # noqa: PLC0415 - queries on a graph do not read these files
    from .lists import read_people, read_spoken  # noqa: PLC0415
    from .vocabulary import subject_vocabulary  # noqa: PLC0415

    for read in (subject_vocabulary, read_people, read_layout, read_spoken):
        read(value)
    return ""


def default_repo_of(*urls: str) -> str:
    """Return the repository of a bare ``#12`` in a feed with these addresses; "" where none is known."""
    own = (subject.repo for subject in known_subjects() if subject.nearness(urls=urls) is Nearness.OWN)
    return next(own, "")


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
