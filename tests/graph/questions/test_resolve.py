"""What people call persons, podcasts, topics and episodes, and which nodes are meant by it (``resolve.tsv``)."""

from pathlib import Path

import pytest

from podgraph.extractors import NotFoundError, PodgraphError
from podgraph.graph import find_known_podcast, resolve_episode, resolve_reference, resolve_topic
from tests.graph.nets import ident, net, view
from tests.tables import read_rows

GRAPH = net(("Millstones", ["stone"], ""))
GRAPH.add_node("person:annlee", kind="person", label="Ann Lee", profiles=["https://social.example/@ann"])
GRAPH.add_node("person:p/bo-ray", kind="person", label="Bo Ray", names=["Beau Ray"])
GRAPH.add_node("person:q/bo-ray", kind="person", label="Bo Ray")
GRAPH.add_node("person:dee", kind="person", label="Dee", profiles=["https://dee.example"])
GRAPH.add_node("web:github.com/cy", kind="web", label="cy")
for name, title in (("q", "Quern talk"), ("r", "Quern walk"), ("s", "S")):
    GRAPH.add_node(f"podcast:{name}", kind="podcast", label=title, title=title)
GRAPH.nodes["topic:stone"]["aliases"] = ["rock", "the mill"]
GRAPH.nodes[ident("millstones")]["url"] = "https://p.example/7"
GRAPH.add_node("topic:rocks", kind="topic", label="Rock")
VIEW = view(GRAPH)

# A graph without anything of the usual repository.
REPOSITORIES = net(("Millstones", [], ""))
for place in (
    "m/ill:src/mill.c",
    "m/ill:Makefile.am",
    "w/eave:src/loom.c",
    "w/eave:docs/warp.md",
    "w/eave:Makefile.am",
):
    repo, path = place.split(":")
    REPOSITORIES.add_node(f"github:{repo}", kind="repo", label=repo)
    REPOSITORIES.add_node(f"github:{place}", kind="file", label=place, repo=repo, path=path)
for issue in ("m/ill#7", "m/ill#8", "w/eave#8"):
    REPOSITORIES.add_node(f"github:{issue}", kind="issue", label=issue, number=int(issue[-1]))
REPOSITORIES_VIEW = view(REPOSITORIES)

RESOLVERS = {"reference": resolve_reference, "path": resolve_reference, "sample reference": resolve_reference,
             "podcast": find_known_podcast, "topic": resolve_topic, "sample topic": resolve_topic, "episode": resolve_episode}  # fmt: skip
LINES = Path(__file__).with_name("resolve.tsv").read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def sample_view(sample):
    return view(sample)


@pytest.mark.parametrize("line", [line for line in LINES if not line.startswith("#")])
def test_a_name_means_one_node(sample_view, line):
    kind, query, expectation = f"{line}\t".split("\t")[:3]
    graph = {"path": REPOSITORIES_VIEW, "sample": sample_view}.get(kind.split()[0], VIEW)
    try:
        result = RESOLVERS[kind](query, graph)
        result = result if isinstance(result, str) else result.id if result.nodes else ""
    except PodgraphError as error:
        result = type(error).__name__
    assert result == expectation


@pytest.mark.parametrize(("text", "id_"), read_rows(__file__, "test_an_unknown_reference_has_a_likely_id"))
def test_an_unknown_reference_has_a_likely_id(sample_view, text, id_):
    target = resolve_reference(text, sample_view)
    assert (target.id, target.nodes) == (id_, ())


def test_one_letter_of_a_name_means_no_episode(sample_view):
    assert resolve_episode("C++ frontend", sample_view).endswith("/c-frontend")
    with pytest.raises(NotFoundError, match="no episode is called"):
        resolve_episode("c!", sample_view)
