"""An answer: rows with named columns. Whatever is printed, written or sent to an assistant is one."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from podgraph.extractors import PodgraphError, nearest

if TYPE_CHECKING:
    import pandas as pd

    from ..attributes import NodeAttributes


_DATA_FRAMES = frozenset({"to_df", "to_dataframe", "to_frame", "df", "dataframe"})
_ARRAYS = frozenset({"ndim", "dtype", "shape", "size"})  # which pandas asks of a row


class Row(dict[str, Any]):
    """One row of an answer: a dict whose keys are attributes, too. An absent value is ``None`` as an attribute.

    >>> row = Row(id="topic:vmap", title="vmap")
    >>> row.title, row["id"], row.date
    ('vmap', 'topic:vmap', None)
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in _ARRAYS:
            raise AttributeError(name)
        return self.get(name)

    def __missing__(self, name: str) -> None:
        return None


class LazyRows(Sequence[Row]):
    """The rows of a long answer: the values of its ``table`` are there, the other attributes are read on demand."""

    def __init__(self, table: Sequence[Row], read: Callable[[Sequence[Row]], list[Row]]) -> None:
        self.table, self._read = table, read

    @cached_property
    def _rows(self) -> list[Row]:
        return self._read(self.table)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) and "_rows" not in vars(self):
            return LazyRows(self.table[key], self._read)
        return self._rows[key]

    def __len__(self) -> int:
        return len(self.table)


class Column(list[Any]):
    """A column of an answer: a list that also has the methods and comparisons of a series of pandas.

    >>> Column(["a", "b"])[1:], Column([1, None, 1]) == [1, None, 1]
    (['b'], True)
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._to_series(), name)

    def _to_series(self) -> pd.Series[Any]:
        import pandas as pd  # noqa: PLC0415 - optional

        return pd.Series(list(self))

    def __eq__(self, other: object) -> Any:
        return list(self) == other if isinstance(other, list) else self._to_series() == other

    def __gt__(self, other: Any) -> Any:
        return self._to_series() > other

    def __lt__(self, other: Any) -> Any:
        return self._to_series() < other

    def __ge__(self, other: Any) -> Any:
        return self._to_series() >= other

    def __le__(self, other: Any) -> Any:
        return self._to_series() <= other

    __hash__ = None


@dataclass(frozen=True, repr=False)
class Answer(Sequence[Row]):
    """The rows of an answer, and their context.

    ``columns`` are the keys of the rows that a table shows, in order; a row may have more. ``total`` counts the rows
    before a limit. ``id`` is the node that the question is about, "" without one. ``notes`` are hints for a person:
    guesses, absent files, corrected words.
    """

    question: str
    query: str
    columns: tuple[str, ...]
    rows: Sequence[Row]
    total: int
    heading: str = ""
    id: str = ""
    notes: tuple[str, ...] = ()

    @overload
    def __getitem__(self, key: int) -> Row: ...
    @overload
    def __getitem__(self, key: slice) -> Answer: ...
    @overload
    def __getitem__(self, key: str) -> list[Any]: ...
    @overload
    def __getitem__(self, key: list[str] | list[bool]) -> Answer: ...
    def __getitem__(self, key: int | slice | str | Iterable[Any]) -> Row | Answer | list[Any]:
        """Return a row by its place, a column by its name; a part by a slice, by names, or by a list of booleans."""
        if isinstance(key, slice):
            return replace(self, rows=self.rows[key])
        if isinstance(key, int):
            return self.rows[key]
        names = [key] if isinstance(key, str) else list(key)
        if names and not isinstance(names[0], str):  # a mask, as pandas makes one
            return replace(self, rows=tuple(row for row, is_in in zip(self.rows, names, strict=True) if is_in))
        columns = self.keys()
        for name in names:
            if name not in columns:
                remedy = nearest(name, columns) or f"use one of {', '.join(columns)}"
                raise KeyError(f"no column {name!r}; {remedy}")
        if isinstance(key, str):
            return Column(row.get(key) for row in self.rows)
        rows = tuple(Row(zip(names, map(row.get, names), strict=True)) for row in self.rows)
        return replace(self, columns=tuple(names), rows=rows)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        columns = self.keys()
        if name in columns:
            return self[name]
        if name in _DATA_FRAMES:
            return self.to_pandas
        name = "sort_values" if name in {"sort", "sorted", "order_by"} else name
        try:  # what a data frame can, the answer can
            return getattr(self.to_pandas(), name)
        except (AttributeError, PodgraphError):
            remedy = nearest(name, (*columns, *dir(type(self)))) or "to_pandas() has all that a data frame has"
            raise AttributeError(f"an answer has no {name!r}; {remedy}") from None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def keys(self) -> list[str]:
        """Return the names of all columns: those of the table first."""
        return list(dict.fromkeys((*self.columns, *(name for row in self.rows for name in row))))

    def head(self, n: int = 5) -> Answer:
        """Return the first ``n`` rows as an answer."""
        return self[:n]

    def filter(self, is_wanted: Callable[[Row], object]) -> Answer:
        """Return the rows for which a function is true as an answer."""
        return replace(self, rows=tuple(filter(is_wanted, self.rows)))

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a data frame of pandas; ``date`` has timestamps. It needs pandas."""
        try:
            import pandas as pd  # noqa: PLC0415 - optional
        except ImportError as error:
            raise PodgraphError("a data frame needs pandas", remedy="pip install pandas") from error
        frame = pd.DataFrame.from_records([dict(row) for row in self.rows], columns=self.keys()).convert_dtypes()
        if "date" in frame:
            frame["date"] = pd.to_datetime(frame["date"].astype("string").str[:10], errors="coerce")
        return frame

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write the rows as CSV with all columns, or return them as text without a ``path``. It needs pandas."""
        text: str | None = self.to_pandas().to_csv(path, index=False)
        return text

    def to_json(self) -> str:
        """Return the answer as JSON: the text of ``to_dict``."""
        return json.dumps(self.to_dict(), ensure_ascii=False, default=str)

    def __repr__(self) -> str:
        """Return the first ten rows as lines of text."""
        lines = [" | ".join(str(row.get(name, ""))[:50] for name in self.columns) for row in self.rows[:10]]
        more = [f"… and {len(self) - 10} more"] if len(self) > 10 else []
        return "\n".join([f"<Answer {self._count()}>", " | ".join(self.columns), *lines, *more, *self.notes])

    def _count(self) -> str:
        of_total = f" of {self.total}" if self.total > len(self) else ""
        return f"{self.question}: {len(self)}{of_total} row{'s' * (len(self) != 1)}"

    def _repr_html_(self) -> str:
        """Return the first 20 rows as a table, for a notebook."""
        from html import escape  # noqa: PLC0415 - only notebooks need it

        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = []
        for row in self.rows[:20]:
            texts = (
                ", ".join(map(str, value)) if isinstance(value := row.get(name, ""), list) else str(value)
                for name in self.columns
            )
            body.append(f"<tr>{''.join(f'<td>{escape(text[:200])}</td>' for text in texts)}</tr>")
        more = f"the first 20 of {max(self.total, len(self))}" if len(self) > 20 else self._count()
        notes = "".join(f"<p>{escape(line)}</p>" for line in (more, *self.notes))
        return f"<div>{escape(self.heading)}<table><tr>{head}</tr>{''.join(body)}</table>{notes}</div>"

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as ``--json`` prints it: question, query, id, total, notes, rows."""
        context: dict[str, Any] = {"question": self.question, "query": self.query}
        if self.id:
            context["id"] = self.id
        return {**context, "total": self.total, "notes": list(self.notes), "rows": [dict(row) for row in self.rows]}


def build_row(id_: str, attributes: NodeAttributes | Mapping[str, Any], **values: Any) -> Row:
    """Return the row of a node: its id, its title (else its label), its attributes, then ``values``.

    ``date`` is the day (YYYY-MM-DD). A value that is ``None``, "" or empty is absent.
    """
    row = Row(id="", title="")
    names = {"id": id_, "title": values.get("title") or attributes.get("title") or attributes.get("label") or id_}
    for name, value in {**attributes, **values, **names}.items():
        if value or (value is not None and value not in ("", [], ())):  # numbers and false stay
            row[name] = value
    if "date" in row:
        row["date"] = str(row["date"])[:10]
    return row
