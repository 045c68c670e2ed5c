"""The legend is the filter; the address holds it; the count is announced."""

from urllib.parse import unquote

import pytest

from podgraph.graph.layout.place import find_drawn_neighbours


def check(page, name):
    unfold(page)
    return page.page.locator("#filters label.check", has_text=name).first.locator("input")


def unfold(page):
    page.page.evaluate("for (const one of document.querySelectorAll('#filters details')) one.open = true")


def named(graph):
    """Return what a text names: repositories and idle topics are there for those who ask."""
    said = {v for _, v, key in graph.edges(keys=True) if key in ("cites", "about")}
    return said | {node for node, kind in graph.nodes(data="kind") if kind in ("episode", "podcast")}


def test_each_filter_leaves_its_part_says_so_and_is_in_the_address(open_page, synthetic, synthetic_html):
    page = open_page(synthetic_html)
    unfold(page)
    rows = page.page.locator("#filters label.check:has(svg.icon)").all_inner_texts()
    counts = dict(row.split("\n") for row in rows)
    assert (counts["Episodes"], counts["Topics"], counts["Repositories"]) == ("83", "58 of 60", "0 of 4")
    assert sum(int(count.split()[-1]) for count in counts.values()) == len(synthetic)
    assert page.page.get_attribute("#status", "role") == "status"
    whole, kinds, links = (
        named(synthetic),
        dict(synthetic.nodes(data="kind")),
        find_drawn_neighbours(synthetic, synthetic),
    )
    for name, query, kept in (
        ("Pull requests", "off=pull", {node for node in whole if kinds[node] != "pull"}),
        ("Cited twice or more", "detail=shared", {
            node for node in whole if kinds[node] in ("episode", "topic", "podcast") or len(links[node]) > 1
        }),
        ("related to", "related=0", whole),
    ):  # fmt: skip
        page.to("")
        check(page, name).click()
        assert page.shown() == kept
        assert page.text("#status") == f"{len(kept)} of 398 nodes shown"
        assert page.url().endswith(f"#{query}&view=everything")
    lines = page.page.evaluate("podgraph.scene().lines")
    assert lines
    assert "related" not in {line["relation"] for line in lines}
    page.to("")
    assert "related" in {line["relation"] for line in page.page.evaluate("podgraph.scene().lines")}
    check(page, "tensor 1").check()
    about = {u for u, _, key in synthetic.in_edges("topic:tensor-1", keys=True) if key == "about"}
    assert {node for node in page.shown() if node.startswith("episode:")} == about
    assert "topics=topic:tensor-1" in unquote(page.url())
    page.to("off=pull,issue&years=2024&detail=shared&related=0")
    assert not check(page, "Pull requests").is_checked()
    assert check(page, "2024").is_checked()
    assert "391 of 398" not in page.text("#status")
    page.page.click("#filters button >> text=Reset")
    assert page.text("#status") == "391 of 398 nodes shown"
    assert page.url().endswith("#view=everything")
    page.to("off=paper")
    paper = next(node for node, kind in kinds.items() if kind == "paper")
    assert paper not in page.shown()
    page.page.fill("#search input", synthetic.nodes[paper]["label"])
    page.page.press("#search input", "Enter")
    assert paper in page.shown(), "what is chosen is shown"
    assert page.state()["off"] == ["paper"]


@pytest.mark.parametrize("view", ["map", "timeline"])
def test_a_part_is_brought_into_view_and_counted(open_page, synthetic, synthetic_html, view):
    page = open_page(synthetic_html, "view=timeline" if view == "timeline" else "")
    whole = page.js("map.view().scale")
    check(page, "2025").check()
    page.settled()
    chosen = {node for node, date in synthetic.nodes(data="date") if date and date.startswith("2025")}
    shown = page.shown()
    assert {node for node in shown if node.startswith("episode:")} == chosen
    cited = {v for _, v, key in synthetic.out_edges(chosen, keys=True) if key in ("cites", "about")}
    stray = {node for node, kind in synthetic.nodes(data="kind") if kind in ("pull", "topic", "docs")} - cited
    assert view == "timeline" or (cited <= shown and not stray & shown)
    assert page.page.locator("#filters label.check", has_text="Episodes").inner_text() == "Episodes\n4 of 83"
    assert page.text("#details .summary p").startswith(f"{len(chosen)} of 83 episodes and ")
    box = page.page.locator("#map").bounding_box()
    for node in chosen:
        x, y = page.spot(node)
        assert box["x"] < x < box["x"] + box["width"]
        assert box["y"] < y < box["y"] + box["height"]
    assert page.js("map.view().scale") > whole or view == "timeline"  # which is laid out for its span
    assert page.js("probes.countColours('#map canvas', ['#3955a1'])")["#3955a1"] > 0
    check(page, "2025").uncheck()
    assert page.text("#details .summary p").startswith("83 episodes and ")
    assert page.js("map.view().scale") == pytest.approx(whole)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("2021", "years", ["2021"]),
        ("", "areas", []),  # the biggest
        ("Vectorization", "topics", ["topic:vectorization"]),
    ],
)
def test_only_this_leaves_one_and_reset_leads_back(open_page, sample_html, name, field, value):
    page = open_page(sample_html, "view=episodes" + ("&years=2022" if field == "years" else ""))
    if field == "areas":
        name = page.js("graph.areas[0].name")
        value = [name]
    if field == "topics":
        page.page.click("#filters summary >> text=Only these topics")
        page.page.fill("#filters .within", name)
        assert page.page.locator("#filters .section .filter:visible").count() < 5
    unfold(page)
    button = page.page.get_by_role("button", name=f"Only {name}", exact=True).first
    first = "document.querySelector('#filters .filter').offsetTop"
    top = page.js(first)
    button.focus()
    button.press("Enter")
    assert page.state()[field] == value
    assert page.js(first) == top  # what was pressed stays under the pointer
    assert 0 < len(page.shown()) < 83
    assert page.page.is_visible("#filters .reset button")
    page.page.click("#filters .reset button")
    assert page.state()[field] == []
    assert page.state()["years"] == []
    assert not page.page.is_visible("#filters .reset button")
    assert len(page.shown()) == 83


def test_the_key_of_areas_has_the_colours_of_the_map_and_a_click_leaves_one(open_page, sample, sample_html):
    for scheme in ("light", "dark"):
        page = open_page(sample_html, "view=episodes", color_scheme=scheme)
        key = page.page.evaluate(
            """() => [...document.querySelectorAll("#filters label:has(input.swatch)")].map((row) =>
              [row.querySelector(".name").textContent, getComputedStyle(row.querySelector("input")).backgroundColor])"""
        )
        drawn = page.js(
            "graph.areas.map(({ name, short }) => { const node = graph.nodes.find(({ wx, community }) => wx !== undefined && community === name);"
            " const [r, g, b] = drawing_module.colourOf(map.scene, node.index).match(/\\w\\w/g).map((two) => parseInt(two, 16));"
            " return [short, `rgb(${r}, ${g}, ${b})`]; })"
        )
        assert key == drawn
        assert len({colour for _, colour in key}) == len(key)
    sizes = [
        sum(data.get("community") == name and "x_wide" in data for _, data in sample.nodes(data=True))
        for name in page.js("graph.areas.map(({ name }) => name)")
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert {one.upper() for one, _ in key} >= set(page.js("map.scene.areaBoxes.map(({ text }) => text)"))
    page.page.click(f"#filters label:has(input.swatch) >> text={key[0][0]}")
    assert page.state()["areas"] == [key[0][0]]
    assert len(page.shown()) == sizes[0]
