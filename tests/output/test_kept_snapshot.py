"""The snapshot's graph is built for the first question, and kept for the next ones."""

import os
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

import podgraph
from podgraph.extractors import rule_plugins
from podgraph.output import kept_snapshot
from podgraph.output.kept_snapshot import open_snapshot


@pytest.fixture
def caches(tmp_path, monkeypatch):
    folder = tmp_path / "caches"
    monkeypatch.setenv("PODGRAPH_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def code(tmp_path, monkeypatch):
    """A package in the place of ours, which is not to be touched."""
    package = tmp_path / "package"
    (package / "room" / "__pycache__").mkdir(parents=True)
    for name in ("__init__.py", "room/rule.py", "room/table.toml", "room/__pycache__/rule.pyc"):
        (package / name).write_text("#")
    monkeypatch.setattr(podgraph, "__file__", str(package / "__init__.py"))
    return package


@pytest.fixture
def builds(monkeypatch):
    """A list with an entry for each time that the snapshot's graph is asked for as it is built."""
    made = []

    def sample():
        made.append("built")
        return podgraph.sample()

    monkeypatch.setattr(kept_snapshot, "sample", sample)
    return made


def asked():
    return open_snapshot().cites("130935").to_dict("all")


def test_the_second_question_builds_nothing_and_has_the_same_answer(caches, code, builds):
    first = asked()
    assert asked() == first == podgraph.sample().cites("130935").to_dict("all")
    assert first["found"]
    assert builds == ["built"]
    assert [path.suffix for path in caches.iterdir()] == [".graph"]
    assert repr(open_snapshot()) == repr(podgraph.sample())


CHANGES = {
    "another time": lambda code: os.utime(code / "room" / "rule.py", ns=(1, 1)),
    "another size": lambda code: (code / "room" / "table.toml").write_text("##"),
    "a new file": lambda code: (code / "room" / "new.py").touch(),
    "a file less": lambda code: (code / "room" / "rule.py").unlink(),
    "another name": lambda code: (code / "room" / "rule.py").rename(code / "room" / "ruler.py"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_code_builds_anew(caches, code, builds, change):
    asked()
    change(code)
    assert asked() == asked()
    assert len(builds) == 2


def test_what_python_compiles_is_no_change(caches, code, builds):
    asked()
    (code / "room" / "__pycache__" / "rule.pyc").write_text("another")
    asked()
    assert len(builds) == 1


def test_another_version_builds_anew(caches, code, builds, monkeypatch):
    asked()
    monkeypatch.setattr(podgraph, "__version__", "99")
    asked()
    assert len(builds) == 2


def test_a_package_that_is_installed_builds_anew(caches, code, builds, tmp_path, monkeypatch):
    asked()
    (tmp_path / "site" / "more-1.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    asked()
    assert len(builds) == 2


def test_with_packages_that_bring_something_nothing_is_kept(caches, code, builds, monkeypatch):
    point = EntryPoint("more", "more:extract", "podgraph.extractors")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda: EntryPoints([point]))
    asked()
    assert not caches.exists()
    rule_plugins(wanted=False)
    try:
        asked()
        asked()
    finally:
        rule_plugins()
    assert len(builds) == 2


DAMAGES = {
    "empty": lambda data: data[:0],
    "cut off": lambda data: data[:-9],
    "another letter": lambda data: data.replace(b"Compiler collectives", b"Compiler collectivez"),
    "another head": lambda data: b"?" + data[1:],
    "only the head": lambda data: data[: data.index(b"{")],
    "something behind it": lambda data: data + b" ",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_damaged_is_built_anew_without_a_word(caches, code, builds, damage, capfd):
    first = asked()
    (kept,) = caches.iterdir()
    good = kept.read_bytes()
    kept.write_bytes(damage(good))
    assert asked() == first
    assert len(builds) == 2
    assert kept.read_bytes() == good
    assert capfd.readouterr() == ("", "")


def in_a_file(folder: Path) -> None:
    folder.write_text("")


def read_only(folder: Path) -> None:
    folder.mkdir(mode=0o500)


def taken(folder: Path) -> None:
    """Have folders where the files would be."""
    asked()
    (kept,) = folder.iterdir()
    kept.unlink()
    kept.mkdir()


@pytest.mark.parametrize("hinder", [in_a_file, read_only, taken])
def test_a_folder_that_cannot_be_used_is_no_failure(caches, code, builds, hinder, capfd):
    hinder(caches)
    assert asked()["found"]
    assert asked()["found"]
    assert capfd.readouterr() == ("", "")


def test_without_a_folder_nothing_is_kept(code, builds, monkeypatch, tmp_path):
    monkeypatch.delenv("PODGRAPH_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "not whole")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: Path("not whole"))
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    asked()
    assert sorted(tmp_path.rglob("*")) == before


def test_what_other_code_left_goes(caches, code, builds):
    (caches).mkdir()
    (caches / "0.feed").touch()  # of the cache of feeds
    for size in range(6):
        (code / "room" / "rule.py").write_text("#" * size)
        asked()
    assert len(builds) == 6
    assert sorted(path.suffix for path in caches.iterdir()) == [".feed", *[".graph"] * 3]
    asked()
    assert len(builds) == 6
