"""What answers have for programs: a short set of fields by a schema that ships, or those that are asked for."""

import importlib.resources
import json
from functools import cache

import jsonschema
import pytest

import podgraph
from podgraph.graph import FIELDS
from podgraph.output.cli import main
from podgraph.output.formats import write_graph
from tests.answers.shared import SHOWS, graph, questions
from tests.graph.nets import net

SCHEMAS = importlib.resources.files("podgraph.output") / "schemas"


@pytest.fixture(scope="module")
def shows(tmp_path_factory):
    """The shows that are asked the shared questions, and a graph with next to nothing in it."""
    folder = tmp_path_factory.mktemp("shows")
    graphs = {show: graph(show) for show in SHOWS} | {"small": net(("Grinding flour", ["flour"], "the mill"))}
    for name, made in graphs.items():
        write_graph(made, folder / f"{name}.json")
    return {name: podgraph.open(folder / f"{name}.json") for name in graphs}


@cache
def validator(question):
    """Return what says whether a schema takes an answer."""
    schema = json.loads((SCHEMAS / f"{question}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def valid(question, answer):
    """Return the answer as JSON has it, when its schema takes it."""
    told = json.loads(json.dumps(answer))
    assert [error.message for error in validator(question).iter_errors(told)] == [], question
    return told


def asked(graph, name):
    """Yield (question, answer) of all kinds."""
    for show, ref, *_ in questions("refs"):
        if show == name:
            yield "cites", graph.cites(ref)
            yield "where", graph.where(ref)
    for show, text, _ in questions("searches"):
        if show == name:
            yield "search", graph.search(text)
    for show, first, last in questions("paths"):
        if show == name:
            yield "path", graph.path(first, last, 2)
    for kind in ("episodes", "topics", "artifacts", "podcasts", "files", "posts"):
        found = graph.list(kind, n=12)
        yield "list", found
        for row in found:
            yield from [("why", graph.why(row.id, "vmap"))] if kind == "episodes" else []
            yield "show", graph.show(row.id)
            yield "where", graph.where(row.id)
            if kind == "episodes":
                yield "related", graph.related(row.id)
                yield "order", graph.order(row.id)
    yield from (
        ("order", graph.order()),
        ("stats", graph.stats()),
        ("links", graph.links()),
        ("cites", graph.cites("no-such-thing")),
    )
    yield from (("search", graph.search("no-such-thing")), ("where", graph.where("no-such-thing")))
    yield from (("review", graph.review(["torch/_inductor/ir.py", "x.c"])), ("review", graph.review("")))
    yield from (("explain", graph.explain("torch/_inductor/ir.py:1")), ("explain", graph.explain("")))


@pytest.mark.parametrize("name", [*SHOWS, "small"])
def test_answers_are_valid_by_their_schemas(shows, name):
    seen = {question for question, answer in asked(shows[name], name) if valid(question, answer.to_dict()) is not None}
    assert seen >= FIELDS.keys() - {"diff", "path"}


def test_a_difference_is_valid_by_its_schema(shows):
    told = valid("diff", shows["snapshot"].diff(shows["small"]).to_dict())
    assert all(told[name] for name in ("added", "removed", "added_edges", "removed_edges"))


@pytest.mark.parametrize("question", sorted(FIELDS.keys() - {"why", "links"}))  # which have no other fields
def test_a_schema_takes_nothing_but_the_default_fields(shows, question):
    graph = shows["snapshot"]
    answer = {
        "cites": lambda: graph.cites("vmap"), "where": lambda: graph.where("vmap"), "review": lambda: graph.review(["setup.py"]), "explain": lambda: graph.explain("torch/_inductor/ir.py"), "related": lambda: graph.related("vmap"),
        "order": graph.order, "path": lambda: graph.path("vmap", "functorch"), "search": lambda: graph.search("vmap"),
        "list": lambda: graph.list("episodes"), "show": lambda: graph.show("vmap"), "stats": graph.stats, "why": lambda: graph.why("vmap", "vmap"),
        "diff": lambda: graph.diff(shows["small"]),
    }[question]()  # fmt: skip
    whole = json.loads(json.dumps(answer.to_dict("all")))
    assert list(validator(question).iter_errors(whole)), "with all fields there are others"
    assert valid(question, answer.to_dict())


CHOSEN = [
    (lambda g: g.cites("#130935"), "title", {"title": "Compiler collectives"}),
    (lambda g: g.cites("#130935"), "title,number", {"title": "Compiler collectives", "number": 83}),
    (
        lambda g: g.cites("#130935"),
        " cites , date ",
        {"cites": ["github:pytorch/pytorch#130935"], "date": "2024-08-04"},
    ),
    (
        lambda g: g.cites("#130935"),
        "evidence.method,evidence.field",
        {"evidence": [{"method": "href", "field": "notes"}]},
    ),
    (lambda g: g.list("episodes", n=1), ["title"], {"title": "Compiler collectives"}),
    (lambda g: g.search("Compiler collectives"), "where", {"where": "label"}),
    (lambda g: g.show("#130935"), "number,repo", {"number": 130935, "repo": "pytorch/pytorch"}),
    (lambda g: g.stats(), "first", {"first": "2021-05-04"}),
    (lambda g: g.path("vmap", "functorch"), "relation", {"relation": "about"}),
]


@pytest.mark.parametrize(("ask", "fields", "first"), CHOSEN)
def test_fields_are_chosen(shows, ask, fields, first):
    told = json.loads(json.dumps(ask(shows["snapshot"]).to_dict(fields)))
    while not isinstance(told, dict) or told.keys() & {"episodes", "paths", "nodes"}:
        told = told[0] if isinstance(told, list) else told.get("episodes") or told.get("paths") or told.get("nodes")
    assert told == first


@pytest.mark.parametrize(
    "words", [["cites", "#130935"], ["list", "episodes"], ["show", "vmap"], ["stats"], ["path", "vmap", "functorch"]]
)
def test_the_command_takes_fields(sample_file, capsys, words):
    assert main([*words, "--fields", "all", "-g", str(sample_file)]) == 0
    every = json.loads(capsys.readouterr().out)
    assert main([*words, "--json", "-g", str(sample_file)]) == 0
    assert len(json.dumps(json.loads(capsys.readouterr().out))) < len(json.dumps(every))


def test_a_field_that_there_is_none_of_is_one_line(capsys):
    assert main(["cites", "vmap", "--fields", "title,nonsense", "-g", "not-even-opened.json"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("podgraph: cites has no field 'nonsense'; use all, or of id, title, date, url,")


# What is printed, by question: with nothing found, too.
PRINTED = {
    "cites": ["130935", "vmap", "torch.vmap", "c10/core", "nosuch", "no such words", "dispatcher vmap", "nosuch 130935", "pytorch/xla#2871", "topic:autograd", "torch/csrc", "2021"],
    "where": ["torch.vmap", "TensorIterator", "c10/core/thread_pool.h", "native_functions.yaml", "nosuch", "torch/fft/__init__.py", "torch.vmap nosuch", "torch/_dynamo", "setup.py", "aten"],
    "review": ["torch/_inductor/ir.py", "setup.py", "nosuch.py", "torch/_inductor/ir.py setup.py c10/core/DispatchKey.h", "torch"],
    "show": ["vmap", "130935", "topic:dispatcher", "nosuch", "podcast:pytorch-developer-podcast", "torch.vmap", "pytorch/pytorch", "person:ezyang", "XLA", "TH", "CMake", "Strides", "83"],
    "related": ["vmap", "34", "nosuch", "XLA", "TH", "Strides", "CMake", "torch.nn", "1", "83"],
    "order": ["", "dispatcher", "vmap", "nosuch", "autograd", "--topic dispatcher", "Strides"],
    "path": ["vmap functorch", "130935 vmap -n 3", "vmap nosuch", "vmap vmap", "XLA TH", "CMake Strides"],
    "search": ["vmap", "dispatcher", "zzzzqqq", "double backward", "--kind topics graph", "python", "2021", "TensorAcessor", "yang", "cuda", "memory", "graph break"],
    "list": ["episodes", "topics", "artifacts", "podcasts", "people", "files", "posts", "episodes --year 1999", "episodes --topic nosuch", "pulls --repo pytorch/rfcs", "docs -n 3", "issues", "web", "papers", "symbols -n 20", "episodes --podcast nosuch"],
    "stats": ["", "-n 0", "-n 1", "--with-boilerplate"],
    "links": ["--links"],
    "why": ["vmap vmap", "vmap zzzz", "nosuch x", "34 functorch"],
    "diff": ["sample sample"],
}  # fmt: skip


@pytest.mark.parametrize("suffix", ["json", "sqlite"])
@pytest.mark.parametrize("question", PRINTED)
def test_what_is_printed_is_valid(question, suffix, sample_file, tmp_path, capsys):
    """Schemas describe exactly what is printed, of a file of JSON as of SQLite."""
    saved = sample_file.parent / f"printed.{suffix}"
    if not saved.exists():
        podgraph.open(sample_file).export(saved)
    statuses = set()
    for words in PRINTED[question]:
        graph = [] if question == "diff" else ["-g", str(saved)]
        command = {"links": "stats"}.get(question, question)
        statuses.add(main([command, *words.replace("sample", str(saved)).split(), "--json", *graph]))
        told = json.loads(capsys.readouterr().out)
        assert [error.message for error in validator(question).iter_errors(told)] == [], words
    assert statuses <= {0, 1}
    assert question in ("review", "stats", "links", "diff") or statuses == {0, 1}


def test_two_hundred_answers_are_printed():
    assert 2 * sum(map(len, PRINTED.values())) >= 200
