"""Settings files (``podgraph.toml``) as the defaults of a command's options."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import PodgraphError

from ...config import NAME, load_config
from ...terminal import note
from .arguments import repository
from .saved import VARIABLE

if TYPE_CHECKING:
    import argparse

    from podgraph.extractors import Named

# The option of each key, by command; `graph` is an option of all with -g.
_PAGE = {name: name for name in ("title", "description", "accent", "logo", "site_url")}
_SITE = {**_PAGE, "css": "css", "templates": "templates"}
_BUILD = {
    "sources": "source", "as": "as_kind", "private": "private", "repository": "repo", "vocabulary": "vocabulary",
    "index": "index", "fetch_transcripts": "fetch_transcripts", "chapters": "chapters",
    "formats": "usual_formats", **_SITE,
}  # fmt: skip
_OPTIONS = {
    "build": _BUILD,
    "page": _PAGE,
    "export": _SITE,
    "why": {"repository": "repo", "vocabulary": "vocabulary"},
    "cites": {"repository": "repo"},
    "show": {"repository": "repo"},
}
_FILES = ("vocabulary", "index")


def set_defaults(parser: argparse.ArgumentParser, command: str) -> None:
    """Set the defaults of a command's options from settings files. Raises ``PodgraphError`` for an invalid file."""
    options = dict(_OPTIONS.get(command, {}))
    if any("--graph" in action.option_strings for action in parser._actions):  # noqa: SLF001 - argparse has no other way
        options["graph"] = "graph"
    if not options:
        return
    config = load_config()
    used = {name: value for name, value in config.values.items() if name in options}
    if os.environ.get(VARIABLE):
        used.pop("graph", None)
    if "repository" in used:
        _check_repository(str(used["repository"]), config.paths[-1])
    for name, value in used.items():
        parser.set_defaults(**{options[name]: _value(name, value)})
    if command == "build":
        parser.set_defaults(corrections=config.corrections)
    corrected = command == "build" and config.corrections
    if config.paths and config.paths[-1] == NAME and (used or corrected):
        parser.set_defaults(config_used=f"defaults are from {NAME} here (--no-config: without it)")


def tell_of_defaults(arguments: argparse.Namespace) -> None:
    """Report in one line when a settings file of the working folder is used."""
    if told := getattr(arguments, "config_used", ""):
        note(told, quiet=arguments.quiet)


def _value(name: str, value: str | bool | tuple[str | Named, ...]) -> object:
    if isinstance(value, tuple):
        return list(value)
    return Path(str(value)) if name in _FILES else value


def _check_repository(text: str, path: str) -> None:
    import argparse  # noqa: PLC0415 - for its error alone

    try:
        repository(text)
    except argparse.ArgumentTypeError as error:
        raise PodgraphError(f"repository: {error}", source=path, remedy="mend it, or say --no-config") from error
