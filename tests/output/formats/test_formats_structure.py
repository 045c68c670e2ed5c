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
from tests.output.graphs import contract_graph, hostile_graph, write_into

GRAPHS = {"contract": contract_graph, "hostile": hostile_graph, "empty": networkx.MultiDiGraph}
S = "{http://www.w3.org/2000/svg}"


def draw(graph, **options):
    """Return the picture of a graph, parsed, and its circles."""
    root = etree.fromstring("".join(to_svg(Rows(graph), **options)).encode())
    return root, [*root.iter(f"{S}circle")]


def test_the_picture_shows_the_atlas_and_its_names_cover_none(sample):
    root, marks = draw(sample)
    episodes = {id_: node for id_, node in sample.nodes(data=True) if "x_wide" in node}
    assert {mark[0].text for mark in marks} == {node.get("title", node["label"]) for node in episodes.values()}
    ends = [{source, target} for source, target, relation in sample.edges(keys=True) if relation == "related"]
    assert len([*root.iter(f"{S}line")]) == sum(pair <= episodes.keys() for pair in ends)
    boxes = []
    for text in root.iter(f"{S}text"):
        width = 6.16 * len(text.text) * (1 if text.get("font-size") is None else 0)
        start = float(text.get("x")) - {"end": width, "middle": width / 2}.get(text.get("text-anchor"), 0)
        boxes.append((start, float(text.get("y")) - 11, start + width, float(text.get("y"))))
    assert len(boxes) > len(episodes) / 3
    for place, (x1, y1, x2, y2) in enumerate(boxes):
        assert 0 <= x1 <= x2 <= 1001
        for one in boxes[:place]:
            assert one[2] <= x1 + 0.2 or one[0] >= x2 - 0.2 or one[3] <= y1 or one[1] >= y2
    assert len(marks) == len(episodes)
    assert len(draw(sample, everything=True)[1]) == len(sample)


def test_the_picture_of_anything_is_whole_and_runs_nothing():
    root, _ = draw(hostile_graph())
    tags = {element.tag.removeprefix(S) for element in root.iter(etree.Element)}
    assert tags <= {"svg", "title", "rect", "g", "line", "circle", "polygon", "a", "text"}
    assert all(link.get("href").startswith("http") for link in root.iter(f"{S}a"))


def is_of_type(text, form):
    if form == "boolean":
        return text in {"true", "false"}
    if form == "long":
        return -(2**63) <= int(text) < 2**63
    return form != "double" or float(text) == float(text)


# A format: its namespace, and the elements of a column and of a value.
FORMS = {
    ".graphml": ("{http://graphml.graphdrawing.org/xmlns}", "key", "data"),
    ".gexf": ("{http://gexf.net/1.3}", "attribute", "attvalue"),
}


@pytest.mark.parametrize("suffix", FORMS)
@pytest.mark.parametrize("name", GRAPHS)
def test_xml_keeps_the_rules(tmp_path, name, suffix):
    graph, (space, column_tag, value_tag) = GRAPHS[name](), FORMS[suffix]
    root = etree.parse(write_into(graph, tmp_path, suffix)).getroot()
    schema = etree.RelaxNG(etree.parse(Path(__file__).parents[1] / "schemas" / f"{suffix[1:]}.rng"))
    assert schema.validate(root), schema.error_log
    types, names = {}, set()
    for column in root.iter(space + column_tag):
        domain = column.get("for") or column.getparent().get("class")
        types[domain, column.get("id")] = column.get("attr.type") or column.get("type")
        names.add((domain, (column.get("attr.name") or column.get("title")).lower()))
    assert len(types) == len(names) == len([*root.iter(space + column_tag)])
    for domain, count in (("node", len(graph)), ("edge", graph.number_of_edges())):
        items = [*root.iter(space + domain)]
        assert len(items) == len({item.get("id") for item in items}) == count
        for item in items:
            values = [*item.iter(space + value_tag)]
            columns = [value.get("key") or value.get("for") for value in values]
            assert len(set(columns)) == len(columns)
            for column, value in zip(columns, values, strict=True):
                assert is_of_type(value.get("value") or value.text or "", types[domain, column])
    nodes = {node.get("id") for node in root.iter(f"{space}node")}
    assert all({edge.get("source"), edge.get("target")} <= nodes for edge in root.iter(f"{space}edge"))
