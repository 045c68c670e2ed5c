"""Symbols in texts: tables of what names what, labels, properties, and the facts that follow."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from podgraph.extractors import Corpus, Episode, Link, Ref, identify, parse_feed, sample_feed
from podgraph.extractors.mentions.symbols.facts import find_status, folder_edges, resolve_facts
from podgraph.extractors.mentions.symbols.finding import find_symbols
from podgraph.extractors.mentions.symbols.places import locate
from podgraph.extractors.sites.github import make_file_ref
from podgraph.extractors.subjects.index import read_index
from tests.tables import read_rows

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


@pytest.fixture(scope="module")
def sample():
    return parse_feed(sample_feed(), source="sample").episodes


@pytest.mark.parametrize("case", lines("named.txt"))
def test_named(case):
    text, expected = case.split(" => ")
    item = episode(title=text.removeprefix("title: ")) if text.startswith("title: ") else episode(text)
    assert names(item) == sorted(expected.split())


@pytest.mark.parametrize("text", lines("not_named.txt"))
def test_not_named(text):
    assert names(episode(text)) == []


@pytest.mark.parametrize(("text", "found"), read_rows(__file__, "test_other_podcasts"))
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


def test_what_a_context_settles_is_less_certain():
    found = {m.quote: m.confidence for m in find_symbols(episode("a StorageBox, then a Buffer, says"), PYTORCH)}
    assert found == {"StorageBox": 1.0, "Buffer": 0.9}


def test_urls_are_not_read_but_the_words_of_links_are():
    notes = "TensorIterator and example.org/vmap and vmap"
    links = [Link("https://x.org/TensorIterator", 0, 14, "href"), Link("http://example.org/vmap", 19, 35, "url")]
    found = list(find_symbols(episode(notes, links=links), PYTORCH))
    assert [(m.quote, m.start) for m in found] == [("TensorIterator", 0), ("vmap", 40)]


def test_titles_of_the_podcast(sample):
    """What the labels say is named and stands in a title must be found in the title alone."""
    labels = tomllib.loads((LABELS / "symbols.toml").read_text("utf-8"))
    titled = {
        "82": "TORCH_TRACE", "70": "torch._dynamo.variables.base.VariableTracker", "61": "torch._functorch.aot_autograd",
        "51": "torch.Tensor.__torch_function__", "48": "torch.autograd.gradcheck", "36": "at::TensorAccessor",
        "47": "torch.use_deterministic_algorithms", "34": "torch.vmap", "30": "torch.jit", "24": "torch.nn",
        "20": "at::TensorIterator", "10": "torch.autograd.Variable", "2": "c10::Dispatcher",
    }  # fmt: skip
    by_number = {str(item.number): item for item in sample}
    for number, name in titled.items():
        assert f"symbol:{name}" in labels[number]["expected"], number
        assert name in names(episode(title=by_number[number].title)), number


def test_the_labels_name_what_the_index_knows(index):
    labels = tomllib.loads((LABELS / "symbols.toml").read_text("utf-8"))
    for label in labels.values():
        for entry in label.get("expected", []):
            wanted = [id_.removeprefix("symbol:") for id_ in entry.split("|") if id_.startswith("symbol:")]
            known = [symbol.name for name in wanted if (symbol := index.symbol(name))]
            assert not wanted or set(known) & set(wanted), entry


def test_most_of_the_sample_leads_into_the_code(sample):
    with_notes = [item for item in sample if item.notes]
    led = [item for item in with_notes if names(item)]
    assert len(led) >= 0.9 * len(with_notes)


@given(st.text(max_size=300), st.text(max_size=60))
def test_quotes_stand_where_they_say(notes, title):
    item = episode(notes, title)
    for mention in find_symbols(item, PYTORCH):
        text = {"notes": notes, "title": title}[mention.field]
        assert text[mention.start : mention.end] == mention.quote != ""


FRAGMENTS = "torch . :: / TensorIterator nn Module Tensor & * () save load __torch_function__ c10 CUDA graph trees - https:// x.org ' \n Buffer TORCH_TRACE .yaml derivatives ".split(
    " "
)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30))
def test_quotes_stand_where_they_say_in_code_like_text(parts):
    notes = "".join(parts)
    for mention in find_symbols(episode(notes), PYTORCH):
        assert notes[mention.start : mention.end] == mention.quote != ""


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


@pytest.mark.parametrize(("path", "folders"), read_rows(__file__, "test_folders"))
def test_folders(index, path, folders):
    chain = list(folder_edges([make_file_ref("pytorch/pytorch", path)], index))
    assert [edge.target.id.rpartition(":")[2] for edge in chain] == folders


def test_folders_are_told_once(index):
    refs = [
        make_file_ref("pytorch/pytorch", f"torch/_inductor/{name}") for name in ("ir.py", "a/b.py", "a/c.py", "ir.py")
    ]
    edges = [(edge.source.id, edge.target.id) for edge in folder_edges(refs, index)]
    assert len(edges) == len(set(edges)) == 4


@pytest.mark.parametrize(
    ("url", "status", "current"),
    read_rows(__file__, "test_health"),
)  # fmt: skip
def test_health(index, url, status, current):
    found = find_status(identify(url)[1], index)
    assert (found.status, found.url) == (status, current)


@pytest.mark.parametrize(
    ("id_", "status"),
    [("torch.vmap", "ok"), ("torch.qr", "moved"), ("torch::deploy", "gone"), ("torch.nothing", "unknown")],
)
def test_health_of_names(index, id_, status):
    assert find_status(Ref("symbol", f"symbol:{id_}", id_), index).status == status


@pytest.mark.parametrize(
    "url", ["https://github.com/pytorch/pytorch/pull/1", "https://numpy.org/doc/stable/", "https://x.org/a"]
)
def test_health_of_what_the_index_does_not_know(index, url):
    assert find_status(identify(url)[1], index) is None


@pytest.mark.parametrize(
    ("query", "first", "also"),
    read_rows(__file__, "test_locate"),
)  # fmt: skip
def test_locate(index, query, first, also):
    found = [location.id for location in locate(query, index)]
    assert found[0] == first
    assert also in found
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("path", "cited", "reason"), read_rows(__file__, "test_a_former_place_is_told_where_something_knows_it")
)
def test_a_former_place_is_told_where_something_knows_it(index, path, cited, reason):
    found = locate(path, index, lambda id_: cited and id_.endswith(f":{path}"))
    reasons = {place.path: place.reason for place in reversed(found) if place.kind == "file"}
    assert reason in reasons.values()
    assert reasons.get(path, "") == ("its former place" if "once" in reason else "")


@pytest.mark.parametrize("query", ["", " ", "nothing at all", "no/such/file.py", "x:12", ":", "a::", "."])
def test_locate_nothing(index, query):
    assert locate(query, index) == []


def test_locations_say_why_and_where(index):
    for query in ("TensorIterator", "torch/_dynamo/variables/base.py", "AOTAutograd"):
        for location in locate(query, index):
            assert location.label and location.reason
            assert location.url.startswith("https://") or location.kind == "concept"
