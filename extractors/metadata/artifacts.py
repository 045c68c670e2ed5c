"""The cited artifacts of each repository on GitHub, the identities of others, and the results of look-ups."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from ..model import Fact, KnownEdge
from ..sites import identify

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from ..ref import Ref

_MAXIMUM_TITLE = 500  # characters
MAXIMUM_FILES = 30  # of a pull request or commit; files that are in the graph anyway come first, without limit
# the kinds that GitHub's API describes
_DESCRIBED = frozenset({"pull", "issue", "discussion", "commit", "file", "folder", "repo"})
_REPO_IN_ID = re.compile(r"github:([^/]+/[^/#@:]+)")


@dataclass(slots=True)
class RepositoryArtifacts:
    """The artifacts of one repository that a graph cites.

    ``refs`` are all that GitHub describes. ``numbers`` (pull requests and issues), ``commits`` (by hash) and ``paths``
    (files and folders) have those of a kind.
    """

    repo: str
    refs: list[Ref] = field(default_factory=list)
    numbers: dict[int, Ref] = field(default_factory=dict)
    commits: dict[str, Ref] = field(default_factory=dict)
    paths: dict[str, Ref] = field(default_factory=dict)


@dataclass(slots=True)
class Metadata:
    """The results of look-ups: facts about nodes, and relations."""

    facts: list[Fact] = field(default_factory=list)
    edges: list[KnownEdge] = field(default_factory=list)

    def __iadd__(self, other: Metadata) -> Self:
        """Add the results of another look-up."""
        self.facts += other.facts
        self.edges += other.edges
        return self


@dataclass(slots=True)
class Description:
    """The data on an artifact, as GitHub, a clone or a page describes it; an unknown text is "".

    ``login`` is the author's account, ``sha`` the commit that landed a pull request, ``closes`` are (repository,
    number) of the issues that it closes, ``files`` the changed paths and ``file_count`` how many there are. ``status``
    is ``ok``, ``moved``, ``gone`` or ``private``.
    """

    title: str = ""
    state: str = ""
    author: str = ""
    login: str = ""
    date: str = ""
    sha: str = ""
    description: str = ""
    status: str = ""
    current_url: str = ""
    closes: list[tuple[str, int]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    file_count: int = 0
    labels: list[str] = field(default_factory=list)


def make_fact(id_: str, about: Description, present: Ref | None = None, *, looked_up: tuple[str, str]) -> Fact:
    """Return the description of an artifact as a fact on a node: attributes that are not empty, and labels.

    Args:
        id_: the id of the node
        about: the description
        present: the artifact's present identity, if the node's is out of date; ``None``: it is up to date
        looked_up: the source of the description, and its time in ISO 8601
    """
    names = ("title", "state", "author", "date", "description", "status", "current_url")
    values: list[tuple[str, str | int]] = [(name, getattr(about, name)) for name in names]
    attrs = tuple(item for item in (*values, ("files", about.file_count)) if item[1])
    return Fact(id_, attrs, present, tuple(about.labels), looked_up)


def describe(
    id_: str, present: Ref | None, about: Description, *,
    repo: str, paths: Container[str], looked_up: tuple[str, str], people: Mapping[str, Ref] | None = None,
) -> Metadata:  # fmt: skip
    """Return a description of an artifact as a fact on its node, and as edges to its files, issues, commit and author.

    Args:
        id_: the id of the node
        present: the artifact's present identity, where the edges begin; ``None``: unknown, then there are no edges
        about: the description
        repo: the artifact's repository (``owner/name``)
        paths: the cited paths of this repository: changed files among them always get an edge
        looked_up: the source of the description, and its time in ISO 8601
        people: the persons of the graph by case-folded name: an author without an account is looked up here
    """
    targets = [(find_file(repo, path), "touches", "it changed this file") for path in choose_files(about.files, paths)]
    targets += [(find_artifact(home, f"issues/{n}"), "closes", "it closes this issue") for home, n in about.closes]
    if about.sha:
        targets.append((find_artifact(repo, f"commit/{about.sha}"), "landed_as", "it landed as this commit"))
    person = find_person(about.login) or (people or {}).get(about.author.casefold())
    targets.append((person, "authored_by", "it names its author"))
    # The number of a closed issue may be a pull request's, which is not closed by another.
    edges = [
        KnownEdge(present, target, relation, (), (reason,), looked_up)
        for target, relation, reason in targets
        if present is not None and target is not None and (relation != "closes" or target.kind == "issue")
    ]
    return Metadata([make_fact(id_, about, present, looked_up=looked_up)], edges)


def group_by_repository(refs: Iterable[Ref]) -> dict[str, RepositoryArtifacts]:
    """Return the artifacts ``refs`` of a graph by their GitHub repository (``owner/name``), in the order of ids.

    Only artifacts that GitHub's API describes are included: pull requests, issues, discussions, commits, files, folders
    and repositories.
    """
    groups: dict[str, RepositoryArtifacts] = {}
    for ref in sorted(refs, key=lambda ref: ref.id):
        if ref.kind not in _DESCRIBED or not (repo := find_repo(ref)):
            continue
        group = groups.setdefault(repo, RepositoryArtifacts(repo))
        group.refs.append(ref)
        # The id behind the repository and a mark: "12" of github:o/r#12.
        tail = ref.id.removeprefix(f"github:{repo}")[1:]
        if ref.kind in {"pull", "issue"}:
            group.numbers[int(tail)] = ref
        elif ref.kind == "commit":
            group.commits[tail] = ref
        elif ref.kind in {"file", "folder"}:
            group.paths[tail] = ref
    return groups


def find_repo(ref: Ref) -> str:
    """Return the repository (``owner/name``) of an artifact on GitHub, by its id; "" for other artifacts."""
    match = _REPO_IN_ID.match(ref.id)
    return match[1] if match else ""


def find_artifact(repo: str, tail: str) -> Ref | None:
    """Return the identity of a page of a repository, ``None`` if there is no such page.

    ``repo`` is ``owner/name``, ``tail`` the part of the address behind it, such as ``pull/12``; "": the repository.
    """
    identity = identify(f"https://github.com/{repo}/{tail}")
    return identity.ref if identity else None


def find_file(repo: str, path: str, *, is_folder: bool = False) -> Ref | None:
    """Return the identity of a file or folder of a repository; ``None`` for a path that an address cannot express.

    >>> find_file("o/r", "a b/c#1.py").url, find_file("o/r", "a/../b")
    ('https://github.com/o/r/blob/HEAD/a%20b/c%231.py', None)
    """
    file = find_artifact(repo, f"{'tree' if is_folder else 'blob'}/main/{quote(path)}")
    return file if file is not None and file.id == f"github:{repo}:{path}" else None


def find_person(login: str) -> Ref | None:
    """Return the identity of the GitHub account ``login``; ``None`` for an organisation and for an invalid login."""
    identity = identify(f"https://github.com/{login}") if re.fullmatch(r"[A-Za-z0-9-]{1,39}", login) else None
    return identity.ref if identity and identity.ref.kind == "person" else None


def choose_files(paths: Sequence[str], cited_paths: Container[str]) -> list[str]:
    """Return the paths of a commit's changed files that get a node, sorted.

    These are all that a graph cites (``cited_paths``), and the first of the others, until there are 30.
    """
    known_paths = [path for path in paths if path in cited_paths]
    others = [path for path in paths if path not in cited_paths]
    return sorted([*known_paths, *others[: max(0, MAXIMUM_FILES - len(known_paths))]])


def shorten_title(text: str) -> str:
    r"""Return a text as a title: on one line, printable, and cut with an ellipsis to at most 500 characters.

    >>> shorten_title(" a\tb\x1b[2J ")
    'a b[2J'
    """
    line = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return line if len(line) <= _MAXIMUM_TITLE else f"{line[: _MAXIMUM_TITLE - 1]}…"


def clean_date(text: str) -> str:
    """Return a date or a time as ISO 8601 with its offset, or UTC if it has none; "" for any other text.

    >>> clean_date("2019/05/29"), clean_date("2024-01-02T03:04:05Z"), clean_date("last year")
    ('2019-05-29T00:00:00+00:00', '2024-01-02T03:04:05+00:00', '')
    """
    try:
        moment = datetime.fromisoformat(text.replace("/", "-"))
    except ValueError:
        return ""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat(timespec="seconds")
