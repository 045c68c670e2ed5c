"""``podgraph export``, and the options and formats that ``build`` shares with it."""

import io
import json
import os
import shutil
import subprocess
import sys

import pytest

from podgraph.output.cli import main
from podgraph.output.formats import FORMATS, write_graph
from podgraph.output.opening import open_store
from tests.output.graphs import contract_graph, foreign
from tests.output.running import run
from tests.reliability.test_scenarios import feed
from tests.tables import read_rows


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """A folder with podgraph.json of the contract's graph, in which the command runs."""
    write_graph(contract_graph(), tmp_path / "podgraph.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_says_what_it_wrote(saved, capsys):
    assert main(["export", "g.csv", "g.gexf"]) == 0
    told = [line.removeprefix("podgraph: wrote ") for line in capsys.readouterr().err.splitlines()]
    assert told == ["g.nodes.csv", "g.edges.csv", "g.gexf"]
    assert all((saved / name).exists() for name in told)


def test_whoever_has_seen_enough_of_standard_output_ends_it_silently(saved):
    reads, writes = os.pipe()
    os.close(reads)
    words = [sys.executable, "-m", "podgraph", "export", "-", "--format", "dot"]
    with os.fdopen(writes, "wb") as gone:
        done = subprocess.run(words, stdout=gone, stderr=subprocess.PIPE, check=False, cwd=saved)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("item", [item for item in FORMATS if item.name != "html"], ids=lambda item: item.name)
def test_a_second_export_gives_the_same_and_a_foreign_folder_stays(saved, item, capsys):
    foreign(item.needs)
    target = f"g{item.suffixes[0]}"
    assert main(["export", target]) == 0
    first = files(saved)
    assert main(["export", target]) == 0
    assert files(saved) == first
    capsys.readouterr()
    (saved / "thesis").mkdir()
    (saved / "thesis" / "chapter.txt").write_text("mine")
    before = files(saved)
    beside = item.form == "folder" or item.siblings
    if not beside:
        assert main(["export", "thesis", "--format", item.name]) == 2
        assert files(saved) == before
    assert main(["export", f"nowhere/{target}"]) == 2
    assert files(saved) == before
    assert capsys.readouterr().err.count("\n") == (1 if beside else 2)


PARTS = read_rows(__file__, "PARTS")


@pytest.mark.parametrize(
    ("words", "kinds"), PARTS, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
@pytest.mark.parametrize("suffix", [".json", ".sqlite"])
def test_a_part_is_the_same_in_every_format(saved, words, kinds, suffix):
    assert main(["export", f"part{suffix}", "-q", *words]) == 0
    assert {kind for _, kind in open_store(f"part{suffix}").to_networkx().nodes(data="kind")} == kinds


TEXTS = [item for item in FORMATS if item.form == "text" and not item.siblings]


@pytest.mark.parametrize("item", TEXTS, ids=lambda item: item.name)
def test_a_text_goes_to_standard_output(saved, item, capfdbinary):
    before = files(saved)
    assert main(["export", "-", "--format", item.name]) == 0
    out, err = capfdbinary.readouterr()
    assert (files(saved), err) == (before, b"")
    assert main(["export", "g", "-q", "--format", item.name]) == 0
    assert out == (saved / "g").read_bytes()


def test_build_and_export_write_to_standard_output(saved, capfdbinary, monkeypatch):
    assert main(["build", "sample", "-q", "-o", "-"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["nodes"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(feed())))
    assert main(["build", "-", "-q", "-o", "-"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["nodes"]
    assert main(["export", "-", "--format", "html"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"<!doctype html>")
    assert sorted(files(saved)) == ["podgraph.json"]


def test_several_formats_are_written_in_one_pass(saved, capsys):
    assert main(["export", "g", "--format", "gexf,csv,obsidian"]) == 0
    names = {name.partition("/")[0] for name in files(saved)}
    assert names == {"g.edges.csv", "g.gexf", "g.nodes.csv", "g.vault", "podgraph.json"}


# A file of the user's, and what would replace it.


@pytest.mark.parametrize(("name", "words"), read_rows(__file__, "REPLACING"), ids=str)
def test_a_users_file_is_replaced_with_force_alone(saved, name, words, capsys):
    (saved / name).write_text("mine")
    assert main(words) == 2
    assert (saved / name).read_text() == "mine"
    assert capsys.readouterr().err == (
        f"podgraph: {name}: is there, and podgraph did not write it; "
        "name another file, or replace it with --force (force=True)\n"
    )
    assert main([*words, "--force"]) == 0
    assert (saved / name).read_text("utf-8") != "mine"


def test_a_graph_is_not_replaced_by_a_part_of_it(saved, capsys):
    before = files(saved)
    assert main(["export", "podgraph.json", "--kinds", "topics"]) == 2
    assert files(saved) == before
    assert "podgraph.json: is what is read; name another file" in capsys.readouterr().err
    assert main(["build", "podgraph.json", "-o", "podgraph.json"]) == 2
    assert files(saved) == before


def test_the_snapshot_replaces_a_graph_only_by_name(saved, capsys):
    (saved / "podgraph.json").rename("mine.json")
    kept = files(saved)
    assert main(["export", "mine.json"]) == 2
    assert files(saved) == kept
    problem = "podgraph: mine.json: would be replaced by the built-in snapshot; name the graph: -g FILE, or -g sample"
    assert capsys.readouterr().err.endswith(f"{problem} for the snapshot\n")
    assert main(["export", "mine.json", "-g", "sample"]) == 0
    assert files(saved) != kept


def test_a_picture_of_what_is_near(saved):
    assert main(["export", "-q", "start.svg"]) == 0
    assert main(["export", "-q", "near.svg", "--focus", "topic:vmap"]) == 0
    near = (saved / "near.svg").read_text("utf-8")
    assert ">functorch</title>" in near
    assert ">functorch</title>" not in (saved / "start.svg").read_text("utf-8")


# What is in the folder before (a text, or `/` for a folder), the files that are asked for, the one that cannot be
# written, why, and those that are written.
REFUSED = read_rows(__file__, "REFUSED")


def test_one_file_that_cannot_be_written_keeps_no_other_from_it(tmp_path, monkeypatch, capsys):
    """Both commands: one line, status 2, and the others are written."""
    source = tmp_path / "g.json"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.xml").write_bytes(feed())
    assert run(capsys, "build", "feed.xml", "-q", "-o", str(source))[0] == 0
    failures = []
    for number, (before, asked, said, written) in enumerate(REFUSED):
        for command in ("export", "build"):
            folder = tmp_path / f"{command}{number}"
            folder.mkdir()
            for name, text in before.items():
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).mkdir() if name.endswith("/") else (folder / name).write_text(text, "utf-8")
            shutil.copy(source, folder)
            shutil.copy(tmp_path / "feed.xml", folder)
            monkeypatch.chdir(folder)
            if command == "export":
                status, _, err = run(capsys, "export", "-g", "g.json", "-q", *asked)
            elif "g.json" in asked:
                continue
            else:
                status, _, err = run(
                    capsys, "build", "feed.xml", "-q", *(word for name in asked for word in ("-o", name))
                )
            there = [name for name in written if (folder / name).is_file()]
            if (status, err.count("\n"), there) != (2, 1, written) or said not in err:
                failures.append(f"{command} {asked}: {status=} {there} {err!r}")
    assert not failures, "\n".join(failures)


def test_nothing_is_built_where_no_file_can_be_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "build", "absent.xml", "-o", "none/a.json", "-o", "x.odd")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "absent" not in err
