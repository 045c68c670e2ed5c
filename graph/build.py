"""Episodes and mentions become the graph: one node for each thing, whoever names it and however."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Any

import networkx as nx

from .kinds import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from podgraph.extractors import Episode, Extraction, Fact, Feed, KnownEdge, Mention, Ref

# Of the kinds that spellings of one id claim, the one that knows more than the others.
_STRONGER = {"pull": 2, "file": 1, "blog": 1, "issue": 1}


def build_graph(
    feeds: Sequence[Feed],
    extractions: Sequence[Extraction],
    facts: Iterable[Fact] = (),
    known_edges: Iterable[KnownEdge] = (),
    *,
    generator: str = "podgraph",
) -> nx.MultiDiGraph[str]:
    """Build the graph of some feeds and of what was found in their items.

    ``facts`` add attributes to nodes that exist, ``known_edges`` relations that no text states. Returns a directed
    multigraph whose edge keys are relations and whose nodes, edges and evidence are in a fixed order, whatever the
    order of the input.
    """
    nodes: dict[str, dict[str, Any]] = {}
    edges: dict[tuple[str, str, str], dict[str, Any]] = {}
    mentioned = [mention for extraction in extractions for mention in extraction.mentions]
    refs = _by_id(mentioned)
    joined = _joins(refs)
    for feed in feeds:
        if feed.kind == "podcast":
            nodes[feed.id] = _known(
                kind="podcast",
                label=feed.title or feed.id,
                title=feed.title,
                url=feed.url,
                feed_url=feed.feed_url,
                description=feed.description,
                author=feed.author,
                image=feed.image,
                language=feed.language,
            )
    for extraction in extractions:
        episode = extraction.episode
        attributes = _episode_attributes(episode, extraction.truncated)
        nodes[episode.id] = {**nodes.get(episode.id, {}), **attributes}
        if episode.podcast:
            edges[episode.id, episode.podcast, "part_of"] = {"weight": 1, "reasons": ["an item of its feed"]}
    for id_, spellings in refs.items():
        if joined.get(id_, id_) == id_ and id_ not in nodes:
            nodes[id_] = _artifact_attributes(_spokesman(spellings))
    evidence: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
    for extraction in extractions:
        for mention in extraction.mentions:
            target = joined.get(mention.ref.id, mention.ref.id)
            if target != extraction.episode.id:
                evidence[extraction.episode.id, target, mention.relation].append(_evidence(mention))
    for key, found in evidence.items():
        distinct = {tuple(item.items()): item for item in sorted(found, key=_place)}
        edges[key] = {"weight": len(distinct), "evidence": list(distinct.values())}
    for known in known_edges:
        ends = [joined.get(ref.id, ref.id) for ref in (known.source, known.target)]
        for id_, ref in zip(ends, (known.source, known.target), strict=True):
            nodes.setdefault(id_, _artifact_attributes(ref))
        edges.setdefault(
            (ends[0], ends[1], known.relation), {"weight": 1, **dict(known.attrs), "reasons": list(known.reasons)}
        )
    for id_, attributes in list(nodes.items()):
        if "repo" in attributes and id_ != (home := f"github:{attributes['repo']}"):
            nodes.setdefault(home, _repository(attributes["repo"]))
            edges[id_, home, "in_repo"] = {"weight": 1, "reasons": ["its address names the repository"]}
    for fact in facts:
        if fact.id in nodes:
            nodes[fact.id].update(fact.attrs)
    sources = [
        _known(
            source=feed.source, kind="feed" if feed.kind == "podcast" else feed.kind, title=feed.title,
            url=feed.feed_url or feed.url, episodes=len(feed.episodes), etag=feed.etag,
        )
        for feed in feeds
    ]  # fmt: skip
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(schema=SCHEMA, generator=generator, sources=sources)
    graph.add_nodes_from(sorted(nodes.items()))
    for (source, target, relation), attributes in sorted(edges.items(), key=lambda edge: edge[0]):
        graph.add_edge(source, target, relation, **attributes)
    return graph


def _by_id(mentions: Iterable[Mention]) -> dict[str, list[Ref]]:
    refs: dict[str, dict[Ref, None]] = defaultdict(dict)
    for mention in mentions:
        refs[mention.ref.id][mention.ref] = None
    return {id_: list(spellings) for id_, spellings in refs.items()}


def _joins(refs: dict[str, list[Ref]]) -> dict[str, str]:
    """Map ids that only the whole corpus shows to be another's: short shas.

    A short sha joins the one commit of the repository it begins; where it begins several, it stays alone.
    """
    joined: dict[str, str] = {}
    commits = sorted(id_ for id_, spellings in refs.items() if spellings[0].kind == "commit")
    for index, short in enumerate(commits):
        longer = []
        for other in islice(commits, index + 1, None):
            if not other.startswith(short):
                break
            longer.append(other)
        if longer and all(longer[-1].startswith(id_) for id_ in longer):
            joined[short] = longer[-1]
    return joined


def _spokesman(spellings: list[Ref]) -> Ref:
    """Return the spelling that stands for all: of the strongest kind, then the first in the alphabet."""
    return min(spellings, key=lambda ref: (-_STRONGER.get(ref.kind, 0), ref.kind, ref.label, ref.url, ref.attrs))


def _episode_attributes(episode: Episode, truncated: tuple[str, ...]) -> dict[str, Any]:
    label = episode.title or (
        f"Episode {episode.number}" if episode.number is not None else episode.id.rstrip("/").rpartition("/")[2]
    )
    return _known(
        kind=episode.kind, label=label, title=episode.title, url=episode.url,
        date=episode.date.isoformat() if episode.date else "", duration=episode.duration, number=episode.number,
        season=episode.season, guid=episode.guid, podcast=episode.podcast, audio_url=episode.audio_url,
        image=episode.image, explicit=episode.explicit, keywords=list(episode.keywords), chapters=episode.chapters,
        transcripts=list(episode.transcripts), summary=episode.notes, truncated_links=list(truncated),
        uncertain=list(episode.uncertain),
    )  # fmt: skip


def _artifact_attributes(ref: Ref) -> dict[str, Any]:
    return _known(kind=ref.kind, label=ref.label, url=ref.url, **dict(ref.attrs))


def _repository(name: str) -> dict[str, Any]:
    return {"kind": "repo", "label": name, "url": f"https://github.com/{name}", "repo": name}


def _evidence(mention: Mention) -> dict[str, Any]:
    ref = mention.ref
    return {
        "field": mention.field, "start": mention.start, "end": mention.end, "quote": mention.quote,
        "method": mention.method, "extractor": mention.extractor, "confidence": mention.confidence,
        **_known(url=mention.url, ref=ref.rev, lines=ref.lines, time=ref.time),
    }  # fmt: skip


def _place(evidence: dict[str, Any]) -> tuple[Any, ...]:
    return (
        evidence["field"] != "title",
        evidence["field"],
        evidence["start"],
        evidence["end"],
        evidence["method"],
        evidence.get("url", ""),
    )


def _known(**attributes: Any) -> dict[str, Any]:
    """Return the attributes that are known: what is not known is absent, never null or empty."""
    return {name: value for name, value in attributes.items() if value is not None and value not in ("", [])}
