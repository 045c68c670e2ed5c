"""The options for look-ups of cited artifacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.graph import pull_request

from ...terminal import note

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from podgraph.extractors import Wanted
    from podgraph.graph import View


def add_look_up_arguments(parser: argparse.ArgumentParser, *, titles: bool = True) -> None:
    """Add the options for the sources of look-ups; without ``titles`` those for the files of a change."""
    group = parser.add_argument_group("what the links lead to")
    group.add_argument(
        "--checkout", metavar="DIR", action="append", default=[],
        help="a local clone, or owner/name=DIR, several times: titles, authors, files changed, renames; no network",
    )  # fmt: skip
    group.add_argument(
        "--github", action="store_true",
        help="ask GitHub: titles, states, authors, files; with the token of GITHUB_TOKEN, GH_TOKEN or `gh`, else a few",
    )  # fmt: skip
    if not titles:
        parser.set_defaults(titles=False, archive=False)
        return
    group.add_argument(
        "--titles", action="store_true",
        help="ask the cited pages, papers, posts and videos for their titles; each once a month at most",
    )  # fmt: skip
    group.add_argument(
        "--archive", action="store_true",
        help="ask the Wayback Machine (archive.org) for copies of links that moved or are gone, near the episode's day",
    )  # fmt: skip


def wanted_by(arguments: argparse.Namespace) -> Wanted | None:
    """Return the requested look-ups, ``None`` without any. Raises ``SourceError`` for a folder other than a clone."""
    offline = bool(getattr(arguments, "offline", False))
    if not (arguments.checkout or arguments.github or arguments.titles or arguments.archive or offline):
        return None
    from podgraph.extractors import want  # noqa: PLC0415 - few builds look anything up

    return want(
        arguments.checkout, github=arguments.github, titles=arguments.titles, archive=arguments.archive, offline=offline
    )


def look_up_pulls(texts: Sequence[str], arguments: argparse.Namespace, view: View) -> list[str]:
    """Look up the files of the pull requests in ``texts`` but not in the graph, if the options allow it."""
    wanted = wanted_by(arguments)
    pulls = {pull for text in texts if (pull := pull_request(text, view))} if wanted else set()
    if not pulls or wanted is None:
        return []
    from podgraph.extractors import find_pull_files  # noqa: PLC0415 - few questions look anything up

    found: list[str] = []
    for repo, number in sorted(pulls):
        found += find_pull_files(repo, number, wanted, notify=lambda line: note(line, quiet=arguments.quiet))
    return found
