"""Quality of related episodes: nDCG@5 of podgraph, TF-IDF and BM25 on graded pairs and on editors' tags.

    python benchmarks/related.py FEED [TAGS.json] [--ablate]

Without TAGS.json, FEED is a feed of the PyTorch Developer Podcast, and the graded pairs are those in
data/related_labels.toml; other pairs count 0. TAGS.json maps the guid of each item to the editors' tags; two items
belong together as much as they share tags that 3 items up to 5 % of all have.

A third of the items, chosen by hash, is the lock box: constants are chosen without it. ``--ablate`` leaves one part of
the mechanism out at a time. nDCG has gains 2**grade - 1 (Burges et al., 2005) and is the mean over the items.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
import tomllib
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from podgraph.extractors import add_snapshot_facts, builtin_vocabulary, extract, parse_feed
from podgraph.graph import build_graph, collect_wording, enrich_graph, related_edges

HERE = Path(__file__).parent / "data"
LABELS, FIGURES = HERE / "related_labels.toml", HERE / "related_figures.json"
MOST = 5
ALLOWED = 0.02
ADDRESS = re.compile(r"\S+://\S+")
STOP = set(
    "about all also an and any are as at be because but by can could did do does for from further get had "
    "has have how if in into is it its just like ll make may more most much not of on one only or other "
    "our out over podcast reading re really some so such talk than that the their them then there these "
    "they thing things this those to up us use used using very was way we were what when where which "
    "while who why will with work would you your episode".split()
)
# part of the mechanism -> replacements of functions and constants that leave it out
ABLATIONS = {
    "words": {"collect_wording": lambda _found: related_edges.Wording({}, {})},
    "topics": {"_find_wholes": lambda _graph, _topic: {}},
    "wholes of topics": {"_WEIGHT_OF_WHOLE": 0.0},
    "references": {"_REFERENCE_SCORE": 0.0},
    "time": {"_measure_freshness": lambda *_: 0.0},
}


def in_lock_box(key: str) -> bool:
    """Return whether an item belongs to the third that is never used for choosing."""
    return hashlib.sha256(key.encode()).digest()[0] % 3 == 0


def ndcg(ranked, grades):
    """Return nDCG@5 of a ranking for grades by item."""

    def dcg(values):
        return sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(values[:MOST]))

    return dcg([grades.get(item, 0) for item in ranked]) / dcg(sorted(grades.values(), reverse=True))


def podgraph(feed, *, snapshot=False, without=""):
    """Return the related items of each item, by the positions of both in the feed."""
    replaced = {name: value for name, value in ABLATIONS.get(without, {}).items() if name != "collect_wording"}
    extractions = extract([feed])
    extractions = add_snapshot_facts([feed], extractions) if snapshot else extractions
    graph = build_graph([feed], extractions)
    wording = ABLATIONS.get(without, {}).get("collect_wording", collect_wording)(extractions)
    with patch.multiple(related_edges, **replaced) if replaced else patch.dict({}, {}):
        enrich_graph(graph, builtin_vocabulary(), wording=wording)
    places = {episode.id: place for place, episode in enumerate(feed.episodes)}
    found = {place: [] for place in places.values()}
    for source, target, key, edge in graph.edges(keys=True, data=True):
        if key == "related" and source in places and target in places:
            found[places[source]].append((-edge["weight"], places[target]))
    return {place: [other for _, other in sorted(others)] for place, others in found.items()}


def words(episode):
    text = ADDRESS.sub(" ", f"{episode.title} {episode.title} {episode.notes}")
    return [word for word in re.findall(r"\w\w+", text.lower()) if word not in STOP]


def tfidf(feed):
    counts = [Counter(words(episode)) for episode in feed.episodes]
    spread = Counter(term for counter in counts for term in counter)
    vectors = []
    for counter in counts:
        vector = {term: (1 + math.log(count)) * math.log(len(counts) / spread[term]) for term, count in counter.items()}
        norm = math.sqrt(sum(value**2 for value in vector.values())) or 1
        vectors.append({term: value / norm for term, value in vector.items()})
    return ranked(len(counts), lambda one, two: sum(v * vectors[two].get(term, 0) for term, v in vectors[one].items()))


def bm25(feed, k=1.5, b=0.75):
    counts = [Counter(words(episode)) for episode in feed.episodes]
    spread = Counter(term for counter in counts for term in counter)
    mean = sum(sum(counter.values()) for counter in counts) / len(counts)
    rarity = {term: math.log(1 + (len(counts) - held + 0.5) / (held + 0.5)) for term, held in spread.items()}

    def similarity(one, two):
        counter = counts[two]
        length = k * (1 - b + b * sum(counter.values()) / mean)
        return sum(rarity[term] * counter[term] * (k + 1) / (counter[term] + length) for term in counts[one] & counter)

    return ranked(len(counts), similarity)


def ranked(count, similarity):
    return {
        one: sorted((two for two in range(count) if two != one), key=lambda two: (-similarity(one, two), two))[:MOST]
        for one in range(count)
    }


def graded_pairs(feed):
    """Return the grades of the labelled pairs, by the positions of the episodes, and the key of each for the hash."""
    places = {episode.number: place for place, episode in enumerate(feed.episodes)}
    entries = tomllib.loads(LABELS.read_text("utf-8"))["labels"]
    return {
        places[entry["episode"]]: {places[int(number)]: grade for number, grade in entry["related"].items()}
        for entry in entries
    }


def shared_tags(feed, path):
    """Return the number of useful tags that two items share, by their positions."""
    given = json.loads(Path(path).read_text("utf-8"))
    tags = [{tag.lower() for tag in given.get(episode.guid, ())} for episode in feed.episodes]
    spread = Counter(tag for of_one in tags for tag in of_one)
    useful = {tag for tag, count in spread.items() if 3 <= count <= max(3, 0.05 * len(tags))}
    found = {}
    for one, of_one in enumerate(tags):
        shared = {two: len(of_one & of_two & useful) for two, of_two in enumerate(tags) if two != one}
        if grades := {two: count for two, count in shared.items() if count}:
            found[one] = grades
    return found


def scores(found, gold, feed):
    """Return the scores of the choosing part, and those of the lock box."""
    of = {one: ndcg(found[one], grades) for one, grades in gold.items()}
    keys = {one: str(feed.episodes[one].number or feed.episodes[one].id) for one in gold}
    return [[of[one] for one in gold if in_lock_box(keys[one]) == locked] for locked in (False, True)]


def mean(values):
    return sum(values) / len(values) if values else 0.0


def interval(ours, theirs, draws=1000):
    """Return the bootstrap's 95 % interval of the ratio of two means over the same items."""
    pick = random.Random(0)
    ratios = []
    for _ in range(draws):
        drawn = pick.choices(range(len(ours)), k=len(ours))
        ratios.append(sum(ours[one] for one in drawn) / (sum(theirs[one] for one in drawn) or 1))
    return sorted(ratios)[draws // 40], sorted(ratios)[-draws // 40]


def gives_away(before, now):
    """Return whether the choosing part rose at the cost of the lock box: both by 0.02 or more.

    >>> gives_away({"choosing": 0.70, "lock box": 0.70}, {"choosing": 0.73, "lock box": 0.67})
    True
    >>> gives_away({"choosing": 0.70, "lock box": 0.70}, {"choosing": 0.73, "lock box": 0.69})
    False
    """
    rise, fall = (round(x, 6) for x in (now["choosing"] - before["choosing"], before["lock box"] - now["lock box"]))
    return rise >= ALLOWED and fall >= ALLOWED


def figures(feed):
    """Return podgraph's nDCG@5 on the graded pairs, for both parts, rounded to three digits."""
    parts = scores(podgraph(feed, snapshot=feed.source == "sample"), graded_pairs(feed), feed)
    return {name: round(mean(part), 3) for name, part in zip(("choosing", "lock box"), parts, strict=True)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("feed")
    parser.add_argument("tags", nargs="?")
    parser.add_argument("--ablate", action="store_true")
    given = parser.parse_args()
    feed = parse_feed(Path(given.feed).read_bytes(), source=given.feed)
    gold = shared_tags(feed, given.tags) if given.tags else graded_pairs(feed)
    print(f"{sum(map(len, gold.values()))} graded pairs of {len(gold)} items")
    methods = {"podgraph": podgraph, "TF-IDF": tfidf, "BM25": bm25}
    if not given.tags:
        methods["with snapshot"] = lambda feed: podgraph(feed, snapshot=True)
    if given.ablate:
        methods |= {f"without {part}": lambda feed, part=part: podgraph(feed, without=part) for part in ABLATIONS}
    results = {name: scores(find(feed), gold, feed) for name, find in methods.items()}
    for name, (choosing, locked) in results.items():
        print(
            f"{name:26} choosing {mean(choosing):.3f}   lock box {mean(locked):.3f}   all {mean(choosing + locked):.3f}"
        )
    for part, place in (("choosing", 0), ("lock box", 1)):
        ours, theirs = results["podgraph"][place], results["TF-IDF"][place]
        low, high = interval(ours, theirs)
        print(f"podgraph / TF-IDF, {part}: {mean(ours) / mean(theirs):.2f} (95 % interval {low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
