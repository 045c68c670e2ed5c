"""Looks up cited artifacts on GitHub, 50 in a request by GraphQL; a build without network uses the stored answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from ..url import host_of
from .answers import StoredAnswers
from .artifacts import Metadata, describe, find_artifact, find_repo
from .github_api import NoAnswerError, StoppedError
from .github_nodes import find_present, list_at, number_at, read_node, repo_at, text_at, value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from ..ref import Ref
    from ..sources.cache import Cache
    from .artifacts import RepositoryArtifacts
    from .github_api import Api

_BATCH_SIZE = 50  # artifacts in one request
_MAXIMUM_MISSING = 20  # missing numbers that are looked up again, because they may have moved to another repository
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
        """Prepare look-ups with the ``api``. Answers are stored in ``cache``; ``notify`` gets lines for the user."""
        self._api = api
        self._notify = notify
        self._source = host_of(api.address).partition(":")[0] or "GitHub"
        # id -> the node of the answer, the status (ok, gone or private), and the time of the answer (ISO 8601)
        self._answers = StoredAnswers(cache, f"github:{api.address}")
        self._missing: list[Ref] = []

    def look_up(self, repositories: Iterable[RepositoryArtifacts], *, skip: Collection[str], offline: bool) -> Metadata:
        """Return GitHub's data on the artifacts of some repositories, from new or stored answers.

        Without a token no request is sent. Each artifact without any answer is left out.

        Args:
            repositories: the artifacts
            skip: the ids of artifacts to leave out, because a clone has them
            offline: use stored answers only
        """
        requests = [(repository, ref) for repository in repositories for ref in repository.refs if ref.id not in skip]
        if requests and not offline and self._api.login.token:
            self._request_all([ref for _, ref in requests])
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

    def _request_all(self, refs: Sequence[Ref]) -> None:
        """Request the data of artifacts, store it, and report the numbers to the user; no error ends the work."""
        with suppress(StoppedError):
            for start in range(0, len(refs), _BATCH_SIZE):
                self._request_and_store({ref: ref for ref in refs[start : start + _BATCH_SIZE]})
            places = {ref: place for ref in self._missing[:_MAXIMUM_MISSING] if (place := self._find_moved(ref))}
            self._request_and_store(places)
        statuses = Counter(self._answers[ref.id]["status"] for ref in refs if ref.id in self._answers)
        rest = "".join(f", {statuses[status]} {status}" for status in ("gone", "private") if statuses[status])
        calls = f"{self._api.calls} request{'s' * (self._api.calls != 1)}"
        count = statuses.total()
        self._notify(f"looked up {count} of {len(refs)} things at {self._source} in {calls}{rest}")
        if self._api.stopped:
            self._notify(self._api.stopped)
        elif count < len(refs) and self._api.problem:
            self._notify(f"GitHub gave no answer: {self._api.problem}")

    def _request_and_store(self, places: Mapping[Ref, Ref]) -> None:
        """Request the data of some artifacts in one GraphQL query, and store the answers.

        ``places`` is {artifact: its present identity, by which GitHub is asked}. Pull requests and issues that are not
        found are added to ``_missing``, because they may have moved to another repository. An artifact for which GitHub
        gives any other error is not stored, so a later build asks again.
        """
        if not places:
            return
        # Each artifact has an alias in the query: a0, a1, …
        fields = "\n".join(f"a{index}: {_make_query(place)}" for index, place in enumerate(places.values()))
        try:
            answer = self._api.post(f"query {{\n{fields}\n}}")
        except NoAnswerError:
            return
        problems = list_at(answer, "errors")
        errors = {str(next(iter(list_at(problem, "path")), "")): text_at(problem, "type") for problem in problems}
        for index, (ref, place) in enumerate(places.items()):
            node, error = _find_node(value_at(answer, "data", f"a{index}"), place), errors.get(f"a{index}")
            if node is not None:
                if find_present(ref, node) is not None:
                    self._store(ref, "ok", node)
            elif error in _PRIVATE:
                self._store(ref, "private")
            elif error == "NOT_FOUND" and ref.kind in {"pull", "issue"}:
                self._missing.append(ref)
            elif error == "NOT_FOUND" or (ref.kind in {"file", "folder", "commit"} and error is None):
                # A missing object of a repository is not an error of GraphQL.
                self._store(ref, "gone")

    def _store(self, ref: Ref, status: str, node: object = None) -> None:
        """Store the answer for an artifact, with the present time; an answer that did not change keeps its first time.

        Args:
            ref: the artifact as cited
            status: ``ok``, ``gone`` or ``private``
            node: GitHub's answer, as JSON; ``None``: there is none
        """
        former = self._answers.get(ref.id, {})
        if (former.get("status"), former.get("node")) != (status, node):
            date = self._api.world.now().isoformat(timespec="seconds")
            self._answers[ref.id] = {"node": node, "status": status, "date": date}

    def _find_moved(self, ref: Ref) -> Ref | None:
        """Return the present identity of an issue or pull request that GraphQL does not find; ``None`` without one.

        The REST API follows a move to another repository; GraphQL does not. A number that is gone or private for the
        REST API, too, is stored as such.
        """
        try:
            data, status = self._api.get(f"repos/{find_repo(ref)}/issues/{dict(ref.attrs).get('number')}")
        except NoAnswerError:
            return None
        if status:
            self._store(ref, status)
            return None
        repo = "/".join(text_at(data, "repository_url").split("/")[-2:])  # …/repos/owner/name
        return find_artifact(repo, f"issues/{number_at(data, 'number')}")


def _make_query(ref: Ref) -> str:
    """Return the part of a GraphQL query that asks for one artifact: ``repository(…) { … }``."""
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
    owner, _, name = find_repo(ref).partition("/")
    return f"repository(owner: {json.dumps(owner)}, name: {json.dumps(name)}) {{ {field} }}"


def _find_node(repository: object, ref: Ref) -> object:
    """Return GitHub's answer about one artifact, ``None`` without one.

    ``repository`` is the answer for the artifact's alias in the query: the repository, with one field for the artifact.
    """
    if ref.kind == "repo":
        return repository
    nodes = (value_at(repository, name) for name in ("issueOrPullRequest", "discussion", "object"))
    return next((node for node in nodes if isinstance(node, Mapping)), None)
