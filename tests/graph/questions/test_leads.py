"""From a file to an episode: each step of the way, on a made-up show with a made-up repository."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from podgraph.extractors import Code, Subject
from podgraph.extractors.subjects.subject import Topic
from podgraph.graph import STEPS, Leads
from tests.graph.nets import ident, net, view

REPO = "weavers/loom"
GRAPH = net(
    ("Warp", ["warp"], ""),
    ("Weft yarns", ["weft yarns"], ""),
    ("Reading code", [], "code"),
    ("The whole loom", [], "folders"),
    ("Old places", [], "moves"),
)
for path, kind, more in (
    ("src/warp.c", "file", {}),
    ("src/beam.h", "file", {}),
    ("src/cloth", "folder", {}),
    ("lib/heddle.c", "file", {"current_url": f"https://github.com/{REPO}/blob/main/src/shafts/heddle.c"}),
):
    GRAPH.add_node(f"github:{REPO}:{path}", kind=kind, label=path, path=path, repo=REPO, **more)
GRAPH.add_node("symbol:tighten", kind="symbol", label="tighten")
GRAPH.add_edge("symbol:tighten", f"github:{REPO}:src/beam.h", "defined_in", weight=1, reasons=["the index"])
for episode, target, relation in (
    ("Reading code", f"github:{REPO}:src/warp.c", "cites"),
    ("Reading code", "symbol:tighten", "mentions"),
    ("The whole loom", f"github:{REPO}:src/cloth", "cites"),
    ("Old places", f"github:{REPO}:lib/heddle.c", "cites"),
):
    GRAPH.add_edge(ident(episode.lower().replace(" ", "-")), target, relation, weight=1, evidence=[{"field": "notes"}])


LOOM = Path(__file__).parent / "loom"  # its layout
SUBJECT = Subject("Loom", code=Code(shelves=frozenset(["checks"])), folder=str(LOOM))


def status(path):
    return SimpleNamespace(status="moved" if path == "attic/warp.c" else "unknown", path="src/warp.c")


# An index of names that knows nothing but its layout.
NAMES = SimpleNamespace(repo=REPO, concepts=(), subject=SUBJECT, file_status=status)

# a path: the first episode, and by which step
BARE = {  # without an index: what the graph alone knows
    "src/warp.c": ("reading-code", "file"),
    "src/warp.h": ("reading-code", "half"),
    "src/beam.h": ("reading-code", "symbol"),
    "src/beam.cpp": ("reading-code", "symbol"),
    "src/cloth/deep/down.c": ("the-whole-loom", "folder"),
    "src/shafts/heddle.c": ("old-places", "file"),
    "lib/heddle.c": ("old-places", "file"),
    "warp.py": ("warp", "name"),
    "make_weft_yarns.py": ("weft-yarns", "name"),
    "make_warp.py": None,  # one word of several is not what it is named after
    "src/cloth": ("the-whole-loom", "file"),
    "lib": ("old-places", "folder"),
    "nothing/at/all.c": None,
}


@pytest.mark.parametrize(("path", "found"), BARE.items())
def test_what_a_graph_alone_knows(path, found):
    led = Leads(view(GRAPH), None, REPO).of(path)
    first = led.episodes[0] if led.episodes else None
    assert (first and (first.id, first.step)) == (found and (ident(f"episode:p/{found[0]}"), found[1]))
    assert all(one.step in STEPS and one.reasons for one in led.episodes)


@pytest.mark.parametrize(
    ("above", "weight", "found"),
    [
        ("yarn", 2.2, ["weft", "hemp"]),  # named after the whole: before what only talks of the topic
        ("yarn", 3.0, ["hemp"]),  # an episode of its own: no other is needed
        ("Yarns", 2.2, ["hemp", "weft"]),  # an area is wider
        ("", 2.2, ["hemp"]),
    ],
)
def test_what_the_whole_of_a_topic_is_named_after(above, weight, found):
    made = net(("Weft", ["weft"], ""), ("Hemp", ["hemp"], ""))
    made.add_node("topic:twine", kind="topic", label="twine")
    made.add_edge("episode:p/hemp", "topic:twine", "about", weight=weight)
    made.nodes["topic:weft"]["area"] = "weft" if above == "Yarns" else "Yarns"
    if above:
        made.add_edge("topic:twine", "topic:weft", "subtopic_of", weight=1)
    episodes = Leads(view(made), None, REPO).of("twine.c").episodes
    assert [one.id.rpartition("/")[2] for one in episodes] == found


LAID_OUT = {
    "src/new.c": ("warp", "subsystem"),
    "src/warp.c": ("reading-code", "file"),  # a citation goes before a topic of the same name
    "attic/warp.c": ("reading-code", "file"),
    "checks/test_warp.py": ("reading-code", "counterpart"),
    "checks/deep/test_new.py": ("warp", "subsystem"),
    "tassels/a_tassel.c": None,  # a topic of the layout that the graph has not
    "src/warp_beam_weft_yarns.c": ("warp", "subsystem"),  # the folder says more than the name
}


@pytest.mark.parametrize(("path", "found"), LAID_OUT.items())
def test_what_the_layout_adds(path, found):
    led = Leads(view(GRAPH), NAMES).of(path)
    first = led.episodes[0] if led.episodes else None
    assert (first and (first.id, first.step)) == (found and (ident(f"episode:p/{found[0]}"), found[1]))


def test_where_nobody_tells_of_it_the_nearest_are_named():
    led = Leads(view(GRAPH), NAMES).of("src/dye/vat.c")
    assert (led.episodes, led.missing_topics) == ((), ("dye",))
    assert [one.id for one in led.nearest] == [ident("warp")]


def test_each_step_out_is_weaker():
    leads = Leads(view(GRAPH), None, REPO)
    near, far = (leads.of(f"src/cloth/{path}").episodes[0].weight for path in ("a.c", "deep/down/a.c"))
    assert near > far > 0
    assert leads.of("src/warp.c").episodes[0].weight > leads.of("src/warp.h").episodes[0].weight


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("symbol:tighten", [("reading-code", "named")]),
        ("topic:warp", [("warp", "called")]),
        ("topic:twine", [("weft", "called")]),  # no episode is about it, one is named after its whole
    ],
)
def test_a_name_leads_by_the_same_steps(place, found):
    made = net(("Warp", ["warp"], ""), ("Weft", ["weft"], ""), ("Reading code", [], "code"))
    made.add_node("symbol:tighten", kind="symbol", label="tighten")
    made.add_edge("episode:p/reading-code", "symbol:tighten", "mentions", weight=1, evidence=[{"field": "notes"}])
    made.add_node("topic:twine", kind="topic", label="twine")
    made.add_edge("topic:twine", "topic:weft", "subtopic_of", weight=1)
    episodes = Leads(view(made), None, REPO).of_nodes([(place, 1.0)])
    assert [(one.id.rpartition("/")[2], one.step) for one in episodes] == found


def test_a_topic_counts_for_one_step():
    concept = Topic("warp", "Warp", paths=("src/new.c", "elsewhere/new.c"))  # the folder src belongs to it too
    leads = Leads(view(GRAPH), SimpleNamespace(**{**vars(NAMES), "concepts": (concept,)}))
    within, outside = (leads.of(path).episodes[0] for path in concept.paths)
    assert (within.step, within.weight) == (outside.step, outside.weight)
