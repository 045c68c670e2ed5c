"""Time and memory of every format, beside networkx's own writer where it has one.

    python benchmarks/formats.py [--nodes 100000] [--edges 300000] [FORMAT …]

Each format is written in a process of its own that starts with the graph in memory, so its peak counts the
graph too. Reads it back where we can. Times are of the
processor. Leaves with 1 when a format takes more than 3 times networkx's time, or any needs more than 1 GB.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

import networkx

from podgraph.output.formats import FORMATS, read_graph, write_graph

MOST_TIMES = 3
MOST_MB = 1024
WORDS = ("tensor", "stride", "autograd", "engine", "kernel", "guard", "cache", "graph", "fusion", "stream", "vmap")
KINDS = ("pull", "issue", "file", "docs", "blog", "forum", "paper", "symbol", "topic", "web")


def make(nodes, edges, seed=7):
    """Return a graph of the contract's shape: a tenth episodes with notes, the rest what they cite."""
    rng = random.Random(seed)
    graph = networkx.MultiDiGraph(schema=1, generator="podgraph 0", sources=[{"source": "made up", "kind": "feed"}])
    episodes = nodes // 10
    for i in range(episodes):
        notes = " ".join(rng.choices(WORDS, k=90))
        graph.add_node(
            f"episode:p/{i}", kind="episode", label=f"Episode {i}", title=f"Episode {i}: “{rng.choice(WORDS)}” & more",
            date=f"20{10 + i % 15}-0{1 + i % 9}-1{i % 10}T10:00:00+00:00", duration=600 + i % 3000, number=i,
            url=f"https://p.example/{i}", guid=f"g{i}", podcast="podcast:p", summary=notes, x=rng.random(), y=1.5,
        )  # fmt: skip
    things = []
    for i in range(nodes - episodes):
        kind = KINDS[i % len(KINDS)]
        things.append(node := f"{kind}:example.org/{rng.choice(WORDS)}/{i}")
        graph.add_node(
            node, kind=kind, label=f"{kind} {i}", url=f"https://example.org/{i}", x=rng.random(), y=rng.random()
        )
    while (missing := edges - graph.number_of_edges()) > 0:
        for _ in range(missing):
            source, target = f"episode:p/{rng.randrange(episodes)}", rng.choice(things)
            start = rng.randrange(400)
            evidence = {
                "field": "notes", "start": start, "end": start + 12, "quote": "a quote here", "method": "url",
                "extractor": "github", "confidence": 1.0, "url": graph.nodes[target]["url"],
            }  # fmt: skip
            graph.add_edge(source, target, "cites", weight=1, evidence=[evidence])
    return graph


def scalars(graph):
    """Return a copy that networkx's writers accept: nested values as text."""
    plain = networkx.MultiDiGraph()
    for node, attrs in graph.nodes(data=True):
        plain.add_node(node, **attrs)
    for source, target, key, attrs in graph.edges(keys=True, data=True):
        plain.add_edge(source, target, key, **(attrs | {"evidence": json.dumps(attrs["evidence"])}))
    return plain


def dump(data, path):
    Path(path).write_text(json.dumps(data), "utf-8")


PEERS = {
    "json": (False, lambda graph, path: dump(networkx.node_link_data(graph, edges="edges"), path)),
    "cyjs": (False, lambda graph, path: dump(networkx.cytoscape_data(graph), path)),
    "graphml": (True, networkx.write_graphml),
    "gexf": (True, networkx.write_gexf),
}


def measured(work):
    """Run ``work`` in a forked process and return (seconds, peak in MB, error)."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        started = time.process_time()
        try:
            work()
            said = ""
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        os.write(theirs, json.dumps([time.process_time() - started, peak, said[:200]]).encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as answer:
        text = answer.read()
    os.waitpid(pid, 0)
    return json.loads(text) if text else [0.0, 0.0, "the process was killed"]


def bytes_of(folder):
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", metavar="FORMAT")
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=300_000)
    options = parser.parse_args()
    graph = make(options.nodes, options.edges)
    gc.collect()
    gc.freeze()  # so that forked processes share it
    print(f"{len(graph)} nodes, {graph.number_of_edges()} edges; the graph itself {measured(lambda: None)[1]:.0f} MB")
    heads = ("write s", "peak MB", "file MB", "read s", "nx s", "nx MB")
    print(f"{'format':10} {' '.join(f'{head:>8}' for head in heads)} {'ratio':>6}")
    bad = 0
    for item in FORMATS:
        if item.name == "html" or (options.formats and item.name not in options.formats):
            continue  # the page has a benchmark of its own, and refuses such sizes
        folder = Path(tempfile.mkdtemp(prefix="podgraph-benchmark-"))
        try:
            path = folder / f"graph{item.suffixes[0]}"
            seconds, peak, error = measured(lambda path=path: write_graph(graph, path))
            size = bytes_of(folder) / 1e6
            read = measured(lambda path=path: read_graph(path))[0] if item.read and not error else None
            row = f"{item.name:10} {seconds:8.1f} {peak:8.0f} {size:8.1f} {read or 0:8.1f}"
            if item.name in PEERS:
                flat, write = PEERS[item.name]
                given = scalars(graph) if flat else graph
                other, room, failed = measured(lambda: write(given, folder / "peer"))  # noqa: B023 - run at once
                del given
                ratio = seconds / other
                row += f" {other:8.1f} {room:8.0f} {ratio:6.2f} {failed}"
                bad += ratio > MOST_TIMES
            bad += peak > MOST_MB or bool(error)
            print(row, error, flush=True)
        finally:
            shutil.rmtree(folder)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
