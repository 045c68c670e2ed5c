"""``podgraph completion SHELL``: the completion script, made from the commands themselves."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

EXAMPLES = """examples:
  podgraph completion bash > ~/.local/share/bash-completion/completions/podgraph
  podgraph completion zsh > "${fpath[1]}/_podgraph"
  podgraph completion fish > ~/.config/fish/completions/podgraph.fish"""

_FILES = frozenset(("FILE", "OLD", "NEW", "GRAPH", "WHEEL"))  # placeholders of paths
# A source is a file, or the word `sample`.
_SOURCES = {
    "bash": "_podgraph_sources",
    "zsh": "_podgraph_sources",
    "fish": "sample (__fish_complete_path (commandline -ct))",
}
_PREAMBLE = {
    "bash": '_podgraph_sources() { compgen -W "sample" -- "$1"; compgen -f -- "$1"; }',
    "zsh": "_podgraph_sources() { _alternative 'name:built-in snapshot:(sample)' 'file:feed:_files' }",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish", "tcsh", "powershell"))


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    print(script(arguments.shell, arguments.whole_parser()))
    return 0


def script(shell: str, whole: argparse.ArgumentParser) -> str:
    """Return the completion script of a shell for the whole command."""
    import shtab  # noqa: PLC0415 - only this command needs it

    from podgraph.graph import LISTS  # noqa: PLC0415 - nor this

    for action in _actions(whole):
        if action.metavar == "KIND":
            action.choices = sorted(LISTS)
        elif action.metavar == "SOURCE":
            action.complete = {**shtab.FILE, **_SOURCES}  # type: ignore[attr-defined]
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    made: str = shtab.complete(whole, shell=shell, preamble=_PREAMBLE.get(shell, ""))
    return made


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser and of its commands. Argparse keeps them only in ``_actions``."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way
        yield action
        if action.dest == "command":
            for command in dict(action.choices or {}).values():
                yield from _actions(command)
