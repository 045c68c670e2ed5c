"""Files of many forms → cues. A new case is an entry of ``TEXTS``; all that is said here is made up."""

import json
import sys

import pytest

from podgraph.extractors import SourceError, read_transcript

SRT = """1
00:00:01,500 --> 00:00:04,000
Good morning,
all of you.

2
00:00:04,000 --> 00:00:06,000
We weave today.
"""
VTT = """WEBVTT - a loom

STYLE
::cue { color: red }

NOTE nobody hears this

intro
00:01.500 --> 00:04.000 align:start position:0%
<v Ann Lee>Good <i>morning</i> &amp; welcome.</v>

1:00:04.000 --> 1:00:06.000
Late &lt;words&gt; <00:00:05.000><c>here</c>
"""
ROLLING = """WEBVTT

00:00:01.000 --> 00:00:02.000
we begin

00:00:02.000 --> 00:00:03.000
we begin
with the warp

00:00:03.000 --> 00:00:04.000
with the warp
and the weft
"""
SEGMENTS = [{"start": 1.5, "end": 4, "text": " Good morning."}, {"start": 4, "end": 6, "text": " We weave."}]
SAID = ("Good morning. We weave.", (1, 4))
# a file -> the text, and the seconds at which its cues begin
TEXTS = {
    "subrip": (SRT, ("Good morning, all of you. We weave today.", (1, 4))),
    "subrip, CRLF": (SRT.replace("\n", "\r\n"), ("Good morning, all of you. We weave today.", (1, 4))),
    "subrip, no empty lines": (SRT.replace("\n\n", "\n"), ("Good morning, all of you. We weave today.", (1, 4))),
    "subrip without hours": (SRT.replace("00:00:0", "00:0"), ("Good morning, all of you. We weave today.", (1, 4))),
    "subrip with points": (SRT.replace(",500", ".5"), ("Good morning, all of you. We weave today.", (1, 4))),
    "subrip, a mark": ("\ufeff" + SRT, ("Good morning, all of you. We weave today.", (1, 4))),
    "subrip, NUL": (SRT.replace("We", "W\0e"), ("Good morning, all of you. We weave today.", (1, 4))),
    "subrip, tags": ("1\n0:01 --> 0:02\n{\\an8}<font color='x'>Hi</font> &gt; you\n", ("Hi > you", (1,))),
    "subrip, overlapping": ("0:01 --> 0:09\nOne.\n\n0:05 --> 0:07\nTwo.\n", ("One. Two.", (1, 5))),
    "subrip, one out of order": (
        "".join(f"0:{n:02} --> 0:59\nw{n}\n\n" for n in (*range(25), 30, 26, *range(31, 50))),
        (" ".join(f"w{n}" for n in (*range(25), 26, 30, *range(31, 50))), (*range(25), 26, 30, *range(31, 50))),
    ),
    "two recordings in one": ("0:50 --> 0:51\nOne.\n\n0:02 --> 0:03\nTwo.\n", ("One. Two.", ())),
    "empty cues": ("0:01 --> 0:02\n\n0:03 --> 0:04\nWords.\n", ("Words.", (3,))),
    "webvtt": (VTT, ("Good morning & welcome. Late <words> here", (1, 3604))),
    "webvtt with commas": ("WEBVTT\n\n00:01,500 --> 00:02,000\nHi\n", ("Hi", (1,))),
    "webvtt without its head": ("00:01.500 --> 00:02.000\nHi\n", ("Hi", (1,))),
    "rolling captions": (ROLLING, ("we begin with the warp and the weft", (1, 2, 3))),
    "the namespace's": (
        {"version": "1.0.0", "segments": [{"speaker": "Ann", "startTime": 0.5, "endTime": 2, "body": "Hello."}]},
        ("Hello.", (0,)),
    ),
    "whisper": ({"text": "x", "segments": SEGMENTS, "language": "en"}, SAID),
    "whisperx": ({"segments": [{**one, "words": [], "speaker": "S0"} for one in SEGMENTS], "word_segments": []}, SAID),
    "faster-whisper": (SEGMENTS, SAID),
    "whisper.cpp": (
        {"transcription": [
            {"timestamps": {"from": "00:00:01,500"}, "offsets": {"from": 1500, "to": 4000}, "text": " Good morning."},
            {"timestamps": {"from": "00:00:04,000"}, "offsets": {"from": 4000, "to": 6000}, "text": " We weave."},
        ]},
        SAID,
    ),
    "youtube's json3": (
        {"events": [
            {"tStartMs": 0, "wWinId": 1},
            {"tStartMs": 1500, "segs": [{"utf8": "Good"}, {"utf8": " morning."}]},
            {"tStartMs": 4000, "segs": [{"utf8": "We weave."}]},
        ]},
        SAID,
    ),
    "youtube's list": ([{"text": "Good morning.", "start": 1.5, "duration": 1}, {"text": "We weave.", "start": 4}], SAID),
    "whole text": ({"text": "Only words."}, ("Only words.", ())),
    "odd records": ({"segments": [None, {"start": "x", "text": "A."}, {"start": 2, "text": 7}]}, ("A.", ())),
    "no finite time": ('[{"start": NaN, "text": "A."}, {"start": 1e400, "text": "B."}]', ("A. B.", ())),
    "tsv": ("start\tend\ttext\n1500\t4000\tGood morning.\n4000\t6000\tWe weave.\n", SAID),
    "tsv without its head": ("1500\t4000\tGood morning.\n4000\t6000\tWe weave.\n", SAID),
    "plain": ("Good morning.\n\nWe weave.\n", ("Good morning. We weave.", ())),
    "plain with times": ("[0:01] Good morning.\n[0:04] We weave.\n", SAID),
    "times on their own lines": ("00:01\nGood morning.\n\n00:04\nWe weave.\n", SAID),
    "whisper's output": (
        "[00:01.500 --> 00:04.000]  Good morning.\n[00:04.000 --> 00:06.000]  We weave.\n", SAID
    ),
    "one time is none": ("At noon\n12:30 is late.\n", ("At noon 12:30 is late.", ())),
    "speakers": ("ANN LEE: Good morning.\nBen: We weave.\n", ("Good morning. We weave.", ())),
    "html": ("<p><cite>Ann:</cite> Good morning.</p><p>We weave.</p>", ("Good morning. We weave.", ())),
    "latin-1": ("Caf\xe9 at noon.".encode("latin-1"), ("Café at noon.", ())),
    "utf-16": ("Café.".encode("utf-16"), ("Café.", ())),
}  # fmt: skip


def as_bytes(content):
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content)).encode()


@pytest.mark.parametrize(("content", "expected"), TEXTS.values(), ids=TEXTS)
def test_a_file(content, expected):
    transcript = read_transcript(as_bytes(content), "talk")
    assert (transcript.text, transcript.times) == expected


def test_times_that_go_backwards_are_told():
    assert "go backwards 1 times" in read_transcript(as_bytes(TEXTS["two recordings in one"][0]), "talk").warning


def test_chapters():
    chapters = {
        "version": "1.2.0",
        "chapters": [
            {"startTime": 0, "title": "Hello"},
            {"startTime": 61.5, "title": "The warp", "url": "https://x.org/warp", "img": "https://x.org/i.png"},
            {"startTime": 70, "title": "No link", "url": "file:///etc/passwd"},
            {"startTime": 80},
        ],
    }
    found = read_transcript(as_bytes(chapters), "c.json")
    assert not found.text
    assert [(one.start, one.text, one.url) for one in found.chapters] == [
        (0, "Hello", ""), (61.5, "The warp", "https://x.org/warp"), (70, "No link", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "content",
    ["", " \n", "{}", '{"a": [1]}', "WEBVTT\n\nNOTE x\n", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\1\2\3", b"ID3\4\0\1\2\3\5"],
)
def test_what_is_none_is_one_line(content):
    with pytest.raises(SourceError, match=r"^talk: .*; give SRT") as raised:
        read_transcript(as_bytes(content), "talk")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("form", ["{0}\n{1} --> {1}\nword {0}\n\n", "{2}\t{2}\tword {0}\n", "[{1}] word {0}\n"])
def test_twice_the_cues_are_twice_the_work(form):
    def spent(count):
        lines = (form.format(n, f"{n // 3600}:{n // 60 % 60:02}:{n % 60:02}", n * 1000) for n in range(count))
        data = "".join(lines).encode()
        calls = 0

        def counted(*_):
            nonlocal calls
            calls += 1

        sys.setprofile(counted)
        try:
            found = read_transcript(data, "long")
        finally:
            sys.setprofile(None)
        assert len(found.times) == count
        return calls

    assert spent(8_000) < 2.2 * spent(4_000)
