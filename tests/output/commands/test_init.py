"""`podgraph init`, and the scripts of the workflow that it writes, run in a fresh repository with a feed on the disk."""

import os
import pty
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from podgraph.output.cli import main
from podgraph.output.commands.init import CONSTRAINTS, WORKFLOW
from tests.tables import read_rows

ROOT = Path(__file__).parents[3]
FEED = """<rss version="2.0"><channel><title>Kiln hours</title>{}</channel></rss>"""
ITEM = """<item><title>{0}</title><guid>{0}</guid><enclosure url="https://kiln.example/{0}.mp3" type="audio/mpeg"/>
<description>On {0}: https://github.com/clay/kiln/pull/12</description></item>"""


@pytest.fixture
def show(tmp_path, monkeypatch):
    """A folder with a feed of one episode, to work in."""
    folder = tmp_path / "show"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "feed.xml").write_text(FEED.format(ITEM.format("Glazes")), "utf-8")
    return folder


def test_it_writes_settings_that_build_takes(show, capsys):
    assert main(["init", "feed.xml", "--title", 'The "map"']) == 0
    found = tomllib.loads((show / "podgraph.toml").read_text("utf-8"))
    assert found == {"sources": ["feed.xml"], "title": 'The "map"', "corrections": {}}
    assert "wrote .github/workflows/podgraph.yml" in (said := capsys.readouterr().err)
    assert "Settings > Pages" in said
    assert main(["build", "-q"]) == 0
    assert {path.name for path in show.glob("podgraph.*")} == {"podgraph.toml", "podgraph.html", "podgraph.sqlite"}


@pytest.mark.parametrize("name", ["podgraph.toml", ".github"])
def test_it_does_not_follow_a_dangling_link_out_of_the_folder(show, capsys, name):
    outside = show.parent / "outside"
    (show / name).symlink_to(outside)
    assert main(["init", "feed.xml", "--force"]) == 2
    assert "is a link out of this folder" in capsys.readouterr().err
    assert not outside.exists()


@pytest.mark.parametrize(("words", "said"), read_rows(__file__, "REFUSED"))
def test_what_will_not_do_writes_nothing(show, capsys, words, said):
    (show.parent / "elsewhere.xml").write_text(FEED.format(""), "utf-8")
    assert main(["init", *words]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in show.iterdir()] == ["feed.xml"]


@pytest.mark.parametrize("there", ["podgraph.toml", WORKFLOW.as_posix(), CONSTRAINTS.as_posix()])
def test_what_is_there_stays_without_force(show, capsys, there):
    path = show / there
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# mine\n", "utf-8")
    assert main(["init", "feed.xml"]) == 2
    assert f"{there}: is there already; --force replaces it" in capsys.readouterr().err
    assert path.read_text("utf-8") == "# mine\n"
    assert main(["init", "feed.xml", "--force"]) == 0
    assert path.read_text("utf-8") != "# mine\n"


def test_the_workflow_installs_the_versions_that_are_installed_here(show):
    assert main(["init", "feed.xml"]) == 0
    assert f"--constraint {CONSTRAINTS.as_posix()} " in scripts(WORKFLOW)["Install podgraph"]
    pins = dict(line.split("==") for line in CONSTRAINTS.read_text("utf-8").splitlines()[1:])
    assert {name: pins[name] for name in ("networkx", "urllib3")} == {
        name: version(name) for name in ("networkx", "urllib3")
    }
    assert "podgraph" not in pins
    assert "pytest" not in pins


INSTALLED = read_rows(__file__, "INSTALLED")


@pytest.mark.parametrize(("words", "told"), INSTALLED)
def test_that_the_workflow_wants_a_release_is_told(show, capsys, words, told):
    assert main(["init", "feed.xml", *words]) == 0
    assert ("until that is released" in capsys.readouterr().err) == told


def test_a_show_without_a_workflow(show):
    assert main(["init", "feed.xml", "--publish", "none"]) == 0
    assert not (show / ".github").exists()


def test_on_a_terminal_it_asks(show):
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "podgraph", "init"], stdin=terminal, stdout=terminal, stderr=terminal,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:  # fmt: skip
        os.close(terminal)
        os.write(controller, b"feed.xml\nKiln hours: the map\n")
        assert process.wait(300) == 0
    os.close(controller)
    found = tomllib.loads((show / "podgraph.toml").read_text("utf-8"))
    assert (found["sources"], found["title"]) == (["feed.xml"], "Kiln hours: the map")


# The workflow's scripts


def scripts(path):
    """Return the scripts of a workflow or action by the name of their step."""
    yaml = pytest.importorskip("yaml", reason="no PyYAML: pip install pyyaml")
    read = yaml.safe_load(Path(path).read_text("utf-8"))
    steps = read["runs"]["steps"] if "runs" in read else read["jobs"]["build"]["steps"]
    return {step["name"]: step["run"] for step in steps if "run" in step}


@pytest.fixture
def runner(tmp_path):
    """What runs a script as GitHub does, in the folder of the show; returns what it said."""
    if not shutil.which("curl"):
        pytest.skip("no curl: install curl")
    for name in ("bin", "temp"):
        (tmp_path / name).mkdir()
    command = tmp_path / "bin/podgraph"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m podgraph "$@"\n', "utf-8")
    command.chmod(0o755)

    def run(script, **more):
        environment = {
            **os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(tmp_path / "temp"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "GITHUB_REF_NAME": "main", "TOKEN": "t", "GIT_CONFIG_GLOBAL": os.devnull, **more,
        }  # fmt: skip
        return subprocess.run(["bash", "-e", "-c", script], env=environment, check=True, capture_output=True, text=True)

    return run


def one_more_episode(show):
    (show / "feed.xml").write_text(FEED.format(ITEM.format("Glazes") + ITEM.format("Kilns")), "utf-8")


def test_the_site_is_built_anew_each_time(show, runner, tmp_path):
    assert main(["init", "-q", "feed.xml"]) == 0
    steps = scripts(WORKFLOW)
    published, summary = tmp_path / "published", tmp_path / "summary.md"
    for expected in ("Glazes", "added\tepisode\tKilns"):
        summary.unlink(missing_ok=True)
        for name in ("The graph of last time", "Build", "What is new"):
            runner(steps[name], SITE=published.as_uri())
        assert expected in summary.read_text("utf-8")
        shutil.rmtree(published, ignore_errors=True)
        shutil.move(show / "site", published)
        assert (published / "index.html").is_file()
        assert f"<title>{expected.rpartition(chr(9))[2]}</title>" in (published / "new.rss").read_text("utf-8")
        one_more_episode(show)
    assert "\tGlazes" not in summary.read_text("utf-8")


def test_the_site_is_committed_where_that_is_wanted(show, runner, tmp_path):
    assert main(["init", "-q", "feed.xml", "--publish", "commit"]) == 0
    origin = tmp_path / "origin.git"
    runner(f"git init -q -b main && git init -q --bare -b main '{origin}' && git remote add origin '{origin}'")
    steps = scripts(WORKFLOW)
    said = []
    for more in (lambda: None, lambda: None, lambda: one_more_episode(show)):
        more()
        said.append("".join(runner(steps[name]).stdout for name in ("Build", "What is new", "Commit")))
    assert ["Nothing is new." in one for one in said] == [False, True, False]
    log = runner(f"git -C '{origin}' log --format=%s main && git -C '{origin}' ls-tree -r --name-only main")
    *subjects, pages = log.stdout.split("built anew\n")
    assert subjects == ["The map of the show, "] * 2
    assert {"site/contents.html", "site/index.html", "site/new.rss", "site/podgraph.json"} < {*pages.split()}


@pytest.mark.checkout
def test_the_action_runs_what_the_workflow_runs(show):
    assert main(["init", "-q", "feed.xml"]) == 0
    own = scripts(WORKFLOW)
    path = 'PATH="$RUNNER_TEMP/podgraph-build/bin:$PATH"\n'
    of_action = {
        name: text.removeprefix(path) for name, text in scripts(ROOT / ".github/actions/build/action.yml").items()
    }
    for name in ("The graph of last time", "Build", "What is new"):
        assert of_action[name] == own[name]


@pytest.mark.checkout
@pytest.mark.parametrize("publish", ["pages", "commit"])
def test_linters_find_nothing_in_the_workflow(show, publish):
    assert main(["init", "-q", "feed.xml", "--publish", publish]) == 0
    for linter, *words in (
        ("zizmor", "--offline", "--quiet"),
        ("check-jsonschema", "--builtin-schema", "vendor.github-workflows"),
    ):
        command = shutil.which(linter, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        if not command:
            pytest.skip(f"no {linter}: pip install {linter}")
        checked = subprocess.run([command, *words, str(WORKFLOW)], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout + checked.stderr
