"""GitHub's data on one artifact, as plain values, and its conversion to facts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from ..model import Fact, KnownEdge
from ..sites import identify
from .asked import chosen_files, commit_of, file_of, issue_of, person_of, pull_of, repo_of, web
from .messages import title_line

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from ..ref import Ref

_REPO = re.compile(r"[a-z0-9-]{1,39}/[a-z0-9_.-]{1,100}")
_SHA = re.compile(r"[0-9a-f]{7,64}")
_MOST_LABELS = 20
_MOST_FILES = 3000
STATES = {"OPEN": "open", "CLOSED": "closed", "MERGED": "merged"}


@dataclass(slots=True)
class Thing:
    """The data of a pull request, issue, discussion, commit, file or repository.

    ``status`` is ``ok``, ``gone`` or ``private``; ``updated`` is the server's time of the last change. ``repo`` and
    ``number`` are its present ones. ``cursor`` is the position of the next page of files.
    """

    kind: str
    status: str = "ok"
    repo: str = ""
    number: int = 0
    title: str = ""
    state: str = ""
    author: str = ""
    login: str = ""
    date: str = ""
    updated: str = ""
    sha: str = ""
    description: str = ""
    labels: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    count: int = 0
    cursor: str = ""
    closes: list[list[str | int]] = field(default_factory=list)


def at(data: object, *path: str) -> object:
    """Return the value at a path of keys in foreign JSON, ``None`` without one."""
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def text_at(data: object, *path: str) -> str:
    """Return the line of text at a path, "" for anything else."""
    value = at(data, *path)
    return title_line(value) if isinstance(value, str) else ""


def number_at(data: object, *path: str) -> int:
    """Return the whole number at a path, 0 for anything else."""
    value = at(data, *path)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**10 else 0


def list_at(data: object, *path: str) -> Sequence[object]:
    """Return the list at a path, an empty one for anything else."""
    value = at(data, *path)
    return value if isinstance(value, list) else ()


def repo_at(data: object, *path: str) -> str:
    """Return the name of a repository at a path, "" for an invalid one."""
    name = text_at(data, *path).lower()
    return name if _REPO.fullmatch(name) else ""


def date_at(data: object, *path: str) -> str:
    """Return the time at a path with its offset (ISO 8601), "" for an invalid one."""
    try:
        moment = datetime.fromisoformat(text_at(data, *path))
    except ValueError:
        return ""
    return moment.isoformat(timespec="seconds") if moment.tzinfo else ""


def sha_at(data: object, *path: str) -> str:
    """Return the hash of a commit at a path, "" for an invalid one."""
    sha = text_at(data, *path).lower()
    return sha if _SHA.fullmatch(sha) else ""


def of_graphql(node: object) -> Thing | None:
    """Return the data of a node in a GraphQL answer, ``None`` for an unexpected type."""
    read = _READERS.get(text_at(node, "__typename"))
    return None if read is None else read(node)


def _conversation(node: object) -> Thing:
    """Read the common fields of issues, pull requests and discussions."""
    kind = {"PullRequest": "pull", "Issue": "issue"}.get(text_at(node, "__typename"), "discussion")
    return Thing(
        kind,
        repo=repo_at(node, "repository", "nameWithOwner"),
        number=number_at(node, "number"),
        title=text_at(node, "title"),
        state=STATES.get(text_at(node, "state"), ""),
        author=text_at(node, "author", "login"),
        login=text_at(node, "author", "login"),
        date=date_at(node, "mergedAt") or date_at(node, "createdAt"),
        updated=text_at(node, "updatedAt"),
        labels=[name for label in list_at(node, "labels", "nodes")[:_MOST_LABELS] if (name := text_at(label, "name"))],
    )


def _pull(node: object) -> Thing:
    """Read a pull request: its state, its first files, its merge commit, and the issues that it closes."""
    thing = _conversation(node)
    if thing.state == "open" and at(node, "isDraft") is True:
        thing.state = "draft"
    add_files(thing, node)
    thing.count = number_at(node, "files", "totalCount") or number_at(node, "changedFiles") or len(thing.files)
    thing.sha = sha_at(node, "mergeCommit", "oid") if thing.state == "merged" else ""
    closed = list_at(node, "closingIssuesReferences", "nodes")
    thing.closes = [
        [repo, number]
        for issue in closed
        if (repo := repo_at(issue, "repository", "nameWithOwner")) and (number := number_at(issue, "number"))
    ]
    return thing


def add_files(thing: Thing, node: object) -> None:
    """Add a page of the files of a pull request, and where the next one begins."""
    paths = (at(file, "path") for file in list_at(node, "files", "nodes"))
    thing.files = [*thing.files, *(path for path in paths if isinstance(path, str) and path.isprintable())][
        :_MOST_FILES
    ]
    more = at(node, "files", "pageInfo", "hasNextPage") is True and len(thing.files) < _MOST_FILES
    thing.cursor = text_at(node, "files", "pageInfo", "endCursor") if more else ""


def _commit(node: object) -> Thing:
    return Thing(
        "commit",
        title=text_at(node, "messageHeadline"),
        author=text_at(node, "author", "name"),
        login=text_at(node, "author", "user", "login"),
        date=date_at(node, "committedDate"),
        sha=sha_at(node, "oid"),
    )


_READERS: dict[str, Callable[[object], Thing]] = {
    "PullRequest": _pull,
    "Issue": _conversation,
    "Discussion": _conversation,
    "Commit": _commit,
    "Blob": lambda _: Thing("file"),
    "Tree": lambda _: Thing("folder"),
    "Repository": lambda node: Thing(
        "repo",
        repo=repo_at(node, "nameWithOwner"),
        description=text_at(node, "description"),
        updated=text_at(node, "updatedAt"),
    ),
}


def of_rest(kind: str, data: object) -> Thing:
    """Return the REST API's data on an issue or pull request, a commit, a repository."""
    if kind == "commit":
        message = at(data, "commit", "message")
        paths = (at(file, "filename") for file in list_at(data, "files"))
        files = [path for path in paths if isinstance(path, str) and path.isprintable()]
        return Thing(
            kind,
            title=title_line(message.partition("\n")[0]) if isinstance(message, str) else "",
            author=text_at(data, "commit", "author", "name"),
            login=text_at(data, "author", "login"),
            date=date_at(data, "commit", "committer", "date"),
            sha=sha_at(data, "sha"),
            files=files,
            count=len(files),
        )
    if kind == "repo":
        return Thing(kind, repo=repo_at(data, "full_name"), description=text_at(data, "description"))
    pull = at(data, "pull_request") is not None
    merged = date_at(data, "pull_request", "merged_at")
    state = "merged" if merged else STATES.get(text_at(data, "state").upper(), "")
    return Thing(
        "pull" if pull else "issue",
        repo=repo_at({"name": "/".join(text_at(data, "repository_url").split("/")[-2:])}, "name"),
        number=number_at(data, "number"),
        title=text_at(data, "title"),
        state="draft" if state == "open" and at(data, "draft") is True else state,
        author=text_at(data, "user", "login"),
        login=text_at(data, "user", "login"),
        date=merged or date_at(data, "created_at"),
        updated=text_at(data, "updated_at"),
        labels=[name for label in list_at(data, "labels")[:_MOST_LABELS] if (name := text_at(label, "name"))],
    )


def is_of(thing: Thing, ref: Ref) -> bool:
    """Return whether an answer can be about ``ref``: only moved artifacts have another number and repository."""
    about = dict(ref.attrs)
    if thing.kind in {"pull", "issue", "discussion"}:
        if ref.kind not in {"pull", "issue", "discussion"} or not (thing.title and thing.number and thing.repo):
            return False
        return thing.number == about.get("number") or thing.repo != repo_of(ref)
    if thing.kind == "commit":
        return ref.kind == "commit" and thing.sha.startswith(ref.id.rpartition("@")[2])
    return ref.kind in {thing.kind, "file", "folder"} and (thing.kind != "repo" or bool(thing.repo))


def present(ref: Ref, thing: Thing) -> Ref | None:
    """Return the present identity of an artifact if it changed: another kind, repository, number, or its full hash."""
    repo = repo_of(ref)
    now = None
    if thing.status != "ok":
        return None
    if thing.kind in {"pull", "issue"}:
        now = (pull_of if thing.kind == "pull" else issue_of)(thing.repo, thing.number)
    elif thing.kind == "discussion":
        now = web(thing.repo, f"discussions/{thing.number}")
    elif thing.kind == "commit" and thing.sha:
        now = commit_of(repo, thing.sha)
    elif thing.kind == "repo":
        now = web(thing.repo, "")
    elif thing.kind in {"file", "folder"}:
        now = file_of(repo, str(dict(ref.attrs).get("path", "")), folder=thing.kind == "folder")
    if now is None or now.kind != thing.kind:  # a name that no repository can have
        return None
    return now if (now.id != ref.id or now.kind != ref.kind) else None


def moved(ref: Ref, old: str, new: str) -> Ref | None:
    """Return the new identity of an artifact in a repository renamed from ``old`` to ``new``."""
    home = f"https://github.com/{old}"
    if ref.url != home and not ref.url.startswith(f"{home}/"):
        return None
    known = identify(f"https://github.com/{new}{ref.url.removeprefix(home)}")
    return known[1] if known and known[1].kind == ref.kind else None


def facts_of(ref: Ref, thing: Thing, signed: tuple[str, str]) -> Fact:
    """Return the attributes of an artifact's node."""
    now = present(ref, thing)
    is_moved = now is not None and now.id != ref.id and thing.kind != "commit"
    values: tuple[tuple[str, str | int], ...] = (
        ("title", thing.title),
        ("state", thing.state),
        ("author", thing.author),
        ("date", thing.date),
        ("description", thing.description),
        ("files", thing.count),
        ("status", "moved" if is_moved else thing.status),
        ("current_url", now.url if is_moved and now else ""),
    )
    return Fact(ref.id, tuple((name, value) for name, value in values if value), now, tuple(thing.labels), signed)


def edges_of(ref: Ref, thing: Thing, known_paths: Container[str], signed: tuple[str, str]) -> Iterator[KnownEdge]:
    """Yield the relations of an artifact: files changed, issues closed, author, landing."""
    here = present(ref, thing) or ref
    repo = thing.repo or repo_of(ref)
    if thing.status != "ok":
        return
    for path in chosen_files(sorted(thing.files), known_paths):
        if (file := file_of(repo, path)) is not None:
            yield KnownEdge(here, file, "touches", (), ("it changed this file",), signed)
    for name, number in thing.closes:
        if isinstance(name, str) and isinstance(number, int) and _REPO.fullmatch(name):
            issue = issue_of(name, number)
            if issue.kind == "issue":
                yield KnownEdge(here, issue, "closes", (), ("GitHub ties them",), signed)
    if thing.kind == "pull" and thing.sha:
        yield KnownEdge(here, commit_of(repo, thing.sha), "landed_as", (), ("GitHub names the commit",), signed)
    if thing.kind in {"pull", "issue", "discussion", "commit"} and (author := person_of(thing.login)) is not None:
        yield KnownEdge(here, author, "authored_by", (), ("GitHub names the author",), signed)
