"""The page on somebody's site: with its host's colour and logo, and in a frame of another page."""

import pytest

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


@pytest.mark.parametrize("width", [320, 800, 1200])
@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts allow-popups"'])
def test_it_stands_in_a_frame_of_another_page(chromium, synthetic_html, tmp_path, width, sandbox):
    (tmp_path / "page.html").write_text(synthetic_html, "utf-8")
    outer = tmp_path / "outer.html"
    outer.write_text(f'<!doctype html><iframe {sandbox} src="page.html?embed" width="{width}" height="420"></iframe>')
    with chromium.new_context(offline=True, viewport={"width": 1400, "height": 900}) as context:
        page = context.new_page()
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(outer.as_uri())
        (frame,) = page.main_frame.child_frames
        frame.wait_for_function(READY)
        for hidden in ("#filters", "#details", "#text", ".skip", ".menu"):
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
        assert complaints == []
