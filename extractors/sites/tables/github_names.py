"""The first segments of github.com's paths: logins, pages of the site itself, well-known organisations.

The rules for logins and repository names are those in github.com's sign-up and "new repository" forms.
"""

from __future__ import annotations

from itertools import chain

from . import read_table

_MAXIMUM_LENGTH, _MAXIMUM_FOLDERS = 4096, 50

_NAMES = read_table("github_names")
RESERVED, ORGANISATIONS = (frozenset(chain(*_NAMES[name])) for name in ("reserved", "organisations"))


def is_repo_path(text: str) -> bool:
    """Return whether ``text`` is short enough to be a path in a repository.

    A path has at most 4,096 characters (``PATH_MAX`` of Linux) and 50 folders. Each folder is looked up or becomes a
    node, so a longer text would cost the square of its length.
    """
    return len(text) <= _MAXIMUM_LENGTH and text.count("/") <= _MAXIMUM_FOLDERS
