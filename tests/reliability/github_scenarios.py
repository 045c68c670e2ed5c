"""What GitHub's API does to ``podgraph build --look-up``, and what the user sees of it: one entry is one behaviour."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.extractors.metadata.made_github import DATE, TOKEN, MadeGitHub, pull, talk
from tests.loopback import Call, chunked, head, reply

if TYPE_CHECKING:
    from tests.loopback import Script

CITED = ("https://github.com/o/r/pull/1", "https://github.com/o/r/issues/2")
BOTH = {"o/r#1": pull(), "o/r#2": talk("Issue", 2)}
OK = MadeGitHub(dict(BOTH))
DONE = "looked up 2 of 2 things at 127.0.0.1 in {n} request{s}"
NONE = "looked up 0 of 2 things at 127.0.0.1 in {n} request{s}"
SENSELESS = "GitHub cannot be asked: its answers make no sense, or it fails"
RESET = "1795176300"  # 2026-11-20 12:05 UTC


def done(n: int, what: str = DONE, rest: str = "") -> str:
    return what.format(n=n, s="s" * (n != 1)) + rest


def drip(call: Call) -> None:
    call.send(head(Transfer_Encoding="chunked"))
    call.forever(chunked(b" ", end=b""))


def endless(call: Call) -> None:
    call.send(head(version="1.0"))
    call.forever(b'{"data":' * 1000)


def data(value: Any, **fields: str) -> bytes:
    return reply(200, value if isinstance(value, bytes) else json.dumps(value).encode(), Date=DATE, **fields)


def elsewhere(status: int) -> bytes:
    return reply(status, Location="http://localhost:9/graphql?token=" + TOKEN)


@dataclass(frozen=True)
class Behaviour:
    """What the API answers, one script after the other (the last one stays), what is said, the exit status.

    ``titles`` are those that the graph has then. ``tick`` is how many seconds a look at the clock takes; ``words``
    follow ``build``; ``token`` is that of the user. ``wait``: the seconds slept.
    """

    name: str
    script: Script | list[Script]
    says: tuple[str, ...] | str
    titles: tuple[str, ...] = ("Title of 1", "Title of 2")
    status: int = 0
    token: str = TOKEN
    tick: float = 0
    wait: float = 0
    words: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    first: Script | None = None

    @property
    def lines(self) -> list[str]:
        """Return what is said as lines."""
        return [self.says] if isinstance(self.says, str) else list(self.says)


def made(**things: Any) -> MadeGitHub:
    """Return a GitHub where `a` is pull request 1 and `b` is issue 2, as given or as they are."""
    found = {"o/r#1": things.pop("a", pull()), "o/r#2": things.pop("b", talk("Issue", 2))}
    return MadeGitHub({key: thing for key, thing in found.items() if thing is not None}, **things)


def nulled(alias: str) -> Script:
    """Answer with nothing for one of the things, and no error."""

    def script(call: Call) -> None:
        answer = json.loads(OK.graphql(call).partition(b"\r\n\r\n")[2])
        call.send(data({"data": {**answer["data"], alias: None}}))

    return script


ONE = ("Title of 1",)
NONE_OF_ONE = done(1, NONE)
GONE = reply(410, b"{}", Date=DATE)
BEHAVIOURS = [
    # It answers
    Behaviour("all is well", OK, done(1)),
    Behaviour("gzip", lambda call: call.send(reply(200, gzip.compress(OK.graphql(call).partition(b"\r\n\r\n")[2]), Content_Encoding="gzip", Date=DATE)), done(1)),
    Behaviour("one is not there (NOT_FOUND)", made(b=None), done(2, rest=", 1 gone"), ONE),
    Behaviour("one is forbidden (FORBIDDEN)", made(errors={"o/r#2": "FORBIDDEN"}, b=None), done(1, rest=", 1 private"), ONE),
    Behaviour("one fails (SERVICE_UNAVAILABLE)", made(errors={"o/r#2": "SERVICE_UNAVAILABLE"}, b=None), "looked up 1 of 2 things at 127.0.0.1 in 1 request", ONE),
    Behaviour("one was deleted (410 by REST)", made(b=None, rest={"/repos/o/r/issues/2": GONE}), done(2, rest=", 1 gone"), ONE),
    Behaviour("the repository has another name", made(a=pull(1, "newer/name"), b=talk("Issue", 2, "newer/name")), done(1)),
    Behaviour("an issue was transferred", MadeGitHub({"o/r#1": pull(), "o/other#20": talk("Issue", 20, "o/other", title="Title of 2")}, rest={"/repos/o/r/issues/2": {"number": 20, "repository_url": "x/repos/o/other"}}), done(3)),
    Behaviour("an issue is a pull request", made(b=pull(2)), done(1)),
    Behaviour("no author (a deleted account)", made(a=pull(author=None)), done(1)),
    Behaviour("a title of two megabytes", made(a=pull(title="Title of 1" + " x" * 10**6)), done(1), ("Title of 2",)),
    Behaviour("a title with escapes", made(a=pull(title="Title\x1b[2J of 1")), done(1), ("Title[2J of 1", "Title of 2")),
    Behaviour("another number than asked for", made(b=talk("Issue", 3)), "looked up 1 of 2 things at 127.0.0.1 in 1 request", ONE),
    Behaviour("another kind than asked for", made(b={"__typename": "Blob"}), "looked up 1 of 2 things at 127.0.0.1 in 1 request", ONE),
    Behaviour("data null for one alias, without an error", nulled("a1"), "looked up 1 of 2 things at 127.0.0.1 in 1 request", ONE),
    Behaviour("a title with half a surrogate pair", made(a=pull(title="Title\ud83d of 1")), done(1)),
    Behaviour("a title that holds the token", made(a=pull(title=f"Title {TOKEN} of 1")), done(1), ("Title (token) of 1", "Title of 2")),
    Behaviour("a byte order mark", lambda call: call.send(data(b"\xef\xbb\xbf" + OK.graphql(call).partition(b"\r\n\r\n")[2])), done(1)),
    Behaviour("numbers without end, NaN", lambda call: call.send(data(OK.graphql(call).partition(b"\r\n\r\n")[2].replace(b'"totalCount": 2', b'"totalCount": 1e999').replace(b'"changedFiles": 2', b'"changedFiles": NaN'))), done(1)),
    Behaviour("a number of 10,000 digits", lambda call: call.send(data(OK.graphql(call).partition(b"\r\n\r\n")[2].replace(b'"totalCount": 2', b'"totalCount": ' + b"9" * 10_000))), (done(1, NONE), "GitHub gave no answer: the answer is not JSON"), ()),
    Behaviour("503, then well", [reply(503), OK], done(1)),
    Behaviour("a reset, then well", [Call.reset, OK], done(1)),
    # Limits
    Behaviour("429 with Retry-After: 7", [reply(429, Retry_After="7"), OK], done(1), wait=7),
    Behaviour("403 with Retry-After of forty nines", reply(403, Retry_After="9" * 40), (done(1, NONE), "GitHub's limit is used up; it goes on at 2030-01-20 21:46 UTC, run it again then"), ()),
    Behaviour("403 with Retry-After that is nonsense", reply(403, Retry_After="soon"), (done(1, NONE), "GitHub's limit is used up; it goes on at 2026-11-20 12:01 UTC, run it again then"), ()),
    Behaviour("a reset that is over (their clock is slow)", reply(403, X_RateLimit_Remaining="0", X_RateLimit_Reset="1795100000"), (done(1, NONE), "GitHub's limit is used up; it goes on at 2026-11-20 12:00 UTC, run it again then"), ()),
    Behaviour("403 with Retry-After: 3600", reply(403, Retry_After="3600"), (done(1, NONE), "GitHub's limit is used up; it goes on at 2026-11-20 13:00 UTC, run it again then"), ()),
    Behaviour("403, nothing left until 12:05", reply(403, X_RateLimit_Remaining="0", X_RateLimit_Reset=RESET), (done(1, NONE), "GitHub's limit is used up; it goes on at 2026-11-20 12:05 UTC, run it again then"), ()),
    Behaviour("RATE_LIMITED in a 200", data({"errors": [{"type": "RATE_LIMITED", "message": TOKEN}]}), (done(1, NONE), "GitHub's limit is used up; it goes on at 2026-11-20 12:01 UTC, run it again then"), ()),
    # It does not
    Behaviour("500", reply(500), (done(1, NONE), "GitHub gave no answer: the server answers 500"), ()),
    Behaviour("404 (no GraphQL there)", reply(404), (done(1, NONE), "GitHub gave no answer: the answer holds no data"), ()),
    Behaviour("a body that is not JSON", data(b"<!doctype html>Sign in " + TOKEN.encode()), (done(1, NONE), "GitHub gave no answer: the answer is not JSON"), ()),
    Behaviour("data that is null", data({"data": None}), (done(1, NONE), "GitHub gave no answer: the answer holds no data"), ()),
    Behaviour("JSON of a hundred thousand brackets", data(b"[" * 100_000), (done(1, NONE), "GitHub gave no answer: the answer is not JSON"), ()),
    Behaviour("JSON that is cut off", data(b'{"data": {"a0"'), (done(1, NONE), "GitHub gave no answer: the answer is not JSON"), ()),
    Behaviour("an empty body", reply(200), (done(1, NONE), "GitHub cannot be asked: is empty"), ()),
    Behaviour("a huge body", endless, (done(1, NONE), "GitHub cannot be asked: is larger than 50 MB"), ()),
    Behaviour("a slow drip", drip, (done(1, NONE), "GitHub cannot be asked: does not answer in time, or sends too slowly"), (), tick=2),
    Behaviour("no answer at all", Call.hold, (done(1, NONE), "GitHub cannot be asked: does not answer in time, or sends too slowly"), (), tick=8),
    Behaviour("resets always", Call.reset, (done(1, NONE), "GitHub cannot be asked: breaks the connection"), ()),
    Behaviour("JSON with the token in the text of an error", data({"data": None, "errors": [{"type": TOKEN, "message": TOKEN, "path": [TOKEN]}]}), (done(1, NONE), "GitHub gave no answer: the answer holds no data"), ()),
    Behaviour("no HTTP at all", b"SSH-2.0-x " + TOKEN.encode() + b"\r\n", (done(1, NONE), "GitHub cannot be asked: does not answer in HTTP"), ()),
    Behaviour("an answer that is cut off", lambda call: call.send(reply(200, b'{"data"', Content_Length=500)), (done(1, NONE), "GitHub cannot be asked: is cut off or damaged on its way"), ()),
    Behaviour("a gzip bomb", lambda call: call.send(reply(200, gzip.compress(b" " * 200_000_000), Content_Encoding="gzip")), (done(1, NONE), "GitHub cannot be asked: unpacks to more than 100 times its size"), ()),
    Behaviour("a redirect on the same host (308)", [reply(308, Location="/v2/graphql"), lambda call: call.send(OK.graphql(call))], done(1)),
    Behaviour("a redirect to another host (307)", elsewhere(307), (done(1, NONE), "GitHub cannot be asked: redirects to another server, where nothing is sent"), ()),
    Behaviour("a redirect with the token in it", reply(302, Location="/x?t=" + TOKEN), (done(1, NONE), "GitHub cannot be asked: redirects in a circle or too often, by way of {api}/x?t=(token) (redirected to {api}/x?t=(token))"), ()),
    Behaviour("the token is not accepted", reply(401, TOKEN.encode()), (done(1, NONE), "GitHub does not accept the token of GITHUB_TOKEN"), ()),
    Behaviour("no token", OK, "GitHub is asked only with a token: set GITHUB_TOKEN (it needs no rights), or log in with `gh`", (), token=""),
    # What is known stays
    Behaviour("down, but asked before", Call.reset, (done(1), "GitHub cannot be asked: breaks the connection"), first=OK),
    Behaviour("limited, but asked before", reply(403, Retry_After="3600"), (done(1), "GitHub's limit is used up; it goes on at 2026-11-20 13:00 UTC, run it again then"), first=OK),
    Behaviour("--offline, asked before", Call.reset, (), words=("--offline",), first=OK),
    # What the user says
    Behaviour("a token of two lines", OK, "GITHUB_TOKEN: does not hold a token; check the variable", (), 2, token="ghp_x\nX-Evil: 1"),
    Behaviour("an API by http elsewhere", OK, (done(1, NONE).replace("127.0.0.1", "api.example.com"), "GitHub cannot be asked: is not a secure address, and no login is sent there"), (), environment={"GITHUB_API_URL": "http://api.example.com"}),
    Behaviour("an API whose brackets stand open", OK, (done(1, NONE).replace("127.0.0.1", "GitHub"), "GitHub cannot be asked: is not a valid web address"), (), environment={"GITHUB_API_URL": "http://["}),
    Behaviour("an API that is not an address", OK, (done(1, NONE).replace("127.0.0.1", "GitHub"), "GitHub cannot be asked: is not a web address"), (), environment={"GITHUB_API_URL": "ftp://x"}),
]  # fmt: skip
