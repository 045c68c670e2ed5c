"""What most titles of a show begin with."""

import networkx
import pytest

from podgraph.graph import find_openings

TITLES = [
    # titles of a show, what is left of each
    (["Kiln 1: Ash", "Kiln 2: Bone", "Kiln 3: Clay", "Kiln 4"], ["1: Ash", "2: Bone", "3: Clay", "Kiln 4"]),
    (["The Kiln #1 Ash", "The Kiln #2 Bone", "The Kiln #3 Clay", "The Kiln #4 Dust", "The Wheel", "Glaze"],
     ["#1 Ash", "#2 Bone", "#3 Clay", "#4 Dust", "The Wheel", "Glaze"]),
    (["Episode 1 – Ash", "Bone", "Clay", "Dust", "Episode 5 – Earth"], None),  # two of five
    (["Kiln Ash", "Kiln Bone", "Kiln Clay"], None),  # three are too few to tell
    (["Kilns", "Kilning", "Kilner", "Kilned"], None),  # no whole word
    (["", " ", "Ash", "Bone"], None),
    (["陶芸 一 土", "陶芸 二 火", "陶芸 三 灰", "陶芸 四 水"], ["一 土", "二 火", "三 灰", "四 水"]),
]  # fmt: skip


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
