"""``podgraph explain``: what it prints, and its status."""

import io
import json

import pytest

from podgraph.output.cli import main

TEXT = "https://github.com/pytorch/pytorch/pull/130935"


def test_a_text_from_standard_input(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(TEXT))
    assert main(["explain", "-", "-g", "sample", "-n", "1"]) == 0
    assert capsys.readouterr().out.split("\t")[1:3] == ["Compiler collectives", TEXT]


@pytest.mark.parametrize(("words", "status", "found"), [([TEXT], 0, True), (["KeyError:", "x"], 1, False)])
def test_as_json(capsys, words, status, found):
    assert main(["explain", *words, "-g", "sample", "--json"]) == status
    answer = json.loads(capsys.readouterr().out)
    assert (answer["query"], answer["found"]) == (" ".join(words), found)


def test_an_unknown_text_is_one_line(capsys):
    assert main(["explain", "no such thing", "-g", "sample"]) == 1
    assert capsys.readouterr() == ("", "podgraph: nothing in the text is known\n")
