"""What a question and a small build cost: processor time of the whole fresh process, in multiples of `python -c pass`.

    python benchmarks/startup.py [RUNS] [EPISODES]

Asks the built-in snapshot, its JSON and its SQLite, then a made graph of EPISODES (4,000; about four
nodes for each) as both: something that is found by its id, something that is not there, a part of a title, words, an
order, a path, a list, the figures. The
builds are of the snapshot, as if for the first time, with the map that ships and with one that is laid out. Each figure
is the median of RUNS (15) processes, user and system time; bare Python runs in between, so that a busy machine slows
both. A big graph takes a while to make: 250,000 episodes, a million nodes, about a quarter of an hour, and its JSON is
then left out.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from podgraph.output.formats import write_graph
from podgraph.output.pipeline import snapshot_graph
from tests.browser import synthetic_graph as made

SNAPSHOT = {
    "cites": ("cites", "130935"),
    "show": ("show", "vmap"),
    "list": ("list", "pulls"),
    "search": ("search", "dispatcher"),
    "where": ("where", "torch.vmap"),
    "not there": ("cites", "987654"),
}
BUILDS = {
    "build, JSON": ("build", "sample --fresh-layout -o built.json"),
    "and a map": ("build", "sample --fresh-layout -o built.json --with-boilerplate"),
    "and a page": ("build", "sample --fresh-layout"),
}
MADE = {
    "by its id": ("cites", "topic:vmap-28"),
    "not there": ("show", "nothing of that name"),
    "its number": ("show", "1234"),
    "part of a title": ("show", "777: "),
    "rare word": ("search", "kernel_1305"),
    "frequent word": ("search", "dispatcher -n 5"),
    "frequent words": ("search", "dispatcher tensor -n 5"),
    "order": ("order", "dispatcher"),
    "path": ("path", "2 7 -q"),
    "list": ("list", "pulls -n 5"),
    "figures": ("stats", "-n 5"),
    "file not there": ("cites", "src/nothing/here.py"),
}
MOST_JSON = 20_000  # episodes of a graph that is also asked as JSON


def cost(words):
    """Return the seconds of processor time that a process takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Neither what it finds nor that there is nothing is of interest here.
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tell(path, questions, runs):
    """Print the ratio of each question to a graph in a file; without one, to the built-in snapshot."""
    print(f"{path.name} ({path.stat().st_size / 1e6:.1f} MB)" if path else "no file")
    graph = ["-g", str(path)] if path else []
    for name, (command, text) in questions.items():
        words = ["-m", "podgraph", command, *(text.split() if " -" in text else [text]), "-q", *graph]
        cost(words)
        pairs = [(cost(["-c", "pass"]), cost(words)) for _ in range(runs)]
        bare, whole = (statistics.median(times) for times in zip(*pairs, strict=True))
        print(f"  {name:16} {whole / bare:6.2f}   {1000 * whole:7.1f} ms   podgraph {command} {text!r}", flush=True)


def main(runs=15, episodes=4000):
    """Print all ratios."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    made.timedelta = lambda days: timedelta(days=days % 5000)  # years stay below 10,000
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PODGRAPH_CACHE_DIR"] = folder
        os.chdir(folder)
        tell(None, {**SNAPSHOT, **BUILDS}, runs)
        for suffix in ("json", "sqlite"):
            path = Path(folder, f"snapshot.{suffix}")
            write_graph(snapshot_graph(), path)
            tell(path, SNAPSHOT, runs)
        graph = made.synthetic_graph(episodes, 3 * episodes, 200, related=False)
        for suffix in ("sqlite", "json")[: 1 + (episodes <= MOST_JSON)]:
            path = Path(folder, f"made.{suffix}")
            write_graph(graph, path)
            tell(path, MADE, runs)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
