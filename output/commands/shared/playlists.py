"""``-o FILE``: an answer as a file, or its episodes as a playlist."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, cast

from podgraph.extractors import OutputError, nearest
from podgraph.graph import title_of

from ...terminal import note, print_json
from .wording import counted, with_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from podgraph.graph import NodeAttributes, View

    from ...answers import Answer, Item

_MOST = 3  # shows in a title


def add_output_argument(parser: argparse.ArgumentParser, question: str, playlist: str = "") -> None:
    """Add ``-o`` to the command of ``question``. ``playlist`` are the episodes of its answer, if any."""
    from ...answer_files import answer_suffixes  # noqa: PLC0415 - few answers are written

    suffixes = ", ".join(answer_suffixes(question))
    lists = (
        f", or {playlist} as a playlist (.m3u8, .opml, .rss, .xspf; - is RSS on standard output)" if playlist else ""
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", default=[],
        type=_path_parser(question, playlist=bool(playlist)),
        help=f"write the answer to a file instead, several times: {suffixes}{lists}",
    )  # fmt: skip


def _path_parser(question: str, *, playlist: bool) -> Callable[[str], Path]:
    """Return argparse's type for the file of an answer: it refuses an unfit file before the question is answered.

    With ``playlist``, files of playlists are allowed too.
    """

    def read(text: str) -> Path:
        from pathlib import Path  # noqa: PLC0415 - few answers are written

        from ...answer_files import answer_suffixes, check_answer_file  # noqa: PLC0415
        from ...playlists import PLAYLISTS, check_playlist  # noqa: PLC0415

        try:
            if check_answer_file(text, question):
                return Path(text)
            known = [*answer_suffixes(question), *(PLAYLISTS if playlist else ())]
            if not playlist or (text != "-" and Path(text).suffix.lower() not in known):
                remedy = nearest(Path(text).suffix, known) or f"call it {', '.join(f'*{one}' for one in known)}"
                raise OutputError("is no file for an answer", source=text, remedy=remedy)
            check_playlist(text)
        except OutputError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
        return Path(text)

    return read


def answered(
    arguments: argparse.Namespace,
    answers: Sequence[Answer[Any, Any]],
    view: View,
    what: str,
    *,
    several: bool = False,
    serial: bool = True,
    episodes: Sequence[tuple[str, NodeAttributes, str]] | None = None,
) -> bool:
    """Write answers to the given files, or print them as JSON; return whether either was wanted.

    Empty answers are not written. JSON is a list of answers where there may be ``several``. ``serial`` and
    ``episodes`` (else those of the answers) are for playlists, as in ``write_playlists``.
    """
    from ...answer_files import check_answer_file, write_answer  # noqa: PLC0415 - few answers are written

    if not (arguments.output and (episodes is not None or any(answers))):
        if arguments.json:
            documents = [one.to_dict(arguments.fields) for one in answers]
            print_json(documents if several else documents[0])
        return bool(arguments.json)
    lists = []
    for path in arguments.output:
        if not check_answer_file(str(path), answers[0].question):
            lists.append(path)
            continue
        write_answer(str(path), _titled(view, what), answers, view, arguments.fields)
        note(f"wrote {path}: {counted(sum(map(len, answers)), 'row')}", quiet=arguments.quiet)
    if lists:
        rows = [(row.id, view.node(row.id) or {}, _why(row)) for answer in answers for row in answer]
        playlist_arguments = argparse.Namespace(output=lists, quiet=arguments.quiet)
        write_playlists(playlist_arguments, what, rows if episodes is None else episodes, view, serial=serial)
    return True


def _why(row: Item) -> str:
    said = "; ".join(row.reasons) or row.reason or str(row.get("excerpt", ""))
    return with_moment(said, cast("NodeAttributes", row), () if row.time is None else (row.time,))


def _titled(view: View, what: str) -> str:
    shows = [title_of(node) for _, node in view.nodes("podcast")]
    others = f" and {len(shows) - _MOST} more" if len(shows) > _MOST else ""
    return f"{', '.join(shows[:_MOST])}{others}: {what}" if shows else what


def write_playlists(
    arguments: argparse.Namespace,
    what: str,
    episodes: Iterable[tuple[str, NodeAttributes, str]],
    view: View,
    *,
    serial: bool = True,
) -> None:
    """Write an answer, given as (id, attributes, why it stands there), to the named files.

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
