"""The table of what GitHub does, held against the command: what is said, the status, the graph; and never the token."""

from __future__ import annotations

import json
import logging
import re
import traceback
from functools import partial

import pytest

from podgraph import extractors
from podgraph.extractors.metadata import credentials
from podgraph.output.cli import main
from tests.extractors.metadata.made_github import TOKEN
from tests.loopback import Clock
from tests.reliability.github_scenarios import BEHAVIOURS, CITED

ROUTINE = re.compile(r"(?:read .*: \d+ \w+|found .*|wrote .*)")
FEED = (
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>show</title>'
    "<item><title>One</title><guid>1</guid><itunes:duration>60</itunes:duration><description>"
    + " and ".join(CITED)
    + "</description></item></channel></rss>"
)


@pytest.mark.parametrize("one", BEHAVIOURS, ids=lambda one: one.name)
def test_behaviour(one, server, tmp_path, monkeypatch, capsys, caplog):
    monkeypatch.setattr(credentials, "_ask_gh", lambda _host: "")
    monkeypatch.setenv("GITHUB_API_URL", server.url(""))
    caplog.set_level(logging.DEBUG)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PODGRAPH_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "feed.xml").write_text(FEED)
    clock = Clock(one.tick)
    world = clock.world()
    monkeypatch.setattr(extractors, "look_up_metadata", partial(extractors.look_up_metadata, world=world))
    if one.token:
        monkeypatch.setenv("GITHUB_TOKEN", one.token)
    if one.first:
        server.on("*", one.first)
        assert main(["build", "feed.xml", "--look-up", "-q", "-o", "before.json"]) == 0
        capsys.readouterr()
    for name, value in one.environment.items():
        monkeypatch.setenv(name, value)
    server.on("*", *(one.script if isinstance(one.script, list) else [one.script]))
    status = main(["build", "feed.xml", "--look-up", "-o", "g.json", *one.words])
    out, err = capsys.readouterr()
    said = [line.removeprefix("podgraph: ").replace(server.url(""), "{api}") for line in err.splitlines()]
    assert [line for line in said if not ROUTINE.fullmatch(line)] == one.lines
    assert (status, out) == (one.status, "")
    assert (tmp_path / "g.json").exists() == (status == 0)
    if status == 0:
        nodes = json.loads((tmp_path / "g.json").read_text("utf-8"))["nodes"]
        titles = [node["title"] for node in nodes if node["kind"] in ("pull", "issue") and "title" in node]
        assert sorted(title for title in titles if len(title) < 400) == sorted(one.titles)
    assert sum(clock.slept) == pytest.approx(one.wait, abs=1)
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert TOKEN.encode() not in written
    assert TOKEN not in err + caplog.text


def test_the_token_is_in_no_traceback(server, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv("GITHUB_API_URL", server.url(""))
    (tmp_path / "feed.xml").write_text(FEED)

    def broken(*_args, **_named):
        raise RuntimeError("something of ours")

    monkeypatch.setattr("podgraph.extractors.metadata.github_api.fetch_url", broken)
    with pytest.raises(RuntimeError) as error:
        main(["build", "feed.xml", "--look-up", "--debug", "-o", "g.json"])
    assert TOKEN not in "".join(traceback.format_exception(error.value))
    assert main(["build", "feed.xml", "--look-up", "-o", "g.json"]) == 2
    assert TOKEN not in capsys.readouterr().err
