"""The law of the graph: its kinds, its relations, what each attribute is, and the check of it all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import networkx as nx

SCHEMA = 1

# What a person calls each kind, in the order of lists and legends.
KINDS: dict[str, str] = {
    "podcast": "podcasts",
    "episode": "episodes",
    "topic": "topics",
    "pull": "pull requests",
    "issue": "issues",
    "discussion": "discussions",
    "commit": "commits",
    "file": "files",
    "folder": "folders",
    "symbol": "symbols",
    "repo": "repositories",
    "wiki": "wiki pages",
    "release": "releases",
    "compare": "comparisons",
    "gist": "gists",
    "docs": "docs pages",
    "tutorial": "tutorials",
    "blog": "blog posts",
    "forum": "forum topics",
    "paper": "papers",
    "video": "videos",
    "question": "questions",
    "package": "packages",
    "person": "people",
    "web": "web pages",
}
SOURCES = frozenset(("episode", "blog"))  # what has a text of its own, and so evidence
ARTIFACTS = frozenset(KINDS) - {"podcast", "episode", "topic", "symbol", "person"}
_CODE = frozenset(("file", "folder"))

# relation -> (kinds it leaves from, kinds it leads to)
RELATIONS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "part_of": (frozenset(("episode",)), frozenset(("podcast",))),
    "cites": (SOURCES, ARTIFACTS | {"person"}),
    "mentions": (SOURCES, frozenset(("symbol", "person", "file", "folder"))),
    "about": (SOURCES, frozenset(("topic",))),
    "listen_first": (SOURCES, SOURCES),
    "see_also": (SOURCES, SOURCES),
    "related": (SOURCES, SOURCES),
    "in_repo": (ARTIFACTS, frozenset(("repo",))),
    "in_folder": (_CODE, frozenset(("folder",))),
    "defined_in": (frozenset(("symbol",)), frozenset(("file",))),
    "documented_at": (frozenset(("symbol",)), frozenset(("docs",))),
    "subtopic_of": (frozenset(("topic",)), frozenset(("topic",))),
    "covers": (frozenset(("topic",)), frozenset(("symbol", "docs", "tutorial")) | _CODE),
}
METHODS = frozenset(("href", "url", "reference", "symbol", "alias", "title", "crosslink", "transcript"))
EVIDENCE = (
    "field",
    "start",
    "end",
    "quote",
    "method",
    "extractor",
    "confidence",
    "url",
    "ref",
    "lines",
    "time",
)
_TEXT_OF = {"notes": "summary", "title": "title"}


def check(graph: nx.MultiDiGraph[str]) -> Iterator[str]:
    """Find what breaks the law in a graph, one sentence each; a sound graph yields nothing.

    Checked are kinds, labels, absent instead of null attributes, the ends of every relation, and that every
    edge says why it is there: ``reasons``, or ``evidence`` whose quote stands at its offsets.
    """
    for key in ("schema", "generator", "sources"):
        if key not in graph.graph:
            yield f"the graph has no {key!r}"
    for node, attributes in graph.nodes(data=True):
        if attributes.get("kind") not in KINDS:
            yield f"{node}: unknown kind {attributes.get('kind')!r}"
        if not attributes.get("label"):
            yield f"{node}: no label"
        yield from (f"{node}: {name} is null" for name, value in attributes.items() if value is None)
    for source, target, key, attributes in graph.edges(keys=True, data=True):
        where = f"{source} -{key}-> {target}"
        ends = RELATIONS.get(key)
        if ends is None:
            yield f"{where}: unknown relation"
            continue
        kinds = graph.nodes[source].get("kind"), graph.nodes[target].get("kind")
        if kinds[0] not in ends[0] or kinds[1] not in ends[1]:
            yield f"{where}: {key} does not lead from {kinds[0]} to {kinds[1]}"
        if not attributes.get("evidence") and not attributes.get("reasons"):
            yield f"{where}: no evidence and no reasons"
        for evidence in attributes.get("evidence", ()):
            yield from (f"{where}: {problem}" for problem in _evidence_problems(graph.nodes[source], evidence))


def _evidence_problems(source: dict[str, Any], evidence: dict[str, Any]) -> Iterator[str]:
    unknown = set(evidence) - set(EVIDENCE)
    if unknown:
        yield f"unknown evidence fields {sorted(unknown)}"
    if evidence.get("method") not in METHODS:
        yield f"unknown method {evidence.get('method')!r}"
    attribute = _TEXT_OF.get(evidence.get("field", ""))
    if attribute and source.get(attribute, "")[evidence["start"] : evidence["end"]] != evidence["quote"]:
        place = f"{evidence['start']}:{evidence['end']} of the {evidence['field']}"
        yield f"{evidence['quote']!r} does not stand at {place}"
