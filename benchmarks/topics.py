"""How well topics are found: of a vocabulary beside YAKE, RAKE and TF-IDF; of a show's own words beside a baseline.

    python benchmarks/topics.py FEED [TRANSCRIPTS]
    python benchmarks/topics.py --tags TAGS FEED

The first form takes a feed file of the PyTorch Developer Podcast with its notes, perhaps a folder of transcripts. The
labels are in data/topics_labels.toml. It prints precision, recall and F1 of the first five topics of an episode. YAKE
(GPL) and RAKE (rake-nltk, without NLTK's data) are measured when they are installed. A predicted phrase counts as right
when it is, but for case, hyphens and plural, one of a label's names, or holds one whole; every label counts once. The
same rule for all.

The second form takes a feed file of any show and the tags that its editors gave the items: JSON, by guid. A topic is
right when it is one of the item's tags, but for case, hyphens and plural. Recall is that of tags that 2 to 5 % of the
items share. Rules were chosen on two thirds of the items, drawn by the hash of their guid; the rest is the lock box.
The baseline has some forty lines: runs of words with capitals, outside of repeated lines.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

from podgraph.extractors import TranscriptSources, builtin_vocabulary, extract, gather_transcripts, parse_feed
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


def ours(feed, transcripts=None):
    """Return the topics of each episode by its number, or by its guid where it has none."""
    extractions = extract([feed], transcripts=transcripts)
    graph = build_graph([feed], extractions)
    enrich_graph(graph, builtin_vocabulary(), asides={one.episode.id: one.asides for one in extractions})
    found = {}
    for episode in feed.episodes:
        about = [
            (-edge["weight"], graph.nodes[topic]["label"])
            for _, topic, key, edge in graph.out_edges(episode.id, keys=True, data=True)
            if key == "about"
        ]
        found[key_of(episode)] = [label for _, label in sorted(about)]
    return found


def key_of(episode):
    return episode.guid if episode.number is None else episode.number


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

    counts = {key_of(episode): Counter(terms(text_of(episode))) for episode in feed.episodes}
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


def baseline(feed):
    """Return the heaviest runs of words with capitals of each item: tf x idf, the title three times."""
    lines = Counter(line.strip().lower() for episode in feed.episodes for line in {*episode.notes.split("\n")})
    texts, small, capital = [], Counter(), Counter()
    for episode in feed.episodes:
        notes = "\n".join(line for line in episode.notes.split("\n") if lines[line.strip().lower()] < 3)
        texts.append([re.sub(r"\S+://\S+", "\n", text) for text in (episode.title, notes)])
        for word in WORD.findall(texts[-1][1]):
            (small if word.islower() else capital)[word.lower()] += 1
    counts, names = [], {}
    for both in texts:
        counts.append(counter := Counter())
        for text, weight in zip(both, (3, 1), strict=True):
            for run in runs(text):
                if key := fold(run):
                    names.setdefault(key, Counter())[run] += 1
                    counter[key] += weight
    spread = Counter(term for counter in counts for term in counter)

    def weight_of(counter, term):
        third = 1 / 3 if " " not in term and small[term] > capital[term] else 1
        return counter[term] * math.log(len(counts) / spread[term]) * third

    ranked = (
        sorted((t for t in counter if 3 * spread[t] <= len(counts)), key=lambda t: (-weight_of(counter, t), t))
        for counter in counts
    )
    terms = zip(feed.episodes, ranked, strict=True)
    return {key_of(one): [names[term].most_common(1)[0][0] for term in some] for one, some in terms}


WORD = re.compile(r"[^\W_][\w+#]*(?:[.'&!-]\w[\w+#]*)*[+#!]*")


def runs(text):
    """Yield up to four words in a row that have capitals or digits, none of them a stop word."""
    for segment in re.split(r"[\n,;:!?()\[\]\"|/\u2013\u2014\u2022]+|\.(?=\s|$)| - ", text):
        run = []
        for word in [*WORD.findall(segment), ""]:
            if word and not word.islower() and word.lower() not in STOP:
                run.append(word)
                continue
            if 0 < len(run) < 5 and not all(part.isdigit() for part in run):
                yield " ".join(run)
            run = []


def by_tags(feed, tags, predictions):
    """Return precision and recall of predictions in both parts of the items."""
    tags = {guid: {fold(tag) for tag in some} for guid, some in tags.items() if some}
    spread = Counter(tag for some in tags.values() for tag in some)
    useful = {tag for tag, count in spread.items() if 0.02 * len(tags) <= count <= 0.05 * len(tags)}
    found = []
    for lock_box in (False, True):
        said = right = wanted = recalled = 0
        for episode in feed.episodes:
            box = int(hashlib.sha256(episode.guid.encode()).hexdigest(), 16) % 3 == 0
            if box == lock_box and (own := tags.get(episode.guid)):
                labels = {fold(label) for label in predictions[key_of(episode)]}
                said, right = said + len(labels), right + len(labels & own)
                wanted, recalled = wanted + len(own & useful), recalled + len(labels & own & useful)
        found += [right / max(said, 1), recalled / max(wanted, 1)]
    return found


def compare_tags(feed, tags):
    results = {"podgraph": ours(feed)}
    sizes = sorted(map(len, results["podgraph"].values()))
    print(f"{len(tags)} items, {sizes[len(sizes) // 2]} topics an item in the median; the first 3 of all")
    print(f"{'':12}{'precision':>10}{'recall':>10}{'lock box':>12}{'recall':>10}")
    results |= {"baseline": baseline(feed), "TF-IDF": tfidf(feed)}
    for name, predictions in results.items():
        row = by_tags(feed, tags, {key: labels[:3] for key, labels in predictions.items()})
        print(f"{name:12}{row[0]:10.3f}{row[1]:10.3f}{row[2]:12.3f}{row[3]:10.3f}")


def main(words):
    if words[0] == "--tags":
        feed = parse_feed(Path(words[2]).read_bytes(), source=words[2], as_kind="episodes")
        return compare_tags(feed, json.loads(Path(words[1]).read_text("utf-8")))
    path, *folders = words
    feed = parse_feed(Path(path).read_bytes(), source=path)
    gold = {entry["episode"]: entry["topics"] for entry in tomllib.loads(LABELS.read_text("utf-8"))["labels"]}
    print(f"{len(gold)} episodes, the first {MOST} topics\n{'':12}{'precision':>10}{'recall':>10}{'F1':>10}")
    results, finders = {}, {"podgraph": ours, "YAKE": yake_, "RAKE": rake_, "TF-IDF": tfidf}
    if folders:
        transcripts = gather_transcripts([feed], TranscriptSources(folders=(Path(folders[0]),)))
        finders["transcripts"] = lambda feed: ours(feed, transcripts)
    for name, find in finders.items():
        try:
            results[name] = score(find(feed), gold)
        except ImportError as error:
            print(f"{name:12}not installed ({error.name})")
            continue
        print(f"{name:12}" + "".join(f"{value:10.3f}" for value in results[name]))
    if "YAKE" in results:
        print(f"podgraph / YAKE, F1: {results['podgraph'][2] / results['YAKE'][2]:.2f}")
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
