"""Read feeds from files, folders and streams, no more than fits."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import SourceError
from ..printable import for_message
from .budget import Budget
from .connection import LIMITS, WORLD
from .unpack import unpack

if TYPE_CHECKING:
    from typing import BinaryIO

SUFFIXES = (".xml", ".rss", ".atom", ".json", ".opml")


def read_file(path: Path, budget: Budget | None = None) -> bytes:
    """Return the content of a file, decompressed if it is gzip; a pipe is read to its end.

    Its bytes are taken from the ``budget``. Raises ``SourceError`` for a file that is missing, unreadable, empty or
    too large.
    """
    name = for_message(str(path))
    try:
        with Path(path).open("rb") as file:
            return _read(file, name, "check that it is the right file", budget)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        problem, remedy = (
            f"cannot be read: {for_message(getattr(error, 'strerror', None) or str(error))}",
            "check the path",
        )
        if isinstance(error, FileNotFoundError):
            problem, remedy = "there is no such file", "check the path, or give a feed's address"
        elif isinstance(error, PermissionError):
            problem, remedy = "may not be read", "check its permissions"
        raise SourceError(problem, source=name, remedy=remedy) from error


def read_standard_input(stream: BinaryIO | None, budget: Budget | None = None) -> bytes:
    """Return all that comes through ``stream``, or through the process's standard input if that is ``None``.

    Its bytes are taken from the ``budget``. Raises ``SourceError`` when nothing comes, or too much.
    """
    name = "standard input"
    stream = stream or getattr(sys.stdin, "buffer", None)
    remedy = "pipe a feed into podgraph, or leave out the '-'"
    if stream is None:
        raise SourceError("is closed", source=name, remedy=remedy)
    try:
        return _read(stream, name, remedy, budget)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(f"cannot be read: {for_message(str(reason))}", source=name, remedy=remedy) from error


def list_folder(path: Path) -> list[Path]:
    """Return the feed files of a folder by name: visible files ending in ``SUFFIXES``, without subfolders.

    Raises ``SourceError`` for a folder without feeds.
    """
    name = for_message(str(path))
    try:
        files = [one for one in path.iterdir() if one.suffix.lower() in SUFFIXES and one.is_file()]
    except OSError as error:
        problem = f"cannot be listed: {for_message(error.strerror or str(error))}"
        raise SourceError(problem, source=name, remedy="check its permissions") from error
    found = sorted((one for one in files if not one.name.startswith(".")), key=lambda one: os.fsencode(one.name))
    if not found:
        kinds = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
        raise SourceError("is a folder without feeds", source=name, remedy=f"feeds are files called {kinds}")
    return found


def list_names() -> list[str]:
    """Return the names with a suffix in the current folder; an unreadable folder has none."""
    try:
        return [name for name in os.listdir() if "." in name]  # noqa: PTH208 - names are enough
    except OSError:
        return []


def _read(stream: BinaryIO, name: str, remedy: str, budget: Budget | None) -> bytes:
    """Return the bytes of an open file, decompressed if it is gzip. ``name`` and ``remedy`` are for error messages."""
    try:
        data = stream.read(LIMITS.body + 1)
        if len(data) > LIMITS.body:
            raise SourceError(f"is larger than {LIMITS.body / 1e6:,.6g} MB", remedy="give a smaller feed")
        with (budget or Budget(WORLD)).share() as take:
            take(len(data))
            data = unpack(data, LIMITS.body, take)
    except SourceError as error:
        raise type(error)(error.problem, source=name, remedy=error.remedy) from error
    if not data or data.isspace():
        raise SourceError("is empty", source=name, remedy=remedy)
    return data
