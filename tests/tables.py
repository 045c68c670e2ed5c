"""Tables of cases in text files beside the tests."""

import ast
import json
import tomllib
from pathlib import Path
from types import SimpleNamespace


def read_table(test, name):
    """Return the rows of a table: a line a case, with " | " between its cells; lines with "# " are comments."""
    lines = Path(test).with_name(name).read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("# ")]


def read_toml(test, name):
    """Return the tables of a TOML file beside the file of a test."""
    return tomllib.loads(Path(test).with_name(name).read_text("utf-8"))


def read_scenarios(test, name, **texts):
    """Return the scenarios of a TOML file by their names, each with the defaults of the file; {NAME} stands for a text."""
    source = Path(test).with_name(name).read_text("utf-8")
    for place, text in texts.items():
        source = source.replace(f"{{{place}}}", json.dumps(text)[1:-1])
    rows = tomllib.loads(source)
    defaults = rows.pop("defaults")
    return {key: SimpleNamespace(**{"answers": [key], **defaults, **row}) for key, row in rows.items()}


def read_rows(test, table):
    """Return the rows of ``[table]`` in the text file with the name of a test's module: Python literals, a row a line."""
    text = Path(test).with_suffix(".txt").read_text("utf-8")
    part = text.partition(f"[{table}]\n")[2].partition("\n[")[0]
    return [ast.literal_eval(line) for line in part.splitlines() if line and not line.startswith("#")]
