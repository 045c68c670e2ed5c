"""The topics of each episode with their weights, also from its citations, and the hierarchy of topics."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from podgraph.extractors import identify, is_about, opening_end

from .attributes import in_title, was_read
from .kinds import RELATIONS, SOURCES
from .words import ASKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from podgraph.extractors import Aside, Topic, Vocabulary

    from .attributes import EdgeAttributes, Evidence, Graph, NodeAttributes

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
_PASSING = 0.7  # factor for a topic named only for a comparison
_BEFORE = 40  # characters before a name, searched for words of comparison
# the end of the words before a name in a mere comparison: `similar to`, `rather than the`, `stuff like`
_COMPARED = re.compile(
    r"\b(?:similar to|such as|e\.g\.|as in|unlike|(?:stuff|things?|something|just|much) like|as opposed to|"
    r"compared (?:to|with)|rather than|instead of|inspired by) (?:the |an? |in )?$",
    re.IGNORECASE,
)
_URL = re.compile(r"\w+://\S*")
_WORD = re.compile(r"[^\W\d_][\w'+#.]*")
_FILED = 2.0  # weight of a topic from the feed's own categories
_COVERED = RELATIONS["covers"].targets
_PER_CITED = 2  # topics of one cited artifact, at most


def add_topics(graph: Graph, vocabulary: Vocabulary, asides: Mapping[str, Sequence[Aside]] | None = None) -> None:
    """Complete the topics of a built graph, in place.

    Adds topics whose code or pages an item cites, with reasons. ``about`` edges get their
    weight (the title counts 3, the notes 1, and more for repetitions and for the opening), and topics mentioned in
    passing are removed. Topics get ``aliases`` and ``count`` (items about them), ``subtopic_of`` edges up to the root,
    and ``covers`` edges to their cited artifacts. An item without topics is about the podcast's subject.
    ``asides`` are the passages repeated in feeds, by the id of the item: they do not count as an opening.
    """
    owners = _Owners(vocabulary)
    sources, topics = [], {f"topic:{id_}" for id_ in vocabulary.topics}
    repos: dict[str, str] = {}
    for node, data in graph.nodes(data=True):
        if owners.has_repo(data.get("repo", "")):
            repos[node] = data["repo"]
        if data["kind"] == "topic":
            topics.add(node)
        elif data["kind"] in SOURCES and (was_read(data) or graph.out_degree(node)):
            sources.append(node)
    covered: dict[tuple[str, str], str] = {}
    for node in sorted(sources):
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
        cited = [one for one in _find_cited(graph, node, owners, repos) if one[1] in topics_near]
        covered.update({(topic, target): reason for target, topic, reason in cited})
        opens = opening_end((asides or {}).get(node, ()), _OPENS)
        if not _weigh(graph, node, cited, vocabulary, opens):
            for part, is_home in near:  # the subject that its podcast or the item itself names
                if part.root and part.subject.words:
                    name = part.subject.name
                    more = f"; the podcast is about {name}" if is_home else f" but {name} itself"
                    _add_topic(graph, part.root, part)
                    reasons = [f"its title and notes name no topic{more}"]
                    graph.add_edge(node, f"topic:{part.root}", "about", weight=0.1, reasons=reasons)
    _tidy(graph, vocabulary, covered, sorted(topic for topic in topics if topic in graph))


def _weigh(graph: Graph, node: str, cited: Iterable[tuple[str, str, str]], vocabulary: Vocabulary, opens: int) -> bool:
    """Set the weights of an item's named and cited topics; return whether it has any.

    ``cited`` are its cited artifacts with their topics; its opening ends at the offset ``opens`` of the notes.
    A single citation adds no topic to an item naming others, unless the item has a word of the topic's names.
    """
    notes = graph.nodes[node].get("summary", "")
    aside = _ASIDE.search(notes)
    list_start = aside.start() if aside and aside.start() else math.inf  # notes of links only have no reading list
    weights = {
        target: _weight(notes, opens, list_start, data.get("evidence", ())) + (_FILED if data.get("reasons") else 0.0)
        for _, target, relation, data in graph.out_edges(node, keys=True, data=True)
        if relation == "about"
    }
    reasons: dict[str, list[str]] = defaultdict(list)
    files: dict[str, list[str]] = defaultdict(list)
    for target, topic, reason in cited:
        reasons[f"topic:{topic}"].append(f"cites {graph.nodes[target]['label']}, {reason}")
        files[f"topic:{topic}"].append(graph.nodes[target].get("path", "").rpartition("/")[2])
    has_named_topics = bool(weights)
    for id_, citing in reasons.items():
        owner = vocabulary.topics[id_.removeprefix("topic:")]
        if id_ in weights:
            weights[id_] += _CITED_TOO
        elif not has_named_topics or len(citing) > 1 or _has_sign(graph.nodes[node], owner, files[id_]):
            weights[id_] = _CITED
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
    kept = {topic: weight for topic, weight in ranked if weight >= _SHARE * ranked[0][1]}
    for id_ in weights.keys() - kept.keys():
        if graph.has_edge(node, id_, "about"):
            graph.remove_edge(node, id_, "about")
    for id_ in sorted(kept):
        _add_topic(graph, id_.removeprefix("topic:"), vocabulary)
        edge: EdgeAttributes = {"weight": round(kept[id_], 3)}
        if id_ in reasons:
            edge["reasons"] = reasons[id_]
        graph.add_edge(node, id_, "about", **edge)
    return bool(kept)


def _has_sign(item: NodeAttributes, topic: Topic, files: Iterable[str]) -> bool:
    """Return whether title or notes, without URLs, have a word of a topic's names or of the names of its files."""
    words = _words(_URL.sub(" ", f"{item.get('title', '')} {item.get('summary', '')}")) - _words(topic.subject.name)
    return any(not words.isdisjoint(_words(name)) for name in (topic.name, *topic.aliases, *files))


def _words(text: str) -> set[str]:
    """Return the possible names among the words of a text. A dotted name is one word."""
    words = {word.rstrip(".'") for word in _WORD.findall(text.lower())}
    return {word.removesuffix("s") for word in words - ASKING if len(word) > 1}


class _Owners:
    """The topics of files, folders, pages and repositories, by node id."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        """List each topic under its addresses. The root and broad topics have no code of their own."""
        exact: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self._repos: dict[str, list[str]] = defaultdict(list)
        for topic in vocabulary.topics.values():
            if topic.id not in vocabulary.roots and topic.id not in vocabulary.broad:
                for id_, rank in _addresses(topic):
                    exact[id_].append((rank, topic.id))
                if topic.repo:
                    self._repos[f"github:{topic.repo.lower()}"].append(topic.id)
        self._exact = {id_: [topic for _, topic in sorted(owners)[:_PER_CITED]] for id_, owners in exact.items()}

    def has_repo(self, repo: str) -> bool:
        """Return whether a repository belongs to a topic."""
        return f"github:{repo}" in self._repos

    def of(self, id_: str, repo: str) -> Iterator[tuple[str, str]]:
        """Yield (topic, reason) for a node id: for the node itself, the page without its anchor, the folder."""
        for place, reason in _surroundings(id_):
            if place in self._exact:
                yield from ((topic, reason) for topic in self._exact[place])
                return
        yield from ((topic, "in its repository") for topic in self._repos.get(f"github:{repo}", ()))


def _surroundings(id_: str) -> Iterator[tuple[str, str]]:
    """Yield the possible places of a topic for a node id, the nearest first, each with its reason."""
    yield id_, "its code" if id_.startswith("github:") else "its documentation"
    page, anchor, _ = id_.partition("#")
    if anchor:
        yield page, "a page of its documentation"
    folder = id_ if id_.startswith("github:") and id_.count(":") > 1 else ""
    while "/" in folder.rpartition(":")[2]:
        folder = folder.rpartition("/")[0]
        yield f"{folder}/", f"in its folder {folder.rpartition(':')[2]}"


def _addresses(topic: Topic) -> Iterator[tuple[str, int]]:
    """Yield (node id, position in the topic's list) of a topic's files, folders (with ``/``) and pages."""
    subject = topic.subject
    for rank, path in enumerate(topic.paths):
        yield f"github:{subject.repo}:{path}", rank
    for rank, page in enumerate(topic.docs):
        yield f"docs:{subject.docs_project}/{page.replace('.html', '')}", rank
    for rank, page in enumerate(topic.tutorials):
        yield f"tutorial:{subject.tutorials_project}/{page.replace('.html', '')}", rank


def _find_cited(graph: Graph, node: str, owners: _Owners, repos: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield the artifacts cited by an item, the topic with this code or page, and the reason."""
    edges = graph.out_edges(node, keys=True, data=True)
    cited = (target for _, target, relation, data in edges if relation == "cites" and not data.get("boilerplate"))
    for target in sorted(cited):
        for topic, reason in owners.of(target, repos.get(target, "")):
            yield target, topic, reason


def _weight(notes: str, opens: int, list_start: float, evidence: Iterable[Evidence]) -> float:
    """Return the weight of a topic in an item, by its mentions there.

    The opening of its notes ends at ``opens``, its reading list begins at ``list_start``.
    """
    places: dict[str, list[Evidence]] = defaultdict(list)
    for item in evidence:
        places[item["field"]].append(item)
    weight, in_notes = _TITLE * _find_surest(places["title"]), places["notes"]
    if in_notes:
        before = [item for item in in_notes if item["start"] < list_start]
        factor = _DEEP
        if before:  # more for repetitions, and for one in the opening
            factor = 1 + 0.5 * math.log2(len(before)) + (_OPENING if before[0]["start"] < opens else 0.0)
            befores = [notes[max(0, item["start"] - _BEFORE) : item["start"]] for item in before]
            factor *= _PASSING if all(map(_COMPARED.search, befores)) else 1.0
        weight += _find_surest(in_notes) * factor
    spoken = places["transcript"]
    if spoken and not weight:
        weight = _SPOKEN * min(3.0, 1 + math.log2(len(spoken[0].get("moments", ())) or 1) / 2)
    return weight or (1.0 if evidence else 0.0)


def _find_surest(evidence: Iterable[Evidence]) -> float:
    """Return the highest confidence; 0 without evidence."""
    return max((item["confidence"] for item in evidence), default=0.0)


def _add_topic(graph: Graph, id_: str, vocabulary: Vocabulary) -> None:
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


def _tidy(graph: Graph, vocabulary: Vocabulary, covered: Mapping[tuple[str, str], str], topics: Sequence[str]) -> None:
    """Count items by topic, remove topics without items, and add ``covers`` edges."""
    for node in topics:
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
    _lead_to_code(graph, vocabulary, topics)


def _lead_to_code(graph: Graph, vocabulary: Vocabulary, topics: Iterable[str]) -> None:
    """Connect topics in titles with their first file and their first documentation page, cited or not.

    So an episode without symbols and links leads into the source too.
    """
    for node in topics:
        topic = vocabulary.topics.get(node.removeprefix("topic:"))
        edges = graph.in_edges(node, keys=True, data=True) if topic and node in graph else ()
        if not topic or not any(relation == "about" and in_title(data) for _, _, relation, data in edges):
            continue
        home = f"github:{topic.subject.repo}"
        code = f"https://github.com/{topic.subject.repo}/"
        urls = [f"{code}{'tree' if path[-1:] == '/' else 'blob'}/main/{path.rstrip('/')}" for path in topic.paths[:1]]
        places = [(url, "its code") for url in urls]
        places += [(f"{topic.subject.docs}{page}", "its documentation") for page in topic.docs[:1]]
        for url, reason in places:
            found = identify(url)
            if not found or found[1].kind not in _COVERED or graph.has_edge(node, found[1].id, "covers"):
                continue
            ref = found[1]
            if ref.id not in graph:
                graph.add_node(ref.id, kind=ref.kind, label=ref.label, url=ref.url, **dict(ref.attrs))
                if home in graph and ref.id.startswith(f"{home}:"):
                    graph.add_edge(ref.id, home, "in_repo", weight=1, reasons=["its address names the repository"])
            graph.add_edge(node, ref.id, "covers", weight=1, reasons=[f"{topic.name} lists it as {reason}"])
