"""The hand-written lists of a subject, a line for each entry: its persons, and how its names sound."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .subject import Subject


class ListedPerson(NamedTuple):
    """A person of a subject's list: GitHub login, spellings of the name, and a first name of theirs alone."""

    login: str
    names: list[str]
    first_name: str


class SpokenName(NamedTuple):
    """The written form of some spoken words.

    A ``sure`` one is valid everywhere, others only in an episode that has the name elsewhere, too.
    """

    text: str
    sure: bool


@lru_cache(maxsize=8)
def read_people(subject: Subject) -> list[ListedPerson]:
    """Return the persons of a subject in its file ``people.txt``; a missing file has none.

    A line is ``login: Name, other spelling; first name``.
    """
    people = []
    for line in subject.read_lines("people.txt"):
        login, _, rest = line.partition(": ")
        names, _, first_name = rest.partition("; ")
        people.append(ListedPerson(login, names.split(", "), first_name))
    return people


@lru_cache(maxsize=8)
def read_spoken(subject: Subject) -> dict[tuple[str, ...], SpokenName]:
    """Return the written names in a subject's ``spoken.txt``, by their spoken words in lower case.

    A line is ``written: spoken form, another one; less certain forms``. The line ``c10: see ten; c ten`` gives
    ``("see", "ten")`` for the sure name ``c10``, and ``("c", "ten")`` for the same name, unsure. The first line with a
    form counts.
    """
    names: dict[tuple[str, ...], SpokenName] = {}
    for line in subject.read_lines("spoken.txt"):
        text, _, forms = line.rpartition(": ")
        # The first group of forms is sure, the second is not.
        for group, is_sure in zip(forms.split("; "), (True, False), strict=False):
            for form in group.split(","):
                names.setdefault(tuple(form.lower().split()), SpokenName(text, is_sure))
    return names
