"""Pictures of the sample's page for the README and for a look: ``python tests/browser/screenshots.py FOLDER``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from output.page import to_html
from output.pipeline import snapshot_graph
from tests.get_browser import find_chromium

WIDE, TALL = (1400, 900), (390, 844)
EPISODE = "n=episode:pytorch-developer-podcast/aotautograd"
PICTURES = {
    "overview": (WIDE, "light", ""),
    "overview-dark": (WIDE, "dark", ""),
    "selected": (WIDE, "light", EPISODE),
    "selected-dark": (WIDE, "dark", EPISODE),
    "filtered": (WIDE, "light", "years=2022"),
    "timeline": (WIDE, "light", "view=timeline"),
    "timeline-dark": (WIDE, "dark", "view=timeline"),
    "small": (TALL, "light", ""),
    "small-selected-dark": (TALL, "dark", EPISODE),
}


def main(folder: Path) -> None:
    """Write every picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        page_file = Path(name) / "page.html"
        page_file.write_text(to_html(snapshot_graph()), encoding="utf-8", newline="\n")
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        for picture, ((width, height), scheme, state) in PICTURES.items():
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, offline=True, reduced_motion="reduce"
            )
            page = context.new_page()
            page.goto(f"{page_file.as_uri()}#{state}" if state else page_file.as_uri())
            page.wait_for_function("() => document.querySelector('#tools button')")
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            page.screenshot(path=folder / f"{picture}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
