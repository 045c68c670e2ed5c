"""Hosts and addresses as data: a text file for each table."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).parent


def read_lines(name: str, folder: Path = _HERE) -> list[str]:
    """Return the lines of the text file ``<name>.txt`` in a folder, without empty lines and comments (``#``)."""
    lines = (folder / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def read_table(name: str, folder: Path = _HERE) -> dict[str, list[list[str]]]:
    """Return the sections of the text file ``<name>.txt`` in a folder, in its order.

    Below a line ``[section]``, each line is a row: the list of its words.
    """
    sections: dict[str, list[list[str]]] = {}
    for line in read_lines(name, folder):
        if line.startswith("["):
            rows = sections[line.strip("[]")] = []
        else:
            rows.append(line.split())
    return sections
