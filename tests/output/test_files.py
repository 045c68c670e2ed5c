"""Writing is all or nothing: with errors, full disks, links, and when the process is killed."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from podgraph.extractors import OutputError
from podgraph.output.files import atomic_files, publish_all, write_atomically

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and limits of POSIX: run on Linux or macOS")


def content(folder):
    return {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}


def test_bytes_and_chunks_are_written_and_an_old_file_keeps_its_mode(tmp_path):
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "old").chmod(0o604)
    before = os.umask(0o027)
    try:
        write_atomically(str(tmp_path / "new"), (chunk for chunk in (b"one", b"", b"two")))
        write_atomically(tmp_path / "old", b"three")
    finally:
        os.umask(before)
    assert content(tmp_path) == {"old": b"three", "new": b"onetwo"}
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("new", "old")] == [0o640, 0o604]
    write_atomically(os.devnull, b"gone")
    assert not Path(os.devnull).is_file()


def test_files_are_written_together_or_not_at_all(tmp_path):
    with atomic_files([tmp_path / "a", tmp_path / "b"]) as streams:
        for stream in streams:
            stream.write(b"1")
        assert not content(tmp_path).keys() & {"a", "b"}
    with pytest.raises(KeyError), atomic_files([tmp_path / "a", tmp_path / "b"]) as streams:
        for stream in streams:
            stream.write(b"x" * 3_000_000)
        raise KeyError("a bug")
    assert content(tmp_path) == {"a": b"1", "b": b"1"}


def test_a_link_is_followed_and_stays(tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    (there / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(there / "real")
    (tmp_path / "dangling").symlink_to(there / "new")
    write_atomically(tmp_path / "link", b"new")
    write_atomically(tmp_path / "dangling", b"newer")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "dangling").is_symlink()
    assert content(there) == {"real": b"new", "new": b"newer"}


# What runs in a process of its own: nobody, who may write little.
NOBODY = """
import os, sys
from podgraph.extractors import OutputError
from podgraph.output.files import write_atomically
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
try:
    write_atomically(sys.argv[1], b"new")
except OutputError as error:
    print(error)
"""


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="only root can become nobody: run as root")
@pytest.mark.parametrize("case", ["folder", "file"])
def test_a_place_that_may_not_be_written_is_told(case):
    import tempfile

    # pytest's own folders are closed to others.
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o777 if case == "file" else 0o755)
        target = Path(home) / "a"
        if case == "file":
            target.write_bytes(b"old")
            target.chmod(0o444)
        words = [sys.executable, "-c", NOBODY, str(target)]
        said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300).stdout
        assert said.startswith(f"{target}: cannot be written: Permission denied; ")
        assert content(Path(home)) == ({"a": b"old"} if case == "file" else {})


def test_many_small_files_change_in_place(tmp_path):
    vault = tmp_path / "vault"
    publish_all([(vault / "x" / "a", b"1"), (vault / "b", b"1")], [], inside=vault)
    publish_all([(vault / "b", b"2")], [vault / "x" / "a"], inside=vault)
    assert content(vault) == {"b": b"2"}
    assert not (vault / "x").exists()


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (vault / "x").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="is outside of its folder"):
        publish_all([(vault / "x" / "a", b"1")], [], inside=vault)
    assert content(tmp_path / "elsewhere") == {}


EVERY = """
import resource, signal, sys
from pathlib import Path
from podgraph.extractors import OutputError
from podgraph.output.formats import write_graph
from tests.output.graphs import contract_graph, list_installed
graph = contract_graph()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
for item in list_installed():
    try:
        # Everything is loaded before the limit counts; it is the format that is tried.
        write_graph(graph, Path(sys.argv[2]) / f"warm{item.suffixes[0]}")
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        write_graph(graph, Path(sys.argv[1]) / f"graph{item.suffixes[0]}")
        print(item.name, "was written")
    except OutputError as error:
        print(error)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""


@posix
@pytest.mark.parametrize("old", [True, False], ids=["over old ones", "new"])
def test_no_format_leaves_a_stump_on_a_full_disk(tmp_path, tmp_path_factory, old):
    from podgraph.output.formats import write_graph
    from tests.output.graphs import contract_graph, list_installed

    if old:
        graph = contract_graph()
        graph.remove_node("topic:vmap")
        for item in list_installed():
            write_graph(graph, tmp_path / f"graph{item.suffixes[0]}")
    before = {path: path.read_bytes() if path.is_file() else None for path in tmp_path.rglob("*")}
    done = subprocess.run(
        [sys.executable, "-c", EVERY, str(tmp_path), str(tmp_path_factory.mktemp("warm"))],
        capture_output=True, text=True, timeout=300, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert len(lines) == len(list_installed()), done.stderr
    for line in lines:
        assert line.startswith(f"{tmp_path}/graph"), line  # EPISODES has no dot
        assert line.count(": ") >= 1
    after = {path: path.read_bytes() if path.is_file() else None for path in tmp_path.rglob("*")}
    assert after == before
