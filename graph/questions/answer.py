"""The result of every question: an ``Answer``, a table of rows with named columns.

The command prints answers, ``--json`` writes them, and the assistants get them.
"""

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


_OTHER_NAMES_OF_TO_PANDAS = frozenset({"to_df", "to_dataframe", "to_frame", "df", "dataframe"})
# pandas reads these attributes to recognize an array; a row must not have them.
_ARRAY_ATTRIBUTES = frozenset({"ndim", "dtype", "shape", "size"})


class Row(dict[str, Any]):
    """One row of an answer: a dict whose keys are attributes, too. An absent value is ``None`` as an attribute.

    >>> row = Row(id="topic:vmap", title="vmap")
    >>> row.title, row["id"], row.date
    ('vmap', 'topic:vmap', None)
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in _ARRAY_ATTRIBUTES:
            raise AttributeError(name)
        return self.get(name)

    def __missing__(self, name: str) -> None:
        return None


class LazyRows(Sequence[Row]):
    """The rows of a long answer. Their attributes are read from the database only when a row is needed.

    ``table`` has the same rows with few columns, enough for a printed table. ``read`` returns the complete rows.
    """

    def __init__(self, table: Sequence[Row], read: Callable[[Sequence[Row]], list[Row]]) -> None:
        """Keep the rows with few columns (``table``), and the function ``read`` that returns them with all columns."""
        self.table, self._read = table, read

    @cached_property
    def _rows(self) -> list[Row]:
        """Return the complete rows. The first call reads them."""
        return self._read(self.table)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice) and "_rows" not in vars(self):
            return LazyRows(self.table[key], self._read)
        return self._rows[key]

    def __len__(self) -> int:
        return len(self.table)


class Column(list[Any]):
    """A column of an answer: a list that also has the methods and comparisons of a pandas ``Series``.

    >>> Column(["a", "b"])[1:], Column([1, None, 1]) == [1, None, 1]
    (['b'], True)
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._to_series(), name)

    def _to_series(self) -> pd.Series[Any]:
        """Return the column as a pandas ``Series``."""
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
    """The rows that answer a question, and their context.

    ``question`` is the name of the question (``cites``), ``query`` the words it was given. ``columns`` are the names of
    the columns in a printed table, in order; a row may have more. ``total`` counts the rows before a limit.
    ``heading`` is a line to print above the rows ("": none). ``id`` is the node that the question is about ("": none).
    ``notes`` are hints for the reader: guesses, missing files, corrected words.
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
        """Return a row, a column, or a part of the answer, by the type of ``key``.

        A number gives a row, a name gives a column. A slice or a list of booleans gives an answer with some of the
        rows, a list of names an answer with some of the columns. Raises ``KeyError`` for an unknown column.
        """
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
        if name in _OTHER_NAMES_OF_TO_PANDAS:
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
        """Return the names of all columns: first those of the printed table, then the others of any row."""
        return list(dict.fromkeys((*self.columns, *(name for row in self.rows for name in row))))

    def head(self, n: int = 5) -> Answer:
        """Return an answer with only the first ``n`` rows."""
        return self[:n]

    def filter(self, is_wanted: Callable[[Row], object]) -> Answer:
        """Return an answer with only the rows for which ``is_wanted(row)`` is true."""
        return replace(self, rows=tuple(filter(is_wanted, self.rows)))

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas ``DataFrame`` with all columns; the column ``date`` has timestamps.

        Raises ``PodgraphError`` when pandas is not installed.
        """
        try:
            import pandas as pd  # noqa: PLC0415 - optional
        except ImportError as error:
            raise PodgraphError("a data frame needs pandas", remedy="pip install pandas") from error
        frame = pd.DataFrame.from_records([dict(row) for row in self.rows], columns=self.keys()).convert_dtypes()
        if "date" in frame:
            frame["date"] = pd.to_datetime(frame["date"].astype("string").str[:10], errors="coerce")
        return frame

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write the rows as CSV with all columns to ``path``; without a path, return the CSV as text, else ``None``.

        Raises ``PodgraphError`` when pandas is not installed.
        """
        text: str | None = self.to_pandas().to_csv(path, index=False)
        return text

    def to_json(self) -> str:
        """Return the dict of ``to_dict`` as a text in JSON; a value that JSON does not know is written as text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, default=str)

    def __repr__(self) -> str:
        """Return the name of the question, the columns and the first ten rows, one line each."""
        lines = [" | ".join(str(row.get(name, ""))[:50] for name in self.columns) for row in self.rows[:10]]
        more = [f"… and {len(self) - 10} more"] if len(self) > 10 else []
        return "\n".join([f"<Answer {self._describe_size()}>", " | ".join(self.columns), *lines, *more, *self.notes])

    def _describe_size(self) -> str:
        """Return the question and the number of its rows, such as "cites: 10 of 35 rows"."""
        of_total = f" of {self.total}" if self.total > len(self) else ""
        return f"{self.question}: {len(self)}{of_total} row{'s' * (len(self) != 1)}"

    def _repr_html_(self) -> str:
        """Return the first 20 rows as an HTML table, with the notes below.

        Notebooks call this method to show an answer.
        """
        from html import escape  # noqa: PLC0415 - only notebooks need it

        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = []
        for row in self.rows[:20]:
            texts = (
                ", ".join(map(str, value)) if isinstance(value := row.get(name, ""), list) else str(value)
                for name in self.columns
            )
            body.append(f"<tr>{''.join(f'<td>{escape(text[:200])}</td>' for text in texts)}</tr>")
        more = f"the first 20 of {max(self.total, len(self))}" if len(self) > 20 else self._describe_size()
        notes = "".join(f"<p>{escape(line)}</p>" for line in (more, *self.notes))
        return f"<div>{escape(self.heading)}<table><tr>{head}</tr>{''.join(body)}</table>{notes}</div>"

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as the dict that ``--json`` prints: question, query, id (if any), total, notes, rows."""
        context: dict[str, Any] = {"question": self.question, "query": self.query}
        if self.id:
            context["id"] = self.id
        return {**context, "total": self.total, "notes": list(self.notes), "rows": [dict(row) for row in self.rows]}


def build_row(id_: str, attributes: NodeAttributes | Mapping[str, Any], **values: Any) -> Row:
    """Return the row for a node: its id, its title (else its label), its ``attributes``, then ``values``.

    A value in ``values`` replaces the attribute of the same name. ``date`` is cut to the day (YYYY-MM-DD). A value that
    is ``None``, "" or an empty list is left out.
    """
    row = Row(id="", title="")
    names = {"id": id_, "title": values.get("title") or attributes.get("title") or attributes.get("label") or id_}
    for name, value in {**attributes, **values, **names}.items():
        if value or (value is not None and value not in ("", [], ())):  # numbers and false stay
            row[name] = value
    if "date" in row:
        row["date"] = str(row["date"])[:10]
    return row


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is one.

    >>> format_count(1, "file"), format_count(2, "file")
    ('1 file', '2 files')
    """
    return f"{number} {noun}{'s' * (number != 1)}"
