"""Make the pictures of README and documentation from the snapshot's page: ``python docs/screenshots.py``."""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from podgraph.output.page.page import to_html  # noqa: E402 - the path above first
from podgraph.output.pipeline import snapshot_graph  # noqa: E402 - see above
from tests.get_browser import find_browser  # noqa: E402 - see above

WIDE, SHOWN = (1400, 900), (1280, 800)
EPISODE = "n=episode:pytorch-developer-podcast/aotautograd"
COLOURS = 256  # in a tree of all, which keeps each area's own; by the median, two areas became one
PULL = "n=github:pytorch/pytorch#130935"
PICTURES = {
    "overview": (SHOWN, "light", ""),
    "episode": (SHOWN, "light", EPISODE),
    "timeline": (WIDE, "dark", "view=timeline"),
}
# The walk of the README, an animated picture: what each step shows, for how many milliseconds.
WALK = (
    ("", 2200),
    (EPISODE, 2600),
    (f"{EPISODE}&only=1", 2200),
    ("q=autograd", 2400),
    (PULL, 2400),
    ("view=timeline", 2400),
)


def main() -> None:
    """Write the pictures where README and documentation look for them."""
    target = ROOT / "output" / "screenshots"
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        page_file = Path(name) / "page.html"
        page_file.write_text(to_html(snapshot_graph()), encoding="utf-8", newline="\n")
        browser = playwright.chromium.launch(
            executable_path=find_browser("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for picture, shown in PICTURES.items():
            image = screenshot(browser, page_file, *shown)
            image = image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
            image.save(target / f"{picture}.png", optimize=True)
        steps = [screenshot(browser, page_file, SHOWN, "light", state) for state, _ in WALK]
        steps[0].save(
            target / "walk.webp", save_all=True, append_images=steps[1:], duration=[time for _, time in WALK], loop=0,
            quality=70, method=6,
        )  # fmt: skip
        browser.close()


def screenshot(browser: Browser, page_file: Path, size: tuple[int, int], scheme: str, state: str) -> Image.Image:
    """Return what a window of a size shows of the page in a state of its address."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, offline=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{page_file.as_uri()}#{state}" if state else page_file.as_uri())
    page.wait_for_function("() => document.querySelector('#tools button')")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    context.close()
    return image


if __name__ == "__main__":
    main()
