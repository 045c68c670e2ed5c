"""Small graphs for the tests of questions: episodes given as title, topics, notes."""

import networkx

from podgraph.graph import View

PIECE = {"start": 0, "end": 0, "quote": "", "confidence": 1.0}


def net(*episodes, edges=()):
    """Make a graph: each episode is (name, topics, notes); ``edges`` are (source, target, relation) of names."""
    graph = networkx.MultiDiGraph(schema=1, generator="test", sources=[])
    graph.add_node("podcast:p", kind="podcast", label="P", title="P")
    for place, (name, topics, notes) in enumerate(episodes):
        id_ = f"episode:p/{name.lower().replace(' ', '-')}"
        date = f"2021-{1 + place // 28:02}-{1 + place % 28:02}"
        more = {"number": place + 1, "date": date, "podcast": "podcast:p"} | ({"summary": notes} if notes else {})
        graph.add_node(id_, kind="episode", label=name, title=name, **more)
        graph.add_edge(id_, "podcast:p", "part_of", weight=1, reasons=["an item of its feed"])
        for topic in topics:
            graph.add_node(f"topic:{topic}", kind="topic", label=topic)
            field = "title" if topic in name.lower() else "notes"
            piece = dict(PIECE, field=field, method="alias", extractor="topics")
            graph.add_edge(id_, f"topic:{topic}", "about", weight=3 if field == "title" else 1, evidence=[piece])
    for source, target, relation in edges:
        graph.add_edge(ident(source), ident(target), relation, weight=1, reasons=["for the test"])
    return graph


def ident(name):
    return name if ":" in name else f"episode:p/{name}"


def shuffled(graph):
    """Return the same graph with nodes and edges in the opposite order."""
    other = networkx.MultiDiGraph(**graph.graph)
    other.add_nodes_from(reversed(list(graph.nodes(data=True))))
    for source, target, key, data in reversed(list(graph.edges(keys=True, data=True))):
        other.add_edge(source, target, key, **data)
    return other


def view(graph):
    return View.from_networkx(graph)
