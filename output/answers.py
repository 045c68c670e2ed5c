"""Answers as sequences: rows with attributes named as in the JSON, as tables, data frames and plain dicts.

One class serves every question. ``podgraph.graph.FIELDS`` names the list of each answer and the fields of its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast, overload

from podgraph.extractors import PodgraphError, is_web, nearest
from podgraph.graph import FIELDS, Telling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pandas as pd

    FieldNames = str | Iterable[str]  # names, or words with commas between: "" the default ones, "all" all

_ROWS, _CELL, _ITEM = 10, 60, 300  # shown rows, characters of a cell and of an item
_HTML_ROWS = 20
_NUMBERS = frozenset("duration number season count weight score time line rank start end explains x y".split())
_SWITCHES = frozenset("boilerplate backwards derived explicit".split())
_LISTS = frozenset("evidence reasons files missing uncertain aliases hosts names truncated_links".split())
# The columns of a table, in this order, where rows have them.
_COLUMNS = (
    "date", "kind", "relation", "change", "figure", "name", "count", "title", "label", "source_label", "target_label",
    "weight", "score", "reason", "reasons", "excerpt", "evidence",
)  # fmt: skip


class _Whole(Protocol):
    def to_dict(self) -> dict[str, object]: ...


class Item(dict[str, Any]):
    """A row of an answer, or a node: a dict whose keys are attributes too.

    A known attribute missing in the row is empty: ``""``, ``()``, ``False``, or ``None`` for a number.

    >>> one = Item(id="episode:show/vmap", title="vmap")
    >>> one.title, one["title"], one.date, one.number, one.reasons
    ('vmap', 'vmap', '', None, ())
    """

    if TYPE_CHECKING:
        id: str
        kind: str
        label: str
        date: str
        url: str
        podcast: str
        summary: str
        duration: int | None
        number: int | None
        count: int | None
        weight: float | None
        score: int | None
        time: int | None
        line: int | None
        path: str
        relation: str
        source: str
        source_label: str
        target: str
        target_label: str
        reason: str
        reasons: Sequence[str]
        files: Sequence[str]
        evidence: Sequence[Item]
        quote: str
        method: str

    @property
    def title(self) -> str:
        """The title; of a node without one, the label."""
        return str(self.get("title") or self.get("label", ""))

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return _item(self[name])
        if name.startswith("__") or name not in _known():
            raise AttributeError(f"unknown field {name!r}; {nearest(name, {*self, *_known()}) or 'see .keys()'}")
        return None if name in _NUMBERS else () if name in _LISTS else False if name in _SWITCHES else ""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.get("id", ""))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        rows = (f"{name}={cut}" for name in ("id", *_COLUMNS) if (cut := _cell(self, name)))
        return _cut(f"<{', '.join(rows) or ', '.join(map(str, self))}>", _ITEM)


class Steps(tuple[Item, ...]):
    """One way between two nodes, step by step."""

    __slots__ = ()

    def __repr__(self) -> str:
        names = [self[0].source_label, *(one.target_label for one in self)] if self else []
        return f"<{_cut(' - '.join(names), _ITEM)}>"


_Row = TypeVar("_Row", bound="Item | Steps")
_Raw = TypeVar("_Raw", bound=_Whole)


class Answer(Sequence[_Row], Generic[_Row, _Raw]):
    """The rows of an answer, with the other parts of its JSON as attributes; false when empty.

    ``len``, iteration, ``in`` and slices work as on a list. ``frame()`` returns a pandas data frame, ``to_dict()`` the
    output of ``--json``, ``to_dicts()`` its rows. ``raw`` is the typed value behind the command's output.
    """

    def __init__(self, question: str, raw: _Raw, rows: tuple[_Row, ...] | None = None) -> None:
        self.question, self.raw, self._cut_rows = question, raw, rows

    @cached_property
    def _told(self) -> dict[str, object]:
        return self.raw.to_dict()

    @cached_property
    def _rows(self) -> tuple[_Row, ...]:
        if self._cut_rows is not None:
            return self._cut_rows
        return cast("tuple[_Row, ...]", tuple(_rows(self.question, self._told)))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> _Row: ...
    @overload
    def __getitem__(self, at: slice) -> Answer[_Row, _Raw]: ...
    @overload
    def __getitem__(self, at: str) -> Any: ...

    def __getitem__(self, at: int | slice | str) -> Any:
        if isinstance(at, slice):
            return Answer(self.question, self.raw, self._rows[at])
        if isinstance(at, str):
            return getattr(self, at)
        return self._rows[at]

    def __iter__(self) -> Iterator[_Row]:
        return iter(self._rows)

    def __bool__(self) -> bool:
        return bool(self._told.get("found", self._rows))

    def __getattr__(self, name: str) -> Any:
        """Return the rows by their name, or a field of the answer. An error suggests a similar name."""
        if name.startswith("_"):  # copy and pickle ask for such names before there are attributes
            raise AttributeError(name)
        told, lists = self._told, FIELDS[self.question].lists
        if lists[:1] == (name,):
            return self._rows
        if self.question == "show" or name in told:
            return getattr(Item(told), name)
        if lists and name in _known():
            raise AttributeError(f"{name!r} is a field of each row: [one.{name} for one in answer], or .frame().{name}")
        known = {*told, "frame", "to_dict", "to_dicts"}
        raise AttributeError(f"an answer has no {name!r}; {nearest(name, known) or 'it is a sequence of rows'}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._told]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and self.to_dict("all") == other.to_dict("all")

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self, fields: FieldNames = "") -> dict[str, object]:
        """Return the output of ``--json``; ``fields`` (``"title,date"``, ``"all"``) selects other fields."""
        tell, row, told = Telling(self.question, fields), FIELDS[self.question], dict(self._told)
        if not row.lists:  # the fields are of the answer itself
            near = Telling(self.question, fields or _OF_NEIGHBOURS) if self.question == "show" else tell
            sides = {name: _groups(told[name], near) for name in ("out", "into") if name in told and name in tell}
            found = {"found": True} if self.question == "show" and not fields else {}
            return found | tell(told) | sides
        if self._cut_rows is not None:
            told[row.lists[0]] = self._cut_rows
        return {name: _each(value, tell) if name in row.lists else value for name, value in told.items()}

    def to_dicts(self, fields: FieldNames = "") -> list[dict[str, Any]]:
        """Return the rows as plain dicts, those of a path with its number; ``fields`` as in ``to_dict``."""
        tell = Telling(self.question, fields)
        rows = (one if isinstance(one, Steps) else (one,) for one in self._rows)
        numbered = ((number, step) for number, row in enumerate(rows, 1) for step in row)
        always = _ALWAYS.get(self.question, ())
        if self.question == "show":
            tell = Telling("show", fields or _OF_NEIGHBOURS)
        if self.question == "stats":  # its fields are figures, each a row
            return [dict(step) for _, step in numbered if step["figure"] in tell]
        return [
            ({"path": number} if self.question == "path" else {})
            | {name: step[name] for name in always if name in step}
            | tell(step)
            for number, step in numbered
        ]

    def frame(self, fields: FieldNames = "") -> pd.DataFrame:
        """Return the rows as a data frame of pandas, with dates as dates; ``PodgraphError`` where pandas is missing."""
        rows = self.to_dicts(fields)
        names = () if rows else dict.fromkeys(name.partition(".")[0] for name in FIELDS[self.question].default)
        return frame(rows, names)

    def __repr__(self) -> str:
        shown = self._rows[:_ROWS]
        head = f"<Answer {self.question}: {self._counted()}>"
        lines = [_cut("  ".join(cells), 160) for cells in table(shown)[1]]
        if len(self) > len(shown):
            lines.append(f"… and {len(self) - len(shown)} more")
        return "\n".join((head, *lines))

    def _counted(self) -> str:
        total = self._told.get("total")
        more = f" of {total}" if isinstance(total, int) and total > len(self) else ""
        return f"{len(self)}{more} row{'' if len(self) == 1 else 's'}"

    def _repr_html_(self) -> str:
        """Return the first rows as a table for a notebook. Titles are links."""
        from html import escape  # noqa: PLC0415 - a notebook asks for it

        rows = self._rows[:_HTML_ROWS]
        body = []
        for row, texts in zip(rows, table(rows)[1], strict=True):
            url = row.get("url", "") if isinstance(row, Item) else ""
            cell_texts = [escape(cell) for cell in texts]
            title = _cut(row.title, _CELL) if isinstance(row, Item) else ""
            if is_web(str(url)) and title in texts:
                at = texts.index(title)
                cell_texts[at] = f'<a href="{escape(str(url))}">{cell_texts[at]}</a>'
            cells = "".join(f'<td style="text-align: left">{cell}</td>' for cell in cell_texts)
            body.append(f"<tr>{cells}</tr>")
        return f"<div><strong>{self.question}</strong>: {self._counted()}<table>{''.join(body)}</table></div>"


# Attributes of every row beside its fields.
_ALWAYS = {
    "show": ("relation", "backwards", "id", "kind", "label"),
    "diff": ("change", "attributes", "source", "target", "key"),
}
_OF_NEIGHBOURS = (
    "id,kind,label,date,url,role,affiliation,reasons,line,evidence.quote,evidence.method,evidence.time,evidence.moments"
)


def _rows(question: str, told: Mapping[str, Any]) -> Iterator[Item | Steps]:
    """Yield the rows of an answer: the items of its list, or each figure, neighbour or change."""
    if question == "path":
        yield from (Steps(map(Item, way)) for way in told["paths"])
    elif question == "show":
        for side in ("out", "into"):
            for relation, others in told[side].items():
                yield from (Item({"relation": relation, "backwards": side == "into"} | one) for one in others)
    elif question == "stats":
        for figure, value in told.items():
            counts = value.items() if isinstance(value, dict) else value if isinstance(value, list) else ()
            yield from (Item(figure=figure, name=one[0], count=one[1]) for one in counts if not isinstance(one, str))
    elif question == "diff":
        yield from (Item({"change": change} | one) for change, some in told.items() for one in some)
    else:
        yield from map(Item, told[FIELDS[question].lists[0]])


def _item(value: Any) -> Any:
    """Return a value with attributes: dicts as items, also those in a list."""
    if isinstance(value, dict):
        return value if isinstance(value, Item) else Item({name: _item(one) for name, one in value.items()})
    return tuple(map(_item, value)) if isinstance(value, list | tuple) and not isinstance(value, Steps) else value


def _each(value: Any, tell: Telling) -> Any:
    return tell(value) if isinstance(value, dict) else [_each(one, tell) for one in value]


def _groups(groups: Any, tell: Telling) -> dict[str, object]:
    return {
        relation: [{name: one[name] for name in ("id", "kind", "label")} | tell(one) for one in others]
        for relation, others in groups.items()
    }


@cache
def _known() -> frozenset[str]:
    return frozenset(name for row in FIELDS.values() for name in row.known)


def table(rows: Iterable[Item | Steps], most: int = _CELL) -> tuple[list[str], list[list[str]]]:
    """Return the headers and cells of some rows, at most so many characters each; without empty columns.

    Rows without any of the usual columns (those of links) have all their fields.
    """
    listed = [*rows]

    def filled(names: Iterable[str]) -> dict[str, list[str]]:
        columns = {
            name: [
                _cell(row, name, most) if isinstance(row, Item) else repr(row)[1:-1] * (name == "title")
                for row in listed
            ]
            for name in names
        }
        return {name: cells for name, cells in columns.items() if any(cells)}

    kept = filled(_COLUMNS) or filled(dict.fromkeys(name for row in listed if isinstance(row, Item) for name in row))
    return [*kept], [[*cells] for cells in zip(*kept.values(), strict=True)] or [[] for _ in listed]


def _cell(row: Item, name: str, most: int = _CELL) -> str:
    """Return the text of a cell: of evidence the first quote, of a list the first two values.

    A row with a title leaves its label empty, so that the table has one column for names.
    """
    value = row.get(name, "")
    if name == "label" and row.get("title"):
        return ""
    if name == "evidence":
        value = [one.get("quote", "") for one in value[:1]]
    if isinstance(value, list | tuple):
        value = "; ".join(map(str, value[:2]))
    return str(value) if name.endswith("_url") else _cut(str(value), most)  # half an address leads nowhere


def _cut(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def frame(rows: Iterable[Mapping[str, object]], columns: Iterable[str] = ()) -> pd.DataFrame:
    """Return rows as a data frame of pandas: whole numbers stay whole, ``date`` is a date."""
    try:
        import pandas as pd  # noqa: PLC0415 - optional
    except ImportError as error:
        raise PodgraphError("a data frame needs pandas", remedy="pip install pandas") from error
    found = pd.DataFrame.from_records([*rows], columns=[*columns] or None).convert_dtypes()
    if "date" in found:
        days = found["date"].astype("object").where(found["date"].notna(), None)
        found["date"] = pd.to_datetime([day and str(day)[:10] for day in days], errors="coerce")
    return found
