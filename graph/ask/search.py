"""Search over what the nodes of a graph are called, where they live, and what the notes say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .view import View

_TERM = re.compile(r'"([^"]+)"|(\S+)')
_ROUND = 40  # characters of the notes shown on either side of what was found
_KIND = {kind: place for place, kind in enumerate(("episode", "topic", "blog", *KINDS))}
# How much a place weighs; the whole label is more than its start, that more than a word in it.
_WHOLE, _START, _WORD, _INSIDE, _ADDRESS, _NOTES = 100.0, 60.0, 40.0, 20.0, 10.0, 5.0


@dataclass(frozen=True, slots=True)
class Found:
    """A node that a search found: where (``label``, ``aliases``, ``number``, …) and the words there."""

    id: str
    attributes: Mapping[str, Any]
    score: float
    where: str
    excerpt: str


def find_nodes(text: str, view: View, most: int = 20, kinds: tuple[str, ...] = ()) -> list[Found]:
    """Return the nodes that hold every word of ``text``, the best first, ``most`` at most (0: all).

    Words match from their beginning (``dispatch`` finds ``dispatcher``), words in double quotes as a phrase; case does
    not count. Labels and an episode's number weigh most, then aliases, ids and URLs, then notes; of equals the kind
    and the rank decide.
    """
    terms = [(phrase or word).casefold() for phrase, word in _TERM.findall(text)]
    if not terms:
        return []
    starts = [re.compile(rf"(?<!\w){re.escape(term)}") for term in terms]
    found = []
    for id_, node in view.nodes(*kinds):
        fields = _fields(id_, node)
        scores = []
        for term, start in zip(terms, starts, strict=True):
            best = max(((_score(term, start, name, value), name) for name, value in fields), default=(0.0, ""))
            scores.append(best)
            if not best[0]:
                break
        if all(score for score, _ in scores):
            total = sum(score for score, _ in scores) / len(terms)
            label = fields[0][1]
            if len(terms) > 1 and " ".join(terms) in label:
                total = _WHOLE if label == " ".join(terms) else max(total, _START)
            where = min(scores)[1]
            found.append(Found(id_, node, total, where, _excerpt(terms, node) if where == "notes" else ""))
    found.sort(
        key=lambda one: (
            -one.score,
            _KIND.get(str(one.attributes.get("kind")), 99),
            -float(one.attributes.get("rank", 0)),
            one.id,
        )
    )
    return found[:most] if most else found


def _fields(id_: str, node: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        ("label", str(node.get("label", "")).casefold()),
        *(("aliases", str(alias).casefold()) for alias in node.get("aliases", ())),
        ("id", id_.casefold()),
        ("url", str(node.get("url", "")).casefold()),
        ("notes", str(node.get("summary", "")).casefold()),
        *((("number", str(node["number"])),) if node.get("kind") == "episode" and "number" in node else ()),
    ]


def _score(term: str, start: re.Pattern[str], field: str, value: str) -> float:
    if field == "number":
        return _WHOLE if term.removeprefix("#") == value else 0.0
    if term not in value:
        return 0.0
    if field == "notes":
        return _NOTES if start.search(value) else 0.0
    if field in ("id", "url"):
        return _ADDRESS if start.search(value) or len(term) > 3 else 0.0
    share = 0.9 if field == "aliases" else 1.0
    if value == term:
        return _WHOLE * share
    if value.startswith(term):
        return _START * share
    return (_WORD if start.search(value) else _INSIDE if len(term) > 3 else 0.0) * share


def _excerpt(terms: list[str], node: Mapping[str, Any]) -> str:
    notes = str(node.get("summary", ""))
    place = min((at for at in (notes.casefold().find(term) for term in terms) if at >= 0), default=0)
    begin, end = max(0, place - _ROUND), min(len(notes), place + 2 * _ROUND)
    shown = " ".join(notes[begin:end].split())
    return ("…" if begin else "") + shown + ("…" if end < len(notes) else "")
