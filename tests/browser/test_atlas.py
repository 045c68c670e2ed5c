"""The atlas: lands with their names, what stands on them, from afar and near; and where filters leave little or nothing."""

import networkx
import pytest

VIEWPORTS = [(1400, 900), (1920, 1080), (390, 844)]


@pytest.fixture(scope="module")
def crowd():
    """A show of 1,200 episodes in 30 areas, related in rings."""
    graph = networkx.MultiDiGraph(schema=1, generator="podgraph 0", sources=[])
    for area in range(30):
        for at in range(40):
            node = f"episode:p/{area}-{at}"
            graph.add_node(
                node, kind="episode", label=f"Talk {at} on subject {area}", community=f"Subject {area}", number=at
            )
            graph.add_edge(node, f"episode:p/{area}-{(at + 1) % 40}", key="related", weight=0.5, reasons=["both are"])
    return graph


def atlas(open_page, graph, viewport=VIEWPORTS[0], state="view=episodes", **options):
    page = open_page(graph, state, viewport=viewport, **options)
    page.page.wait_for_function("() => window.podgraph?.ready")
    return page.settled()


def scene(page):
    nodes = page.page.evaluate("podgraph.scene().nodes")
    return [(node["x"], node["y"], node["r"], node["area"], node["id"]) for node in nodes]


def inside(x, y, polygon):
    """Return whether a point is in a polygon, by the crossings of a ray."""
    sides = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return sum((y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1) for (x1, y1), (x2, y2) in sides) % 2


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_a_land_is_one_piece_with_its_episodes_and_its_name_on_it(open_page, sample_html, viewport):
    page = atlas(open_page, sample_html, viewport)
    lands = page.page.evaluate("podgraph.lands()")
    dots = {node: (x, y, area) for x, y, _, area, node in scene(page)}
    assert [sum(len(land["members"]) for land in lands), len(dots)] == [82, 83], "one alone has no land"
    for land in lands:
        for member in land["members"]:
            x, y, area = dots[member]
            assert area == land["area"]
            assert inside(x, y, land["polygon"])
        if box := land.get("box"):
            corners = [(x, y) for x in (box["l"] + 4, box["r"] - 4) for y in (box["t"] + 3, box["b"] - 3)]
            assert all(inside(x, y, land["polygon"]) for x, y in corners), land["label"]
    if viewport[0] >= 1400:
        assert page.js("probes.foreignNames()") == [], "no name is on the land of another area"
    own = 0
    for x, y, area in dots.values():
        near = sorted(((x - u) ** 2 + (y - v) ** 2, other) for u, v, other in dots.values())[1:4]
        own += sum(other == area for _, other in near)
    assert own >= 0.9 * 3 * len(dots), "the three nearest are of the own area"
    assert sum("box" in land for land in lands) >= 0.9 * len(lands)
    assert len({land["hue"] for land in lands}) == len(lands)


def test_from_afar_lands_stand_for_a_crowd_and_dots_come_out_from_near(open_page, crowd):
    page = atlas(open_page, crowd)
    lands = page.page.evaluate("podgraph.lands()")
    far = scene(page)
    assert len(lands) == 30
    assert len(lands) <= len(far) <= 3 * len(lands)
    assert sum("box" in land for land in lands) >= 15
    assert page.js("map.scene.areaBoxes.every(({ text }) => text.endsWith('40 episodes'))")
    page.js("map.zoom(map.scene.crowd.near * 1.01)")
    page.settled()
    assert len(scene(page)) > 5 * len(far)
    page.js("map.zoom(100)")
    page.settled()
    near = page.page.evaluate("podgraph.scene().nodes")
    assert near
    assert all(node["named"] for node in near)


def test_an_area_in_the_address_is_brought_into_view(open_page, sample_html):
    page = atlas(open_page, sample_html, state="areas=AOTAutograd and tracing&view=episodes", fresh=True)
    box = page.page.locator("#map").bounding_box()
    dots = scene(page)
    assert 0 < len(dots) < 10
    wide, high = (max(spot[axis] for spot in dots) - min(spot[axis] for spot in dots) for axis in (0, 1))
    assert max(wide / box["width"], high / box["height"]) > 0.25  # of the whole atlas it is about 0.15


def test_where_filters_leave_nothing_the_page_says_why_and_offers_the_way_out(open_page, sample_html):
    page = atlas(open_page, sample_html, state="years=2022&topics=topic:cuda&view=episodes")
    text = page.text(".empty")
    assert "2022 + CUDA" in text
    page.page.click(".empty button >> text=Without CUDA")
    assert page.state()["topics"] == []
    assert not page.page.is_visible(".empty")
    assert scene(page.settled())
    page.to("years=2022&topics=topic:cuda&view=episodes")
    page.page.click(".empty button >> text=Reset")
    assert len(scene(page.settled())) == 83


def test_a_reload_keeps_zoom_and_place(open_page, sample_html):
    page = atlas(open_page, sample_html, fresh=True)
    page.js("map.go({ x: 60, y: -40, scale: 2.4 })")
    page.page.wait_for_function("() => history.state?.at?.scale === 2.4")
    page.page.reload()
    page.page.wait_for_function("() => window.podgraph?.ready")
    assert page.js("[map.view().x, map.view().y, map.view().scale]") == [60, -40, 2.4]
