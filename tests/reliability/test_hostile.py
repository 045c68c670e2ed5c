"""Every hostile feed: a right result or one clear line, within 1 GB and 20 s; nobody reads the canary."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from tests.loopback import Loopback
from tests.reliability.hostile import HEAD, HOSTILE, PLAIN, TAIL

CANARY = "CANARY-3f9a1c"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_hostile(hostile, forks, tmp_path):
    (tmp_path / "canary.txt").write_text(CANARY)
    here = tmp_path / "here"
    here.mkdir()
    name = f"feed{hostile.suffix}"
    with Loopback() as server:
        (here / name).write_bytes(hostile.data(str(tmp_path / "canary.txt"), server.url("").rstrip("/")))
        ran = forks.run(
            "build", name, *(word for target in hostile.outputs for word in ("-o", target)), folder=here,
            environment={"PODGRAPH_CACHE_DIR": str(tmp_path / "cache"), "http_proxy": "", "https_proxy": ""},
        )  # fmt: skip
        asked = server.targets
    assert not ran.hung, ran.cpu
    assert all(line.startswith("podgraph: ") for line in ran.lines), ran.err
    assert not CONTROL.search(ran.err)
    assert ran.out == ""
    assert asked == (["/f"] if hostile.name == "opml-private" else [])  # the user's own list may lead here
    if isinstance(hostile.expected, str):
        assert ran.status == 2
        assert hostile.expected in ran.lines[-1]
        assert {path.name for path in here.iterdir()} == {name}
        return
    assert ran.status == 0, ran.err
    data = json.loads((here / "g.json").read_bytes())
    assert sum(source["episodes"] for source in data["graph"]["sources"]) == hostile.expected
    for path in here.iterdir():
        if path.name != name:
            assert CANARY.encode() not in path.read_bytes(), path.name
    assert {path.name for path in tmp_path.iterdir()} <= {"canary.txt", "here", "cache"}


def test_small_files_that_are_large_together(forks, tmp_path):
    """16 feeds of 150 MB behind 150 KB each are refused, and of larger ones those beyond the budget."""
    packed = gzip.compress(f"{HEAD}<item><title>t</title></item><!--{' ' * 150_000_000}-->{TAIL}".encode(), 9)
    for number in range(16):
        (tmp_path / f"f{number:02}.xml").write_bytes(packed)
    (tmp_path / "good.xml").write_text(PLAIN)
    ran = forks.run("build", ".", "-q", "-o", "g.json", folder=tmp_path)
    problem = "unpacks to more than 100 times its size; unpack it yourself if you trust it"
    assert (ran.status, ran.hung) == (2, False)
    assert ran.cpu < 5
    assert ran.lines == [
        f"podgraph: left out 16 sources for one reason, the first: f00.xml: {problem}",
        "podgraph: 17 sources: 1 read, 16 left out",
    ]
