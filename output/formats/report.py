"""A Markdown report: the episodes with their sources, then the sources with their episodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.graph import RELATIONS, kinds_of

from ..files import write_text
from .shared.days import day_of, newest_first
from .shared.flatten import clean_text
from .shared.markdown_text import markdown_line, markdown_link
from .shared.plain import edges_in_order, node_ids
from .shared.weblink import web_link

if TYPE_CHECKING:
    import os
    from collections.abc import Hashable, Iterator, Mapping

    from podgraph.graph import Kinds

    from .shared.plain import Graph

    Nodes = dict[str, Mapping[str, object]]
    Pairs = dict[str, list[tuple[str, str]]]

_CITING = ("cites", "mentions", "about")


def to_markdown(graph: Graph) -> str:
    """Return the report. All text of the feed is escaped; only http(s) URLs become links.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("episode:a/b", kind="episode", label="Strides", date="2024-08-04")
    >>> graph.add_node("docs:pytorch/x", kind="docs", label="x", url="https://docs.org/x")
    >>> _ = graph.add_edge("episode:a/b", "docs:pytorch/x", "cites")
    >>> print(to_markdown(graph).split("## Sources")[1], end="")
    <BLANKLINE>
    <BLANKLINE>
    ### Docs pages
    <BLANKLINE>
    - [x](<https://docs.org/x>): Strides
    """
    return "".join(_lines(graph))


def write_markdown(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the report to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, _lines(graph))


def label_of(attrs: Mapping[str, object], node: str) -> str:
    """Return the name of a node for readers: its title, else its label, else its id."""
    for name in ("title", "label"):
        if isinstance(text := attrs.get(name), str) and text.strip():
            return clean_text(text)
    return node


def _lines(graph: Graph) -> Iterator[str]:
    """Yield the report: the number of episodes and sources, each episode, each source."""
    ids = node_ids(graph, clean_text)
    nodes: Nodes = {name: graph.nodes[node] for node, name in ids.items()}
    out, into = _links(graph, ids)
    citing = {source for pairs in into.values() for _, source in pairs}
    items = [name for name in nodes if nodes[name].get("kind") == "episode" or name in citing]
    items = newest_first({name: nodes[name] for name in items})
    podcasts = [label_of(attrs, name) for name, attrs in nodes.items() if attrs.get("kind") == "podcast"]
    yield f"# {markdown_line(', '.join(podcasts)) or 'Episodes and their sources'}\n\n"
    numbers = f"{len(items)} episode{'s' * (len(items) != 1)}" + " and posts" * any(
        nodes[name].get("kind") != "episode" for name in items
    )
    yield f"{numbers}, {len(into)} source{'s' * (len(into) != 1)}.\n\n## Episodes\n"
    for name in items:
        yield from _item(name, nodes, out.get(name, []))
    yield "\n## Sources\n"
    yield from _sources(nodes, into, kinds_of(graph.graph))


def _links(graph: Graph, ids: Mapping[Hashable, str]) -> tuple[Pairs, Pairs]:
    """Return the mentions of each node and by each node, without boilerplate: id -> (relation, id of the other)."""
    naming = {name for name, relation in RELATIONS.items() if relation.names}
    out: Pairs = {}
    into: Pairs = {}
    for source, target, relation, attrs in edges_in_order(graph, dict(ids), clean_text):
        if attrs.get("boilerplate"):
            continue
        if relation in naming:
            out.setdefault(source, []).append((relation, target))
        if relation in _CITING:
            into.setdefault(target, []).append((relation, source))
    return out, into


def _item(name: str, nodes: Nodes, pairs: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of an episode: title, facts, citations one a line, other relations as lists."""
    attrs = nodes[name]
    yield f"\n### {markdown_link(label_of(attrs, name), attrs.get('url'))}\n\n"
    if facts := _facts(attrs):
        yield f"{' · '.join(facts)}\n" + ("\n" if pairs else "")
    for relation, row in RELATIONS.items():
        targets = [target for kind, target in pairs if kind == relation]
        if relation == "cites":
            yield from (
                f"- {_link(nodes, target)} ({', '.join(_kind_and_state(nodes[target]))})\n" for target in targets
            )
        elif targets:
            yield f"- {row.along.capitalize()}: {', '.join(_link(nodes, target) for target in targets)}\n"


def _facts(attrs: Mapping[str, object]) -> list[str]:
    """Return day, length and recording of an episode, where they are known."""
    day, duration, audio = day_of(attrs.get("date")), attrs.get("duration"), web_link(attrs.get("audio_url"))
    found = [day.isoformat()] if day else []
    found += [f"{duration // 60} min"] if type(duration) is int else []
    return found + ([markdown_link("listen", audio)] if audio else [])


def _kind_and_state(attrs: Mapping[str, object]) -> tuple[str, ...]:
    """Return the kind of a cited artifact and, after a look-up, its state (merged, gone) and archived copy."""
    states = (attrs.get("state"), "" if attrs.get("status") == "ok" else attrs.get("status"))
    words = [markdown_line(clean_text(word)) for word in (_kind(attrs), *states) if isinstance(word, str) and word]
    archived = web_link(attrs.get("archived_url"))
    return (*words, *([markdown_link("archived copy", archived)] if archived else []))


def _sources(nodes: Nodes, into: Pairs, kinds: Kinds) -> Iterator[str]:
    """Yield the cited artifacts by kind, the most cited first, each with the episodes citing it."""
    groups: dict[str, list[str]] = {}
    for name in into:
        groups.setdefault(_kind(nodes[name]), []).append(name)
    for kind in kinds.in_order(groups):
        yield f"\n### {markdown_line(kinds[kind].heading)}\n\n"
        citing = {name: list(dict.fromkeys(source for _, source in into[name])) for name in groups[kind]}
        for name in sorted(citing, key=lambda name: (-len(citing[name]), name)):
            state = "".join(f" ({word})" for word in _kind_and_state(nodes[name])[1:])
            yield f"- {_link(nodes, name)}{state}: {', '.join(_link(nodes, source) for source in citing[name])}\n"


def _kind(attrs: Mapping[str, object]) -> str:
    kind = attrs.get("kind")
    return clean_text(kind) if isinstance(kind, str) and kind else "web"


def _link(nodes: Nodes, name: str) -> str:
    return markdown_link(label_of(nodes[name], name), nodes[name].get("url"))
