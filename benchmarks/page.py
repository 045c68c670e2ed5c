"""The page's figures: the file and the layout, and the page against pyvis's default page of the same graph.

    python benchmarks/page.py                        file and layout, then the table for 400 nodes
    python benchmarks/page.py 10000 --patience 60    another size; pyvis's page gets a minute to paint
    python benchmarks/page.py 50000                  ours alone: pyvis is not asked to

Both pages are opened by the same Chromium, with the network off. First paint is the first frame in which the
canvas holds anything, counted from the start of the navigation; a pan step is a redraw with the canvas read back.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from math import hypot
from pathlib import Path

import networkx
from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from podgraph.graph import place  # noqa: E402
from podgraph.output.page.page import to_html  # noqa: E402
from podgraph.output.pipeline import snapshot_graph  # noqa: E402
from tests.browser.synthetic_graph import synthetic_graph  # noqa: E402
from tests.get_browser import find_chromium  # noqa: E402
from tests.graph.map.test_layout import crossings, overlapping  # noqa: E402

SIZES = {400: (83, 250, 60), 1500: (330, 1000, 140), 10_000: (2500, 7000, 460), 50_000: (12_000, 35_400, 1900)}

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
    """Return the median processor time of a task over so many runs, and its result."""
    times, result = [], None
    for _ in range(repeat):
        begin = time.process_time()
        result = task()
        times.append(time.process_time() - begin)
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


def figures() -> None:
    """Print what the file and the layout come to, each beside its limit."""
    sample = snapshot_graph()
    html = to_html(sample)
    graph = synthetic_graph()
    took, positions = seconds(lambda: place(graph), 3)
    sparse = synthetic_graph(topics=140, related=False)
    grown = synthetic_graph()
    grown.add_node("episode:synthetic/new", kind="episode", label="New")
    for topic in ("topic:tensor-1", "topic:cache-8", "topic:dispatcher-0"):
        grown.add_edge("episode:synthetic/new", topic, key="about")
    after = place(grown, positions)
    width = max(x for x, _ in positions.values()) - min(x for x, _ in positions.values())
    moved = statistics.median(hypot(after[node][0] - x, after[node][1] - y) for node, (x, y) in positions.items())
    placed = {node: (data["x"], data["y"]) for node, data in sample.nodes(data=True)}
    spring = {node: tuple(xy) for node, xy in networkx.spring_layout(networkx.Graph(sparse), seed=1).items()}
    rows = (
        ("page of the snapshot, KB", f"{len(html.encode()) / 1000:.0f}", "650"),
        ("bytes that differ in a second build", f"{int(to_html(snapshot_graph()) != html)}", "0"),
        ("overlapping nodes, snapshot", f"{len(overlapping(sample, placed))}", "0"),
        (f"overlapping nodes, {len(graph)} nodes", f"{len(overlapping(graph, positions))}", "0"),
        (f"crossings, {len(sparse)} nodes", f"{crossings(sparse, place(sparse))}", "700"),
        ("  the same by networkx's spring layout", f"{crossings(sparse, spring)}", ""),
        ("a new episode moves the median node, % of width", f"{100 * moved / width:.1f}", "5"),
        (f"layout of {len(graph)} nodes, s", f"{took:.2f}", "1"),
    )
    print(f"{'':50}{'ours':>10}{'limit':>8}")
    for name, value, limit in rows:
        print(f"{name:50}{value:>10}{limit:>8}")


def compare(browser, size: int, folder: Path, patience: float) -> None:
    """Print a size's figures."""
    graph = synthetic_graph(*SIZES[size])
    layout, positions = seconds(lambda: place(graph), 1)
    for node, (x, y) in positions.items():
        graph.nodes[node].update(x=x, y=y)
    to_html(synthetic_graph(3, 3, 3))  # imports and the template, once
    ours, html = seconds(lambda: to_html(graph), 15 if size <= 1500 else 1)
    path = folder / f"ours{size}.html"
    path.write_text(html, encoding="utf-8", newline="\n")
    mine = [paint(browser, path, patience, "main_module.page.map().network") for _ in range(5 if size <= 1500 else 1)]
    first, pan = statistics.median(a for a, _ in mine), statistics.median(b for _, b in mine)
    print(f"\n{len(graph):,} nodes, {graph.number_of_edges():,} edges; layout {layout:.2f} s")
    if size > 10_000:
        print(f"ours   file {len(html) / 1e6:.2f} MB  build {ours:.2f} s  first paint {first:.2f} s  pan {pan:.1f} ms")
        return
    copy = plain(graph)
    theirs, default = seconds(lambda: pyvis_page(copy.copy()), 15 if size <= 1500 else 1)
    other = folder / f"pyvis{size}.html"
    other.write_text(default, encoding="utf-8")
    first2, pan2 = paint(browser, other, patience, "network")
    print(f"{'':14}{'pyvis':>12}{'ours':>12}{'ratio':>10}{'limit':>8}")
    limits = (0.75, 0.2 if size <= 1500 else 0.05, 0.02, 0.25)
    rows = (
        ("file, KB", len(default.encode()) / 1000, len(html.encode()) / 1000),
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
    parser.add_argument("--patience", type=float, default=300.0, help="seconds a page gets to paint (300)")
    arguments = parser.parse_args()
    if not arguments.sizes:
        figures()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        for size in arguments.sizes or [400]:
            compare(browser, size, Path(name), arguments.patience)
        browser.close()


if __name__ == "__main__":
    main()
