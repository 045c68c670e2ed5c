"""Killed, interrupted, without room, without streams, two at once: the last good graph is readable every time."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from podgraph.extractors.sources.cache import Cache, Fetched
from podgraph.output.cli import main
from tests.reliability.forks import Run
from tests.reliability.test_scenarios import feed
from tests.tables import read_rows, read_table, read_toml

SUFFIXES = ("json", "gexf", "sqlite", "html")
WORDS = ("build", "feed.xml", "--force", *(word for suffix in SUFFIXES for word in ("-o", f"g.{suffix}")))


@pytest.fixture(scope="module")
def before(forks, tmp_path_factory):
    """A folder with a graph, and a feed that has changed since; and how many calls the next build makes."""
    folder = tmp_path_factory.mktemp("before")
    (folder / "feed.xml").write_bytes(feed("yesterday"))
    assert forks.run(*WORDS, folder=folder).status == 0
    (folder / "feed.xml").write_bytes(feed("today"))
    trial = tmp_path_factory.mktemp("trial") / "t"
    shutil.copytree(folder, trial)
    measured = forks.run(*WORDS, folder=trial, measure=True)
    assert measured.status == 0
    return folder, content(trial), measured


@pytest.fixture
def here(before, tmp_path):
    return shutil.copytree(before[0], tmp_path / "here")


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith("g.")}


def find_moments(measured, count, seed):
    """Return moments of a build, half of them while it writes."""
    chance = random.Random(seed)
    spans = [(1, measured.calls), measured.writing]
    return sorted(chance.randrange(*spans[place % 2]) for place in range(count))


@pytest.mark.parametrize(("number", "count", "seed"), [(signal.SIGKILL, 60, 8), (signal.SIGINT, 30, 130)])
def test_ended_at_any_moment_the_last_good_graph_is_there(before, forks, tmp_path, number, count, seed):
    folder, new, measured = before
    old = content(folder)
    for place, moment in enumerate(find_moments(measured, count, seed)):
        here = shutil.copytree(folder, tmp_path / str(place))
        ran = forks.run(*WORDS, folder=here, signal=number, moment=moment)
        now, names = content(here), {path.name for path in here.iterdir()}
        assert now.keys() == old.keys()
        assert all(data in (old[name], new[name]) for name, data in now.items()), moment
        if number == signal.SIGKILL:
            assert ran.status == -number
        else:
            # The last moments come when everything is written.
            assert ran.status == 130 or (ran.status == 0 and now == new), (moment, ran)
            if "Exception ignored in" not in ran.err:  # Python itself prints and drops what a finalizer raises
                assert all(line.startswith("podgraph: ") for line in ran.lines), (moment, ran.err)
            assert names == {"feed.xml", *new}, "no litter"
        if number == signal.SIGKILL and place % 6 == 0:
            assert main(["stats", "-q", "-g", str(here / "g.json")]) == 0
            for litter in here.glob(".podgraph-*.tmp"):
                os.utime(litter, (0, 0))
            assert forks.run(*WORDS, folder=here).status == 0
            assert content(here) == new, "the next build writes everything"
            assert {path.name for path in here.iterdir()} == {"feed.xml", *new}, "and clears the litter"


def test_two_builds_at_once_leave_the_graph_of_one(before, forks, tmp_path):
    folder, new, _ = before
    for number in range(3):
        here = tmp_path / str(number)
        shutil.copytree(folder, here)
        for ran in forks.together(*[Run(list(WORDS), str(here)) for _ in range(3)]):
            assert ran.status == 0
        assert content(here) == new
        assert {path.name for path in here.iterdir()} == {"feed.xml", *new}


# what is scarce -> the possible statuses, and the line of status 2
SCARCE = dict(read_rows(__file__, "SCARCE"))


@pytest.mark.parametrize("scarce", SCARCE, ids=str)
def test_with_little_of_something_it_is_done_or_one_line(here, forks, scarce):
    (here / "feed.xml").write_bytes(feed("much", "".join(f"<item><title>t{n}</title></item>" for n in range(200))))
    old, (statuses, line) = content(here), SCARCE[scarce]
    ran = forks.run("build", "feed.xml", "-q", "--force", "-o", "g.json", folder=here, limits=dict([scarce]))
    assert ran.status in statuses
    assert ran.lines == ([f"podgraph: {line}"] if ran.status else [])
    assert (content(here) == old) == (ran.status == 2)


ADVICE = "\n\nIMPORTANT: a page of advice\n\nOriginal error was: x.so: failed to map\n"
BROKEN = [
    (MemoryError(), "there is not enough memory for this; narrow the sources\n"),
    (
        ImportError(ADVICE),
        "a library cannot be loaded (Original error was: x.so: failed to map); install podgraph anew, or ",
    ),
    (ZeroDivisionError("a\x1b[31m bug\nin two lines"), "this should not happen: "),
]


@pytest.mark.parametrize(("error", "says"), BROKEN, ids=lambda value: type(value).__name__)
def test_what_ends_a_command_is_one_line(monkeypatch, capsys, error, says):
    def fail(*_):
        raise error

    monkeypatch.setattr("podgraph.output.cli._run_question", fail)
    assert main(["stats"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"podgraph: {says}"), err
    assert (err.count("\n"), "\x1b" in err, "--debug" in err) == (1, False, isinstance(error, ZeroDivisionError))
    with pytest.raises(type(error)):
        main(["stats", "--debug"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full: run on Linux")
@pytest.mark.parametrize("words", ["--help", "--version", "build --help"])
def test_a_full_standard_output_is_one_line(words):
    command = [sys.executable, "-m", "podgraph.output.cli", *words.split()]
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    told = "podgraph: standard output cannot be written: No space left on device; check where it leads\n"
    assert (ran.returncode, ran.stderr) == (2, told)


DAMAGE = {
    "empty": lambda _: b"",
    "cut": lambda data: data[: len(data) // 2],
    "changed": lambda data: data[:-9] + b"\0" + data[-8:],
    "of another program": lambda _: b"PK\3\4" * 99,
    "of endless numbers": lambda _: b"podgraph cache 1 " + b"9" * 300_000,
}
# What is left of a file by which it is known for ours; without that it might be a user's own.
RECOGNISED = {"empty", "cut", "changed"}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_old_graph_is_replaced_where_it_is_known_for_ours_and_a_question_to_it_is_one_line(
    tmp_path, monkeypatch, capsys, damage
):
    monkeypatch.chdir(tmp_path)
    Path("feed.xml").write_bytes(feed())
    words = ["build", "feed.xml", "-q", *(word for suffix in SUFFIXES[:3] for word in ("-o", f"g.{suffix}"))]
    assert main(words) == 0
    good = content(tmp_path)
    for name, data in good.items():
        Path(name).write_bytes(DAMAGE[damage](data))
        if name != "g.sqlite" or damage != "changed":  # there a byte may be one that nothing reads
            assert main(["stats", "-g", name]) == 2
            assert capsys.readouterr().err.count("\n") == 1
    if damage not in RECOGNISED:
        damaged = content(tmp_path)
        assert main(words) == 2
        assert capsys.readouterr().err.count("replace it with --force") == 1
        assert content(tmp_path) == damaged
        words.append("--force")
    assert main(words) == 0
    assert content(tmp_path) == good


@pytest.mark.parametrize("year", [1901, 2039, 9998])
def test_a_wrong_clock_loses_no_copy(tmp_path, year):
    written = datetime(year, 1, 1, tzinfo=UTC)
    cache = Cache(tmp_path)
    cache.store("https://a.example/f", Fetched(b"<rss/>", "https://a.example/f", fetched_at=written))
    for path in tmp_path.iterdir():
        os.utime(path, (written.timestamp(), written.timestamp()))
    assert cache.read_copy("https://a.example/f").data == b"<rss/>"


@pytest.mark.parametrize(("words", "closed", "status", "says"), read_table(__file__, "streams.txt"))
def test_without_streams(before, here, forks, words, closed, status, says):
    is_build = words == "WORDS"
    words = WORDS if is_build else words.split()
    if words[0] == "mcp":
        pytest.importorskip("mcp", reason="no mcp (pip install 'podgraph[mcp]')")
    ran = forks.run(*words, folder=here, closed=[*map(int, closed.split())])
    assert ran.status == int(status)
    assert says == "-" or says in ran.err
    assert len(ran.lines) <= 1 or is_build
    assert "wrote" not in ran.out, "what is for standard error does not go elsewhere"
    if is_build:
        assert content(here) == before[1]


@pytest.mark.parametrize("variables", read_toml(__file__, "places.toml").values(), ids=str)
def test_in_odd_places(here, variables):
    (here / "feed.xml").write_bytes(feed("\N{SNOWMAN} é"))
    environment = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "SYSTEMROOT") if name in os.environ}
    environment |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **variables}
    for words in (["build", "feed.xml", "--force", "-o", "g.json"], ["list", "episodes", "-g", "g.json"]):
        ran = subprocess.run(
            [sys.executable, "-m", "podgraph.output.cli", *words], check=False, cwd=here, env=environment, capture_output=True, stdin=subprocess.DEVNULL
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        assert "\N{SNOWMAN} é" in (ran.stdout + ran.stderr).decode("utf-8")
    assert json.loads((here / "g.json").read_bytes())["nodes"]


def test_a_pipe_that_closes_is_quiet(before):
    ran = subprocess.Popen(
        [sys.executable, "-m", "podgraph.output.cli", "list", "episodes", "-g", str(before[0] / "g.json")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    ran.stdout.close()
    assert ran.stderr.read() == b""
    assert ran.wait() == 0
    ran.stderr.close()


NOWHERE = ["no/such/g.json", "/proc/g.json", "feed.xml/g.json", ".", "x" * 300 + ".json", "a\n\x1b[2J/g.json"]


@pytest.mark.parametrize("target", NOWHERE)
def test_where_nothing_can_be_written(forks, tmp_path, target):
    (tmp_path / "feed.xml").write_bytes(feed())
    ran = forks.run("build", "feed.xml", "-q", "--force", "-o", target, folder=tmp_path)
    assert (ran.status, len(ran.lines)) == (2, 1)
    assert "should not happen" not in ran.err
    assert ran.err.rstrip("\n").isprintable()
    assert {path.name for path in tmp_path.iterdir()} == {"feed.xml"}


def test_a_working_folder_that_is_gone(tmp_path, monkeypatch, capsys):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["build", "sample"]) == 2
    assert capsys.readouterr().err == "podgraph: the working folder is gone; change to another one\n"
