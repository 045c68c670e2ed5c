"""The episodes of an answer as a playlist: M3U in UTF-8 with common extensions, or RSS 2.0 for podcast apps.

The RSS feed has the type ``serial`` (https://help.apple.com/itc/podcasts_connect), for apps to keep the order.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from podgraph.extractors import OutputError

from .files import write_text
from .formats.shared.steering import clean_text
from .formats.shared.weblink import to_web_link
from .json_text import MARK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from podgraph.graph import Answer, Row

    from .library import Graph

_TYPES = {"m4a": "audio/mp4", "mp4": "video/mp4", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav"}


def write_playlist(answer: Answer, path: str, title: str, graph: Graph) -> tuple[int, int]:
    """Write the episodes and posts of an answer; return how many were written, and how many have no sound or page.

    Raises ``OutputError`` for an answer without episodes, and when none can be played.
    """
    episodes = [row for row in answer.rows if row.kind in ("episode", "blog")]
    if not episodes:
        raise OutputError("there is no episode in this answer", source=path, remedy="ask for episodes")
    needs_sound = path.lower().endswith(".m3u8")
    playable = [row for row in episodes if to_web_link(row.audio_url) or (to_web_link(row.url) and not needs_sound)]
    if not playable and any(row.audio_url for row in episodes):
        problem = "its feed is private: the graph has no address to listen at, as that would need the feed's key"
        raise OutputError(problem, source=path, remedy="listen in the application that has the feed")
    if not playable:
        raise OutputError("the sound of no episode is known", source=path, remedy="write .rss, which has pages, too")
    lines = _list_m3u_lines(title, playable) if needs_sound else _list_rss_lines(title, playable, graph)
    write_text(path, (f"{line}\n" for line in lines))
    return len(playable), len(episodes) - len(playable)


def _clean(value: object) -> str:
    """Return text as one line valid in all forms."""
    return " ".join(clean_text(str(value or "")).split())


def _list_m3u_lines(title: str, rows: list[Row]) -> Iterator[str]:
    yield f"#EXTM3U\n# {MARK}\n#PLAYLIST:{_clean(title)}"
    for row in rows:
        yield f"#EXTINF:{int(row.duration or -1)},{_clean(row.title)}\n{to_web_link(row.audio_url)}"


def _list_rss_lines(title: str, rows: list[Row], graph: Graph) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- {MARK} -->'
    yield '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>'
    home = next((link for row in rows if (link := to_web_link(row.url))), "")
    name = escape(_clean(title))
    yield f"<title>{name}</title><link>{escape(home)}</link><description>{name}</description>"
    yield "<generator>podgraph</generator><itunes:type>serial</itunes:type>"
    for place, row in enumerate(rows, 1):
        date = ""
        with suppress(ValueError):  # a stranger's date, or none
            date = format_datetime(datetime.fromisoformat(str(row.date)))
        elements = {
            "title": row.title,
            "itunes:episode": place,
            "link": to_web_link(row.url),
            "pubDate": date,
            "itunes:duration": int(row.duration or 0),
            "itunes:author": graph[row.podcast].title if row.podcast and row.podcast in graph else "",
            "description": "; ".join(map(str, row.get("reasons", ()))),
        }
        yield f'<item><guid isPermaLink="false">{escape(_clean(row.get("guid", row.id)))}</guid>'
        yield from (f"  <{tag}>{escape(_clean(text))}</{tag}>" for tag, text in elements.items() if text)
        if sound := to_web_link(row.audio_url):
            media_type = _TYPES.get(sound.partition("?")[0].rpartition(".")[2].lower(), "audio/mpeg")
            # RSS demands a length, but the graph does not have it: 0 means unknown.
            yield f'  <enclosure url={quoteattr(sound)} length="0" type="{media_type}"/>'
        yield "</item>"
    yield "</channel></rss>"
