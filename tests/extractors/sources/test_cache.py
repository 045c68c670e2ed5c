"""The cache of fetched feeds: several processes, damaged files, folders that cannot be used."""

import hashlib
import os
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from podgraph.extractors.sources import cache as module
from podgraph.extractors.sources.cache import Cache, Fetched, default_cache

URL = "https://feeds.example/one?key=../../etc/passwd"
FEED = Fetched(
    b"<rss>\n\n\xff\0</rss>\n", "https://feeds.example/one", "application/rss+xml", '"\u00fc"',
    "Fri, 20 Nov 2026 12:00:00 GMT", datetime(2026, 11, 20, 12, tzinfo=UTC), home=("10.0.0.1", 80),
)  # fmt: skip


def file_of(folder, url=URL):
    return folder / f"{hashlib.sha256(url.encode()).hexdigest()}.feed"


def test_what_is_stored_comes_back(tmp_path):
    Cache(tmp_path / "new" / "folder").store(URL, FEED)
    assert Cache(tmp_path / "new" / "folder").read_copy(URL) == replace(FEED, from_cache=True)


DAMAGE = {
    "empty": lambda raw: raw[:0],
    "cut": lambda raw: raw[:-1],
    "longer": lambda raw: raw + b"x",
    "one bit": lambda raw: raw[:-3] + bytes([raw[-3] ^ 1]) + raw[-2:],
    "another date": lambda raw: raw.replace(b"2026-11-20T12", b"2026-11-21T12"),
    "another format": lambda raw: raw.replace(b"podgraph cache 3", b"podgraph cache 2"),
    "no lines": lambda raw: raw.replace(b"\n", b" "),
    "zeros": lambda raw: bytes(len(raw)),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_copy_counts_as_absent(tmp_path, damage):
    cache = Cache(tmp_path)
    cache.store(URL, FEED)
    raw = file_of(tmp_path).read_bytes()
    file_of(tmp_path).write_bytes(DAMAGE[damage](raw))
    assert cache.read_copy(URL) is None
    cache.store(URL, FEED)
    assert cache.read_copy(URL) is not None


def put_folder(path):
    path.mkdir(parents=True)


def put_file_for_folder(path):
    path.parent.write_text("x")


# What is in the way of a copy.
@pytest.mark.parametrize("put", [put_folder, put_file_for_folder])
def test_a_copy_that_cannot_be_stored(tmp_path, put):
    put(file_of(tmp_path / "cache"))
    cache = Cache(tmp_path / "cache")
    assert cache.read_copy(URL) is None
    cache.store(URL, FEED)
    assert cache.problem.startswith(f"nothing can be stored in {tmp_path / 'cache'}: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes: run on a POSIX system")
def test_a_pipe_in_place_of_a_copy(tmp_path):
    os.mkfifo(file_of(tmp_path))
    assert Cache(tmp_path).read_copy(URL) is None


def test_a_full_disk_leaves_the_old_copy(tmp_path, monkeypatch):
    cache = Cache(tmp_path)
    cache.store(URL, FEED)

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    cache.store(URL, replace(FEED, data=b"new"))
    assert "No space left on device" in cache.problem
    assert cache.read_copy(URL).data == FEED.data
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(("days", "stays"), [(0, True), (89, True), (91, False), (-20_000, True)])
def test_what_is_not_used_for_long_goes_at_a_write(tmp_path, monkeypatch, days, stays):
    monkeypatch.setattr(module, "_BYTES_BETWEEN_TIDYINGS", 0)
    cache = Cache(tmp_path)
    cache.store(URL, FEED)
    then = time.time() - days * 86400
    os.utime(file_of(tmp_path), (then, then))
    cache.store("https://other.example/", FEED)
    assert file_of(tmp_path).exists() == stays


def test_too_much_goes_oldest_first_and_never_what_was_just_written(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_MAXIMUM_BYTES", 35_000)
    monkeypatch.setattr(module, "_BYTES_BETWEEN_TIDYINGS", 0)
    (tmp_path / "notes.txt").write_bytes(bytes(50_000))
    cache = Cache(tmp_path)
    for age, name in enumerate("dcba"):
        cache.store(name, replace(FEED, data=b"x" * 10_000))
        os.utime(file_of(tmp_path, name), (time.time() - 99 + age, time.time() - 99 + age))
    assert cache.read_copy("c")
    cache.store("e", replace(FEED, data=b"x" * 10_000))
    assert {name for name in "abcde" if file_of(tmp_path, name).exists()} == {"a", "c", "e"}
    assert (tmp_path / "notes.txt").exists(), "other files stay"
    cache.store("f", replace(FEED, data=b"x" * 50_000))
    assert file_of(tmp_path, "f").exists()


def test_many_processes_write_and_read_whole_copies(tmp_path):
    program = """
import sys
from pathlib import Path
from podgraph.extractors.sources import cache as cache_module
from podgraph.extractors.sources.cache import Cache, Fetched
cache_module._MAXIMUM_BYTES, cache_module._BYTES_BETWEEN_TIDYINGS = 100_000, 0
cache = Cache(Path(sys.argv[1]))
for turn in range(20):
    cache.store(f"{sys.argv[2]} {turn}", Fetched(bytes(9000), "v"))
    cache.store("u", Fetched(sys.argv[2].encode() * 20_000, "u"))
    copy = cache.read_copy("u")
    assert copy and len(copy.data) == 20_000 and len(set(copy.data)) == 1, copy
"""
    started = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), letter]) for letter in "abc"]
    assert [process.wait(300) for process in started] == [0, 0, 0]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 200_000  # of more than 540,000 written


@pytest.mark.parametrize(("name", "inside"), [("PODGRAPH_CACHE_DIR", "."), ("XDG_CACHE_HOME", "podgraph/feeds")])
@pytest.mark.skipif(sys.platform != "linux", reason="XDG names the folder on Linux alone: run on Linux")
def test_the_environment_names_the_folder(tmp_path, monkeypatch, name, inside):
    monkeypatch.delenv("PODGRAPH_CACHE_DIR", raising=False)
    monkeypatch.setenv(name, str(tmp_path))
    default_cache().store(URL, FEED)
    assert file_of(tmp_path / inside).is_file()


def test_other_kinds_never_replace_a_feed(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_MAXIMUM_BYTES", 35_000)
    monkeypatch.setattr(module, "_BYTES_BETWEEN_TIDYINGS", 0)
    feeds = Cache(tmp_path)
    feeds.store(URL, FEED)
    for number in range(9):
        feeds.share("transcripts").store(str(number), replace(FEED, data=b"t" * 10_000))
    assert feeds.read_copy(URL)
    assert 1 <= sum(feeds.share("transcripts").read_copy(str(number)) is not None for number in range(9)) <= 3
    assert feeds.read_copy("8") is None
