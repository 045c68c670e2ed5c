"""Parses the message of a commit: the pull request that it lands, its title, and the issues that it closes."""

from __future__ import annotations

import re
from typing import NamedTuple

from .artifacts import shorten_title

# `Fix a thing (#12)`: how GitHub and most robots sign the subject when they squash
_SQUASHED = re.compile(r"\(#([1-9][0-9]{0,8})\)\Z")
# `Merge pull request #12 from someone/branch`: GitHub's merge commits
_MERGED = re.compile(r"Merge pull request #([1-9][0-9]{0,8}) from ([A-Za-z0-9-]{1,39})[/:]")
# `Pull Request resolved: https://github.com/o/r/pull/12` on a line of its own, added by import bots
_RESOLVED = re.compile(
    r"^[ \t]*Pull[ -]Request[ -]resolved:[ \t]*https?://(?:www\.)?github\.com/"
    r"([\w.-]+/[\w.-]+)/pull/([1-9][0-9]{0,8})/?[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)
# `Fixes #12`, `closes: o/r#12`, `Resolved https://github.com/o/r/issues/12`, `fix GH-12`: GitHub's nine keywords
_CLOSES = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+"
    r"(?:(?:([A-Za-z0-9-]{1,39}/[\w.-]{1,100})?#|GH-)|https?://(?:www\.)?github\.com/([\w.-]+/[\w.-]+)/issues/)"
    r"([1-9][0-9]{0,8})\b",
    re.IGNORECASE,
)


class CommitMessage(NamedTuple):
    """The pull request and the issues in a message, all in its own repository.

    ``number`` is that of the landed pull request (0: none), ``login`` the author's ("": unknown), ``closes`` are
    the closed issues, in order.
    """

    number: int
    title: str
    login: str
    closes: tuple[int, ...]


def parse_message(message: str, repo: str) -> CommitMessage:
    r"""Return the pull request that a commit lands, its title and author, and the issues that it closes.

    Only numbers of the commit's own repository ``repo`` (``owner/name``, in lower case) count. The number is that of a
    merge commit, else of the last line "Pull Request resolved" of an import bot, else that at the end of the subject.

    >>> parse_message("Fix strides (#12)\n\nFixes #3, closes other/repo#4", "o/r")
    CommitMessage(number=12, title='Fix strides', login='', closes=(3,))
    >>> parse_message("Merge pull request #5 from ann/br\n\nAdd a thing", "o/r")[:3]
    (5, 'Add a thing', 'ann')
    """
    subject, _, body = message.lstrip("\n").partition("\n")
    subject = subject.rstrip()
    # A keyword names a repository before # or in an address, or none: its own.
    closes = dict.fromkeys(
        int(issue) for short, long, issue in _CLOSES.findall(message) if (short or long or repo).lower() == repo
    )
    merge, squash = _MERGED.match(subject), _SQUASHED.search(subject)
    pulls = [int(number) for name, number in _RESOLVED.findall(body) if name.lower() == repo]  # of an import bot
    title = shorten_title(_SQUASHED.sub("", subject))
    number, login = 0, ""
    if merge:
        number = int(merge[1])
        # A branch of the repository itself says nothing of the author.
        login = merge[2].lower() if merge[2].lower() != repo.partition("/")[0] else ""
        title = shorten_title(next((line for line in body.split("\n") if line.strip()), ""))
    elif pulls:
        number = pulls[-1]
    elif squash:
        number = int(squash[1])
    return CommitMessage(number, title, login, tuple(issue for issue in closes if issue != number))
