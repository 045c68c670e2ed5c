"""The options for plug-ins, the same for every command with plug-ins."""

from __future__ import annotations

import argparse

from podgraph.extractors import rule_plugins

from ...terminal import note


def add_plugin_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--no-plugins`` to a command."""
    parser.add_argument(
        "--no-plugins", action="store_true", help="nothing of what installed packages bring (`podgraph plugins`)"
    )


def obey_plugin_arguments(arguments: argparse.Namespace) -> None:
    """Configure the loader of plug-ins by the options; a command calls this before it loads anything."""
    rule_plugins(
        wanted=not getattr(arguments, "no_plugins", False),
        strict=getattr(arguments, "strict", False),
        warn=lambda line: note(line, quiet=arguments.quiet),
    )
