"""The podcast namespace, and the additions of this project's own snapshot.

feedparser keeps the last of repeated elements and drops their text, so these are read here, every one.
Source of the rules: the Podcast namespace 1.0 (podcastindex.org).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .raw import RawElement

    # Takes the attributes and the text of an element over into a channel or an item.
    TakeElement = Callable[[RawElement, Mapping[str, str], str], None]

# Namespaces (in lower case) and the prefix each goes by here.
NAMESPACES = {
    "https://podcastindex.org/namespace/1.0": "podcast",
    "http://podcastindex.org/namespace/1.0": "podcast",
    "https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
    "urn:podgraph:snapshot": "podgraph",
}


def _transcript(record: RawElement, attributes: Mapping[str, str], text: str) -> None:
    record.transcripts.append(attributes.get("url", ""))


def _person(record: RawElement, attributes: Mapping[str, str], text: str) -> None:
    record.people.append((text, attributes.get("role", ""), attributes.get("href", "")))


def _chapters(record: RawElement, attributes: Mapping[str, str], text: str) -> None:
    record.put("chapters", attributes.get("url", ""))


def _episode(record: RawElement, attributes: Mapping[str, str], text: str) -> None:
    record.put("podcast_episode", text)


def _season(record: RawElement, attributes: Mapping[str, str], text: str) -> None:
    record.put("podcast_season", text)


def _uncertain(record: RawElement, attributes: Mapping[str, str], text: str) -> None:
    record.uncertain.extend(attributes.get("fields", "").split())


# Element (prefix as above) → its reader.
ELEMENTS: dict[str, TakeElement] = {
    "podcast:chapters": _chapters,
    "podcast:episode": _episode,
    "podcast:person": _person,
    "podcast:season": _season,
    "podcast:transcript": _transcript,
    "podgraph:uncertain": _uncertain,
}
