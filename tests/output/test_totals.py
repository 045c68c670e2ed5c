"""An answer that ``-n`` shortens has the total: in the library, in JSON, in text and over MCP."""

import asyncio
import json
import sys

import pytest

import podgraph
from tests.output.running import run

# (command, method, its arguments, what the library's items are called)
QUESTIONS = [
    (("cites", "torch.vmap"), "cites", ("torch.vmap",), "episodes"),
    (("related", "vmap"), "related", ("vmap",), "related"),
    (("order", "dispatcher"), "order", ("dispatcher",), "steps"),
    (("order",), "order", (), "steps"),
    (("list", "episodes"), "list", ("episodes",), "nodes"),
    (("list", "pulls", "--since", "2024"), "list", ("pulls",), "nodes"),
    (("search", "dispatcher"), "search", ("dispatcher",), "nodes"),
    (("search", "dispatcher", "--reverse"), "search", ("dispatcher",), "nodes"),
]
IN_OBJECTS = [
    (("cites", "torch.vmap"), "episodes"),
    (("related", "vmap"), "related"),
    (("order", "dispatcher"), "steps"),
    (("where", "torch.vmap"), "episodes"),
    (("where", "torch/_inductor/ir.py"), "episodes"),
    (("review", "torch/_inductor/ir.py", "torch/_dynamo/guards.py"), "episodes"),
    (("list", "episodes"), "nodes"),
    (("search", "dispatcher"), "nodes"),
]


def asked_json(capsys, words, n):
    """Return the JSON of a command, and what it printed on standard error."""
    status, out, err = run(capsys, *words, "-g", "sample", "--json", "--fields", "all", "-n", str(n))
    assert status == 0, (words, err)
    return json.loads(out), err


@pytest.fixture
def terminal(monkeypatch):
    """Return a function that makes standard output a terminal."""
    return lambda: monkeypatch.setattr(sys.stdout, "isatty", lambda: True)


def test_library_has_the_total():
    graph, wrong = podgraph.sample(), []
    for words, method, arguments, items in QUESTIONS:
        options = {"since": "2024"} if "--since" in words else {"reverse": True} if "--reverse" in words else {}
        ask = getattr(graph, method)
        whole, short = ask(*arguments, n=0, **options), ask(*arguments, n=1, **options)
        told, kept = (getattr(one, items) for one in (whole, short))
        if not (len(kept) == 1 < len(told) == short.total == whole.total):
            wrong.append((words, len(kept), short.total, len(told)))
    assert not wrong
    for ask in (
        lambda n: graph.where("torch.vmap", n),
        lambda n: graph.review(["torch/_inductor/ir.py", "setup.py"], n),
    ):
        assert ask(1).total == ask(0).total == len(ask(0)) > len(ask(1)) == 1


def test_json_objects_have_the_total(capsys):
    wrong = []
    for words, items in IN_OBJECTS:
        (whole, _), (short, _) = asked_json(capsys, words, 0), asked_json(capsys, words, 1)
        if not (len(short[items]) == 1 < len(whole[items]) == short["total"] == whole["total"]):
            wrong.append((words, len(short[items]), short["total"], len(whole[items])))
    assert not wrong


def test_json_of_stats_has_the_totals(capsys):
    (whole, _), (short, _) = asked_json(capsys, ("stats",), 0), asked_json(capsys, ("stats",), 1)
    for ranking in ("most_cited", "most_connected"):
        assert len(short[ranking]) == 1 < len(whole[ranking]) == short["total"][ranking] == whole["total"][ranking]


def test_nearest_episodes_are_counted(capsys):
    words = ("where", "torch/fft/__init__.py", "-g", "sample", "--json", "-n", "1")
    answer = json.loads(run(capsys, *words)[1])
    total = podgraph.sample().where("torch/fft/__init__.py").total_nearest
    assert len(answer["nearest"]) == 1 < answer["total_nearest"] == total


def test_piped_text_has_the_total_on_standard_error(capsys):
    wrong = []
    counts = {words: podgraph.sample() for words, *_ in QUESTIONS}
    for words, method, arguments, _ in QUESTIONS:
        options = {"since": "2024"} if "--since" in words else {}
        total = getattr(counts[words], method)(*arguments, n=0, **options).total
        _, _, noted = run(capsys, *words, "-g", "sample", "-n", "1")
        _, _, silent = run(capsys, *words, "-g", "sample", "-n", "0")
        _, _, quiet = run(capsys, *words, "-g", "sample", "-n", "1", "-q")
        if f"podgraph: 1 of {total} " not in noted or "for all" in silent or quiet:
            wrong.append((words, total, noted, silent, quiet))
    assert not wrong


def test_text_of_several_questions_has_the_total(capsys):
    graph = podgraph.sample()
    for command, names in (("cites", ("torch.vmap", "dispatcher")), ("where", ("torch.vmap", "TensorIterator"))):
        total = sum(getattr(graph, command)(name).total for name in names)
        _, _, noted = run(capsys, command, *names, "-g", "sample", "-n", "1")
        assert f"2 of {total} " in noted, command


def test_heading_of_cites_counts_all(capsys, terminal):
    terminal()
    _, out, _ = run(capsys, "cites", "torch.vmap", "-n", "1", "-g", "sample")
    assert " by 3 episodes (1 shown):" in " ".join(out.split())
    _, out, _ = run(capsys, "cites", "torch.vmap", "-g", "sample")
    assert " by 3 episodes:" in " ".join(out.split())


def test_assistants_get_the_total():
    types = pytest.importorskip("mcp", reason="no mcp: pip install 'podgraph[mcp]'").types
    from podgraph.output.assistants import Answers

    graph, wrong = podgraph.sample(), []
    for name, given in (
        ("cites", {"ref": "torch.vmap"}),
        ("related", {"episode": "vmap"}),
        ("order", {"name": "dispatcher"}),
        ("list", {"kind": "episodes"}),
        ("search", {"text": "dispatcher"}),
    ):
        arguments = types.CallToolRequestParams(name=name, arguments=given | {"n": 1})
        answer = asyncio.run(Answers(graph).call(None, arguments)).structured_content
        if answer["total"] != getattr(graph, name)(*given.values(), n=0).total:
            wrong.append((name, answer["total"]))
    assert not wrong
