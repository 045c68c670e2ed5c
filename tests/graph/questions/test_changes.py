"""Which files a change touches: what Git and other programs print, case by case (``changes.toml``)."""

import tomllib
from pathlib import Path

import pytest

from podgraph.graph.code.changes import parse_changes

CASES = tomllib.loads(Path(__file__).with_name("changes.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_changes(case):
    changes = parse_changes(case["text"])
    assert [f"{one.path} < {one.former}" if one.former else one.path for one in changes] == case["paths"]
