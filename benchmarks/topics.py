"""How well topics are found: precision, recall and F1 of the first five, beside YAKE, RAKE and TF-IDF.

    python benchmarks/topics.py FEED

FEED is a feed file of the PyTorch Developer Podcast with its notes. The labels are in data/topics_labels.toml.
YAKE (GPL) and RAKE (rake-nltk, without NLTK's data) are measured when they are installed. A predicted phrase counts
as right when it is, but for case, hyphens and plural, one of a label's names, or holds one whole; every label counts
once. The same rule for all.
"""

from __future__ import annotations

import math
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

from podgraph.extractors import builtin_vocabulary, extract, parse_feed
from podgraph.graph import build_graph, enrich_graph

LABELS = Path(__file__).parent / "data" / "topics_labels.toml"
MOST = 5
STOP = set(
    "a an and are as at be but by for from how i if in is it its of on or that the this to was what why "
    "with you your we do does".split()
)


def fold(text):
    words = re.findall(r"[\w+.]+", text.lower().replace("-", " ").replace("::", " "))
    return " ".join(
        word[:-1] if word.endswith("s") and len(word) > 3 and not word.endswith("ss") else word for word in words
    )


def right(phrase, names):
    return any(f" {fold(name)} " in f" {fold(phrase)} " for name in names)


def score(predictions, gold):
    """Return precision, recall, F1: means over the labelled episodes, as keyphrase papers do."""
    rows = []
    for number, topics in gold.items():
        said = predictions.get(number, [])[:MOST]
        open_topics = list(topics)
        hits = 0
        for phrase in said:
            found = next((names for names in open_topics if right(phrase, names)), None)
            if found:
                open_topics.remove(found)
                hits += 1
        precision, recall = hits / len(said) if said else 0.0, hits / len(topics)
        rows.append((precision, recall, 2 * precision * recall / (precision + recall) if hits else 0.0))
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def ours(feed):
    extractions = extract([feed])
    graph = build_graph([feed], extractions)
    enrich_graph(graph, builtin_vocabulary(), asides={one.episode.id: one.asides for one in extractions})
    found = {}
    for node, data in graph.nodes(data=True):
        if data["kind"] == "episode":
            about = [
                (-edge["weight"], graph.nodes[topic]["label"])
                for _, topic, key, edge in graph.out_edges(node, keys=True, data=True)
                if key == "about"
            ]
            found[data["number"]] = [label for _, label in sorted(about)]
    return found


def text_of(episode):
    return re.sub(r"\S+://\S+", " ", f"{episode.title}. {episode.notes}")


def tfidf(feed):
    def terms(text):
        words = re.findall(r"[\w'+.]*\w", text.lower())
        for size in (1, 2, 3):
            for start in range(len(words) - size + 1):
                part = words[start : start + size]
                if part[0] not in STOP and part[-1] not in STOP:
                    yield " ".join(part)

    counts = {episode.number: Counter(terms(text_of(episode))) for episode in feed.episodes}
    spread = Counter(term for counter in counts.values() for term in counter)
    rank = {
        number: sorted(counter, key=lambda term: (-counter[term] * math.log(len(counts) / spread[term]), term))
        for number, counter in counts.items()
    }
    return {number: terms_[:MOST] for number, terms_ in rank.items()}


def yake_(feed):
    import yake

    extractor = yake.KeywordExtractor(n=3, top=MOST)
    return {
        episode.number: [phrase for phrase, _ in extractor.extract_keywords(text_of(episode))]
        for episode in feed.episodes
    }


def rake_(feed):
    from rake_nltk import Rake

    extractor = Rake(
        stopwords=STOP,
        sentence_tokenizer=lambda text: re.split(r"[.!?\n]", text),
        word_tokenizer=lambda text: re.findall(r"\w+|[^\w\s]", text),
        max_length=3,
    )
    found = {}
    for episode in feed.episodes:
        extractor.extract_keywords_from_text(text_of(episode))
        found[episode.number] = extractor.get_ranked_phrases()[:MOST]
    return found


def main(path):
    feed = parse_feed(Path(path).read_bytes(), source=path)
    gold = {entry["episode"]: entry["topics"] for entry in tomllib.loads(LABELS.read_text("utf-8"))["labels"]}
    print(f"{len(gold)} episodes, the first {MOST} topics\n{'':10}{'precision':>10}{'recall':>10}{'F1':>10}")
    results = {}
    for name, find in (("podgraph", ours), ("YAKE", yake_), ("RAKE", rake_), ("TF-IDF", tfidf)):
        try:
            results[name] = score(find(feed), gold)
        except ImportError as error:
            print(f"{name:10}not installed ({error.name})")
            continue
        print(f"{name:10}" + "".join(f"{value:10.3f}" for value in results[name]))
    if "YAKE" in results:
        print(f"podgraph / YAKE, F1: {results['podgraph'][2] / results['YAKE'][2]:.2f}")


if __name__ == "__main__":
    main(sys.argv[1])
