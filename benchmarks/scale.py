"""How much several processes, or workers of Dask, shorten a build of many feeds, and that the graph stays the same.

    python benchmarks/scale.py [FEEDS [EPISODES [ROUNDS [WAY …]]]]

Makes FEEDS (20) podcasts of EPISODES (200) episodes each, notes of two to eight paragraphs, and builds them in each
WAY (1, 2, 3: so many processes; local: Dask's workers, two processes), each in a process of its own and in turns,
ROUNDS (3) times. Printed are the shortest wall time, its ratio to that of the first way, processor seconds of all
processes together, the peak memory of this process and of the largest other, and the digest of the graph as JSON, which
has to be one. "read" is parse and extract, which the processes share (Dask's are started in it), "all" a whole build
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

CODE = """
import gc, hashlib, json, resource, sys, time
from podgraph.extractors import extract
from podgraph.output import pipeline
from podgraph.output.formats.node_link import to_json
way, source = sys.argv[1:]
how = {"jobs": int(way)} if way.isdecimal() else {"jobs": 2, "scheduler": way}
took = []
def timed(*args, **options):
    took.append(time.perf_counter() - begin)
    found = extract(*args, **options)
    took.append(time.perf_counter() - begin)
    return found
pipeline.extract = timed
begin = time.perf_counter()
graph = pipeline.build([source], mapped=False, **how).graph
whole = time.perf_counter() - begin
own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(json.dumps({
    "read": took[1], "all": whole, "cpu": own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime,
    "peak": own.ru_maxrss / 1024, "others": others.ru_maxrss / 1024, "nodes": len(graph),
    "edges": graph.number_of_edges(),
    "digest": hashlib.md5(to_json(graph).encode()).hexdigest(),
}))
"""


def main(feeds="20", episodes="200", rounds="3", *ways):
    """Print a line for each way; status 1 where the graphs differ."""
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    found = {way: [] for way in ways or ("1", "2", "3", "local")}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(int(feeds)):
            Path(folder, f"{number:05}.xml").write_bytes(made(int(episodes), f"show{number}"))
        for _ in range(int(rounds)):
            for way, results in found.items():
                words = [sys.executable, "-c", CODE, way, folder]
                results.append(json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout))
    first = next(iter(found.values()))
    print(f"{feeds} feeds of {episodes} episodes, {os.cpu_count()} processors: ", end="")
    print(f"{first[0]['nodes']:,} nodes, {first[0]['edges']:,} edges")
    for way, results in found.items():
        best = {name: min(one[name] for one in results) for name in ("read", "all", "cpu", "peak", "others")}
        shares = "  ".join(
            f"{name} {best[name]:6.1f} s ({best[name] / min(one[name] for one in first):.2f})"
            for name in ("read", "all")
        )
        digests = "/".join(sorted({one["digest"] for one in results}))
        peaks = f"peak {best['peak']:5.0f} MB, others {best['others']:5.0f} MB"
        print(f"  {way:>5}: {shares}  processors {best['cpu']:6.1f} s  {peaks}  {digests}")
    return len({one["digest"] for results in found.values() for one in results}) > 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
