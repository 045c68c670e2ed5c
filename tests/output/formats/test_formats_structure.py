"""GraphML and GEXF keep the rules of their schemas.

``schemas/`` holds what the published XSDs ask of the part that is written here, in RELAX NG and in our own words, never
wider; unique ids, references and the values of typed columns are checked on top of it.
"""

from pathlib import Path

import networkx
import pytest
from lxml import etree

from podgraph.output.formats import Rows
from podgraph.output.formats.svg import to_svg
from tests.output.graphs import contract_graph, hostile_graph, text_of, written

SCHEMAS = Path(__file__).parents[1] / "schemas"
G = "{http://graphml.graphdrawing.org/xmlns}"
X = "{http://gexf.net/1.3}"
GRAPHS = {"contract": contract_graph, "hostile": hostile_graph, "empty": networkx.MultiDiGraph}
graphs = pytest.mark.parametrize("name", GRAPHS)


def parsed(graph, tmp_path, suffix, **options):
    tree = etree.parse(written(graph, tmp_path, suffix, **options))
    schema = etree.RelaxNG(etree.parse(SCHEMAS / f"{suffix[1:]}.rng"))
    assert schema.validate(tree), schema.error_log
    return tree.getroot()


S = "{http://www.w3.org/2000/svg}"


def test_the_picture_shows_the_atlas_and_its_names_cover_none(tmp_path, sample):
    def drawn(**options):
        root = etree.fromstring("".join(to_svg(Rows(sample), **options)).encode())
        return root, [*root.iter(f"{S}circle"), *root.iter(f"{S}polygon")]

    root, marks = drawn()
    episodes = [attrs for _, attrs in sample.nodes(data=True) if "x_wide" in attrs]
    assert len(marks) == len(episodes)
    assert {mark[0].text for mark in marks} == {attrs.get("title", attrs["label"]) for attrs in episodes}
    ties = [ends for *ends, relation in sample.edges(keys=True) if relation == "related"]
    assert len(list(root.iter(f"{S}line"))) == sum(all("x_wide" in sample.nodes[end] for end in ends) for ends in ties)
    boxes = []
    for text in root.iter(f"{S}text"):
        width = 6.16 * len(text.text) * (1 if text.get("font-size") is None else 0)
        left = float(text.get("x")) - {"end": width, "middle": width / 2}.get(text.get("text-anchor"), 0)
        boxes.append((left, float(text.get("y")) - 11, left + width, float(text.get("y"))))
    assert len(boxes) > len(episodes) / 3
    for place, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left <= right <= 1001
        for other in boxes[:place]:
            assert other[2] <= left + 0.2 or other[0] >= right - 0.2 or other[3] <= top or other[1] >= bottom
    assert len(drawn(everything=True)[1]) == len(sample)


def test_the_picture_of_anything_is_whole_and_runs_nothing():
    root = etree.fromstring(text_of(to_svg, hostile_graph()).encode())
    assert {element.tag.removeprefix(S) for element in root.iter(etree.Element)} <= set(
        "svg title rect g line circle polygon a text".split()
    )
    assert all(link.get("href").startswith("http") for link in root.iter(f"{S}a"))


def fits(text, form):
    if form == "boolean":
        return text in {"true", "false"}
    if form == "long":
        return -(2**63) <= int(text) < 2**63
    return form != "double" or float(text) == float(text)


@graphs
def test_graphml_keeps_the_rules(tmp_path, name):
    graph = GRAPHS[name]()
    root = parsed(graph, tmp_path, ".graphml")
    keys = {key.get("id"): key for key in root.iter(f"{G}key")}
    assert len(keys) == len(list(root.iter(f"{G}key")))
    names = [(key.get("for"), key.get("attr.name").lower()) for key in keys.values()]
    assert len(set(names)) == len(names)
    for domain, count in (("node", len(graph)), ("edge", graph.number_of_edges())):
        items = list(root.iter(G + domain))
        assert len(items) == len({item.get("id") for item in items}) == count
        for item in items:
            columns = [data.get("key") for data in item]
            assert len(set(columns)) == len(columns)
            for data in item:
                key = keys[data.get("key")]
                assert key.get("for") == domain
                assert fits(data.text or "", key.get("attr.type"))
    nodes = {node.get("id") for node in root.iter(f"{G}node")}
    assert all({edge.get("source"), edge.get("target")} <= nodes for edge in root.iter(f"{G}edge"))


@graphs
def test_gexf_keeps_the_rules(tmp_path, name):
    graph = GRAPHS[name]()
    root = parsed(graph, tmp_path, ".gexf")
    columns = {}
    for group in root.iter(f"{X}attributes"):
        found = {column.get("id"): column.get("type") for column in group}
        assert len(found) == len(group) == len({column.get("title").lower() for column in group})
        columns[group.get("class")] = found
    for domain, count in (("node", len(graph)), ("edge", graph.number_of_edges())):
        items = list(root.iter(X + domain))
        assert len(items) == len({item.get("id") for item in items}) == count
        for item in items:
            places = [value.get("for") for value in item.iter(f"{X}attvalue")]
            assert len(set(places)) == len(places)
            for value in item.iter(f"{X}attvalue"):
                assert fits(value.get("value"), columns[domain][value.get("for")])
    nodes = {node.get("id") for node in root.iter(f"{X}node")}
    assert all({edge.get("source"), edge.get("target")} <= nodes for edge in root.iter(f"{X}edge"))
    assert root.get("version") == "1.3"
