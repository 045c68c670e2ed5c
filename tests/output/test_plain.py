"""Plain words of a question mean what argparse reads in them; whatever else they are, argparse is asked."""

import argparse
import subprocess
import sys

import pytest

from podgraph.output.parser import parser
from podgraph.output.plain import HIDDEN, read_plain

PLAIN = [
    "cites 130935",
    "cites PR 12 --json -q",
    "cites -n 3 12 --repo=a/b",
    "cites 12 --limit 0 --since=2020 --reverse",
    "show vmap -g a.json --all --no-pager",
    "show --verbose x",
    "list pulls --state open --year 2024 --sort count",
    "search a b --most 3 --kind topic",
    "where torch.vmap --symbols --no-config",
    "where -",
    "cites 12 --since=",
]
ODD = [
    "cites",
    "cites --help",
    "cites 12 --fields all",
    "cites 12 --lim 3",
    "cites 12 -n x",
    "cites 12 -n",
    "cites 12 -n5",
    "cites 12 -qv",
    "cites 12 --json=1",
    "cites 12 -q 13",
    "cites -- -12",
    "cites 12 --since -5",
    "cites 12 --repo nothing",
    "show a b",
    "list pulls --state nothing",
    "build sample",
    "nothing",
]


@pytest.fixture(autouse=True)
def _no_defaults(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.mark.parametrize("line", PLAIN)
def test_plain_words(line):
    words = line.split()
    read = vars(parser(words).parse_args(words))
    del read["whole_parser"]
    assert vars(read_plain(words)) == read


@pytest.mark.parametrize("line", ODD)
def test_odd_words(line):
    assert read_plain(line.split()) is None


def test_defaults_are_read_by_argparse(tmp_path):
    assert read_plain(["cites", "12"])
    (tmp_path / "podgraph.toml").write_text('repository = "a/b"\n')
    assert read_plain(["cites", "12"]) is None
    assert read_plain(["cites", "12", "--no-config"])


def test_what_is_hidden_is_hidden_to_argparse_too():
    assert HIDDEN == argparse.SUPPRESS


@pytest.mark.parametrize("line", ["cites 130935", "show vmap", "list pulls", "search dispatcher", "where torch.vmap"])
def test_a_small_question_loads_no_argparse_and_compiles_no_annotation(line, tmp_path):
    code = """
import sys
from podgraph.output.cli import main
main(sys.argv[1:])
assert not {"argparse", "datetime", "locale", "networkx", "typing"} & sys.modules.keys()
"""
    graph = tmp_path / "g.json"
    graph.write_text(
        '{"directed": true, "multigraph": true,\n"graph": {"generator": "podgraph 0", "schema": 1},\n"nodes": [\n'
        '{"id": "topic:dispatcher", "kind": "topic", "label": "dispatcher"},\n'
        '{"id": "topic:vmap", "kind": "topic", "label": "vmap"}\n],\n"edges": []}\n'
    )
    words = [sys.executable, "-c", code, *line.split(), "-g", str(graph)]
    asked = subprocess.run(words, capture_output=True, text=True, check=False)
    assert not asked.returncode, asked.stderr
