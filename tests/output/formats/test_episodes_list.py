"""EPISODES: patterns, the episodes behind them, and their order."""

from podgraph.output.formats.of_code.episodes import HEAD, to_episodes
from podgraph.output.pipeline import snapshot_graph
from tests.graph.nets import ident, net
from tests.output.graphs import hostile_graph

REPO = "github:o/loom"


def graph():
    made = net(("Warp", [], ""), ("New warp", [], ""), ("Passing", [], ""))
    for name in ("warp", "new-warp"):
        made.nodes[ident(name)]["url"] = f"https://example.org/{name}"
    for path, kind in (("src/a file.c", "file"), ("src", "folder"), ("x.c", "file")):
        made.add_node(f"{REPO}:{path}", kind=kind, label=path, path=path, repo="o/loom")
    for name, path in (("warp", "src/a file.c"), ("new-warp", "src/a file.c"), ("warp", "src"), ("passing", "x.c")):
        made.add_edge(ident(name), f"{REPO}:{path}", "cites", weight=1, boilerplate=name == "passing")
    return made


def test_folders_come_before_their_files_and_the_newer_episode_first():
    lines = to_episodes(graph()).splitlines()
    assert lines == [
        HEAD,
        "# Warp (2021-01-01)",
        "/src/ https://example.org/warp",
        "# New warp (2021-01-02) · Warp (2021-01-01)",
        "/src/a\\ file.c https://example.org/new-warp https://example.org/warp",
    ]


def test_another_known_repository_hides_nothing():
    made = graph()
    made.add_node("github:pytorch/pytorch:x.c", kind="file", label="x.c", path="x.c", repo="pytorch/pytorch")
    made.add_edge(ident("warp"), "github:pytorch/pytorch:x.c", "cites", weight=1)
    assert to_episodes(made) == to_episodes(graph())


def test_the_snapshot_has_strong_ties_only():
    lines = to_episodes(snapshot_graph()).splitlines()
    patterns = dict(line.split(" ", 1) for line in lines if line.startswith("/"))
    assert patterns["/.github/workflows/pull.yml"].split()[0].endswith("/new-ci")
    assert not any(pattern.startswith("/c10/cuda/driver_api") for pattern in patterns)
    assert len(lines) == 1 + 2 * len(patterns)


def test_no_text_of_a_feed_adds_a_line():
    text = to_episodes(hostile_graph())
    assert all(line.startswith(("#", "/")) for line in text.splitlines())
