"""A parsed transcript or list of chapters: one text, and the start time of each part."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import NamedTuple


class Cue(NamedTuple):
    """Some words of a transcript and their start in seconds (``None``: unknown).

    A chapter is a cue with a link, too.
    """

    start: float | None
    text: str
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

    def find_time(self, offset: int) -> int | None:
        """Return the start, in seconds, of the cue at an offset of the text; ``None`` if no time is known there.

        >>> Transcript("x", "one two", (0, 4), (0, 9)).find_time(5)
        9
        """
        cue = bisect_right(self.starts, offset) - 1  # -1 before the first time
        return self.times[cue] if cue >= 0 else None


def join_cues(name: str, cues: Iterable[Cue]) -> Transcript:
    """Return the transcript made of ``cues``: their words in the order of time, with one space between them.

    A repeated line, as in rolling captions, counts once. If more than 5 % of the times go backwards, none is used, the
    order is that of the cues, and the transcript has a warning.

    Args:
        name: the name of the transcript
        cues: the cues, in the order of the file
    """
    lines = [Cue(cue.start, words) for cue in cues if (words := " ".join(cue.text.split()))]
    warning = ""
    all_starts = [cue.start for cue in lines if cue.start is not None]
    backward_count = sum(later < earlier for earlier, later in pairwise(all_starts))
    if backward_count > 0.05 * len(all_starts):  # the times are of several recordings
        warning = f"its times go backwards {backward_count} times, and none is used"
        lines = [Cue(None, cue.text) for cue in lines]
    elif backward_count and len(all_starts) == len(lines):
        lines.sort(key=lambda cue: cue.start or 0.0)
    # Each cue with the one before it; the first has an empty one before it.
    lines = [cue for former, cue in pairwise((Cue(None, ""), *lines)) if cue.text != former.text]
    offsets = accumulate((len(cue.text) + 1 for cue in lines), initial=0)
    times = {at: int(cue.start) for at, cue in zip(offsets, lines, strict=False) if cue.start is not None}
    return Transcript(name, " ".join(cue.text for cue in lines), (*times,), (*times.values(),), warning=warning)
