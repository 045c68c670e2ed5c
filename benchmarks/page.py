"""The page against pyvis's default page of the same graph: size, time to build, to first paint, and to pan.

    python benchmarks/page.py            the table for 400 and 10 000 nodes
    python benchmarks/page.py 400        one size
    python benchmarks/page.py 50000      ours alone: pyvis is not asked to

Both pages are opened by the same Chromium, with the network off. First paint is the first frame in which the
canvas holds anything, counted from the start of the navigation; a pan step is a redraw with the canvas read back.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import networkx
from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from graph import place  # noqa: E402
from output.page import to_html  # noqa: E402
from tests.browser.synthetic_graph import synthetic_graph  # noqa: E402
from tests.get_browser import find_chromium  # noqa: E402

SIZES = {400: (83, 250, 60), 1500: (330, 1000, 140), 10_000: (2500, 7000, 460), 50_000: (12_000, 35_400, 1900)}
PATIENCE = 300.0  # seconds that pyvis's page gets to paint

WATCH = """
window.painted = 0;
const wait = () => {
  for (const canvas of document.querySelectorAll("canvas")) {
    if (!canvas.width || !canvas.height || canvas.className === "overlay") continue;
    const sample = document.createElement("canvas");
    [sample.width, sample.height] = [64, 64];
    const context = sample.getContext("2d");
    context.drawImage(canvas, 0, 0, 64, 64);
    if (context.getImageData(0, 0, 64, 64).data.some((value, i) => i % 4 === 3 && value > 0)) {
      window.painted = performance.now();
      return;
    }
  }
  requestAnimationFrame(wait);
};
requestAnimationFrame(wait);
"""
PAN = """(network) => {
  const canvas = document.querySelector("canvas");
  const read = () => canvas.getContext("2d").getImageData(0, 0, 1, 1);
  const times = [];
  for (let step = -20; step < 30; step++) {  // the first ones warm up
    const { x, y } = network.getViewPosition();
    const begin = performance.now();
    network.moveTo({ position: { x: x + 3, y: y + 2 }, animation: false });
    network.redraw();
    read();
    if (step >= 0) times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  return times[15];
}"""


def seconds(task, repeat: int) -> tuple[float, object]:
    """Return the median time of a task over so many runs, and its result."""
    times, result = [], None
    for _ in range(repeat):
        begin = time.perf_counter()
        result = task()
        times.append(time.perf_counter() - begin)
    return statistics.median(times), result


def pyvis_page(graph: networkx.MultiDiGraph) -> str:
    """Return pyvis's page of a graph, nothing set but that the page holds vis-network (its others need the network)."""
    from pyvis.network import Network

    network = Network(cdn_resources="in_line")
    network.from_nx(graph)
    return network.generate_html()


def plain(graph: networkx.MultiDiGraph) -> networkx.MultiDiGraph:
    """Return a graph of labels only, as pyvis's own examples have it."""
    copy = networkx.MultiDiGraph()
    copy.add_nodes_from((node, {"label": data["label"]}) for node, data in graph.nodes(data=True))
    copy.add_edges_from((u, v, key) for u, v, key in graph.edges(keys=True))
    return copy


def paint(browser, path: Path, patience: float, network: str) -> tuple[float, float]:
    """Return seconds to first paint and milliseconds of a pan step (infinite when it did not come)."""
    context = browser.new_context(viewport={"width": 1400, "height": 900}, offline=True)
    page = context.new_page()
    page.set_default_timeout(patience * 1000)
    page.add_init_script(WATCH)
    try:
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_function("() => window.painted", polling=50)
        painted = page.evaluate("window.painted") / 1000
        page.wait_for_function(f"() => {{ try {{ return {network}; }} catch {{ return false; }} }}", polling=100)
        step = page.evaluate(f"({PAN})({network})")
    except Late:
        painted = step = float("inf")
    context.close()
    return painted, step


def compare(browser, size: int, folder: Path) -> None:
    """Print a size's figures."""
    graph = synthetic_graph(*SIZES[size])
    layout, positions = seconds(lambda: place(graph), 1)
    for node, (x, y) in positions.items():
        graph.nodes[node].update(x=x, y=y)
    to_html(synthetic_graph(3, 3, 3))  # imports and the template, once
    ours, html = seconds(lambda: to_html(graph), 15 if size <= 1500 else 1)
    path = folder / f"ours{size}.html"
    path.write_text(html, encoding="utf-8", newline="\n")
    mine = [paint(browser, path, PATIENCE, "main_module.page.map().network") for _ in range(5 if size <= 1500 else 1)]
    first, pan = statistics.median(a for a, _ in mine), statistics.median(b for _, b in mine)
    print(f"\n{len(graph):,} nodes, {graph.number_of_edges():,} edges; layout {layout:.2f} s")
    if size > 10_000:
        print(f"ours   file {len(html) / 1e6:.2f} MB  build {ours:.2f} s  first paint {first:.2f} s  pan {pan:.1f} ms")
        return
    copy = plain(graph)
    theirs, default = seconds(lambda: pyvis_page(copy.copy()), 15 if size <= 1500 else 1)
    other = folder / f"pyvis{size}.html"
    other.write_text(default, encoding="utf-8")
    first2, pan2 = paint(browser, other, PATIENCE, "network")
    print(f"{'':14}{'pyvis':>12}{'ours':>12}{'ratio':>10}{'limit':>8}")
    limits = (0.75, 0.2 if size <= 1500 else 0.05, 0.02, 0.25)
    rows = (
        ("file, KB", len(default.encode()) / 1000, len(html.encode()) / 1000),
        ("build, s", theirs, ours),
        ("first paint, s", first2, first),
        ("pan step, ms", pan2, pan),
    )
    for (name, peer, own), limit in zip(rows, limits, strict=True):
        ratio = own / peer if peer != float("inf") else 0.0
        print(f"{name:14}{peer:>12.3f}{own:>12.3f}{ratio:>10.4f}{limit:>8}")


def main(sizes: list[int]) -> None:
    """Measure the sizes asked for."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        for size in sizes:
            compare(browser, size, folder)
        browser.close()


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [400, 10_000])
