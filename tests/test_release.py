"""`docs/release.py` finds each fault of a release, and the files of the release kit agree with the project."""

import runpy
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.checkout
ROOT = Path(__file__).parent.parent
KEPT = ("pyproject.toml", "CITATION.cff", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE")


def load(name):
    if not (ROOT / "docs").exists():
        pytest.skip("no checkout: the tests run against an installed wheel", allow_module_level=True)
    return SimpleNamespace(**runpy.run_path(str(ROOT / f"docs/{name}.py")))


release = load("release")
FOUND = {kind: getattr(release, f"{kind}_problems") for kind in ("version", "changelog", "link", "owner")}


def ready(folder):
    """Return a copy of the files in question, with a changelog and an owner as a release has them."""
    for name in KEPT:
        shutil.copy(ROOT / name, folder)
    ignored = shutil.ignore_patterns("made", "__pycache__")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=ignored)
    shutil.copytree(ROOT / ".github/ISSUE_TEMPLATE", folder / ".github/ISSUE_TEMPLATE")
    (folder / "podgraph").mkdir()
    shutil.copy(ROOT / "podgraph/__init__.py", folder / "podgraph")
    (folder / "output").symlink_to(ROOT / "output")
    (folder / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-22\n\nFirst.\n", "utf-8"
    )
    release.fill_in(folder, "potter/podgraph")
    return folder


def test_the_project_has_no_other_fault_than_those_of_an_unreleased_one():
    assert not list(release.version_problems(ROOT))
    assert not list(release.link_problems(ROOT))
    assert "tag v9.9.9" in "".join(release.version_problems(ROOT, "v9.9.9"))


@pytest.mark.parametrize("kind", FOUND)
def test_a_ready_release_passes(kind, tmp_path):
    assert not list(FOUND[kind](ready(tmp_path)))


FAULTS = [
    # file, text, its replacement, the kind of problem, a part of its line
    ("podgraph/__init__.py", '__version__ = "0', '__version__ = "9', "version", "podgraph/__init__.py: version 9"),
    ("docs/conda/recipe.yaml", 'version: "0', 'version: "9', "version", "recipe.yaml: version 9"),
    ("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- A change.\n", "changelog", "[Unreleased] is not empty"),
    ("CHANGELOG.md", "First.\n", "A line.\n" * 61, "changelog", "has 61 lines"),
    ("README.md", "docs/show.md", "docs/shwo.md", "link", "README.md: docs/shwo.md does not exist"),
    (
        "CONTRIBUTING.md",
        "plugins.md#add-a-subject",
        "plugins.md#subject",
        "link",
        "docs/plugins.md#subject has no such heading",
    ),
    ("docs/site.md", "potter/podgraph", "OWNER/podgraph", "owner", "docs/site.md: OWNER/podgraph occurs 2 times"),
]


@pytest.mark.parametrize(("name", "text", "other", "kind", "line"), FAULTS)
def test_a_fault_is_a_line(name, text, other, kind, line, tmp_path):
    path = ready(tmp_path) / name
    before = path.read_text("utf-8")
    assert text in before
    path.write_text(before.replace(text, other), "utf-8")
    assert any(line in problem for problem in FOUND[kind](tmp_path))
