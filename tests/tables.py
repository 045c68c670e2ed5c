"""Tables of cases in text files beside the tests."""

import tomllib
from pathlib import Path


def read_table(test, name):
    """Return the rows of a table: a line a case, with " | " between its cells; lines with "# " are comments."""
    lines = Path(test).with_name(name).read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("# ")]


def read_toml(test, name):
    """Return the tables of a TOML file beside the file of a test."""
    return tomllib.loads(Path(test).with_name(name).read_text("utf-8"))
