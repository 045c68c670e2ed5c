"""The options that only some formats take, the same for every command that writes files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import OutputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ...formats import Format

_WHAT = {
    "dynamic": "nodes and edges begin at their dates, for a timeline",
    "clusters": "a box for each area of topics",
}


def add_format_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--dynamic`` and ``--clusters`` to a command."""
    group = parser.add_argument_group("options of formats")
    group.add_argument("--dynamic", action="store_true", help=f"GEXF: {_WHAT['dynamic']}")
    group.add_argument("--clusters", action="store_true", help=f"DOT: {_WHAT['clusters']}")


def format_options(arguments: argparse.Namespace, chosen: Sequence[Format]) -> list[dict[str, bool | str]]:
    """Return for each of the ``chosen`` formats the options that it takes, of those given.

    Raises ``OutputError`` when one was given that no chosen format takes.
    """
    given: dict[str, bool | str] = {name: True for name in _WHAT if getattr(arguments, name)}
    for name in given:
        _check_option(name, chosen)
    if title := getattr(arguments, "title", ""):
        given["title"] = title
    return [{name: value for name, value in given.items() if name in item.options} for item in chosen]


def _check_option(name: str, chosen: Sequence[Format]) -> None:
    """Raise ``OutputError`` when no chosen format takes an option."""
    if not any(name in item.options for item in chosen):
        from ...formats import formats  # noqa: PLC0415 - the list of formats is loaded by the commands that write

        fitting = " ".join(item.suffixes[0] for item in formats() if name in item.options)
        asked = ", ".join(dict.fromkeys(item.name for item in chosen))
        raise OutputError(f"does not fit {asked}", source=f"--{name}", remedy=f"it is for {fitting}")
