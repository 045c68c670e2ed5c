"""What all tests share."""

import os
from pathlib import Path

import hypothesis
import pytest

# The same examples at every run: a test never fails by chance. `--hypothesis-profile=default` looks for new ones.
hypothesis.settings.register_profile("same", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("same")

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def _own_world(monkeypatch, tmp_path_factory):
    """No test sees the person's cache, graph or settings."""
    monkeypatch.setenv("PODGRAPH_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    for variable in ("PODGRAPH_GRAPH", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(scope="session")
def sample():
    """The graph of the built-in snapshot."""
    os.environ.setdefault("PODGRAPH_CACHE_DIR", os.devnull)
    from podgraph.output.pipeline import snapshot_graph

    return snapshot_graph()
