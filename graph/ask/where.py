"""Where a piece of code stands, and which episodes talk about it, the one that explains it first."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import Location, locate

from ..attributes import in_title
from .by_date import newest_first
from .resolve import resolve_reference, resolve_topic
from .search import find_nodes
from .view import summary_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from podgraph.extractors import Index

    from ..attributes import NodeAttributes
    from .view import View

# How near each kind of place is to what was asked.
_NEAR = {"symbol": 1.0, "file": 1.0, "folder": 0.6, "topic": 0.8, "docs": 0.4, "tutorial": 0.4}
# How much a mention says, by what it is a mention of and where it stands.
_IN_TITLE = 8.0
_BY_KIND = {"symbol": 4.0, "file": 4.0, "folder": 1.0, "topic": 2.0, "docs": 2.0, "tutorial": 2.0}
_VERBS = {"cites": "cites", "mentions": "names", "about": "is about"}
_NAMED = 4  # names in a reason


class Explanation(NamedTuple):
    """An episode that talks about something: its attributes, how much it says, and why it is listed."""

    id: str
    attributes: NodeAttributes
    weight: float
    reasons: tuple[str, ...]


class Where(NamedTuple):
    """The places that a name or path leads to, and the episodes and posts about them, the most telling first."""

    query: str
    places: tuple[Location, ...]
    episodes: tuple[Explanation, ...]

    def to_dict(self, most: int = 5) -> dict[str, object]:
        """Return what ``podgraph where --json`` prints, with ``most`` episodes and posts at most."""
        return {
            "query": self.query,
            "found": bool(self),
            "episodes": [summary_of(item, reasons=item.reasons) for item in self.episodes[:most]],
            "more": max(0, len(self.episodes) - most),
            "places": [
                {name: value for name, value in place._asdict().items() if name != "inside" and value not in ("", 0)}
                for place in self.places
            ],
        }

    def __bool__(self) -> bool:
        """Tell whether anything is known of it."""
        return bool(self.places or self.episodes)


def where(query: str, view: View, index: Index | None) -> Where:
    """Return the code and docs that ``query`` leads to, by the ``index`` and else by the graph, and who explains it."""
    places = [_as_topic(place) for place in locate(query, index)] if index else []
    places = places or _own_places(query, view)
    nodes: dict[str, float] = {}
    for place in places:
        nodes.setdefault(place.id, _NEAR.get(place.kind, 1.0))
    # Asked for a name, the file that defines it is where to look, but what else stands in that file is not meant.
    named = any(place.kind == "symbol" and not place.inside for place in places)
    return Where(query, tuple(places), tuple(explaining(nodes.items(), view, inside=not named)))


def holds_code_of(repo: str, view: View) -> bool:
    """Tell whether a graph holds anything of a repository (``owner/name``): code, docs or names."""
    project = repo.rpartition("/")[2]
    prefixes = (f"github:{repo}#", f"github:{repo}:", f"docs:{project}/", f"tutorial:{project}/")
    return (
        view.node(f"github:{repo}") is not None
        or any(True for prefix in prefixes for _ in view.under(prefix))
        or any(True for _ in view.nodes("symbol"))
    )


def explaining(places: Iterable[tuple[str, float]], view: View, *, inside: bool = True) -> list[Explanation]:
    """Return the episodes and posts that name any of some nodes, the one that explains them first.

    ``places`` are (node id, how near it is to what was asked, in 0..1); with ``inside``, the symbols defined in a
    file and the files of a folder count with it. A node named in the title weighs most; then what is named in the
    notes, by kind; then the date, newest first.
    """
    weights: dict[str, float] = defaultdict(float)
    named: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    wanted = dict(places)
    for id_, near in (_with_definitions(wanted, view) if inside else wanted).items():
        node = view.node(id_) or {}
        for edge in view.edges_to(id_):
            if edge.relation in _VERBS:
                evidence = edge.attributes.get("evidence", ())
                titled = in_title(edge.attributes)
                weight = near * (_IN_TITLE if titled else 1.0) * _BY_KIND.get(node.get("kind", ""), 1.0)
                weights[edge.source] += weight + 0.1 * near * min(len(evidence), 5)
                named[edge.source]["is named after" if titled else _VERBS[edge.relation]][node.get("label", id_)] = None
    found = [Explanation(id_, view.node(id_) or {}, weight, _reasons(named[id_])) for id_, weight in weights.items()]
    return sorted(newest_first(found, view), key=lambda item: -round(item.weight, 6))


def _as_topic(place: Location) -> Location:
    """Return a concept of the index as the topic that it is in the graph."""
    if place.kind != "concept":
        return place
    return place._replace(kind="topic", id=f"topic:{place.id.removeprefix('concept:')}")


def _own_places(query: str, view: View) -> list[Location]:
    """Return what the graph itself calls so: a topic, else any node, else the topics that hold the words."""
    topic = resolve_topic(query, view)
    found = [topic] if topic else list(resolve_reference(query, view).nodes)
    reason = f"called {query}" if found else f"holds {query}"
    found = found or [one.id for one in find_nodes(query, view, 0, ("topic",))]
    nodes = [(id_, view.node(id_) or {}) for id_ in found]
    return [
        Location(
            node.get("kind", ""), id_, node.get("label", id_), node.get("url", ""), node.get("path", ""), 0, reason
        )
        for id_, node in nodes
        if node.get("kind") not in ("episode", "podcast")
    ]


def _reasons(named: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Say each verb once: ``is named after a, b and c``; a name that another one ends in says nothing new."""
    reasons = []
    for verb, labels in named.items():
        new = [
            label
            for label in labels
            if not any(other != label and other.endswith((f".{label}", f"::{label}")) for other in labels)
        ]
        if len(new) > _NAMED:
            new[_NAMED - 1 :] = [f"{len(new) - _NAMED + 1} more"]
        reasons.append(f"{verb} {' and '.join(filter(None, (', '.join(new[:-1]), new[-1])))}")
    return tuple(reasons)


def _with_definitions(places: Mapping[str, float], view: View) -> dict[str, float]:
    """Return the nodes with what lies in them: the files of a folder, and the symbols that a file defines."""
    weights = dict(places)
    for id_, near in places.items():
        for place in _files(id_, view):
            weights[place] = max(weights.get(place, 0.0), near)
            for edge in view.edges_to(place):
                if edge.relation == "defined_in":
                    weights[edge.source] = max(weights.get(edge.source, 0.0), 0.9 * near)
    return weights


def _files(id_: str, view: View) -> Iterator[str]:
    """Yield a file, or a folder and the files in it; of anything else nothing."""
    kind = (view.node(id_) or {}).get("kind")
    if kind in ("file", "folder"):
        yield id_
    if kind == "folder":
        yield from view.under(f"{id_}/")
