"""What several tests of this room need: packages that bring plug-ins, as an installer would put them there."""

import importlib
import sys

import pytest

from podgraph.extractors.errors import PodgraphError
from podgraph.extractors.plugins import set_reporter
from podgraph.extractors.sites.registry import load_sites
from podgraph.extractors.subjects.registry import known_subjects


def fail(line):
    source, _, problem = line.removesuffix("; passed over").partition(": ")
    raise PodgraphError(problem, source=source)


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package: put its module and its metadata on the path; afterwards it is forgotten.

    What is broken is an error; a test that wants it passed over says so (``set_reporter``).
    """
    set_reporter(warn=fail)

    def add(name, source, point, group="podgraph.extractors"):
        home = tmp_path / name
        metadata = home / f"{name}-1.0.dist-info"
        metadata.mkdir(parents=True)
        package = home / name
        package.mkdir()
        (package / "__init__.py").write_text(source, "utf-8")
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
        (metadata / "entry_points.txt").write_text(f"[{group}]\n{point}\n", "utf-8")
        monkeypatch.syspath_prepend(str(home))
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, name, raising=False)
        known_subjects.cache_clear()
        return package

    yield add
    monkeypatch.undo()
    set_reporter()
    known_subjects.cache_clear()
    load_sites()
