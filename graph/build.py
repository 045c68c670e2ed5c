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
from .metadata import add_knowledge, artifact_attributes, drop_unknown, join_edges, to_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from podgraph.extractors import ArtifactNames, Episode, Extraction, Fact, Feed, KnownEdge, Mention, Ref

    from .attributes import Evidence, Graph
    from .metadata import Edges, Nodes

    Attributes = dict[str, object]

# Kinds labelled by their title, else by the text of the links to them; other kinds have a name in their address.
_TITLED_KINDS = frozenset("blog commit discussion forum gist issue paper pull question tutorial video web".split())
# For these kinds a number is as good as words in a text; only the text of a link is a better label.
_NUMBERED_KINDS = frozenset(("commit", "issue", "pull"))
# When spellings of one id have several kinds, the more specific kind wins.
STRONGER = {"pull": 2, "file": 1, "blog": 1, "issue": 1}


def build_graph(
    feeds: Sequence[Feed], extractions: Sequence[Extraction], facts: Iterable[Fact] = (),
    known_edges: Iterable[KnownEdge] = (), *, generator: str = "podgraph",
) -> Graph:  # fmt: skip
    """Build the graph of some feeds and of the mentions in their episodes and posts (``extractions``).

    ``facts`` add attributes to existing nodes, ``known_edges`` relations without a text. ``generator`` is the name of
    the program. Returns a directed multigraph whose edge keys are relations and whose nodes, edges and evidence are in
    a fixed order, whatever the order of the input. Boilerplate edges are marked.
    """
    nodes: Nodes = {feed.id: _describe_podcast(feed) for feed in feeds if feed.kind == "podcast"}
    edges: Edges = {}
    refs: dict[str, Ref] = {}  # the chosen spelling of each artifact
    guests: list[KnownEdge] = []
    hosts: list[Ref] = []
    about: Attributes = {"schema": SCHEMA, "generator": generator, "sources": [*map(_describe_source, feeds)]}
    transcript_count = 0
    for extraction in extractions:
        episode = extraction.episode
        attributes = _describe_episode(episode, extraction.truncated_links)
        nodes[episode.id] = {**nodes.get(episode.id, {}), **attributes}
        if episode.podcast:
            edges[episode.id, episode.podcast, "part_of"] = because("an item of its feed")
        guests += extraction.guests
        hosts += extraction.hosts
        transcript_count += any(mention.field == "transcript" for mention in extraction.mentions)
        for mention in extraction.mentions:
            ref = refs.setdefault(mention.ref.id, mention.ref)
            if ref != mention.ref:
                refs[ref.id] = min(ref, mention.ref, key=_rank_spelling)
    # The id of a commit with a short sha -> that with the whole sha, if another text has it.
    renames = whole_shas(ref.id for ref in refs.values() if ref.kind == "commit")
    for id_ in refs.keys() - renames.keys():
        nodes.setdefault(id_, artifact_attributes(refs[id_]))
    for extraction in extractions:
        _add_evidence(edges, extraction, renames)
    _add_hosts(nodes, hosts, renames)
    for id_, names in collect_names(extractions).items():
        _add_names(nodes.get(renames.get(id_, id_), {}), names)
    add_knowledge(nodes, edges, list(facts), [*known_edges, *guests], renames)
    for node in nodes.values():
        if node.get("title") and (node["kind"] in _TITLED_KINDS or node["kind"] == "docs"):
            node["label"] = node["title"]
    graph = to_graph(nodes, edges, about | drop_unknown(transcripts=transcript_count or None))
    mark_boilerplate(graph)
    return graph


def _add_evidence(edges: Edges, extraction: Extraction, renames: Mapping[str, str]) -> None:
    """Add an edge from an episode or post to each artifact it mentions, with the mentions as evidence.

    If the edge exists already, because one feed comes from two sources, its evidence grows. ``renames`` maps other
    spellings of an id to the node's id. ``edges`` is filled in place.
    """
    source = extraction.episode.id
    mentions: dict[tuple[str, str, str], list[Mention]] = defaultdict(list)
    for mention in extraction.mentions:
        if (target := renames.get(mention.ref.id, mention.ref.id)) != source:
            mentions[source, target, mention.relation].append(mention)
    for edge, its_mentions in mentions.items():
        attributes: Attributes = {"weight": 1, "evidence": [*map(_to_evidence, its_mentions)]}
        if edge[2] == "mentions":  # the relation; the weight becomes the number of mentions in join_edges
            attributes |= _find_role([mention for mention in its_mentions if mention.ref.kind == "person"])
        edges[edge] = join_edges(attributes, edges.get(edge, {}))


def _add_hosts(nodes: Nodes, hosts: Iterable[Ref], renames: Mapping[str, str]) -> None:
    """Add to ``nodes`` the persons whom feeds name as their podcast's hosts, each with its podcasts in ``hosts``.

    ``renames`` maps other spellings of an id to the node's id.
    """
    for ref in hosts:
        node = nodes.setdefault(renames.get(ref.id, ref.id), artifact_attributes(ref))
        shows = cast("tuple[str, ...]", dict(ref.attrs)["hosts"])
        node["hosts"] = sorted({*cast("list[str]", node.get("hosts", [])), *shows})


def _add_names(node: Attributes, names: ArtifactNames) -> None:
    """Add the ``names`` that texts give an artifact to its node, in place; the first may become its label.

    Episodes, persons and nodes with a title keep their names. A documentation page about one object keeps the object's
    name, unless a link calls it otherwise.
    """
    kind, label = str(node.get("kind", "")), str(node.get("label", ""))
    if not node or kind in ("episode", "person") or "title" in node:
        return
    texts, has_link = names  # has_link: the first text is that of a link
    node["names"] = list(texts)
    is_page = kind == "docs" and ": " in label
    if (kind in _TITLED_KINDS and (has_link or kind not in _NUMBERED_KINDS)) or (is_page and has_link):
        node["label"] = texts[0]


def _describe_podcast(feed: Feed) -> Attributes:
    """Return the attributes of a podcast's node."""
    names = ("title", "url", "feed_url", "description", "author", "image", "language", "group")
    attributes = {name: getattr(feed, name) for name in names}
    return drop_unknown(kind="podcast", label=feed.title or feed.id, **attributes)


def _describe_source(feed: Feed) -> Attributes:
    """Return the entry of a source in the graph's attribute ``sources``: its address, kind, title, number of episodes.

    A private feed is named by its host only.
    """
    return drop_unknown(
        source=(feed.private and feed.feed_url) or _name_source(feed.source), private=feed.private or None,
        kind="feed" if feed.kind == "podcast" else feed.kind, title=feed.title, author=feed.author,
        url=feed.feed_url or feed.url, episodes=len(feed.episodes),
    )  # fmt: skip


def _name_source(source: str) -> str:
    """Return the name of a source in the graph, for others to see: of an absolute path on a disk only its last part.

    >>> _name_source("/home/ann/feeds/talks.xml"), _name_source("feeds/talks.xml"), _name_source("https://x.org/a.xml")
    ('talks.xml', 'feeds/talks.xml', 'https://x.org/a.xml')
    """
    local = source.lower().startswith("file:") or source.startswith(("/", "~")) or PureWindowsPath(source).is_absolute()
    return (PureWindowsPath(source).name or source) if local else source


def whole_shas(commits: Iterable[str]) -> dict[str, str]:
    """Return {id of a commit with a short sha: id with the whole sha} for the ids ``commits``.

    A short sha that begins several whole ones is left out, because it is ambiguous.
    """
    wholes: dict[str, str] = {}
    ids = sorted(commits)
    for index, short in enumerate(ids):
        # In the alphabet, all ids with this beginning follow it, up to the last character of Unicode. They mean one
        # commit if each of them is the beginning of the last.
        longer = ids[index + 1 : bisect(ids, f"{short}\U0010ffff")]
        if longer and all(longer[-1].startswith(id_) for id_ in longer):
            wholes[short] = longer[-1]
    return wholes


def _rank_spelling(ref: Ref) -> tuple[object, ...]:
    """Return the sort key of a spelling of an artifact's id: the strongest kind first, then by the alphabet."""
    return -STRONGER.get(ref.kind, 0), ref.kind, ref.label, ref.url, ref.attrs


def _describe_episode(episode: Episode, truncated_links: tuple[str, ...]) -> Attributes:
    """Return the attributes of an episode's node. Without a title it is labelled by its number or the end of its id.

    ``truncated_links`` are the addresses in its notes that the feed cut off.
    """
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


def _to_evidence(mention: Mention) -> Evidence:
    """Return a mention as a piece of evidence of an edge."""
    names = ("field", "start", "end", "quote", "method", "extractor", "confidence")
    time = mention.ref.time if mention.time is None else mention.time
    more = drop_unknown(
        url=mention.url, ref=mention.ref.rev, lines=mention.ref.lines, time=time, count=mention.count or None,
        moments=mention.moments,
    )  # fmt: skip
    return cast("Evidence", {name: getattr(mention, name) for name in names} | more)


def _find_role(mentions: Sequence[Mention]) -> Attributes:
    """Return the attributes ``role`` and ``affiliation`` of a person in an episode, from the person's mentions.

    Of several roles, the strongest counts; an absent affiliation is left out.
    """
    roles = {mention.role or "mentioned" for mention in mentions}
    role = next((role for role in ROLES if role in roles), "")
    affiliations = (mention.affiliation for mention in mentions if mention.affiliation)
    return drop_unknown(role=role, affiliation=next(affiliations, ""))
