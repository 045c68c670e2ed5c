"""Episodes first: the start view at three sizes, and what is lit has a reason."""

import itertools
import math
import re

import pytest

from tests.tables import read_rows

SIZES = {(1400, 900): 74, (1920, 1080): 83, (390, 844): 26}
VMAP = "episode:pytorch-developer-podcast/vmap"
PULL = "github:pytorch/pytorch#130935"


def start(open_page, html, state="", viewport=(1400, 900), **options):
    page = open_page(html, state or "view=episodes", viewport=viewport, **options)
    page.settled()
    return page


def scene(page):
    return page.page.evaluate("podgraph.scene()")


@pytest.mark.parametrize(("viewport", "least"), SIZES.items(), ids=[f"{width}" for width, _ in SIZES])
def test_the_start_names_episodes_and_fills_the_frame(open_page, sample_html, viewport, least):
    page = start(open_page, sample_html, viewport=viewport)
    assert page.page.evaluate("probes.bareSigns()") == [], "every sign has a word"
    nodes = scene(page)["nodes"]
    assert {node["kind"] for node in nodes} == {"episode"}
    assert len(nodes) == 83
    assert sum(node["named"] for node in nodes) >= least
    assert all(5 <= node["r"] <= 12 for node in nodes)
    box = page.page.locator("#map").bounding_box()
    labels = page.js("map.labels()")
    left = min(min(node["x"] - node["r"] for node in nodes) - box["x"], *(label["left"] for label in labels))
    right = max(
        max(node["x"] + node["r"] for node in nodes) - box["x"], *(label["left"] + label["width"] for label in labels)
    )
    top, bottom = min(node["y"] - node["r"] for node in nodes), max(node["y"] + node["r"] for node in nodes)
    assert right - left >= 0.85 * box["width"]
    assert bottom - top >= 0.85 * box["height"]


AOT = "n=episode:pytorch-developer-podcast/aotautograd"
MARGIN = 2.9  # pixels by which a name is nearer to its own dot than to any other
FACED = (
    *("view=episodes", f"{AOT}&view=episodes", "areas=PyTorch 2&view=episodes"),
    *("q=autograd&view=episodes", "view=timeline", f"{AOT}&to={VMAP}&view=episodes"),
)


@pytest.mark.parametrize("viewport", [*SIZES, (320, 640)], ids=lambda viewport: viewport[0])
def test_no_name_covers_a_dot_or_a_name_and_each_is_its_own_dots(open_page, sample_html, viewport):
    """Its own dot is the nearest to its near edge by a margin, or a line leads from one to the other."""
    for state, zoom in (*((state, 1) for state in FACED), ("view=episodes", 1.6)):
        page = start(open_page, sample_html, state, viewport=viewport)
        page.js(f"map.zoom({zoom})")
        page.settled()
        names, box = page.js("probes.nameBoxes()"), page.page.locator("#map").bounding_box()
        nodes = scene(page)["nodes"]
        dots = {node["id"]: (node["x"] - box["x"], node["y"] - box["y"], node["r"]) for node in nodes}
        assert sum(name != "" for name, *_ in names) >= (2 if "&to=" in state else 3)
        if state == "view=episodes":
            assert any(name == "" for name, *_ in names) or viewport[0] < 500
            for (_, left, top, right, bottom, _), (_, left2, top2, right2, bottom2, _) in itertools.combinations(
                names, 2
            ):
                assert right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
        for name, left, top, right, bottom, led in names:
            far = {
                node: math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) - r
                for node, (x, y, r) in dots.items()
            }
            own, nearest = far.pop(name, None), min(far.values(), default=99)
            if name == "" or zoom != 1:
                assert state != "view=episodes" or nearest >= 0, (state, name)
            elif own < 6:
                assert nearest >= max(own, 0) + MARGIN, (state, name)
            else:
                assert led or own < 12, (state, name)  # the ring round what is chosen takes room
                assert nearest >= 0, (state, name)


@pytest.mark.parametrize("state", [f"{AOT}&view=episodes", "q=autograd&view=episodes"])
def test_a_phone_shows_what_is_lit_alone_and_all_again_after_it(open_page, sample_html, state):
    page = start(open_page, sample_html, state, viewport=(390, 844))
    assert 0 < len(page.shown()) < 83
    assert page.shown() <= page.lit()
    page.page.click("#details .close")
    assert len(page.shown()) == 83


def test_related_begins_above_the_fold(open_page, sample, sample_html):
    page = start(open_page, sample_html, f"n={VMAP}&view=episodes")
    for node in (node for node, kind in sample.nodes(data="kind") if kind == "episode"):
        page.page.evaluate("(key) => { location.hash = `n=${key}&view=episodes`; }", node)
        page.page.wait_for_function("(key) => main_module.page.state().node === key", arg=node)
        assert page.page.evaluate("probes.firstRelated()") < 900, node


def test_a_card_says_why_of_a_line_and_tells_of_an_episode(open_page, sample_html):
    page = start(open_page, sample_html, fresh=True)
    ties = page.js(  # the middles of the strongest lines inside areas; a name or a dot may cover one
        "(() => { const { width, height, x, y, scale } = map.view(); const box = document.querySelector('#map').getBoundingClientRect();"
        " return map.scene.ties.filter(({ from, to }) => graph.nodes[from].hue === graph.nodes[to].hue).slice(-12).map(({ from, to }) => {"
        " const [a, b] = [from, to].map((node) => map.scene.places[node]);"
        " const [mx, my] = [(a.x + b.x) / 2 - 0.045 * (b.y - a.y), (a.y + b.y) / 2 + 0.045 * (b.x - a.x)];"
        " return [box.left + (mx - x) * scale + width / 2, box.top + (my - y) * scale + height / 2, [from, to].map((node) => graph.nodes[node].name)]; }); })()"
    )
    cards = []
    for x, y, names in ties:
        page.page.mouse.move(x, y)
        page.settled()
        page.page.wait_for_timeout(300)
        cards += [card for card in page.page.locator(".card").all_inner_texts() if all(name in card for name in names)]
    assert any("related to" in card for card in cards)
    page.page.mouse.move(*page.spot(VMAP))
    page.page.wait_for_function("() => document.querySelector('.card .title')?.innerText.includes('vmap')")
    assert "2021-06-21" in page.text(".card")


def test_the_title_is_in_view_after_each_of_ten_taps(open_page, sample_html):
    page = start(open_page, sample_html, f"n={VMAP}&view=episodes", viewport=(390, 844), has_touch=True, fresh=True)
    for number in range(10):
        page.page.locator("#details").evaluate("(one) => (one.scrollTop = 9999)")
        link = page.page.locator("#details section a.node").nth(number % 3)
        link.scroll_into_view_if_needed()
        link.tap()
        title, sheet = page.page.locator("#details h2").bounding_box(), page.page.locator("#details").bounding_box()
        assert sheet["y"] <= title["y"] < title["y"] + title["height"] <= 844


def test_sound_is_asked_for_only_after_a_click_and_the_player_covers_no_control(open_page, sample):
    graph = sample.copy()
    for node in [node for node, kind in graph.nodes(data="kind") if kind == "episode"]:
        graph.nodes[node]["audio_url"] = "https://sound.example/a.mp3"
    for viewport in SIZES:
        page = start(open_page, graph, f"n={VMAP}&view=episodes", viewport, fresh=True)
        assert page.requests == []
        with page.page.expect_event("requestfailed", lambda request: "sound.example" in request.url):
            page.page.click("#details header a >> text=Listen")
        page.page.wait_for_selector(".player:visible")
        assert "vmap" in page.text(".player .title")
        assert [request.split("/")[2] for request in page.requests] == ["sound.example"]
        bar = page.page.locator(".player").bounding_box()
        for box in (
            one.bounding_box() for one in page.page.locator(".zoom button:visible, #details.chosen .close").all()
        ):
            beside = box["x"] >= bar["x"] + bar["width"] or box["x"] + box["width"] <= bar["x"]
            assert beside or box["y"] + box["height"] <= bar["y"]
        page.requests.clear()
        page.complaints.clear()  # the network is off


def test_a_list_of_ones_own_is_in_the_address_and_two_are_compared(open_page, sample_html):
    page = start(open_page, sample_html, f"n={VMAP}&view=episodes", fresh=True)
    page.page.click("#details button >> text=My list")
    assert "list=episode:pytorch-developer-podcast/vmap" in page.url()
    page.page.evaluate("location.hash = location.hash + ',episode:pytorch-developer-podcast/batching'")
    page.page.click("#tools button >> text=My list (2)")
    assert page.page.locator("#list li a.node").all_inner_texts() == ["vmap", "Batching"]
    page.page.click("#list button[aria-label='Move Batching up']")
    assert page.page.locator("#list li a.node").all_inner_texts() == ["Batching", "vmap"]
    for box in page.page.locator("#list input").all():
        box.check()
    page.page.click("#list button >> text=Compare two")
    assert "In common" in page.text("#details")
    assert "torch.vmap" in page.text("#details .chips")


def test_the_timeline_has_lanes_by_first_date_and_dots_that_keep_their_size(open_page, sample_html):
    page = start(open_page, sample_html, "view=timeline")
    nodes = scene(page)["nodes"]
    assert len(nodes) == page.js("graph.nodes.filter(({ item }) => item).length") > 83
    assert all(5 <= node["r"] <= 8 for node in nodes)
    assert scene(page)["lines"] == []
    across = {node["id"]: node["x"] for node in nodes}
    dated = page.js(
        "graph.nodes.filter(({ item, date }) => item && date).map(({ key, date }) => [date.slice(0, 10), key])"
    )
    assert [across[node] for _, node in sorted(dated)] == sorted(across[node] for _, node in dated)
    *lanes, _ = page.js(  # the last is of the episodes of no area
        "map.scene.timeline.rows.filter(({ colour }) => colour >= 0).map(({ colour }) => graph.nodes"
        ".filter((node) => node.item && node.hue === colour && node.date).map(({ date }) => date.slice(0, 10)).sort()[0])"
    )
    lanes = [day for day in lanes if day]  # a lane of undated episodes has none
    assert len(lanes) > 5
    assert lanes == sorted(lanes)
    page.to(f"n={VMAP}&view=timeline")
    assert any(line["relation"] == "related" for line in scene(page)["lines"])


def test_a_span_is_brushed_with_the_pointer_and_with_keys(open_page, sample_html):
    page = start(open_page, sample_html, "view=timeline", fresh=True)
    track = page.page.locator(".track").bounding_box()
    y = track["y"] + 8
    page.page.mouse.move(track["x"] + 0.3 * track["width"], y)
    page.page.mouse.down()
    page.page.mouse.move(track["x"] + 0.5 * track["width"], y)
    page.page.mouse.up()
    first, last = page.state()["span"]
    assert "2020-01" < first < last < "2024-01"
    dates = page.js(
        "graph.nodes.filter(({ index, item }) => item && map.scene.shown[index]).map(({ date }) => date.slice(0, 7))"
    )
    assert 0 < len(dates) < 98
    assert all(first <= date <= last for date in dates)
    assert f"span={first},{last}" in page.url()
    slider = page.page.get_by_role("slider", name="Last month shown")
    slider.press("ArrowLeft")
    assert page.state()["span"][1] < last
    assert slider.get_attribute("aria-valuetext") == page.state()["span"][1]
    page.page.click(".brush button >> text=All dates")
    assert page.state()["span"] == []


WHY = dict(read_rows(__file__, "WHY"))


def test_a_hit_says_why_it_was_found_and_all_are_lit(open_page, sample_html):
    for query, (id_, why) in WHY.items():
        page = start(open_page, sample_html, f"q={query}&view=episodes".replace("#", "%23"))
        found = page.page.locator("#details li").all_inner_texts()
        total = int(page.text("#details header .facts").split()[0])
        name = page.js("graph.nodes[graph.byKey.get(argument)].name", id_)
        assert any(name in one and why in one for one in found), found
        assert len(page.lit()) == total
        assert str(total) in page.text("#status")
        nodes = {node["id"]: node["named"] for node in scene(page)["nodes"]}
        assert nodes.keys() >= page.lit()
        assert nodes[id_] or query != "#130935"


def test_the_overview_is_of_what_the_filters_leave(open_page, sample_html):
    page = start(open_page, sample_html, "view=episodes")
    whole = r"83 episodes, \d+ posts and \d+ sources they name, on \d+ topics\."
    assert re.fullmatch(whole, page.text("#details .summary p"))
    assert page.text("#details header p").startswith("Short talks by ")
    assert page.page.locator("#details > section").first.locator("li").count() == 3, "the newest"
    for example in page.page.locator("#details .ways button").all_inner_texts():
        page.page.fill("#search input", example)
        assert page.page.locator("#search [role=option]").count() > 0, example
        page.to("view=episodes")
    page.to("years=2024&view=episodes")
    part = r"(\d+) of 83 episodes, .* and (\d+) of \d+ sources they name, on (\d+) of .*"
    assert min(map(int, re.fullmatch(part, page.text("#details .summary p")).groups())) > 0
    links = "[...document.querySelectorAll('#start a.node')].map((link) => graph.nodes[link.dataset.node].key)"
    assert set(page.js(links)) <= page.shown()


@pytest.mark.parametrize("viewport", [(1400, 900), (390, 844)], ids=["1400", "390"])
def test_what_is_found_stands_in_view_and_is_closed_beside_its_heading(open_page, sample_html, viewport):
    page = start(open_page, sample_html, "q=autograd&view=episodes", viewport=viewport)
    heading = page.page.locator("#details h2").bounding_box()
    close = page.page.locator("#details .close").bounding_box()
    first = page.page.locator("#details .row").first.bounding_box()
    assert abs(close["y"] - heading["y"]) < heading["height"]
    assert first["y"] + first["height"] < viewport[1]
    page.page.click("#details .close")
    assert "q=" not in page.url()
    assert page.page.locator("#details.chosen").count() == 0
