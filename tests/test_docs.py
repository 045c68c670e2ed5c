"""The documentation names what there is: a command, format or kind that it forgets does not exist for users."""

import re
import runpy
import sys
from pathlib import Path

import pytest

from podgraph.extractors import EXTRACTORS
from podgraph.graph import KINDS, METHODS, RELATIONS
from podgraph.output.cli import build_parser
from podgraph.output.config import KEYS
from podgraph.output.formats import FORMATS

pytestmark = pytest.mark.checkout
ROOT = Path(__file__).parent.parent
NAMED = [
    *(("docs/questions.md", f"`podgraph {command}") for command in build_parser()._actions[-1].choices),
    *(("docs/formats.md", f"`{format_.suffixes[-1 if format_.siblings else 0]}`") for format_ in FORMATS),
    *(("docs/how.md", f"`{name}`") for name, *_ in EXTRACTORS),
    *(("docs/show.md", f"\n{key} = ") for key in KEYS if key != "corrections"),
    *(("docs/contract.md", f"`{name}`") for name in (*KINDS, *RELATIONS, *METHODS)),
]


@pytest.mark.parametrize(("page", "name"), NAMED)
def test_the_documentation_names_everything(page, name):
    assert name in (ROOT / page).read_text("utf-8")


def test_what_is_generated_is_up_to_date(capsys, monkeypatch):
    pytest.importorskip("ruff", reason="no ruff: pip install ruff")
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / "docs/generate.py"), run_name="__main__")
    assert (capsys.readouterr().out, ended.value.code) == ("", 0), "python docs/generate.py"


def test_versions_agree_and_links_lead_somewhere():
    release = runpy.run_path(str(ROOT / "docs/release.py"))
    assert [*release["version_problems"](ROOT), *release["link_problems"](ROOT)] == []


@pytest.mark.parametrize("mark", ["run", "test"])
def test_the_readme_has_the_lines_that_ci_runs(mark):
    block = re.search(rf"<!-- {mark} -->\s*```sh\n(.*?)\n```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert block[1].startswith("python3 -m venv .venv && ")
