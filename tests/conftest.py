"""What all tests share."""

import itertools
import os
import secrets
import shutil
import tempfile
from collections import Counter
from pathlib import Path

import hypothesis
import pytest

# The same examples at every run: a test never fails by chance. `--hypothesis-profile=default` looks for new ones.
hypothesis.settings.register_profile("same", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("same")

ROOT = Path(__file__).parent.parent
CACHES = Path(tempfile.gettempdir()) / f"podgraph-tests-{secrets.token_hex(8)}"  # each worker of xdist has its own
NUMBERS = itertools.count()

# Of a table with more rows `pytest -m fast` takes each sixth.
LONG = 30
SLOW = [line for line in (ROOT / "tests/slow.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
SLOW_FILES = tuple(name for name in SLOW if "/" in name)

UNSET = """PODGRAPH_GRAPH NO_COLOR FORCE_COLOR COLUMNS LINES GH_TOKEN GITHUB_TOKEN REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
    HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY""".split()


def pytest_ignore_collect(collection_path, config):
    """Do not even load what is slow as a whole, for `-m fast`."""
    name = collection_path.relative_to(ROOT).as_posix() if collection_path.is_relative_to(ROOT) else ""
    return (config.option.markexpr == "fast" and f"{name}/".startswith(SLOW_FILES)) or None


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    names = [item.nodeid.partition("[")[0] for item in items]
    rows, seen = Counter(names), Counter()
    for item, name in zip(items, names, strict=True):
        seen[name] += 1
        is_slow = item.nodeid.startswith(SLOW_FILES) or getattr(item, "originalname", "") in SLOW
        if not is_slow and (rows[name] <= LONG or seen[name] % 6 == 1):
            item.add_marker(pytest.mark.fast)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """No test sees the person's cache, graph or settings, nor the cache of another test."""
    # No fixture: with thousands of small tests that would be a tenth of the time.
    os.environ["PODGRAPH_CACHE_DIR"] = str(CACHES / str(next(NUMBERS)))
    os.environ["XDG_CONFIG_HOME"] = str(CACHES / "no-defaults")
    for variable in UNSET:
        os.environ.pop(variable, None)
        os.environ.pop(variable.lower(), None)


@pytest.fixture(scope="session", autouse=True)
def _clear_away():
    yield
    shutil.rmtree(CACHES, ignore_errors=True)


@pytest.fixture
def server():
    """A web server on 127.0.0.1 whose answers are scripted."""
    from tests.loopback import Loopback

    with Loopback() as running:
        yield running


@pytest.fixture(scope="session")
def sample():
    """The graph of the built-in snapshot."""
    import podgraph

    return podgraph.sample().networkx()


@pytest.fixture(scope="session")
def sample_file(sample, tmp_path_factory):
    """That graph in a file, ``podgraph.json``."""
    from podgraph.output.formats import write_graph

    path = tmp_path_factory.mktemp("sample") / "podgraph.json"
    write_graph(sample, path)
    return path
