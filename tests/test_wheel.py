"""The wheel's list of files, as the patterns of ``pyproject.toml`` make it. ``.ci/run`` looks into the built wheel."""

import os
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.checkout

NEEDED = (
    "__main__.py",
    "py.typed",
    "extractors/languages/tables/de.toml",
    "extractors/sample/feed.xml",
    "extractors/sample/graph.json.gz",
    "extractors/sample/posts.json",
    "extractors/sites/tables/docs.txt",
    "extractors/subjects/pytorch/layout.txt",
    "extractors/subjects/pytorch/pytorch.idx",
    "extractors/subjects/pytorch/topics.toml",
    "output/commands/setting_up/workflow.yml",
    "output/formats/shared/tables.sql",
    "output/page/assets/strings/en.json",
    "output/schemas/podgraph.schema.json",
)
UNWANTED = ("podgraph/output/screenshots/",)
MOST = 400_000  # bytes of a file other than the index of names


def test_the_wheel_has_what_runs_and_no_more():
    pathspec = pytest.importorskip("pathspec")  # hatchling's, and mypy's
    target = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    walk = os.walk(ROOT / "podgraph", followlinks=True)
    files = {(Path(folder) / name).relative_to(ROOT).as_posix() for folder, _, names in walk for name in names}
    files = {name for name in files if "__pycache__" not in name}
    dead = [
        one for one in target["exclude"] if not any(map(pathspec.GitIgnoreSpec.from_lines([one]).match_file, files))
    ]
    assert not dead, "patterns that exclude nothing"
    excluded = pathspec.GitIgnoreSpec.from_lines(target["exclude"])
    kept = {name for name in files if not excluded.match_file(name)}
    assert [name for name in kept if name.startswith(UNWANTED)] == []
    assert {f"podgraph/{name}" for name in NEEDED} - kept == set()
    large = {name for name in kept if (ROOT / name).stat().st_size > MOST}
    assert large == {"podgraph/extractors/subjects/pytorch/pytorch.idx"}
