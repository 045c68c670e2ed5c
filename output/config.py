"""The settings in ``podgraph.toml``: the user's own file, and one in the working folder, which comes first.

The working folder may be a stranger's: a clone, an unpacked archive. So each name in its file carries its origin
(``Origin``): files must be below the folder, addresses must be public, and a note reports that the file is used. No key
can name a plug-in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from podgraph.extractors import TYPED, Named, Origin, PodgraphError, may_reach

NAME = "podgraph.toml"
_TYPES = {"a list of texts": list, "a text": str, "a table": dict, "true or false": bool}
KEYS: dict[str, tuple[str, str]] = {}
"""The keys of a file: name -> (form of the value, purpose)."""
for line in Path(__file__).with_name("settings.txt").read_text("utf-8").splitlines():
    name, form, purpose = line.split(" | ")
    KEYS[name] = (form, purpose)


class Config(NamedTuple):
    """The settings of all files.

    ``values`` has the settings by key (see ``KEYS``); a missing key is absent. ``corrections`` are (path of the file,
    table) for each table of corrections, and for each ``boilerplate``. ``files`` are the paths of the files by key, of
    each setting the one that counts. Paths in the values are relative to the working folder, and each source has its
    origin.
    """

    values: dict[str, Any]
    corrections: list[tuple[str, dict[str, Any]]]
    files: dict[str, str]


def load_config() -> Config:
    """Return the settings of the user's own file and of the working folder's; the latter's values replace the former's.

    Corrections of both files count. The working folder may be somebody else's, so its file names only files below the
    folder and public addresses; the user's own file may name anything, as if it were typed (``TYPED``). Raises
    ``PodgraphError`` for an invalid file.
    """
    config = Config({}, [], {})
    for path, origin in ((str(user_file()), TYPED), (NAME, folder_origin())):
        if Path(path).is_file():
            if not may_reach(origin, path):
                raise PodgraphError("is a link to a file outside its folder", source=path, remedy="remove it")
            _add_settings(config, path, origin)
    return config


def _add_settings(config: Config, path: str, origin: Origin) -> None:
    """Add the settings in the file ``path`` to ``config``, in place of earlier values of the same keys.

    ``origin`` says whether the user trusts the file, or whether it may only name files below its folder. Sources are
    checked later, when they are read. Raises ``PodgraphError`` for an invalid file.
    """
    for name, value in _read_table(path).items():
        _check_value(name, value, path)
        config.files[name] = path
        if name in ("corrections", "boilerplate"):  # the latter is a correction with a short form
            config.corrections.append((path, value if name == "corrections" else {name: value}))
        elif name == "sources":
            config.values[name] = tuple(Named(_resolve_path(path, source, origin), origin) for source in value)
        elif name in ("vocabulary", "index", "graph", "logo") and value != "sample":  # the paths of files
            config.values[name] = _resolve_path(path, value, origin)
            if not origin.is_typed and ("://" in value or not may_reach(origin, value)):
                remedy = "name it on the command line, or in your own file of defaults"
                problem = f"{name} names {value!r}, which is outside of its folder"
                raise PodgraphError(problem, source=path, remedy=remedy)
        else:
            config.values[name] = value


def user_file() -> Path:
    """Return the path of the user's own settings, whether or not the file exists.

    The library ``platformdirs`` knows the folder of each operating system.
    """
    import platformdirs  # noqa: PLC0415 - a question on a named graph does without

    return platformdirs.user_config_path("podgraph", appauthor=False) / NAME


def folder_origin() -> Origin:
    """Return the origin of names in the working folder's settings: it limits what files and addresses they may be."""
    return Origin.of_settings("")


def _read_table(path: str) -> dict[str, Any]:
    """Return the keys and values of a settings file.

    Raises ``PodgraphError`` for a file that is larger than 64 KB or not TOML.
    """
    from podgraph.extractors import parse_toml, why_unreadable  # noqa: PLC0415 - only needed with such a file

    try:
        if Path(path).stat().st_size > 64 << 10:
            raise PodgraphError("is larger than 64 KB", source=path, remedy="shorten it")
        return parse_toml(Path(path).read_text("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # TOMLDecodeError and UnicodeDecodeError are such
        raise PodgraphError(f"is not TOML: {why_unreadable(error)}", source=path, remedy="mend it") from error


def _check_value(name: str, value: object, path: str) -> None:
    """Raise ``PodgraphError`` for an unknown key ``name``, and for a value of another form than the key's.

    ``path`` is the file, for the message.
    """
    if name not in KEYS:
        raise PodgraphError(f"there is no key {name!r}", source=path, remedy=f"one of {', '.join(KEYS)}")
    kind, _ = KEYS[name]
    texts = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    problem = ""
    if not isinstance(value, _TYPES[kind]) or not all(isinstance(text, str) for text in texts):
        problem = f"{name} has to be {kind}"
    elif name == "as" and value not in ("episodes", "posts"):
        problem = "as has to be episodes or posts"
    elif any("\0" in text for text in texts):
        problem = f"{name} contains a NUL"
    if problem:
        raise PodgraphError(problem, source=path, remedy="mend it")


def is_not_path(source: str) -> bool:
    """Return whether a source does not name a file: it is an address, ``sample``, or ``-`` for standard input."""
    return source in {"sample", "-"} or source.lower().startswith(("https://", "http://"))


def _resolve_path(path: str, value: str, origin: Origin) -> str:
    """Return a source or path (``value``) in the settings file ``path`` as a path from the working folder.

    ``origin`` is that of the file. A path in the user's own settings begins at their folder; there, ``~`` is the home
    folder. Addresses, and paths in the working folder's settings, stay unchanged.
    """
    if not origin.is_typed or is_not_path(value):
        return value
    return str(Path(path).parent / Path(value).expanduser())
