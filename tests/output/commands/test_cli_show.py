"""`podgraph show` as a person meets it: folded, whole with --all, and through a pager on a real terminal."""

import io
import os
import subprocess
import sys

import pytest

from podgraph.output.cli import main

pty = pytest.importorskip("pty", reason="there are no terminals of this kind")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def see(sample_file, monkeypatch):
    """Show something on a terminal that is no device: the lines."""

    def run(*words):
        out = Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("TERM", "dumb")
        assert main(["show", *words, "-g", str(sample_file)]) == 0
        return out.getvalue().splitlines()

    return run


def test_an_episode_begins_with_title_facts_and_notes(see):
    lines = see("vmap")
    assert lines[:3] == [
        "vmap",
        "episode · 2021-06-21 · 18? min · number 34 · PyTorch Developer Podcast",
        "https://pytorch-dev-podcast.simplecast.com/episodes/vmap",
    ]
    assert lines[4].startswith("About torch.vmap, which turns")
    assert max(map(len, lines)) <= 80
    assert not any(line.startswith(("id ", "guid", "because", "community")) for line in lines)
    assert "about          functorch; JAX; vmap" in lines
    assert lines[-1].startswith("--all: why each of ")


def test_a_person_without_ties_has_what_they_host(see):
    assert see("Edward Yang")[4:] == ["hosts  PyTorch Developer Podcast", "", "--all: ids, and what else is known"]


@pytest.mark.parametrize("option", ["--all", "-a", "-v"])
def test_all_is_everything(see, option):
    lines = see("vmap", option)
    assert any(line.split() == ["id", "episode:pytorch-developer-podcast/vmap"] for line in lines)
    assert any(line.split()[:1] == ["because"] for line in lines)
    assert not lines[-1].startswith("--all")


def test_episodes_come_the_latest_first_with_day_and_length_and_the_others_counted(see):
    lines = see("podcast:pytorch-developer-podcast")
    named = [line.removeprefix("has episode").strip() for line in lines if line.startswith(("has episode", "     "))]
    assert named[0] == "Compiler collectives (2024-08-04, 17? min)"
    assert named[1:] and named[-1] == f"and {83 - len(named) + 1} more"
    days = [line.rpartition("(")[2][:10] for line in named[:-1]]
    assert days == sorted(days, reverse=True)


def on_a_terminal(sample_file, *words, **environment):
    """Run the command with a terminal for standard output: (status, what was on the screen, standard error)."""
    ours, theirs = pty.openpty()
    known = {name: value for name, value in os.environ.items() if name not in {"PAGER", "LESS", "NO_COLOR"}}
    known |= {"PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm", "COLUMNS": "80", **environment}
    command = [sys.executable, "-m", "podgraph", "show", "vmap", "-g", str(sample_file), *words]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=known) as run:
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not part:
                break
            seen += part
        err = run.stderr.read()
    os.close(ours)
    return run.returncode, seen.decode().replace("\r", ""), err.decode()


LESS = "sh -c 'echo LESS is $LESS; cat >/dev/null'"
PAGED = [
    # options, environment, what is on the screen first, whether the episode is there
    ([], {"PAGER": "sed s/^/PAGED/"}, "PAGED", True),
    (["--no-pager"], {"PAGER": "sed s/^/PAGED/"}, "\x1b[1mvmap", True),
    ([], {"PAGER": LESS}, "LESS is FRX", False),
    ([], {"PAGER": LESS, "LESS": "-S"}, "LESS is -S", False),
    ([], {"PAGER": "true"}, "", False),
    ([], {"PAGER": "cat"}, "\x1b[1mvmap", True),
    ([], {"PAGER": ""}, "\x1b[1mvmap", True),
    ([], {"PAGER": "no-such-pager-here"}, "\x1b[1mvmap", True),
    ([], {"PAGER": "'unclosed"}, "\x1b[1mvmap", True),
    ([], {"PAGER": "sed s/^/PAGED/", "TERM": "dumb"}, "vmap", True),
    (["--json"], {"PAGER": "sed s/^/PAGED/"}, "{", True),
]


@pytest.mark.parametrize(("words", "environment", "first", "whole"), PAGED)
def test_the_pager(sample_file, words, environment, first, whole):
    status, seen, err = on_a_terminal(sample_file, *words, **environment)
    assert (status, err) == (0, "")
    assert seen.startswith(first)
    assert ("turns a function of one example" in seen) == whole


def test_a_pipe_is_never_paged(sample_file):
    command = [sys.executable, "-m", "podgraph", "show", "vmap", "-g", str(sample_file)]
    environment = {**os.environ, "PAGER": "sed s/^/PAGED/", "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run(command, env=environment, capture_output=True, check=True).stdout.startswith(b"vmap\n")
