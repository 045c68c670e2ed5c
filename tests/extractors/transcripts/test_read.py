"""Files of many forms → cues. A new case is a table of ``transcripts.toml``."""

import json

import pytest

from podgraph.extractors import SourceError, read_transcript
from tests.tables import read_rows, read_toml
from tests.work import count_calls

CASES = read_toml(__file__, "transcripts.toml")
# a file -> the text, and the seconds at which its cues begin
TEXTS = {name: (row["file"], (row["text"], tuple(row["times"]))) for name, row in CASES.items()}
SRT, HEARD = TEXTS["subrip"]
NUMBERS = (*range(25), 26, 30, *range(31, 50))
TEXTS |= {
    "subrip, CRLF": (SRT.replace("\n", "\r\n"), HEARD),
    "subrip, a mark": ("\ufeff" + SRT, HEARD),
    "subrip, NUL": (SRT.replace("We", "W\0e"), HEARD),
    "subrip, one out of order": (
        "".join(f"0:{n:02} --> 0:59\nw{n}\n\n" for n in (*range(25), 30, 26, *range(31, 50))),
        (" ".join(f"w{n}" for n in NUMBERS), NUMBERS),
    ),
    "latin-1": ("Caf\xe9 at noon.".encode("latin-1"), ("Café at noon.", ())),
    "utf-16": ("Café.".encode("utf-16"), ("Café.", ())),
}


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
    (chapters,) = read_rows(__file__, "chapters")
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
    def read(count):
        lines = (form.format(n, f"{n // 3600}:{n // 60 % 60:02}:{n % 60:02}", n * 1000) for n in range(count))
        assert len(read_transcript("".join(lines).encode(), "long").times) == count

    assert count_calls(read, 8_000) < 2.2 * count_calls(read, 4_000)
