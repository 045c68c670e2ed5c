"""A made-up graph of the contract's shape and of any size, the same for the same arguments.

Used by the page's tests and benchmarks, which need bigger and more hostile graphs than the sample gives.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import networkx as nx

AREAS = ("Core", "Compiler", "Distributed", "Autograd", "Kernels", "Python", "Build", "Community")
WORDS = (
    *("dispatcher", "tensor", "stride", "storage", "autograd", "engine", "kernel", "guard", "cache", "memory"),
    *("thread", "pool", "shape", "symbolic", "compile", "trace", "graph", "fusion", "codegen", "stream", "event"),
    *("device", "backend", "vmap", "functorch", "export", "quantize", "sparse", "nested", "optimizer", "loader"),
    *("collective", "bucket", "shard", "pipeline", "checkpoint", "profiler", "layout", "meta", "proxy", "hook"),
)
KINDS = ("pull", "pull", "pull", "issue", "file", "file", "docs", "blog", "forum", "paper", "commit", "symbol", "web")


def synthetic_graph(
    episodes: int = 83, artifacts: int = 250, topics: int = 60, *, seed: int = 7, related: bool = True
) -> nx.MultiDiGraph:
    """Return a graph of that many episodes, artifacts and topics (plus a podcast and a few repositories)."""
    rng = random.Random(seed)
    graph = nx.MultiDiGraph(
        schema=1, generator="podgraph 0", sources=[{"source": "synthetic", "kind": "feed", "episodes": episodes}]
    )
    podcast = "podcast:synthetic"
    graph.add_node(podcast, kind="podcast", label="A synthetic podcast", url="https://podcast.example/")
    repos = [f"github:lab{i}/project{i}" for i in range(max(2, artifacts // 60))]
    for repo in repos:
        name = repo.removeprefix("github:")
        graph.add_node(repo, kind="repo", label=name, url=f"https://github.com/{name}")
    areas: dict[str, list[str]] = {area: [] for area in AREAS}
    for i in range(topics):
        area = AREAS[i % len(AREAS)]
        node = f"topic:{WORDS[i % len(WORDS)]}-{i}"
        areas[area].append(node)
        graph.add_node(node, kind="topic", label=f"{WORDS[i % len(WORDS)]} {i}", area=area)
    names = [_artifact(graph, rng, i, repos) for i in range(artifacts)]
    shared = names[: max(1, artifacts // 12)]
    single = names[len(shared) :]
    about: dict[str, set[str]] = {}
    start = datetime(2021, 5, 4, 12, tzinfo=UTC)
    for i in range(episodes):
        node = f"episode:synthetic/{i + 1}-{WORDS[i % len(WORDS)]}"
        title = f"{rng.choice(WORDS).capitalize()} and the {rng.choice(WORDS)} {rng.choice(WORDS)}"
        count = len(single) * (i + 1) // episodes - len(single) * i // episodes
        first = len(single) * i // episodes
        cited = single[first : first + count] + rng.sample(shared, min(len(shared), rng.choice((0, 0, 1, 1, 2))))
        text = f"What the {rng.choice(WORDS)} does to a {rng.choice(WORDS)}, and why.\n\nFurther reading.\n\n"
        spans = []
        for artifact in cited:
            url = graph.nodes[artifact]["url"]
            spans.append((artifact, len(text), len(text) + len(url), url))
            text += f"{url}\n"
        graph.add_node(
            node, kind="episode", label=title, title=title, number=i + 1, date=(start + timedelta(days=i * 17)).isoformat(),
            duration=600 + 13 * i, url=f"https://podcast.example/episodes/{i + 1}",
            audio_url=f"https://podcast.example/audio/{i + 1}.mp3", podcast=podcast, summary=text,
        )  # fmt: skip
        graph.add_edge(node, podcast, key="part_of")
        for artifact, begin, end, url in spans:
            graph.add_edge(node, artifact, key="cites", weight=1, evidence=[_evidence("notes", begin, end, url)])
        own = AREAS[int(rng.random() * rng.random() * len(AREAS))] if rng.random() < 0.3 else AREAS[i % len(AREAS)]
        chosen = rng.sample(areas[own], min(len(areas[own]), rng.randint(2, 3)))
        if rng.random() < 0.5:
            chosen.append(rng.choice(areas[rng.choice(AREAS)] or areas[own]))
        about[node] = set(chosen)
        for topic in dict.fromkeys(chosen):
            graph.add_edge(node, topic, key="about", weight=1, evidence=[_evidence("title", 0, len(title), title)])
    if related:
        _relate(graph, about, rng)
    return graph


def _evidence(field: str, start: int, end: int, quote: str) -> dict[str, object]:
    place = {"field": field, "start": start, "end": end, "quote": quote}
    return {**place, "method": "url", "extractor": "synthetic", "confidence": 1.0}


def _artifact(graph: nx.MultiDiGraph, rng: random.Random, i: int, repos: list[str]) -> str:
    kind = KINDS[i % len(KINDS)]
    repo = repos[int(rng.random() ** 2 * len(repos))]
    name = repo.removeprefix("github:")
    word = WORDS[i % len(WORDS)]
    at, home, file = f"{name}#{1000 + i}", f"https://github.com/{name}", f"src/{word}_{i}.cpp"
    other = (f"{kind}:site.example/{word}-{i}", f"A {kind} on {word} {i}", f"https://site.example/{kind}/{word}-{i}")
    node, label, url = {
        "pull": (f"github:{at}", at, f"{home}/pull/{1000 + i}"),
        "issue": (f"github:{at}", at, f"{home}/issues/{1000 + i}"),
        "file": (f"{repo}:{file}", file, f"{home}/blob/main/{file}"),
        "commit": (f"{repo}@{i:07x}", f"{name}@{i:07x}", f"{home}/commit/{i:07x}"),
        "symbol": (f"symbol:lab.{word}_{i}", f"lab.{word}_{i}", f"https://docs.example/{word}_{i}"),
        "docs": (f"docs:lab/{word}-{i}", f"{word} {i}", f"https://docs.example/{word}-{i}"),
        "paper": (f"paper:arxiv/2101.{i:05d}", f"arXiv 2101.{i:05d}", f"https://arxiv.org/abs/2101.{i:05d}"),
    }.get(kind, other)
    graph.add_node(node, kind=kind, label=label, url=url)
    if node.startswith("github:"):
        graph.add_edge(node, repo, key="in_repo")
    return node


def _relate(graph: nx.MultiDiGraph, about: dict[str, set[str]], rng: random.Random) -> None:
    """Join each episode to up to three others that share most topics, and a few by what the notes say."""
    by_topic: dict[str, list[str]] = {}
    for episode, topics in about.items():
        for topic in topics:
            by_topic.setdefault(topic, []).append(episode)
    for episode, topics in about.items():
        scores: dict[str, int] = {}
        for topic in sorted(topics):
            for other in by_topic[topic][:40]:
                if other != episode:
                    scores[other] = scores.get(other, 0) + 1
        best = sorted(scores, key=lambda other: (-scores[other], other))[:3]
        for other in best:
            if scores[other] > 1 and not graph.has_edge(other, episode, key="related"):
                reasons = [f"both about {graph.nodes[t]['label']}" for t in sorted(topics & about[other])]
                graph.add_edge(episode, other, key="related", weight=float(scores[other]), reasons=reasons)
    names = list(about)
    for i in range(5, len(names), 13):
        other = names[rng.randrange(i)]
        key = rng.choice(("listen_first", "see_also"))
        graph.add_edge(names[i], other, key=key, weight=1, evidence=[_evidence("notes", 0, 4, "What")])
