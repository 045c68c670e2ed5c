"""Looks up cited artifacts on GitHub, 50 in a request by GraphQL; a build without network uses the stored answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from ..url import host_of
from .answers import StoredAnswers
from .artifacts import Metadata, describe, find_artifact, repo_of
from .github_api import NoAnswerError, StoppedError
from .github_nodes import find_present, list_at, number_at, read_node, repo_at, text_at, value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from ..ref import Ref
    from ..sources.cache import Cache
    from .artifacts import RepositoryArtifacts
    from .github_api import Api

_AT_ONCE = 50
_SECOND_LOOKS = 20  # at numbers that are not there, for they may have moved to another repository
_TALK = """number title createdAt author { login } repository { nameWithOwner }
 labels(first: 20) { nodes { name } }"""
_PULL = f"""... on PullRequest {{ {_TALK} state isDraft mergedAt changedFiles mergeCommit {{ oid }}
 files(first: 100) {{ totalCount nodes {{ path }} }}
 closingIssuesReferences(first: 20) {{ nodes {{ number repository {{ nameWithOwner }} }} }} }}"""
_COMMIT = "... on Commit { oid messageHeadline committedDate author { name user { login } } }"
_PRIVATE = frozenset({"FORBIDDEN", "INSUFFICIENT_SCOPES", "UNAUTHORIZED"})


class GitHub:
    """GitHub's data on the artifacts of a graph: from requests or from the cache."""

    def __init__(self, api: Api, cache: Cache, notify: Callable[[str], None]) -> None:
        self._api = api
        self._notify = notify
        self._source = host_of(api.address).partition(":")[0] or "GitHub"
        # id -> the node of the answer, the status (ok, gone or private), and the time of the answer (ISO 8601)
        self._answers = StoredAnswers(cache, f"github:{api.address}")
        self._missing: list[Ref] = []

    def look_up(self, repositories: Iterable[RepositoryArtifacts], *, skip: Collection[str], offline: bool) -> Metadata:
        """Return GitHub's data; the ids in ``skip`` need no request. ``offline``: only stored answers."""
        requests = [(repository, ref) for repository in repositories for ref in repository.refs if ref.id not in skip]
        if requests and not offline and self._api.login.token:
            self._request([ref for _, ref in requests])
            self._answers.save()
        elif requests and not offline:
            self._notify(
                "GitHub is asked only with a token: set GITHUB_TOKEN (it needs no rights), or log in with `gh`"
            )
        results = Metadata()
        for repository, ref in requests:
            if answer := self._answers.get(ref.id):
                node, looked_up = answer["node"], (self._source, answer["date"])
                present, about = find_present(ref, node), read_node(ref, node, answer["status"])
                home = repo_at(node, "repository") or repository.repo
                results += describe(ref.id, present, about, repo=home, paths=repository.paths, looked_up=looked_up)
        return results

    def _request(self, refs: Sequence[Ref]) -> None:
        """Make all requests and report the number done; stored answers survive any error."""
        with suppress(StoppedError):
            for start in range(0, len(refs), _AT_ONCE):
                self._request_batch({ref: ref for ref in refs[start : start + _AT_ONCE]})
            places = {ref: place for ref in self._missing[:_SECOND_LOOKS] if (place := self._find_place(ref))}
            self._request_batch(places)
        statuses = Counter(self._answers[ref.id]["status"] for ref in refs if ref.id in self._answers)
        rest = "".join(f", {statuses[status]} {status}" for status in ("gone", "private") if statuses[status])
        calls = f"{self._api.calls} request{'s' * (self._api.calls != 1)}"
        count = statuses.total()
        self._notify(f"looked up {count} of {len(refs)} things at {self._source} in {calls}{rest}")
        if self._api.stopped:
            self._notify(self._api.stopped)
        elif count < len(refs) and self._api.problem:
            self._notify(f"GitHub gave no answer: {self._api.problem}")

    def _request_batch(self, places: Mapping[Ref, Ref]) -> None:
        """Request some artifacts at once, each at its place."""
        if not places:
            return
        fields = "\n".join(f"a{index}: {_select(place)}" for index, place in enumerate(places.values()))
        try:
            answer = self._api.post(f"query {{\n{fields}\n}}")
        except NoAnswerError:
            return
        problems = list_at(answer, "errors")
        errors = {str(next(iter(list_at(one, "path")), "")): text_at(one, "type") for one in problems}
        for index, (ref, place) in enumerate(places.items()):
            node, problem = _find_node(value_at(answer, "data", f"a{index}"), place), errors.get(f"a{index}")
            if node is not None:
                if find_present(ref, node) is not None:
                    self._store(ref, "ok", node)
            elif problem in _PRIVATE:
                self._store(ref, "private")
            elif problem == "NOT_FOUND" and ref.kind in {"pull", "issue"}:
                self._missing.append(ref)  # it may have moved
            elif problem == "NOT_FOUND" or (ref.kind in {"file", "folder", "commit"} and problem is None):
                self._store(ref, "gone")

    def _store(self, ref: Ref, status: str, node: object = None) -> None:
        """Record an answer; one that did not change keeps the time of its first look-up."""
        former = self._answers.get(ref.id, {})
        if (former.get("status"), former.get("node")) != (status, node):
            date = self._api.world.now().isoformat(timespec="seconds")
            self._answers[ref.id] = {"node": node, "status": status, "date": date}

    def _find_place(self, ref: Ref) -> Ref | None:
        """Return where the REST API finds a missing number: it follows a move, and GraphQL does not."""
        try:
            data, status = self._api.get(f"repos/{repo_of(ref)}/issues/{dict(ref.attrs).get('number')}")
        except NoAnswerError:
            return None
        if status:
            self._store(ref, status)
            return None
        repo = "/".join(text_at(data, "repository_url").split("/")[-2:])
        return find_artifact(repo, f"issues/{number_at(data, 'number')}")


def _select(ref: Ref) -> str:
    """Return the part of a GraphQL question for one artifact."""
    attrs = dict(ref.attrs)
    number = f"(number: {attrs.get('number')})"
    if ref.kind in {"pull", "issue"}:
        field = f"issueOrPullRequest{number} {{ __typename {_PULL} ... on Issue {{ {_TALK} state }} }}"
    elif ref.kind == "discussion":
        field = f"discussion{number} {{ __typename {_TALK} }}"
    elif ref.kind == "commit":
        field = f"object(expression: {json.dumps(ref.id.rpartition('@')[2])}) {{ __typename {_COMMIT} }}"
    elif ref.kind == "repo":
        field = "__typename nameWithOwner description"
    else:
        field = f"object(expression: {json.dumps('HEAD:' + str(attrs.get('path', '')))}) {{ __typename }}"
    owner, _, name = repo_of(ref).partition("/")
    return f"repository(owner: {json.dumps(owner)}, name: {json.dumps(name)}) {{ {field} }}"


def _find_node(repository: object, ref: Ref) -> object:
    """Return the node of one artifact in the answer for its alias, ``None`` without one."""
    if ref.kind == "repo":
        return repository
    nodes = (value_at(repository, name) for name in ("issueOrPullRequest", "discussion", "object"))
    return next((node for node in nodes if isinstance(node, Mapping)), None)
