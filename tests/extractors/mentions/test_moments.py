"""Times in notes: which moment of the recording a mention is for, and which times are none."""

import pytest

from podgraph.extractors import Episode, Feed, extract

A, B = "https://kiln.example/a", "https://kiln.example/b"
# Notes, and the moments of A and B (None: no moment).
NOTES = [
    (f"00:10 Intro\n12:34 Salt {A}\n15:00 Ash {B}", (754, 900)), (f"(00:10) Intro\n(01:02:03) Salt {A}\n- {B}\n(01:10:00) End", (3723, 3723)),
    (f"[@01:21] - Salt {A}\n[@02:55] - Ash {B}", (81, 175)), (f"{A} - 00:02:57.\n{B} - 00:13:47.", (177, 827)),
    (f"1:15 {A} 2:30 {B}\n4:00 End", (75, 150)), (f"• 0:00 Start {A}\n• 75:10 Late {B}", (0, 4510)),
    (f"10:00 Salt\n20:00 End\n\nLinks: {A}\n{B}", (None, None)), (f"We meet at 19:30. {A} {B}", (None, None)), (f"19:30 {A}\n{B}", (None, None)),
    (f"Verse 3:16 and 4:20: {A} {B}", (None, None)), (f"It is 16:9 {A} and 1:2:3:4 {B}", (None, None)),
    (f"00:10 Salt {A}\n99:00 After the end {B}", (None, None)), (f"{A} at v1:20:30 {B}", (None, None)),
    (f"00:00\u201305:00 Intro\n05:00\u201312:30 {A}\n12:30\u201320:00 {B}", (300, 750)),
    (f"00:00 to 05:00 Intro\n05:00 to 12:30 {A}\n12:30 to 20:00 {B}", (300, 750)), (f"[05:00 - 12:30] {A}\n[12:30] \u2192 [20:00] {B}", (300, 750)),
    (f"{A} 05:00 -> 12:30\n{B} (12:30-20:00)", (300, 750)),
]  # fmt: skip


@pytest.mark.parametrize(("notes", "times"), NOTES)
def test_moments(notes, times):
    episode = Episode("episode:p/e", "episode", "podcast:p", "E", notes, duration=5000)
    (result,) = extract([Feed("f", "podcast", "podcast:p", "P", (episode,))])
    found = {mention.url: mention.time for mention in result.mentions}
    assert (found[A], found[B]) == times
