"""How much several processes shorten a build of many feeds, and that the graph stays the same.

    python benchmarks/scale.py [FEEDS [EPISODES]]

Makes FEEDS (20) podcasts of EPISODES (200) episodes each, notes of two to eight paragraphs, and builds them with 1, 2
and 3 processes, each in a process of its own and in turns, three times. Printed are the shortest wall time, its ratio
to that of one process, processor seconds of all processes together, the peak memory of the largest, and the digest of
the graph as JSON, which has to be one. "read" is parse and extract, which the processes share, "all" a whole build
without a map.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from pipeline import made

ROUNDS, JOBS = 3, (1, 2, 3)
CODE = """
import gc, hashlib, json, resource, sys, time
from podgraph.extractors import extract
from podgraph.output import pipeline
from podgraph.output.formats.node_link import to_json
jobs, *sources = int(sys.argv[1]), *sys.argv[2:]
took = []
def timed(*args, **options):
    took.append(time.perf_counter() - begin)
    found = extract(*args, **options)
    took.append(time.perf_counter() - begin)
    return found
pipeline.extract = timed
begin = time.perf_counter()
graph = pipeline.build(sources, jobs=jobs, mapped=False).graph
whole = time.perf_counter() - begin
own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(json.dumps({
    "read": took[1], "all": whole, "cpu": own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime,
    "peak": max(own.ru_maxrss, others.ru_maxrss) / 1024, "nodes": len(graph),
    "digest": hashlib.md5(to_json(graph).encode()).hexdigest(),
}))
"""


def main(feeds=20, episodes=200):
    """Print a line for each number of processes; status 1 where the graphs differ."""
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    with tempfile.TemporaryDirectory() as folder:
        sources = []
        for number in range(feeds):
            sources.append(str(Path(folder, f"{number}.xml")))
            Path(sources[-1]).write_bytes(made(episodes, f"show{number}"))
        found = {jobs: [] for jobs in JOBS}
        for _ in range(ROUNDS):
            for jobs in JOBS:
                words = [sys.executable, "-c", CODE, str(jobs), *sources]
                found[jobs].append(json.loads(subprocess.run(words, capture_output=True, check=True).stdout))
    print(f"{feeds} feeds of {episodes} episodes, {os.cpu_count()} processors")
    first = found[1]
    for jobs, results in found.items():
        best = {name: min(one[name] for one in results) for name in ("read", "all", "cpu", "peak")}
        shares = "  ".join(
            f"{name} {best[name]:6.1f} s ({best[name] / min(one[name] for one in first):.2f})"
            for name in ("read", "all")
        )
        digests = "/".join(sorted({one["digest"] for one in results}))
        print(f"  --jobs {jobs}: {shares}  processors {best['cpu']:6.1f} s  peak {best['peak']:5.0f} MB  {digests}")
    return len({one["digest"] for results in found.values() for one in results}) > 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
