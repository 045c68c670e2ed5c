"""``podgraph where`` and the health of links, on the built-in snapshot."""

import io
import json
import re

import pytest

from podgraph.output.cli import main


@pytest.fixture(scope="module")
def saved(sample_file):
    return str(sample_file)


def ask(capsys, *words):
    status = main([*words, "--json"])
    return status, json.loads(capsys.readouterr().out)


FIRST = [
    ("vmap", "vmap"),
    ("TensorAccessor", "TensorAccessor"),
    ("torch.use_deterministic_algorithms", "torch.use_deterministic_algorithms"),
    ("intrusive_ptr", "Reference counting"),
    ("torch/_dynamo/variables/base.py", "Dynamo - VariableTracker"),
    ("torch/_dynamo/variables/base.py:320", "Dynamo - VariableTracker"),
    ("aten/src/ATen/native/TensorIterator.cpp", "TensorIterator"),
    ("TensorIterator", "TensorIterator"),
    ("__torch_function__", "__torch_function__"),
    ("c10/core/thread_pool.h", "Multithreading"),
    ("c10/core/DispatchKey.h", "Dispatcher questions with Sherlock"),  # the newer of two about the dispatcher
    ("native_functions.yaml", "native_functions.yaml"),
    ("torch/csrc/autograd/engine.h", "Multithreading"),  # its other half is cited
    ("torchgen/gen.py", "Code generation"),  # cited where it once was
    ("torch/_dynamo/no_such_file_yet.py", "Dynamo - VariableTracker"),
    ("test/inductor/test_cudagraph_trees.py", "CUDA graph trees"),
    ("test/distributed/test_something_new.py", "Intro to distributed"),
    ("test/test_autograd.py", "Why is autograd so complicated"),
    ("docs/source/notes/cuda.rst", "Just enough CUDA to be dangerous"),
    ("docs/source/notes/gradcheck.rst", "gradcheck"),
    (".github/workflows/pull.yml", "New CI"),
    ("cmake/Modules/FindSomething.cmake", "CMake"),
    ("aten/src/ATen/native/cpu/SomeKernel.cpp", "Vectorization"),
    ("torch/nn/modules/rnn.py", "torch.nn"),
    ("a/torch/optim/lr_scheduler.py", "Learning rate schedulers"),
    ("torch/csrc/jit/ir/ir.h:120", "TorchScript"),
    ("tools/autograd/gen_python_functions.py", "Pytorch Python Bindings"),
    ("pytorch/pytorch:c10/core/thread_pool.h:20", "Multithreading"),  # as labels and ids have it
    ("github:pytorch/pytorch:aten/src", "TH"),
    ("https://github.com/pytorch/pytorch/blob/main/docs/source/notes/cuda.rst", "Just enough CUDA to be dangerous"),
    ("github.com/pytorch/pytorch/blob/main/torch/csrc/jit/ir/ir.h#L120-L130", "TorchScript"),
    ("https://github.com/pytorch/pytorch/tree/main/test/distributed", "Intro to distributed"),
    ("https://docs.pytorch.org/docs/stable/generated/torch.vmap.html", "vmap"),  # as the names that they document
    ("https://docs.pytorch.org/docs/stable/nn.html#torch.nn.Module", "torch.nn"),
    ("https://pytorch.org/docs/stable/notes/cuda.html#tf32", "Asynchronous versus synchronous execution"),
    ("/home/me/pytorch/docs/source/notes/cuda.rst", "Just enough CUDA to be dangerous"),  # in a clone, an installation
    ("/usr/lib/python3/site-packages/torch/_dynamo/variables/base.py:120", "Dynamo - VariableTracker"),
    (r"C:\src\pt\torch\nn\modules\rnn.py", "torch.nn"),
    ("https://docs.pytorch.org/docs/stable/notes/amp_examples.html", "Automatic mixed precision"),  # that none cites
    ("torch.empty_strided", "Strides"),  # by the words of an operator's name
    ("torch.Tensor.contiguous", "Memory layout"),
    ("recompile", "Dynamo - VariableTracker"),  # its topic, a part of TorchDynamo, has no episode
    ("aten::copy_", "native_functions.yaml"),
    ("torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp", "Intro to distributed"),
    ("pytorch/executorch:backends", "Ways to use torch.export"),
]


@pytest.mark.parametrize(("query", "title"), FIRST)
def test_the_episode_that_explains_it_comes_first(saved, capsys, query, title):
    status, answer = ask(capsys, "where", query, "-g", saved)
    assert (status, answer["found"]) == (0, True)
    assert answer["episodes"][0]["title"] == title
    assert answer["episodes"][0]["reasons"]


def test_it_names_the_source_and_the_docs(saved, capsys):
    _, answer = ask(capsys, "where", "torch.vmap", "-g", saved)
    places = {place["kind"]: place for place in reversed(answer["places"])}
    assert places["symbol"]["url"].startswith("https://github.com/pytorch/pytorch/blob/")
    assert places["symbol"]["line"] > 0
    assert any(place["url"].startswith("https://docs.pytorch.org/") for place in answer["places"])


@pytest.mark.parametrize(
    ("path", "known"), [("aten/src/ATen/CUDAGeneratorImpl.h", True), ("foo/CUDAGeneratorImpl.h", False)]
)
def test_a_former_place_is_one_that_an_episode_cites(saved, capsys, path, known):
    assert main(["where", path, "-g", saved]) == 0
    places = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert (["file", path, "its former place"] in [row[:3] for row in places]) == known


def test_it_reads_a_list_of_changed_files(saved, capsys, monkeypatch):
    monkeypatch.setattr(
        "sys.stdin", io.StringIO("aten/src/ATen/native/TensorIterator.cpp\n\ntorch/nn/modules/module.py\n")
    )
    status, answers = ask(capsys, "where", "-", "-g", saved)
    assert status == 0
    assert [answer["episodes"][0]["title"] for answer in answers] == ["TensorIterator", "torch.nn"]


def test_reasons_are_said_once(saved, capsys):
    _, answer = ask(capsys, "where", "TensorIterator", "-g", saved)
    assert answer["episodes"][0]["reasons"] == ["is named after at::TensorIterator"]
    _, answer = ask(capsys, "where", "torch/_dynamo/variables/base.py", "-g", saved)
    assert all(len(reason.split(",")) <= 4 for episode in answer["episodes"] for reason in episode["reasons"])


def test_several_answers_in_a_pipe_are_told_apart(saved, capsys):
    assert main(["where", "TensorIterator", "TensorAccessor", "-g", saved]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert list(dict.fromkeys(row[0] for row in rows)) == ["TensorIterator", "TensorAccessor"]
    assert {len(row) for row in rows} == {6}
    assert any(re.search("/blob/[0-9a-f]{40}/", row[4]) for row in rows)


NONE = {  # a path, what no episode is about, what is nearest
    "torch/onnx/new_exporter.py": (["ONNX export"], "Ways to use torch.export"),
    "torch/distributions/beta.py": (["torch.distributions"], "Random number generators"),
    "aten/src/ATen/native/quantized/cpu/qconv.cpp": (["Quantization"], "How new operators are authored"),
}


@pytest.mark.parametrize(("path", "told"), NONE.items())
def test_where_no_episode_is_the_nearest_are_named(saved, capsys, path, told):
    status, answer = ask(capsys, "where", path, "-g", saved)
    assert (status, answer["found"], answer["episodes"]) == (1, False, [])
    assert (answer["no_episode_about"], answer["nearest"][0]["title"]) == told
    assert main(["where", path, "-g", saved]) == 1
    captured = capsys.readouterr()
    assert captured.err.endswith(f"no episode is about {path!r} ({told[0][0]}); these are nearest\n")
    assert captured.out.startswith("near ")


def test_names_of_a_file_are_counted_and_all_on_demand(saved, capsys):
    assert main(["where", "native_functions.yaml", "-g", saved]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    (more,) = [int(row[1].split()[0]) for row in rows if row[2] == "--symbols has all"]
    assert len(rows) < 40
    assert main(["where", "native_functions.yaml", "--symbols", "-g", saved]) == 0
    every = [line for line in capsys.readouterr().out.splitlines() if line.startswith("symbol\t")]
    assert len(every) == more + sum(row[0] == "symbol" for row in rows) - 1 > 2000


def test_several_files_take_a_few_lines_each(saved, capsys):
    paths = [query for query, _ in FIRST if "/" in query][:16]
    assert main(["where", *paths, "-g", saved]) == 0
    assert len(paths) < len(capsys.readouterr().out.splitlines()) <= 60


def test_what_nobody_knows_is_status_1(saved, capsys):
    assert main(["where", "no_such_thing_anywhere", "-g", saved]) == 1
    assert (
        capsys.readouterr().err
        == "podgraph: nothing is known of 'no_such_thing_anywhere'; `podgraph search` finds by words\n"
    )


def test_a_file_is_told_once_and_a_folder_at_the_commit(saved, capsys):
    _, answer = ask(capsys, "where", "torch/_dynamo", "-g", saved)
    (folder,) = [place for place in answer["places"] if place["kind"] == "folder"]
    assert re.fullmatch("https://github.com/pytorch/pytorch/tree/[0-9a-f]{40}/torch/_dynamo", folder["url"])
    topics = [place for place in answer["places"] if place["kind"] == "topic"]
    assert topics
    assert all(place["id"].startswith("topic:") for place in topics)


def test_it_says_how_many_more_there_are(saved, capsys):
    assert main(["where", "vmap", "-n", "2", "-g", saved]) == 0
    (more,) = re.findall(r"podgraph: (\d+) more talk about vmap: -n (\d+)\n", capsys.readouterr().err)
    assert int(more[1]) == int(more[0]) + 2 > 3
    assert main(["where", "vmap", "-n", more[1], "-g", saved]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert len([row for row in captured.out.splitlines() if row.startswith(("episode", "post"))]) == int(more[1])


JELLY = """{"version": "https://jsonfeed.org/version/1.1", "title": "Jelly", "items": [
{"id": "1", "title": "Gelatin", "content_text": "x", "attachments": [{"url": "https://b.org/1.mp3", "mime_type": "audio/mpeg"}]},
{"id": "2", "title": "Old", "content_text": "aspic; a dispatcher", "attachments": [{"url": "https://b.org/2.mp3", "mime_type": "audio/mpeg"}]}]}"""


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("gelatin", ["Gelatin", "Old"]),
        ("Aspic", ["Gelatin", "Old"]),
        ("the gelatins", ["Gelatin", "Old"]),
        ("gela", []),
        ("dispatcher", []),
    ],
)
def test_a_graph_without_pytorch_answers_from_its_own_topics(tmp_path, capsys, query, titles):
    (tmp_path / "feed.json").write_text(JELLY, "utf-8")
    (tmp_path / "jelly.toml").write_text('[[topic]]\nlabel = "Gelatin"\naliases = ["aspic"]\n', "utf-8")
    graph = str(tmp_path / "g.json")
    words = ["build", str(tmp_path / "feed.json"), "--vocabulary", str(tmp_path / "jelly.toml")]
    assert main([*words, "-q", "--offline", "-o", graph]) == 0
    capsys.readouterr()
    assert main(["where", query, "-g", graph, "--json"]) == (0 if titles else 1)
    captured = capsys.readouterr()
    answer = json.loads(captured.out)
    assert sorted(episode["title"] for episode in answer["episodes"]) == titles
    assert [place["id"] for place in answer["places"]] == (["topic:gelatin"] if titles else [])
    said = "podgraph: the graph is about no project whose code is known: only its own names were asked\n"
    assert captured.err == ("" if titles else said)


ABSENT = [  # a query, and what the line says; nothing for what is there, or moved, or is no path of the repository
    ("aten/src/TH/THTensor.cpp", "absent from pytorch/pytorch at cf30153c"),
    ("aten/src/TH", "absent from pytorch/pytorch at cf30153c"),
    (".circleci/config.yml", "absent from the known files of pytorch/pytorch at cf30153c"),
    ("torch/_dynamo/no_such_file_yet.py", "absent from pytorch/pytorch at cf30153c"),
    ("foo/bar.py", "absent from the known files of pytorch/pytorch at cf30153c"),  # of which nothing else is known
    ("c10/core/DispatchKey.h", ""),
    ("torch/csrc/autograd/engine.cpp:120", ""),
    ("native_functions.yaml", ""),
    ("tools/codegen/gen.py", ""),
    ("torch.vmap", ""),
    ("no_such_thing_anywhere", ""),
    ("/srv/elsewhere/notes/deep/x.py", ""),
]


def test_a_path_that_the_indexed_tree_lacks_is_reported(saved, capsys):
    wrong = []
    for query, line in ABSENT:
        main(["where", query, "-g", saved])
        told = [row for row in capsys.readouterr().err.splitlines() if "absent" in row]
        _, answer = ask(capsys, "where", query, "-g", saved)
        tree = answer.get("absent")
        commit = "cf30153c4c131c8164ee7798e5022d810682e2cb"
        wanted = {"repo": "pytorch/pytorch", "commit": commit, "certain": "known" not in line} if line else None
        said = [f"podgraph: nothing is known of {query!r}: it is {line}", f"podgraph: {query!r} is {line}"]
        if (told[0] not in said if line else told) or len(told) > 1 or tree != wanted:
            wrong.append((query, told, tree))
    assert wrong == []
    assert main(["where", "aten/src/TH/THTensor.cpp", "-q", "-g", saved]) == 0  # its folder leads on
    assert "TH" in capsys.readouterr().out


# a query, and the titles that must and must not be among the first episodes
WHOLE_WORDS = [
    ("line", (), ("Expect tests",)),
    ("l", (), ("Memory layout",)),
    ("py", (), ("Code generation",)),
    ("opt", (), ("Learning rate schedulers",)),
    ("emory layou", (), ("Memory layout",)),
    ("layout memory", ("Memory layout",), ()),
    ("TORCHDYNAMO_VERBOSE", ("Dynamo - VariableTracker",), ("Compiler collectives",)),
    ("torch._dynamo.config.verbose", (), ("Compiler collectives",)),
    ("enable_compiler_collectives", ("Compiler collectives",), ()),
]


@pytest.mark.parametrize("suffix", ["json", "sqlite"])
def test_a_piece_of_a_word_is_no_match(tmp_path, saved, capsys, suffix):
    graph, wrong = str(tmp_path / f"graph.{suffix}"), []
    assert main(["export", graph, "-q", "-g", saved]) == 0
    for query, there, absent in WHOLE_WORDS:
        status, answer = ask(capsys, "where", query, "-n", "0", "-g", graph)
        titles = {one["title"] for one in answer["episodes"]}
        if not titles >= {*there} or titles & {*absent} or status != (0 if titles else 1):
            wrong.append((query, status, titles))
    assert wrong == []


def test_folders_answer_with_what_is_under_them(saved, capsys):
    _, answer = ask(capsys, "cites", "torch/_inductor", "-n", "0", "-g", saved)
    assert {"Inductor IR", "CUDA graph trees"} <= {episode["title"] for episode in answer["episodes"]}


def test_a_path_on_a_disk_that_is_of_something_else_leads_nowhere(saved, capsys):
    assert ask(capsys, "where", "/usr/lib/python3/json/tool.py", "-g", saved)[0] == 1


def test_the_address_of_a_line_leads_where_the_line_does(saved, capsys):
    path = "torch/_dynamo/variables/base.py"
    _, by_path = ask(capsys, "where", f"{path}:120", "-g", saved)
    _, by_address = ask(capsys, "where", f"https://github.com/pytorch/pytorch/blob/main/{path}#L120", "-g", saved)
    assert by_path["places"][0]["reason"] == "line 120 is in it"
    assert by_address["episodes"] == by_path["episodes"]
    assert [place["id"] for place in by_address["places"]] == [place["id"] for place in by_path["places"]]
    assert by_address["places"][0] == by_path["places"][0]


def test_moved_and_gone_links_are_told(saved, capsys):
    status, health = ask(capsys, "stats", "--links", "-g", saved)
    assert status == 0
    changed = {row["id"]: row for row in health["changed"]}
    moved = changed["github:pytorch/pytorch:tools/codegen/gen.py"]
    assert (moved["status"], moved["current_url"]) == (
        "moved",
        "https://github.com/pytorch/pytorch/blob/main/torchgen/gen.py",
    )
    assert changed["github:pytorch/pytorch:tools/code_analyzer/build.sh"]["status"] == "gone"
    _, gone = ask(capsys, "list", "files", "--status", "gone", "-g", saved)
    assert "github:pytorch/pytorch:tools/code_analyzer/build.sh" in [row["id"] for row in gone["nodes"]]
