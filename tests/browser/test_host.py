"""The page on somebody's site: with its host's colour and logo, and in a frame of another page."""

import contextlib

import pytest

from podgraph.output.library import Page
from podgraph.output.page.page import to_html
from tests.browser.conftest import READY

LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30" fill="#0a66c2"/>'
    "<script>parent.ran = top.ran = window.ran = 1</script></svg>"
)


def test_a_logo_is_shown_and_runs_nothing(open_page, synthetic, tmp_path):
    path = tmp_path / "logo.svg"
    path.write_text(LOGO)
    page = open_page(to_html(synthetic, logo=str(path), accent="#0a66c2"), fresh=True).page
    logo = page.locator("img.logo")
    assert (logo.evaluate("(one) => one.naturalWidth"), logo.bounding_box()["height"]) == (60, 30)
    assert page.evaluate("window.ran") is None
    chosen = page.locator(".views [aria-pressed=true]")
    assert chosen.evaluate("(one) => getComputedStyle(one).color") == "rgb(10, 102, 194)"


@contextlib.contextmanager
def open_quietly(chromium, path):
    """Open a page that has one frame: the page, and the frame. Neither may complain."""
    with chromium.new_context(offline=True, viewport={"width": 1400, "height": 900}) as context:
        page, complaints = context.new_page(), []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(path.as_uri())
        (frame,) = page.main_frame.child_frames
        yield page, frame
        assert complaints == []


@pytest.mark.parametrize("width", [320, 800, 1200])
@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts allow-popups"'])
def test_it_stands_in_a_frame_of_another_page(chromium, synthetic_html, tmp_path, width, sandbox):
    (tmp_path / "page.html").write_text(synthetic_html, "utf-8")
    outer = tmp_path / "outer.html"
    outer.write_text(f'<!doctype html><iframe {sandbox} src="page.html?embed" width="{width}" height="420"></iframe>')
    with open_quietly(chromium, outer) as (_, frame):
        frame.wait_for_function(READY)
        for hidden in ("#filters", "#details", "#text", ".skip"):
            assert not frame.locator(hidden).is_visible()
        scene = frame.evaluate("podgraph.scene()")
        assert scene["nodes"]
        assert frame.evaluate(
            "document.documentElement.scrollHeight <= innerHeight && document.body.scrollWidth <= innerWidth"
        )
        field = frame.locator("#search [role=combobox]")
        field.fill("a")
        field.press("Enter")
        chosen = frame.evaluate("location.hash")
        assert chosen.startswith("#n=")
        whole = frame.locator("a.whole")
        whole.hover()
        assert whole.get_attribute("href") == f"{(tmp_path / 'page.html').as_uri()}{chosen}"
        assert whole.get_attribute("target") == "_blank"


def test_it_works_in_a_cell_of_a_notebook(chromium, sample, tmp_path):
    cell = Page(to_html(sample))._repr_html_()
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset=utf-8><title>notebook</title>{cell}", "utf-8")
    with open_quietly(chromium, notebook) as (page, frame):
        shown = page.frame_locator("iframe")
        shown.locator("#tools button:visible").first.wait_for()
        search = shown.locator("[role=combobox]").first
        search.fill("vmap")
        shown.locator("[role=option]").first.wait_for()
        search.press("ArrowDown")
        search.press("Enter")
        assert frame.evaluate("location.href").startswith("about:srcdoc#n=")
        shown.locator("a.node:visible").first.click()
        before = frame.evaluate("location.href")
        frame.evaluate("document.querySelector('a.skip').click()")
        assert frame.evaluate("location.href") == "about:srcdoc#text" != before
        assert page.url == notebook.as_uri()
