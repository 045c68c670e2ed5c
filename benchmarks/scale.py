"""How much several processes, or workers of Dask, shorten a build of many feeds, and that the graph stays the same.

    python benchmarks/scale.py [FEEDS[,FEEDS …] [EPISODES [ROUNDS [WAY …]]]]
    python benchmarks/scale.py steps [FEEDS …]

Makes FEEDS (20) podcasts of EPISODES (200) episodes each, notes of two to eight paragraphs, and builds them in each
WAY (1, 2, 3: so many processes; local: Dask's workers, two processes), each in a process of its own and in turns,
ROUNDS (3) times. Printed are the shortest wall time, its ratio to that of the first way, processor seconds of all
processes together, the peak memory of this process and of the largest other, and the digest of the graph as JSON, which
has to be one. "read" is parse and extract, which the processes share (Dask's are started in it), "graph" also what
makes the graph of it, "all" a whole build without a map. Of several FEEDS the processor seconds of each step in the
first WAY are printed, with the log-log slope from the first to the last.

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

from feeds import made

CODE = """
import hashlib, json, resource, sys, time
from types import GeneratorType
from podgraph.graph import build, enrich
from podgraph.output import pipeline
from podgraph.output.formats.node_link import write_json
way, source, target = sys.argv[1:]
how = {"jobs": int(way)} if way.isdecimal() else {"jobs": 2, "scheduler": way}
def usage():
    return [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
steps, ended, inside = {}, {}, [0.0]
def part(name, work, *args, **options):
    before = sum(one.ru_utime + one.ru_stime for one in usage())
    inside.append(0.0)
    try:
        return work(*args, **options)
    finally:
        spent = sum(one.ru_utime + one.ru_stime for one in usage()) - before
        steps[name] = steps.get(name, 0) + spent - inside.pop()
        inside[-1] += spent
        ended[name] = time.perf_counter() - begin
def drawn(name, found):
    while (one := part(name, next, found, None)) is not None:
        yield one
def timed(module, function, name):
    work = getattr(module, function)
    def run(*args, **options):
        found = part(name, work, *args, **options)
        return drawn(name, found) if isinstance(found, GeneratorType) else found
    setattr(module, function, run)
for module, function, name in (
    (pipeline, "extract", "extract"), (pipeline, "look_up", "look up"), (pipeline, "build_graph", "build"),
    (build, "called", "episodes"), (build._Draft, "add_mentions", "evidence"),
    (build, "mark_boilerplate", "boilerplate"),
    (build, "as_graph", "order"), (enrich, "add_topics", "topics"), (enrich, "find_related", "related"),
    (enrich, "find_series", "series"), (enrich, "find_ties", "ties"), (enrich, "communities", "communities"),
    (enrich, "ranks", "ranks"), (pipeline, "enrich_graph", "enrich"), (pipeline, "check", "check"),
):
    timed(module, function, name)
begin = time.perf_counter()
graph = part("parse", pipeline.build, [source], mapped=False, **how).graph
own, others = usage()
part("JSON", write_json, graph, target)
with open(target, "rb") as written:
    digest = hashlib.file_digest(written, "md5").hexdigest()
print(json.dumps({
    "read": ended["extract"], "graph": ended["build"], "all": ended["parse"],
    "cpu": own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime, "steps": steps,
    "peak": own.ru_maxrss / 1024, "others": others.ru_maxrss / 1024, "nodes": len(graph),
    "edges": graph.number_of_edges(), "digest": digest,
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
    sizes = [int(count) for count in feeds.split(",")]
    ways = ways or ("1", "2", "3", "local")
    built = [measured(count, int(episodes), int(rounds), ways) for count in sizes]
    firsts = [
        {name: min(one["steps"][name] for one in results) for name in results[0]["steps"]} for results, _ in built
    ]
    for name, spent in firsts[-1].items() if len(sizes) > 1 else ():
        slope = math.log(max(spent, 0.001) / max(firsts[0].get(name, 0), 0.001)) / math.log(sizes[-1] / sizes[0])
        print(f"  {name:12}" + "".join(f"{step.get(name, 0):9.2f} s" for step in firsts) + f"   slope {slope:5.2f}")
    return not all(alike for _, alike in built)


def measured(feeds, episodes, rounds, ways):
    """Print a line for each way; return what was found in the first, and whether the graphs are one."""
    found = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as spare:
        for number in range(feeds):
            Path(folder, f"{number:05}.xml").write_bytes(made(episodes, f"show{number}"))
        for _ in range(rounds):
            for way, results in found.items():
                words = [sys.executable, "-c", CODE, way, folder, f"{spare}/graph.json"]
                results.append(json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout))
    first = next(iter(found.values()))
    print(f"{feeds} feeds of {episodes} episodes, {os.cpu_count()} processors: ", end="")
    print(f"{first[0]['nodes']:,} nodes, {first[0]['edges']:,} edges")
    for way, results in found.items():
        best = {name: min(one[name] for one in results) for name in ("read", "graph", "all", "cpu", "peak", "others")}
        shares = "  ".join(
            f"{name} {best[name]:6.1f} s ({best[name] / min(one[name] for one in first):.2f})"
            for name in ("read", "graph", "all")
        )
        digests = "/".join(sorted({one["digest"] for one in results}))
        peaks = f"peak {best['peak']:5.0f} MB, others {best['others']:5.0f} MB"
        print(f"  {way:>5}: {shares}  processors {best['cpu']:6.1f} s  {peaks}  {digests}", flush=True)
    return first, len({one["digest"] for results in found.values() for one in results}) == 1


if __name__ == "__main__":
    sys.exit(steps(*sys.argv[2:]) if sys.argv[1:2] == ["steps"] else main(*sys.argv[1:]))
