"""Questions asked of the lines of a JSON file have the answers of the whole."""

import json

import networkx
import pytest

from podgraph.extractors import SourceError
from podgraph.graph import Adjacency, checked_edge, checked_node, search
from podgraph.output.formats.node_link import to_json
from podgraph.output.formats.shared import json_view
from podgraph.output.formats.shared.json_view import LineView
from podgraph.output.formats.shared.plain import plain

from ..graphs import contract_graph, hostile_graph


def of_right_types(graph):
    """Leave out the attributes that would be refused."""
    things = [*(data for _, data in graph.nodes(data=True)), *(data for *_, data in graph.edges(data=True))]
    for thing in things:
        for name in [*thing]:
            try:
                checked_node({name: plain(thing[name])}, whole=False)
                checked_edge({name: plain(thing[name])}, whole=False)
            except ValueError:
                del thing[name]
    return graph


def graphs():
    empty = networkx.MultiDiGraph(generator="podgraph 0", schema=1)
    alone = empty.copy()
    alone.add_node('a "quoted" \\ name\n', kind="web")
    odd = networkx.MultiDiGraph(generator="podgraph 0", schema=1, transcripts=3)
    for end in ('x, "target": y', "é", "\u202e", "\x7f", "a", "ab", "a/b", '"kind": "topic"', "", "🚀"):
        odd.add_node(end, kind="topic", label='"kind": "episode"', names=[end])
        odd.add_edge("a", end, "cites")
        odd.add_edge(end, "é", "cites", evidence=[{"quote": '", "target": "a", "key": "', "id": 1, "source": "x"}])
    for graph in (contract_graph(), of_right_types(hostile_graph())):
        graph.graph["generator"] = "podgraph 0"
        yield graph
    yield from (empty, alone, odd)


@pytest.mark.parametrize("graph", [*graphs()])
@pytest.mark.parametrize("many", [100, 2])
def test_the_same_answers(graph, many, monkeypatch):
    monkeypatch.setattr(json_view, "_MANY", many)
    text = to_json(graph)
    whole = Adjacency.of_node_link(json.loads(text))
    lines = LineView(text.encode(), "g.json")
    ids = [id_ for id_, _ in whole.nodes()]
    assert list(lines.nodes()) == list(whole.nodes())
    for id_ in [*ids, "nothing", 'no"thing', ""]:
        assert lines.node(id_) == whole.node(id_)
        assert list(lines.edges_from(id_)) == list(whole.edges_from(id_))
        assert list(lines.edges_to(id_)) == list(whole.edges_to(id_))
        for relation in ("about", "cites", "none"):
            assert lines.is_target(id_, relation) == whole.is_target(id_, relation)
        for size in (1, 3, len(id_)):
            assert list(lines.under(id_[:size])) == list(whole.under(id_[:size]))
    for kinds in (("episode",), ("topic", "pull"), ("nothing",), ("\udcff",)):
        assert list(lines.nodes(*kinds)) == list(whole.nodes(*kinds))
    assert list(lines.keyed("number", "7")) == list(whole.keyed("number", "7"))
    assert list(lines.titled("tri", "vmap")) == list(whole.titled("tri", "vmap"))
    if all(isinstance(node.get("kind", ""), str) for _, node in whole.nodes()):
        assert lines.counts() == whole.counts()
    assert dict(lines.kinds) == dict(whole.kinds)
    assert lines.transcripts == whole.transcripts


@pytest.mark.parametrize("id_", ["\u202e", "\x7f", "é", '"kind": "topic"'])
def test_the_first_question_is_answered_however_the_file_writes_its_letters(id_):
    *_, odd = graphs()
    assert LineView(to_json(odd).encode(), "g.json").node(id_)["names"] == [id_]


def laid_out(text="", **changes):
    graph = contract_graph()
    graph.graph["generator"] = "podgraph 0"
    return to_json(graph)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(": ", ":"),
        lambda text: text.replace("},\n{", "}, {", 1),
        lambda text: text.replace('{"id": ', '{\n"id": ', 1),
        lambda text: text.replace('{"id": "episode:p/vmap", ', '{"kind_": 1, "id": "episode:p/vmap", ', 1),
        lambda text: text.replace('"kind": "topic"', '"x": {"id": "y"},\n"kind": "topic"', 1),
        lambda text: text.replace('"generator"', '\n"generator"', 1),
        lambda text: text.replace("podgraph 0", "other 0"),
        lambda text: f"\n{text}",
        lambda text: text[:-5],
        lambda text: json.dumps(json.loads(text)),
        lambda text: json.dumps(json.loads(text), indent=1),
    ],
)
def test_another_layout_is_left_to_the_whole(change):
    assert LineView(laid_out().encode(), "g.json")
    with pytest.raises(ValueError, match="our"):
        LineView(change(laid_out()).encode(), "g.json")


def test_a_damaged_line_is_told_when_it_is_asked_for():
    text = laid_out()
    broken = text.replace('"kind": "topic"', '"kind": topic', 1)
    assert broken != text
    lines = LineView(broken.encode(), "g.json")
    with pytest.raises(SourceError, match=r"g\.json: is no graph that podgraph wrote"):
        list(lines.nodes())
    with pytest.raises(SourceError, match=r"g\.json: is no graph"):
        lines.counts()


SEARCHES = ("vmap", "fusion", "vmapp", "kernel reductions", '"not there"', "torch.vmap", "é", "12", "a", "kopie")


@pytest.mark.parametrize("graph", [*graphs()])
@pytest.mark.parametrize("text", SEARCHES)
@pytest.mark.parametrize(
    "letters", [str, lambda text: text.replace("vmap", "vm\\u0061p")], ids=["as we write", "escaped"]
)
def test_a_search_finds_the_same(graph, text, letters):
    data = letters(to_json(graph))
    assert search(text, LineView(data.encode(), "g.json")) == search(text, Adjacency.of_node_link(json.loads(data)))
