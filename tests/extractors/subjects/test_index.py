"""The shipped index: what it holds, and that what it says holds together."""

import zlib
from pathlib import Path

import pytest

from podgraph.extractors import SourceError
from podgraph.extractors.subjects.default import default_subject
from podgraph.extractors.subjects.index import read_index
from podgraph.extractors.subjects.index.listed import pack_list
from tests.tables import read_table

TABLE = Path(__file__).parents[1] / "labels" / "definitions.tsv"


def definitions():
    for line in TABLE.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield (*line.split("\t"), "")[:5]


@pytest.fixture(scope="module")
def index():
    return read_index()


def test_it_fits_the_wheel_and_says_what_it_is_of(index):
    subject = default_subject()
    in_wheel = zlib.compress(Path(subject.file(subject.names)).read_bytes())  # as a zip holds it
    assert len(in_wheel) <= 500_000
    assert (index.version, index.commit) == ("2.13.0", "cf30153c4c131c8164ee7798e5022d810682e2cb")
    assert len(index.rows) > 30_000


@pytest.mark.parametrize(("name", "path", "line", "says", "page"), list(definitions()))
def test_definitions_and_pages(index, name, path, line, says, page):
    symbol = index.symbol(name)
    assert (symbol.name, symbol.path, symbol.line) == (name, path, int(line))
    place = index.source(name)
    assert place.url == f"https://github.com/pytorch/pytorch/blob/{index.commit}/{path}#L{line}"
    url = index.docs_url(name)
    base = index.cpp_docs_base if page.startswith("cpp:") else index.docs_base
    assert url == (base + page.removeprefix("cpp:") if page else "")


@pytest.mark.parametrize(("what", "spelling", "result", "current"), read_table(__file__, "index.txt"))
def test_what_a_spelling_means(index, what, spelling, result, current):
    spelling, current = ("" if cell == "-" else cell for cell in (spelling, current))
    if what in ("symbol", "line"):
        path, _, line = spelling.rpartition(":")
        found = index.find_symbol_at(path, int(line)) if what == "line" else index.symbol(spelling)
        assert found.name == result
        return
    ask = {"file": index.file_status, "docs": index.docs_status, "tutorial": index.tutorial_status}[what]
    found = ask(spelling)
    assert found.status == result
    if what != "tutorial":
        assert (found.path if what == "file" else found.page) == current
        assert bool(found.version if what == "file" else found.url) == bool(current)


@pytest.mark.parametrize(
    "name",
    ["", "torch.", "torch.nope", "nope", "a::b", "torch..vmap", ".", "::", "torch.vmap ", "tørch.é", "a" + 3000 * ".b"],
)
def test_unknown_names(index, name):
    assert index.symbol(name) is None
    assert index.docs_url(name) == ""
    assert index.source(name) is None


def test_no_page_is_made_up(index):
    assert not index.docs_url("torch._inductor.ir.TensorBox")
    for name in [*index.rows, *index.modules, *index.aliases]:
        url = index.docs_url(name)
        if url and not url.startswith(index.cpp_docs_base):
            assert url.removeprefix(index.docs_base).partition("#")[0] in index.docs, name


def test_canonical_names_are_fixed_points(index):
    for name in index.rows:
        assert index.find_name(name) == name
    for alias, name in index.aliases.items():
        assert index.find_name(alias) == name
        assert name in index.rows


def test_places_are_in_known_files(index):
    files = set(index.files)
    for name in index.rows:
        symbol = index.symbol(name)
        assert (symbol.line > 0) == bool(symbol.path)
        assert not symbol.path or symbol.path in files


def test_concepts_lead_somewhere(index):
    ids = {concept.id for concept in index.concepts}
    assert len(ids) == len(index.concepts) > 250
    for concept in index.concepts:
        assert set(concept.part_of) <= ids
        for page in concept.docs:
            assert index.docs_status(page).status == "ok", page
        for page in concept.tutorials:
            assert index.tutorial_status(page).status in {"ok", "moved", "gone"}, page
        for path in concept.paths:
            assert index.file_status(path).status in {"ok", "unknown"}, path


def test_curated_spellings_lead_somewhere(index):
    for key in ("phrases", "words"):
        for spelling, names in index.spellings[key].items():
            assert all(index.symbol(name).name == name for name in names), spelling
    for name, target in index.spellings["dunders"].items():
        assert name.startswith("__") and index.symbol(target) is not None
    for prefix, target in index.spellings["prefixes"].items():
        assert index.symbol(target) is not None, prefix


def test_removed_names_are_known_as_such(index):
    assert index.symbol("torch::deploy").kind == "removed"
    assert index.symbol("torch.qr").current == "torch.linalg.qr"
    assert index.docs_url("torch.qr") == ""


def damage(data, old, new):
    """Return an index with one change, whose sections have the same sizes."""
    assert old in data
    return data.replace(old, new, 1)


GOOD = pack_list(b"shop.f\tfunction\tshop.py\t3\t\n", default_subject(), source="l")
DAMAGED = {
    "empty": b"", "text": b"nonsense", "older": damage(GOOD, b"index 2", b"index 1"), "magic only": b"podgraph-index 2\n",
    "no sections": b"podgraph-index 2\n{}\n", "no JSON": b"podgraph-index 2\n{\n", "list": b"podgraph-index 2\n[]\n",
    "cut off": GOOD[:-3], "no version": damage(GOOD, b'"version"', b'"versio_"'),
    "no names": damage(GOOD, b'"names"', b'"name_"'), "a size in words": damage(GOOD, b'"titles":', b'"titles":"a","b":'),
    "a broken section": damage(GOOD, b".f", b".g"),
}  # fmt: skip


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_index_is_an_error_with_a_remedy(tmp_path, data):
    file = tmp_path / "x.idx"
    file.write_bytes(data)
    with pytest.raises(SourceError, match=r"x\.idx: is .*index.*tools/index"):
        read_index(file).symbol("shop.f")
