"""What GitHub's API does to ``podgraph build --look-up``: what is said, the status, the graph; and never the token.

``github_scenarios.toml`` has a behaviour a line.
"""

from __future__ import annotations

import gzip
import json
import logging
import re
import traceback
from functools import partial

import pytest

from podgraph import extractors
from podgraph.extractors.metadata import credentials
from podgraph.output.cli import main
from tests.extractors.metadata.made_github import DATE, TOKEN, MadeGitHub, pull, talk
from tests.loopback import Call, Clock, chunked, head, read_answers, reply
from tests.tables import read_scenarios

ROUTINE = re.compile(r"(?:read .*: \d+ \w+|found .*|wrote .*)")
FEED = (
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>show</title>'
    "<item><title>One</title><guid>1</guid><itunes:duration>60</itunes:duration><description>"
    "https://github.com/o/r/pull/1 and https://github.com/o/r/issues/2</description></item></channel></rss>"
)
BEHAVIOURS = read_scenarios(__file__, "github_scenarios.toml", TOKEN=TOKEN)


def made(a=pull(), b=talk("Issue", 2), **more):  # noqa: B008
    """Return a GitHub where `a` is pull request 1 and `b` is issue 2, if they are there."""
    return MadeGitHub({key: thing for key, thing in (("o/r#1", a), ("o/r#2", b)) if thing is not None}, **more)


OK = made()


def body_of(call):
    return OK.graphql(call).partition(b"\r\n\r\n")[2]


def data(body):
    return reply(200, body, Date=DATE)


def change(old, new):
    """Answer well, with other bytes in the place of some."""
    return lambda call: call.send(data(body_of(call).replace(old, new)))


def drip(call):
    call.send(head(Transfer_Encoding="chunked"))
    call.forever(chunked(b" ", end=b""))


def endless(call):
    call.send(head(version="1.0"))
    call.forever(b'{"data":' * 1000)


def give_nothing(call):
    """Answer with nothing for one of the things, and no error."""
    answer = json.loads(body_of(call))
    answer["data"]["a1"] = None
    call.send(data(json.dumps(answer).encode()))


TRANSFERRED = {"o/r#1": pull(), "o/other#20": talk("Issue", 20, "o/other", title="Title of 2")}
SCRIPTS = {
    "ok": OK, "reset": Call.reset, "hold": Call.hold, "graphql": lambda call: call.send(OK.graphql(call)),
    "gzip": lambda call: call.send(reply(200, gzip.compress(body_of(call)), Content_Encoding="gzip", Date=DATE)),
    "one is not there (NOT_FOUND)": made(b=None),
    "one is forbidden (FORBIDDEN)": made(errors={"o/r#2": "FORBIDDEN"}, b=None),
    "one fails (SERVICE_UNAVAILABLE)": made(errors={"o/r#2": "SERVICE_UNAVAILABLE"}, b=None),
    "one was deleted (410 by REST)": made(b=None, rest={"/repos/o/r/issues/2": reply(410, b"{}", Date=DATE)}),
    "the repository has another name": made(pull(1, "newer/name"), talk("Issue", 2, "newer/name")),
    "an issue was transferred": MadeGitHub(TRANSFERRED, rest={"/repos/o/r/issues/2": {"number": 20, "repository_url": "x/repos/o/other"}}),
    "an issue is a pull request": made(b=pull(2)),
    "no author (a deleted account)": made(pull(author=None)),
    "a title of two megabytes": made(pull(title="Title of 1" + " x" * 10**6)),
    "a title with escapes": made(pull(title="Title\x1b[2J of 1")),
    "another number than asked for": made(b=talk("Issue", 3)),
    "another kind than asked for": made(b={"__typename": "Blob"}),
    "data null for one alias, without an error": give_nothing,
    "a title with half a surrogate pair": made(pull(title="Title\ud83d of 1")),
    "a title that holds the token": made(pull(title=f"Title {TOKEN} of 1")),
    "a byte order mark": lambda call: call.send(data(b"\xef\xbb\xbf" + body_of(call))),
    "a number without end": change(b'"totalCount": 2', b'"totalCount": 1e999'),
    "NaN": change(b'"changedFiles": 2', b'"changedFiles": NaN'),
    "a number of 10,000 digits": change(b'"totalCount": 2', b'"totalCount": ' + b"9" * 10_000),
    "JSON of a hundred thousand brackets": data(b"[" * 100_000),
    "a huge body": endless,
    "a slow drip": drip,
    "no HTTP at all": b"SSH-2.0-x " + TOKEN.encode() + b"\r\n",
    "a gzip bomb": reply(200, gzip.compress(b" " * 200_000_000), Content_Encoding="gzip"),
}  # fmt: skip


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_behaviour(name, server, tmp_path, monkeypatch, capsys, caplog):
    one = BEHAVIOURS[name]
    monkeypatch.setattr(credentials, "_ask_gh", lambda _host: "")
    monkeypatch.setenv("GITHUB_API_URL", server.url(""))
    caplog.set_level(logging.DEBUG)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.xml").write_text(FEED)
    clock = Clock(one.tick)
    monkeypatch.setattr(extractors, "look_up_metadata", partial(extractors.look_up_metadata, world=clock.world()))
    monkeypatch.setenv("PODGRAPH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("GITHUB_TOKEN", one.token)
    if one.is_known:
        server.on("*", OK)
        assert main(["build", "feed.xml", "--look-up", "-q", "-o", "before.json"]) == 0
        capsys.readouterr()
    for variable, value in one.environment.items():
        monkeypatch.setenv(variable, value)
    server.on("*", *read_answers(one.answers, SCRIPTS))
    status = main(["build", "feed.xml", "--look-up", "-o", "g.json", *one.words])
    out, err = capsys.readouterr()
    said = [line.removeprefix("podgraph: ").replace(server.url(""), "{api}") for line in err.splitlines()]
    assert [line for line in said if not ROUTINE.fullmatch(line)] == one.says
    assert (status, out) == (one.status, "")
    assert (tmp_path / "g.json").exists() == (status == 0)
    if status == 0:
        nodes = json.loads((tmp_path / "g.json").read_text("utf-8"))["nodes"]
        titles = [node["title"] for node in nodes if node["kind"] in ("pull", "issue") and "title" in node]
        assert sorted(title for title in titles if len(title) < 400) == sorted(one.titles)
    assert sum(clock.slept) == pytest.approx(one.wait, abs=1)
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert TOKEN.encode() not in files
    assert TOKEN not in err + caplog.text


def test_the_token_is_in_no_traceback(server, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv("GITHUB_API_URL", server.url(""))
    (tmp_path / "feed.xml").write_text(FEED)

    def fail(*_args, **_more):
        raise RuntimeError("something of ours")

    monkeypatch.setattr("podgraph.extractors.metadata.github_api.fetch_url", fail)
    with pytest.raises(RuntimeError) as error:
        main(["build", "feed.xml", "--look-up", "--debug", "-o", "g.json"])
    assert TOKEN not in "".join(traceback.format_exception(error.value))
    assert main(["build", "feed.xml", "--look-up", "-o", "g.json"]) == 2
    assert TOKEN not in capsys.readouterr().err
