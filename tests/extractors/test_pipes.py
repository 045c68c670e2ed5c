"""A pipe without another end is told; one that has it is waited for."""

import os
import threading
from pathlib import Path

import pytest

from podgraph.extractors import pipes
from podgraph.output.cli import main
from tests.reliability.scenarios import feed

if not hasattr(os, "mkfifo"):
    pytest.skip("no named pipes: run on a POSIX system", allow_module_level=True)

ALONE = [
    (["build", "pipe", "-q", "-o", "g.json"], "nobody writes to this pipe"),
    (["build", "feed.xml", "-q", "-o", "pipe.json"], "nobody reads from this pipe"),
    (["correct", "drop", "vmap", "-g", "sample", "-q"], "nobody reads from this pipe"),
    (["stats", "-g", "pipe.json"], "nobody writes to this pipe"),
]


@pytest.mark.parametrize(("words", "told"), ALONE, ids=lambda part: " ".join(part) if isinstance(part, list) else "")
def test_a_pipe_that_is_alone_is_one_line(words, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pipes, "PATIENCE", 0.01)
    os.mkfifo("pipe")
    Path("pipe.json").symlink_to("pipe")
    Path("podgraph.toml").symlink_to("pipe")
    Path("feed.xml").write_bytes(feed())
    assert main(words) == 2
    err = capsys.readouterr().err
    assert (told in err, err.count("\n")) == (True, 1), err
    assert not list(tmp_path.glob("g.*"))


def test_who_takes_their_time_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(pipes, "PATIENCE", 0.01)
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    both = os.open(path, os.O_RDWR)  # an end to write to, before the other is opened
    with open(path, "rb", buffering=0, opener=pipes.patient) as stream:
        os.write(both, b"late")
        assert stream.read(4) == b"late"
    os.close(both)


def test_what_is_written_arrives(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    came = []
    reader = threading.Thread(target=lambda: came.append(path.read_bytes()), daemon=True)
    reader.start()
    with open(path, "wb", opener=pipes.patient) as stream:
        stream.write(b"all of it")
    reader.join()
    assert came == [b"all of it"]
