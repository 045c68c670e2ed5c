"""A parsed transcript or list of chapters: one text, and the start time of each part."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

_WRONG_WAY = 0.05  # of the cues: with more that go back in time the times are of several recordings


class Cue(NamedTuple):
    """Some words, their start in seconds (``None``: unknown) and their speaker; for a chapter also its link."""

    start: float | None
    text: str
    speaker: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The spoken words of an episode as one ``text``; ``starts`` are the offsets at which ``times`` (seconds) begin.

    ``chapters`` are separate, because their titles are written by hand. ``name`` is the file's name, ``warning`` a
    line about an oddity in it. The text is empty when there are only chapters.
    """

    name: str
    text: str = ""
    starts: tuple[int, ...] = ()
    times: tuple[int, ...] = ()
    chapters: tuple[Cue, ...] = ()
    warning: str = field(default="", compare=False)

    def time_at(self, place: int) -> int | None:
        """Return the start, in seconds, of the cue at an offset of the text, ``None`` without times.

        >>> Transcript("x", "one two", (0, 4), (0, 9)).time_at(5)
        9
        """
        at = bisect_right(self.starts, place) - 1
        return self.times[at] if at >= 0 else None


def join_cues(name: str, cues: Iterable[Cue]) -> Transcript:
    """Return the transcript of some cues: each text once in the order of time, words separated by one space.

    A repeated line, as in rolling captions, counts once. When the times often go backwards they are
    not reliable, and the order is that of the file.
    """
    kept = [cue._replace(text=" ".join(cue.text.split())) for cue in cues]
    kept = [cue for cue in kept if cue.text]
    warning = ""
    known_starts = [cue.start for cue in kept if cue.start is not None]
    backwards = sum(later < earlier for earlier, later in pairwise(known_starts))
    if backwards and backwards > _WRONG_WAY * len(known_starts):
        warning = f"its times go backwards {backwards} times, and none is used"
        kept = [cue._replace(start=None) for cue in kept]
    elif backwards and len(known_starts) == len(kept):
        kept.sort(key=lambda cue: cue.start or 0.0)
    parts: list[str] = []
    starts: list[int] = []
    times: list[int] = []
    length = 0
    for cue in kept:
        if parts and cue.text == parts[-1]:
            continue
        if cue.start is not None:
            starts.append(length)
            times.append(int(cue.start))
        parts.append(cue.text)
        length += len(cue.text) + 1
    return Transcript(name, " ".join(parts), tuple(starts), tuple(times), warning=warning)
