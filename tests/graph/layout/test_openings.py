"""What most titles of a show begin with."""

import networkx
import pytest

from podgraph.graph import find_openings
from tests.tables import read_rows

TITLES = read_rows(__file__, "TITLES")


@pytest.mark.parametrize(("titles", "rest"), TITLES)
def test_openings_of_most_titles_of_a_show(titles, rest):
    graph = networkx.MultiDiGraph()
    for number, title in enumerate(titles):
        graph.add_node(number, kind="episode", label=title, podcast="podcast:kiln")
        graph.add_node(f"other {number}", kind="episode", title=f"Bone and Clay {number}: x", podcast="podcast:b")
    graph.add_node("topic:kiln", kind="topic", label="Kiln 9: Topics")
    lengths = find_openings(graph)
    assert [title[lengths.get(number, 0) :] for number, title in enumerate(titles)] == (rest or titles)
    assert lengths.get("other 3", 14) == 14
