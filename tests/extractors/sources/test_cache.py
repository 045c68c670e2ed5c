"""The cache of fetched feeds: several processes, damaged files, folders that cannot be used."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from podgraph.extractors.sources.cache import Cache, Fetched, default_cache

URL = "https://feeds.example/one?key=../../etc/passwd"
WHEN = datetime(2026, 11, 20, 12, tzinfo=UTC)
FEED = Fetched(
    data=b"<rss>\n\n\xff\0</rss>\n",
    url="https://feeds.example/one",
    content_type="application/rss+xml",
    etag='"\u00fc"',
    last_modified="Fri, 20 Nov 2026 12:00:00 GMT",
    fetched_at=WHEN,
)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    assert Cache(tmp_path / "new" / "folder").store(URL, FEED)
    assert Cache(tmp_path / "new" / "folder").newest(URL) == replace(FEED, from_cache=True)


def entry(folder: Path) -> Path:
    (path,) = folder.glob("*.feed")
    return path


def change(raw: bytes, old: bytes, new: bytes) -> bytes:
    assert old in raw
    return raw.replace(old, new)


DAMAGE = {
    "empty": lambda raw: raw[:0],
    "cut": lambda raw: raw[:-1],
    "longer": lambda raw: raw + b"x",
    "one bit": lambda raw: raw[:-3] + bytes([raw[-3] ^ 1]) + raw[-2:],
    "another date": lambda raw: change(raw, b"2026-11-20T12", b"2026-11-21T12"),
    "another format": lambda raw: change(raw, b"podgraph cache 2", b"podgraph cache 1"),
    "no lines": lambda raw: raw.replace(b"\n", b" "),
    "zeros": lambda raw: bytes(len(raw)),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_copy_counts_as_absent(tmp_path: Path, damage: str) -> None:
    cache = Cache(tmp_path)
    cache.store(URL, FEED)
    raw = entry(tmp_path).read_bytes()
    entry(tmp_path).write_bytes(DAMAGE[damage](raw))
    assert cache.newest(URL) is None
    assert cache.store(URL, FEED)
    assert cache.newest(URL) is not None


def test_a_copy_of_another_address_counts_as_absent(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store(URL, FEED)
    here = entry(tmp_path)
    here.rename(here.with_name(hashlib.sha256(b"https://other.example/").hexdigest() + ".feed"))
    assert cache.newest("https://other.example/") is None


def test_a_folder_or_a_pipe_in_place_of_a_copy(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store(URL, FEED)
    here = entry(tmp_path)
    here.unlink()
    here.mkdir()
    assert cache.newest(URL) is None
    assert not cache.store(URL, FEED)
    assert "nothing can be stored in" in cache.problem
    here.rmdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(here)
        assert cache.newest(URL) is None


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    cache = Cache(tmp_path / "file" / "cache")
    assert not cache.store(URL, FEED)
    assert cache.newest(URL) is None
    assert cache.problem


def test_no_folder_at_all() -> None:
    cache = Cache(None)
    assert not cache.store(URL, FEED)
    assert cache.newest(URL) is None
    assert cache.reject(URL) is None
    assert cache.problem == ""


def test_a_full_disk_leaves_the_old_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    cache.store(URL, FEED)

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert not cache.store(URL, replace(FEED, data=b"new"))
    assert "No space left on device" in cache.problem
    kept = cache.newest(URL)
    assert kept is not None
    assert kept.data == FEED.data
    assert len(list(tmp_path.iterdir())) == 1


DAY = 86400
NOW = 1_790_000_000.0


class Clock:
    """Seconds since 1970 that stand still until they are set."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


# Days since a copy was last used, and whether the next write of another one leaves it there.
UNUSED = [(0, True), (89, True), (91, False), (3000, False), (20_000, True), (-20_000, True)]


@pytest.mark.parametrize(("days", "stays"), UNUSED)
def test_what_is_not_used_for_long_goes_at_a_write(tmp_path: Path, days: int, stays: bool) -> None:
    clock = Clock()
    Cache(tmp_path, clock=clock).store(URL, FEED)
    clock.now += days * DAY
    cache = Cache(tmp_path, clock=clock)
    cache.store("https://other.example/", FEED)
    assert (cache.newest(URL) is not None) == stays


def test_too_much_goes_oldest_first_and_never_what_was_just_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("podgraph.extractors.sources.cache._MOST_BYTES", 35_000)
    monkeypatch.setattr("podgraph.extractors.sources.cache._BETWEEN", 0)
    clock = Clock()
    cache = Cache(tmp_path, clock=clock)
    large = replace(FEED, data=b"x" * 10_000)
    for name in "abc":
        clock.now += 1
        cache.store(name, large)
    clock.now += 1
    assert cache.newest("a")
    clock.now += 1
    cache.store("d", large)
    assert {name for name in "abcd" if cache.newest(name)} == {"a", "c", "d"}
    clock.now = 0  # a clock that was set back makes the newest file look like the oldest
    cache.store("e", large)
    assert cache.newest("e")
    (tmp_path / "notes.txt").write_bytes(bytes(50_000))
    cache.store("e", large)
    assert (tmp_path / "notes.txt").exists(), "what is not ours is left alone"


def test_a_rejected_copy_gives_way_to_the_one_before(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store(URL, FEED)
    cache.store(URL, replace(FEED, data=b"bad"))
    cache.store(URL, replace(FEED, data=b"bad", fetched_at=WHEN + timedelta(days=1)))
    assert cache.reject(URL) == replace(FEED, from_cache=True)
    assert cache.newest(URL) == replace(FEED, from_cache=True)
    assert cache.reject(URL) is None
    assert cache.newest(URL) is None


def test_many_processes_write_and_read_whole_copies(tmp_path: Path) -> None:
    program = """
import sys
from dataclasses import replace
from pathlib import Path
from podgraph.extractors.sources import cache as cache_module
from podgraph.extractors.sources.cache import Cache, Fetched
cache_module._MOST_BYTES, cache_module._BETWEEN = 100_000, 0
cache = Cache(Path(sys.argv[1]))
for turn in range(20):
    cache.store(f"{sys.argv[2]} {turn}", Fetched(bytes(9000), "v"))
    cache.store("u", Fetched(sys.argv[2].encode() * 20_000, "u"))
    kept = cache.newest("u")
    assert kept and len(kept.data) == 20_000 and len(set(kept.data)) == 1, kept
"""
    started = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), letter]) for letter in "abc"]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 200_000  # of more than 540,000 written


@pytest.mark.parametrize(
    ("name", "inside"), [("PODGRAPH_CACHE_DIR", "{hash}"), ("XDG_CACHE_HOME", "podgraph/feeds/{hash}")]
)
@pytest.mark.skipif(sys.platform != "linux", reason="XDG names the folder on Linux alone: run on Linux")
def test_the_environment_names_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, inside: str
) -> None:
    monkeypatch.delenv("PODGRAPH_CACHE_DIR", raising=False)
    monkeypatch.setenv(name, str(tmp_path))
    default_cache().store(URL, FEED)
    assert (tmp_path / inside.format(hash=hashlib.sha256(URL.encode()).hexdigest() + ".feed")).is_file()


def test_other_kinds_never_replace_a_feed(tmp_path, monkeypatch):
    monkeypatch.setattr("podgraph.extractors.sources.cache._MOST_BYTES", 35_000)
    monkeypatch.setattr("podgraph.extractors.sources.cache._BETWEEN", 0)
    feeds = Cache(tmp_path)
    assert feeds.store("https://a.example/feed", Fetched(b"f" * 20_000, "https://a.example/feed"))
    transcripts = feeds.share("transcripts")
    for number in range(9):
        address = f"https://a.example/{number}.vtt"
        assert transcripts.store(address, Fetched(b"t" * 10_000, address))
    assert feeds.newest("https://a.example/feed")
    kept = [number for number in range(9) if transcripts.newest(f"https://a.example/{number}.vtt")]
    assert 1 <= len(kept) <= 3
    assert feeds.newest("https://a.example/8.vtt") is None
