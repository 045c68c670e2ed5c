"""From a file to an episode: each step of the way, on a made-up show with a made-up repository."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from podgraph.extractors import Code, Subject
from podgraph.extractors.subjects.subject import Topic
from podgraph.graph import STEPS, Explainer
from tests.graph.nets import ident, net, view
from tests.tables import read_rows

REPO = "weavers/loom"
GRAPH = net(
    ("Warp", ["warp"], ""), ("Weft yarns", ["weft yarns"], ""), ("Reading code", [], "code"), ("The whole loom", [], "folders"),
    ("Old places", [], "moves"),
)  # fmt: skip
MOVED = {"current_url": f"https://github.com/{REPO}/blob/main/src/shafts/heddle.c"}
GRAPH.add_node("symbol:tighten", kind="symbol", label="tighten")
for path, episode, more in (
    ("src/warp.c", "reading-code", {}), ("src/beam.h", "", {}), ("src/cloth", "the-whole-loom", {}),
    ("lib/heddle.c", "old-places", MOVED),
):  # fmt: skip
    kind, id_ = "file" if "." in path else "folder", f"github:{REPO}:{path}"
    GRAPH.add_node(id_, kind=kind, label=path, path=path, repo=REPO, **more)
    if episode:
        GRAPH.add_edge(ident(episode), id_, "cites", weight=1, evidence=[{"field": "notes"}])
GRAPH.add_edge("symbol:tighten", f"github:{REPO}:src/beam.h", "defined_in", weight=1, reasons=["the index"])
GRAPH.add_edge(ident("reading-code"), "symbol:tighten", "mentions", weight=1, evidence=[{"field": "notes"}])

LOOM = Path(__file__).parent / "loom"  # its layout
SUBJECT = Subject("Loom", code=Code(shelves=frozenset(["checks"])), folder=str(LOOM))


def status(path):
    return SimpleNamespace(status="moved" if path == "attic/warp.c" else "unknown", path="src/warp.c")


# An index of names that knows nothing but its layout.
NAMES = SimpleNamespace(repo=REPO, concepts=(), subject=SUBJECT, file_status=status)

ROWS = Path(__file__).with_name("leads.tsv").read_text("utf-8").splitlines()


@pytest.mark.parametrize("line", [line for line in ROWS if not line.startswith("#")])
def test_the_first_episode_for_a_path_and_its_step(line):
    index, path, *expectation = line.split("\t")
    rows = Explainer(view(GRAPH), NAMES if index == "layout" else None, REPO).explain_path(path).episodes
    assert [name for row in rows[:1] for name in (row.id.rpartition("/")[2], row.step)] == expectation
    assert all(row.step in STEPS and row.reasons for row in rows)


@pytest.mark.parametrize(
    ("above", "weight", "names"), read_rows(__file__, "test_an_episode_named_after_the_whole_of_a_topic")
)
def test_an_episode_named_after_the_whole_of_a_topic(above, weight, names):
    graph = net(("Weft", ["weft"], ""), ("Hemp", ["hemp"], ""))
    graph.add_node("topic:twine", kind="topic", label="twine")
    graph.add_edge("episode:p/hemp", "topic:twine", "about", weight=weight)
    graph.nodes["topic:weft"]["area"] = "weft" if above == "Yarns" else "Yarns"
    if above:
        graph.add_edge("topic:twine", "topic:weft", "subtopic_of", weight=1)
    episodes = Explainer(view(graph), None, REPO).explain_path("twine.c").episodes
    assert [one.id.rpartition("/")[2] for one in episodes] == names


def test_without_an_episode_the_nearest_are_named():
    explanation = Explainer(view(GRAPH), NAMES).explain_path("src/dye/vat.c")
    assert (explanation.episodes, explanation.missing_topics) == ((), ("dye",))
    assert [one.id for one in explanation.nearest] == [ident("warp")]


def test_each_step_out_is_weaker():
    explainer = Explainer(view(GRAPH), None, REPO)
    near, far = (explainer.explain_path(f"src/cloth/{path}").episodes[0].weight for path in ("a.c", "deep/down/a.c"))
    assert near > far > 0
    assert (
        explainer.explain_path("src/warp.c").episodes[0].weight
        > explainer.explain_path("src/warp.h").episodes[0].weight
    )


@pytest.mark.parametrize(("place", "row"), read_rows(__file__, "test_a_name_leads_by_the_same_steps"))
def test_a_name_leads_by_the_same_steps(place, row):
    graph = GRAPH.copy()
    graph.add_node("topic:twine", kind="topic", label="twine")
    graph.add_edge("topic:twine", "topic:weft yarns", "subtopic_of", weight=1)
    episodes = Explainer(view(graph), None, REPO).explain_nodes([(place, 1.0)])
    assert [(one.id.rpartition("/")[2], one.step) for one in episodes] == [row]


def test_a_topic_counts_for_one_step():
    concept = Topic("warp", "Warp", paths=("src/new.c", "elsewhere/new.c"))  # the folder src belongs to it too
    explainer = Explainer(view(GRAPH), SimpleNamespace(**{**vars(NAMES), "concepts": (concept,)}))
    within, outside = (explainer.explain_path(path).episodes[0] for path in concept.paths)
    assert (within.step, within.weight) == (outside.step, outside.weight)
