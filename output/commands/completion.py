"""``podgraph completion SHELL``: the completion script, made from the commands themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

_EXAMPLES = """examples:
  podgraph completion bash > ~/.local/share/bash-completion/completions/podgraph
  podgraph completion zsh > "${fpath[1]}/_podgraph\""""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.epilog = _EXAMPLES
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    import shtab  # noqa: PLC0415 - only this command needs it

    from ..cli import parser  # noqa: PLC0415 - the parser loads the commands

    print(shtab.complete(parser(), shell=arguments.shell))
    return 0
