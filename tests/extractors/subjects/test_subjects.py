"""A second subject, made up: the entry point of an installed package is all that one takes."""

import shutil
from pathlib import Path

import pytest

from podgraph import Graph
from podgraph.extractors import (
    Subject,
    default_subject,
    extract,
    joined_vocabulary,
    known_subjects,
    look_up,
    parse_feed,
    parse_vocabulary,
    sample_feed,
)
from podgraph.extractors.errors import PodgraphError, SourceError
from podgraph.extractors.subjects.index import read_index, subject_index
from podgraph.extractors.subjects.subject import Code
from podgraph.graph import View, build_graph, default_repo, enrich_graph
from tests.tables import read_rows

LOOM = Path(__file__).parent / "loom"
FEED = Path(__file__).with_name("weaving.xml").read_text("utf-8").rstrip()
OWN = FEED.format(title="The weaving show", host="loom.example", about="About Loom").encode()
FOREIGN = FEED.format(title="The garden show", host="garden.example", about="About beds").encode()
FOREIGN = FOREIGN.replace(b"loom.weave", b"weave").replace(b"weavers/loom/blob/main/loom", b"gardeners/beds/blob/main")


@pytest.fixture
def loom(install):
    """Add Loom to the subjects, as a package does."""
    package = install("podgraph_loom", "", "loom = podgraph_loom:SUBJECT", "podgraph.subjects")
    shutil.copytree(LOOM, package, dirs_exist_ok=True)
    known_subjects.cache_clear()
    return known_subjects()[1]


def built(*texts, subjects=()):
    subjects = subjects or known_subjects()
    feeds = [parse_feed(text, source=f"{number}.xml") for number, text in enumerate(texts)]
    extractions = extract(feeds, subjects=subjects)
    indexes = [index for subject in subjects if (index := subject_index(subject))]
    graph = build_graph(feeds, extractions, *look_up(extractions, *indexes))
    enrich_graph(graph, joined_vocabulary(subjects))
    return graph


def found(graph, episode="strides"):
    (source,) = [node for node in graph if node.endswith(f"/{episode}") and node.startswith("episode:")]
    return {(key, target) for _, target, key in graph.out_edges(source, keys=True) if key != "part_of"}


def test_its_feed_gets_what_is_its(loom):
    graph = built(OWN)
    assert found(graph) == {*read_rows(__file__, "found")}
    assert found(graph, "nothing") == {
        ("cites", "github:weavers/proposals:RFC-0007-reeds.md"), ("about", "topic:loom"),
    }  # fmt: skip
    assert graph.nodes["topic:loom/strides"]["area"] == "Weaving"
    assert graph.has_edge("topic:loom/strides", "topic:weaving", "subtopic_of")
    assert graph.nodes["symbol:loom.weave"]["url"] == "https://docs.loom.example/stable/weave.html#loom.weave"
    assert graph.nodes["symbol:loom.weave"]["status"] == "ok"
    (edge,) = [data for *_, data in graph.out_edges("symbol:loom.weave", keys=False, data=True) if "line" in data]
    assert (edge["line"], edge["reasons"]) == (3, ["its definition is in line 3 at Loom"])
    (cited,) = [data for _, _, data in graph.out_edges("topic:shuttles", data=True) if "belongs" in data["reasons"][0]]
    assert cited["reasons"] == ["weavers/loom:loom/shuttle.py belongs to Shuttles: its code"]
    assert not [node for node in graph if "pytorch" in node]


def test_questions_ask_the_subject_of_the_graph(loom):
    made = built(OWN)
    graph = Graph(View.from_networkx(made), "loom")
    found = graph.explain("HeddleFrame", n=0)
    assert [row.id for row in found if row.relation == "about"] == ["episode:the-weaving-show/strides"]
    assert [row.title for row in found if row.kind == "symbol"] == ["loom.HeddleFrame (loom/heddle.py)"]
    assert graph.cites("1234").id == "github:weavers/loom#1234"
    assert default_repo(View.from_networkx(made)) == "weavers/loom"


def test_a_vocabulary_says_what_a_bare_number_means():
    text = '{}\nrepo = "gardeners/beds"\n[[topic]]\nlabel = "Roses"\n'
    for named, cited in {'subject = "Beds"': True, 'subject = "Ponds"': False, "": False}.items():
        vocabulary = parse_vocabulary(text.format(named), source="beds.toml")
        (extraction, _) = extract([parse_feed(FOREIGN, source="feed.xml")], vocabulary=vocabulary)
        ids = {mention.ref.id for mention in extraction.mentions}
        assert ("github:gardeners/beds#1234" in ids) is cited, named


def test_another_feed_gets_nothing_of_it(loom):
    graph = built(FOREIGN)
    assert not [node for node in graph if node.startswith(("symbol:", "person:arachne")) or "loom" in node]
    assert all(data["derived"] for _, data in graph.nodes(data=True) if data["kind"] == "topic")
    assert "github:weavers/loom#1234" not in graph


def test_what_names_it_gets_its_topics(loom):
    graph = built(FOREIGN.replace(b"Strides", b"Strides in Loom"))
    assert found(graph, "strides-in-loom") >= {
        ("about", "topic:shuttles"), ("about", "topic:loom/strides"), ("mentions", "symbol:loom.HeddleFrame"),
        ("mentions", "person:arachne"),
    }  # fmt: skip
    assert "github:weavers/loom#1234" not in graph


def test_our_feed_is_unaffected(loom):
    before, after = built(sample_feed(), subjects=(default_subject(),)), built(sample_feed())
    assert dict(after.nodes(data=True)) == dict(before.nodes(data=True))
    assert list(after.edges(keys=True, data=True)) == list(before.edges(keys=True, data=True))


@pytest.mark.parametrize(("source", "problem"), read_rows(__file__, "test_a_broken_package_is_named"))
def test_a_broken_package_is_named(install, source, problem):
    install("podgraph_loom", source, "loom = podgraph_loom:SUBJECT", "podgraph.subjects")
    with pytest.raises(PodgraphError, match=problem) as caught:
        known_subjects()
    assert caught.value.source == "podgraph_loom:SUBJECT (podgraph_loom 1.0)"


SUBJECT = Subject(
    "Loom", ("loom",), "weavers/loom", ("weavers/",), homes=("loom.example/show",), code=Code(("weft",), ("lm",))
)


@pytest.mark.parametrize(("texts", "values", "near"), read_rows(__file__, "test_nearness"))
def test_nearness(texts, values, near):
    assert SUBJECT.measure_nearness(*texts, **values).name == near
    assert SUBJECT.concerns(*texts, **{**values, "repo": values.get("repo", "")} if "urls" not in values else {}) == (
        near in {"NAMED", "OWN"} and "urls" not in values
    )


@pytest.mark.parametrize(
    "line", ["loom.weave", "loom.weave\tverb", "loom.weave\tfunction\tloom/x.py\tthree", "\tclass"]
)
def test_a_bad_line_of_a_list_of_names_is_named(tmp_path, line):
    file = tmp_path / "names.tsv"
    file.write_text(f"# names\nloom.Shuttle\tclass\n{line}\n", "utf-8")
    with pytest.raises(SourceError, match=r"names\.tsv: line 3 does not have a name, kind, file, line and page"):
        read_index(file)
