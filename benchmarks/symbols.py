"""Precision and recall of the symbols found in a feed's notes, and how many episodes they lead into PyTorch.

    python benchmarks/symbols.py FEED [-v]

The labels are those of tests/extractors/labels/symbols.toml, by episode number.
"""

import re
import sys
import time
import tomllib
from collections import defaultdict
from pathlib import Path

from podgraph.extractors import Corpus, find_links, identify, parse_feed, with_scheme
from podgraph.extractors.mentions.symbols.facts import folder_edges, resolve_facts
from podgraph.extractors.mentions.symbols.finding import find_symbols
from podgraph.extractors.subjects.index import read_index

LABELS = Path(__file__).parent.parent / "tests" / "extractors" / "labels" / "symbols.toml"


def judge(found, label):
    """Return (right, wrong, missed) for the ids found in one episode."""
    expected = [set(entry.split("|")) for entry in label.get("expected", ())]
    accepted = {name for entry in label.get("accepted", ()) for name in entry.split("|")}
    wanted = set().union(*expected) if expected else set()
    right = found & wanted
    missed = ["|".join(sorted(names)) for names in expected if not names & found]
    return right, found - wanted - accepted, missed


def cited(episode):
    """Return what the URLs of an episode's notes lead to."""
    spans = [(link.start, link.end) for link in episode.links]
    links = [*episode.links, *find_links(episode.notes, spans)]
    known = (identify(with_scheme(link.url)) for link in links if not link.truncated)
    return [found[1] for found in known if found]


def leads_in(ref):
    """Tell whether a reference is PyTorch's source or documentation."""
    return (ref.kind in {"file", "folder"} and ref.id.startswith("github:pytorch/")) or ref.id.startswith(
        ("docs:pytorch", "tutorial:pytorch")
    )


def names_code(ref, index):
    if ref.kind != "symbol":
        return leads_in(ref)
    symbol = index.symbol(ref.id.partition(":")[2])
    return symbol is not None and bool(symbol.path or symbol.page)


def concept_finder(index):
    """Return a function that tells whether a text names a concept with code or docs, by label or alias."""
    patterns = []
    for concept in index.concepts:
        if concept.paths or concept.docs or concept.tutorials:
            for name in (concept.label, *concept.aliases):
                flags = 0 if name.isupper() else re.IGNORECASE
                patterns.append(re.compile(rf"(?<!\w){re.escape(name)}s?(?!\w)", flags))
    return lambda text: any(pattern.search(text) for pattern in patterns)


def components(links):
    """Return how many connected components the episodes form, given what each leads to."""
    parent = {}

    def root(node):
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    for episode, targets in links.items():
        for target in targets:
            parent[root(target)] = root(episode)
    return len({root(episode) for episode in links})


def main():
    verbose = "-v" in sys.argv
    source = next(argument for argument in sys.argv[1:] if argument != "-v")
    feed = parse_feed(Path(source).read_bytes(), source=source)
    labels = {int(number): label for number, label in tomllib.loads(LABELS.read_text("utf-8")).items()}
    corpus = Corpus({}, "pytorch/pytorch")
    index = read_index()
    started = time.perf_counter()
    found = {episode.id: list(find_symbols(episode, corpus)) for episode in feed.episodes}
    first = time.perf_counter() - started
    started = time.perf_counter()
    for episode in feed.episodes:
        list(find_symbols(episode, corpus))
    again = time.perf_counter() - started
    rights = wrongs = misses = mentions = 0
    for episode in feed.episodes:
        label = labels.get(episode.number, {})
        right, wrong, missed = judge({mention.ref.id for mention in found[episode.id]}, label)
        rights, wrongs, misses = rights + len(right), wrongs + len(wrong), misses + len(missed)
        mentions += len(found[episode.id])
        if verbose and (wrong or missed):
            print(f"  {episode.number} {episode.title}: wrong {sorted(wrong)}, missed {missed}")
    expected = sum(len(label.get("expected", ())) for label in labels.values())
    print(f"labels: {expected} in {len(labels)} episodes; {mentions} mentions found")
    print(f"precision {rights / max(1, rights + wrongs):.3f}   recall {(expected - misses) / expected:.3f}")
    print(f"time: {first * 1000:.0f} ms with loading the index, then {again / len(feed.episodes) * 1e6:.0f} µs each")
    names_concept = concept_finder(index)
    years = defaultdict(lambda: [0, 0, 0, 0, 0])
    for episode in feed.episodes:
        if not episode.notes.strip():
            continue
        linked = cited(episode)
        symbols = [mention.ref for mention in found[episode.id]]
        year = str(episode.date.year) if episode.date else "no date"
        by_url = any(map(leads_in, linked))
        by_symbol = by_url or any(names_code(ref, index) for ref in symbols)
        by_concept = by_symbol or names_concept(f"{episode.title}\n{episode.notes}")
        host = any(ref.id.startswith(("github:", "docs:pytorch", "tutorial:pytorch", "forum:")) for ref in linked)
        for column, value in enumerate((1, host, by_url, by_symbol, by_concept)):
            years[year][column] += value
            years["all"][column] += value
        if verbose and not by_symbol:
            print(f"  {episode.number} {episode.title}: leads nowhere" + (" but for its topics" if by_concept else ""))
    by_url = {episode.id: {ref.id for ref in cited(episode)} for episode in feed.episodes}
    by_symbol = {id_: ids | {mention.ref.id for mention in found[id_]} for id_, ids in by_url.items()}
    by_file = {}
    for id_, ids in by_symbol.items():
        edges = list(resolve_facts(found[id_], index))
        refs = [*(edge.target for edge in edges), *(mention.ref for mention in found[id_])]
        folders = {edge.target.id for edge in folder_edges(refs, index)} - {"github:pytorch/pytorch:torch"}
        by_file[id_] = ids | {edge.target.id for edge in edges} | folders
    counts = [components(links) for links in (by_url, by_symbol, by_file)]
    print(
        "components of {} episodes: URLs {}, + symbols {}, + their files, folders and docs {}".format(
            len(by_url), *counts
        )
    )
    print(f"{'year':8}{'notes':>6}{'any code URL':>14}{'URL to source/docs':>20}{'+ symbols':>11}{'+ topics':>10}")
    for year, (notes, host, url, symbol, concept) in sorted(years.items()):
        print(f"{year:8}{notes:6}{host:14}{url:20}{symbol:11}{concept:10}")


if __name__ == "__main__":
    main()
