"""A page of ours in a real browser, opened from its file, with the network off: Chromium, and Firefox where marked so."""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from podgraph.graph import lay_out
from podgraph.output.page.page import to_html
from tests.browser.synthetic_graph import synthetic_graph
from tests.get_browser import NAMES, find_browser

FLAGS = """--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync
    --no-first-run --force-color-profile=srgb""".split()
PROBES = Path(__file__).with_name("probes.js").read_text("utf-8")
# Runs before the page's own script: what the page's security policy forbids is an error of the test.
WATCH = (
    f"{PROBES}\naddEventListener('securitypolicyviolation', (event) => "
    "console.error('forbidden: ' + event.violatedDirective));"
)
READY = "() => document.querySelector('#tools button') && document.querySelector('#status').textContent"


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


def pytest_generate_tests(metafunc):
    """A test marked ``everywhere`` runs in each browser."""
    if metafunc.definition.get_closest_marker("everywhere"):
        metafunc.parametrize("browser_name", NAMES)


@pytest.fixture
def browser_name():
    return "chromium"


@pytest.fixture(scope="session")
def browsers():
    """Return a function that gives a browser by its name, started when first asked for."""
    with sync_playwright() as playwright:

        @functools.cache
        def started(name):
            path = find_browser(name)
            if path is None:
                message = f"no {name}, so the page was not tested in it: python tests/get_browser.py"
                if os.environ.get("CI"):
                    pytest.fail(message)
                pytest.skip(message)
            if name == "firefox":  # the system's, as it is
                return playwright.firefox.launch(executable_path=path, channel="moz-firefox")
            return playwright.chromium.launch(executable_path=path, args=FLAGS)

        yield started


@pytest.fixture(scope="session")
def chromium(browsers):
    return browsers("chromium")


@dataclass(eq=False)
class Opened:
    """A page that is open, what it complained of, and what it asked the network for."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @staticmethod
    def _full(state: str) -> str:
        """Return a state; one that names no view is one of the whole map."""
        return state if "view=" in state else f"{state}&view=everything".lstrip("&")

    def go(self, state: str = "") -> Opened:
        """Open the page in a state, as a deep link does."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#{self._full(state)}")
        self.page.wait_for_function(READY)
        return self

    def to(self, state: str = "") -> Opened:
        """Bring the open page from whatever state into another, as following a link does."""
        self.page.mouse.move(0, 0)
        self.page.evaluate("probes.reset()")
        self.page.evaluate("(state) => window.visit(state)", self._full(state))
        return self

    def note(self, request) -> None:
        """Note a request that leaves the page."""
        if not request.url.startswith((self.address, "about:", "blob:", "data:")):
            self.requests.append(request.url)

    def js(self, expression: str, argument: Any = None) -> Any:
        """Evaluate an expression, in which ``map`` is the page's map and ``graph`` its graph."""
        opening = "(argument) => { const { graph } = main_module.page; const map = main_module.page.map();"
        return self.page.evaluate(f"{opening} return {expression}; }}", argument)

    def url(self) -> str:
        return self.page.evaluate("location.href")

    def state(self) -> dict[str, Any]:
        return self.js("main_module.page.state()")

    def shown(self) -> set[str]:
        """Return the ids of the nodes on the map."""
        return set(self.js("graph.nodes.filter(({ index }) => map.scene.shown[index]).map(({ key }) => key)"))

    def lit(self) -> set[str]:
        return set(self.js("[...(map.scene.lit?.nodes ?? [])].map((node) => graph.nodes[node].key)"))

    def spot(self, node: str) -> tuple[float, float]:
        """Return where a node is in the window."""
        return self.js(
            "(() => { const { x, y, scale, width, height } = map.view(); const place = map.scene.places[graph.byKey.get(argument)];"
            " const box = document.querySelector('#map').getBoundingClientRect();"
            " return [box.left + (place.x - x) * scale + width / 2, box.top + (place.y - y) * scale + height / 2]; })()",
            node,
        )

    def settled(self) -> Opened:
        """Wait for the next two frames, after which what was asked for is painted."""
        self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
        )
        return self

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)


class Desk:
    """Opens pages, and keeps those that tests may share: going to a state costs a twentieth of loading."""

    def __init__(self, browser, folder) -> None:
        self.browser, self.folder, self.files = browser, folder, 0
        self.kept: dict[object, Opened] = {}
        self.used: list[Opened] = []

    def open(self, graph_or_html, state: str = "", *, viewport=(1400, 900), ready=True, fresh=False, **options):
        """Open the page of a graph in a state; ``fresh`` for a test that is about loading, or leaves traces."""
        html = graph_or_html if isinstance(graph_or_html, str) else to_html(graph_or_html)
        name = (html, viewport, *sorted(options.items()))
        if ready and not fresh and name in self.kept:
            one = self.kept[name].to(state)
        else:
            one = self._load(html, viewport, options)
            if ready:
                one.go(state)
            else:
                one.page.goto(f"{one.address}#{state}" if state else one.address)
            if ready and not fresh:
                self.kept[name] = one
        self.used.append(one)
        return one

    def _load(self, html: str, viewport, options) -> Opened:
        self.files += 1
        path = self.folder / f"page{self.files}.html"
        path.write_text(html, encoding="utf-8", newline="\n")
        context = self.browser.new_context(
            viewport={"width": viewport[0], "height": viewport[1]},
            offline=True,
            **{"reduced_motion": "reduce", **options},
        )
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(WATCH)
        one = Opened(page, path.as_uri())
        page.on("console", lambda m: m.type in ("error", "warning") and one.complaints.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda error: one.complaints.append(f"{error}"))
        page.on("request", one.note)
        return one

    def clear(self, *, everything: bool) -> None:
        """Close what no other test may use."""
        if everything:
            self.kept.clear()
        for one in self.used:
            if one not in self.kept.values():
                one.page.context.close()
        self.used.clear()


@pytest.fixture(scope="session")
def desks(browsers, tmp_path_factory):
    return functools.cache(lambda name: Desk(browsers(name), tmp_path_factory.mktemp("pages")))


@pytest.fixture
def open_page(desks, browser_name, request):
    """Return a function that opens a graph's page; whatever page it opened must have kept quiet and offline."""
    desk = desks(browser_name)
    failed = request.session.testsfailed
    yield desk.open
    used = list(desk.used)
    complaints = [(one.complaints[:], one.requests[:]) for one in used]
    for one in used:
        one.complaints.clear()
        one.requests.clear()
    desk.clear(everything=request.session.testsfailed > failed or any(map(any, complaints)))
    assert complaints == [([], [])] * len(used)


def placed(graph):
    """Give every node its position on the whole map, as a build does."""
    for node, at in lay_out(graph).items():
        graph.nodes[node].update(x=at["x"], y=at["y"])
    return graph


@pytest.fixture(scope="session")
def synthetic():
    """A graph of 83 episodes, 250 artifacts and 60 topics."""
    return placed(synthetic_graph())


@pytest.fixture(scope="session")
def synthetic_html(synthetic):
    return to_html(synthetic)


@pytest.fixture(scope="session")
def sample_html(sample):
    return to_html(sample)
