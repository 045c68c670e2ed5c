"""Hosts and addresses as data: a text file for each table."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def read_lines(name: str, folder: Path = _HERE) -> list[str]:
    """Return the lines of a text file of a folder, without the empty ones and those that begin with #."""
    lines = (folder / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def read_table(name: str, folder: Path = _HERE) -> dict[str, list[list[str]]]:
    """Return the sections of a table: below ``[section]``, each line is a row of words."""
    sections: dict[str, list[list[str]]] = {}
    for line in read_lines(name, folder):
        if line.startswith("["):
            rows = sections[line.strip("[]")] = []
        else:
            rows.append(line.split())
    return sections
