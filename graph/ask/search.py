"""Search over what the nodes of a graph are called, where they live, and what the notes say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import QueryError

from ..kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..attributes import NodeAttributes
    from .view import View

# a phrase in double quotes, or a word
_TERM = re.compile(r'"([^"]+)"|(\S+)')
_ROUND = 40  # characters of the notes shown on either side of what was found
_KIND = {kind: place for place, kind in enumerate(("episode", "topic", "blog", *KINDS))}
# How much a place weighs; the whole label is more than its start, that more than a word in it.
_WHOLE, _START, _WORD, _INSIDE, _ADDRESS, _NOTES = 100.0, 60.0, 40.0, 20.0, 10.0, 5.0
_LONG = 3  # characters; a term of more counts inside of a word too


@dataclass(frozen=True, slots=True)
class Found:
    """A node that a search found: where (``label``, ``aliases``, ``number``, …) and the words there."""

    id: str
    attributes: NodeAttributes
    score: float
    where: str
    excerpt: str


def search(text: str, view: View, most: int = 20, kind: str = "") -> list[Found]:
    """Return the nodes that hold every word of ``text``, as ``find_nodes`` has it, of the kind that ``kind`` names.

    Raises ``QueryError`` for an empty text, and for a kind that there is none of.
    """
    check_search(text)
    kinds: tuple[str, ...] = ()
    if kind:
        from .listing import kinds_called  # noqa: PLC0415 - few searches are for a kind

        kinds = kinds_called(kind, view.kinds)
    return find_nodes(text, view, most, kinds)


def check_search(text: str) -> None:
    """Raise ``QueryError`` for an empty text."""
    if not text.strip(' "'):
        raise QueryError("an empty text is everywhere", remedy="give a word or a phrase")


def find_nodes(text: str, view: View, most: int = 20, kinds: tuple[str, ...] = ()) -> list[Found]:
    """Return the nodes that hold every word of ``text``, the best first, ``most`` at most (0: all).

    Words match from their beginning (``dispatch`` finds ``dispatcher``), words in double quotes as a phrase; case does
    not count. Labels and an episode's number weigh most, then aliases, ids and URLs, then notes; of equals the kind
    and the rank decide.
    """
    terms = [_Term((phrase or word).casefold()) for phrase, word in _TERM.findall(text)]
    found = [hit for id_, node in view.nodes(*kinds) if (hit := _find(terms, id_, node))] if terms else []
    found.sort(
        key=lambda one: (
            -one.score,
            _KIND.get(one.attributes.get("kind", ""), 99),
            -one.attributes.get("rank", 0.0),
            one.id,
        )
    )
    return found[:most] if most else found


class _Term:
    """A word or phrase of a search, its case folded, and where in a text it may begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._start = re.compile(rf"(?<!\w){re.escape(text)}")  # the text at the beginning of a word

    def score(self, field: str, value: str) -> float:
        """Return how much the term in a field of that value weighs; 0.0 when it is not there."""
        if field == "number":
            return _WHOLE if self.text.removeprefix("#") == value else 0.0
        if self.text not in value:
            return 0.0
        if field in ("label", "aliases"):
            return self._name_score(value) * (0.9 if field == "aliases" else 1.0)
        begins = bool(self._start.search(value))
        if field == "notes":
            return _NOTES if begins else 0.0
        return _ADDRESS if begins or len(self.text) > _LONG else 0.0

    def _name_score(self, name: str) -> float:
        if name == self.text:
            return _WHOLE
        if name.startswith(self.text):
            return _START
        return _WORD if self._start.search(name) else _INSIDE if len(self.text) > _LONG else 0.0


class _Best(NamedTuple):
    """The place where a term of a search weighs most in a node."""

    score: float
    where: str


def _find(terms: list[_Term], id_: str, node: NodeAttributes) -> Found | None:
    """Return how well a node answers to all terms; ``None`` when it lacks one."""
    fields = list(_fields(id_, node))
    places: list[_Best] = []
    for term in terms:
        best = max(_Best(term.score(field, value), field) for field, value in fields)
        if not best.score:
            return None
        places.append(best)
    total = sum(place.score for place in places) / len(terms)
    words, label = " ".join(term.text for term in terms), fields[0][1]
    if len(terms) > 1 and words in label:
        total = _WHOLE if label == words else max(total, _START)
    where = min(places).where
    return Found(id_, node, total, where, _excerpt(terms, node) if where == "notes" else "")


def _fields(id_: str, node: NodeAttributes) -> Iterator[tuple[str, str]]:
    yield "label", node.get("label", "").casefold()
    for alias in node.get("aliases", ()):
        yield "aliases", alias.casefold()
    yield "id", id_.casefold()
    yield "url", node.get("url", "").casefold()
    yield "notes", node.get("summary", "").casefold()
    if node.get("kind") == "episode" and "number" in node:
        yield "number", str(node["number"])


def _excerpt(terms: list[_Term], node: NodeAttributes) -> str:
    notes = node.get("summary", "")
    place = min((at for at in (notes.casefold().find(term.text) for term in terms) if at >= 0), default=0)
    begin, end = max(0, place - _ROUND), min(len(notes), place + 2 * _ROUND)
    shown = " ".join(notes[begin:end].split())
    return ("…" if begin else "") + shown + ("…" if end < len(notes) else "")
