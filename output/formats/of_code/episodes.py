"""EPISODES: files with the episodes explaining them, as in CODEOWNERS, for bots, editors and people.

Only strong ties count: an episode cites or names the file or folder itself, or its title names the file's topic in
the index. As in CODEOWNERS, the last matching pattern counts, so folders come before their files.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, cast

from podgraph.graph import SOURCES, Adjacency, Edge, home_of, names_of, title_of

from ...files import write_text
from ..shared.plain import edges_in_order, node_ids, plain_attributes
from ..shared.weblink import web_link

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from podgraph.extractors import Index
    from podgraph.graph import EdgeAttributes, NodeAttributes, View

    from ..shared.plain import Graph

HEAD = "# EPISODES: pattern, then the pages of the episodes that explain it. The last match counts, as in CODEOWNERS."
_MOST = 3  # episodes of a pattern
_CITED, _LISTED = 2.0, 1.0
_MOST_WEIGHT = 1e6  # podgraph writes no larger weights
_IN_TITLE = 3.0  # the least weight of an edge to a topic in the episode's title


def to_episodes(graph: Graph) -> str:
    """Return the patterns with their episodes, sorted by path; the same graph gives the same text.

    >>> import networkx
    >>> to_episodes(networkx.MultiDiGraph()).startswith(HEAD)
    True
    """
    ids = node_ids(graph, str)
    nodes = ((name, cast("NodeAttributes", plain_attributes(graph.nodes[node]))) for node, name in ids.items())
    rows = edges_in_order(graph, ids, str)
    edges = (Edge(source, target, key, cast("EdgeAttributes", attributes)) for source, target, key, attributes in rows)
    view = Adjacency(nodes, edges)
    lines = [HEAD]
    for path, weights in sorted((path, weights) for path, weights in _ties(view).items() if path.isprintable()):
        best = sorted(weights, key=lambda id_: (-weights[id_], _day(id_, view), id_))[:_MOST]
        pages = [web_link((view.node(id_) or {}).get("url")) or "".join(id_.split()) for id_ in best]
        lines.append("# " + " · ".join(_named(id_, view) for id_ in best))
        lines.append(" ".join((_pattern(path), *pages)))
    return "\n".join(lines) + "\n"


def write_episodes(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write ``to_episodes`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, to_episodes(graph))


def _ties(view: View) -> dict[str, dict[str, float]]:
    """Return the paths of the repository with the most files, and each episode's weight. Folders end with a slash."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    home, index = home_of(view), names_of(view)
    if home and index and index.repo.lower() != home.lower():
        index = None  # the show cites another repository more than the one whose names are known
    for path, episode, weight in (*_cited(view, home), *_listed(view, index)):
        if (view.node(episode) or {}).get("kind") in SOURCES:
            found[path][episode] = max(weight, found[path].get(episode, 0.0))
    return found


def _cited(view: View, repo: str) -> Iterator[tuple[str, str, float]]:
    """Yield (path, episode, weight) for the files and folders cited or named in episodes."""
    for id_, node in view.nodes("file", "folder"):
        path = str(node.get("path", ""))
        for edge in view.edges_to(id_, "cites", "mentions"):
            if path and str(node.get("repo", "")).lower() == repo.lower() and not edge.attributes.get("boilerplate"):
                yield (f"{path}/" if node.get("kind") == "folder" else path), edge.source, _CITED


def _listed(view: View, index: Index | None) -> Iterator[tuple[str, str, float]]:
    """Yield (path, episode, weight) for the files listed in the index under a topic of an episode's title."""
    if not index:
        return
    for concept in index.concepts:
        for edge in view.edges_to(f"topic:{concept.id}", "about"):
            weight = _weight(edge)
            yield from ((path, edge.source, _LISTED + weight / 100) for path in concept.paths if weight >= _IN_TITLE)


def _weight(edge: Edge) -> float:
    weight: object = edge.attributes.get("weight", 1)
    return float(weight) if isinstance(weight, int | float) and abs(weight) < _MOST_WEIGHT else 0.0


def _pattern(path: str) -> str:
    r"""Return the pattern of a path from the root.

    >>> _pattern("docs/a file.md"), _pattern("c10/")
    ('/docs/a\\ file.md', '/c10/')
    """
    return "/" + path.replace("\\", "\\\\").replace(" ", "\\ ").replace("#", "\\#").replace("*", "\\*")


def _day(id_: str, view: View) -> int:
    """Return the day of an episode as a number, the lowest for the newest."""
    digits = str((view.node(id_) or {}).get("date", ""))[:10].replace("-", "")
    return -int(digits) if digits.isdecimal() else 0


def _named(id_: str, view: View) -> str:
    node = view.node(id_) or {}
    day = str(node.get("date", ""))[:10]
    title = f"{title_of(node, id_)} ({day})" if day else title_of(node, id_)
    return " ".join("".join(letter if letter.isprintable() else " " for letter in title).split())
