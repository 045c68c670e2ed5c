"""The line of a build on notes as long as real ones, beside a naive peer and lxml's bare reading.

    python benchmarks/pipeline.py [EPISODES ...]

For each number of made-up episodes (1,000 unless given; about 3 KB each: two to eight paragraphs and a list of six
links) parse, extract, look up and build run in turns with the naive peer of ``feeds.py`` (feedparser, a regular
expression for URLs, networkx) and lxml. Printed are the least processor seconds of three rounds and their ratios.
"""

from __future__ import annotations

import gc
import random
import sys
import time

import feeds

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


def main() -> None:
    """Print the figures."""
    feeds.line(made(3))  # what is imported is not measured
    feeds.naive(made(3))
    for count in [int(word) for word in sys.argv[1:]] or [1000]:
        data = made(count)
        best: dict[str, float] = {}
        for _ in range(ROUNDS):
            for name in ("lxml", "naive", "line"):
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
