"""Made feeds of any length, and a naive pipeline as a peer: feedparser, a regular expression for URLs, networkx."""

from __future__ import annotations

import itertools
import json
import random
import re

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
