"""Which episodes talk about a piece of code, the one that explains it first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .citations import newest_first

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .view import View

# How much a mention says, by what it is a mention of and where it stands.
_IN_TITLE = 8.0
_BY_KIND = {"symbol": 4.0, "file": 4.0, "folder": 1.0, "topic": 2.0, "docs": 2.0, "tutorial": 2.0}
_NAMING = frozenset(("cites", "mentions", "about"))
_NAMED = 4  # names in a reason
_VERBS = {"cites": "cites", "mentions": "names"}


@dataclass(frozen=True, slots=True)
class Explanation:
    """An episode that talks about something: its attributes, how much it says, and why it is listed."""

    episode: str
    attributes: Mapping[str, Any]
    weight: float
    reasons: tuple[str, ...]


def explaining(places: Iterable[tuple[str, float]], view: View, *, inside: bool = True) -> list[Explanation]:
    """Return the episodes and posts that name any of some nodes, the one that explains them first.

    ``places`` are (node id, how near it is to what was asked, in 0..1); with ``inside``, the symbols defined in a
    file and the files of a folder count with it. A node named in the title weighs most; then what is named in the
    notes, by kind; then the date, newest first.
    """
    weights: dict[str, float] = defaultdict(float)
    named: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    for id_, near in (_with_definitions(dict(places), view) if inside else dict(places)).items():
        node = view.node(id_)
        if node is None:
            continue
        for edge in view.edges_to(id_):
            if edge.relation not in _NAMING:
                continue
            evidence = edge.attributes.get("evidence", ())
            titled = any(item.get("field") == "title" for item in evidence)
            weight = near * (_IN_TITLE if titled else 1.0) * _BY_KIND.get(str(node.get("kind")), 1.0)
            weights[edge.source] += weight + 0.1 * near * min(len(evidence), 5)
            verb = "is named after" if titled else _VERBS.get(edge.relation, "is about")
            named[edge.source][verb][str(node.get("label", id_))] = None
    found = [Explanation(id_, view.node(id_) or {}, weight, _reasons(named[id_])) for id_, weight in weights.items()]
    found = newest_first(found, key=lambda item: (item.attributes, item.episode), view=view)
    found.sort(key=lambda item: -round(item.weight, 6))
    return found


def _reasons(named: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Say each verb once: ``is named after a, b and c``; a name that another one ends in says nothing new."""
    reasons = []
    for verb, labels in named.items():
        told = [
            label
            for label in labels
            if not any(other != label and other.endswith((f".{label}", f"::{label}")) for other in labels)
        ]
        if len(told) > _NAMED:
            told[_NAMED - 1 :] = [f"{len(told) - _NAMED + 1} more"]
        reasons.append(f"{verb} {' and '.join(filter(None, (', '.join(told[:-1]), told[-1])))}")
    return tuple(reasons)


def _with_definitions(places: Mapping[str, float], view: View) -> dict[str, float]:
    weights = dict(places)
    for id_, near in places.items():
        if (view.node(id_) or {}).get("kind") in ("file", "folder"):
            inside = [id_, *(view.under(f"{id_}/") if (view.node(id_) or {}).get("kind") == "folder" else ())]
            for place in inside:
                weights[place] = max(weights.get(place, 0.0), near)
                for edge in view.edges_to(place):
                    if edge.relation == "defined_in":
                        weights[edge.source] = max(weights.get(edge.source, 0.0), 0.9 * near)
    return weights
