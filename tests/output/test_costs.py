"""The work of a build's last steps, of the page, the site and every question, on graphs of many shapes.

Counted are calls of functions. A graph of twice the size may cost little more than twice the work.
To add a shape, add a line to ``SHAPES``; a question without a row in ``WORK`` is a failure.
"""

from functools import partial
from itertools import pairwise

import networkx
import pytest

from podgraph.extractors import Vocabulary
from podgraph.graph import PLACES, add_places, enrich_graph, rank_graph
from podgraph.output.library import from_networkx
from podgraph.output.page.page import to_html
from podgraph.output.site.site import to_site
from tests.tables import read_rows
from tests.work import count_calls

SIZE = 30
RATIO = 2.6


IDS = {"pull": "github:o/r#{}", "file": "github:o/r:{}", "folder": "github:o/r:{}", "repo": "github:{}"}


def graph_of(episodes=0, edges=(), *, podcasts=1, title="Episode {}", notes="On the loom, part {}.", **marks):
    """Return a graph of so many episodes with ``edges``, ``(source, relation, target)``, which have the ``marks``.

    A number is an episode. Any other name is a node, whose kind is the word before its colon.
    """
    graph = networkx.MultiDiGraph(schema=5, generator="podgraph 0")
    for number in range(podcasts):
        graph.add_node(f"podcast:p{number}", kind="podcast", label=f"Show {number}", title=f"Show {number}")
    for number in range(episodes):
        show, name = f"podcast:p{number % podcasts}", title.format(number)
        graph.add_node(
            f"episode:p/{number}", kind="episode", label=name, title=name, number=number, podcast=show,
            guid=str(number), url=f"https://p.example/{number}", audio_url=f"https://p.example/{number}.mp3",
            date=f"{2000 + number // 300}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}", duration=600,
            summary=notes.format(number),
        )  # fmt: skip
        graph.add_edge(f"episode:p/{number}", show, "part_of", weight=1, reasons=["an item of its feed"])
    for source, relation, target in edges:
        place = {"field": "notes", "start": 0, "end": 2, "quote": "On"}
        quote = {**place, "method": "url", "extractor": "t", "confidence": 1.0}
        why = {"reasons": ["words"], "level": "strong"} if relation == "related" else {"evidence": [quote]}
        graph.add_edge(node(graph, source), node(graph, target), relation, weight=1, **why, **marks)
    return graph


def node(graph, name):
    """Return the id of a node by its number or its kind and name; a new one is added."""
    if isinstance(name, int):
        return f"episode:p/{name}"
    kind, _, rest = name.partition(":")
    id_ = IDS.get(kind, f"{kind}:{{}}").format(rest)
    if id_ not in graph:
        place = {"repo": "o/r"} if kind in IDS else {}
        place |= {"path": rest} if kind in ("file", "folder") else {}
        graph.add_node(id_, kind=kind, label=rest, url=f"https://x.example/{kind}/{rest}", **place)
    return id_


def each(n, edges):
    """Return ``edges`` for each number up to n, which stands for each {} in them; a None is the number itself."""
    fill = lambda text, one: one if text is None else text.format(one)  # noqa: E731
    return graph_of(
        n, [(fill(source, one), how, fill(target, one)) for one in range(n) for source, how, target in edges]
    )


def clique(n):
    """Episodes that are all related to each other: so many edges."""
    count = int((2 * n) ** 0.5) + 1
    return graph_of(count, ((a, "related", b) for a in range(count) for b in range(a)))


def grid(n):
    side = int(n**0.5)
    return graph_of(n, ((one, "cites", f"paper:{at}") for one in range(n) for at in (one % side, side + one // side)))


def evidence(n):
    graph = graph_of(2, [(0, "cites", "pull:1"), (1, "cites", "pull:1")])
    data = graph.edges["episode:p/0", "github:o/r#1", "cites"]
    data["evidence"] = [{**data["evidence"][0], "start": at, "end": at + 5} for at in range(n)]
    return graph


SPONSORS = [f"web:sponsor{part}" for part in range(4)]
SHAPES = {
    "no edges": graph_of,
    "one episode with all links": lambda n: graph_of(1, ((0, "cites", f"web:{one}") for one in range(n))),
    "clique": clique,
    "all boilerplate": lambda n: graph_of(
        n, ((one, "cites", to) for one in range(n) for to in SPONSORS), boilerplate=True
    ),
    "chain": lambda n: graph_of(n, ((a, "listen_first", b) for b, a in pairwise(range(n)))),
    "circle": lambda n: graph_of(n, ((a, "listen_first", (a + 1) % n) for a in range(n))),
    "all before one": lambda n: graph_of(n, ((0, "listen_first", one) for one in range(1, n))),
    "deep series": lambda n: graph_of(n, title="The loom, part {}"),
    "one title": lambda n: graph_of(n, title="The loom"),
    "two giants": lambda n: graph_of(n, ((one, "about", f"topic:giant{one % 2}") for one in range(n)), podcasts=2),
    "a podcast each": lambda n: graph_of(n, podcasts=n),
    "topics below each other": lambda n: graph_of(
        1, [(0, "about", "topic:0"), *((f"topic:{b}", "subtopic_of", f"topic:{a}") for a, b in pairwise(range(n)))]
    ),
    "grid": grid,
    "see also": lambda n: graph_of(n, ((one, "see_also", one * one % n) for one in range(n))),
    "evidence": evidence,
    "long notes": lambda n: graph_of(1, [(0, "cites", "web:x")], notes=" ".join(f"word{one}" for one in range(n))),
}
SHAPES |= {name: partial(each, edges=edges) for name, edges in read_rows(__file__, "EACH")}


# A build's steps, and the questions: what is asked of a graph, and of its episode 0.
WORK = {
    "enrich": lambda graph: enrich_graph(graph.networkx().copy(), Vocabulary({})),
    "layout": lambda graph: add_places(graph.networkx().copy()),
    "page": lambda graph: to_html(graph.networkx()),
    "site": lambda graph: to_site(graph.networkx()),
    "path": lambda graph: graph.path("episode:p/0", [one.id for one in graph][-1], n=3),
}


def ask(graph, question, words, options):
    return getattr(graph, question)(*words, **options).to_dict()


WORK |= {name: partial(ask, question=q, words=w, options=o) for name, q, w, o in read_rows(__file__, "QUESTIONS")}


def made(shape, size):
    """Return a graph with ranks and places, as it is opened."""
    graph = SHAPES[shape](size)
    rank_graph(graph)
    for number, (_, data) in enumerate(graph.nodes(data=True)):
        data.update(dict.fromkeys(PLACES, number * 37 % 390))
    return from_networkx(graph)


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_graph_is_twice_the_work(shape):
    none, small, large = (made(shape, size) for size in (9, SIZE, 2 * SIZE))
    found = {}
    for name, work in WORK.items():
        work(none)  # what is loaded once
        once = count_calls(work, small)
        found[name] = round(count_calls(work, large) / once, 2)
    assert {name: ratio for name, ratio in found.items() if ratio > RATIO} == {}


def test_the_count_sees_the_square():
    assert count_calls(lambda graph: [len(one) for one in graph for _ in graph], made("chain", 40)) > 3 * count_calls(
        lambda graph: [len(one) for one in graph for _ in graph], made("chain", 20)
    )
