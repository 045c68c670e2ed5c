"""Plain command lines of point questions, read without argparse: loading it takes as long as a small question.

Each command says once what it takes (``add_arguments``). ``read_plain`` has it said to a note-taker instead of a
parser, and reads words that are whole names of options, their values and nothing odd. Help, abbreviations, errors:
whatever is not that plain is for argparse, which reads it from the start and has the last word.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType
    from typing import Any

# What may stand before the name of a command as well as behind it.
COMMON = {
    ("-q", "--quiet"): "only errors on standard error",
    ("-v", "--verbose"): "every warning on standard error",
    ("--no-progress",): "no progress bar",
    ("--no-config",): "no defaults from podgraph.toml, the one here or your own",
    ("--debug",): "a traceback when something goes wrong",
}
HIDDEN = "==SUPPRESS=="
"""``argparse.SUPPRESS``: no help for an option, or no default."""
_PLAIN = frozenset(("cites", "show", "where", "list", "search"))
_MODULES = {"list": "listing", "look-up": "look_up", "init": "setting_up.init"}


class Arguments:
    """What was given, an attribute an argument, as ``argparse.Namespace`` has it."""

    command: str


class _Odd(Exception):
    """The words are not plain."""


class _Option:
    """What ``add_argument`` says of one argument, as far as plain words need it."""

    def __init__(
        self,
        *names: str,
        dest: str = "",
        action: str = "store",
        nargs: str = "",
        default: object = None,
        type: Callable[[str], object] = str,  # noqa: A002 - argparse's name
        choices: Sequence[str] = (),
        metavar: str = "",  # noqa: ARG002 - for the help alone
        help: str = "",  # noqa: A002, ARG002
    ) -> None:
        self.names = names
        long = next((name for name in names if name.startswith("--")), names[0])
        self.dest = dest or long.lstrip("-").replace("-", "_")
        self.action, self.nargs, self.default, self.choices = action, nargs, default, choices
        self._type = type

    def read(self, word: str) -> object:
        if self.choices and word not in self.choices:
            raise _Odd
        try:
            return self._type(word)
        except Exception as error:
            raise _Odd from error


class _Notes:
    """Stands where a command expects a parser, and notes what it takes."""

    def __init__(self) -> None:
        self.epilog = ""
        self.options: dict[str, _Option] = {}
        self.places: list[_Option] = []
        self.values = Arguments()

    def add_argument(self, *names: str, **said: Any) -> None:
        option = _Option(*names, **said)
        if names[0].startswith("-"):
            self.options.update(dict.fromkeys(names, option))
        else:
            self.places.append(option)
        value = False if option.action == "store_true" else option.default
        if value != HIDDEN:
            self.set_defaults(**{option.dest: value})

    def set_defaults(self, **values: object) -> None:
        vars(self.values).update(values)

    def read(self, words: Sequence[str]) -> Arguments:
        """Read plain words; raise ``_Odd`` for others."""
        places: list[str] = []
        ended = False  # argparse takes one run of words for the places
        rest = iter(words)
        for word in rest:
            if not word.startswith("-") or word == "-":
                if ended:
                    raise _Odd
                places.append(word)
                continue
            ended = bool(places)
            name, given, value = word.partition("=")
            option = self.options.get(name)
            if option is None or option.action not in ("store", "store_true"):
                raise _Odd
            if option.action == "store_true":
                if given:
                    raise _Odd
                self.set_defaults(**{option.dest: True})
                continue
            if not given:
                value = next(rest, "-")
                if value.startswith("-"):
                    raise _Odd
            self.set_defaults(**{option.dest: option.read(value)})
        self._fill(places)
        return self.values

    def _fill(self, words: list[str]) -> None:
        (place,) = self.places
        if not words or (len(words) > 1 and place.nargs != "+"):
            raise _Odd
        read = [place.read(word) for word in words]
        self.set_defaults(**{place.dest: read if place.nargs else read[0]})


def read_plain(words: Sequence[str]) -> Arguments | None:
    """Return what argparse would read in the words of a point question, ``None`` where they are not plain.

    >>> vars(read_plain(["show", "vmap", "--json"]))["node"], read_plain(["show", "--help"])
    ('vmap', None)
    """
    command = words[0]
    if command not in _PLAIN or ("--no-config" not in words and has_config()):
        return None
    notes = _Notes()
    load_command(command).add_arguments(notes)
    for names in COMMON:
        notes.add_argument(*names, action="store_true")
    notes.set_defaults(command=command)
    try:
        return notes.read(words[1:])
    except _Odd:
        return None


def has_config() -> bool:
    """Tell whether there is a file of defaults, without loading what reads one."""
    from .config import NAME, user_file  # noqa: PLC0415 - not before a command is known

    return os.path.isfile(NAME) or os.path.isfile(user_file())  # noqa: PTH113 - pathlib costs as much as the answer


def load_command(command: str) -> ModuleType:
    """Load the module of a command: in ``commands/`` it is called like it, as far as a module can be."""
    return import_module(f".commands.{_MODULES.get(command, command)}", __package__)
