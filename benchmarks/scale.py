"""What parts and their merge cost beside a build in memory.

    python benchmarks/scale.py [FEEDS[,FEEDS …] [EPISODES [WAY …]]]

Makes FEEDS (20) podcasts of EPISODES (200) episodes each, with notes of 3 KB and a vocabulary of 20,000 words, and
builds a SQLite graph of them in each WAY, by commands in processes of their own:

memory    one build in memory, one process
parts     parts by two processes, and the merge
local     parts by two workers of Dask on this machine, and the merge
resumed   parts by two processes where half of the shows are done, and the merge

Printed are processor milliseconds an episode, their ratio to the first way of the first number of FEEDS, the share of
the merge, the peak memory of the largest process, and the numbers of nodes and edges. For ``local``, the bytes that
the calling process sends and receives are printed, too.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from feeds import made

# Runs a command and prints what it and its processes used; sockets count the bytes that pass through them.
CODE = """
import json, resource, socket, sys
moved = [0]
for name in ("recv_into", "send", "sendmsg", "recv"):
    def counted(self, *args, _work=getattr(socket.socket, name)):
        found = _work(self, *args)
        moved[0] += found if isinstance(found, int) else len(found)
        return found
    setattr(socket.socket, name, counted)
from podgraph.output.cli import main
status = main(sys.argv[1:])
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps({"status": status, "cpu": sum(one.ru_utime + one.ru_stime for one in used),
    "own": used[0].ru_utime + used[0].ru_stime,
    "peak": max(one.ru_maxrss for one in used) / 1024, "moved": moved[0]}))
"""


def run(*words: str | Path) -> dict[str, float]:
    """Return what a command used."""
    command = [sys.executable, "-c", CODE, *map(str, words), "--quiet", "--no-progress"]
    found: dict[str, float] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    assert found["status"] == 0, words
    return found


def measured(way: str, shows: Path, scratch: Path) -> tuple[list[dict[str, float]], Path]:
    """Return what each command of a way used, and the graph."""
    graph, parts = scratch / "all.sqlite", scratch / "all.parts"
    if way == "memory":
        return [run("build", shows, "-o", graph, "--jobs", 1)], graph
    more = ["--scheduler", "local"] if way == "local" else []
    build = ["build", shows, "-o", parts, "--jobs", 2, *more]
    if way == "resumed":
        run(*build)
        for number, part in enumerate(sorted((parts / "nodes").iterdir())):
            if number % 2:
                part.unlink()
    return [run(*build), run("merge", parts, "-o", graph)], graph


def main(feeds: str = "20", episodes: str = "200", *ways: str) -> None:
    """Print a line for each number of feeds and each way."""
    os.environ.update(PODGRAPH_MOST_MB="4000", PYTHONPATH=str(Path(__file__).parent.parent))
    first = 0.0
    for count in map(int, feeds.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            shows = Path(folder, "shows")
            shows.mkdir()
            for number in range(count):
                (shows / f"{number:05}.xml").write_bytes(made(int(episodes), f"show{number}"))
            total = count * int(episodes)
            for way in ways or ("memory", "parts", "local", "resumed"):
                scratch = Path(folder, way)
                scratch.mkdir()
                steps, graph = measured(way, shows, scratch)
                each = 1000 * sum(one["cpu"] for one in steps) / total
                first = first or each
                alone = (steps[0]["own"] + steps[1]["cpu"]) / sum(one["cpu"] for one in steps) if steps[1:] else 1.0
                stats = [sys.executable, "-m", "podgraph", "stats", "-g", graph, "--json"]
                sizes = json.loads(subprocess.run(stats, stdout=subprocess.PIPE, check=True).stdout)
                nodes, edges = (sum(sizes[name].values()) for name in ("kinds", "relations"))
                peak = max(one["peak"] for one in steps)
                moved = f", {steps[0]['moved'] / total:.0f} bytes an episode moved" if way == "local" else ""
                print(
                    f"{total:,} episodes, {way:8}{each:6.2f} ms an episode ({each / first:.2f}), one process alone "
                    f"{alone:.2f}, peak {peak:.0f} MB, {nodes:,} nodes, {edges:,} edges{moved}", flush=True,
                )  # fmt: skip
                shutil.rmtree(scratch)


if __name__ == "__main__":
    main(*sys.argv[1:])
