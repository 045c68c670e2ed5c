"""Time and memory of reading long feeds, beside lxml, feedparser and a naive pipeline.

    python benchmarks/feeds.py [EPISODES ...]

For each number of made-up episodes (1 000, 10 000 and 50 000 unless given; the last are 160 MB) every step runs in a
process of its own. Printed are CPU seconds, their ratio to lxml's reading of the same elements (``iterparse``, nothing
kept), and peak resident memory. "fields" is reading up to the strings of the items, "parse_feed" all of the parse,
"naive" feedparser, a regular expression for URLs and networkx, as JSON. ``pipeline.py`` has what follows.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import random
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

SIZES = (1000, 10_000, 50_000)
WORDS = 20_000
# The most frequent words of made notes; the others are made of syllables.
FREQUENT = (
    "the of and to a in is it you that we for on with this are about how they at be from have what as but some why "
    "who when more there has all do people after where so took long last helped read time hard most few before begin "
    "today listen story because work show talk"
).split()
SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"][:28]
TERMS = "dispatcher autograd vmap TensorIterator quantization CUDA functorch profiler".split()
FIRST = (
    "Ada Ben Carla Dmitri Elif Farid Greta Hugo Ines Jonas Kira Liam Mona Nils Olga Pavel Rosa Sven Tara Umar".split()
)
LAST = "Abel Brandt Costa Dahl Egger Falk Gruber Holm Ivanov Jansen Keller Lund Moser Novak Olsen Peters Reis".split()
SITES = (
    "https://github.com/pytorch/pytorch/pull/{0}",
    "https://docs.example/page/{1}.html",
    "https://blog.example/{0}",
    "https://github.com/own{2}/repo{1}",
    "https://twitter.com/handle{1}",
    "https://www.youtube.com/watch?v=abcdefgh{1:03}",
)
SPACES = (
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/"'
)


class Writer:
    """Writes notes whose words are as frequent as Zipf's law has it, with names, references and symbols among them."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        made = map("".join, itertools.product(SYLLABLES, repeat=3))
        self.words = [*FREQUENT, *itertools.islice(made, WORDS - len(FREQUENT))]
        self.weights = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(WORDS)))

    def some(self, count: int) -> list[str]:
        return self.chance.choices(self.words, cum_weights=self.weights, k=count)

    def sentence(self) -> str:
        words = self.some(self.chance.randint(6, 18))
        special = self.chance.random()
        if special < 0.3:
            number = self.chance.randrange(99_999)
            word = "_".join(self.some(2))
            one = (
                f"{self.name()}",
                f"#{number}",
                f"PR {number}",
                self.chance.choice(TERMS),
                f"{word}()",
                f"loom.{word}",
            )
            words.insert(self.chance.randrange(1, len(words)), self.chance.choice(one))
        text = " ".join(words)
        return f"{text[0].upper()}{text[1:]}."

    def name(self) -> str:
        return f"{self.chance.choice(FIRST)} {self.chance.choice(LAST)}"

    def item(self, show: str, number: int) -> str:
        chance = self.chance
        paragraphs = "".join(
            f"<p>{' '.join(self.sentence() for _ in range(chance.randint(3, 9)))}</p>"
            for _ in range(chance.randint(2, 8))
        )
        handle = number % 977
        owner = f"{FIRST[handle % 19]} {LAST[handle % 13]}"  # of the handle, in all shows
        listed = "".join(
            f'<li><a href="{site.format(number, handle, number % 97)}">'
            f"{owner if 'twitter' in site else ' '.join(self.some(3)).title()}</a></li>"
            for site in SITES
        )
        title = " ".join(self.some(3)).title() + (f" with {self.name()}" if number % 3 == 0 else "")
        page = f"https://{show}.example/episodes/{number}"
        return (
            f"<item><title>{number}: {title}</title><link>{page}</link>"
            f'<guid isPermaLink="false">g{number}</guid>'
            f"<pubDate>{1 + number % 28:02} Nov {2000 + number % 25} 06:00:00 +0000</pubDate>"
            f"<itunes:duration>{number % 5000}</itunes:duration>"
            f'<enclosure url="{page}.mp3" type="audio/mpeg" length="1"/>'
            f"<content:encoded><![CDATA[{paragraphs}<ul>{listed}</ul>]]></content:encoded></item>"
        )


def made(count: int, show: str = "show") -> bytes:
    """Return a podcast's feed of ``count`` episodes with notes of about 3 KB and a list of six links."""
    writer = Writer(f"{show}{count}")
    head = f'<rss version="2.0" {SPACES}><channel><title>The {show}</title><link>https://{show}.example/</link>'
    return "".join((head, *(writer.item(show, number) for number in range(count)), "</channel></rss>")).encode()


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


def naive(data: bytes) -> str:
    import io

    import feedparser as peer
    import networkx as nx

    graph = nx.MultiDiGraph()
    for entry in peer.parse(io.BytesIO(data)).entries:
        name = entry.get("id") or entry.get("link")
        graph.add_node(name, kind="episode", title=entry.get("title", ""))
        notes = entry.content[0].value if "content" in entry else entry.get("summary", "")
        for url in set(re.findall(r"https?://[^\s\"'<>]+", notes)):
            graph.add_edge(name, url, "cites")
    return json.dumps(nx.node_link_data(graph, edges="edges"))


def parse(data: bytes) -> None:
    from podgraph.extractors import parse_feed

    assert parse_feed(data, source="feed").episodes


STEPS = {"lxml": bare, "fields": fast, "parse_feed": parse, "feedparser": feedparser, "naive": naive}


@dataclass(frozen=True)
class Measured:
    """CPU seconds, peak resident memory and that before the step (MB)."""

    seconds: float
    peak: float
    before: float


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
    STEPS[name](data)
    seconds = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer.put(Measured(seconds, peak / 1024, before / 1024))


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


if __name__ == "__main__":
    main()
