"""Episodes as playlists for players and podcast apps: M3U, OPML, RSS, XSPF.

M3U in UTF-8 with common extensions; OPML 2.0 (http://opml.org/spec2.opml), with an outline for each show, to
subscribe to; RSS 2.0 of the type ``serial`` (https://help.apple.com/itc/podcasts_connect), for apps to keep
the order, or ``episodic`` for lists with the newest first; XSPF 1 (https://xspf.org/spec). Without a known audio file,
the entry links to the episode's page.
"""

from __future__ import annotations

import os
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from podgraph.extractors import OutputError
from podgraph.graph import title_of

from .files import is_standard_output, output_errors, write_text
from .formats.shared.flatten import clean_text
from .formats.shared.steering import without_steering
from .formats.shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from podgraph.graph import NodeAttributes, View

_XML = '<?xml version="1.0" encoding="UTF-8"?>'
_MARK = "made by podgraph"  # recognises our own files
_HEAD = 400  # bytes at the beginning of a file, searched for the mark
_TYPES = {"m4a": "audio/mp4", "mp4": "video/mp4", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav"}


class Entry(NamedTuple):
    """An episode in a playlist; unknown values are empty. ``why`` is the reason for it, ``seconds`` its length.

    The graph has no address of a ``private`` feed's episode, only the host of its audio file.
    """

    title: str
    page: str
    sound: str
    seconds: int
    date: str
    guid: str
    show: str
    feed: str
    home: str
    why: str = ""
    private: bool = False


def entries(episodes: Iterable[tuple[str, NodeAttributes, str]], view: View) -> list[Entry]:
    """Return the entries of the episodes and posts among (id, attributes, reason)."""
    found = []
    for id_, node, why in episodes:
        if node.get("kind") in ("episode", "blog"):
            show = view.node(node.get("podcast", "")) or {}
            length = node.get("duration")
            found.append(
                Entry(
                    _line(title_of(node, id_)), web_link(node.get("url")), web_link(audio := node.get("audio_url")),
                    int(length) if isinstance(length, int | float) else 0, str(node.get("date", "")),
                    _line(str(node.get("guid", id_))), _line(title_of(show)), web_link(show.get("feed_url")),
                    web_link(show.get("url")), _line(why), private=bool(audio) and not web_link(audio),
                )
            )  # fmt: skip
    return found


def check_playlist(path: str | os.PathLike[str]) -> str:
    """Return the suffix of a playlist's path; ``OutputError`` for one of no form, or another program's file."""
    name = os.fspath(path)
    suffix = ".rss" if is_standard_output(name) else os.path.splitext(name)[1].lower()  # noqa: PTH122 - as typed
    if suffix not in PLAYLISTS:
        known = ", ".join(f"*{one}" for one in PLAYLISTS)
        raise OutputError("is not a playlist", source=name, remedy=f"call it {known}")
    if not is_standard_output(name) and Path(name).is_file():
        with output_errors(name), Path(name).open("rb") as stream:
            head = stream.read(_HEAD)
        if head.strip() and _MARK.encode() not in head:
            raise OutputError("is there, and podgraph did not write it", source=name, remedy="give another name")
    return suffix


def write_playlist(path: str | os.PathLike[str], title: str, found: Sequence[Entry], *, serial: bool = True) -> int:
    """Write a playlist in the format of the path's suffix; return the number of entries left out without an address.

    ``serial``: the order is a listening order; a list with the newest first has no numbers.

    Raises ``OutputError`` when no entry can be played, and for paths refused by ``check_playlist``.
    """
    suffix = check_playlist(path)
    form, needs_sound = PLAYLISTS[suffix]
    kept = [one for one in found if one.sound or (one.page and not needs_sound)]
    if found and not kept:
        problem = (
            "the sound of no episode is known, and an M3U has nothing else" if needs_sound else "no address is known"
        )
        remedy = "write .rss, .opml or .xspf" if needs_sound else ""
        if any(one.private for one in found):
            problem = "its feed is private: no address to listen at is in the graph, as that would need the feed's key"
            remedy = "listen in the application that has the feed"
        raise OutputError(problem, source=os.fspath(path), remedy=remedy)
    lines = form(_line(title), kept) if serial or form is not _rss else _rss(_line(title), kept, serial=False)
    write_text(path, (f"{line}\n" for line in lines))
    return len(found) - len(kept)


def _line(text: str) -> str:
    """Return text as one line valid in all forms."""
    return " ".join(without_steering(clean_text(text)).split())


def _m3u(title: str, entries: Sequence[Entry]) -> Iterator[str]:
    yield "#EXTM3U"
    yield f"# {_MARK}"
    yield f"#PLAYLIST:{title}"
    for entry in entries:
        yield f"#EXTINF:{entry.seconds or -1},{entry.title}"
        yield entry.sound


def _opml(title: str, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the lines of OPML, with an outline for each show and its episodes below."""
    yield _XML
    yield f"<!-- {_MARK} -->"
    yield f'<opml version="2.0"><head><title>{escape(title)}</title></head><body>'
    shows: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        shows.setdefault((entry.show, entry.feed, entry.home), []).append(entry)
    for (show, feed, home), episodes in shows.items():
        kind = {"type": "rss", "xmlUrl": feed, "htmlUrl": home} if feed else {}
        yield f"<outline{_attributes({'text': show or title, **kind})}>"
        for entry in episodes:
            link = {"text": entry.title, "type": "link", "url": entry.sound or entry.page, "created": _day(entry.date)}
            yield f"  <outline{_attributes(link)}/>"
        yield "</outline>"
    yield "</body></opml>"


def _rss(title: str, entries: Sequence[Entry], *, serial: bool = True) -> Iterator[str]:
    """Yield the lines of an RSS feed. ``serial`` gives the episodes numbers in the order of the list."""
    yield _XML
    yield f"<!-- {_MARK} -->"
    yield '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>'
    home = next((link for entry in entries if (link := entry.home or entry.page)), "")
    yield f"<title>{escape(title)}</title><link>{escape(home)}</link><description>{escape(title)}</description>"
    yield f"<generator>podgraph</generator><itunes:type>{'serial' if serial else 'episodic'}</itunes:type>"
    for place, entry in enumerate(entries, 1):
        yield "<item>"
        number = f"<itunes:episode>{place}</itunes:episode>" if serial else ""
        yield f"  <title>{escape(entry.title)}</title>{number}"
        yield f'  <guid isPermaLink="false">{escape(entry.guid)}</guid>'
        yield from (f"  <{name}>{escape(value)}</{name}>" for name, value in _item_elements(entry) if value)
        if entry.sound:
            ending = entry.sound.partition("?")[0].rpartition(".")[2].lower()
            # RSS demands a length, but the graph does not have it: 0 means unknown.
            of_sound = {"url": entry.sound, "length": "0", "type": _TYPES.get(ending, "audio/mpeg")}
            yield f"  <enclosure{_attributes(of_sound)}/>"
        yield "</item>"
    yield "</channel></rss>"


def _item_elements(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return (name, text) of the simple elements of an RSS item; an empty text means no element."""
    length = str(entry.seconds) if entry.seconds else ""
    return (
        ("link", entry.page),
        ("pubDate", _day(entry.date)),
        ("itunes:duration", length),
        ("itunes:author", entry.show),
        ("description", entry.why),
    )


def _xspf(title: str, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the lines of an XSPF playlist."""
    yield _XML
    yield f"<!-- {_MARK} -->"
    yield f'<playlist version="1" xmlns="http://xspf.org/ns/0/"><title>{escape(title)}</title><trackList>'
    for entry in entries:
        length = str(1000 * entry.seconds) if entry.seconds else ""
        parts = (
            ("location", entry.sound), ("title", entry.title), ("creator", entry.show), ("annotation", entry.why),
            ("info", entry.page), ("duration", length),
        )  # fmt: skip
        yield f"<track>{''.join(f'<{name}>{escape(value)}</{name}>' for name, value in parts if value)}</track>"
    yield "</trackList></playlist>"


def _attributes(values: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items() if value)


def _day(date: str) -> str:
    """Return a date in the format of RFC 5322; "" for an invalid one.

    >>> _day("2024-03-01T12:00:00+02:00"), _day("2024"), _day("")
    ('Fri, 01 Mar 2024 12:00:00 +0200', '', '')
    """
    try:
        return format_datetime(datetime.fromisoformat(date))
    except ValueError:
        return ""


# A suffix -> how it is written, and whether it holds sounds alone.
PLAYLISTS: dict[str, tuple[Callable[[str, Sequence[Entry]], Iterator[str]], bool]] = {
    ".m3u8": (_m3u, True),
    ".m3u": (_m3u, True),
    ".opml": (_opml, False),
    ".rss": (_rss, False),
    ".xspf": (_xspf, False),
}
