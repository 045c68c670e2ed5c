"""The fields of answers for programs: a short default set, or the requested ones.

``to_dict()``, ``--json`` and the answers for assistants use this table.
A field with a dot is a part of each item of a list: ``evidence.quote`` is the quote alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import QueryError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .view import Node

    FieldNames = str | Iterable[str]  # names, or words with commas between: "" the default ones, "all" all


class Fields(NamedTuple):
    """The fields of an answer's items: the default ones, and further computed ones.

    ``lists`` are the answer's keys with these items, its rows first; without any, the
    fields are those of the answer itself. ``of_nodes``: attributes of nodes can be requested too; ``of_edges``:
    those of edges.
    """

    default: tuple[str, ...]
    more: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    of_nodes: bool = True
    of_edges: bool = False

    @property
    def known(self) -> tuple[str, ...]:
        """The names of all fields."""
        from ..attributes import EdgeAttributes, Evidence, NodeAttributes  # noqa: PLC0415 - few questions name a field

        nodes = NodeAttributes.__annotations__ if self.of_nodes else {}
        edges = EdgeAttributes.__annotations__ if self.of_edges else {}
        names = dict.fromkeys((*self.default, *self.more, *nodes, *edges))
        parts = [f"evidence.{name}" for name in Evidence.__annotations__ if "evidence" in names]
        return tuple(dict.fromkeys((*names, *parts)))


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_EPISODE = "id title date url uncertain"
_PROOF = "evidence.quote evidence.method evidence.time evidence.moments"
# The fields of each answer's items.
FIELDS = {
    "cites": Fields(
        _names(f"{_EPISODE} role affiliation boilerplate reasons {_PROOF}"),
        _names("cites relations evidence"),
        ("episodes",),
    ),
    "where": Fields(
        _names(f"{_EPISODE} step level reasons time kind label path line reason"),
        ("weight",),
        ("episodes", "places", "nearest"),
    ),
    "explain": Fields(_names(f"{_EPISODE} level reasons because"), ("weight",), ("episodes",)),
    "review": Fields(_names(f"{_EPISODE} duration level explains files reasons"), ("weight",), ("episodes",)),
    "related": Fields(_names(f"{_EPISODE} duration level weight reasons"), lists=("related",)),
    "order": Fields(_names(f"{_EPISODE} duration sentence reason area"), lists=("steps",)),
    "path": Fields(
        _names(f"source source_label source_kind target target_label target_kind relation backwards {_PROOF} reasons"),
        lists=("paths",),
        of_nodes=False,
        of_edges=True,
    ),
    "search": Fields(_names("id kind label title date url score where excerpt time instead missing"), lists=("nodes",)),
    "list": Fields(
        _names("id kind label title date duration number url current_url status uncertain count first last role"),
        lists=("nodes",),
    ),
    "show": Fields(
        _names(
            "id kind label title date duration number podcast url current_url archived_url status uncertain summary "
            f"description truncated_links area aliases author language module repo path out into {_PROOF} reasons line"
        ),
        of_edges=True,
    ),
    "stats": Fields(
        _names(
            "kinds relations areas years most_cited most_connected truncated_links first last first_post last_post "
            "boilerplate total"
        ),
        _names("communities bridges islands uncited_episodes"),
        of_nodes=False,
    ),
    "links": Fields(_names("id status current_url archived_url named_by"), lists=("changed",), of_nodes=False),
    "why": Fields(
        _names("extractor field start end quote id kind label relation reason boilerplate"),
        lists=("seen",),
        of_nodes=False,
    ),
    "diff": Fields(_names("id kind label url"), lists=("added", "removed")),
}


class Telling:
    """Selects the requested fields of an answer's records."""

    def __init__(self, question: str, asked: FieldNames = "") -> None:
        """Choose fields by their names; ``QueryError`` for one missing in the answer to ``question``."""
        fields = FIELDS[question]
        given = asked.split(",") if isinstance(asked, str) else asked
        names = tuple(filter(None, (name.strip() for name in given)))
        self._all = names == ("all",)
        if names and not self._all:
            known = fields.known
            for name in names:
                if name not in known:
                    remedy = nearest(name, known) or f"use all, or of {', '.join(known)}"
                    raise QueryError(f"{question} has no field {name!r}", remedy=remedy)
        self._parts: dict[str, list[str]] = {}
        for name in names or fields.default:
            outer, _, inner = name.partition(".")
            self._parts.setdefault(outer, []).append(inner)

    def __contains__(self, name: str) -> bool:
        return self._all or name in self._parts

    def __call__(self, record: Mapping[str, object]) -> dict[str, object]:
        """Return the chosen fields of a record, in the order of the choice. Missing ones are left out."""
        if self._all:
            return dict(record)
        return {name: _part(record[name], parts) for name, parts in self._parts.items() if name in record}


def _part(value: object, parts: list[str]) -> object:
    """Return the named parts of each item of a list, alike ones once; the list itself where it was named whole."""
    if "" in parts or not isinstance(value, list | tuple):
        return value
    found: list[dict[str, object]] = []
    for item in value:
        told = {name: item[name] for name in parts if name in item}
        if told not in found:
            found.append(told)
    return found


def record_of(node: Node, **more: object) -> dict[str, object]:
    """Return all fields of an episode or post in an answer: its attributes, its title, its day, and ``more``."""
    from .view import title_of  # noqa: PLC0415 - it loads the kinds

    return with_day({**node.attributes, "id": node.id, "title": title_of(node.attributes), **more})


def with_day(record: dict[str, object]) -> dict[str, object]:
    """Return a record with its ``date``, where it has one, as a day."""
    return record | {"date": str(record["date"])[:10]} if "date" in record else record
