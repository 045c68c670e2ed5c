"""What a build costs beside a naive peer, and how large its files are.

    python benchmarks/pipeline.py [--rounds N] [FEED ...]
    python benchmarks/pipeline.py --scale COUNT FEED ...

Measures some feeds in files, or the snapshot. The peer is feedparser, a regular expression for URLs, and networkx's
node-link JSON.

The first table compares processes, user and system time: ``podgraph build FEED -o podgraph.sqlite -o podgraph.html``
beside ``python`` with the peer; and the sizes of page and SQLite beside the
feed's. The second has the steps of a build in one process, without imports, in multiples of the peer's time there. Each
figure is the least of N rounds (2), in turns.

``--scale`` cuts the feeds into COUNT shows of 20 episodes each, and prints the processor seconds and the largest memory
of one process: for one graph of all, for ``build -o shows/``, for a second run without work, and for the merge.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import feedparser
import networkx as nx

from podgraph.extractors import sample_feed

HERE = Path(__file__).parent
PEER = "import sys, pipeline; open('naive.json', 'w').write(pipeline.build_naively(open(sys.argv[1], 'rb').read()))"
STEPS = "import sys, pipeline; pipeline.print_steps(sys.argv[1])"


def build_naively(data: bytes) -> str:
    """Return the JSON of the peer's graph of a feed."""
    graph = nx.MultiDiGraph()
    for entry in feedparser.parse(io.BytesIO(data)).entries:
        name = entry.get("id") or entry.get("link")
        graph.add_node(name, kind="episode", title=entry.get("title", ""))
        notes = entry.content[0].value if "content" in entry else entry.get("summary", "")
        for url in set(re.findall(r"https?://[^\s\"'<>]+", notes)):
            graph.add_edge(name, url, "cites")
    return json.dumps(nx.node_link_data(graph, edges="edges"))


def processor_seconds(*words: str) -> float:
    """Return the user and system time of a Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def steps(feed: Path, folder: Path) -> dict[str, float]:
    """Build page and SQLite of a feed in this process; return the processor seconds of each step, and of all."""
    from podgraph import extractors, graph
    from podgraph.graph import enrich
    from podgraph.output import formats, pipeline

    took: dict[str, float] = {}
    inside: list[float] = []

    def timed(name, work):
        def run(*args, **options):
            begin = time.process_time()
            inside.append(0.0)
            found = work(*args, **options)
            found = list(found) if name in ("related", "check") else found
            spent = time.process_time() - begin
            took[name] = spent - inside.pop()
            if inside:
                inside[-1] += spent
            return found

        return run

    parts = {
        "parse": (extractors, "map_feed"),
        "extract": (extractors, "extract"),
        "look up": (extractors, "look_up"),
        "build": (graph, "build_graph"),
        "enrich": (graph, "enrich_graph"),
        "related": (enrich, "find_related"),
        "place": (graph, "add_places"),
        "check": (graph, "check"),
    }
    begin = time.process_time()
    with ExitStack() as stack:
        for name, (module, function) in parts.items():
            stack.enter_context(patch.object(module, function, timed(name, getattr(module, function))))
        rows = formats.Rows(pipeline.build([str(feed)], jobs=1).graph)
    for name in ("sqlite", "html"):
        timed(name, formats.write_graph)(rows, folder / f"steps.{name}", force=True)
    all_ = time.process_time() - begin
    return {**took, "rest": all_ - sum(took.values()), "all": all_}


def print_steps(feed: str) -> None:
    """Print the seconds of the peer and of each step as JSON, after a build that imports what they need."""
    folder = Path.cwd()
    gc.disable()  # as the command does
    steps(Path(feed), folder)
    begin = time.process_time()
    build_naively(Path(feed).read_bytes())
    naive = time.process_time() - begin
    print(json.dumps({"naive": naive, **steps(Path(feed), folder)}))


def measure(feed: Path, rounds: int) -> tuple[dict[str, float], dict[str, float]]:
    """Return the row of a feed in each of the two tables."""
    seconds: dict[str, float] = {}
    inside: dict[str, float] = {}
    page, graph = Path("podgraph.html"), Path("podgraph.sqlite")
    build = ("-m", "podgraph", "build", str(feed), "-o", str(graph), "-o", str(page), "-q")
    for _ in range(rounds):
        graph.unlink(missing_ok=True)  # an earlier graph would be read for its places
        for name, words in (("naive", ("-c", PEER, str(feed))), ("whole", build)):
            seconds[name] = min(seconds.get(name, math.inf), processor_seconds(*words))
        found = subprocess.run([sys.executable, "-c", STEPS, str(feed)], check=True, stdout=subprocess.PIPE).stdout
        for name, spent in json.loads(found).items():
            inside[name] = min(inside.get(name, math.inf), spent)
    size = feed.stat().st_size
    row = {
        "MB": size / 1e6,
        "naive s": seconds["naive"],
        "whole / naive": seconds["whole"] / seconds["naive"],
        "page / feed": page.stat().st_size / size,
        "SQLite / feed": graph.stat().st_size / size,
    }
    return row, {name: spent / inside["naive"] for name, spent in inside.items() if name != "naive"}


def scale(shows: list[Path], count: int) -> dict[str, dict[str, float]]:
    """Return the row of each step with ``count`` shows of 20 episodes, cut from the feeds."""
    items = [item for show in shows for item in re.findall(rb"<item\b.*?</item>", show.read_bytes(), re.DOTALL)]
    heads = {head for show in shows for head in re.findall(rb"<rss[^>]*>", show.read_bytes())}
    feed = b"%s<channel><title>Show %d</title><link>https://show%d.example</link>%s</channel></rss>"
    for number in range(count):
        some = b"".join(items[(20 * number + at) % len(items)] for at in range(20))
        Path(f"{number}.xml").write_bytes(feed % (max(heads, key=len), number, number, some))
    Path("list.txt").write_text("\n".join(f"{number}.xml" for number in range(count)), "utf-8")
    joint = "from podgraph.output import pipeline; pipeline.build(['list.txt'], jobs=1, has_places=False)"
    build = ["-m", "podgraph", "build", "list.txt", "-o", "shows/", "--jobs", "2", "-q"]
    rows = {"one graph in memory": measure_process("-c", joint)}
    rows["build -o shows/ --jobs 2"] = measure_process(*build)
    rows["again, unchanged"] = measure_process(*build)
    graphs = map(str, sorted(Path("shows").glob("*.sqlite")))
    rows["merge"] = measure_process("-m", "podgraph", "merge", *graphs, "-o", "all.sqlite", "-q")
    return rows


def measure_process(*words: str) -> dict[str, float]:
    """Return the processor seconds of a Python process and its children, and the largest memory of one of them."""
    process = subprocess.Popen([sys.executable, *words])
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(words)[:80]} failed")
    return {"CPU s": used.ru_utime + used.ru_stime, "MB": used.ru_maxrss / 1000}


def table(rows: dict[str, dict[str, float]]) -> str:
    """Return rows by name as a table in Markdown, with their mean."""
    names = list(next(iter(rows.values())))
    if len(rows) > 1:
        rows = {**rows, "mean": {name: sum(row[name] for row in rows.values()) / len(rows) for name in names}}
    head = ["show", *names]
    body = [[show, *(f"{row[name]:.2f}" for name in names)] for show, row in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *body))


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=2, metavar="N")
    parser.add_argument("--scale", type=int, metavar="COUNT")
    parser.add_argument("feeds", type=Path, nargs="*", metavar="FEED")
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode
    os.environ["PYTHONPATH"] = os.pathsep.join((str(HERE), str(HERE.parent)))
    feeds = [feed.resolve() for feed in arguments.feeds]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if arguments.scale:
            print(table(scale(feeds, arguments.scale)))
            return
        if not feeds:
            feeds = [Path(folder, "snapshot.xml")]
            feeds[0].write_bytes(sample_feed())
        rows = {feed.stem: measure(feed, arguments.rounds) for feed in feeds}
    print(table({show: row for show, (row, _) in rows.items()}))
    print()
    print(table({show: row for show, (_, row) in rows.items()}))


if __name__ == "__main__":
    main()
