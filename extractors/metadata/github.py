"""Looks up cited artifacts on GitHub: 100 at a time by GraphQL, or one by one by REST without a token.

Results are cached beside the feeds, each with its time. Unchanged artifacts
(``updatedAt``, entity tags) are not sent again, and a build without network uses the cached results.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..model import Fact
from .asked import Found, repo_of
from .credentials import api_host
from .github_api import NoAnswerError, RefusedError, StoppedError
from .kept import KeptAnswers
from .things import Thing, add_files, at, edges_of, facts_of, is_of, moved, of_graphql, of_rest, text_at

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from ..ref import Ref
    from ..sources.cache import Cache
    from .asked import OfRepo
    from .github_api import Answer, Api

_AT_ONCE = 100
_SPLIT = 25  # things in a question that may still be halved, where a whole one gets no answer
_PAGES = 10  # of the files of one pull request
_SECOND_LOOKS = 20  # at numbers that are not there, for they may have moved to another repository
_REST_CALLS = 60  # an hour, without a token
_LIGHT = "number updatedAt repository { nameWithOwner }"
_TALK = """number title createdAt updatedAt author { login } repository { nameWithOwner }
 labels(first: 20) { nodes { name } }"""
_FRAGMENTS = {
    "P": f"""fragment P on PullRequest {{ {_TALK} state isDraft mergedAt changedFiles mergeCommit {{ oid }}
 files(first: 100) {{ totalCount pageInfo {{ hasNextPage endCursor }} nodes {{ path }} }}
 closingIssuesReferences(first: 20) {{ nodes {{ number repository {{ nameWithOwner }} }} }} }}""",
    "I": f"fragment I on Issue {{ {_TALK} state }}",
    "D": f"fragment D on Discussion {{ {_TALK} }}",
    "C": "fragment C on Commit { oid messageHeadline committedDate author { name user { login } } }",
}
_GONE = frozenset({"NOT_FOUND"})
_PRIVATE = frozenset({"FORBIDDEN", "INSUFFICIENT_SCOPES", "UNAUTHORIZED"})


@dataclass(slots=True)
class Kept:
    """An artifact, and the time of its look-up (ISO 8601)."""

    thing: Thing
    date: str


class GitHub:
    """GitHub's data on the artifacts of a graph: from requests or from the cache."""

    def __init__(self, api: Api, cache: Cache, notify: Callable[[str], None]) -> None:
        self._api = api
        self._notify = notify
        self._source = api_host(api.address)
        self._kept = KeptAnswers(
            cache, f"github:{api.address}", lambda kept: Kept(Thing(**kept["thing"]), str(kept["date"]))
        )
        self._missing: list[Ref] = []

    def look_up(self, repositories: Iterable[OfRepo], *, answered: Collection[str], offline: bool) -> Found:
        """Return GitHub's data; ``answered`` are ids that need no request. ``offline``: only the cache."""
        of = list(repositories)
        refs = {ref.id: ref for repository in of for ref in _things(repository) if ref.id not in answered}
        if refs and not offline:
            self._ask(list(refs.values()))
            self._kept.save(self._api.login.without)
        return self._collect_facts(of, refs)

    def _keep(self, ref: Ref, thing: Thing, date: str) -> None:
        """Record an artifact; one that did not change keeps the time of its first look-up."""
        before = self._kept.get(ref.id)
        if before is None or before.thing != thing:
            self._kept[ref.id] = Kept(thing, date)

    # Asking

    def _ask(self, refs: Sequence[Ref]) -> None:
        """Make all requests and report the number done; known results survive any error."""
        with suppress(StoppedError):
            if self._api.login:
                with suppress(RefusedError):
                    self._by_graphql(refs)
            if not self._api.login:
                self._by_rest(refs)
        self._report(refs)

    def _report(self, refs: Sequence[Ref]) -> None:
        """Report the number of known artifacts and of requests, the last problem, and the gain of a token."""
        known = [self._kept[ref.id].thing.status for ref in refs if ref.id in self._kept]
        statuses = Counter(known)
        rest = "".join(f", {statuses[status]} {status}" for status in ("gone", "private") if statuses[status])
        calls = f"{self._api.calls} request{'s' * (self._api.calls != 1)}"
        self._notify(f"looked up {len(known)} of {len(refs)} things at {self._source} in {calls}{rest}")
        if self._api.stopped:
            self._notify(self._api.stopped)
        elif len(known) < len(refs) and self._api.problem:
            self._notify(f"GitHub gave no answer: {self._api.problem}")
        if not self._api.login and len(known) < len(refs):
            self._notify(
                f"without a token GitHub answers {_REST_CALLS} questions an hour; with GITHUB_TOKEN (it needs no "
                f"rights) all take {math.ceil(len(refs) / _AT_ONCE)}"
            )

    def _by_graphql(self, refs: Sequence[Ref]) -> None:
        """Look up artifacts by GraphQL, 100 in a request.

        The first request asks only for the time of the last change of known artifacts; changed ones get a second, full
        request. Then come the further pages of long file lists, and numbers that may have moved.
        """
        changed: list[Ref] = []
        for batch in _batches(refs, _AT_ONCE):
            # With the full answer in the cache, its entity tag shows whether anything changed.
            is_cached = self._api.is_kept(_query(batch, ()))
            known = [] if is_cached else [ref.id for ref in batch if self._may_be_unchanged(ref)]
            asked = [ref for ref in batch if ref.id not in known or ref.kind != "commit"]  # a commit never changes
            changed += self._batch(asked, frozenset(known))
        for batch in _batches(changed, _AT_ONCE):
            self._batch(batch, frozenset())
        self._list_files([ref for ref in refs if ref.id in self._kept and self._kept[ref.id].thing.cursor])
        for ref in self._missing[:_SECOND_LOOKS]:
            self._look_by_rest(ref)

    def _may_be_unchanged(self, ref: Ref) -> bool:
        """Return whether a question about changes is enough: a cached artifact exists, and shows its last change."""
        kept = self._kept.get(ref.id)
        if kept is None or kept.thing.status != "ok" or ref.kind in {"file", "folder"}:
            return False
        return bool(kept.thing.updated or kept.thing.kind == "commit")

    def _batch(self, batch: Sequence[Ref], light: frozenset[str]) -> list[Ref]:
        """Request some artifacts at once; return the changed ones, which need a full request.

        A request that is too large for the server is halved.
        """
        if not batch:
            return []
        try:
            answer = self._api.ask(_query(batch, light))
        except NoAnswerError:
            if len(batch) <= _SPLIT:
                return []
            half = len(batch) // 2
            return [*self._batch(batch[:half], light), *self._batch(batch[half:], light)]
        changed = []
        refused = _refused(answer.data)
        for place, ref in enumerate(batch):
            node = _node(at(answer.data, "data", f"a{place}"), ref)
            if node is None:
                self._take_refusal(ref, refused.get(f"a{place}", ""), answer)
            elif ref.id in light:
                if text_at(node, "updatedAt") != self._kept[ref.id].thing.updated:
                    changed.append(ref)
            else:
                self._take(ref, of_graphql(node), answer)
        return changed

    def _take(self, ref: Ref, thing: Thing | None, answer: Answer) -> bool:
        """Keep the answer about an artifact. Return false if the answer is about something else."""
        if thing is None or not is_of(thing, ref):
            return False
        before = self._kept.get(ref.id)
        if thing.cursor and before and before.thing.updated == thing.updated and not before.thing.cursor:
            thing.files, thing.cursor = before.thing.files, ""  # the other pages are those of the last time
        self._keep(ref, thing, answer.date)
        return True

    def _take_refusal(self, ref: Ref, kind: str, answer: Answer) -> None:
        """Record an artifact without an answer as private or gone.

        A number that is missing for the first time is only noted: it may have moved to another repository. ``kind`` is
        the type of GraphQL's error.
        """
        if kind in _PRIVATE:
            self._keep(ref, Thing(ref.kind, "private"), answer.date)
        elif kind in _GONE or (ref.kind in {"file", "folder", "commit"} and not kind):
            before = self._kept.get(ref.id)
            if ref.kind in {"pull", "issue"} and not (before and before.thing.status == "gone"):
                self._missing.append(ref)
            elif not (before and before.thing.number and before.thing.repo != repo_of(ref)):
                self._keep(ref, Thing(ref.kind, "gone"), answer.date)

    def _list_files(self, pulls: Sequence[Ref]) -> None:
        """Get the other pages of the files of great pull requests, a page of all at a time."""
        for _ in range(_PAGES):
            pulls = [ref for ref in pulls if self._kept[ref.id].thing.cursor]
            for batch in _batches(pulls, _AT_ONCE):
                cursors = [self._kept[ref.id].thing.cursor for ref in batch]
                try:
                    answer = self._api.ask(_query(batch, (), cursors))
                except NoAnswerError:
                    return
                for place, ref in enumerate(batch):
                    thing = self._kept[ref.id].thing
                    before = thing.cursor
                    add_files(thing, at(answer.data, "data", f"a{place}", "issueOrPullRequest"))
                    thing.cursor = thing.cursor if thing.cursor != before else ""
            if not pulls:
                return

    def _look_by_rest(self, ref: Ref) -> bool:
        """Request one artifact, also in another repository if it moved. Return whether there was an answer."""
        kind = "issue" if ref.kind in {"pull", "issue"} else ref.kind
        repo = repo_of(ref)
        tail = {"issue": f"issues/{dict(ref.attrs).get('number')}", "commit": f"commits/{ref.id.rpartition('@')[2]}"}
        try:
            answer = self._api.see(f"repos/{repo}/{tail.get(kind, '')}".rstrip("/"))
        except NoAnswerError:
            return False
        if answer.data is None:
            self._keep(ref, Thing(ref.kind, "private" if answer.private else "gone"), answer.date)
            return True
        thing = of_rest(kind, answer.data)
        before = self._kept.get(ref.id)
        if thing.kind == "pull" and before and before.thing.updated == thing.updated:
            return True  # the cached result also has the files
        return self._take(ref, thing, answer)

    def _by_rest(self, refs: Sequence[Ref]) -> None:
        """Ask for one thing after the other, those that are not known first, as far as the limit goes."""
        asked = [ref for ref in refs if ref.kind in {"pull", "issue", "commit", "repo"}]
        asked.sort(key=lambda ref: (ref.id in self._kept, ref.kind == "repo"))
        for ref in asked[:_REST_CALLS]:
            self._look_by_rest(ref)

    # Results as facts for the graph

    def _collect_facts(self, repositories: Sequence[OfRepo], refs: Mapping[str, Ref]) -> Found:
        """Return the known data on ``refs`` as facts and edges, with the new addresses in renamed repositories."""
        found = Found()
        renamed: dict[str, str] = {}
        for repository in repositories:
            for ref in _things(repository):
                kept = self._kept.get(ref.id) if ref.id in refs else None
                if kept is None:
                    continue
                signed = (self._source, kept.date)
                found.facts.append(facts_of(ref, kept.thing, signed))
                found.edges += edges_of(ref, kept.thing, repository.paths, signed)
                number = dict(ref.attrs).get("number", 0)
                if kept.thing.repo not in {"", repository.repo} and kept.thing.number == number:
                    renamed[repository.repo] = kept.thing.repo
        for repository in repositories:
            if new := renamed.get(repository.repo):
                found.facts += self._moved(repository, new, {fact.id for fact in found.facts})
        return found

    def _moved(self, repository: OfRepo, new: str, told: set[str]) -> Iterable[Fact]:
        """Yield where the other things of a renamed repository are now."""
        for ref in (*_things(repository), *repository.others):
            if ref.id not in told and (now := moved(ref, repository.repo, new)) is not None:
                yield Fact(ref.id, (("status", "moved"), ("current_url", now.url)), now)


def _things(repository: OfRepo) -> list[Ref]:
    """Return the artifacts of a repository that the API can describe, in the order of ids."""
    own = [repository.own] if repository.own is not None else []
    groups = (repository.numbers, repository.discussions, repository.commits, repository.paths)
    return sorted([*own, *(ref for group in groups for ref in group.values())], key=lambda ref: ref.id)


def _query(batch: Sequence[Ref], light: Iterable[str], cursors: Sequence[str] = ()) -> str:
    """Return the question about some things, ``a0`` the first; of those in ``light`` only whether they changed.

    With ``cursors`` it is one about the next page of the files of each.
    """
    parts, used = [], dict[str, None]()
    few = frozenset(light)
    for place, ref in enumerate(batch):
        owner, _, name = repo_of(ref).partition("/")
        inner, fragments = _selection(ref, light=ref.id in few, after=cursors[place] if cursors else "")
        used |= dict.fromkeys(fragments)
        parts.append(f"a{place}: repository(owner: {_quoted(owner)}, name: {_quoted(name)}) {{ {inner} }}")
    return "\n".join(["query {", *parts, "}", *(_FRAGMENTS[fragment] for fragment in used)])


def _selection(ref: Ref, *, light: bool, after: str) -> tuple[str, tuple[str, ...]]:
    """Return the GraphQL field of a repository for one artifact, and the fragments that it uses."""
    attrs = dict(ref.attrs)
    number = f"number: {attrs.get('number')}"
    if after:
        files = (
            f"files(first: 100, after: {_quoted(after)}) {{ pageInfo {{ hasNextPage endCursor }} nodes {{ path }} }}"
        )
        return f"issueOrPullRequest({number}) {{ ... on PullRequest {{ {files} }} }}", ()
    if ref.kind in {"pull", "issue"}:
        if light:
            kinds = f"... on PullRequest {{ {_LIGHT} }} ... on Issue {{ {_LIGHT} }}"
            return f"issueOrPullRequest({number}) {{ __typename {kinds} }}", ()
        return f"issueOrPullRequest({number}) {{ __typename ...P ...I }}", ("P", "I")
    if ref.kind == "discussion":
        return f"discussion({number}) {{ __typename {_LIGHT if light else '...D'} }}", () if light else ("D",)
    if ref.kind == "commit":
        return f"object(expression: {_quoted(ref.id.rpartition('@')[2])}) {{ __typename ...C }}", ("C",)
    if ref.kind == "repo":
        return "__typename nameWithOwner description updatedAt", ()
    return f"object(expression: {_quoted('HEAD:' + str(attrs.get('path', '')))}) {{ __typename }}", ()


def _batches(refs: Sequence[Ref], size: int) -> Iterator[Sequence[Ref]]:
    for start in range(0, len(refs), size):
        yield refs[start : start + size]


def _quoted(text: str) -> str:
    """Return text as a literal of GraphQL, in the same form as JSON."""
    return json.dumps(text)


def _node(repository: object, ref: Ref) -> object:
    """Return the node of one artifact in the answer for its alias, ``None`` without one."""
    if ref.kind == "repo":
        return repository
    for name in ("issueOrPullRequest", "discussion", "object"):
        node = at(repository, name)
        if isinstance(node, Mapping):
            return node
    return None


def _refused(data: object) -> dict[str, str]:
    """Return the type of the error of each alias that has one."""
    found: dict[str, str] = {}
    errors = at(data, "errors")
    for error in errors if isinstance(errors, list) else ():
        path = at(error, "path")
        if isinstance(path, list) and path and isinstance(path[0], str):
            found[path[0]] = text_at(error, "type") or "UNKNOWN"
    return found
