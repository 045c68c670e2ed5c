"""The table of the formats, ``formats.toml``: one row for each format.

A writer is a function of a module in this folder, imported on first use. Its first argument is the graph as ``Rows``. A
text format returns or yields the parts of its file; with several files, it returns a tuple with the parts of each. A
binary format takes a stream for each file as further arguments, a folder its path.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from podgraph.extractors import OutputError, nearest


class Format(NamedTuple):
    """A format in which a graph can be written.

    ``suffixes`` are those of its files, ``siblings`` the suffixes of the files if it has several. ``opens`` names the
    programs that open it. ``writer`` is ``module:function`` in this folder, ``options`` are the keyword arguments of
    the writer. ``mark`` is a pattern in each file of ours: a file without it is not replaced. ``needs`` is a library,
    from the extra with the format's name ("": none).
    """

    name: str
    suffixes: tuple[str, ...]
    description: str
    opens: str
    writer: str
    mark: str = ""
    form: Literal["text", "binary", "folder"] = "text"
    options: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    needs: str = ""

    @property
    def is_readable(self) -> bool:
        """Whether podgraph can open a file of this format."""
        return self.name in {"json", "sqlite"}


def _read_formats() -> Iterator[Format]:
    """Yield the formats in ``formats.toml``."""
    for row in tomllib.loads(Path(__file__).with_name("formats.toml").read_text("utf-8"))["format"]:
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
        }
        yield Format(**fields)


FORMATS = tuple(_read_formats())
# Programs, and the formats that they open.
PROGRAMS = {"gephi": "gexf", "neo4j": "cypher", "obsidian": "vault", "datasette": "sqlite"}


def make_default_path(stem: str, format_: Format) -> str:
    """Return a path that begins with ``stem`` and has the suffix of a format, even of a folder: ``talks.vault``.

    >>> make_default_path("talks", format_named("obsidian"))
    'talks.vault'
    """
    return f"{stem}.{format_.suffixes[0].removeprefix('.')}"


def format_of(path: str | os.PathLike[str]) -> Format:
    """Return the format that the suffix of ``path`` chooses. Raises ``OutputError`` for an unknown suffix.

    >>> format_of("a.JSON").name
    'json'
    """
    name = Path(path).name.lower()
    for format_ in FORMATS:
        if name.endswith(format_.suffixes) or (f"{name}/".endswith(format_.suffixes) and os.fspath(path).endswith("/")):
            return format_
    suffixes = sorted(suffix for format_ in FORMATS for suffix in format_.suffixes)
    other = "use .html, .json, .gexf, .csv or another of `podgraph export -h`"
    remedy = nearest(Path(name).suffix or f".{name}", suffixes) or other
    if name in PROGRAMS:
        format_ = format_named(name)
        path_there = "vault/" if format_.form == "folder" else make_default_path("podgraph", format_)
        remedy = f"for that program name it {path_there}"
    raise OutputError("has no suffix that names a format", source=os.fspath(path), remedy=remedy)


def format_named(name: str) -> Format:
    """Return the format with this name or suffix, or the format that the program with this name opens.

    Raises ``OutputError`` for an unknown name.

    >>> format_named("gephi").name
    'gexf'
    """
    word = PROGRAMS.get(name.lower(), name.lower())
    for format_ in FORMATS:
        if word in {format_.name, *format_.suffixes} or f".{word}" in format_.suffixes:
            return format_
    names = sorted([*(format_.name for format_ in FORMATS), *PROGRAMS])
    raise OutputError(f"unknown format {name!r}", remedy=nearest(name, names) or f"use one of {', '.join(names)}")
