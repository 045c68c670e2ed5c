"""The options for look-ups of cited artifacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from podgraph.extractors import Wanted


def add_look_up_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for the sources of look-ups."""
    group = parser.add_argument_group("what the links lead to")
    group.add_argument(
        "--checkout", metavar="DIR", action="append", default=[],
        help="a local clone, or owner/name=DIR, several times: titles, authors, files changed, renames; no network",
    )  # fmt: skip
    group.add_argument(
        "--github", action="store_true",
        help="ask GitHub: titles, states, authors, files; with the token of GITHUB_TOKEN, GH_TOKEN or `gh`, else a few",
    )  # fmt: skip
    group.add_argument(
        "--titles", action="store_true",
        help="ask the cited pages, papers, posts and videos for their titles; each once a month at most",
    )  # fmt: skip


def wanted_by(arguments: argparse.Namespace) -> Wanted | None:
    """Return the requested look-ups, ``None`` without any. Raises ``SourceError`` for a folder that is not a clone."""
    offline = bool(getattr(arguments, "offline", False))
    if not (arguments.checkout or arguments.github or arguments.titles or offline):
        return None
    from podgraph.extractors import want  # noqa: PLC0415 - few builds look anything up

    return want(arguments.checkout, github=arguments.github, titles=arguments.titles, offline=offline)
