"""GitHub's answer about one artifact (a node of GraphQL, as JSON) as a fact and edges; nothing in it is trusted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .artifacts import Description, clean_date, find_artifact, find_file, find_repo, shorten_title

if TYPE_CHECKING:
    from ..ref import Ref

_REPO = re.compile(r"[a-z0-9-]{1,39}/[a-z0-9_.-]{1,100}")
_SHA = re.compile(r"[0-9a-f]{7,64}")
_MAXIMUM_LABELS = 20
_DATES = ("mergedAt", "createdAt", "committedDate")  # the first counts
_STATES = {"OPEN": "open", "CLOSED": "closed", "MERGED": "merged"}
_KINDS = {
    "PullRequest": "pull", "Issue": "issue", "Discussion": "discussion", "Commit": "commit", "Blob": "file",
    "Tree": "folder", "Repository": "repo",
}  # fmt: skip
# The kinds with a number, each with the part of an address before it. A number may turn out to be of another kind.
_NUMBERED = {"pull": "pull", "issue": "issues", "discussion": "discussions"}


def value_at(data: object, *path: str) -> object:
    """Return the value at a path of keys in JSON from outside.

    It is ``None`` if a key is missing or a value on the way is not an object.

    >>> value_at({"a": {"b": 1}}, "a", "b"), value_at({"a": 1}, "a", "b")
    (1, None)
    """
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    return data


def text_at(data: object, *path: str) -> str:
    """Return the text at a ``path`` of keys in JSON ``data``, as one line of at most 500 characters; else ""."""
    value = value_at(data, *path)
    return shorten_title(value) if isinstance(value, str) else ""


def number_at(data: object, *path: str) -> int:
    """Return the whole number at a ``path`` of keys in JSON ``data``, from 0 to 9,999,999,999; 0 for anything else."""
    value = value_at(data, *path)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**10 else 0


def list_at(data: object, *path: str) -> Sequence[object]:
    """Return the list at a ``path`` of keys in JSON ``data``; an empty one for anything else."""
    value = value_at(data, *path)
    return value if isinstance(value, list) else ()


def repo_at(data: object, *path: str) -> str:
    """Return the repository (``owner/name``, in lower case) of the object at a ``path`` of keys; "" if invalid."""
    name = text_at(data, *path, "nameWithOwner").lower()
    return name if _REPO.fullmatch(name) else ""


def find_present(ref: Ref, node: object) -> Ref | None:
    """Return the present identity of a cited artifact by GitHub's answer.

    An issue or pull request may have moved to another repository, with another number. A number may turn out to be a
    pull request, and a folder a file. Returns ``None`` if the answer is about something else.

    Args:
        ref: the artifact as cited
        node: GitHub's answer: a node of GraphQL, as JSON
    """
    kind = _KINDS.get(text_at(node, "__typename"), "")
    repo, number = repo_at(node, "repository"), number_at(node, "number")
    present = None
    if kind in _NUMBERED and ref.kind in _NUMBERED and text_at(node, "title") and repo and number:
        is_moved = repo != find_repo(ref)
        if is_moved or number == dict(ref.attrs).get("number"):
            present = find_artifact(repo, f"{_NUMBERED[kind]}/{number}")
    elif kind == ref.kind == "commit":
        sha = text_at(node, "oid").lower()
        if _SHA.fullmatch(sha) and sha.startswith(ref.id.rpartition("@")[2]):
            present = find_artifact(find_repo(ref), f"commit/{sha}")
    elif kind == ref.kind == "repo" and (repo := repo_at(node)):
        present = find_artifact(repo, "")
    elif kind in {"file", "folder"} and ref.kind in {"file", "folder"}:
        present = find_file(find_repo(ref), str(dict(ref.attrs).get("path", "")), is_folder=kind == "folder")
    return present if present is not None and present.kind == kind else None


def read_node(ref: Ref, node: object, status: str) -> Description:
    """Return GitHub's data on a cited artifact; values of a wrong type are left out.

    Args:
        ref: the artifact as cited
        node: GitHub's answer: a node of GraphQL, as JSON; ``None``: there is none
        status: ``ok``, ``gone`` or ``private``; the result has ``moved`` if the artifact has another id now
    """
    present = find_present(ref, node)
    state = _STATES.get(text_at(node, "state"), "")
    sha = text_at(node, "mergeCommit", "oid").lower()
    paths = [value_at(file, "path") for file in list_at(node, "files", "nodes")]
    labels = list_at(node, "labels", "nodes")[:_MAXIMUM_LABELS]
    about = Description(
        title=text_at(node, "title") or text_at(node, "messageHeadline"),
        state="draft" if state == "open" and value_at(node, "isDraft") is True else state,
        author=text_at(node, "author", "login") or text_at(node, "author", "name"),
        login=text_at(node, "author", "login") or text_at(node, "author", "user", "login"),
        date=next(filter(None, (clean_date(text_at(node, name)) for name in _DATES)), ""),
        sha=sha if state == "merged" and _SHA.fullmatch(sha) else "",
        description=text_at(node, "description"),
        status=status,
        closes=[
            (repo, number)
            for issue in list_at(node, "closingIssuesReferences", "nodes")
            if (repo := repo_at(issue, "repository")) and (number := number_at(issue, "number"))
        ],
        files=sorted({path for path in paths if isinstance(path, str) and path.isprintable()}),
        file_count=number_at(node, "files", "totalCount") or number_at(node, "changedFiles"),
        labels=[name for label in labels if (name := text_at(label, "name"))],
    )
    if present is not None and present.id != ref.id and present.kind != "commit":
        about.status, about.current_url = "moved", present.url
    return about
