"""Every command and snippet of the README and the documentation runs, and prints what stands below it.

A page's blocks run in their order, in one folder. Above a block may stand `<!-- file: NAME -->` (it is written there),
`<!-- status: N -->` (of its last command) or `<!-- not run: REASON -->`. What is shown is compared but
for breaks and spaces; `…` stands for anything.
"""

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tables import read_rows

pty = pytest.importorskip("pty", reason="no terminals here: a POSIX system")
pytestmark = pytest.mark.checkout
ROOT = Path(__file__).parent.parent
NOT_OURS = {"made", "contributing.md", "security.md", "changes.md"}  # made from the code; included from elsewhere
PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if not NOT_OURS.intersection(path.parts)
}
# What stands above a block, its language, its text.
BLOCK = re.compile(r"(?:^<!-- ([^\n]+) -->\n)?^```([\w-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Escape sequences of styles and links, and the line of progress.
ESCAPES = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|(?:\r[^\r\n]*)*\r(?=[^\r\n])")
REASONS = ("pip", "network", "other program", "GitHub", "shape", "a package", "Windows", "ci runs it")
TAKEN_APART = {"console", "json", "python", "pycon", "text", ""}


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Where `podgraph` is this checkout's, no network is asked, and a terminal has 100 columns."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "podgraph"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m podgraph "$@"\n', "utf-8")
    command.chmod(0o755)
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT),
        "PODGRAPH_CACHE_DIR": str(tmp_path_factory.mktemp("cache")),
        "https_proxy": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
        "COLUMNS": "100",
        "PAGER": "cat",
        "TERM": "dumb",
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{f"GIT_{who}_{what}": "a@b.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }


# what a block says -> a library that not everybody has
NEEDS = dict(read_rows(__file__, "NEEDS"))


def blocks(text):
    return [(mark or "", kind, body) for mark, kind, body in BLOCK.findall(text)]


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run(page, environment, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("PODGRAPH_CACHE_DIR", "PATH", "PYTHONPATH"):
        monkeypatch.setenv(name, environment[name])
    monkeypatch.syspath_prepend(str(tmp_path))
    environment = {**environment, "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])}
    names = {}
    for mark, kind, body in blocks(PAGES[page].read_text("utf-8")):
        what, _, value = mark.partition(": ")
        for wanted in (library for sign, library in NEEDS.items() if sign in body and what != "not run"):
            pytest.importorskip(wanted, reason=f"no {wanted}: pip install {wanted}")
        if what == "file":
            Path(value).parent.mkdir(parents=True, exist_ok=True)
            Path(value).write_text(body, "utf-8")
            if value == "pyproject.toml":
                install(tomllib.loads(body)["project"])
        elif what in ("not run", "run", "test"):
            continue
        elif kind == "console":
            session(body, environment, int(value) if what == "status" else 0)
        elif kind == "json":
            json.loads(body)
        elif kind == "python":
            exec(compile(body, page, "exec"), names)
        elif kind == "pycon":
            said = []
            test = doctest.DocTestParser().get_doctest(body, names, page, None, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            runner.run(test, out=said.append, clear_globs=False)
            names = test.globs
            assert not said, "".join(said)


@pytest.mark.parametrize("page", PAGES)
def test_each_block_runs_or_says_why_not(page):
    for mark, kind, body in blocks(PAGES[page].read_text("utf-8")):
        what, _, value = mark.partition(": ")
        assert kind in TAKEN_APART or what in ("file", "not run", "run", "test"), body
        assert what != "not run" or value.startswith(REASONS), value


def install(project):
    """Make the entry points of a package in this folder known, as `pip install -e .` does."""
    about = Path(f"{project['name'].replace('-', '_')}-{project['version']}.dist-info")
    about.mkdir()
    (about / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n", "utf-8")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in points.items())
        for group, points in project["entry-points"].items()
    ]
    (about / "entry_points.txt").write_text("\n".join(groups), "utf-8")


def session(body, environment, status):
    """Run the commands of a block, and compare what each prints on a terminal with what stands below it."""
    commands = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    for place, text in enumerate(commands):
        command, expected = cut(text)
        said, code = on_a_terminal(command, environment)
        wanted = status if place == len(commands) - 1 else 0
        assert code == wanted, f"$ {command}\n{said}"
        if expected:
            assert matches(said.splitlines(), expected), f"$ {command}\n{said}"


def cut(text):
    """Return a command, which goes on behind a backslash, and the lines expected of it."""
    lines = text.splitlines()
    end = next(place for place, line in enumerate(lines) if not line.endswith("\\"))
    return "\n".join(lines[: end + 1]), [line.rstrip() for line in lines[end + 1 :] if line.strip()]


def on_a_terminal(command, environment):
    master, slave = pty.openpty()
    process = subprocess.Popen(
        ["bash", "-c", command], env=environment, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave
    )
    os.close(slave)
    said = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # Linux says so where the other end is closed
            break
        if not part:
            break
        said += part
    os.close(master)
    return ESCAPES.sub("", said.decode().replace("\r\n", "\n")), process.wait()


NOTE = "podgraph: "  # so begins what stands on standard error, and is expected only where the page shows any


def matches(said, expected):
    """Tell whether lines are what is expected, but for their breaks and spaces."""
    if not any(line.startswith(NOTE) for line in expected):
        said = [line for line in said if not line.startswith(NOTE)]
    text, pattern = (" ".join(" ".join(lines).split()) for lines in (said, expected))
    return re.fullmatch(re.escape(pattern).replace("…", ".*"), text) is not None
