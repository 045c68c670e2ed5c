"""How the time of each step after parsing grows with the number of episodes.

    python benchmarks/growth.py [EPISODES ...]

Made-up podcasts of 1 000 and 10 000 episodes (or as many as given): 80 words each drawn from 20 000 as words are in
texts (few often, most rarely), four topics, a pull request that about three episodes share, a link to another episode.
Prints seconds of CPU and, from the second size on, the ratio to the size before.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from datetime import UTC, datetime, timedelta

from podgraph.extractors import Episode, Feed, builtin_vocabulary, extract
from podgraph.graph import build_graph, communities, find_related, find_series, find_ties, place, ranks
from podgraph.graph.topics import add_topics

WORDS, EACH, TOPICS, SHARED = 20_000, 80, 4, 3


def feed(episodes, seed=1):
    draw = random.Random(seed)
    topics = list(builtin_vocabulary().topics.values())
    words = [
        "".join(draw.choice("bcdfglmnprst") + draw.choice("aeiou") for _ in range(draw.randint(2, 4)))
        for _ in range(WORDS)
    ]
    made = []
    for number in range(episodes):
        own = draw.sample(topics, TOPICS)
        body = " ".join(words[min(int(draw.paretovariate(0.6)), WORDS - 1)] for _ in range(EACH))
        named = ", ".join((topic.aliases or (topic.label,))[0] for topic in own)
        pull = f"https://github.com/pytorch/pytorch/pull/{draw.randint(1, episodes * SHARED)}"
        see = f"https://made-up.simplecast.com/episodes/e{draw.randrange(episodes)}"
        made.append(
            Episode(
                f"episode:made-up/e{number}",
                "episode",
                "podcast:made-up",
                f"{own[0].label} {words[draw.randrange(WORDS)]}",
                notes=f"{body}. {named} {pull} see {see}",
                url=f"https://made-up.simplecast.com/episodes/e{number}",
                number=number,
                date=datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=number),
            )
        )
    return Feed(
        "made up", "podcast", "podcast:made-up", "The PyTorch thing", tuple(made), default_repo="pytorch/pytorch"
    )


def measure(made):
    """Return the seconds of each step, in order."""
    took = {}

    def timed(name, function):
        start = time.process_time()
        value = function()
        took[name] = time.process_time() - start
        return value

    extractions = timed("extract", lambda: extract([made]))
    graph = timed("build", lambda: build_graph([made], extractions))
    timed("topics", lambda: add_topics(graph, builtin_vocabulary()))
    for source, target, attributes in timed("related", lambda: list(find_related(graph))):
        graph.add_edge(source, target, "related", **attributes)
    timed("series", lambda: list(find_series(graph)))
    ties = timed("ties", lambda: find_ties(graph))
    timed("communities", lambda: communities(graph, ties))
    timed("ranks", lambda: ranks(ties))
    took["after extraction"] = sum(took.values()) - took["extract"]
    timed("place", lambda: place(graph))
    took["all"] = sum(took[name] for name in took if name != "after extraction")
    return took


def main(sizes):
    gc.disable()  # as the command does while it builds
    measure(feed(20))  # imports, the index, the vocabulary
    before = {}
    for size in sizes:
        took = measure(feed(size))
        print(f"{size} episodes")
        for name, seconds in took.items():
            ratio = f"{seconds / before[name]:8.1f} times" if before.get(name) else ""
            print(f"  {name:18}{seconds:9.2f} s{ratio}")
        before = took


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [1_000, 10_000])
