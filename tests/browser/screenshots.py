"""Pictures of the snapshot's page.

python tests/browser/screenshots.py FOLDER     all of them, for a look
python tests/browser/screenshots.py            the README's, small, into output/screenshots
"""

from __future__ import annotations

import base64
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from podgraph.output.page.page import to_html  # noqa: E402 - the path above first
from podgraph.output.pipeline import snapshot_graph  # noqa: E402 - see above
from tests.get_browser import find_chromium  # noqa: E402 - see above

WIDE, TALL, SHOWN = (1400, 900), (390, 844), (1200, 780)
EPISODE = "n=episode:pytorch-developer-podcast/aotautograd"
COLOURS = 80
PULL = "n=github:pytorch/pytorch#130935"
README = {
    "overview": (SHOWN, "light", ""),
    "episode": (SHOWN, "light", EPISODE),
    "timeline": (WIDE, "dark", "view=timeline"),
}
PICTURES = {
    "overview": (WIDE, "light", ""),
    "episode": (WIDE, "light", EPISODE),
    "overview-dark": (WIDE, "dark", ""),
    "episode-dark": (WIDE, "dark", EPISODE),
    "pull": (WIDE, "light", PULL),
    "filtered": (WIDE, "light", "years=2022"),
    "focused": (WIDE, "light", f"{EPISODE}&depth=2&only=1"),
    "path": (WIDE, "light", f"{EPISODE}&to=episode:pytorch-developer-podcast/vmap"),
    "everything": (WIDE, "light", "detail=all"),
    "timeline": (WIDE, "light", "view=timeline"),
    "timeline-dark": (WIDE, "dark", "view=timeline"),
    "small": (TALL, "light", ""),
    "small-episode-dark": (TALL, "dark", EPISODE),
    "small-timeline": (TALL, "light", "view=timeline"),
}
PIXELS = """async (png) => {
  const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const part = (from) => String.fromCharCode(...data.subarray(from, from + 32768));
  let text = "";
  for (let from = 0; from < data.length; from += 32768) text += part(from);
  return [bitmap.width, bitmap.height, btoa(text)];
}"""


def main(folder: Path | None) -> None:
    """Write the pictures into a folder, or those of the README where it looks for them."""
    pictures, target = (PICTURES, folder) if folder else (README, ROOT / "output" / "screenshots")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        page_file = Path(name) / "page.html"
        page_file.write_text(to_html(snapshot_graph()), encoding="utf-8", newline="\n")
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        plain = browser.new_page()
        for picture, ((width, height), scheme, state) in pictures.items():
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, offline=True, reduced_motion="reduce"
            )
            page = context.new_page()
            page.goto(f"{page_file.as_uri()}#{state}" if state else page_file.as_uri())
            page.wait_for_function("() => document.querySelector('#tools button')")
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            png = page.screenshot()
            (target / f"{picture}.png").write_bytes(png if folder else in_few_colours(plain, png))
            context.close()
        browser.close()


def in_few_colours(page: Page, png: bytes) -> bytes:
    """Return a PNG with a palette of its most frequent colours, each other colour by the nearest of them."""
    width, height, text = page.evaluate(PIXELS, base64.b64encode(png).decode())
    pixels = numpy.frombuffer(base64.b64decode(text), numpy.uint8).reshape(-1, 4)[:, :3]
    colours, place, counts = numpy.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    palette = colours[numpy.argsort(-counts, kind="stable")[:COLOURS]]
    distance = ((colours[:, None, :].astype(int) - palette[None, :, :].astype(int)) ** 2).sum(axis=2)
    rows = distance.argmin(axis=1).astype(numpy.uint8)[place.reshape(-1)].reshape(height, width)
    lines = numpy.hstack([numpy.zeros((height, 1), numpy.uint8), rows]).tobytes()  # each line after filter 0

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits, by palette
    parts = (chunk(b"IHDR", head), chunk(b"PLTE", palette.tobytes()), chunk(b"IDAT", zlib.compress(lines, 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
