"""The table of scenarios, held against the command: what is said, the exit status, what is written."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from podgraph import extractors
from podgraph.extractors import read_sources
from podgraph.extractors.sources.connection import LIMITS
from podgraph.output.cli import main
from tests.loopback import Clock
from tests.reliability.scenarios import SCENARIOS, SECOND, feed, opml

ROUTINE = re.compile(r"podgraph: (?:read .*: \d+ \w+|found .*|wrote .*)")
CUT_OFF = "the feed's end is missing, and perhaps some of its items; fetch it again, it may be cut off"


def build(words, capsys):
    status = main(["build", *words, "-o", "g.json"])
    out, err = capsys.readouterr()
    assert out == ""
    return status, err.splitlines()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_scenario(scenario, server, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        import_module("podgraph.extractors.sources.sources"), "LIMITS", replace(LIMITS, **scenario.limits)
    )
    for name, value in scenario.environment.items():
        monkeypatch.setenv(name, value)
    clock = Clock(scenario.tick)
    world = clock.world()
    monkeypatch.setattr(extractors, "read_sources", partial(read_sources, world=world))
    addresses = {target.strip("/"): server.url(target) for target in ("/start", *scenario.more)}
    for target, script in scenario.more.items():
        server.on(target, script)
    words = [re.sub(r"\{(\w+)\}", lambda found: addresses[found[1]], word) for word in scenario.words]
    (tmp_path / "list.opml").write_bytes(opml(*addresses.values()))
    if scenario.first:
        server.on("/start", scenario.first)
        assert main(["build", addresses["start"], "-q", "-o", "before.json"]) == 0
        capsys.readouterr()
    scripts = scenario.script if isinstance(scenario.script, list) else [scenario.script]
    server.on("/start", *scripts)
    status, lines = build(words, capsys)
    assert all(line.startswith("podgraph: ") for line in lines)
    said = [line.removeprefix("podgraph: ") for line in lines if not ROUTINE.fullmatch(line)]
    for name, address in sorted(addresses.items(), key=lambda pair: -len(pair[1])):
        said = [line.replace(address, f"{{{name}}}") for line in said]
    here = re.compile(rf"(?:http://)?127\.0\.0\.1:{server.port}")
    said = [
        re.sub(r"(snapshot|copy) of [\d-]+( \([\d,]+ days? old\))?", r"\1 of {date}", here.sub("{server}", line))
        for line in said
    ]
    built = any(line.startswith("podgraph: wrote g.json") for line in lines)
    assert (tmp_path / "g.json").exists() == built
    assert (said, status) == (scenario.lines, scenario.status)
    assert built or status == 2


@pytest.mark.parametrize("missing", [60, len("</channel></rss>"), len("</rss>")])
def test_what_is_missing_of_a_feed_is_told_beside_other_warnings(missing, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    broken = "<item><title>A & B</title><pubDate>never</pubDate></item>" * 3 + SECOND
    Path("f.xml").write_bytes(feed(items=broken)[:-missing])
    status, lines = build(("f.xml", "-q"), capsys)
    assert status == 0
    assert [line.rpartition("f.xml: ")[2] for line in lines] == [CUT_OFF]
