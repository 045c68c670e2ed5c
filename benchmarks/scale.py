"""How much several processes, or workers of Dask, shorten a build of many feeds, and that the graph stays the same.

    python benchmarks/scale.py [FEEDS [EPISODES [ROUNDS [WAY …]]]]
    python benchmarks/scale.py steps [FEEDS …]

Makes FEEDS (20) podcasts of EPISODES (200) episodes each, notes of two to eight paragraphs, and builds them in each
WAY (1, 2, 3: so many processes; local: Dask's workers, two processes), each in a process of its own and in turns,
ROUNDS (3) times. Printed are the shortest wall time, its ratio to that of the first way, processor seconds of all
processes together, the peak memory of this process and of the largest other, and the digest of the graph as JSON, which
has to be one. "read" is parse and extract, which the processes share (Dask's are started in it), "all" a whole build
without a map.

With "steps", one process builds FEEDS (2 and 10) of 200 episodes. Printed are the processor seconds of each step, what
a cluster would move for it, the log-log slope from the first number to the last, and what follows for 10 million.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from pipeline import made

CODE = """
import gc, hashlib, json, resource, sys, time
from podgraph.extractors import extract
from podgraph.output import pipeline
from podgraph.output.formats.node_link import write_json
way, source, target = sys.argv[1:]
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
write_json(graph, target)
with open(target, "rb") as written:
    digest = hashlib.file_digest(written, "md5").hexdigest()
print(json.dumps({
    "read": took[1], "all": whole, "cpu": own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime,
    "peak": own.ru_maxrss / 1024, "others": others.ru_maxrss / 1024, "nodes": len(graph),
    "edges": graph.number_of_edges(),
    "digest": digest,
}))
"""


def steps(*counts):
    """Print what each step costs and moves."""
    from podgraph.extractors.mentions import extraction
    from podgraph.output import pipeline

    seconds, moved = {}, {}
    reduce_corpus = extraction.reduce_corpus

    def timed(name, work, *args):
        begin = time.process_time()
        found = work(*args)
        seconds[name] = seconds.get(name, 0) + time.process_time() - begin
        return found

    def share(work, columns, *known):
        name = {"_mapped": "map_feed"}.get(work.__name__, work.__name__)
        moved[name] = len(pickle.dumps(known))  # to each worker
        for row in zip(*columns, strict=True):
            found = timed(name, work, *row, *known)
            begin = time.process_time()
            moved[name] += len(pickle.dumps(row)) + len(pickle.dumps(found))
            seconds["pickle"] = seconds.get("pickle", 0) + time.process_time() - begin
            yield found

    @contextmanager
    def sharing(*_):
        yield share

    pipeline._sharing = sharing  # noqa: SLF001 - where the work is shared out
    extraction.reduce_corpus = lambda *args: timed("reduce_corpus", reduce_corpus, *args)
    found = []
    pipeline.build(["sample"], mapped=False)  # what is loaded once is not measured
    for count in map(int, counts or ("2", "10")):
        with tempfile.TemporaryDirectory() as folder:
            for number in range(count):
                Path(folder, f"{number:05}.xml").write_bytes(made(200, f"show{number}"))
            seconds.clear()
            moved.clear()
            begin = time.process_time()
            pipeline.build([folder], mapped=False)
            names = "map_feed", "reduce_corpus", "map_extract"
            rest = time.process_time() - begin - sum(seconds[name] for name in ("pickle", *names))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        found.append((200 * count, {**{name: seconds[name] for name in names}, "graph_of": rest}, {**moved}, peak))
    (few, first, _, least), (many, last, out, peak) = found[0], found[-1]
    more = (peak - least) / (many - few) * 1000
    print(
        f"{many:,} episodes, peak {peak:.0f} MB, {more:.0f} KB more for each from {few:,} on; slope; 10 million by it"
    )
    for name, spent in last.items():
        slope = math.log(spent / first[name]) / math.log(many / few)
        hours = spent * (10e6 / many) ** max(1, slope) / 3600
        size = f"  moves {out[name] / many / 1000:.1f} KB an episode" if name in out else ""
        print(f"  {name:14}{spent:7.2f} s  slope {slope:4.2f}  {hours:6.1f} h{size}")


def main(feeds="20", episodes="200", rounds="3", *ways):
    """Print a line for each way; status 1 where the graphs differ."""
    os.environ["PODGRAPH_MOST_MB"] = "1000"
    os.environ["PYTHONPATH"] = str(Path(__file__).parent.parent)
    found = {way: [] for way in ways or ("1", "2", "3", "local")}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as spare:
        for number in range(int(feeds)):
            Path(folder, f"{number:05}.xml").write_bytes(made(int(episodes), f"show{number}"))
        for _ in range(int(rounds)):
            for way, results in found.items():
                words = [sys.executable, "-c", CODE, way, folder, f"{spare}/graph.json"]
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
    sys.exit(steps(*sys.argv[2:]) if sys.argv[1:2] == ["steps"] else main(*sys.argv[1:]))
