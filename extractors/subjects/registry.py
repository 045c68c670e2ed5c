"""The known subjects: those beside this file, then those of installed packages, in a fixed order."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..plugins import SUBJECTS, load_plugins
from .default import default_subject
from .subject import Nearness, Subject

if TYPE_CHECKING:
    from pathlib import Path


@lru_cache(maxsize=1)
def known_subjects() -> tuple[Subject, ...]:
    """Return the built-in subjects, then those of installed packages in the order of their names.

    A package registers a subject by an entry point of the group ``podgraph.subjects``. Builds call this, queries never
    do. A package whose subject cannot be loaded is reported as a warning.
    """
    plugins = load_plugins(SUBJECTS, find_subject_problem)
    return (default_subject(), *(subject for _, subject in plugins if isinstance(subject, Subject)))


def find_subject_problem(value: object) -> str:
    """Return the problem of a subject that a package has registered, "" if it is valid.

    All files of the subject are read, so that a build does not fail on one later. Raises an error for a missing or
    damaged file.
    """
    if not isinstance(value, Subject):
        return "the subject is not a Subject"
    from .layout import read_layout  # noqa: PLC0415 - queries on a graph do not read these files
    from .lists import read_people, read_spoken  # noqa: PLC0415
    from .vocabulary import subject_vocabulary  # noqa: PLC0415

    for read in (subject_vocabulary, read_people, read_layout, read_spoken):
        read(value)
    return ""


def find_default_repo(*urls: str) -> str:
    """Return the repository (``owner/name``) that a bare ``#12`` means in a feed with some addresses; "" if unknown.

    It is that of the subject whose own podcast has one of the addresses ``urls``.
    """
    return next((each.repo for each in known_subjects() if each.measure_nearness(urls=urls) is Nearness.OWN), "")


def replace_index(path: Path | None) -> tuple[Subject, ...]:
    """Return the known subjects, one of them with the index of code in the file at ``path`` in place of its own.

    It is the subject with the same repository as the index; for an unknown repository, the default subject. ``None``:
    all keep their own. Raises ``SourceError`` for an invalid index.
    """
    from .index.index import read_index  # noqa: PLC0415 - few builds are given one

    if path is None:
        return known_subjects()
    repo = read_index(path).repo
    owner = next((subject for subject in known_subjects() if subject.repo == repo), default_subject())
    return tuple(each._replace(names=str(path.resolve())) if each is owner else each for each in known_subjects())
