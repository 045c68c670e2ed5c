"""What all sources may take together: counted side by side, given back by those that fail, told in one line."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from podgraph.extractors import SourceError
from podgraph.extractors.sources.budget import MOST_MB, Budget, OverBudgetError
from podgraph.extractors.sources.connection import World
from podgraph.extractors.sources.sources import read_sources

if TYPE_CHECKING:
    from pathlib import Path

FEED = b"<rss><channel><title>f</title><item><title>t</title></item></channel></rss>"


def test_what_fails_gives_its_bytes_back() -> None:
    budget = Budget(World(), most=10)
    with budget.share() as take:
        take(6)
    with pytest.raises(OverBudgetError, match="larger than 1e-05 MB"), budget.share() as take:
        take(4)
        take(1)
    with budget.share() as take:
        take(4)
    with pytest.raises(OverBudgetError), budget.share() as take:
        take(1)


def test_time_is_for_all() -> None:
    now = 0.0
    budget = Budget(World(monotonic=lambda: now), most=10, seconds=60)
    with budget.share() as take:
        take(1)
        now = 61
        with pytest.raises(OverBudgetError, match="take more than 1 minutes"):
            take(1)
    with pytest.raises(OverBudgetError), budget.share():
        pass


@pytest.mark.parametrize("said", ["0", "-1", "1.5", "1 GB", "many", "\u0661", "9" * 40])
def test_a_budget_that_is_none(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv(MOST_MB, said)
    with pytest.raises(SourceError, match="is not a number of megabytes") as caught:
        Budget(World())
    assert caught.value.source == MOST_MB


# what three sources hold, packed or not, where 1 MB is for all: which are read
FILES = [
    ((400_000, 500_000, 200_000), "110", "plain"),
    ((400_000, 700_000, 400_000), "101", "plain"),
    ((1_100_000, 10, 10), "011", "plain"),
    ((400_000, 700_000, 400_000), "101", "packed"),
    ((1_100_000, 10, 10), "011", "packed"),
]


@pytest.mark.parametrize(("sizes", "read", "how"), FILES)
def test_files_share_a_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...], read: str, how: str
) -> None:
    monkeypatch.setenv(MOST_MB, "1")
    for number, size in enumerate(sizes):
        data = FEED + b" " * (size - len(FEED))
        (tmp_path / f"{number}.xml").write_bytes(gzip.compress(data) if how == "packed" else data)
    found = read_sources([str(tmp_path)])
    assert [source.source[-5] for source in found.read] == [str(n) for n, kept in enumerate(read) if kept == "1"]
    assert all(isinstance(failure, OverBudgetError) for failure in found.failures)
    assert len(found.failures) == read.count("0")
