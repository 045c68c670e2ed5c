"""How the tests themselves are run: what counts as fast, and how it is told what was skipped."""

from pathlib import Path

import pytest

from tests.conftest import LEFT_OUT, skipped

ROOT = Path(__file__).parent.parent
FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py"))


@pytest.mark.parametrize("slow", LEFT_OUT)
def test_what_is_slow_is_there(slow):
    name, _, test = slow.partition("::")
    assert (ROOT / name).exists()
    if test:
        assert f"\ndef {test.partition('[')[0]}(" in (ROOT / name).read_text("utf-8")


@pytest.mark.parametrize(
    "room", sorted({Path(name).parent.as_posix() for name in FILES} - {"tests/browser", "tests/reliability"})
)
def test_the_fast_part_has_something_of_every_room(room):
    assert any(Path(name).parent.as_posix() == room and not name.startswith(LEFT_OUT) for name in FILES)


SKIPS = [
    # why tests were skipped, what is said at the end
    ((), ""),
    (("no duckdb: pip install it",), "skipped: 1 test: no duckdb (pip install it)"),
    (("no a: do it", "no b: do it", "no a: do it"), "skipped: 3 tests: no a, no b (do it)"),
    (("no a: see https://a.example", "odd"), "skipped: 2 tests: no a (see https://a.example); odd"),
]


@pytest.mark.parametrize(("reasons", "line"), SKIPS)
def test_what_was_skipped_is_said_in_one_line(reasons, line):
    assert skipped(("test_x.py", 1, f"Skipped: {reason}") for reason in reasons) == line
