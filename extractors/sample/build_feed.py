"""Turn ``episodes.toml`` into ``feed.xml``: ``python -m podgraph.extractors.sample.build_feed [--check]``.

The feed has the shape of the real one (RSS 2.0 with the namespaces of Atom, content, iTunes and Podcasting
2.0), so that the snapshot is read by the same code. The same source always gives the same bytes.
"""

from __future__ import annotations

import argparse
import tomllib
import uuid
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

HERE: Final = Path(__file__).parent
SOURCE: Final = HERE / "episodes.toml"
FEED: Final = HERE / "feed.xml"

# Not from strftime, whose names follow the locale; RFC 822 requires English.
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_text: Final = partial(escape, quote=False)

_HEAD: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<!--
  This is a snapshot written by podgraph's authors, not the live feed.
  It is made from episodes.toml by build_feed.py: edit that file, not this one.
  The summaries are podgraph's own. Times of day, guids and enclosures are placeholders; whatever else is
  not certain is named in a podgraph:uncertain element of its item.
-->
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
  xmlns:podcast="https://podcastindex.org/namespace/1.0"
  xmlns:podgraph="urn:podgraph:snapshot">
"""


def to_feed(snapshot: Mapping[str, Any]) -> str:
    """Return the RSS text of a parsed ``episodes.toml``, newest episode first.

    Raises ``KeyError`` with the name of a field that must be there and is not.
    """
    podcast = snapshot["podcast"]
    episodes = sorted(snapshot["episode"], key=lambda episode: episode["number"], reverse=True)
    lines = [
        "  <channel>",
        f'    <atom:link href="{escape(podcast["feed"])}" rel="self" type="application/rss+xml"/>',
        f"    <title>{_text(podcast['title'])}</title>",
        f"    <link>{_text(podcast['link'])}</link>",
        f"    <language>{_text(podcast['language'])}</language>",
        f"    <description>{_cdata(_text(_folded(podcast['description'])))}</description>",
        f'    <podgraph:snapshot date="{podcast["snapshot_date"].isoformat()}"/>',
        "    <podcast:medium>podcast</podcast:medium>",
        "    <itunes:type>episodic</itunes:type>",
        f"    <itunes:author>{_text(podcast['author'])}</itunes:author>",
        "    <itunes:explicit>false</itunes:explicit>",
    ]
    for episode in episodes:
        lines += ["    <item>", *(f"      {line}" for line in _write_item(episode, podcast)), "    </item>"]
    return _HEAD + "\n".join([*lines, "  </channel>", "</rss>", ""])


def _write_item(episode: Mapping[str, Any], podcast: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of an episode's item; elements without data are left out."""
    number = episode["number"]
    summary = _folded(episode["summary"])
    notes = _cdata(_notes(summary, episode.get("links", ()), episode.get("truncated", ())))
    # The real guid is not known; this one only has to stay the same from one snapshot to the next.
    guid = uuid.uuid5(uuid.NAMESPACE_URL, f"{podcast['feed']}#{number}")
    yield f'<guid isPermaLink="false">{guid}</guid>'
    if "title" in episode:
        yield f"<title>{_text(episode['title'])}</title>"
    yield f"<description>{notes}</description>"
    if "date" in episode:
        yield f"<pubDate>{_rfc822(episode['date'])}</pubDate>"
    yield f"<author>{_text(podcast['author'])}</author>"
    if "url" in episode:
        yield f"<link>{_text(episode['url'])}</link>"
    yield f"<content:encoded>{notes}</content:encoded>"
    # The address of the recording is not known. A podcast's item has one, so this one leads nowhere for sure.
    yield f'<enclosure length="0" type="audio/mpeg" url="https://example.invalid/{number}.mp3"/>'
    if "title" in episode:
        yield f"<itunes:title>{_text(episode['title'])}</itunes:title>"
    yield f"<itunes:author>{_text(podcast['author'])}</itunes:author>"
    if "duration" in episode:
        yield f"<itunes:duration>{_clock(episode['duration'])}</itunes:duration>"
    yield f"<itunes:summary>{_text(summary)}</itunes:summary>"
    yield f"<itunes:subtitle>{_text(summary)}</itunes:subtitle>"
    yield "<itunes:explicit>false</itunes:explicit>"
    yield "<itunes:episodeType>full</itunes:episodeType>"
    yield f"<itunes:episode>{number}</itunes:episode>"
    if uncertain := episode.get("uncertain"):
        fields = escape(" ".join(uncertain))
        reasons = _text("; ".join(f"{field}: {reason}" for field, reason in uncertain.items()))
        yield f'<podgraph:uncertain fields="{fields}">{reasons}</podgraph:uncertain>'


def _notes(summary: str, links: list[Mapping[str, str]], truncated: list[Mapping[str, str]]) -> str:
    """Return the notes as HTML; an address that is not whole stays text, so that nobody can follow it."""
    rows = [
        f'<li>{_text(link["text"])} <a href="{escape(link["url"])}">{_text(link["url"])}</a></li>' for link in links
    ]
    rows += [f"<li>{_text(link['text'])} {_text(link['url'])}</li>" for link in truncated]
    reading = f"<p>Further reading.</p><ul>{''.join(rows)}</ul>" if rows else ""
    return f"<p>{_text(summary)}</p>{reading}"


def _folded(text: str) -> str:
    return " ".join(text.split())


def _cdata(text: str) -> str:
    """Return a CDATA section; the one sequence that would end it is shared out over two.

    >>> _cdata("a]]>b")
    '<![CDATA[a]]]]><![CDATA[>b]]>'
    """
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"


def _rfc822(day: date) -> str:
    return f"{_DAYS[day.weekday()]}, {day.day} {_MONTHS[day.month - 1]} {day.year} 00:00:00 +0000"


def _clock(seconds: int) -> str:
    """Return a duration in seconds as ``HH:MM:SS``.

    >>> _clock(3725)
    '01:02:05'
    """
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def main(arguments: list[str] | None = None) -> int:
    """Write the feed; with ``--check`` only report whether it is up to date. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m podgraph.extractors.sample.build_feed", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if feed.xml is out of date")
    check = parser.parse_args(arguments).check
    try:
        feed = to_feed(tomllib.loads(SOURCE.read_text("utf-8"))).encode()
    except tomllib.TOMLDecodeError as error:
        print(f"{SOURCE.name}: {error}")
        return 2
    except KeyError as error:
        print(f"{SOURCE.name}: an entry has no {error}")
        return 2
    if not check:
        FEED.write_bytes(feed)
    elif not FEED.is_file() or FEED.read_bytes() != feed:
        print("feed.xml is not what episodes.toml gives; run python -m podgraph.extractors.sample.build_feed")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
