"""Tables of cases in text files beside the tests."""

import ast
import tomllib
from pathlib import Path


def read_table(test, name):
    """Return the rows of a table: a line a case, with " | " between its cells; lines with "# " are comments."""
    lines = Path(test).with_name(name).read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("# ")]


def read_toml(test, name):
    """Return the tables of a TOML file beside the file of a test."""
    return tomllib.loads(Path(test).with_name(name).read_text("utf-8"))


def read_rows(test, table):
    """Return the rows of ``[table]`` in the text file with the name of a test's module: Python literals, a row a line."""
    text = Path(test).with_suffix(".txt").read_text("utf-8")
    part = text.partition(f"[{table}]\n")[2].partition("\n[")[0]
    return [ast.literal_eval(line) for line in part.splitlines() if line and not line.startswith("#")]
