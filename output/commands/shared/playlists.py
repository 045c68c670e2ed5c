"""``-o x.rss``: the episodes of an answer as a playlist."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from podgraph.extractors import OutputError
from podgraph.graph import title_of

from ...terminal import note
from .wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from podgraph.graph import NodeAttributes, View

_MOST = 3  # shows in a title


def add_playlist_argument(parser: argparse.ArgumentParser, what: str) -> None:
    """Add ``-o`` to a command that answers with episodes; ``what`` they are."""
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", type=_path, default=[],
        help=f"write {what} as a playlist instead, several times: .m3u8, .opml, .rss or .xspf; - is RSS on standard "
        "output",
    )  # fmt: skip


def _path(text: str) -> Path:
    from pathlib import Path  # noqa: PLC0415 - few answers are written

    from ...playlists import check_playlist  # noqa: PLC0415 - few answers are written

    try:
        check_playlist(text)
    except OutputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return Path(text)


def write_playlists(
    arguments: argparse.Namespace,
    what: str,
    episodes: Iterable[tuple[str, NodeAttributes, str]],
    view: View,
    *,
    serial: bool = True,
) -> None:
    """Write an answer, given as (id, attributes, why it stands there), to the files that were named.

    A playlist is called after its shows, or those of the graph where it is empty, and ``what`` it has of them;
    ``serial`` is as in ``write_playlist``. What is no episode or post is left out. Raises ``OutputError`` where nothing
    is left, or nothing can be played.
    """
    from ...playlists import entries, write_playlist  # noqa: PLC0415 - few answers are written

    answer = list(episodes)
    found = entries(answer, view)
    if answer and not found:
        raise OutputError("there is no episode in this answer", source="-o", remedy="ask for episodes")
    shows = list(dict.fromkeys(one.show for one in found if one.show))
    shows = shows or [title_of(node) for _, node in view.nodes("podcast")]
    others = f" and {len(shows) - _MOST} more" if len(shows) > _MOST else ""
    title = f"{', '.join(shows[:_MOST])}{others}: {what}" if shows else what
    for path in arguments.output:
        left_out = write_playlist(path, title, found, serial=serial)
        why = "whose feed is private or whose sound" if any(one.private for one in found) else "whose sound"
        more = f", {left_out} left out {why} is not known" if left_out else ""
        note(f"wrote {path}: {counted(len(found) - left_out, 'episode')}{more}", quiet=arguments.quiet)
