"""Builds the graph from episodes and mentions, with one node for all spellings of an artifact."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from datetime import timedelta
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, cast

from podgraph.extractors import collect_names

from .attributes import because
from .boilerplate import mark_boilerplate
from .kinds import ROLES, SCHEMA
from .metadata import add_knowledge, artifact_attributes, as_graph, drop_unknown, join_edges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from podgraph.extractors import ArtifactNames, Episode, Extraction, Fact, Feed, KnownEdge, Mention, Ref

    from .attributes import Evidence, Graph
    from .metadata import Edges, Nodes

    Attributes = dict[str, object]

# Kinds labelled by their title, else by the text of the links to them; other kinds have a name in their address.
_CALLED = frozenset("blog commit discussion forum gist issue paper pull question tutorial video web".split())
# For these kinds the number is as good as the words before it; only a link's own text is better.
_NUMBERED = frozenset(("commit", "issue", "pull"))
# When spellings of one id have several kinds, the more specific kind wins.
STRONGER = {"pull": 2, "file": 1, "blog": 1, "issue": 1}


def build_graph(
    feeds: Sequence[Feed],
    extractions: Sequence[Extraction],
    facts: Iterable[Fact] = (),
    known_edges: Iterable[KnownEdge] = (),
    *,
    generator: str = "podgraph",
) -> Graph:
    """Build the graph of some feeds and of the mentions in their items.

    ``facts`` add attributes to existing nodes, ``known_edges`` relations without a text. Returns a directed
    multigraph whose edge keys are relations and whose nodes, edges and evidence are in a fixed order, whatever the
    order of the input. Boilerplate edges are marked.
    """
    draft = _Draft()
    about: Attributes = {"schema": SCHEMA, "generator": generator, "sources": [*map(draft.add_podcast, feeds)]}
    names = collect_names(draft.add_episodes(extractions))
    draft.add_artifacts()
    for extraction in extractions:
        draft.add_evidence(extraction)
    draft.add_hosts()
    draft.add_names(names)
    add_knowledge(draft.nodes, draft.edges, list(facts), [*known_edges, *draft.feed_edges], draft.renames)
    for node in draft.nodes.values():
        if node.get("title") and (node["kind"] in _CALLED or node["kind"] == "docs"):
            node["label"] = node["title"]
    if draft.transcript_count:
        about["transcripts"] = draft.transcript_count
    graph = as_graph(draft.nodes, draft.edges, about)
    mark_boilerplate(graph)
    return graph


class _Draft:
    """The attributes of nodes and of edges (source, target, relation) during the build.

    ``renames`` maps other spellings of an id to the node's id; ``feed_edges`` are the edges stated by feeds.
    """

    def __init__(self) -> None:
        self.nodes: Nodes = {}
        self.edges: Edges = {}
        self.renames: dict[str, str] = {}
        self.feed_edges: list[KnownEdge] = []
        self.transcript_count = 0
        self._hosts: list[Ref] = []
        self._refs: dict[str, Ref] = {}  # the chosen spelling of each artifact

    def add_podcast(self, feed: Feed) -> Attributes:
        """Add the node of a podcast's feed. Return the description of the feed as a source."""
        if feed.kind == "podcast":
            names = ("title", "url", "feed_url", "description", "author", "image", "language", "group")
            attributes = {name: getattr(feed, name) for name in names}
            self.nodes[feed.id] = drop_unknown(kind="podcast", label=feed.title or feed.id, **attributes)
        return _source(feed)

    def add_episodes(self, extractions: Iterable[Extraction]) -> Iterator[Extraction]:
        """Add items one by one, and collect the facts needed about all of them before artifacts are added."""
        for extraction in extractions:
            episode = extraction.episode
            attributes = _episode_attributes(episode, extraction.truncated_links)
            self.nodes[episode.id] = {**self.nodes.get(episode.id, {}), **attributes}
            if episode.podcast:
                self.edges[episode.id, episode.podcast, "part_of"] = because("an item of its feed")
            self.feed_edges += extraction.guests
            self._hosts += extraction.hosts
            self.transcript_count += any(mention.field == "transcript" for mention in extraction.mentions)
            for mention in extraction.mentions:
                ref = self._refs.setdefault(mention.ref.id, mention.ref)
                if ref != mention.ref:
                    self._refs[ref.id] = min(ref, mention.ref, key=_rank_spelling)
            yield extraction

    def add_artifacts(self) -> None:
        """Join the ids with several spellings, once all are noted, and add a node for each."""
        self.renames = whole_shas(ref.id for ref in self._refs.values() if ref.kind == "commit")
        for id_ in self._refs.keys() - self.renames.keys():
            self.nodes.setdefault(id_, artifact_attributes(self._refs[id_]))
        self._refs.clear()

    def add_evidence(self, extraction: Extraction) -> None:
        """Add an edge from an item to each artifact it mentions, with the mentions as evidence.

        If the edge exists already, because one feed comes from two sources, its evidence grows.
        """
        source = extraction.episode.id
        mentions: dict[tuple[str, str, str], list[Mention]] = defaultdict(list)
        for mention in extraction.mentions:
            if (target := self.renames.get(mention.ref.id, mention.ref.id)) != source:
                mentions[source, target, mention.relation].append(mention)
        for edge, its_mentions in mentions.items():
            attributes: Attributes = {"weight": 1, "evidence": [*map(_evidence, its_mentions)]}
            if edge[2] == "mentions":
                attributes |= _find_role([mention for mention in its_mentions if mention.ref.kind == "person"])
            self.edges[edge] = join_edges(attributes, self.edges.get(edge, {}))

    def add_hosts(self) -> None:
        """Add the persons whom feeds name as their podcast's, each with the podcasts."""
        for ref in self._hosts:
            shows = cast("tuple[str, ...]", dict(ref.attrs)["hosts"])
            node = self.nodes.setdefault(self.renames.get(ref.id, ref.id), artifact_attributes(ref))
            node["hosts"] = sorted({*cast("list[str]", node.get("hosts", [])), *shows})

    def add_names(self, names: Mapping[str, ArtifactNames]) -> None:
        """Label artifacts by their names in texts. A documentation page about one object keeps the object's name."""
        for id_, (texts, has_link) in names.items():
            node = self.nodes.get(self.renames.get(id_, id_), {})
            kind, label = str(node.get("kind", "")), str(node.get("label", ""))
            if not node or kind in ("episode", "person") or "title" in node:
                continue
            node["names"] = list(texts)
            is_page = kind == "docs" and ": " in label
            if (kind in _CALLED and (has_link or kind not in _NUMBERED)) or (is_page and has_link):
                node["label"] = texts[0]


def _source(feed: Feed) -> Attributes:
    return drop_unknown(
        source=(feed.private and feed.feed_url) or _name_source(feed.source), private=feed.private or None,
        kind="feed" if feed.kind == "podcast" else feed.kind, title=feed.title, author=feed.author,
        url=feed.feed_url or feed.url, episodes=len(feed.episodes),
    )  # fmt: skip


def _name_source(source: str) -> str:
    """Return the name of a source in the graph, for others to see: of a whole path its last part.

    >>> _name_source("/home/ann/feeds/talks.xml"), _name_source("feeds/talks.xml"), _name_source("https://x.org/talks.xml")
    ('talks.xml', 'feeds/talks.xml', 'https://x.org/talks.xml')
    """
    local = source.lower().startswith("file:") or source.startswith(("/", "~")) or PureWindowsPath(source).is_absolute()
    return (PureWindowsPath(source).name or source) if local else source


def whole_shas(commits: Iterable[str]) -> dict[str, str]:
    """Map short shas to the one commit of the repository they begin. The beginning of several stays alone."""
    wholes: dict[str, str] = {}
    ids = sorted(commits)
    for index, short in enumerate(ids):
        # In the alphabet, all ids with this beginning follow it, up to the last character of Unicode.
        longer = ids[index + 1 : bisect(ids, f"{short}\U0010ffff")]
        if longer and all(longer[-1].startswith(id_) for id_ in longer):
            wholes[short] = longer[-1]
    return wholes


def _rank_spelling(ref: Ref) -> tuple[object, ...]:
    """Return the sort key of the spellings of an id: the strongest kind first, then by the alphabet."""
    return -STRONGER.get(ref.kind, 0), ref.kind, ref.label, ref.url, ref.attrs


def _episode_attributes(episode: Episode, truncated_links: tuple[str, ...]) -> Attributes:
    """Return the attributes of an episode's node. Without a title it is labelled by its number or the end of its id."""
    label = episode.title or (
        f"Episode {episode.number}" if episode.number is not None else episode.id.rstrip("/").rpartition("/")[2]
    )
    names = "duration number season guid podcast audio_url image explicit keywords chapters transcripts".split()
    moments = [f"{timedelta(seconds=moment.start)} {moment.title or moment.url}" for moment in episode.moments]
    return drop_unknown(
        kind=episode.kind, label=label, title=episode.title, url=episode.url,
        date=episode.date.isoformat() if episode.date else "", **{name: getattr(episode, name) for name in names},
        summary=episode.notes, truncated_links=truncated_links, moments=moments, type=episode.type,
        uncertain=episode.uncertain,
    )  # fmt: skip


def _evidence(mention: Mention) -> Evidence:
    """Return a mention as the evidence of an edge."""
    names = ("field", "start", "end", "quote", "method", "extractor", "confidence")
    time = mention.ref.time if mention.time is None else mention.time
    more = drop_unknown(
        url=mention.url, ref=mention.ref.rev, lines=mention.ref.lines, time=time, count=mention.count or None,
        moments=mention.moments,
    )  # fmt: skip
    return cast("Evidence", {name: getattr(mention, name) for name in names} | more)


def _find_role(mentions: Sequence[Mention]) -> Attributes:
    """Return the role and affiliation of a person by the mentions; of several roles the strongest."""
    roles = {mention.role or "mentioned" for mention in mentions}
    role = next((role for role in ROLES if role in roles), "")
    return drop_unknown(role=role, affiliation=next((one.affiliation for one in mentions if one.affiliation), ""))
