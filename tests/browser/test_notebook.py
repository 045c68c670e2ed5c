"""The page in a cell of a notebook: in a frame, whole, and it stays there."""

from podgraph.output.library import Page
from podgraph.output.page.page import to_html


def test_the_page_works_in_a_frame(chromium, sample, tmp_path):
    cell = Page(to_html(sample))._repr_html_()
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset=utf-8><title>notebook</title>{cell}", "utf-8")
    with chromium.new_context(offline=True) as context:
        page = context.new_page()
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(notebook.as_uri())
        shown = page.frame_locator("iframe")
        shown.locator("#tools button:visible").first.wait_for()
        (frame,) = page.main_frame.child_frames
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
        assert (page.url, complaints) == (notebook.as_uri(), [])
