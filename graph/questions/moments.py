"""Moments of recordings: the time of a spoken mention, and the address for playing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import host_of, is_web

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..attributes import Evidence, NodeAttributes

# Host -> the parameter that makes the player on its pages begin at a second.
_TIME_PARAMETERS = dict.fromkeys(("pca.st", "open.spotify.com", "podcasts.apple.com"), "t={}")
_TIME_PARAMETERS |= dict.fromkeys(("youtube.com", "youtu.be"), "t={}s")


def moments_of(evidence: Iterable[Evidence]) -> tuple[int, ...]:
    """Return the seconds in the recording at which pieces of evidence are spoken, ascending.

    Evidence without its own ``time`` is left out: its ``moments`` are times in another recording.

    >>> moments_of([{"time": 75.5, "moments": [90, 12]}, {"moments": [1]}])
    (12, 75, 90)
    """
    seconds: set[int] = set()
    for item in evidence:
        time = item.get("time")
        if isinstance(time, int | float):
            seconds |= {int(time), *item.get("moments", ())}
    return tuple(sorted(seconds))


def listen_at(episode: NodeAttributes, seconds: float) -> str:
    """Return the address that plays an episode from a second on, "" if there is none.

    It is the audio file with a media fragment (https://www.w3.org/TR/media-frags), else a page with a known player.

    >>> listen_at({"audio_url": "https://x.org/a.mp3"}, 75), listen_at({"url": "https://youtu.be/a?x=1"}, 75)
    ('https://x.org/a.mp3#t=75', 'https://youtu.be/a?x=1&t=75s')
    """
    if is_web(audio := episode.get("audio_url", "")):  # the audio of a private feed is stored as its host only
        return f"{audio.partition('#')[0]}#t={int(seconds)}"
    page = episode.get("url", "")
    parameter = _TIME_PARAMETERS.get(host_of(page).removeprefix("www.").removeprefix("m.")) if page else None
    return f"{page}{'&' if '?' in page else '?'}{parameter.format(int(seconds))}" if parameter else ""
