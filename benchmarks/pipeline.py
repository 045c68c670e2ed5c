"""The line of a build on notes as long as real ones, beside a naive peer and lxml's bare reading.

    python benchmarks/pipeline.py [EPISODES ...]
    python benchmarks/pipeline.py whole [EPISODES ...]

For each number of made-up episodes (1,000 unless given; about 3 KB each: two to eight paragraphs and a list of six
links) parse, extract, look up and build run in turns with the naive peer of ``feeds.py`` (feedparser, a regular
expression for URLs, networkx) and lxml. Printed are the least processor seconds of three rounds and their ratios.

With "whole", all of ``build -o podgraph.json -o podgraph.html`` by one process (1,000, 2,000 and 4,000 episodes unless
given): its steps against the naive peer in the same run, and the log-log slope of each from the first size to the last.
"""

from __future__ import annotations

import gc
import math
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import feeds

sys.path.insert(0, str(Path(__file__).parent.parent))

from podgraph.extractors import identify

ROUNDS = 3
SITES = (
    "https://github.com/pytorch/pytorch/pull/{0}",
    "https://docs.example/page/{1}.html",
    "https://blog.example/{0}",
    "https://github.com/own{2}/repo{1}",
    "https://twitter.com/handle{1}",
    "https://www.youtube.com/watch?v=abcdefgh{1:03}",
)


def made(count: int, show: str = "show") -> bytes:
    """Return a podcast's feed of ``count`` episodes with notes of about 3 KB."""
    chance = random.Random(f"{show}{count}")
    parts = [feeds.HEAD.replace("A long show", f"The {show}").replace("show.example", f"{show}.example")]
    for number in range(count):
        paragraphs = []
        for _ in range(chance.randint(2, 8)):
            words = chance.choices(feeds.PLAIN, k=chance.randint(30, 110))
            for term in chance.sample(feeds.TERMS, chance.randint(0, 2)):
                words.insert(chance.randrange(len(words)), term)
            paragraphs.append(f"<p>{' '.join(words).capitalize()}.</p>")
        links = (site.format(number, number % 977, number % 97) for site in SITES)
        listed = "".join(
            f'<li><a href="{link}">{" ".join(chance.choices(feeds.PLAIN, k=3))}</a></li>' for link in links
        )
        page = f"https://{show}.example/episodes/{number}"
        parts.append(
            f"<item><title>{number}: {' '.join(chance.choices(feeds.PLAIN, k=3))}</title><link>{page}</link>"
            f'<guid isPermaLink="false">g{number}</guid>'
            f"<pubDate>{1 + number % 28:02} Nov {2000 + number % 25} 06:00:00 +0000</pubDate>"
            f"<itunes:duration>{number % 5000}</itunes:duration>"
            f'<enclosure url="{page}.mp3" type="audio/mpeg" length="1"/>'
            f"<content:encoded><![CDATA[{''.join(paragraphs)}<ul>{listed}</ul>]]></content:encoded></item>"
        )
    return "".join((*parts, "</channel></rss>")).encode()


def whole(data: bytes, folder: Path) -> dict[str, float]:
    """Build page and JSON of a feed; return the processor seconds of each step, and of all."""
    from podgraph.graph import enrich
    from podgraph.output import formats, pipeline

    took: dict[str, float] = {}
    inside: list[float] = []

    def timed(name, work):
        def run(*args, **options):
            begin = time.process_time()
            inside.append(0.0)
            found = work(*args, **options)
            found = list(found) if name == "related" else found
            spent = time.process_time() - begin
            took[name] = spent - inside.pop()
            if inside:
                inside[-1] += spent
            return found

        return run

    steps = {
        "parse": (pipeline, "map_feed"),
        "extract": (pipeline, "extract"),
        "look up": (pipeline, "look_up"),
        "build": (pipeline, "build_graph"),
        "enrich": (pipeline, "enrich_graph"),
        "related": (enrich, "find_related"),
        "place": (pipeline, "add_places"),
    }
    source = folder / "feed.xml"
    source.write_bytes(data)
    gc.disable()  # as the command does
    begin = time.process_time()
    with ExitStack() as stack:
        for name, (module, function) in steps.items():
            stack.enter_context(patch.object(module, function, timed(name, getattr(module, function))))
        graph = pipeline.build([str(source)], jobs=1).graph
    for name in ("json", "html"):
        timed(name, formats.format_named(name).door(f"write_{name}"))(graph, folder / f"podgraph.{name}")
    all_ = time.process_time() - begin
    gc.enable()
    return {**took, "rest": all_ - sum(took.values()), "all": all_}


def print_whole(sizes: list[int]) -> None:
    """Print the steps of whole builds."""
    before: dict[str, float] = {}
    least, most = min(sizes), max(sizes)
    with tempfile.TemporaryDirectory() as name:
        whole(made(50), Path(name))  # what is imported is not measured
        feeds.naive(made(3))
        for size in sizes:
            data = made(size)
            naive = math.inf
            best: dict[str, float] = {}
            for _ in range(2):
                gc.collect()
                begin = time.process_time()
                feeds.naive(data)
                naive = min(naive, time.process_time() - begin)
                for step, seconds in whole(data, Path(name)).items():
                    best[step] = min(best.get(step, seconds), seconds)
            before = before or best
            print(f"{size:,} episodes, naive {naive:.2f} s")
            for step, seconds in best.items():
                slope = math.log(seconds / before[step]) / math.log(most / least) if size == most > least else None
                told = "" if slope is None else f"   slope {slope:.2f}"
                print(f"  {step:8}{seconds:8.2f} s {seconds / naive:6.2f} x naive{told}", flush=True)


def main() -> None:
    """Print the figures."""
    if sys.argv[1:2] == ["whole"]:
        print_whole([int(word) for word in sys.argv[2:]] or [1000, 2000, 4000])
        return
    feeds.line(made(3))  # what is imported is not measured
    feeds.naive(made(3))
    for count in [int(word) for word in sys.argv[1:]] or [1000]:
        data = made(count)
        best: dict[str, float] = {}
        for _ in range(ROUNDS):
            for name in ("lxml", "naive", "lxml", "line", "lxml"):  # some hundredths of a second: a busy machine shows
                identify.cache_clear()  # no link is known from the round before
                gc.enable()
                gc.collect()
                begin = time.process_time()
                parts = feeds.STEPS[name](data) or {}
                for step, seconds in {name: time.process_time() - begin, **parts}.items():
                    best[step] = min(best.get(step, seconds), seconds)
        print(f"{count:,} episodes of {len(data) / count / 1000:.1f} KB")
        for step, seconds in best.items():
            ratios = f"{seconds / best['naive']:6.2f} x naive {seconds / best['lxml']:7.1f} x lxml"
            print(f"  {step:8}{seconds:8.2f} s {ratios}")


if __name__ == "__main__":
    main()
