"""Profiles: the pages of persons, by the ids of their addresses."""

from __future__ import annotations

import re
from itertools import chain

from .tables import read_table
from .tables.github_names import ORGANISATIONS

_HOSTS, _PAGES = ("|".join(map(re.escape, chain(*rows))) for rows in read_table("profiles").values())
# "person:ann", "web:x.com/ann", "web:linkedin.com/in/ann", "web:social.example/@ann".
_PROFILE = re.compile(
    rf"person:.+|web:(?:{_HOSTS})/(?!(?:{_PAGES})(?:[/?#]|\Z))[^/?#]+|web:linkedin\.com/in/[^/?#]+"
    r"|web:bsky\.app/profile/[^/?#]+|web:(?!(?:m\.)?youtube\.com/|tiktok\.com/)[^/]+/(?:@[^/?#]+|users/[^/?#]+)"
)
_ORDER = ("person:", "web:x.com/", "web:linkedin.com/", "web:")  # how the ids of profiles begin, the best first


def is_profile(id_: str) -> bool:
    """Return whether the id of an artifact is that of a person's profile; GitHub's organisations are no persons.

    >>> [is_profile(id_) for id_ in ("person:ann", "web:x.com/ann", "person:pytorch", "web:x.com/home")]
    [True, True, False, False]
    """
    return _PROFILE.fullmatch(id_) is not None and id_.removeprefix("person:") not in ORGANISATIONS


def rank_profile(id_: str) -> int:
    """Return the place of a profile among those of a person, from 0: GitHub's is the best address, then X, LinkedIn."""
    return next((place for place, start in enumerate(_ORDER) if id_.startswith(start)), len(_ORDER))
