"""The page's figures: the file, the layout, and the page against a tuned page of pyvis of the same graph.

    python benchmarks/page.py                        file and layout, then the table for 400 nodes
    python benchmarks/page.py 10000 --patience 60    another size; pyvis's page gets a minute to paint
    python benchmarks/page.py 50000                  ours alone
    python benchmarks/page.py --former PAGE.html     processor time until search takes keys, against another page

Tuned means that pyvis gets our positions, draws straight lines, and computes no layout. Both pages are opened by the
same Chromium, with the network off. First paint is the first frame in which the
canvas holds anything, counted from the start of the navigation; a pan step is a redraw with the canvas read back.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from math import hypot
from pathlib import Path

import numpy as np
from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import sync_playwright
from scipy.spatial import cKDTree

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from podgraph.graph import Graph, add_places  # noqa: E402
from podgraph.graph.layout.place import neighbours, radius  # noqa: E402
from podgraph.output.page.page import to_html  # noqa: E402
from podgraph.output.pipeline import snapshot_graph  # noqa: E402
from tests.browser.synthetic_graph import synthetic_graph  # noqa: E402
from tests.get_browser import find_browser  # noqa: E402
from tests.graph.layout.test_layout import has_overlaps, map_of  # noqa: E402

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
TYPE = """
new MutationObserver(() => {
  const field = document.querySelector("#search input");
  if (field && !window.typed) {
    window.typed = field.value = "v";
    field.focus();
    field.dispatchEvent(new Event("input"));
  }
  const found = [...document.querySelectorAll("#search [role=option]")];
  if (!found.length || window.early) return;
  performance.mark("found");
  window.early = found.map((one) => one.innerText);
}).observe(document, { childList: true, subtree: true });
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


def figures() -> None:
    """Print what the file and the layout come to, each beside its limit."""
    sample = snapshot_graph()
    html = to_html(sample)
    graph = synthetic_graph()
    took, positions = seconds(lambda: map_of(graph), 3)
    grown = synthetic_graph()
    grown.add_node("episode:synthetic/new", kind="episode", label="New")
    for topic in ("topic:tensor-1", "topic:cache-8", "topic:dispatcher-0"):
        grown.add_edge("episode:synthetic/new", topic, key="about")
    after = map_of(grown, positions)
    width = max(x for x, _ in positions.values()) - min(x for x, _ in positions.values())
    moved = statistics.median(hypot(after[node][0] - x, after[node][1] - y) for node, (x, y) in positions.items())
    placed = {node: (data["x"], data["y"]) for node, data in sample.nodes(data=True)}
    rows = (
        ("page of the snapshot, KB", f"{len(html.encode()) / 1000:.0f}", "620"),
        ("bytes that differ in a second build", f"{int(to_html(snapshot_graph()) != html)}", "0"),
        ("overlapping nodes, snapshot", f"{int(has_overlaps(sample, placed))}", "0"),
        (f"overlapping nodes, {len(graph)} nodes", f"{int(has_overlaps(graph, positions))}", "0"),
        ("a new episode moves the median node, % of width", f"{100 * moved / width:.1f}", "5"),
        (f"layout of {len(graph)} nodes, s", f"{took:.2f}", "1"),
    )
    for size in (2000, 10_000):
        graph = synthetic_graph(*SIZES[size])
        begin = time.process_time()
        places = map_of(graph)
        took = time.process_time() - begin
        share, near, over = quality(graph, places)
        rows += (
            (f"layout of {size:,} nodes, s of processor", f"{took:.2f}", ""),
            ("  length of a line, of the distance at random", f"{share:.3f}", "0.5"),
            ("  of the five nearest, those that it is tied to", f"{near:.3f}", "0.2"),
            ("  overlapping nodes", f"{over}", "0"),
        )
    print(f"{'':50}{'ours':>10}{'limit':>8}")
    for name, value, limit in rows:
        print(f"{name:50}{value:>10}{limit:>8}")


def quality(graph: Graph, places: dict[str, tuple[float, float]]) -> tuple[float, float, int]:
    """Return how long lines are, of the distance of two nodes at random; the share of each node's five nearest that it
    is tied to; and how many pairs of nodes overlap."""
    links = neighbours(graph, graph)
    rank = {node: index for index, node in enumerate(places)}
    spots, sizes = np.array([*places.values()]), np.array([radius(len(links[node])) for node in places])
    lines = np.array([(rank[one], rank[other]) for one in places for other in links[one] if rank[one] < rank[other]])
    draw = np.random.default_rng(0).permutation(len(spots))
    far = np.hypot(*(spots - spots[draw]).T).mean()
    tree = cKDTree(spots)
    _, nearest = tree.query(spots, k=6)
    names = list(places)
    tied = [names[other] in links[names[row[0]]] for row in nearest for other in row[1:]]
    close = tree.query_pairs(2 * sizes.max(), output_type="ndarray")
    apart = np.hypot(*(spots[close[:, 0]] - spots[close[:, 1]]).T)
    over = int((apart < sizes[close].sum(axis=1)).sum())
    return np.hypot(*(spots[lines[:, 0]] - spots[lines[:, 1]]).T).mean() / far, sum(tied) / len(tied), over


def usable(browser, path: Path) -> float:
    """Return the median seconds that the page's thread works, at a quarter of the speed, until a letter finds things.

    The letter is typed as soon as there is a field, and what it finds must be what the finished page finds.
    """
    times = []
    for _ in range(5):
        context = browser.new_context(viewport={"width": 1400, "height": 900}, offline=True)
        page = context.new_page()
        page.add_init_script(TYPE)
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing"])
        page.goto(path.as_uri(), wait_until="commit")
        page.locator("#map canvas").first.wait_for(timeout=60_000)
        page.wait_for_function("() => window.early", timeout=60_000)
        for text in ("", "v"):
            page.locator("#search input").fill(text, timeout=60_000)
        if (found := page.locator("#search [role=option]").all_inner_texts()) != page.evaluate("early"):
            raise SystemExit(f"{path}: an early key finds other things than a late one, {found}")
        events = json.loads(browser.stop_tracing())["traceEvents"]
        end = next(event for event in events if event["name"] == "found")
        tasks = [event for event in events if event["name"].endswith("RunTask") and event["tid"] == end["tid"]]
        done = [task for task in tasks if task["pid"] == end["pid"] and task["ts"] <= end["ts"] and "tdur" in task]
        times.append(sum(min(task["tdur"], end["tts"] - task["tts"]) for task in done) / 1e6)
        context.close()
    return statistics.median(times)


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
    limit = {400: 0.6, 2000: 0.4, 10_000: 0.3}.get(size, 0.6)
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
    parser.add_argument("--former", type=Path, metavar="PAGE", help="the snapshot's page by another edition")
    arguments = parser.parse_args()
    if not arguments.sizes and not arguments.former:
        figures()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=find_browser("chromium"), args=flags)
        if arguments.former:
            path = Path(name) / "snapshot.html"
            path.write_text(to_html(snapshot_graph()), encoding="utf-8", newline="\n")
            own, former = usable(browser, path), usable(browser, arguments.former)
            print(f"search takes keys after {own:.2f} s of work, {own / former:.2f} of {former:.2f} s (limit 0.5)")
        for size in arguments.sizes or ([] if arguments.former else [400]):
            compare(browser, size, Path(name), arguments.patience)
        browser.close()


if __name__ == "__main__":
    main()
