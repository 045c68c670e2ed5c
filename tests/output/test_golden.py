"""What is written of a small graph, letter by letter: files of each format, the site, the data of the page, answers.

``python -m tests.output.test_golden`` writes the files in ``golden/`` anew; a person reads the difference.
"""

import contextlib
import inspect
import io
import json
import re
import shlex
import shutil
import tempfile
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import networkx
import pytest

import podgraph
from podgraph.extractors import TranscriptSources, parse_feed
from podgraph.output.cli import build_parser, main
from podgraph.output.commands.answer_files import PLAYLIST_SUFFIXES, write_answer
from podgraph.output.formats import FORMATS, Rows, write_graph
from podgraph.output.formats.svg import to_svg
from podgraph.output.library import from_networkx
from podgraph.output.page.page import to_html
from podgraph.output.pipeline import graph_of
from podgraph.output.questions import QUESTIONS
from podgraph.output.site.site import to_site
from tests.answers.shared import table
from tests.output.graphs import contract_graph, foreign
from tests.output.page.test_page import read_data
from tests.output.running import Terminal
from tests.tables import read_rows, read_table

GOLDEN = Path(__file__).with_name("golden")
SHOW = Path(__file__).with_name("golden_show")
POSITIONS = "x y wx wy lx ly".split()
WRITTEN = {".toml", ".jsonl", ".csv", ".m3u8"}  # of the commands


def join_texts(texts):
    return "".join(f"=== {name}\n{text}\n" for name, text in sorted(texts.items()))


def list_members(data):
    """Return the members of a JSON object, a line each, and each item of a list in a line of its own."""
    encode = partial(json.dumps, ensure_ascii=False, sort_keys=True)
    members = {name: value if isinstance(value, list) and value else [value] for name, value in sorted(data.items())}
    return "".join(f"{name}: {encode(item)}\n" for name, items in members.items() for item in items)


def draw_names():
    """Return the picture of the contract's graph with more names, at fixed places: few have room on all sides."""
    graph = contract_graph()
    for label in ("a name of fifty letters, which is longer than names may be", "二十の名前", "שם בעברית", "C++", "D"):
        graph.add_node(label, kind="topic", label=label, rank=0.0)
    graph.add_node("podcast:q", kind="podcast", title="Q" * 150)
    for number, data in enumerate(graph.nodes.values()):
        data |= {"x": number % 8 * 14.0, "y": number // 8 * 8.0 + number % 2, "rank": number % 4 / 40}
    return {"everything": "".join(to_svg(Rows(graph), everything=True))}


def write_all(graph, folder):
    """Yield (file of ``golden/``, text); positions are left out, which differ from machine to machine."""
    for item in FORMATS:
        if (item.form == "text" and item.name not in {"html", "svg"}) or item.name == "vault":
            (folder / item.name).mkdir()
            write_graph(graph, folder / item.name / f"g{item.suffixes[0]}")
            paths = [path for path in (folder / item.name).rglob("*.*") if path.is_file()]
            files = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}
            yield f"{item.name}.txt", join_texts(files)
    if find_spec("pyarrow"):
        yield "parquet.txt", join_texts(dict(read_parquet(graph, folder)))
    yield "svg.txt", join_texts({"atlas": "".join(to_svg(Rows(graph))), **draw_names()})
    yield "site.txt", join_texts({path: text for path, text in to_site(graph).items() if path != "index.html"})
    data = read_data(to_html(graph))
    data["nodes"] = [{name: value for name, value in node.items() if name not in POSITIONS} for node in data["nodes"]]
    yield "page.txt", list_members(data | data.pop("legend"))
    answers = {}
    for question, words, options in read_rows(__file__, "QUESTIONS"):
        answer = getattr(from_networkx(graph), question)(*words, **options)
        title = " ".join((question, *words, *map(str, options.items())))
        answers[title] = list_members({"columns": answer.columns, **answer.to_dict()})
    yield "answers.txt", join_texts(answers)
    library = from_networkx(graph)
    for suffix in (".csv", ".md", ".html", *PLAYLIST_SUFFIXES):
        write_answer(library.list("episodes"), str(folder / f"answer{suffix}"), library)
    yield "answer_files.txt", join_texts({path.name: path.read_text("utf-8") for path in folder.glob("answer.*")})


def read_parquet(graph, folder):
    """Yield (file, its columns with their types and its rows) for the Parquet files of a graph, and those by show."""
    for target in ("g.parquet", "shows.parquet/"):
        write_graph(graph, f"{folder}/{target}")
    for path in filter(Path.is_file, folder.rglob("*.parquet")):
        table = import_module("pyarrow.parquet").read_table(path)
        columns = "".join(f"{field.name}: {field.type}\n" for field in table.schema)
        yield path.relative_to(folder).as_posix(), columns + "\n".join(map(str, table.to_pylist()))


def build_show():
    """Return the graph of ``golden_show/``, a feed with transcripts: each node and each edge in a line of its own."""
    feed = parse_feed(SHOW.joinpath("feed.xml").read_bytes(), source="feed.xml")
    graph = graph_of([feed], transcripts=TranscriptSources((SHOW,)), has_places=False)
    return list_members(networkx.node_link_data(graph, edges="edges")).replace(podgraph.__version__, "VERSION")


def describe_interface():
    """Return the signatures of the library, and for each command its options with what they mean."""
    methods = {**vars(podgraph), **QUESTIONS, **vars(podgraph.Graph)}
    public = {name: method for name, method in methods.items() if name[0] != "_" and inspect.isfunction(method)}
    lines = [f"{name}{inspect.signature(method)}" for name, method in sorted(public.items())]
    (subparsers,) = (action for action in build_parser()._actions if action.choices)
    for name, parser in [("podgraph", build_parser()), *subparsers.choices.items()]:
        lines += ["", f"{name}: {parser.description}"]
        for action in parser._actions:
            words = (*action.option_strings, action.dest, action.metavar, action.nargs, action.default, action.help)
            lines.append("  " + " | ".join(map(str, words)))
    return "\n".join(lines)


def ask_sample():
    """Return the answers of the built-in sample to the questions of ``tests/answers`` and to longer texts, in short."""
    tables = {"explain": "explained", "search": "searches", "cites": "refs"}
    rows = [(question, text) for question, name in tables.items() for text, *_ in table("snapshot", name)]
    lines = []
    for question, text in [*rows, *read_rows(__file__, "ask_sample")]:
        answer = getattr(podgraph.sample(), question)(text, n=4)
        lines += ["", f"{question} {text!r}: {answer.total} {answer.heading} {answer.notes} {answer.columns}"]
        for row in answer:
            lines.append("  " + " | ".join(str(row[name]) for name in ("id", "level", "where", "reasons", "files")))
    return "\n".join(lines)


def run_commands(folder):
    """Return what the commands of a table print on a terminal (T) or in a pipe (P), and the texts that they write.

    They run one after the other in a folder with graphs of the sample, of the contract and of ``golden_show/``.
    """
    shutil.copytree(SHOW, folder, dirs_exist_ok=True)
    write_graph(contract_graph(), folder / "podgraph.sqlite")
    podgraph.sample().export(folder / "sample.sqlite")
    lines = []
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "120")
        patch.setenv("TERM", "xterm")
        for words in read_table(__file__, "golden_commands.txt"):
            out, err = Terminal() if words[0] == "T" else io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = main(shlex.split(words[1].replace("\\n", "\n")))
            lines += [f"=== {' '.join(words)} -> {status}", out.getvalue(), err.getvalue()]
        texts = {path.as_posix(): path.read_text("utf-8") for path in Path().rglob("*.*") if path.suffix in WRITTEN}
    # Colours, positions and ranks are left out.
    left_out = r'\x1b\[\d*m| +$|^ *"([xy](_\w+)?|rank)": .*\n'
    return re.sub(left_out, "", "\n".join(lines), flags=re.MULTILINE) + join_texts(texts)


def make_golden():
    with tempfile.TemporaryDirectory() as folder:
        texts = dict(write_all(contract_graph(), Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        texts["commands.txt"] = run_commands(Path(folder))
    texts |= {"built.txt": build_show(), "interface.txt": describe_interface(), "sample.txt": ask_sample()}
    return {name: text.replace(podgraph.__version__, "VERSION") for name, text in texts.items()}


@pytest.fixture(scope="module")
def written():
    return make_golden()


@pytest.mark.parametrize("path", sorted(GOLDEN.iterdir()), ids=lambda path: path.name)
def test_what_is_written_is_as_before(written, path):
    foreign("pyarrow" if path.name == "parquet.txt" else "")
    assert written[path.name] == path.read_text("utf-8")


def test_the_shipped_graph_is_the_one_of_a_build():
    graph = podgraph.build("sample", offline=True)
    assert networkx.utils.graphs_equal(graph.networkx(), podgraph.sample().networkx())


if __name__ == "__main__":
    for name, text in make_golden().items():
        (GOLDEN / name).write_text(text, "utf-8")
