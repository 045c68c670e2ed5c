"""GraphML and GEXF keep the rules of their schemas; pictures show their graphs.

``schemas/`` has the rules of the published XSDs for the elements in use, in RELAX NG, never wider. Unique ids and
references are checked on top of it.
"""

from collections import Counter
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


SPACES = {".graphml": "{http://graphml.graphdrawing.org/xmlns}", ".gexf": "{http://gexf.net/1.3}"}


@pytest.mark.parametrize("suffix", SPACES)
@pytest.mark.parametrize("name", GRAPHS)
def test_xml_keeps_the_rules(tmp_path, name, suffix):
    graph, space = GRAPHS[name](), SPACES[suffix]
    root = etree.parse(write_into(graph, tmp_path, suffix)).getroot()
    schema = etree.RelaxNG(etree.parse(Path(__file__).parents[1] / "schemas" / f"{suffix[1:]}.rng"))
    assert schema.validate(root), schema.error_log
    ids = {domain: [item.get("id") for item in root.iter(space + domain)] for domain in ("node", "edge")}
    assert [len(ids["node"]), len(ids["edge"])] == [len(graph), graph.number_of_edges()]
    assert [len(set(ids["node"])), len(set(ids["edge"]))] == [len(graph), graph.number_of_edges()]
    ends = {edge.get(end) for edge in root.iter(f"{space}edge") for end in ("source", "target")}
    assert ends <= {*ids["node"]}
    names = [column.get("attr.name") or column.get("title") for column in root.iter(f"{space}key", f"{space}attribute")]
    assert max(Counter(map(str.lower, names)).values(), default=0) <= 2  # of nodes, and of edges
