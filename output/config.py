"""Defaults in a file, ``podgraph.toml``: the user's own, and one in the working folder, with priority.

The working folder may be a stranger's: a clone, an unpacked archive. So all names in its file carry their origin
(``Origin``): files must be below the folder, addresses public, and a line reports the use of the file. No key can name
a plug-in.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from podgraph.extractors import TYPED, Named, Origin, PodgraphError, may_reach

NAME = "podgraph.toml"
_LARGEST = 64 << 10  # bytes
_TEXTS, _TEXT, _TABLE, _FLAG = "a list of texts", "a text", "a table", "true or false"
KEYS = {
    "sources": (_TEXTS, "what `build` reads when no source is named"),
    "formats": (_TEXTS, "what `build` writes without -o: `podgraph.` with the suffix of each format"),
    "as": (_TEXT, "`episodes` or `posts`: what the items of all sources are"),
    "private": (_FLAG, "whether the feeds are private, whatever they look like"),
    "repository": (_TEXT, "`owner/name`: what a bare #12 and a path are of"),
    "vocabulary": (_TEXT, "a file of topics to look for"),
    "index": (_TEXT, "a file of names of code"),
    "fetch_transcripts": (_FLAG, "whether `build` fetches the transcripts and chapters that the feeds name"),
    "title": (_TEXT, "the title of the page"),
    "description": (_TEXT, "what search engines and networks say of the page"),
    "accent": (_TEXT, "the colour of its links and marks"),
    "logo": (_TEXT, "a picture before its title"),
    "site_url": (_TEXT, "where it will stand"),
    "graph": (_TEXT, "the graph that is asked without `-g` and $PODGRAPH_GRAPH"),
    "boilerplate": (_TEXTS, "hosts and beginnings of addresses whose links are boilerplate, such as a sponsor's"),
    "corrections": (_TABLE, "what a person corrects in the graph"),
}
"""The keys of a file: what stands there, and what it is for."""

_PATHS = ("vocabulary", "index", "graph", "logo")
_AS = ("episodes", "posts")
_WEB = ("https://", "http://")


class Config(NamedTuple):
    """The settings of all files; missing keys are absent. ``paths`` are these files, the weaker first.

    ``values`` has the keys of ``KEYS``. ``corrections`` has a pair (path of the file, table) for each table of
    corrections, and one for ``boilerplate``.
    Paths are relative to the working folder, and each source has its origin.
    """

    values: Mapping[str, str | bool | tuple[str | Named, ...]] = MappingProxyType({})
    corrections: tuple[tuple[str, Mapping[str, object]], ...] = ()
    paths: tuple[str, ...] = ()


def load_config() -> Config:
    """Return the settings of the user's file and of the working folder. Raises ``PodgraphError`` for an invalid one."""
    users_file = user_file()
    config = _read(str(users_file), TYPED) if users_file.is_file() else Config()
    if not Path(NAME).is_file():
        return config
    origin = folder_origin()
    if not may_reach(origin, NAME):
        problem = "is a link to a file outside its folder"
        raise PodgraphError(problem, source=NAME, remedy="remove it")
    of_folder = _read(NAME, origin)
    values = {**config.values, **of_folder.values}
    return Config(values, (*config.corrections, *of_folder.corrections), (*config.paths, *of_folder.paths))


def user_file() -> Path:
    """Return the path of the user's own file, whether or not it exists. ``platformdirs`` has the rules."""
    system: str = sys.platform
    if system.startswith("linux"):  # one rule; to import platformdirs takes a quarter of a question
        home = os.environ.get("XDG_CONFIG_HOME", "").strip()
        return (Path(home) if home else Path.home() / ".config") / "podgraph" / NAME
    import platformdirs  # noqa: PLC0415 - only where its rules are many

    return platformdirs.user_config_path("podgraph", appauthor=False) / NAME


def folder_origin() -> Origin:
    """Return the origin of everything named in the working folder's file."""
    return Origin.of_settings("")


def _read(path: str, origin: Origin) -> Config:
    """Read a settings file; relative paths in it become paths from its folder.

    ``origin`` decides what the file may name. Raises ``PodgraphError`` for a file that is unreadable, large or invalid.
    """
    from podgraph.extractors import parse_toml, why_unreadable  # noqa: PLC0415 - only needed with such a file

    try:
        with Path(path).open("rb") as stream:
            data = stream.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            problem = f"is larger than {_LARGEST >> 10} KB"
            raise PodgraphError(problem, source=path, remedy="shorten it")
        table = parse_toml(data.decode("utf-8-sig"))
    except OSError as error:
        raise PodgraphError(f"cannot be read ({error.strerror})", source=path) from error
    except (ValueError, RecursionError) as error:  # TOMLDecodeError and UnicodeDecodeError are such
        problem = f"is not TOML: {why_unreadable(error)}"
        raise PodgraphError(problem, source=path, remedy="mend it") from error
    config = Config(paths=(path,))
    for name, value in table.items():
        config = _with(config, name, value, path)
    return config._replace(values={name: _placed(name, value, path, origin) for name, value in config.values.items()})


def _with(config: Config, name: str, value: object, path: str) -> Config:
    """Return the settings with one more key, checked."""
    if name not in KEYS:
        raise PodgraphError(f"there is no key {name!r}", source=path, remedy=f"one of {', '.join(KEYS)}")
    wanted, _ = KEYS[name]
    if wanted == _TABLE and isinstance(value, dict):
        return config._replace(corrections=(*config.corrections, (path, value)))
    if (wanted == _TEXT and isinstance(value, str)) or (wanted == _FLAG and isinstance(value, bool)):
        return config._replace(values={**config.values, name: value})
    if wanted == _TEXTS and isinstance(value, list) and all(isinstance(item, str) for item in value):
        if name == "boilerplate":  # a correction with a short form
            return config._replace(corrections=(*config.corrections, (path, {name: value})))
        return config._replace(values={**config.values, name: tuple(value)})
    raise PodgraphError(f"{name} has to be {wanted}", source=path, remedy="mend it")


def _placed(name: str, value: object, path: str, origin: Origin) -> str | bool | tuple[str | Named, ...]:
    """Return a checked value: the user's paths as seen from the working folder, sources with their origin."""
    if isinstance(value, bool):
        return value
    if name == "as" and value not in _AS:
        raise PodgraphError(f"as has to be {' or '.join(_AS)}", source=path, remedy="mend it")
    if "\0" in "".join(value if isinstance(value, tuple) else str(value)):
        raise PodgraphError(f"{name} contains a NUL", source=path, remedy="mend it")
    if isinstance(value, tuple):
        return tuple(Named(_beside(path, one, origin), origin) for one in value) if name == "sources" else value
    text = str(value)
    if name not in _PATHS or (name == "graph" and text == "sample"):
        return text
    placed = _beside(path, text, origin)
    if not origin.typed and ("://" in text or not may_reach(origin, placed)):
        remedy = "name it on the command line, or in your own file of defaults"
        raise PodgraphError(f"{name} names {text!r}, which is outside of its folder", source=path, remedy=remedy)
    return placed


def is_no_path(source: str) -> bool:
    """Return whether a source is an address, the sample or standard input, and so names no file."""
    return source in {"sample", "-"} or source.lower().startswith(_WEB)


def _beside(path: str, value: str, origin: Origin) -> str:
    """Resolve a path or address in settings: a path in the user's own settings begins at their folder."""
    if not origin.typed or is_no_path(value):
        return value
    return str(Path(path).parent / Path(value).expanduser())
