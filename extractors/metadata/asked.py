"""The artifacts to look up, by repository, and the results."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from ..sites import identify

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from ..model import Fact, KnownEdge
    from ..ref import Ref

MOST_FILES = 30  # of a pull request or commit; files that are in the graph anyway come first, without limit
# `github:owner/name`, and the part of it: `#12`, `@sha`, `:path`, `/discussions/12`, or nothing
_PARTS = re.compile(r"github:([^/]+/[^/#@:]+)(?:#([1-9][0-9]{0,9})|@([0-9a-f]{4,64})|:(.+)|/discussions/([0-9]+)|/.*)?")
# the name and the number in the address of a private mail of GitHub's
_PRIVATE_MAIL = re.compile(r"(?:[0-9]+\+)?([A-Za-z0-9-]{1,39})@users\.noreply\.github\.com")


@dataclass(slots=True)
class OfRepo:
    """The artifacts of one repository that a graph cites, by number, hash and path.

    ``own`` is the repository itself, ``others`` are its remaining artifacts, such as releases.
    """

    repo: str
    numbers: dict[int, Ref] = field(default_factory=dict)
    commits: dict[str, Ref] = field(default_factory=dict)
    paths: dict[str, Ref] = field(default_factory=dict)
    discussions: dict[int, Ref] = field(default_factory=dict)
    own: Ref | None = None
    others: list[Ref] = field(default_factory=list)


@dataclass(slots=True)
class Found:
    """The results of look-ups: facts about nodes, and relations."""

    facts: list[Fact] = field(default_factory=list)
    edges: list[KnownEdge] = field(default_factory=list)

    def __iadd__(self, other: Found) -> Self:
        """Add the results of another look-up."""
        self.facts += other.facts
        self.edges += other.edges
        return self


def by_repository(refs: Iterable[Ref]) -> dict[str, OfRepo]:
    """Return the graph's artifacts in each GitHub repository (``owner/name``), in the order of ids."""
    found: dict[str, OfRepo] = {}
    for ref in sorted(refs, key=lambda ref: ref.id):
        parts = _PARTS.fullmatch(ref.id)
        if parts is None:
            continue
        repo, number, sha, path, discussion = parts.groups()
        of = found.setdefault(repo, OfRepo(repo))
        if number and ref.kind in {"pull", "issue"}:
            of.numbers[int(number)] = ref
        elif sha and ref.kind == "commit":
            of.commits[sha] = ref
        elif path and ref.kind in {"file", "folder"}:
            of.paths[path] = ref
        elif discussion and ref.kind == "discussion":
            of.discussions[int(discussion)] = ref
        elif ref.kind == "repo":
            of.own = ref
        else:
            of.others.append(ref)
    return found


def repo_of(ref: Ref) -> str:
    """Return the repository (``owner/name``) that something on GitHub is of, or is, by its id."""
    parts = _PARTS.fullmatch(ref.id)
    return parts[1] if parts else ""


def path_of(ref: Ref) -> str:
    """Return the path of a file or folder on GitHub in its repository, "" for anything else."""
    parts = _PARTS.fullmatch(ref.id)
    return parts[4] or "" if parts else ""


def web(repo: str, tail: str) -> Ref:
    """Return the identity of a page of a repository on GitHub. Raises ``AssertionError`` for other addresses."""
    known = identify(f"https://github.com/{repo}/{tail}")
    assert known is not None, tail
    return known[1]


def pull_of(repo: str, number: int) -> Ref:
    """Return the identity of a pull request."""
    return web(repo, f"pull/{number}")


def issue_of(repo: str, number: int) -> Ref:
    """Return the identity of an issue."""
    return web(repo, f"issues/{number}")


def file_of(repo: str, path: str, *, folder: bool = False) -> Ref | None:
    """Return the identity of a file or folder, or ``None`` for a name that an address cannot express.

    >>> file_of("o/r", "a b/c#1.py").url, file_of("o/r", "a/../b")
    ('https://github.com/o/r/blob/HEAD/a%20b/c%231.py', None)
    """
    known = identify(f"https://github.com/{repo}/{'tree' if folder else 'blob'}/main/{quote(path)}")
    return known[1] if known and known[1].id == f"github:{repo}:{path}" else None


def commit_of(repo: str, sha: str) -> Ref:
    """Return the identity of a commit."""
    return web(repo, f"commit/{sha}")


def person_of(login: str) -> Ref | None:
    """Return the identity of a GitHub account, or ``None`` for an organisation and for an invalid login."""
    known = identify(f"https://github.com/{login}") if re.fullmatch(r"[A-Za-z0-9-]{1,39}", login) else None
    return known[1] if known and known[1].kind == "person" else None


def login_of(mail: str) -> str:
    """Return the login in one of GitHub's private mail addresses, or "".

    >>> login_of("123+Ann@users.noreply.github.com"), login_of("ann@example.org")
    ('ann', '')
    """
    match = _PRIVATE_MAIL.fullmatch(mail.strip().lower())
    return match[1] if match else ""


def chosen_files(paths: Sequence[str], known: Container[str]) -> list[str]:
    """Return the paths that get a node: all those in the graph, then the first others, in order."""
    ours = [path for path in paths if path in known]
    others = [path for path in paths if path not in known]
    return sorted([*ours, *others[: max(0, MOST_FILES - len(ours))]])
