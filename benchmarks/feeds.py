"""Time and memory of reading long feeds and of all that follows, beside lxml, feedparser and a naive pipeline.

    python benchmarks/feeds.py [EPISODES ...]

For each number of made-up episodes (1 000, 10 000 and 50 000 unless given; the last are 60 MB) every step runs in a
process of its own. Printed are CPU seconds, their ratio to lxml's reading of the same elements (``iterparse``, nothing
kept), and peak resident memory. "fields" is reading up to the strings of the items, "parse_feed" all of the parse,
"naive" feedparser, a regular expression for URLs and networkx, "line" parse, extract and build; ``growth.py`` has what
follows.
"""

from __future__ import annotations

import gc
import multiprocessing
import random
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

SIZES = (1000, 10_000, 50_000)
PLAIN = (
    "today we talk about how the work on this went and why it took so long what people asked after the last show who "
    "helped with it where to read more when you have time some of it is hard but most is not there are a few things "
    "that nobody tells you before you begin so listen to the end of the story because it has a good one for you"
).split()
TERMS = "dispatcher autograd vmap TensorIterator quantization CUDA functorch profiler".split()
SPACES = (
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/"'
)
HEAD = f'<rss version="2.0" {SPACES}><channel><title>A long show</title><link>https://show.example/</link>'


def made(count: int) -> bytes:
    """Return a podcast's feed of ``count`` episodes of about a kilobyte, each with three links and three terms."""
    chance = random.Random(count)
    parts = [HEAD]
    for number in range(count):
        words = " ".join([*chance.choices(PLAIN, k=60), *chance.choices(TERMS, k=3)])
        page = f"https://show.example/episodes/{number}"
        links = (
            f"https://github.com/pytorch/pytorch/pull/{number}",
            f"https://docs.example/{chance.choice(PLAIN)}/{number % 977}.html",
            f"https://blog.example/{number % 4999}",
        )
        listed = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
        parts.append(
            f"<item><title>{number}: {' '.join(chance.choices(PLAIN, k=3))}</title><link>{page}</link>"
            f'<guid isPermaLink="false">g{number}</guid>'
            f"<pubDate>{1 + number % 28:02} Nov {2000 + number % 25} 06:00:00 +0000</pubDate>"
            f"<itunes:duration>{number % 5000}</itunes:duration>"
            f'<enclosure url="{page}.mp3" type="audio/mpeg" length="1"/><description>{words[:150]}</description>'
            f"<content:encoded><![CDATA[<p>{words}</p><ul>{listed}</ul>]]></content:encoded></item>"
        )
    parts.append("</channel></rss>")
    return "".join(parts).encode()


def bare(data: bytes) -> None:
    """Read all elements, and keep none: the floor for whoever reads feeds in Python."""
    import io

    from lxml import etree

    for _, element in etree.iterparse(io.BytesIO(data), huge_tree=True):
        if element.tag == "item":
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def fast(data: bytes) -> None:
    """Read a feed's elements as podgraph does, up to the strings of its items."""
    from podgraph.extractors.feeds.markup import read_xml
    from podgraph.extractors.feeds.xml_reader import FeedTarget

    assert read_xml(data, FeedTarget()) is None


def feedparser(data: bytes) -> None:
    import io

    import feedparser as peer

    peer.parse(io.BytesIO(data))


def naive(data: bytes) -> None:
    import io

    import feedparser as peer
    import networkx as nx

    graph = nx.MultiDiGraph()
    for entry in peer.parse(io.BytesIO(data)).entries:
        graph.add_node(entry.id, kind="episode", title=entry.title)
        for url in set(re.findall(r"https?://[^\s\"'<>]+", entry.content[0].value)):
            graph.add_edge(entry.id, url, "cites")


def parse(data: bytes) -> None:
    from podgraph.extractors import parse_feed

    assert parse_feed(data, source="feed").episodes


def line(data: bytes) -> dict[str, float]:
    """Run the line of a build up to the bare graph; return the CPU seconds of each of its steps."""
    from podgraph.extractors import extract, look_up, parse_feed, read_index
    from podgraph.graph import build_graph

    gc.disable()  # as the build does
    took: dict[str, float] = {}
    last = time.process_time()

    def lap(name: str) -> None:
        nonlocal last
        now = time.process_time()
        took[name], last = now - last, now

    feed = parse_feed(data, source="feed")
    lap("parse")
    extractions = extract([feed])
    lap("extract")
    facts, edges = look_up(extractions, read_index())
    build_graph([feed], extractions, facts, edges)
    lap("build")
    return took


STEPS = {
    "lxml": bare,
    "fields": fast,
    "parse_feed": parse,
    "feedparser": feedparser,
    "naive": naive,
    "line": line,
}


@dataclass(frozen=True)
class Measured:
    """CPU seconds, peak resident memory and that before the step (MB), and what the step returned."""

    seconds: float
    peak: float
    before: float
    parts: dict[str, float] | None


def measured(name: str, path: Path) -> Measured:
    """Run one step on a feed in a process of its own."""
    spawn = multiprocessing.get_context("spawn")
    answer = spawn.SimpleQueue()
    process = spawn.Process(target=_run, args=(name, path, answer))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{name} ended with {process.exitcode}")
    return answer.get()


def _run(name: str, path: Path, answer: multiprocessing.SimpleQueue) -> None:
    import resource

    data = path.read_bytes()
    STEPS[name](made(1))  # what is imported is not measured
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    parts = STEPS[name](data)
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer.put(Measured(seconds, peak / 1024, before / 1024, parts))


def main() -> None:
    first: dict[str, float] = {}
    for count in [int(word) for word in sys.argv[1:]] or SIZES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "feed.xml"
            path.write_bytes(made(count))
            print(f"{count:,} episodes, {path.stat().st_size / 1e6:.1f} MB")
            results: dict[str, Measured] = {}
            for name in STEPS:
                result = results[name] = measured(name, path)
                growth = f", {result.seconds / first[name]:.1f} x the first size" if name in first else ""
                first.setdefault(name, result.seconds)
                print(
                    f"  {name:11}{result.seconds:8.2f} s {result.seconds / results['lxml'].seconds:7.1f} x lxml, "
                    f"peak {result.peak:5.0f} MB ({result.before:.0f} with the feed read in){growth}",
                    flush=True,
                )
        parts = results["line"].parts or {}
        shares = ", ".join(f"{name} {seconds / results['lxml'].seconds:.1f}" for name, seconds in parts.items())
        print(f"  line: {shares} x lxml; all together {results['line'].seconds / results['naive'].seconds:.2f} x naive")


if __name__ == "__main__":
    main()
