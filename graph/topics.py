"""The topics of each episode with their weights, also from its citations, and the hierarchy of topics."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from podgraph.extractors import identify, is_about, opening_end

from .attributes import because, in_title
from .boilerplate import list_texts
from .kinds import RELATIONS
from .metadata import artifact_attributes, drop_unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from podgraph.extractors import Aside, Vocabulary

    from .attributes import EdgeAttributes, Evidence, Graph

_MOST = 8  # topics of an item
_SHARE = 0.09  # of the weight of an item's first topic: topics with less are only mentioned in passing
_TITLE, _OPENING, _DEEP = 3.0, 0.5, 0.5
_OPENS = 250  # characters of the opening of the notes, where their subject usually is
# the line from where on notes only list links
_ASIDE = re.compile(
    r"^\W*(?:further reading|liner notes|outline|show notes|links|references|code pointers)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SPOKEN = 0.3  # weight of a topic only in the transcript, times the logarithm of its minutes
_CITED, _CITED_TOO = 1.0, 0.3  # two signs count as much as a mention; one more adds a little
_FILED = 2.0  # weight of a topic from the feed's own categories
_COVERED = RELATIONS["covers"].targets


def add_topics(graph: Graph, vocabulary: Vocabulary, asides: Mapping[str, Sequence[Aside]] | None = None) -> None:
    """Complete the topics of a built graph, in place.

    Adds topics whose code or pages an item cites, with reasons. ``about`` edges get their
    weight (the title counts 3, the notes 1, and more for repetitions and for the opening), and topics mentioned in
    passing are removed. Topics get ``aliases`` and ``count`` (items about them), ``subtopic_of`` edges up to the root,
    and ``covers`` edges to their cited artifacts. An item without topics is about the podcast's subject.
    ``asides`` are the passages repeated in feeds, by the id of the item: they do not count as an opening.
    """
    owners = _list_owners(vocabulary)
    covers: dict[tuple[str, str], str] = {}
    for node in list_texts(graph):
        item = graph.nodes[node]
        podcast = graph.nodes.get(item.get("podcast", ""), {})
        texts = podcast.get("title", ""), podcast.get("description", "")
        near = [
            (part, is_home)
            for part in vocabulary.parts
            if (is_home := part.subject.concerns(*texts))
            or is_about(part.subject, item.get("title", ""), item.get("summary", ""))
        ]
        topics_near = {id_ for part, _ in near for id_ in part.topics}
        citations = [one for one in _find_citations(graph, node, owners) if one[1] in topics_near]
        covers.update({(topic, target): reason for target, topic, reason in citations})
        opens = opening_end((asides or {}).get(node, ()), _OPENS)
        if not _weigh(graph, node, citations, vocabulary, opens):
            for part, is_home in near:  # the subject that its podcast or the item itself names
                if part.root and part.subject.words:
                    _add_topic(graph, part.root, part)
                    more = "; the podcast is about" if is_home else " but"
                    reasons = [f"its title and notes name no topic{more} {part.subject.name}"]
                    graph.add_edge(node, f"topic:{part.root}", "about", weight=0.1, reasons=reasons)
    _tidy(graph, vocabulary, covers)


def _weigh(
    graph: Graph, node: str, citations: Iterable[tuple[str, str, str]], vocabulary: Vocabulary, opens: int
) -> bool:
    """Set the weights of an item's named and cited topics; return whether it has any.

    ``citations`` are its cited artifacts with their topics; its opening ends at the offset ``opens`` of the notes.
    A single citation adds no topic to an item naming others.
    """
    notes = graph.nodes[node].get("summary", "")
    aside = _ASIDE.search(notes)
    list_start = aside.start() if aside and aside.start() else math.inf  # notes of links only have no reading list
    weights = {
        target: _weight(opens, list_start, data.get("evidence", ())) + (_FILED if data.get("reasons") else 0.0)
        for _, target, relation, data in graph.out_edges(node, keys=True, data=True)
        if relation == "about"
    }
    reasons: dict[str, list[str]] = defaultdict(list)
    for target, topic, reason in citations:
        reasons[f"topic:{topic}"].append(f"cites {graph.nodes[target]['label']}, {reason}")
    has_named_topics = bool(weights)
    for id_, citing in reasons.items():
        if id_ in weights:
            weights[id_] += _CITED_TOO
        elif not has_named_topics or len(citing) > 1:
            weights[id_] = _CITED
    ranking = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
    topics = {topic: weight for topic, weight in ranking if weight >= _SHARE * ranking[0][1]}
    for id_ in weights.keys() - topics.keys():
        if graph.has_edge(node, id_, "about"):
            graph.remove_edge(node, id_, "about")
    for id_ in sorted(topics):
        _add_topic(graph, id_.removeprefix("topic:"), vocabulary)
        edge: EdgeAttributes = {"weight": round(topics[id_], 3)}
        if id_ in reasons:
            edge["reasons"] = reasons[id_]
        graph.add_edge(node, id_, "about", **edge)
    return bool(topics)


def _list_owners(vocabulary: Vocabulary) -> dict[str, list[str]]:
    """Return the topics of files, pages and repositories by id. The root and broad topics have no code of their own."""
    rankings: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for topic in vocabulary.topics.values():
        subject = topic.subject
        ids = [f"github:{subject.repo}:{path}" for path in topic.paths]
        ids += [f"docs:{subject.docs_project}/{page.replace('.html', '')}" for page in topic.docs]
        ids += [f"tutorial:{subject.tutorials_project}/{page.replace('.html', '')}" for page in topic.tutorials]
        ids += [f"github:{topic.repo.lower()}"] * bool(topic.repo)
        if topic.id not in vocabulary.roots and topic.id not in vocabulary.broad:
            for rank, id_ in enumerate(ids):
                rankings[id_].append((rank, topic.id))
    return {id_: [topic for _, topic in sorted(owners)] for id_, owners in rankings.items()}


def _find_citations(graph: Graph, node: str, owners: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str, str]]:
    """Yield (artifact, topic, reason) for each artifact that the item ``node`` cites and that belongs to a topic.

    ``owners`` has the topics of each place: a file, folder, page or repository.
    """
    edges = graph.out_edges(node, keys=True, data=True)
    targets = (target for _, target, relation, data in edges if relation == "cites" and not data.get("boilerplate"))
    for target in sorted(targets):
        home = f"github:{graph.nodes[target].get('repo', '')}"
        place = next((place for place in (*_find_places(target), home) if place in owners), "")
        reason = "in its repository" if place == home else "its code" if place[:7] == "github:" else "its documentation"
        yield from ((target, topic, reason) for topic in owners.get(place, ()))


def _find_places(id_: str) -> Iterator[str]:
    """Yield the places of a topic that a cited artifact is in: itself, its page without the anchor, its folders."""
    yield id_
    yield id_.partition("#")[0]
    while id_.startswith("github:") and "/" in id_.rpartition(":")[2]:
        id_ = id_.rpartition("/")[0]
        yield f"{id_}/"


def _weight(opens: int, list_start: float, evidence: Iterable[Evidence]) -> float:
    """Return the weight of a topic in an item, by its mentions there.

    The opening of its notes ends at ``opens``, its reading list begins at ``list_start``.
    """
    places: dict[str, list[Evidence]] = defaultdict(list)
    for item in evidence:
        places[item["field"]].append(item)
    weight, factor = _TITLE * _find_surest(places["title"]), _DEEP
    before = [item for item in places["notes"] if item["start"] < list_start]
    if before:  # more for repetitions, and for one in the opening
        factor = 1 + 0.5 * math.log2(len(before)) + (_OPENING if before[0]["start"] < opens else 0.0)
    weight += _find_surest(places["notes"]) * factor
    if places["transcript"] and not weight:
        moments = places["transcript"][0].get("moments", ())
        weight = _SPOKEN * min(3.0, 1 + math.log2(len(moments) or 1) / 2)
    return weight or (1.0 if evidence else 0.0)


def _find_surest(evidence: Iterable[Evidence]) -> float:
    """Return the highest confidence; 0 without evidence."""
    return max((item["confidence"] for item in evidence), default=0.0)


def _add_topic(graph: Graph, id_: str, vocabulary: Vocabulary) -> None:
    """Add a topic's node and those above it, and the edges between."""
    for current in (id_, *(vocabulary.above(id_) if id_ in vocabulary.topics else ())):
        if topic := vocabulary.topics.get(current):
            area = vocabulary.topics[vocabulary.areas[current]]
            name = area.name if area.area else ""
            attributes = drop_unknown(kind="topic", label=topic.name, aliases=topic.aliases, area=name)
            graph.add_node(f"topic:{current}", **attributes)
            for above in filter(None, map(vocabulary.topics.get, topic.part_of)):
                reason = because(f"{topic.name} is part of {above.name}")
                graph.add_edge(f"topic:{current}", f"topic:{above.id}", "subtopic_of", **reason)


def _tidy(graph: Graph, vocabulary: Vocabulary, covers: Mapping[tuple[str, str], str]) -> None:
    """Count items by topic, remove topics without items, and add ``covers`` edges."""
    for node in [node for node, data in graph.nodes(data=True) if data["kind"] == "topic"]:
        relations = [relation for _, _, relation in graph.in_edges(node, keys=True)]
        graph.nodes[node]["count"] = relations.count("about")
        if not relations:
            graph.remove_node(node)
    for (topic, target), reason in sorted(covers.items()):
        if f"topic:{topic}" in graph and graph.nodes[target]["kind"] in _COVERED:
            sentence = f"{graph.nodes[target]['label']} belongs to {vocabulary.topics[topic].name}: {reason}"
            graph.add_edge(f"topic:{topic}", target, "covers", **because(sentence))
    _lead_to_code(graph, vocabulary)


def _lead_to_code(graph: Graph, vocabulary: Vocabulary) -> None:
    """Connect topics in titles with their first file and their first documentation page, cited or not.

    So an episode without symbols and links leads into the source too.
    """
    edges = graph.edges(keys=True, data=True)
    for node in sorted({node for _, node, relation, data in edges if relation == "about" and in_title(data)}):
        topic = vocabulary.topics.get(node.removeprefix("topic:"))
        if not topic:
            continue
        repo = topic.subject.repo
        places = [
            (f"https://github.com/{repo}/{'tree' if path[-1:] == '/' else 'blob'}/main/{path}", "its code")
            for path in topic.paths[:1]
        ]
        places += [(f"{topic.subject.docs}{page}", "its documentation") for page in topic.docs[:1]]
        for url, reason in places:
            match = identify(url)
            if match and (ref := match[1]).kind in _COVERED:
                if ref.id not in graph:
                    graph.add_node(ref.id, **artifact_attributes(ref))
                    if ref.id.startswith(f"github:{repo}:") and f"github:{repo}" in graph:
                        reason_for_repo = because("its address names the repository")
                        graph.add_edge(ref.id, f"github:{repo}", "in_repo", **reason_for_repo)
                if not graph.has_edge(node, ref.id, "covers"):
                    graph.add_edge(node, ref.id, "covers", **because(f"{topic.name} lists it as {reason}"))
