"""What a transcript or a list of chapters is once it is read: one text, and when each part of it begins."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_WRONG_WAY = 0.05  # of the cues: with more that go back in time the times are of several recordings


class Cue(NamedTuple):
    """Some words, when they begin in seconds (``None``: not known), and who says them; of a chapter also its link."""

    start: float | None
    text: str
    speaker: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """All that is said in an episode as one ``text``; ``starts`` are the places in it where ``times`` (seconds) begin.

    ``chapters`` stand beside it: their titles are written by hand. ``name`` is the file's, ``warning`` a line where
    something in it is odd. An empty text is that of chapters alone.
    """

    name: str
    text: str = ""
    starts: tuple[int, ...] = ()
    times: tuple[int, ...] = ()
    chapters: tuple[Cue, ...] = ()
    warning: str = field(default="", compare=False)

    def time_at(self, place: int) -> int | None:
        """Return the second in which the cue begins that a place of the text is in, ``None`` where there are no times.

        >>> Transcript("x", "one two", (0, 4), (0, 9)).time_at(5)
        9
        """
        at = bisect_right(self.starts, place) - 1
        return self.times[at] if at >= 0 else None


def joined(name: str, cues: Iterable[Cue]) -> Transcript:
    """Return the transcript of some cues: each text once in the order of time, words parted by one space.

    A line that is the one before again, as rolling captions have it, counts once. Of cues that go back in time often
    the times are not to be trusted, and the order is that of the file.
    """
    found = [cue._replace(text=" ".join(cue.text.split())) for cue in cues]
    found = [cue for cue in found if cue.text]
    warning = ""
    known = [cue.start for cue in found if cue.start is not None]
    backwards = sum(later < earlier for earlier, later in pairwise(known))
    if backwards and backwards > _WRONG_WAY * len(known):
        warning = f"its times go backwards {backwards} times, and none is used"
        found = [cue._replace(start=None) for cue in found]
    elif backwards and len(known) == len(found):
        found.sort(key=lambda cue: cue.start or 0.0)
    parts: list[str] = []
    starts: list[int] = []
    times: list[int] = []
    length = 0
    for cue in found:
        if parts and cue.text == parts[-1]:
            continue
        if cue.start is not None:
            starts.append(length)
            times.append(int(cue.start))
        parts.append(cue.text)
        length += len(cue.text) + 1
    return Transcript(name, " ".join(parts), tuple(starts), tuple(times), warning=warning)
