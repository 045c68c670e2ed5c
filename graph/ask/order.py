"""In which order to listen: what the notes want heard first, then from the general to the special."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .citations import inferred_days

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .view import View

_INTRODUCTORY = re.compile(
    r"\b(?:intro(?:duction)?|overview|basics|beginner|history|anatomy|what is|why|just enough|101|primer|"
    r"getting started)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OrderStep:
    """One step of a listening order: the episode, and why it stands here."""

    episode: str
    reason: str


@dataclass(frozen=True, slots=True)
class Order:
    """A listening order; ``circles`` lists the episodes of each circle of prerequisites that had to be cut."""

    steps: tuple[OrderStep, ...]
    circles: tuple[tuple[str, ...], ...] = ()


def order_episode(episode: str, view: View) -> Order:
    """Return what to hear before ``episode``, and then it: its prerequisites, and theirs, the deepest first."""
    return _prerequisites_first([episode], view, {episode: "the episode you asked for"})


def order_topic(topic: str, view: View) -> Order:
    """Return the episodes about ``topic`` or its subtopics, from introduction to depth.

    Prerequisites come before what needs them; else what introduces, then what is about the topic itself in its
    title, then what is about more things (general before special), then by date.
    """
    below, days = _below(topic, view), inferred_days(view.nodes("episode"))
    ranked: list[tuple[tuple[Any, ...], str, str]] = []
    for id_ in sorted({edge.source for sub in below for edge in view.edges_to(sub) if edge.relation == "about"}):
        node = view.node(id_) or {}
        untitled, depth, label = min(
            (not _in_title(edge.attributes), below[edge.target], str((view.node(edge.target) or {}).get("label", "")))
            for edge in view.edges_from(id_)
            if edge.relation == "about" and edge.target in below
        )
        introduces = bool(_INTRODUCTORY.search(str(node.get("title", ""))))
        ranked.append(
            (
                (untitled, not introduces, depth, *_when(id_, node, days)),
                id_,
                _why(introduces, not untitled, depth, label),
            )
        )
    ranked.sort()
    reasons = {id_: reason for _, id_, reason in ranked}
    return _prerequisites_first([id_ for _, id_, _ in ranked], view, reasons)


def order_all(view: View) -> Order:
    """Return all episodes, the oldest first, prerequisites before what needs them; only the latter have a reason.

    An undated episode stands where its number puts it, or last.
    """
    days = inferred_days(view.nodes("episode"))
    episodes = sorted(_when(id_, node, days) for id_, node in view.nodes("episode"))
    before = {
        when[-1]: sorted(
            _label(edge.source, view) for edge in view.edges_to(when[-1]) if edge.relation == "listen_first"
        )
        for when in episodes
    }
    reasons = {id_: f"to be heard before {', '.join(labels)}" for id_, labels in before.items() if labels}
    return _prerequisites_first([when[-1] for when in episodes], view, reasons)


def _prerequisites_first(wanted: Iterable[str], view: View, reasons: Mapping[str, str]) -> Order:
    """Walk ``listen_first`` depth-first without recursion; an edge back into the walk closes a circle and is cut."""
    steps: dict[str, str] = {}
    circles: dict[tuple[str, ...], None] = {}
    for start in wanted:
        walk: list[tuple[str, list[str]]] = [(start, _first(start, view))] if start not in steps else []
        on_way = [start] if walk else []
        while walk:
            node, waiting = walk[-1]
            if waiting:
                following = waiting.pop(0)
                if following in on_way:
                    circle = on_way[on_way.index(following) :]
                    turned = circle[circle.index(min(circle)) :] + circle[: circle.index(min(circle))]
                    circles[tuple(turned)] = None
                elif following not in steps:
                    walk.append((following, _first(following, view)))
                    on_way.append(following)
                continue
            walk.pop()
            on_way.pop()
            needed_by = f"to be heard before {_label(on_way[-1], view)}" if on_way else ""
            steps[node] = needed_by or reasons.get(node, "")
    return Order(tuple(OrderStep(id_, reason) for id_, reason in steps.items()), tuple(circles))


def _first(id_: str, view: View) -> list[str]:
    return sorted(edge.target for edge in view.edges_from(id_) if edge.relation == "listen_first")


def _below(topic: str, view: View) -> dict[str, int]:
    """Return the topic and those below it, and how many steps each lies below."""
    found = {topic: 0}
    waiting = [topic]
    while waiting:
        above = waiting.pop(0)
        for edge in view.edges_to(above):
            if edge.relation == "subtopic_of" and edge.source not in found:
                found[edge.source] = found[above] + 1
                waiting.append(edge.source)
    return found


def _in_title(attributes: Mapping[str, Any]) -> bool:
    return any(evidence.get("field") == "title" for evidence in attributes.get("evidence", ()))


def _when(id_: str, node: Mapping[str, Any], days: Mapping[str, str]) -> tuple[str, float, str, str]:
    """Return what sorts the oldest first: the day, known or inferred; of one day the number, then the time."""
    date = str(node.get("date") or days.get(id_, "9999"))
    return date[:10], node.get("number", 0), date, id_


def _why(introduces: bool, titled: bool, depth: int, label: str) -> str:
    if introduces and titled:
        return f"introduces {label}"
    if titled:
        return f"is about {label}" if depth == 0 else f"goes deeper: {label}"
    return f"talks about {label}"


def _label(id_: str, view: View) -> str:
    return str((view.node(id_) or {}).get("label", id_))
