"""Writing an answer to a file: JSON, CSV, Markdown or HTML, and a playlist of its episodes.

A playlist is M3U in UTF-8 with common extensions, or RSS 2.0 for podcast apps; the RSS feed has the type ``serial``
(https://help.apple.com/itc/podcasts_connect), for apps to keep the order.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import OutputError, nearest

from ..files import write_atomically
from ..formats.shared.texts import clean_text, to_web_link
from ..json_text import MARK
from ..render import render, to_csv, to_html, to_json, to_markdown
from ..terminal import note

if TYPE_CHECKING:
    from podgraph.graph import Answer, Row

    from ..library import Graph

PLAYLIST_SUFFIXES = (".m3u8", ".rss")
_MEDIA_TYPES = {"m4a": "audio/mp4", "mp4": "video/mp4", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav"}
_WRITERS = {".json": lambda answer: f"{to_json(answer)}\n", ".csv": to_csv, ".md": to_markdown, ".html": to_html}


def check_answer_file(path: str) -> None:
    """Raise ``OutputError`` if an answer cannot be written to ``path``: a wrong suffix, or another program's file."""
    suffix, suffixes = Path(path).suffix.lower(), (*_WRITERS, *PLAYLIST_SUFFIXES)
    if suffix not in suffixes:
        remedy = nearest(suffix, suffixes) or f"call it {', '.join(f'*{suffix}' for suffix in suffixes)}"
        raise OutputError("is not a file for an answer", source=path, remedy=remedy)
    if Path(path).is_file():
        try:
            with Path(path).open("rb") as stream:
                head = stream.read(4096)  # a mark of ours is near the beginning
        except OSError as error:
            raise OutputError(f"cannot be read ({error.strerror})", source=path) from error
        mark = {".json": b'"question":', ".csv": b"id"}.get(suffix, MARK.encode())
        if head.strip() and mark not in head:
            raise OutputError("is there, and podgraph did not write it", source=path, remedy="give another name")


def write_answer(answer: Answer, path: str, graph: Graph) -> None:
    """Write an answer to the file ``path``, whole or not at all. Its suffix chooses the format.

    ``graph`` has the audio files of the episodes, for a playlist. Raises ``OutputError`` on a failure.
    """
    suffix = Path(path).suffix.lower()
    if suffix in PLAYLIST_SUFFIXES:
        write_playlist(answer, path, graph)
        return
    write_atomically(path, _WRITERS[suffix](answer).encode())
    note(f"wrote {path}: {len(answer.rows)} rows")


def write_playlist(answer: Answer, path: str, graph: Graph) -> None:
    """Write a playlist of the episodes and posts in an answer that have an audio file or, in RSS, a page.

    ``graph`` has the titles of their podcasts. Raises ``OutputError`` for an answer without episodes, and when none can
    be played.
    """
    episodes = [row for row in answer.rows if row.kind in ("episode", "blog")]
    if not episodes:
        raise OutputError("there is no episode in this answer", source=path, remedy="ask for episodes")
    needs_audio = path.lower().endswith(".m3u8")
    playable = [row for row in episodes if to_web_link(row.audio_url) or (to_web_link(row.url) and not needs_audio)]
    if not playable and any(row.audio_url for row in episodes):
        problem = "its feed is private: the graph has no address to listen at, as that would need the feed's key"
        raise OutputError(problem, source=path, remedy="listen in the application that has the feed")
    if not playable:
        raise OutputError("the sound of no episode is known", source=path, remedy="write .rss, which has pages, too")
    name = "playlist.m3u8.jinja" if needs_audio else "playlist.rss.jinja"
    entries = [_build_entry(row, graph) for row in playable]
    home = next((entry["link"] for entry in entries if entry["link"]), "")
    title = _to_line(f"{answer.question} {answer.query}")
    text = render(Path(__file__).with_name(name), title=title, mark=MARK, home=home, rows=entries)
    write_atomically(path, text.encode())
    count = len(episodes) - len(playable)
    note(f"wrote {path}: {len(playable)} episodes{f', {count} left out whose sound is not known' * bool(count)}")


def _build_entry(row: Row, graph: Graph) -> dict[str, str | int]:
    """Return the values of an episode (a row of an answer) for the template of a playlist; each text is one line.

    ``graph`` has the title of its podcast.
    """
    sound, date = to_web_link(row.audio_url), ""
    with suppress(ValueError):  # no date, or an invalid one in a stranger's graph
        date = format_datetime(datetime.fromisoformat(str(row.date)))
    author = graph[row.podcast].title if row.podcast and row.podcast in graph else ""
    texts = {
        "title": row.title,
        "guid": row.get("guid", row.id),
        "author": author,
        "reasons": "; ".join(row.reasons or ()),
    }
    suffix = sound.partition("?")[0].rpartition(".")[2].lower()
    about = {name: _to_line(text) for name, text in texts.items()}
    return {**about, "link": to_web_link(row.url), "date": date, "seconds": int(row.duration or 0), "sound": sound,
            "media_type": _MEDIA_TYPES.get(suffix, "audio/mpeg")}  # fmt: skip


def _to_line(value: object) -> str:
    """Return a value as one line of text without characters that a format forbids."""
    return " ".join(clean_text(str(value or "")).split())
