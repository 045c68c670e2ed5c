"""A made history, and what a clone of it says of numbers, commits and paths."""

import os
import subprocess

import pytest

from podgraph.extractors import SourceError, choose_look_ups, identify, look_up_metadata
from podgraph.extractors.metadata import git as git_command
from tests.extractors.metadata.histories import ENVIRONMENT, History, git
from tests.tables import read_rows, read_toml

HOME = "https://github.com/o/r"
EACH = 60  # commits of each kind of message, and renames

# kind of message -> (message of the n-th, what its author is called; None: it lands nothing)
KINDS = dict(read_rows(__file__, "KINDS"))


def ref(path):
    return identify(path if path.startswith("http") else f"{HOME}/{path}")[1]


def ask(folder, *paths, given="", told=None):
    """Return facts by id, and edges as (source, relation, target) without `github:o/r`."""
    lines = [] if told is None else told
    found = look_up_metadata(
        [ref(path) for path in paths], choose_look_ups([given or str(folder)]), notify=lines.append
    )
    short = [(edge.source.id, edge.relation, edge.target.id) for edge in found.edges]
    return {fact.id: fact for fact in found.facts}, {
        tuple(end.removeprefix("github:o/r") for end in edge) for edge in short
    }


def said(fact):
    return dict(fact.attrs)


def a_history():
    """A history with a bit of everything; the second value names its paths."""
    history = History()
    history.commit(
        "First (#1)", "a/x.py=1\n2\n3\n4\n", "b/y.py=some\nother\nwords\n", "b/z.py=z\nz z\nz z z\n", "gone.py=1"
    )
    history.commit(
        "Second\n\nFixes #50\n\nPull Request resolved: https://github.com/o/r/pull/2\n", "a/x.py=1\n2\n3\n4\n5\n"
    )
    history.commit("Move (#3)", "a/x.py>c/x2.py", "-gone.py", author="Cara <7+cara@users.noreply.github.com>")
    history.commit("Move again (#4)", "c/x2.py>d/x.py", "b/y.py>e/y.py", "b/z.py>e/z.py")
    side = history.commit("on a branch", "new.py=n", branch="side", parent=4)
    history.commit("Merge pull request #5 from ann/side\n\nThe new file", "new.py=n", parent=4, merged=side)
    return history


def test_every_number_title_file_and_rename_is_right(tmp_path):
    history = History()
    history.commit("base", *(f"old/{n % 40}/{n}.py=content of {n}\nand more of {n}\n" for n in range(EACH)))
    expected = {}
    number = 10_000
    for place, (kind, (message, author)) in enumerate(KINDS.items()):
        for n in range(EACH):
            number += 1
            history.commit(message.format(n=number, issue=900_000 + number), f"{kind}/{n % 50}/{n}.py={place}")
            if author:
                title = message.partition("\n")[0].format(n=number).removesuffix(f" (#{number})")
                expected[number] = (f"Merged {number}" if kind == "merged" else title, f"{kind}/{n % 50}/{n}.py")
    for n in range(EACH):
        history.commit(f"move {n}", f"old/{n % 40}/{n}.py>new/{n % 50}/{n}.py")
    history.write(tmp_path / "r")
    numbers = range(10_001, number + 1)
    paths = [f"blob/main/old/{n % 40}/{n}.py" for n in range(EACH)]
    facts, edges = ask(tmp_path / "r", *(f"pull/{n}" for n in numbers), *paths)
    pulls = {n: said(facts[f"github:o/r#{n}"]) for n in numbers if f"github:o/r#{n}" in facts}
    assert pulls.keys() == expected.keys()
    assert {n: pulls[n]["title"] for n in pulls} == {n: title for n, (title, _) in expected.items()}
    assert {(source, target) for source, relation, target in edges if relation == "touches"} == {
        (f"#{n}", f":{path}") for n, (_, path) in expected.items()
    }
    closing = [n for n, (title, _) in expected.items() if title.startswith("Closing")]
    assert {edge for edge in edges if edge[1] == "closes"} == {(f"#{n}", "closes", f"#{900_000 + n}") for n in closing}
    moved = [said(facts[f"github:o/r:old/{n % 40}/{n}.py"]) for n in range(EACH)]
    assert [fact["current_url"] for fact in moved] == [f"{HOME}/blob/HEAD/new/{n % 50}/{n}.py" for n in range(EACH)]
    assert {fact["status"] for fact in moved} == {"moved"}


def test_what_a_clone_says(tmp_path):
    names = a_history().write(tmp_path / "r")
    facts, edges = ask(
        tmp_path / "r", *(f"pull/{n}" for n in (1, 2, 3, 5, 99)), "issues/50", f"commit/{names[3][:9]}",
        *(f"blob/main/{path}" for path in ("a/x.py", "b/y.py", "gone.py", "d/x.py", "never.py", "new.py")), "tree/main/b",
    )  # fmt: skip
    told = {id_.removeprefix("github:o/r"): said(fact) for id_, fact in facts.items()}
    day = "2020-09-13T12:2{}:40+00:00"
    assert told["#1"] == {
        "title": "First", "state": "merged", "author": "Ann Example", "date": day.format(7), "files": 4
    }  # fmt: skip
    assert told["#5"]["title"] == "The new file"
    assert told[f"@{names[3][:9]}"]["title"] == "Move (#3)"
    assert facts[f"github:o/r@{names[3][:9]}"].ref.id == f"github:o/r@{names[3]}"
    assert told[":a/x.py"] == {"status": "moved", "current_url": f"{HOME}/blob/HEAD/d/x.py"}
    assert told[":b"]["current_url"] == f"{HOME}/tree/HEAD/e"
    assert told[":gone.py"] == {"status": "gone"}
    assert told[":never.py"] == {"status": "gone"}
    assert told[":d/x.py"] == {"status": "ok"}
    assert "#99" not in told
    assert edges >= {
        ("#2", "closes", "#50"), ("#5", "touches", ":new.py"), ("#5", "authored_by", "person:ann"),
        ("#3", "authored_by", "person:cara"), ("#1", "landed_as", f"@{names[1]}"), ("#3", "touches", ":c/x2.py"),
    }  # fmt: skip
    assert {fact.looked_up for fact in facts.values()} == {("clone of o/r", "2020-09-13T12:32:40+00:00")}


def test_a_closed_issue_brings_the_pull_request_that_closed_it(tmp_path):
    a_history().write(tmp_path / "r")
    facts, edges = ask(tmp_path / "r", "issues/50")
    assert said(facts["github:o/r#2"])["title"] == "Second"
    assert ("#2", "closes", "#50") in edges


def test_of_many_files_the_cited_ones_and_the_first(tmp_path):
    history = History()
    history.commit("Many (#1)", *(f"f/{n:03}.py={n}" for n in range(100)))
    history.write(tmp_path / "r")
    facts, edges = ask(tmp_path / "r", "pull/1", "blob/main/f/099.py")
    touched = sorted(target for _, relation, target in edges if relation == "touches")
    assert touched == [*(f":f/{n:03}.py" for n in range(29)), ":f/099.py"]
    assert said(facts["github:o/r#1"])["files"] == 100


def test_the_newest_of_several_landings_counts(tmp_path):
    history = History()
    history.commit("Try (#1)", "a=1")
    history.commit('Revert "Try (#1)"\n\nThis reverts commit 123.', "a=0")
    history.commit("Try harder (#1)", "b=1")
    names = history.write(tmp_path / "r")
    facts, edges = ask(tmp_path / "r", "pull/1")
    assert said(facts["github:o/r#1"])["title"] == "Try harder"
    assert {edge[2] for edge in edges if edge[1] == "landed_as"} == {f"@{names[3]}"}


TABLES = read_toml(__file__, "checkout.toml")


@pytest.mark.parametrize("row", TABLES["clones"].values(), ids=TABLES["clones"])
def test_a_clone_that_is_not_whole_is_said_in_one_line_and_the_rest_done(row, tmp_path):
    a_history().write(tmp_path / "whole")
    git(tmp_path / "whole", "config", "uploadpack.allowFilter", "true")
    git(tmp_path, *row["words"], (tmp_path / "whole").as_uri(), "part")
    lines = []
    facts, _ = ask(
        tmp_path / "part", "pull/1", "pull/5", "blob/main/d/x.py", "blob/main/a/x.py",
        given=f"o/r={tmp_path / 'part'}", told=lines,
    )  # fmt: skip
    assert lines[0] == f"{tmp_path / 'part'} {row['line']}"
    assert {id_.removeprefix("github:o/r") for id_ in facts} >= {*row["found"]}


def test_a_clone_without_what_is_cited(tmp_path):
    a_history().write(tmp_path / "r")
    lines = []
    facts, _ = ask(tmp_path / "r", "commit/" + "5" * 40, "pull/77", "blob/main/d/x.py", told=lines)
    assert lines == [
        f"looked into {tmp_path / 'r'} (o/r): 0 of 1 numbers landed, 0 of 1 commits, 1 of 1 files and folders"
    ]
    assert list(facts) == ["github:o/r:d/x.py"]


@pytest.mark.parametrize(("given", "line"), TABLES["mistakes"].items())
def test_what_is_no_clone_is_said_before_anything_is_done(given, line, tmp_path):
    (tmp_path / "file").write_text("")
    History().write(tmp_path / "elsewhere", origin="https://gitlab.com/o/r.git")
    History().write(tmp_path / "alone", origin="")
    with pytest.raises(SourceError) as error:
        choose_look_ups([given.format(here=tmp_path)])
    assert str(error.value) == line.format(here=tmp_path)


@pytest.mark.parametrize(
    "origin", ["git@github.com:O/R.git", "https://token@github.com/o/r", "ssh://git@github.com/o/r.git"]
)
def test_the_origin_in_any_spelling(origin, tmp_path):
    History().write(tmp_path / "r", origin=origin)
    assert [checkout.repo for checkout in choose_look_ups([str(tmp_path / "r")]).checkouts] == ["o/r"]


@pytest.mark.parametrize(("settings", "command"), TABLES["traps"].items())
def test_a_program_that_a_clone_names_is_not_run(settings, command, tmp_path):
    clone, sprung, hooks = tmp_path / "r", tmp_path / "sprung", tmp_path / "hooks"
    a_history().write(clone)
    hooks.mkdir()
    trap = hooks / "post-checkout"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\nexit 1\n")
    trap.chmod(0o755)
    signature = "\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n\n"
    signed = git(clone, "cat-file", "commit", "HEAD").replace("\n\n", signature, 1).encode()
    name = git(clone, "hash-object", "-tcommit", "-w", "--stdin", given=signed).strip()
    git(clone, "update-ref", "refs/heads/main", name)
    if "promisor" in settings:
        missing = git(clone, "rev-parse", "HEAD:new.py").strip()
        (clone / ".git/objects" / missing[:2] / missing[2:]).unlink()
    for setting in ("remote.origin.url=ssh://git@github.com/o/r", *settings.format(trap=trap, hooks=hooks).split()):
        git(clone, "config", *setting.split("=", 1))
    (clone / ".git/info").mkdir(exist_ok=True)
    (clone / ".git/info/attributes").write_text("* diff=x filter=x\n")
    facts, _ = ask(clone, "pull/1", "blob/main/a/x.py", "blob/main/new.py")
    assert len(facts) == 3
    assert not sprung.exists()
    _, terminal = os.openpty()  # only there is a pager
    words, environment = ["git", "-C", str(clone), *command.split()], {**ENVIRONMENT, "TERM": "xterm"}
    subprocess.run(words, stdout=terminal, stderr=terminal, check=False, env=environment, timeout=20)
    assert sprung.exists(), "the trap works where nothing holds it back"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes: run on a POSIX system")
def test_a_pipe_in_the_place_of_a_file_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(git_command, "_SECONDS", 0.1)
    History().write(tmp_path / "r")
    (tmp_path / "r/.git/HEAD").unlink()
    os.mkfifo(tmp_path / "r/.git/HEAD")
    with pytest.raises(SourceError, match="git does not answer; it may wait for a pipe in the clone"):
        choose_look_ups([str(tmp_path / "r")])
