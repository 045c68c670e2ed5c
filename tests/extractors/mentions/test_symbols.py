"""Symbols in texts: tables of what names what, labels, properties, and the facts that follow."""

from pathlib import Path

import pytest

from podgraph.extractors import Corpus, Episode, identify
from podgraph.extractors.mentions.symbols.facts import health, resolve_facts
from podgraph.extractors.mentions.symbols.finding import find_symbols
from podgraph.extractors.mentions.symbols.places import locate
from podgraph.extractors.subjects.index import read_index

LABELS = Path(__file__).parents[1] / "labels"
PYTORCH = Corpus({}, "pytorch/pytorch")
ELSEWHERE = Corpus({})


def lines(name):
    text = (LABELS / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def episode(notes="", title="Episode", links=()):
    return Episode("episode:p/e", "episode", "podcast:p", title, notes, tuple(links))


def names(item, corpus=PYTORCH):
    found = {mention.ref.id for mention in find_symbols(item, corpus)}
    return sorted(id_.removeprefix("symbol:").replace("github:pytorch/pytorch:", "/") for id_ in found)


@pytest.fixture(scope="module")
def index():
    return read_index()


@pytest.mark.parametrize("case", lines("named.txt"))
def test_named(case):
    text, expected = case.split(" => ")
    item = episode(title=text.removeprefix("title: ")) if text.startswith("title: ") else episode(text)
    assert names(item) == sorted(expected.split())


@pytest.mark.parametrize("text", lines("not_named.txt"))
def test_not_named(text):
    assert names(episode(text)) == []


@pytest.mark.parametrize(("text", "found"), [
    ("We use PyTorch, torch.vmap and TensorIterator with TORCH_LOGS", ["TORCH_LOGS", "at::TensorIterator", "torch.vmap"]),
    ("PyTorch has autograd and TorchScript", ["torch.autograd", "torch.jit"]),
    ("PyTorch, the dispatcher, Dynamo on AWS, an AMP, the inductor of DDP", ["torch._inductor"]),
    ("a torch, vmap, TensorIterator, dispatcher, derivatives.yaml, c10/core/Device.h", []),
    ("in their code they call c10::intrusive_ptr, std::move, foo::TensorImpl", ["c10::intrusive_ptr"]),
    ("torch.nn.Module rocks", ["torch.nn.Module"]),
])  # fmt: skip
def test_other_podcasts(text, found):
    assert names(episode(text), ELSEWHERE) == found


def test_evidence():
    notes = "About TensorIterator (see torch_function__) and tools/build_variables.bzl."
    found = list(find_symbols(episode(notes, title="vmap"), PYTORCH))
    assert [(m.field, m.quote, m.method, m.relation, m.extractor, m.confidence) for m in found] == [
        ("title", "vmap", "alias", "mentions", "symbols", 1.0),
        ("notes", "TensorIterator", "symbol", "mentions", "symbols", 1.0),
        ("notes", "torch_function__", "alias", "mentions", "symbols", 1.0),
        ("notes", "tools/build_variables.bzl", "symbol", "mentions", "symbols", 1.0),
    ]
    assert [m.ref.kind for m in found] == ["symbol", "symbol", "symbol", "file"]
    assert dict(found[1].ref.attrs) == {"language": "c++", "module": "at"}
    assert found[3].ref == identify("https://github.com/pytorch/pytorch/blob/main/tools/build_variables.bzl")[1]


@pytest.mark.parametrize(
    "piece", ["a/", "a.", "a::", "Tensor ", "A_", "aB", "torch/", "torch.", "(((", "a-", ".com ", "Tensor/"]
)
def test_long_texts_are_read(piece):
    assert isinstance(names(episode(piece * 20_000)), list)


def test_facts(index):
    notes = "torch.vmap, TensorIterator, then torch.vmap again; TORCH_SHOW_CPP_STACKTRACES"
    edges = list(resolve_facts(dict.fromkeys(one.ref for one in find_symbols(episode(notes), PYTORCH)), index))
    assert [(edge.source.id, edge.relation, edge.target.id) for edge in edges] == [
        ("symbol:torch.vmap", "defined_in", "github:pytorch/pytorch:torch/_functorch/apis.py"),
        ("symbol:torch.vmap", "documented_at", "docs:pytorch/generated/torch.vmap"),
        ("symbol:at::TensorIterator", "defined_in", "github:pytorch/pytorch:aten/src/ATen/TensorIterator.h"),
        ("symbol:TORCH_SHOW_CPP_STACKTRACES", "documented_at", "docs:pytorch/debugging_environment_variables"),
    ]
    assert dict(edges[0].attrs) == {
        "line": 68,
        "url": f"https://github.com/pytorch/pytorch/blob/{index.commit}/torch/_functorch/apis.py#L68",
    }
    assert all(edge.reasons for edge in edges)


@pytest.mark.parametrize(
    ("url", "status", "current"),
    [
        ("https://github.com/pytorch/pytorch/blob/master/c10/core/thread_pool.h", "ok", "https://github.com/pytorch/pytorch/blob/main/c10/core/thread_pool.h"),
        ("https://github.com/pytorch/pytorch/blob/master/tools/codegen/gen.py#L3", "moved", "https://github.com/pytorch/pytorch/blob/main/torchgen/gen.py"),
        ("https://github.com/pytorch/pytorch/tree/master/aten/src/ATen/cpu/vec256", "moved", "https://github.com/pytorch/pytorch/tree/main/aten/src/ATen/cpu/vec/vec256"),
        ("https://github.com/pytorch/pytorch/blob/master/tools/code_analyzer/build.sh", "gone", ""),
        ("https://pytorch.org/docs/1.9.0/notes/cuda.html", "ok", "https://docs.pytorch.org/docs/stable/notes/cuda.html"),
        ("https://pytorch.org/docs/master/jit.html", "gone", ""),
        ("https://pytorch.org/docs/stable/generated/torch.qr.html", "moved", "https://docs.pytorch.org/docs/stable/generated/torch.linalg.qr.html"),
        ("https://pytorch.org/docs/stable/nn.html#torch.nn.Linear", "moved", "https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html"),
        ("https://pytorch.org/tutorials/beginner/dist_overview.html", "ok", "https://docs.pytorch.org/tutorials/beginner/dist_overview.html"),
    ],
)  # fmt: skip
def test_health(index, url, status, current):
    assert health(identify(url)[1], index) == (status, current)


@pytest.mark.parametrize(
    ("query", "first", "also"),
    [
        ("TensorIterator", "symbol:at::TensorIterator", "concept:tensoriterator"),
        ("vmap", "symbol:torch.vmap", "docs:pytorch/generated/torch.vmap"),
        ("TensorAccessor", "symbol:at::TensorAccessor", "concept:tensoraccessor"),
        ("torch.use_deterministic_algorithms", "symbol:torch.use_deterministic_algorithms", "concept:determinism"),
        ("intrusive_ptr", "symbol:c10::intrusive_ptr", "github:pytorch/pytorch:c10/util/intrusive_ptr.h"),
        ("torch/_dynamo/variables/base.py", "symbol:torch._dynamo.variables.base.VariableTracker", "concept:variabletracker"),
        ("aten/src/ATen/native/TensorIterator.cpp", "symbol:at::TensorIterator", "github:pytorch/pytorch:aten/src/ATen/TensorIterator.cpp"),
        ("b/torch/_inductor/ir.py:5210", "symbol:torch._inductor.ir.ComputedBuffer", "concept:inductor-ir"),
        ("torch/_inductor", "symbol:torch._inductor", "concept:inductor"),
        ("min-cut partitioner", "symbol:torch._functorch.partitioners.min_cut_rematerialization_partition", "concept:min-cut-partitioner"),
        ("`backward()`", "symbol:torch.Tensor.backward", "docs:pytorch/generated/torch.Tensor.backward"),
        ("derivatives.yaml", "github:pytorch/pytorch:tools/autograd/derivatives.yaml", "concept:derivatives-yaml"),
        ("stacked diffs", "concept:ghstack", "concept:ghstack"),
    ],
)  # fmt: skip
def test_locate(index, query, first, also):
    found = [location.id for location in locate(query, index)]
    assert found[0] == first
    assert also in found
    assert len(found) == len(set(found))


@pytest.mark.parametrize("query", ["", " ", "nothing at all", "no/such/file.py", "x:12", ":", "a::", "."])
def test_locate_nothing(index, query):
    assert locate(query, index) == []
