"""How a table fits a terminal, column by column: each limit at its last width and at the next."""

import io
import os
import re
import sys

import pytest

from podgraph.output.terminal import print_table

STYLE = re.compile("\x1b\\[[0-9;]*m")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def seen(monkeypatch):
    """Print on a terminal of some width, and return the lines, without colours and outer margins."""

    def run(width, write):
        out = Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setenv("TERM", "xterm")
        write()
        return [line.strip() for line in STYLE.sub("", out.getvalue()).splitlines() if line.strip()]

    return run


TEN, OTHER = "1" * 10, "2" * 10
FIVES = ("1" * 5, "2" * 5, "3" * 5)
# A column is as wide as its widest cell or its header, and 3 more.
TABLES = [
    # headers, a row, what may be done, width of the terminal, what is seen (the line under the headers left out)
    (("a", "b"), (TEN, OTHER), {}, 25, ["a            b", "1111111111   2222222222"]),
    (("a", "b"), (TEN, OTHER), {}, 24, ["1111111111 · 2222222222"]),
    (("header-of-a", "b"), ("1", OTHER), {}, 26, ["header-of-a   b", "1             2222222222"]),
    (("header-of-a", "b"), ("1", OTHER), {}, 25, ["1 · 2222222222"]),
    # Spare columns go, from the left of their list, and no more than have to.
    (("a", "b"), (TEN, OTHER), {"spare": [0]}, 25, ["a            b", "1111111111   2222222222"]),
    (("a", "b"), (TEN, OTHER), {"spare": [0]}, 24, ["b", "2222222222"]),
    (("a", "b"), (TEN, OTHER), {"spare": [1]}, 24, ["a", "1111111111"]),
    (("a", "b", "c"), FIVES, {"spare": [0, 1]}, 24, ["a       b       c", "11111   22222   33333"]),
    (("a", "b", "c"), FIVES, {"spare": [0, 1]}, 22, ["b       c", "22222   33333"]),
    (("a", "b", "c"), FIVES, {"spare": [1, 0]}, 22, ["a       c", "11111   33333"]),
    (("a", "b", "c"), FIVES, {"spare": [0, 1]}, 16, ["b       c", "22222   33333"]),
    (("a", "b", "c"), FIVES, {"spare": [0, 1]}, 14, ["c", "33333"]),
    # What may stand below does so when the spare ones are gone and there is still no room.
    (("a", "url"), ("1", OTHER), {"below": [1]}, 16, ["a   url", "1   2222222222"]),
    (("a", "url"), ("1", OTHER), {"below": [1]}, 15, ["1", "url  2222222222"]),
    (("a", "b", "url"), ("1", "2", OTHER), {"spare": [1], "below": [2]}, 16, ["a   url", "1   2222222222"]),
    (("a", "b", "url"), ("1", "2", OTHER), {"spare": [1], "below": [2]}, 15, ["1", "url  2222222222"]),
    # A column that wraps keeps 8, its margin in it; with less, rows are lines.
    (("a", "b"), (TEN, "two two two"), {"wide": [1]}, 20, ["a            b", "1111111111   two", "two", "two"]),
    (("a", "b"), (TEN, "two two two"), {"wide": [1]}, 19, ["1111111111 · two two two"]),
    (("a", "b"), (TEN, OTHER), {"wide": [0, 1]}, 15, ["a       b", "11111   22222", "11111   22222"]),
    (("a", "b"), (TEN, OTHER), {"wide": [0, 1]}, 14, ["1111111111 · 2222222222"]),
    # A column in which nothing stands takes no room.
    (("a", "b"), (TEN, ""), {"spare": [0]}, 13, ["a", "1111111111"]),
]


@pytest.mark.parametrize(("headers", "row", "may", "width", "lines"), TABLES)
def test_the_width_of_a_table(seen, headers, row, may, width, lines):
    found = seen(width, lambda: print_table(headers, [row], **may))
    assert [line for line in found if set(line) - {"─", " "}] == lines


def test_a_table_in_a_file_has_no_formulas(tmp_path, monkeypatch):
    rows = [["=1+1", "plain"], ["@ann", "-5"]]
    path = tmp_path / "x.tsv"
    with path.open("w", encoding="utf-8") as file:
        monkeypatch.setattr(sys, "stdout", file)
        print_table(["a", "b"], rows)
    assert path.read_text("utf-8") == "'=1+1\tplain\n'@ann\t'-5\n"
    ends = os.pipe()
    with os.fdopen(ends[0], encoding="utf-8") as reader:
        with os.fdopen(ends[1], "w", encoding="utf-8") as pipe:
            monkeypatch.setattr(sys, "stdout", pipe)
            print_table(["a", "b"], rows)
        assert reader.read() == "=1+1\tplain\n@ann\t-5\n"
