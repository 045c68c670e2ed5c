"""What people call persons, podcasts and topics, and which nodes are meant by it."""

import pytest

from podgraph.extractors import NotFoundError, QueryError
from podgraph.graph import podcast_called, resolve_episode, resolve_reference, resolve_topic
from tests.graph.nets import ident, net, view

GRAPH = net(("Millstones", ["stone"], ""))
GRAPH.add_node("person:annlee", kind="person", label="Ann Lee", profiles=["https://social.example/@ann"])
GRAPH.add_node("person:p/bo-ray", kind="person", label="Bo Ray", names=["Beau Ray"])
GRAPH.add_node("person:q/bo-ray", kind="person", label="Bo Ray")
GRAPH.add_node("person:dee", kind="person", label="Dee", profiles=["https://dee.example"])
GRAPH.add_node("web:github.com/cy", kind="web", label="cy")
for name, title in (("q", "Quern talk"), ("r", "Quern walk"), ("s", "S")):
    GRAPH.add_node(f"podcast:{name}", kind="podcast", label=title, title=title)
GRAPH.nodes["topic:stone"]["aliases"] = ["rock", "the mill"]
GRAPH.add_node("topic:rocks", kind="topic", label="Rock")
VIEW = view(GRAPH)


@pytest.mark.parametrize(("query", "node"), [
    ("person:annlee", "person:annlee"),
    ("person:ann-lee", "person:annlee"),
    ("person:p/ann-lee", "person:annlee"),  # who has an account may be of any show
    ("person:p/bo-ray", "person:p/bo-ray"),
    ("person:p/beau-ray", "person:p/bo-ray"),
    ("person:beau-ray", "person:p/bo-ray"),
    ("person:bo-ray", ""),  # two are called so
    ("person:r/beau-ray", ""),
    ("https://social.example/@ann", "person:annlee"),
    ("http://www.social.example/@ann/", "person:annlee"),
    ("https://social.example/@bo", ""),
    ("https://github.com/annlee", "person:annlee"),
    ("https://github.com/cy", "web:github.com/cy"),
    ("github.com/eve", ""),
    ("dee.example", ""),  # dotted words are not looked for among all persons: most are code
    ("dee.example/", "person:dee"),
])  # fmt: skip
def test_a_person_is_known_by_former_ids_and_profiles(query, node):
    assert resolve_reference(query, VIEW).nodes == ((node,) if node else ())


@pytest.mark.parametrize(("name", "podcast"), [
    ("podcast:q", "podcast:q"), (" q ", "podcast:q"), ("QUERN TALK", "podcast:q"), ("walk", "podcast:r"),
    ("s", "podcast:s"),  # a whole name goes before a part of others
    ("quern", QueryError), ("none", NotFoundError), (" ", NotFoundError),
])  # fmt: skip
def test_a_podcast_is_known_by_its_id_title_or_a_part(name, podcast):
    if isinstance(podcast, str):
        assert podcast_called(name, VIEW) == podcast
    else:
        with pytest.raises(podcast) as caught:
            podcast_called(name, VIEW)
        assert type(caught.value) is podcast


@pytest.mark.parametrize(("query", "topic"), [
    ("topic:stone", "topic:stone"), (" stone ", "topic:stone"), ("STONE", "topic:stone"), ("The Mill", "topic:stone"),
    ("rock", "topic:rocks"),  # a label goes before another's alias
    ("podcast:p", ""), ("none", ""),
])  # fmt: skip
def test_a_topic_is_known_by_its_id_label_or_an_alias(query, topic):
    assert resolve_topic(query, VIEW) == topic


@pytest.mark.parametrize(("query", "is_there"), [
    ("https://p.example/7/", True), ("http://www.p.example/7?utm_source=x", True), ("p.example/7", True),
    ("https://p.example/8", False), ("1", True), ("#1", True), ("01", True), ("2", False), ("0", False),
    ("millstones", True), (" MILL ", True), ("quern", False),
])  # fmt: skip
def test_an_episode_is_known_by_its_page_number_and_title(query, is_there):
    graph = net(("Millstones", [], ""))
    graph.nodes[ident("millstones")]["url"] = "https://p.example/7"
    if is_there:
        assert resolve_episode(query, view(graph)) == ident("millstones")
    else:
        with pytest.raises(NotFoundError, match="no episode is called"):
            resolve_episode(query, view(graph))


def test_an_address_that_leads_nowhere_stands_for_itself():
    assert resolve_reference("https://", VIEW).id == "https://"


@pytest.mark.parametrize(("query", "id_"), [
    ("src/loom.c", "github:w/eave:src/loom.c"), ("./src/mill.c:8", "github:m/ill:src/mill.c"),
    ("docs/", "github:w/eave:docs/warp.md"),  # all that is in it
    ("7", "github:m/ill#7"), ("9", ""), ("src/none.c", ""), ("src", ""),
    ("src/", QueryError), ("Makefile.am", QueryError), ("8", QueryError),
])  # fmt: skip
def test_in_a_graph_without_the_usual_repository_any_of_its_own_is_meant(query, id_):
    graph = net(("Millstones", [], ""))
    paths = {"m/ill": ("src/mill.c", "Makefile.am"), "w/eave": ("src/loom.c", "docs/warp.md", "Makefile.am")}
    for repo, files in paths.items():
        graph.add_node(f"github:{repo}", kind="repo", label=repo)
        for path in files:
            graph.add_node(f"github:{repo}:{path}", kind="file", label=f"{repo}:{path}", repo=repo, path=path)
    for issue in ("m/ill#7", "m/ill#8", "w/eave#8"):
        graph.add_node(f"github:{issue}", kind="issue", label=issue, number=int(issue[-1]))
    if id_ is QueryError:
        with pytest.raises(QueryError, match=r"may mean any of: github:m/ill.*, github:w/eave"):
            resolve_reference(query, view(graph))
    else:
        target = resolve_reference(query, view(graph))
        assert (target.id if target.nodes else "") == id_


@pytest.mark.parametrize(("name", "topic"), [
    ("autograd", "topic:autograd"),  # not the symbol torch.autograd
    ("Inductor", "topic:inductor"), ("topic:vmap", "topic:vmap"), ("CUDA  Graphs", "topic:cuda-graphs"),
    ("quantum", ""), ("symbol:torch.vmap", ""),
])  # fmt: skip
def test_topics_of_the_sample_are_known_by_name(sample_view, name, topic):
    assert resolve_topic(name, sample_view) == topic


@pytest.mark.parametrize(("text", "id_"), [
    ("pasta", "pasta"), ("c10/core/none.h", "github:pytorch/pytorch:c10/core/none.h"),
    ("#99", "github:pytorch/pytorch#99"), ("PR 1", "github:pytorch/pytorch#1"),
])  # fmt: skip
def test_an_unknown_bare_word_is_no_path(sample_view, text, id_):
    target = resolve_reference(text, sample_view)
    assert (target.id, target.nodes) == (id_, ())


def test_one_letter_of_a_name_means_no_episode(sample_view):
    assert resolve_episode("C++ frontend", sample_view).endswith("/c-frontend")
    with pytest.raises(NotFoundError):
        resolve_episode("c!", sample_view)


@pytest.fixture(scope="module")
def sample_view(sample):
    return view(sample)
