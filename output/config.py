"""Defaults in a file, ``podgraph.toml``: the user's own, and one in the working folder, which goes first.

Whoever unpacks a stranger's folder has not agreed to what lies in it. A file of the working folder is therefore not
trusted: its paths stay below its folder, links resolved, and a line says that it is used. No key names a plug-in.
"""

from __future__ import annotations

import os
import sys
from types import MappingProxyType

from podgraph.extractors import PodgraphError
from podgraph.lazy import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "podgraph.toml"
_LARGEST = 1 << 20  # bytes
_TEXTS, _TEXT, _TABLE, _FLAG = "a list of texts", "a text", "a table", "true or false"
KEYS = {
    "sources": (_TEXTS, "what `build` reads when no source is named"),
    "formats": (_TEXTS, "what `build` writes without -o and --format: `podgraph.` with the suffix of each format"),
    "as": (_TEXT, "`episodes` or `posts`: what the items of all sources are (`--as`)"),
    "private": (_FLAG, "whether the feeds are private, whatever they look like"),
    "repository": (_TEXT, "`owner/name`: what a bare #12 and a path are of (`--repo`)"),
    "vocabulary": (_TEXT, "a file of topics to look for (`--vocabulary`)"),
    "index": (_TEXT, "a file of names of code (`--index`)"),
    "title": (_TEXT, "the title of the page (`--title`)"),
    "description": (_TEXT, "what search engines and networks say of the page (`--description`)"),
    "accent": (_TEXT, "the colour of its links and marks (`--accent`)"),
    "logo": (_TEXT, "a picture before its title (`--logo`)"),
    "site_url": (_TEXT, "where it will stand (`--site-url`)"),
    "graph": (_TEXT, "the graph that is asked without `-g` and $PODGRAPH_GRAPH"),
    "corrections": (_TABLE, "what a person corrects in the graph"),
}
"""The keys of a file: what stands there, and what it is for."""

_PATHS = ("vocabulary", "index", "graph", "logo")
_WEB = ("https://", "http://")
_AS = ("episodes", "posts")


class Config(NamedTuple):
    """What files of defaults say; what none says is empty. ``paths`` are these files, the weaker first.

    ``values`` are those of ``KEYS`` but the corrections: of these, each file has its own (path of the file, table).
    """

    values: Mapping[str, str | bool | tuple[str, ...]] = MappingProxyType({})
    corrections: tuple[tuple[str, Mapping[str, object]], ...] = ()
    paths: tuple[str, ...] = ()


def load_config() -> Config:
    """Return what the user's file and that of the working folder say; raise ``PodgraphError`` for what is wrong."""
    own = user_file()
    config = _read(own, trusted=True) if os.path.isfile(own) else Config()  # noqa: PTH113 - a question cannot wait
    if not os.path.isfile(NAME):  # noqa: PTH113 - nor here
        return config
    here = _read(NAME, trusted=False)
    values = {**config.values, **here.values}
    return Config(values, (*config.corrections, *here.corrections), (*config.paths, *here.paths))


def user_file() -> str:
    """Return the path of the user's own file, whether or not it is there; ``platformdirs`` knows the folder."""
    system: str = sys.platform
    if system.startswith("linux"):  # its rule, told apart: loading it takes longer than most answers
        home = os.environ.get("XDG_CONFIG_HOME", "").strip() or os.path.expanduser("~/.config")  # noqa: PTH111
        return os.path.join(home, "podgraph", NAME)  # noqa: PTH118
    import platformdirs  # noqa: PLC0415 - only where its rules are many

    return str(platformdirs.user_config_path("podgraph", appauthor=False) / NAME)


def _read(path: str, *, trusted: bool) -> Config:
    import tomllib  # noqa: PLC0415 - only for those who have such a file

    from podgraph.extractors import why_unreadable  # noqa: PLC0415

    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - pathlib costs as much as the answer
            data = stream.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise PodgraphError("is too long for a file of defaults", source=path, remedy="--no-config passes it over")
        table = tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise PodgraphError(f"cannot be read ({error.strerror})", source=path) from error
    except (ValueError, RecursionError) as error:  # TOMLDecodeError and UnicodeDecodeError are such
        raise PodgraphError(
            f"is no TOML: {why_unreadable(error)}", source=path, remedy="mend it, or say --no-config"
        ) from error
    config = Config(paths=(path,))
    for name, value in table.items():
        config = _with(config, name, value, path)
    placed = {name: _placed(name, value, path, trusted=trusted) for name, value in config.values.items()}
    return config._replace(values=placed)


def _with(config: Config, name: str, value: object, path: str) -> Config:
    """Return what is known with one key more, checked."""
    if name not in KEYS:
        raise PodgraphError(f"there is no key {name!r}", source=path, remedy=f"one of {', '.join(KEYS)}")
    wanted, _ = KEYS[name]
    if wanted == _TABLE and isinstance(value, dict):
        return config._replace(corrections=((path, value),))
    if (wanted == _TEXT and isinstance(value, str)) or (wanted == _FLAG and isinstance(value, bool)):
        return config._replace(values={**config.values, name: value})
    if wanted == _TEXTS and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return config._replace(values={**config.values, name: tuple(value)})
    raise PodgraphError(f"{name} has to be {wanted}", source=path, remedy="mend it, or say --no-config")


def _placed(
    name: str, value: str | bool | tuple[str, ...], path: str, *, trusted: bool
) -> str | bool | tuple[str, ...]:
    """Return a value with its paths as seen from the working folder; what a text may say is checked."""
    if name == "as" and value not in _AS:
        raise PodgraphError(f"as has to be {' or '.join(_AS)}", source=path, remedy="mend it, or say --no-config")
    if isinstance(value, tuple) and name == "sources":
        return tuple(one if is_no_path(one) else _path(name, one, path, trusted=trusted) for one in value)
    return _path(name, value, path, trusted=trusted) if name in _PATHS and isinstance(value, str) else value


def is_no_path(source: str) -> bool:
    """Return whether a source is an address, the sample or standard input, and so names no file."""
    return source in {"sample", "-"} or source.lower().startswith(_WEB)


def _path(name: str, value: str, path: str, *, trusted: bool) -> str:
    """Return a path: the user's is relative to the file it stands in; a stranger's has to stay below that folder."""
    if "\0" in value:
        raise PodgraphError(f"{name} names no file", source=path, remedy="mend it, or say --no-config")
    folder = os.path.dirname(path)  # noqa: PTH120 - strings are compared here, as the system resolves them
    if trusted:
        return os.path.join(folder, os.path.expanduser(value))  # noqa: PTH111, PTH118
    if not lies_below(value, folder):
        raise PodgraphError(
            f"{name} names {value!r}, which is outside of its folder",
            source=path,
            remedy="name it on the command line, or in your own file of defaults",
        )
    return value


def lies_below(value: str, folder: str = "") -> bool:
    """Return whether a path, its links resolved, lies in a folder (the working folder) or below it."""
    root, real = os.path.realpath(folder or "."), os.path.realpath(value)
    return "://" not in value and f"{real}{os.sep}".startswith(f"{root.rstrip(os.sep)}{os.sep}")
