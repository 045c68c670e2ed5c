"""How time and memory of each step after extraction grow with the number of episodes, beside a naive peer.

    python benchmarks/growth.py [EPISODES ...] [memory]

Made-up podcasts of 1,000 and 10,000 episodes (or as many as given) with notes of 3 KB, those of ``feeds.py``.
Printed are seconds of CPU (the least of three rounds, up to 10,000 episodes), the log-log slope from the size before,
and what all steps after the building take, of the time of the naive peer of ``feeds.py``. With "memory", one round with
tracemalloc on: KB an episode that a step holds at its peak beyond what stays, and KB that stay (in the graph).
"""

from __future__ import annotations

import gc
import math
import sys
import time
import tracemalloc
from dataclasses import replace

from feeds import made, naive

from podgraph.extractors import builtin_vocabulary, extract, look_up, parse_feed, read_index
from podgraph.graph import build_graph, check, communities, find_related, find_series, find_ties, ranks, wording_of
from podgraph.graph.boilerplate import mark_boilerplate
from podgraph.graph.topics import add_topics

ROUNDS, LARGE = 3, 10_000
BUILDING = ("build", "boilerplate")


def extracted(data):
    """Return what a feed's extraction gives, the text of its items as in a build."""
    feed = parse_feed(data, source="feed")
    extractions = extract([feed])
    feed = replace(feed, episodes=tuple(replace(episode, links=()) for episode in feed.episodes))
    extractions = [replace(one, episode=item) for one, item in zip(extractions, feed.episodes, strict=True)]
    return feed, extractions, *map(list, look_up(extractions, read_index()))


def measure(feed, extractions, facts, edges):
    """Return of each step, in order, its seconds, and the bytes that it held at most and left."""
    vocabulary, found = builtin_vocabulary(), {}

    def timed(name, step):
        tracing = tracemalloc.is_tracing()
        if tracing:
            tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        start = time.process_time()
        value = step()
        seconds = time.process_time() - start
        after, peak = tracemalloc.get_traced_memory()
        found[name] = seconds, peak - max(before, after), after - before
        return value

    asides = {one.episode.id: one.asides for one in extractions if one.asides}
    graph = timed("build", lambda: build_graph([feed], extractions, facts, edges, with_boilerplate=True))
    timed("boilerplate", lambda: mark_boilerplate(graph, asides))
    timed("topics", lambda: add_topics(graph, vocabulary, asides))

    def relate():
        for source, target, attributes in find_related(graph, wording_of(extractions)):
            graph.add_edge(source, target, "related", **attributes)

    timed("related", relate)
    timed("series", lambda: sum(1 for _ in find_series(graph)))
    ties = timed("ties", lambda: find_ties(graph))
    timed("communities", lambda: communities(graph, ties))
    timed("ranks", lambda: ranks(ties))
    timed("check", lambda: sum(1 for _ in check(graph)))
    return found


def seconds_of_peer(data):
    start = time.process_time()
    naive(data)
    return time.process_time() - start


def main(sizes, memory):
    gc.disable()  # as the command does while it builds
    measure(*extracted(made(20)))  # imports, the index, the vocabulary
    naive(made(3))
    earlier = {}
    for size in sizes:
        gc.collect()
        data = made(size)
        read = extracted(data)
        if memory:
            tracemalloc.start()
            held = measure(*read)
            tracemalloc.stop()
            took = {name: (peak / size / 1000, stay / size / 1000) for name, (_, peak, stay) in held.items()}
            print(f"{size:,} episodes, KB each: held at most beyond what stays, and what stays")
            for name, (peak, stay) in took.items():
                print(f"  {name:12}{peak:8.2f}{stay:8.2f}", flush=True)
            continue
        rounds = [measure(*read) for _ in range(ROUNDS if size <= LARGE else 1)]
        peer = min(seconds_of_peer(data) for _ in rounds)
        best = {name: min(one[name][0] for one in rounds) for name in rounds[0]}
        best["after it"] = sum(seconds for name, seconds in best.items() if name not in BUILDING)
        print(f"{size:,} episodes; the naive peer {peer:.2f} s, {best['after it'] / peer:.2f} x that after building")
        for name, seconds in best.items():
            slope = ""
            if name in earlier and min(seconds, earlier[name][1]) > 0:
                slope = f"  slope {math.log(seconds / earlier[name][1]) / math.log(size / earlier[name][0]):5.2f}"
            print(f"  {name:12}{seconds:8.3f} s{slope}", flush=True)
            earlier[name] = size, seconds


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:] if word.isdecimal()] or [1_000, 10_000], "memory" in sys.argv[1:])
