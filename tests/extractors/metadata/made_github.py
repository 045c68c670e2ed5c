"""A GitHub of our own: it answers GraphQL and REST of a table of things, as a loopback server's script."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.loopback import reply

if TYPE_CHECKING:
    from tests.loopback import Call

TOKEN = "ghp_secretsecretsecretsecretsecret0000"
DATE = "Fri, 20 Nov 2026 11:00:00 GMT"
# `a0: repository(owner: "o", name: "r") { issueOrPullRequest(number: 1) …`
_ALIAS = re.compile(
    r'(a\d+): repository\(owner: "([^"]+)", name: "([^"]+)"\) \{ (\w+)(?:\((\w+): ("[^"]*"|\d+)\))?( \{ [^\n]*)?'
)


def talk(kind: str = "PullRequest", number: int = 1, repo: str = "o/r", **more: Any) -> dict[str, Any]:
    """Return what GraphQL says of a pull request, issue or discussion."""
    return {
        "__typename": kind, "number": number, "title": f"Title of {number}", "state": "OPEN", "isDraft": False,
        "createdAt": "2024-01-02T03:04:05Z", "updatedAt": "2024-05-06T07:08:09Z", "mergedAt": None,
        "author": {"login": "Ann"}, "repository": {"nameWithOwner": repo}, "labels": {"nodes": [{"name": "bug"}]},
        **more,
    }  # fmt: skip


def pull(number: int = 1, repo: str = "o/r", files: int = 2, **more: Any) -> dict[str, Any]:
    paths = [{"path": f"src/f{n}.py"} for n in range(files)]
    return talk(
        "PullRequest", number, repo, state="MERGED", mergedAt="2024-02-03T04:05:06Z", mergeCommit={"oid": "a" * 40},
        changedFiles=files, files={"totalCount": files, "nodes": paths},
        closingIssuesReferences={"nodes": [{"number": 900, "repository": {"nameWithOwner": repo}}]},
    ) | more  # fmt: skip


@dataclass
class MadeGitHub:
    """``things`` maps `o/r#1`, `o/r@sha`, `o/r:path`, `o/r/discussions/1` or `o/r` to what GraphQL says of it.

    ``errors`` maps the same to the type of an error. ``rest`` maps paths to data, or to a whole answer. ``asked`` are the
    things of each question.
    """

    things: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    rest: dict[str, Any] = field(default_factory=dict)
    asked: list[list[str]] = field(default_factory=list)

    def __call__(self, call: Call) -> None:
        if call.headers.get("authorization") not in {f"bearer {TOKEN}", None}:
            call.send(reply(401, b"{}"))
        elif call.target == "/graphql":
            call.send(self.graphql(call))
        else:
            found = self.rest.get(call.target)
            given = (
                found
                if isinstance(found, bytes)
                else reply(404 if found is None else 200, json.dumps(found).encode(), Date=DATE)
            )
            call.send(given)

    def graphql(self, call: Call) -> bytes:
        query = json.loads(call.body)["query"]
        data, errors, names = {}, [], []
        for alias, owner, name, what, _, value, _ in _ALIAS.findall(query):
            home = f"{owner}/{name}"
            key = home
            if what in {"issueOrPullRequest", "discussion"}:
                key = f"{home}#{value}" if what == "issueOrPullRequest" else f"{home}/discussions/{value}"
            elif what == "object":
                text = json.loads(value)
                key = f"{home}:{text.removeprefix('HEAD:')}" if text.startswith("HEAD:") else f"{home}@{text}"
            names.append(key)
            thing = self.things.get(key)
            if kind := self.errors.get(key):
                errors.append({"type": kind, "path": [alias, what], "message": f"bad {TOKEN}"})
            elif thing is None and what != "object":
                errors.append({"type": "NOT_FOUND", "path": [alias, what], "message": "Could not resolve"})
            if key == home:
                data[alias] = thing
            else:
                data[alias] = {"nameWithOwner": home, what: thing}
        self.asked.append(names)
        body = json.dumps({"data": data, **({"errors": errors} if errors else {})}).encode()
        return reply(200, body, Date=DATE)
