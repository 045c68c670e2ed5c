"""The picture: nothing overlaps, what is chosen is lit, filters and levels of detail hide and say so."""

import networkx
import pytest

from tests.browser.conftest import placed
from tests.browser.synthetic_graph import synthetic_graph


@pytest.mark.everywhere
def test_hovering_lights_the_neighbours_and_leaving_puts_them_out(open_page, synthetic, synthetic_html):
    page = open_page(synthetic_html)
    topic = "topic:tensor-1"
    page.page.mouse.move(*page.spot(topic))
    page.page.wait_for_function("() => main_module.page.map().scene.lit")
    neighbours = {u for u, _ in synthetic.in_edges(topic)} | {v for _, v in synthetic.out_edges(topic)}
    assert page.lit() == neighbours | {topic}
    page.page.mouse.move(2, 2)
    page.page.wait_for_function("() => !main_module.page.map().scene.lit")


@pytest.mark.everywhere
def test_a_click_or_tap_chooses_and_a_click_beside_lets_go(open_page, synthetic_html, browser_name):
    page = open_page(synthetic_html)
    page.page.mouse.click(*page.spot("topic:tensor-1"))
    page.page.wait_for_function("() => location.hash === '#n=topic:tensor-1&view=everything'")
    assert page.text("#details h2") == "tensor 1"
    page.page.mouse.click(*(value + 4 for value in map_corner(page)))
    page.page.wait_for_function("() => location.hash === '#view=everything'")
    assert page.text("#details h2") == "Overview"
    if browser_name == "chromium":  # the other cannot be told that it has a touch screen
        page = open_page(synthetic_html, viewport=(390, 844), has_touch=True)
        page.page.touchscreen.tap(*page.spot("topic:tensor-1"))
        page.page.wait_for_function("() => location.hash === '#n=topic:tensor-1&view=everything'")


def map_corner(page):
    box = page.page.locator("#map").bounding_box()
    return box["x"] + 3, box["y"] + 3


@pytest.mark.everywhere
def test_dragging_pans_and_the_wheel_zooms(open_page, synthetic_html):
    page = open_page(synthetic_html)
    before = page.js("map.view()")
    x, y = map_corner(page)
    page.page.mouse.move(x + 30, y + 30)
    page.page.mouse.down()
    page.page.mouse.move(x + 130, y + 80, steps=4)
    page.page.mouse.up()
    after = page.js("map.view()")
    assert (before["x"] - after["x"]) * before["scale"] == pytest.approx(100, abs=2)
    assert (before["y"] - after["y"]) * before["scale"] == pytest.approx(50, abs=2)
    page.page.mouse.wheel(0, -400)
    page.page.wait_for_function("(scale) => main_module.page.map().view().scale > scale", arg=after["scale"])
    assert page.state()["node"] == ""


def test_the_path_between_two_nodes_is_lit_and_told(open_page, synthetic, synthetic_html):
    start, goal = "topic:tensor-1", "topic:cache-8"
    page = open_page(synthetic_html, f"n={start}")
    one = page.lit()
    page.page.click("#details .more > summary")
    page.page.click("#details label:has-text('Only these')")
    assert page.shown() == one
    assert page.text("#status") == f"{len(one)} of 398 nodes shown"
    assert "only=1" in page.url()
    page.page.click("#details label:has-text('Only these')")
    page.page.click("#details .actions button >> text=Show path to")
    page.page.keyboard.type("cache 8")  # its field has the focus, and a space in it is a space
    assert page.page.input_value("#path-search input") == "cache 8"
    page.page.keyboard.press("Enter")
    plain = synthetic.to_undirected()
    plain.remove_nodes_from([node for node, kind in synthetic.nodes(data="kind") if kind in ("podcast", "repo")])
    steps = networkx.shortest_path_length(plain, start, goal)
    assert page.page.locator("#details section", has_text="Path to").first.locator("ol li").count() == steps + 1
    assert len(page.lit()) == steps + 1
    assert {start, goal} <= page.lit()
    assert f"to={goal}" in page.url()
    told = page.page.locator("#details section", has_text="Path to").first.locator("ol .reason").all_inner_texts()
    assert len(told) == steps
    quotes = {item["quote"] for *_, data in synthetic.edges(data=True) for item in data.get("evidence", ())}
    reasons = {reason for *_, data in synthetic.edges(data=True) for reason in data.get("reasons", ())}
    assert all(why.split("“")[-1].rstrip("”") in quotes or why.split("; ")[0] in reasons for why in told)


@pytest.mark.parametrize("view", ["episodes", "everything"])
def test_what_is_chosen_stays_in_view_when_the_window_changes_until_the_map_is_moved(open_page, sample_html, view):
    page = open_page(sample_html, f"n=docs:pytorch/amp&view={view}", viewport=(1400, 900), fresh=True)
    chosen = page.state()["node"]
    assert chosen in page.lit()

    def resized(width, height):
        page.page.set_viewport_size({"width": width, "height": height})
        page.page.wait_for_function(
            "(width) => main_module.page.map().view().width === document.querySelector('#map').clientWidth && innerWidth === width",
            arg=width,
        )
        page.settled()
        x, y = page.spot(chosen)
        box = page.page.locator("#map").bounding_box()
        return box["x"] + 16 < x < box["x"] + box["width"] - 16 and box["y"] + 16 < y < box["y"] + box["height"] - 16

    assert [resized(*size) for size in ((1000, 500), (1920, 1080), (1000, 600), (1400, 420))] == [True] * 4
    page.js("map.zoom(4)")
    scale = page.js("map.view().scale")
    resized(1400, 440)
    assert page.js("map.view().scale") == pytest.approx(scale, rel=0.2)


def test_a_bigger_graph_starts_without_single_citations_and_says_so(open_page):
    middling = placed(synthetic_graph(400, 1300, 150))
    page = open_page(middling)
    total = len(middling)
    assert total > 1500
    shown = page.shown()
    assert page.text("#status") == f"{len(shown):,} of {total:,} nodes shown"
    assert len(shown) < total
    spoken_of = {v for _, v, key in middling.edges(keys=True) if key == "about"}
    assert spoken_of | {node for node, kind in middling.nodes(data="kind") if kind == "episode"} <= shown
    page.page.locator("#filters input[name=shared]").uncheck()
    assert page.text("#status") == f"{total:,} of {total:,} nodes shown"
    assert "detail=all" in page.url()
    episode = next(node for node, kind in middling.nodes(data="kind") if kind == "episode")
    cited = {v for _, v, key in middling.out_edges(episode, keys=True) if key == "cites"}
    page.to("")
    assert not cited <= page.shown()
    page.to(f"n={episode}")
    assert cited <= page.shown() & page.lit(), "choosing an episode unfolds its single citations"
