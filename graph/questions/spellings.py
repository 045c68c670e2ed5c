"""The short spellings of references: one table for the library, the command and the page's script.

Python and JavaScript match each pattern whole and without regard to case, so it uses only what both understand.
"""

from __future__ import annotations

import re
from functools import cache

from podgraph.extractors import default_subject

_N = r"(?P<n>[1-9][0-9]{0,8})"
_LOGIN = "[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}"
_REPO = rf"(?P<repo>{_LOGIN}/[A-Za-z0-9_.-]+)"
_NAME = r"(?P<name>[A-Za-z0-9][A-Za-z0-9_-]*)"
_WORD = "(?:PR|pull(?:[ -]request)?|issue)s?"
_FOLDER = "/(?:pull|issue)s?/"
_VIEW = "(?:/[a-z]+)?"
_DOI = r"(?:doi:\s?|(?:https?://)?(?:dx\.)?doi\.org/)?"
# The lines at the end of a path: `:120`, `:120:3`, `#L10-L20`.
PLACE = r"[:#]L?[0-9]+(?:(?:-L?|:)[0-9]+)?"

# A pattern, and its possible ids, the likeliest first. {home} is the repository of bare numbers and paths,
# {owner} its owner; * matches any text, and such an id counts only if exactly one node matches.
_SPELLINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    # `12`, `#12`, `GH-12`, `PR 12`, `PR: #12`, `issue #12`, `Fixes #12`
    (
        rf"(?:#|GH-|{_WORD}[\s:-]*#?|(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)[\s:]*#)?\s*{_N}",
        ("github:{home}#{n}", "github:*#{n}"),
    ),
    # `pull/12`, `issues/12`, `pull/12/files`, `refs/pull/12/head`
    (rf"(?:refs/|/)?(?:pull|issue)s?/{_N}{_VIEW}", ("github:{home}#{n}", "github:*#{n}")),
    # the title of a commit, as GitHub merges it: `Add a thing (#12)`
    (rf".*\(#{_N}\)", ("github:{home}#{n}", "github:*#{n}")),
    # `owner/name#12`, `owner/name/pull/12`, `owner/name PR 12`
    (rf"{_REPO}(?:\s*#\s*|{_FOLDER}|\s+{_WORD}\s*#?){_N}{_VIEW}", ("github:{repo}#{n}",)),
    # `name#12`, `name #12`, `name/pull/12`: of the usual owner, else of the one repository so called
    (rf"{_NAME}(?:\s?#|{_FOLDER}){_N}{_VIEW}", ("github:{owner}/{name}#{n}", "github:*/{name}#{n}")),
    # `owner/name@1a2b3c4`
    (rf"{_REPO}@(?P<sha>[0-9a-f]{{7,40}})", ("github:{repo}@{sha}",)),
    # the side of a diff: `a/src/x.c`, `+++ b/src/x.c`
    (
        rf"(?:(?:---|\+\+\+)\s+)?(?P<side>[ab])/(?P<path>\S+?)(?:{PLACE})?",
        ("github:{home}:{side}/{path}", "github:{home}:{path}"),
    ),
    # `1706.03762`, `arXiv:1706.03762v5`, also as the DOIs of arXiv have it
    (
        rf"(?:arXiv(?:\s?:\s?|\s)|{_DOI}10\.48550/arXiv\.)?(?P<n>[0-9]{{4}}\.[0-9]{{4,5}})(?:v[0-9]{{1,2}})?",
        ("paper:arxiv/{n}",),
    ),
    # `@login`
    (rf"@(?P<login>{_LOGIN})", ("person:{login}",)),
)

# Addresses of sites with several for one artifact, for the page: it lacks the extractors' rules.
_AT = r"(?:(?:https?:)?//)?(?:www\.)?"
_HUB = rf"{_AT}github\.com/(?P<repo>{_LOGIN}/[A-Za-z0-9_.-]+?)(?:\.git)?"
_REST = r"(?:[^A-Za-z0-9_-].*)?"
_ADDRESSES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (rf"{_HUB}{_FOLDER}{_N}{_REST}", ("github:{repo}#{n}",)),
    (rf"{_AT}api\.github\.com/repos/{_REPO}{_FOLDER}{_N}{_REST}", ("github:{repo}#{n}",)),
    (rf"{_HUB}/discussions/{_N}{_REST}", ("github:{repo}/discussions/{n}",)),
    (rf"{_HUB}/commits?/(?P<sha>[0-9a-f]{{7,40}}){_REST}", ("github:{repo}@{sha}",)),
    (rf"{_HUB}/(?:blob|tree|raw|blame|edit)/[^/?#]+/(?P<path>[^?#]+){_REST}", ("github:{repo}:{path}",)),
    (rf"{_AT}raw\.githubusercontent\.com/{_REPO}/[^/?#]+/(?P<path>[^?#]+){_REST}", ("github:{repo}:{path}",)),
    (rf"{_HUB}/?(?:[?#].*)?", ("github:{repo}",)),
    (
        rf"{_AT}(?:[a-z.]+\.)?arxiv\.org/(?:abs|pdf|html)/(?P<n>[0-9.]*[0-9])(?:v[0-9]+)?(?:\.pdf)?{_REST}",
        ("paper:arxiv/{n}",),
    ),
    (rf"{_AT}(?:dx\.)?doi\.org/(?P<n>10\..+)", ("paper:doi/{n}",)),
    (
        rf"{_AT}(?:(?:m\.)?youtube\.com/(?:watch\?(?:.*&)?v=|(?:embed|shorts|live)/)|youtu\.be/)(?P<path>[A-Za-z0-9_-]{{11}})(?:[&/?#].*)?",
        ("video:youtube/{path}",),
    ),
    (rf"{_AT}(?P<host>[a-z0-9.-]+)/t/(?:[^/?#]+/)?(?P<n>[0-9]+){_REST}", ("forum:{host}/t/{n}",)),
    (rf"{_AT}stackoverflow\.com/q(?:uestions)?/(?P<n>[0-9]+){_REST}", ("question:stackoverflow/{n}",)),
)


def spellings() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the table: rows of a pattern and its possible ids, with those of the default subject's RFCs."""
    own = default_subject().proposals
    table = (*_SPELLINGS, *_ADDRESSES)
    if own is None:
        return table
    # A subject's own RFCs begin with a zero, the IETF's never do.
    number = rf"RFC[\s-]?(?P<n>0[0-9]{{{own.digits - 1}}})"
    return (*table, (number, (f"{own.id_prefix}{{n}}", f"{own.file_prefix}{{n}}*")))


def stripped(text: str) -> str:
    """Return a pasted text without the quotes, angle brackets and blanks around it.

    >>> stripped(" <https://example.org/> "), stripped("`torch.vmap`")
    ('https://example.org/', 'torch.vmap')
    """
    return text.strip().strip("<>\"'`").strip()


def spelled(text: str, repo: str) -> list[str]:
    """Return the possible ids of a stripped text by the first matching row, the likeliest first.

    An id with a ``*`` means the only node whose id has any text there.

    >>> spelled("pull/12", "Owner/name"), spelled("pull", "owner/name")
    (['github:owner/name#12', 'github:*#12'], [])
    """
    home = repo.lower()
    for pattern, ids in _compiled():
        if match := pattern.fullmatch(text):
            parts = {name: part if name == "path" else part.lower() for name, part in match.groupdict().items()}
            return [id_.format(home=home, owner=home.partition("/")[0], **parts) for id_ in ids]
    return []


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), ids) for pattern, ids in spellings())
