"""The limits for all sources together: counted side by side, and one line for those that do not fit."""

import gzip

import pytest

from podgraph.extractors import SourceError
from podgraph.extractors.sources.connection import MEGABYTES_VARIABLE, Budget, OverBudgetError, World
from podgraph.extractors.sources.sources import read_sources


def test_a_piece_that_does_not_fit_is_not_charged():
    budget = Budget(World(), maximum=10)
    budget.take(6)
    with pytest.raises(OverBudgetError, match="larger than 1e-05 MB"):
        budget.take(5)
    budget.take(4)
    with pytest.raises(OverBudgetError):
        budget.take(1)


def test_time_is_for_all():
    now = 0.0
    budget = Budget(World(monotonic=lambda: now), maximum=10, seconds=60)
    budget.take(1)
    now = 61
    with pytest.raises(OverBudgetError, match="take more than 1 minutes"):
        budget.take(1)


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "1 GB", "\u0661", "9" * 40])
def test_a_budget_that_is_none(monkeypatch, text):
    monkeypatch.setenv(MEGABYTES_VARIABLE, text)
    with pytest.raises(SourceError, match=r"PODGRAPH_MOST_MB: .* is not a number of megabytes"):
        Budget(World())


# The sizes of three files, where 1 MB is for all, and which are read.
FILES = [((400_000, 500_000, 200_000), "01"), ((400_000, 700_000, 400_001), "02"), ((1_100_000, 10, 11), "12")]


@pytest.mark.parametrize(("sizes", "read"), FILES)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_files_share_a_budget(tmp_path, monkeypatch, sizes, read, pack):
    monkeypatch.setenv(MEGABYTES_VARIABLE, "1")
    for number, size in enumerate(sizes):
        (tmp_path / f"{number}.xml").write_bytes(pack(b"<rss>".ljust(size)))
    found = read_sources([str(tmp_path)])
    assert "".join(source.source[-5] for source in found.read) == read
    assert all(isinstance(failure, OverBudgetError) for failure in found.failures)
    assert len(found.failures) == 3 - len(read)
