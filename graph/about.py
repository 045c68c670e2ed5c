"""What each episode is about: how much, by what it cites too, and how the topics hang together."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from podgraph.extractors import identify

from .kinds import RELATIONS, SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import networkx as nx

    from podgraph.extractors import Topic, Vocabulary

_MOST = 8  # topics of an item
_SHARE = 0.09  # of the weight of an item's first topic: what has less is named in passing
_TITLE, _OPENING, _DEEP = 3.0, 0.5, 0.5
_OPENS = 250  # characters: the opening of the notes, which says what they are about
_ASIDE = re.compile(
    r"^\W*(?:further reading|liner notes|outline|show notes|links|references|code pointers)\b",
    re.IGNORECASE | re.MULTILINE,
)
_CITED, _CITED_TOO = 0.6, 0.3
_COVERED = RELATIONS["covers"].targets
_PER_CITED = 2  # topics that a cited thing may stand for


def add_topics(graph: nx.MultiDiGraph[str], vocabulary: Vocabulary) -> None:
    """Complete the topics of a built graph, in place.

    Topics join that are not named but whose code or pages an item cites, with reasons; ``about`` edges get their
    weight (the title counts 3, the notes 1 and more the oftener, what is named in the opening more) and those in
    passing go; topics get ``aliases`` and ``count`` (items about them), ``subtopic_of`` edges up to the root,
    and ``covers`` edges to what is cited of them. An item in which nothing is found is about the podcast's subject.
    """
    places = _Places(vocabulary)
    sources = [
        node
        for node, data in graph.nodes(data=True)
        if data["kind"] in SOURCES and (data.get("title") or graph.out_degree(node))
    ]
    covered: dict[tuple[str, str], str] = {}
    for node in sorted(sources):
        weights = {
            target: _weight(graph.nodes[node], data["evidence"])
            for _, target, relation, data in graph.out_edges(node, keys=True, data=True)
            if relation == "about" and data.get("evidence")
        }
        cited: dict[str, list[str]] = defaultdict(list)
        for target, topic, reason in _cited(graph, node, places):
            covered[topic, target] = reason
            cited[f"topic:{topic}"].append(f"cites {graph.nodes[target]['label']}, {reason}")
        for topic in cited:
            weights[topic] = weights[topic] + _CITED_TOO if topic in weights else _CITED
        kept = _most(weights)
        for topic in weights.keys() - kept.keys():
            if graph.has_edge(node, topic, "about"):
                graph.remove_edge(node, topic, "about")
        for topic in sorted(kept):
            _add_topic(graph, topic.removeprefix("topic:"), vocabulary)
            edge = {"weight": round(kept[topic], 3), **({"reasons": cited[topic]} if topic in cited else {})}
            graph.add_edge(node, topic, "about", **edge)
        for part in vocabulary.parts if not kept else ():
            _last_resort(graph, node, part)
    _tidy(graph, vocabulary, covered)


class _Places:
    """Which topics a file, folder, page or repository belongs to, by node id."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        exact: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self.repos: dict[str, list[str]] = defaultdict(list)
        for topic in vocabulary.topics.values():
            if topic.id not in vocabulary.roots and topic.id not in vocabulary.broad:
                for id_, rank in _addresses(topic):
                    exact[id_].append((rank, topic.id))
                if topic.repo:
                    self.repos[f"github:{topic.repo.lower()}"].append(topic.id)
        self.exact = {id_: [topic for _, topic in sorted(owners)[:_PER_CITED]] for id_, owners in exact.items()}

    def of(self, id_: str, repo: str) -> Iterator[tuple[str, str]]:
        """Yield (topic, reason) for what a node id is: itself, the page without its anchor, the folder it is in."""
        found = self.exact.get(id_)
        if found:
            own = "its code" if id_.startswith("github:") else "its documentation"
            yield from ((topic, own) for topic in found)
            return
        page = id_.partition("#")[0]
        if page != id_ and page in self.exact:
            yield from ((topic, "a page of its documentation") for topic in self.exact[page])
            return
        folder = id_ if id_.startswith("github:") and id_.count(":") > 1 else ""
        while "/" in folder.rpartition(":")[2]:
            folder = folder.rpartition("/")[0]
            if f"{folder}/" in self.exact:
                yield from ((topic, f"in its folder {folder.rpartition(':')[2]}") for topic in self.exact[f"{folder}/"])
                return
        yield from ((topic, "in its repository") for topic in self.repos.get(f"github:{repo}", ()))


def _addresses(topic: Topic) -> Iterator[tuple[str, int]]:
    """Yield (node id, place in the list) of a topic's files, folders (with ``/``), pages."""
    subject = topic.subject
    for rank, path in enumerate(topic.paths):
        yield f"github:{subject.repo}:{path}", rank
    for rank, page in enumerate(topic.docs):
        yield f"docs:{subject.docs_project}/{page.replace('.html', '')}", rank
    for rank, page in enumerate(topic.tutorials):
        yield f"tutorial:{subject.tutorials_project}/{page.replace('.html', '')}", rank


def _cited(graph: nx.MultiDiGraph[str], node: str, places: _Places) -> Iterator[tuple[str, str, str]]:
    for _, target, relation in sorted(graph.out_edges(node, keys=True)):
        if relation == "cites":
            found = places.of(target, str(graph.nodes[target].get("repo", "")))
            yield from ((target, topic, reason) for topic, reason in found)


def _weight(attributes: Mapping[str, Any], evidence: Iterable[Mapping[str, Any]]) -> float:
    """Return how much a title and notes are about a topic, from the places where they name it."""
    titled = [item for item in evidence if item["field"] == "title"]
    noted = [item for item in evidence if item["field"] == "notes"]
    weight = _TITLE * max((item["confidence"] for item in titled), default=0.0)
    if noted:
        aside = _ASIDE.search(str(attributes.get("summary", "")))
        end = aside.start() if aside and aside.start() else math.inf
        before = [item for item in noted if item["start"] < end]
        sure = max(item["confidence"] for item in noted)
        if before:
            weight += sure * (1 + 0.5 * math.log2(len(before)) + (_OPENING if before[0]["start"] < _OPENS else 0.0))
        else:
            weight += sure * _DEEP
    return weight or 1.0


def _most(weights: Mapping[str, float]) -> dict[str, float]:
    """Return what counts: the heaviest, and nothing that is slight beside the first."""
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
    return {topic: weight for topic, weight in ranked if weight >= _SHARE * ranked[0][1]}


def _add_topic(graph: nx.MultiDiGraph[str], id_: str, vocabulary: Vocabulary) -> None:
    """Add a topic's node and those above it, and the edges between."""
    waiting = [id_]
    while waiting:
        current = waiting.pop()
        topic = vocabulary.topics.get(current)
        node = f"topic:{current}"
        if topic is None or graph.nodes.get(node, {}).get("aliases") is not None:
            continue
        area = vocabulary.topics[vocabulary.areas[current]]
        graph.add_node(node, kind="topic", label=topic.name, aliases=list(topic.aliases))
        if area.area:
            graph.nodes[node]["area"] = area.name
        for parent in topic.part_of:
            above = vocabulary.topics.get(parent)
            if above is not None:
                reason = f"{topic.name} is part of {above.name}"
                graph.add_edge(node, f"topic:{parent}", "subtopic_of", weight=1, reasons=[reason])
                waiting.append(parent)


def _last_resort(graph: nx.MultiDiGraph[str], node: str, vocabulary: Vocabulary) -> None:
    """Say of an item that names no topic that it is about the subject that its podcast, or it itself, names."""
    own = graph.nodes[node]
    home = graph.nodes.get(own.get("podcast", ""), {})
    subject = vocabulary.subject
    if not vocabulary.root or not subject.words:
        return
    if subject.concerns(str(home.get("title", "")), str(home.get("description", ""))):
        reason = f"its title and notes name no topic; the podcast is about {subject.name}"
    elif subject.concerns(str(own.get("title", "")), str(own.get("summary", ""))):
        reason = f"its title and notes name no topic but {subject.name} itself"
    else:
        return
    _add_topic(graph, vocabulary.root, vocabulary)
    graph.add_edge(node, f"topic:{vocabulary.root}", "about", weight=0.1, reasons=[reason])


def _tidy(graph: nx.MultiDiGraph[str], vocabulary: Vocabulary, covered: Mapping[tuple[str, str], str]) -> None:
    """Count items by topic, drop topics that nothing is about any more, say what topics cover."""
    for node in sorted(node for node, data in graph.nodes(data=True) if data["kind"] == "topic"):
        relations = [relation for _, _, relation in graph.in_edges(node, keys=True)]
        count = relations.count("about")
        if not relations:
            graph.remove_node(node)
            continue
        graph.nodes[node]["count"] = count
        if graph.nodes[node].get("aliases") == []:
            del graph.nodes[node]["aliases"]
    for (topic, target), reason in sorted(covered.items()):
        if f"topic:{topic}" in graph and graph.nodes[target]["kind"] in _COVERED:
            name = vocabulary.topics[topic].name
            said = f"{graph.nodes[target]['label']} belongs to {name}: {reason}"
            graph.add_edge(f"topic:{topic}", target, "covers", weight=1, reasons=[said])
    _lead_to_code(graph, vocabulary)


def _lead_to_code(graph: nx.MultiDiGraph[str], vocabulary: Vocabulary) -> None:
    """Tie what titles are about to its first file and its first page of documentation, cited or not.

    So an episode that names no symbol and cites no link leads into the source all the same.
    """
    titled = {
        target
        for _, target, relation, data in graph.edges(keys=True, data=True)
        if relation == "about" and any(evidence["field"] == "title" for evidence in data.get("evidence", ()))
    }
    for node in sorted(titled):
        topic = vocabulary.topics.get(node.removeprefix("topic:"))
        if topic is None:
            continue
        tree = f"https://github.com/{topic.subject.repo}"
        urls = [
            *((f"{tree}/{_view(path)}/main/{path.rstrip('/')}", "its code") for path in topic.paths[:1]),
            *((f"{topic.subject.docs}{page}", "its documentation") for page in topic.docs[:1]),
        ]
        for url, what in urls:
            known = identify(url)
            if known is None or known[1].kind not in _COVERED or graph.has_edge(node, known[1].id, "covers"):
                continue
            ref = known[1]
            if ref.id not in graph:
                graph.add_node(ref.id, kind=ref.kind, label=ref.label, url=ref.url, **dict(ref.attrs))
                home = f"github:{topic.subject.repo}"
                if home in graph and ref.id.startswith(f"{home}:"):
                    graph.add_edge(ref.id, home, "in_repo", weight=1, reasons=["its address names the repository"])
            reason = f"{topic.name} lists it as {what}"
            graph.add_edge(node, ref.id, "covers", weight=1, reasons=[reason])


def _view(path: str) -> str:
    return "tree" if path.endswith("/") else "blob"
