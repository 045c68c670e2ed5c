"""The page against a tuned page of pyvis of the same graph.

    python benchmarks/page.py                        400 nodes
    python benchmarks/page.py 10000 --patience 60    another size; pyvis's page gets a minute to paint
    python benchmarks/page.py 50000                  ours alone

Tuned means that pyvis gets our positions, draws straight lines, and computes no layout. Both pages are opened by the
same Chromium, with the network off. First paint is the first frame in which the
canvas holds anything, counted from the start of the navigation; a pan step is a redraw with the canvas read back.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from podgraph.graph import Graph, add_places  # noqa: E402
from podgraph.output.page.page import to_html  # noqa: E402
from tests.browser.synthetic_graph import synthetic_graph  # noqa: E402
from tests.get_browser import find_browser  # noqa: E402

SIZES = {
    400: (83, 250, 60),
    2000: (440, 1350, 190),
    1500: (330, 1000, 140),
    10_000: (2500, 7000, 460),
    50_000: (12_000, 35_400, 1900),
}

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
  const contexts = [...document.querySelectorAll("canvas")].map((canvas) => canvas.getContext("2d"));
  const read = () => contexts.forEach((context) => context.getImageData(0, 0, 1, 1));
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
    """Return the median processor time of a task over so many runs, and its result."""
    times, result = [], None
    for _ in range(repeat):
        begin = time.process_time()
        result = task()
        times.append(time.process_time() - begin)
    return statistics.median(times), result


def tuned_page(graph: Graph) -> str:
    """Return pyvis's page of a graph with the positions of ``place``, which draws as little as it can."""
    from pyvis.network import Network

    network = Network(cdn_resources="in_line")
    network.nodes = [
        {"id": node, "label": data["label"], "shape": "dot", "size": 5, "x": data["x"], "y": data["y"]}
        for node, data in graph.nodes(data=True)
    ]
    network.edges = [{"from": u, "to": v} for u, v in graph.edges()]
    still = {"physics": {"enabled": False}, "layout": {"improvedLayout": False}, "edges": {"smooth": False}}
    network.options = {**still, "interaction": {"hideEdgesOnDrag": True, "hideEdgesOnZoom": True}}
    return network.generate_html()


def paint(browser, path: Path, patience: float, network: str) -> tuple[float, float]:
    """Return seconds to first paint and milliseconds of a pan step (infinite when it did not come).

    A page that is still laying its graph out when patience ends is stopped, shown whole, and panned as it stands.
    """
    context = browser.new_context(viewport={"width": 1400, "height": 900}, offline=True)
    page = context.new_page()
    page.set_default_timeout(patience * 1000)
    page.add_init_script(WATCH)
    try:
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_function("() => window.painted", polling=50)
        painted = page.evaluate("window.painted") / 1000
    except Late:
        painted = float("inf")
    try:
        page.wait_for_function(f"() => {{ try {{ return {network}; }} catch {{ return false; }} }}", polling=100)
        if painted == float("inf"):
            page.evaluate(f"{network}.stopSimulation(), {network}.fit({{ animation: false }})")
        step = page.evaluate(f"({PAN})({network})")
    except Late:
        step = float("inf")
    context.close()
    return painted, step


def compare(browser, size: int, folder: Path, patience: float) -> None:
    """Print a size's figures."""
    graph = synthetic_graph(*SIZES[size])
    layout, _ = seconds(lambda: add_places(graph), 1)  # a page is built of a graph that has its places
    to_html(synthetic_graph(3, 3, 3))  # imports and the template, once
    ours, html = seconds(lambda: to_html(graph), 15 if size <= 1500 else 1)
    path = folder / f"ours{size}.html"
    path.write_text(html, encoding="utf-8", newline="\n")
    rounds = 5 if size <= 2000 else 3
    mine = [paint(browser, path, patience, "main_module.page.map().network") for _ in range(rounds)]
    first, pan = statistics.median(a for a, _ in mine), statistics.median(b for _, b in mine)
    print(f"\n{len(graph):,} nodes, {graph.number_of_edges():,} edges; layout {layout:.2f} s")
    if size > 10_000:
        print(f"ours   file {len(html) / 1e6:.2f} MB  build {ours:.2f} s  first paint {first:.2f} s  pan {pan:.1f} ms")
        return
    theirs, tuned = seconds(lambda: tuned_page(graph), 3)
    other = folder / f"pyvis{size}.html"
    other.write_text(tuned, encoding="utf-8")
    peer = [paint(browser, other, patience, "network") for _ in range(rounds)]
    first2, pan2 = statistics.median(a for a, _ in peer), statistics.median(b for _, b in peer)
    print(f"{'':14}{'pyvis':>12}{'ours':>12}{'ratio':>10}{'limit':>8}")
    limit = {400: 0.5, 2000: 0.4, 10_000: 0.2}.get(size, 0.5)
    limits = ("", "", limit, limit)
    rows = (
        ("file, KB", len(tuned.encode()) / 1000, len(html.encode()) / 1000),
        ("build, s", theirs, ours),
        ("first paint, s", first2, first),
        ("pan step, ms", pan2, pan),
    )
    for (name, peer, own), limit in zip(rows, limits, strict=True):
        late = peer == float("inf")
        theirs = f"> {patience:.0f}" if late else f"{peer:.3f}"
        ratio = (f"< {own / patience:.4f}" if name.startswith("first") else "") if late else f"{own / peer:.4f}"
        print(f"{name:14}{theirs:>12}{own:>12.3f}{ratio:>10}{limit:>8}")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", type=int, metavar="NODES", help=", ".join(map(str, SIZES)))
    parser.add_argument("--patience", type=float, default=90.0, help="seconds a page gets to paint (90)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=find_browser("chromium"), args=flags)
        for size in arguments.sizes or [400]:
            compare(browser, size, Path(name), arguments.patience)
        browser.close()


if __name__ == "__main__":
    main()
