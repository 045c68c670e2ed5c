"""The documentation names what there is: a command, format or extractor that it forgets does not exist for users."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from podgraph.extractors import EXTRACTORS, JOINS
from podgraph.output.config import KEYS
from podgraph.output.formats import FORMATS
from podgraph.output.parser import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


# Where the documentation names each of what there is.
NAMED = [
    *(("docs/asking.md", f"`podgraph {command}") for command in COMMANDS),
    *(("docs/formats.md", f"`{format_.suffixes[-1 if format_.siblings else 0]}`") for format_ in FORMATS),
    *(("docs/how/found.md", f"`{name}`") for name, *_ in (*EXTRACTORS, *JOINS)),
    *(("docs/settings.md", f"\n{key} = ") for key in KEYS if key != "corrections"),
]


@pytest.mark.checkout
@pytest.mark.parametrize(("page", "name"), NAMED)
def test_the_documentation_names_everything(page, name):
    assert name in (ROOT / page).read_text("utf-8")


@pytest.mark.checkout
def test_the_documentation_is_built_without_a_warning(tmp_path):
    pytest.importorskip("sphinx", reason="no Sphinx: pip install 'podgraph[docs]'")
    words = ["-q", "-W", "-n", "-b", "html", "-d", str(tmp_path / "read"), str(ROOT / "docs"), str(tmp_path / "site")]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *words], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (built.returncode, built.stderr) == (0, "")
    page = (tmp_path / "site/index.html").read_text("utf-8")
    assert not re.search(r'(?:src|<link[^>]* href)="https?:', page)  # it is read from a folder, without a network


@pytest.mark.checkout
def test_what_is_generated_is_up_to_date(capsys, monkeypatch):
    pytest.importorskip("ruff", reason="no ruff: pip install ruff")
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "docs/generate.py"), run_name="__main__")
    assert (capsys.readouterr().out, ended.value.code) == ("", 0), "python docs/generate.py"


MANUAL = ROOT / "docs/podgraph.1"


@pytest.mark.checkout
@pytest.mark.skipif(not shutil.which("man"), reason="no man: install man-db")
def test_the_manual_has_no_mistake():
    checked = subprocess.run(
        ["man", "--warnings", "-E", "UTF-8", "-l", str(MANUAL)], capture_output=True, text=True, check=True,
        env={**os.environ, "MANWIDTH": "80"},
    )  # fmt: skip
    assert checked.stderr == ""
    assert "podgraph why EPISODE TEXT" in checked.stdout


@pytest.mark.checkout
@pytest.mark.parametrize("words", [*COMMANDS, "no-pager", "PODGRAPH_GRAPH", "EXIT STATUS", "podgraph.toml"])
def test_the_manual_names_everything(words):
    text = MANUAL.read_text("ascii")
    assert words.replace("-", r"\-") in text


@pytest.mark.parametrize("mark", ["run", "test"])
def test_the_readme_has_the_lines_that_ci_runs(mark):
    block = re.search(rf"<!-- {mark} -->\s*```sh\n(.*?)\n```", README, re.DOTALL)
    assert block
    assert block[1].startswith("python3 -m venv .venv && ")


def test_the_lines_of_the_changelog_have_a_form():
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert changelog.startswith("# Changelog\n")
    assert "## [Unreleased]" in changelog or re.search(r"## \[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", changelog)


@pytest.mark.checkout
def test_each_promise_of_security_names_a_test_that_is_there():
    rows = [line for line in (ROOT / "SECURITY.md").read_text("utf-8").splitlines() if "::" in line]
    assert len(rows) > 10
    for row in rows:
        path = ""
        for named in re.findall(r"`((?:tests/[\w/]+\.py)?)::(\w+)`", row):
            path = named[0] or path
            assert f"\ndef {named[1]}(" in (ROOT / path).read_text("utf-8"), named
