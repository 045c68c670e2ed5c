"""``podgraph review``: arguments and standard input in, one list out."""

import io
import json
import sys

import pytest
from podgraph.output.commands.from_code.review import MARKER, code

from podgraph.output.cli import main
from tests.extractors.metadata.histories import History

DIFF = """diff --git a/torch/_inductor/ir.py b/torch/_inductor/ir.py
--- a/torch/_inductor/ir.py
+++ b/torch/_inductor/ir.py
@@ -1 +1 @@
-a
+b
diff --git a/test/test_autograd.py b/test/test_autograd.py
--- a/test/test_autograd.py
+++ b/test/test_autograd.py
@@ -1 +1 @@
-a
+b
"""


@pytest.fixture
def ask(sample_file, capsys, monkeypatch):
    def run(*words, text=None):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text or ""))
        status = main(["review", *words, "-g", str(sample_file)])
        out, err = capsys.readouterr()
        return status, out, err

    return run


@pytest.mark.parametrize("words", [(), ("-",)], ids=["no path", "-"])
def test_a_diff_on_standard_input(ask, words):
    status, out, err = ask(*words, text=DIFF)
    assert status == 0
    assert [line.split("\t")[0] for line in out.splitlines()][:2] == ["Inductor IR", "Why is autograd so complicated"]
    assert {len(line.split("\t")) for line in out.splitlines()} == {8}
    assert not err


def test_paths_and_standard_input_together(ask):
    status, out, _ = ask("setup.py", "-", "--json", text="torch/_inductor/ir.py\n")
    answer = json.loads(out)
    assert (status, answer["files"], answer["found"]) == (0, 2, True)
    assert {"CMake", "Inductor IR"} <= {one["title"] for one in answer["episodes"]}
    assert all(one["files"] and one["reasons"] for one in answer["episodes"])


PULL = "https://github.com/pytorch/pytorch/pull/998877"


@pytest.fixture
def clone(tmp_path):
    history = History()
    history.commit("Guard more (#998877)", "torch/_dynamo/guards.py=1", "torch/distributed/rpc/api.py=2")
    history.write(tmp_path / "pt", origin="https://github.com/pytorch/pytorch.git")
    return str(tmp_path / "pt")


@pytest.mark.parametrize("name", [PULL, "998877", "#998877", "pytorch/pytorch#998877"])
def test_a_pull_request_stands_for_its_files_in_a_clone(ask, clone, name):
    status, out, _ = ask(name, "--checkout", clone)
    assert status == 0
    assert {tuple(line.split("\t")[:3:2]) for line in out.splitlines()} == {
        ("Dynamo - VariableTracker", "torch/_dynamo/guards.py"),
        ("Intro to distributed", "torch/distributed/rpc/api.py"),
    }
    status, out, err = ask(name)
    assert (status, out) == (2, "")
    assert "add --github or --checkout" in err


def test_explain_takes_the_files_of_a_pull_request(sample_file, clone, capsys):
    assert main(["explain", f"see {PULL}", "-g", str(sample_file)]) == 1
    capsys.readouterr()
    assert main(["explain", f"see {PULL}", "-g", str(sample_file), "--checkout", clone]) == 0
    titles = {line.split("\t")[1] for line in capsys.readouterr().out.splitlines()}
    assert titles >= {"Dynamo - VariableTracker", "Intro to distributed"}


@pytest.mark.parametrize("words", [(), ("--json",), ("--markdown",)])
def test_an_empty_question_ran(ask, words):
    status, _, err = ask(*words, text="")
    assert (status, err) == (0, "podgraph: standard input is empty: nothing was asked\n")


def test_what_no_episode_explains_is_said_and_no_failure(ask):
    status, out, err = ask("torch/onnx/a.py", "torch/onnx/b.py", "no/such/thing")
    assert (status, out) == (0, "")
    assert err == "podgraph: no episode explains 3 of 3 files; there is none about ONNX export (2 files)\n"


def test_a_change_of_many_files_is_a_short_list(ask):
    paths = [f"torch/_inductor/part_{number}.py" for number in range(200)]
    status, out, _ = ask(text="\n".join(paths))
    assert status == 0
    assert len(out.splitlines()) <= 8
    assert all(len(line) < 500 for line in out.splitlines())


def test_a_comment(ask):
    hostile = "torch/_inductor/`x`|[y](https://evil.example)@someone<b>.py"
    _, out, _ = ask("--markdown", "torch/_inductor/ir.py", hostile)
    lines = out.splitlines()
    assert lines[0] == MARKER
    assert any(line.startswith("| ") and "`torch/_inductor/ir.py`" in line for line in lines)
    rows = [line for line in lines if "someone" in line]
    assert rows
    assert all(code(hostile) in row and row.replace("\\|", "").count("|") == 4 for row in rows)


CODE = {"a.py": "`a.py`", "a|b": "`a\\|b`", "`a`": "`` `a` ``", "a``b": "``` a``b ```", "a\nb\u202e": "`a?b?`"}


@pytest.mark.parametrize(("name", "shown"), CODE.items())
def test_names_in_a_cell(name, shown):
    assert code(name) == shown
