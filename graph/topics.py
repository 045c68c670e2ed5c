"""The topics of each episode with their weights, also from its citations, and the hierarchy of topics."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from podgraph.extractors import identify, is_about, opening_end

from .attributes import because, in_title
from .boilerplate import list_texts
from .kinds import RELATIONS
from .metadata import artifact_attributes, drop_unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from podgraph.extractors import Aside, Vocabulary

    from .attributes import Evidence, Graph

_MAXIMUM_TOPICS = 8  # of an item
_MINIMUM_SHARE = 0.09  # of the weight of an item's first topic: topics with less are only mentioned in passing
# The weight of a topic in the title; the addition if the opening names it; the factor if only a list of links does.
_TITLE_WEIGHT, _OPENING_EXTRA, _LIST_FACTOR = 3.0, 0.5, 0.5
_OPENING_LENGTH = 250  # characters of the opening of the notes, where their subject usually is
# the line from where on notes only list links
_READING_LIST = re.compile(
    r"^\W*(?:further reading|liner notes|outline|show notes|links|references|code pointers)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SPOKEN_WEIGHT = 0.3  # weight of a topic only in the transcript, times the logarithm of its minutes
_CITED_WEIGHT, _CITED_EXTRA = 1.0, 0.3  # of a topic whose code is cited: not named in the text; named there, too
_FILED_WEIGHT = 2.0  # of a topic from the feed's own categories; their edges have reasons
_COVERED_KINDS = RELATIONS["covers"].targets  # the kinds of artifacts that a topic may be connected to


def add_topics(graph: Graph, vocabulary: Vocabulary, asides: Mapping[str, Sequence[Aside]] | None = None) -> None:
    """Complete the topics of a built graph, in place.

    Adds topics whose code or pages an episode cites, with reasons. ``about`` edges get their weight (the title counts
    3, the notes 1, and more for repetitions and for the opening), and topics mentioned in passing are removed. Topics
    get ``aliases`` and ``count`` (episodes about them), ``subtopic_of`` edges up to the root, and ``covers`` edges to
    their cited artifacts. An episode without topics is about the podcast's subject. Posts are treated like episodes.
    ``vocabulary`` has the topics. ``asides`` are the passages that feeds repeat, by the id of the episode: they do not
    count as the opening of its notes.
    """
    owners = _list_owners(vocabulary)
    covers: dict[tuple[str, str], str] = {}  # (topic, artifact) -> reason
    for node in list_texts(graph):
        item = graph.nodes[node]
        podcast = graph.nodes.get(item.get("podcast", ""), {})
        own_texts = item.get("title", ""), item.get("summary", "")
        podcast_texts = podcast.get("title", ""), podcast.get("description", "")
        # The vocabularies of the podcast's subjects, then also of those that the episode's own texts name.
        homes = [part for part in vocabulary.parts if part.subject.concerns(*podcast_texts)]
        near = [part for part in vocabulary.parts if part in homes or is_about(part.subject, *own_texts)]
        topics_near = {id_ for part in near for id_ in part.topics}
        citations = [citation for citation in _find_citations(graph, node, owners) if citation.topic in topics_near]
        covers.update({(topic, artifact): reason for artifact, topic, reason in citations})
        opening = opening_end((asides or {}).get(node, ()), _OPENING_LENGTH)
        if not _set_weights(graph, node, citations, vocabulary, opening):
            for part in near:  # the subject that its podcast or the item itself names
                if part.root and part.subject.words:
                    _add_topic(graph, part.root, part)
                    more = "; the podcast is about" if part in homes else " but"
                    reasons = [f"its title and notes name no topic{more} {part.subject.name}"]
                    graph.add_edge(node, f"topic:{part.root}", "about", weight=0.1, reasons=reasons)
    _finish_topics(graph, vocabulary, covers)


class _Citation(NamedTuple):
    """A cited artifact that belongs to a topic, with the reason."""

    artifact: str
    topic: str
    reason: str


def _set_weights(graph: Graph, node: str, citations: Iterable[_Citation], vocabulary: Vocabulary, opening: int) -> bool:
    """Set the weights of the topics of an episode or post (``node``), named or cited; return whether it has any.

    Topics with a small share of the first one's weight are removed. ``citations`` are artifacts of topics that it
    cites; a single one adds no topic to an episode naming others. The opening of its notes ends at the offset
    ``opening``. ``vocabulary`` has the topics.
    """
    # Of the notes, everything behind the heading of a reading list counts less.
    notes = graph.nodes[node].get("summary", "")
    heading = _READING_LIST.search(notes)
    list_start = heading.start() if heading and heading.start() else math.inf  # notes of links only have no list
    weights = {}
    for _, target, relation, data in graph.out_edges(node, keys=True, data=True):
        if relation == "about":
            weight = _compute_weight(opening, list_start, data.get("evidence", ()))
            weights[target] = weight + (_FILED_WEIGHT if data.get("reasons") else 0.0)
    reasons: dict[str, list[str]] = defaultdict(list)
    for artifact, topic, reason in citations:
        reasons[f"topic:{topic}"].append(f"cites {graph.nodes[artifact]['label']}, {reason}")
    has_named_topics = bool(weights)
    for id_, citing in reasons.items():
        if id_ in weights:
            weights[id_] += _CITED_EXTRA
        elif not has_named_topics or len(citing) > 1:
            weights[id_] = _CITED_WEIGHT
    ranking = sorted(weights, key=lambda topic: (-weights[topic], topic))[:_MAXIMUM_TOPICS]
    topics = [topic for topic in ranking if weights[topic] >= _MINIMUM_SHARE * weights[ranking[0]]]
    in_passing: Any = [(node, topic, "about") for topic in weights if topic not in topics]
    graph.remove_edges_from(in_passing)
    for id_ in sorted(topics):
        _add_topic(graph, id_.removeprefix("topic:"), vocabulary)
        graph.add_edge(node, id_, "about", **drop_unknown(weight=round(weights[id_], 3), reasons=reasons.get(id_)))
    return bool(topics)


def _list_owners(vocabulary: Vocabulary) -> dict[str, list[str]]:
    """Return {id of a file, folder, page or repository: the topics that list it, the one listing it first at the top}.

    The root and broad topics have no code of their own, so they are left out.
    """
    rankings: dict[str, list[tuple[int, str]]] = defaultdict(list)  # id -> (its place in the topic's list, topic)
    for topic in vocabulary.topics.values():
        subject = topic.subject
        ids = [f"github:{subject.repo}:{path}" for path in topic.paths]
        ids += [f"docs:{subject.docs_project}/{page.replace('.html', '')}" for page in topic.docs]
        ids += [f"tutorial:{subject.tutorials_project}/{page.replace('.html', '')}" for page in topic.tutorials]
        ids += [f"github:{topic.repo.lower()}"] if topic.repo else []
        if topic.id not in vocabulary.roots and topic.id not in vocabulary.broad:
            for rank, id_ in enumerate(ids):
                rankings[id_].append((rank, topic.id))
    return {id_: [topic for _, topic in sorted(owners)] for id_, owners in rankings.items()}


def _find_citations(graph: Graph, node: str, owners: Mapping[str, Sequence[str]]) -> Iterator[_Citation]:
    """Yield each artifact that an episode or post (``node``) cites and that belongs to a topic, with topic and reason.

    ``owners`` has the topics of each place: a file, folder, page or repository.
    """
    edges = graph.out_edges(node, keys=True, data=True)
    targets = (target for _, target, relation, data in edges if relation == "cites" and not data.get("boilerplate"))
    for target in sorted(targets):
        home = f"github:{graph.nodes[target].get('repo', '')}"
        place = next((place for place in (*_find_places(target), home) if place in owners), "")
        where = "its code" if place.startswith("github:") else "its documentation"
        reason = "in its repository" if place == home else where
        yield from (_Citation(target, topic, reason) for topic in owners.get(place, ()))


def _find_places(id_: str) -> Iterator[str]:
    """Yield the ids of the places that a cited artifact is in: itself, its page without the anchor, its folders."""
    yield id_
    yield id_.partition("#")[0]
    while id_.startswith("github:") and "/" in id_.rpartition(":")[2]:
        id_ = id_.rpartition("/")[0]
        yield f"{id_}/"


def _compute_weight(opening: int, list_start: float, evidence: Iterable[Evidence]) -> float:
    """Return the weight of a topic in an episode, from the ``evidence`` of its mentions there.

    The opening of the notes ends at the offset ``opening``, their list of links begins at ``list_start`` (infinity:
    none).
    """
    places: dict[str, list[Evidence]] = defaultdict(list)
    for item in evidence:
        places[item["field"]].append(item)
    weight, factor = _TITLE_WEIGHT * _find_surest(places["title"]), _LIST_FACTOR
    before = [item for item in places["notes"] if item["start"] < list_start]
    if before:  # more for repetitions, and for one in the opening
        factor = 1 + 0.5 * math.log2(len(before)) + (_OPENING_EXTRA if before[0]["start"] < opening else 0.0)
    weight += _find_surest(places["notes"]) * factor
    if places["transcript"] and not weight:
        moments = places["transcript"][0].get("moments", ())
        weight = _SPOKEN_WEIGHT * min(3.0, 1 + math.log2(len(moments) or 1) / 2)
    return weight or (1.0 if evidence else 0.0)


def _find_surest(evidence: Iterable[Evidence]) -> float:
    """Return the highest confidence of some pieces of evidence; 0 without any."""
    return max((item["confidence"] for item in evidence), default=0.0)


def _add_topic(graph: Graph, id_: str, vocabulary: Vocabulary) -> None:
    """Add the node of a topic (an id without ``topic:``) and those of the topics above it, with the edges between.

    ``vocabulary`` has the topics.
    """
    for current in (id_, *(vocabulary.list_wholes(id_) if id_ in vocabulary.topics else ())):
        if topic := vocabulary.topics.get(current):
            # A topic without an area above it is its own, but need not be an area.
            area = vocabulary.topics[vocabulary.areas[current]]
            name = area.name if area.area else ""
            attributes = drop_unknown(kind="topic", label=topic.name, aliases=topic.aliases, area=name)
            graph.add_node(f"topic:{current}", **attributes)
            for above in filter(None, map(vocabulary.topics.get, topic.part_of)):
                reason = because(f"{topic.name} is part of {above.name}")
                graph.add_edge(f"topic:{current}", f"topic:{above.id}", "subtopic_of", **reason)


def _finish_topics(graph: Graph, vocabulary: Vocabulary, covers: Mapping[tuple[str, str], str]) -> None:
    """Count the episodes about each topic, remove topics without any edge, and add the ``covers`` edges.

    ``vocabulary`` has the topics, ``covers`` is {(topic, artifact): reason}.
    """
    for node in [node for node, data in graph.nodes(data=True) if data["kind"] == "topic"]:
        relations = [relation for *_, relation in graph.in_edges(node, keys=True)]
        graph.nodes[node]["count"] = relations.count("about")
        if not relations:
            graph.remove_node(node)
    for (topic, target), reason in sorted(covers.items()):
        if f"topic:{topic}" in graph and graph.nodes[target]["kind"] in _COVERED_KINDS:
            sentence = f"{graph.nodes[target]['label']} belongs to {vocabulary.topics[topic].name}: {reason}"
            graph.add_edge(f"topic:{topic}", target, "covers", **because(sentence))
    _add_code_of_topics(graph, vocabulary)


def _add_code_of_topics(graph: Graph, vocabulary: Vocabulary) -> None:
    """Connect each topic that a title names with its first file and its first documentation page, cited or not.

    So an episode without symbols and links leads into the source too. ``vocabulary`` has the files and pages.
    """
    edges = graph.edges(keys=True, data=True)
    for node in sorted({node for _, node, relation, data in edges if relation == "about" and in_title(data)}):
        topic = vocabulary.topics.get(node.removeprefix("topic:"))
        if not topic:
            continue
        repo = f"github:{topic.subject.repo}"
        places = [(f"{topic.subject.docs}{page}", "its documentation") for page in topic.docs[:1]]
        for path in topic.paths[:1]:
            form = "tree" if path.endswith("/") else "blob"
            places.append((f"https://github.com/{topic.subject.repo}/{form}/main/{path}", "its code"))
        for url, reason in places:
            match = identify(url)
            if match and (ref := match[1]).kind in _COVERED_KINDS and not graph.has_edge(node, ref.id, "covers"):
                if ref.id not in graph:
                    graph.add_node(ref.id, **artifact_attributes(ref))
                    if ref.id.startswith(f"{repo}:") and repo in graph:
                        graph.add_edge(ref.id, repo, "in_repo", **because("its address names the repository"))
                graph.add_edge(node, ref.id, "covers", **because(f"{topic.name} lists it as {reason}"))
