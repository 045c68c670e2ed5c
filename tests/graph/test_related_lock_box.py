"""Related episodes must not rise on the labels used for choosing while they fall on the lock box."""

import importlib.util
import json
from pathlib import Path

import pytest

from podgraph.extractors import parse_feed, sample_feed

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "related.py"


@pytest.fixture(scope="module")
def benchmark():
    if not BENCHMARK.exists():
        pytest.skip("no benchmarks/ beside the tests")
    spec = importlib.util.spec_from_file_location("related_benchmark", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_snapshot_gains_nothing_at_the_cost_of_the_lock_box(benchmark):
    assert benchmark.gives_away({"choosing": 0.7, "lock box": 0.7}, {"choosing": 0.72, "lock box": 0.68})
    before = json.loads(benchmark.FIGURES.read_text("utf-8"))
    now = benchmark.figures(parse_feed(sample_feed(), source="sample"))
    assert not benchmark.gives_away(before, now), f"{before} became {now}: tuned on the choosing part"
