"""For everyone: by keyboard alone, with a screen reader, in both themes, on a small screen, on paper."""

import importlib.util
from pathlib import Path

import pytest

from podgraph.output.page.host import compute_contrast

PULL = "github:pytorch/pytorch#130935"
EPISODE = "episode:pytorch-developer-podcast/compiler-collectives"
VMAP = "episode:pytorch-developer-podcast/vmap"
STATES = (
    *("", f"n={PULL}", f"n={EPISODE}&to={VMAP}", "view=timeline&span=2021-03,2021-09", "years=2021", "unheard=1"),
    *(f"n={VMAP}", f"list={VMAP},{EPISODE}&view=episodes", "q=dispatcher&view=episodes", f"n={EPISODE}"),
)


def focused(page):
    return page.page.evaluate(
        "[document.activeElement.id, document.activeElement.tagName, document.activeElement.textContent.slice(0, 40)]"
    )


def tab_to(page, selector, most=60):
    """Press Tab until an element has the focus."""
    for _ in range(most):
        if page.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


@pytest.mark.everywhere
def test_job_one_by_keyboard_alone(open_page, sample_html):
    page = open_page(sample_html)
    keyboard = page.page.keyboard
    keyboard.press("/")
    keyboard.type("130935")
    keyboard.press("ArrowDown")
    assert page.page.get_attribute("#search input", "aria-activedescendant") == "search-hits-0"
    keyboard.press("Enter")
    assert page.state()["node"] == PULL
    cited_by = page.page.locator("#details section", has_text="Cited by episodes")
    assert "Compiler collectives" in cited_by.inner_text()
    assert "https://github.com/pytorch/pytorch/pull/130935" in cited_by.locator("mark").all_inner_texts()
    assert "pytorch/pytorch#130935, pull request, " in page.page.text_content("#live")


def test_job_two_by_keyboard_alone(open_page, synthetic, synthetic_html):
    page = open_page(synthetic_html)
    tab_to(page, "#map")
    keyboard = page.page.keyboard
    keyboard.press("ArrowDown")
    first = page.js("map.scene.cursor")
    assert first >= 0
    keyboard.press("ArrowLeft")
    second = page.js("map.scene.cursor")
    assert second != first
    assert page.js("map.scene.places[argument[1]].x < map.scene.places[argument[0]].x", [first, second])
    name = page.js("graph.nodes[argument].name", second)
    assert page.page.text_content("#live").startswith(f"{name}, ")
    keyboard.press("Enter")
    assert page.state()["node"] == page.js("graph.nodes[argument].key", second)
    assert focused(page)[1] == "H2"
    page.page.focus("#map")
    keyboard.press("Escape")
    assert page.state()["node"] == ""
    keyboard.press("Tab")
    assert focused(page)[0] != "map"
    scale = page.js("map.view().scale")
    page.page.click("button[aria-label='Zoom in']")
    assert page.js("map.view().scale") == pytest.approx(1.4 * scale), "without motion, which was asked for"


def test_the_search_box_is_a_combobox(open_page, sample_html):
    page = open_page(sample_html)
    box = page.page.get_by_role("combobox", name="Search episodes, PRs, files, topics, notes")
    assert box.get_attribute("aria-expanded") == "false"
    box.fill("torch")
    assert box.get_attribute("aria-expanded") == "true"
    options = page.page.locator("#search [role=option]")
    assert 2 <= options.count() <= 12
    box.press("ArrowUp")
    assert options.nth(options.count() - 1).get_attribute("aria-selected") == "true"
    box.press("Escape")
    assert box.get_attribute("aria-expanded") == "false"
    assert box.input_value() == "torch"
    box.press("Escape")
    assert box.input_value() == ""


@pytest.mark.everywhere
def test_the_skip_link_leads_to_the_text_version(open_page, sample_html):
    page = open_page(sample_html, fresh=True)
    page.page.keyboard.press("Tab")
    assert focused(page)[2] == "Skip to the text version"
    page.page.keyboard.press("Enter")
    assert page.page.locator("#text li").first.is_visible()
    assert page.state()["node"] == ""


def axe(page):
    folder = Path(importlib.util.find_spec("axe_playwright_python").origin).parent
    if not page.page.evaluate("'axe' in window"):
        page.page.evaluate((folder / "axe.min.js").read_text("utf-8"))
    found = page.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [(one["id"], node["target"], node["failureSummary"]) for one in found["violations"] for node in one["nodes"]]


PHONES = [(390, 844), (320, 640), (844, 390)]
VIEWED = ("view=episodes", f"n={VMAP}&view=episodes", "q=autograd&view=episodes", "view=timeline")
SMALL = "(but) => probes.smallControls(but)"


@pytest.mark.parametrize("state", VIEWED)
@pytest.mark.parametrize("viewport", PHONES, ids=["390", "320", "lying"])
def test_on_a_phone_all_is_big_enough_and_nothing_is_cut(open_page, sample_html, viewport, state):
    page = open_page(sample_html, state, viewport=viewport, has_touch=True)
    assert page.page.evaluate(SMALL, "#text, dialog, .brush, #filters") == []
    assert page.page.evaluate("document.documentElement.scrollWidth") <= viewport[0]
    assert page.page.evaluate("probes.cutTexts()") == []
    if "n=" in state and viewport[0] < 600:
        title, sheet = (page.page.locator(one).bounding_box() for one in ("#details h2", "#details"))
        assert 300 <= sheet["y"] <= title["y"] < sheet["y"] + 80
        assert page.spot(VMAP)[1] < sheet["y"]
    inset, height = page.js("[map.scene.inset, map.view().height]")
    assert all(label["top"] + label["height"] <= height - inset for label in page.js("map.labels()"))


@pytest.mark.parametrize("viewport", PHONES[:2], ids=["390", "320"])
def test_a_phone_starts_with_three_ways_in_and_switches_between_map_and_list(open_page, sample_html, viewport):
    page = open_page(sample_html, "view=episodes", viewport=viewport, fresh=True)
    sentence = page.page.locator("#details header p").first.bounding_box()
    stage = page.page.locator("#stage").bounding_box()
    assert stage["y"] + stage["height"] <= sentence["y"]
    ways = page.page.locator("#details .ways button:visible")
    assert ways.all_inner_texts() == ["who cites torch.compile", "a way into ATen", "ATen and Autograd"]
    first = ways.first.bounding_box()
    assert sentence["y"] < first["y"] < viewport[1] - 20
    page.page.click(".views button >> text=List")
    assert not page.page.is_visible("#stage")
    rows = page.page.locator("#details section", has_text="All 83 episodes").locator(".row")
    assert rows.count() == 83
    rows.nth(0).locator("a.node").click()
    assert page.page.locator("#details h2").is_visible()
    page.page.click(".views button >> text=Episodes")
    assert page.page.is_visible("#stage")


@pytest.mark.parametrize(("scheme", "viewport"), [("light", (1400, 900)), ("dark", (1400, 900)), ("dark", (390, 844))])
def test_axe_finds_nothing(open_page, sample_html, scheme, viewport):
    page = open_page(sample_html, f"n={EPISODE}&view=episodes", fresh=True, color_scheme=scheme, viewport=viewport)
    page.page.click("#details .hear")
    # On a phone axe takes a link of a list that is scrolled out of view for a skip link.
    found = {state: axe(page.to(state)) for state in STATES if viewport[0] > 600 or "q=" not in state}
    if viewport[0] < 600:
        assert page.page.evaluate(SMALL, "#text, dialog, .brush") == []
    page.page.fill("#search input", "tensor")
    found["search"] = axe(page)
    page.to("")
    page.page.evaluate("for (const one of document.querySelectorAll('#filters details, #text')) one.open = true")
    found["unfolded"] = axe(page)
    page.page.click("#tools button >> text=About")
    found["about"] = axe(page)
    assert {state: problems for state, problems in found.items() if problems} == {}


@pytest.mark.parametrize(("scheme", "blue"), [("dark", "#127cb8"), ("light", "#3955a1")])
def test_the_theme_follows_the_system_can_be_switched_and_is_remembered(open_page, synthetic_html, scheme, blue):
    page = open_page(synthetic_html, color_scheme=scheme, fresh=True)
    palette = page.js("map.scene.palette")
    assert palette["families"]["episode"] == blue
    for colour in (*palette["families"].values(), palette["accent"], palette["edge"]):
        assert compute_contrast(colour, palette["ground"]) >= 3.2, "the colours of the map stand out from its ground"
    switch = page.page.locator("#tools button[aria-label^='Switch']")
    other = "light" if scheme == "dark" else "dark"
    assert switch.inner_text() == other.capitalize()
    switch.click()
    assert switch.inner_text() == scheme.capitalize()
    assert page.js("map.scene.palette.ground") != palette["ground"]
    page.page.reload()
    page.page.wait_for_function("() => window.podgraph?.ready")
    assert page.page.evaluate("document.documentElement.dataset.theme") == other
    page.page.click("#tools button[aria-label^='Switch']")
    page.page.emulate_media(color_scheme=other)
    assert page.js("map.scene.palette.ground") == palette["ground"]


MAP_PRINT = dict.fromkeys(("h1", ".printed", "#filters", "#text li"), True) | dict.fromkeys(
    ("#map", "#details", "#tools"), False
)
ROUTE_PRINT = {".printed": True, ".route li": True, ".route button": False, "#text li": False}


@pytest.mark.parametrize(("html", "state", "parts"), [
    ("synthetic_html", "", MAP_PRINT), ("sample_html", "route=autograd&view=episodes", ROUTE_PRINT),
])  # fmt: skip
def test_printing_shows_the_picture_the_legend_and_the_text_or_the_route(open_page, request, html, state, parts):
    page = open_page(request.getfixturevalue(html), state, color_scheme="dark", fresh=True)
    page.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.page.emulate_media(media="print")
    assert page.js("map.scene.palette.families.episode") == "#3955a1"
    for selector, visible in parts.items():
        assert page.page.locator(selector).first.is_visible() is visible, selector
    families = page.js("map.scene.palette.families")
    colours = [families[family] for family in ("episode", "topic", "code", "reading")]
    counts = page.page.evaluate("(colours) => probes.countColours('.printed', colours)", colours)
    assert state or min(counts.values()) > 300
    page.page.emulate_media(media="screen")
    page.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.page.locator(".printed").count() == 0
    assert page.js("map.scene.palette.families.episode") == "#127cb8"
    assert not page.page.locator("#text li").first.is_visible()
    assert page.page.pdf().startswith(b"%PDF")


def test_two_fingers_zoom(open_page, synthetic_html):
    page = open_page(synthetic_html, viewport=(390, 844), has_touch=True)
    before = page.js("map.view().scale")
    box = page.page.locator("#map").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    fingers = page.page.context.new_cdp_session(page.page)
    for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 90), ("touchMove", 120), ("touchEnd", 0)):
        points = [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}] if apart else []
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.settled()
    assert page.js("map.view().scale") > 1.5 * before
    assert page.state()["node"] == ""
