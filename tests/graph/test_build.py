"""Mentions become the graph: one node for each thing, the same whatever the order."""

import pytest

from podgraph.extractors import Episode, Fact, Feed, Link, Person, extract, parse_feed, sample_feed
from podgraph.graph import build_graph, check
from podgraph.output.formats.node_link import to_json
from tests.tables import read_rows

PODCAST = "podcast:p"


def episode(slug, notes="", links=(), **more):
    return Episode(
        f"episode:p/{slug}", "episode", PODCAST, slug, notes, tuple(links), f"https://p.example/{slug}", **more
    )


def graph_of(*episodes, repo="", kind="podcast"):
    feed = Feed("test", kind, PODCAST, "P", tuple(episodes), url="https://p.example", default_repo=repo)
    return build_graph([feed], extract([feed]))


def kinds(graph):
    return {node: kind for node, kind in graph.nodes(data="kind") if kind not in ("episode", "podcast", "repo")}


ONE_NODE = read_rows(__file__, "ONE_NODE")


@pytest.mark.parametrize(("notes", "expected"), ONE_NODE)
def test_spellings_of_one_thing_are_one_node(notes, expected):
    assert kinds(graph_of(episode("a", notes))) == expected


# notes, the target, what each piece of evidence has
EVIDENCE = read_rows(__file__, "EVIDENCE")


@pytest.mark.parametrize(("notes", "target", "evidence"), EVIDENCE)
def test_evidence_is_at_its_offsets_with_lines_and_revision(notes, target, evidence):
    edge = graph_of(episode("a", notes)).edges["episode:p/a", target, "cites"]
    assert edge["weight"] == len(evidence)
    for item, expected in zip(edge["evidence"], evidence, strict=True):
        assert expected.items() <= item.items()
        assert notes[item["start"] : item["end"]] == item["quote"]


CUT = ["https://github.com/o/r/blob/mast...", "https://github.com/.../x.md"]
EPISODE_LINKS = read_rows(__file__, "EPISODE_LINKS")


@pytest.mark.parametrize(("notes", "relation"), EPISODE_LINKS)
def test_links_to_episodes_and_cut_ones_are_no_artifacts(notes, relation):
    graph = graph_of(episode("a", notes), episode("b"))
    assert [key for *_, key in graph.edges(keys=True) if key != "part_of"] == [relation] * bool(relation)
    assert graph.nodes["episode:p/a"].get("truncated_links", CUT) == CUT
    assert kinds(graph) == {}


def test_posts_are_cited_under_the_id_that_episodes_use():
    post = Episode("blog:b.example/post", "blog", "", "Post", "about https://x.org/a", url="https://b.example/post")
    blog = Feed("blog", "blog", "podcast:b", "B", (post,), url="https://b.example")
    pod = Feed("pod", "podcast", PODCAST, "P", (episode("a", "https://b.example/post/ https://x.org/a"),))
    graph = build_graph([pod, blog], extract([pod, blog]))
    assert graph.has_edge("episode:p/a", "blog:b.example/post", "cites")
    assert sorted(source for source, _ in graph.in_edges("web:x.org/a")) == ["blog:b.example/post", "episode:p/a"]
    assert list(check(graph)) == []


def test_the_order_of_items_makes_no_difference(sample):
    feed = parse_feed(sample_feed(), source="sample")
    turned = Feed(**{name: getattr(feed, name) for name in Feed.__slots__} | {"episodes": feed.episodes[::-1]})
    assert to_json(build_graph([feed], extract([feed]))) == to_json(build_graph([turned], extract([turned])))
    assert list(check(sample)) == []


def test_the_check_finds_what_is_wrong():
    graph = graph_of(episode("a", "https://x.org/a"))
    graph.nodes["web:x.org/a"]["status"] = None
    graph.edges["episode:p/a", "web:x.org/a", "cites"]["evidence"][0]["start"] += 1
    graph.add_edge("web:x.org/a", "episode:p/a", "cites")
    graph.add_edge("episode:p/a", "web:x.org/a", "likes")
    graph.add_node("nonsense")
    found = "\n".join(check(graph))
    problems = "is of another type,is not at,does not lead from web to episode,unknown relation,unknown kind,no label,no reasons"
    assert [problem for problem in problems.split(",") if problem not in found] == []


# Words of a link, what they lead to, and what that is called.
CALLED = read_rows(__file__, "CALLED")


@pytest.mark.parametrize(("words", "url", "label"), CALLED)
def test_things_are_called_what_the_links_say(words, url, label):
    feed = Feed("t", "podcast", PODCAST, "P", (episode("a", words, [Link(url, 0, len(words), "href")]),))
    graph = build_graph([feed], extract([feed]))
    (target,) = [target for _, target, key in graph.edges(keys=True) if key == "cites"]
    assert graph.nodes[target]["label"] == label
    assert graph.nodes[target].get("names", []) == ([] if words == "here" else [words])
    graph = build_graph([feed], extract([feed]), [Fact(target, (("title", "The known title"),))])
    assert graph.nodes[target]["label"] == ("The known title" if label in (words, "kiln.example/a") else label)


def test_a_person_has_the_strongest_role_and_an_affiliation():
    notes = "We talk with Ann Example. Ann Example of Kiln Works likes Bo Lind's jars.\nHost: Bo Lind"
    graph = graph_of(episode("clay", notes, people=(Person("Cy Lind", "guest"),)))
    edges = [(target, edge) for _, target, key, edge in graph.edges(keys=True, data=True) if key == "mentions"]
    roles = {graph.nodes[target]["label"]: (edge["role"], edge.get("affiliation")) for target, edge in edges}
    assert roles == {"Ann Example": ("guest", "Kiln Works"), "Bo Lind": ("host", None), "Cy Lind": ("guest", None)}
