"""Hosts and addresses as data: a text file for each table."""

from __future__ import annotations

from pathlib import Path


def read_table(name: str) -> dict[str, list[list[str]]]:
    """Return the sections of a table: below ``[section]``, each line is a row of words, unless it begins with #."""
    sections: dict[str, list[list[str]]] = {}
    for line in (Path(__file__).parent / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            rows = sections[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            rows.append(line.split())
    return sections
