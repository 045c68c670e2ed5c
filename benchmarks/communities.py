"""How communities are found: how many episodes stand wrong, and how stable it is under removing one.

    python benchmarks/communities.py FEED

FEED is a feed file of the PyTorch Developer Podcast with its notes. data/communities_labels.txt names for each episode
the groups in which a person who knows PyTorch would look for it. An episode is misplaced that has not the commonest
label of its community, or is alone in it. Stable is the mean share of pairs, of those that share a community with or
without an episode, that do both. Compared are ours and Louvain's and Leiden's methods (the latter from
graspologic-native, MIT, where that is installed) on what makes episodes related.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import networkx

from podgraph.extractors import builtin_vocabulary, extract, parse_feed
from podgraph.graph import build_graph, communities, enrich_graph, find_ties

LABELS = Path(__file__).parent / "data" / "communities_labels.txt"


def grouped(found):
    groups = defaultdict(set)
    for node, name in found.items():
        groups[name].add(node)
    return list(groups.values())


def ours(graph):
    ties = find_ties(graph)
    found = dict(zip(ties.nodes, communities(graph, ties), strict=True))
    return grouped({node: found[node] for node in episodes(graph) if node in found})


def episodes(graph):
    return {node: data["number"] for node, data in graph.nodes(data=True) if data["kind"] == "episode"}


def kin(graph):
    known, tied = episodes(graph), networkx.Graph()
    for one, other, key, data in sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[:3]):
        if key in ("related", "listen_first", "see_also") and one in known and other in known:
            before = tied.get_edge_data(one, other, {"weight": 0.0})["weight"]
            more = data.get("weight", 1) * (3 if key == "related" else 1)
            tied.add_edge(one, other, weight=before + more)
    return tied


def louvain(resolution):
    return lambda graph: networkx.community.louvain_communities(kin(graph), resolution=resolution, seed=0)


def leiden(resolution):
    def divide(graph):
        import graspologic_native

        edges = [(one, other, data["weight"]) for one, other, data in kin(graph).edges(data=True)]
        return grouped(
            graspologic_native.leiden(
                edges, resolution=resolution, randomness=0.001, iterations=1, trials=20, seed=0, use_modularity=True
            )[1]
        )

    return divide


def misplaced(groups, graph, gold):
    known, wrong = episodes(graph), []
    for group in groups:
        numbers = [known[node] for node in group if known[node] in gold]
        labels = Counter(label for number in numbers for label in gold[number])
        commonest = max(labels, key=lambda label: (labels[label], label), default="")
        wrong += [number for number in numbers if commonest not in gold[number] or len(numbers) == 1]
    return sorted(wrong)


def pairs(groups):
    return {pair for group in groups for pair in combinations(sorted(group), 2)}


def stable(divide, graph):
    whole, shares = pairs(divide(graph)), []
    for episode in sorted(episodes(graph)):
        rest = graph.copy()
        rest.remove_node(episode)
        now, before = pairs(divide(rest)), {pair for pair in whole if episode not in pair}
        shares.append(len(now & before) / len(now | before))
    return sum(shares) / len(shares)


def main(path):
    rows = (line.split() for line in LABELS.read_text("utf-8").splitlines() if not line.startswith("#"))
    gold = {int(number): labels for number, *labels in rows}
    feed = parse_feed(Path(path).read_bytes(), source=path)
    graph = build_graph([feed], extract([feed]))
    enrich_graph(graph, builtin_vocabulary())
    methods = {"podgraph": ours}
    for resolution in (1.0, 1.4, 1.8):
        methods |= {f"Louvain {resolution}": louvain(resolution), f"Leiden {resolution}": leiden(resolution)}
    print(f"{'':14}{'groups':>8}{'stable':>8}  misplaced of {len(gold)}")
    for name, divide in methods.items():
        try:
            groups = divide(graph)
        except ImportError as error:
            print(f"{name:14}not installed ({error.name})")
            continue
        wrong = misplaced(groups, graph, gold)
        print(f"{name:14}{len(groups):8}{stable(divide, graph):8.3f}  {len(wrong)}: {', '.join(map(str, wrong))}")


if __name__ == "__main__":
    main(sys.argv[1])
