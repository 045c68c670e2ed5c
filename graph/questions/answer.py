"""An answer: rows with named columns. Whatever is printed, written or sent to an assistant is one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

from podgraph.extractors import PodgraphError, nearest

if TYPE_CHECKING:
    import os

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


@dataclass(frozen=True)
class Answer(Sequence[Row]):
    """The rows of an answer, and their context.

    ``columns`` are the keys of the rows that a table shows, in order; a row may have more. ``total`` counts the rows
    before a limit. ``id`` is the node that the question is about, "" without one. ``notes`` are hints for a person:
    guesses, absent files, corrected words.
    """

    question: str
    query: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
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
    def __getitem__(self, key: list[str]) -> Answer: ...
    def __getitem__(self, key: int | slice | str | list[str]) -> Row | Answer | list[Any]:
        """Return a row by its place, a part of the answer by a slice, a column by its name, or some by a list."""
        if isinstance(key, slice):
            return replace(self, rows=self.rows[key])
        if isinstance(key, int):
            return self.rows[key]
        for name in [key] if isinstance(key, str) else key:
            if name not in (known := self.keys()):
                remedy = nearest(name, known) or f"use one of {', '.join(known)}"
                raise KeyError(f"no column {name!r}; {remedy}")
        if isinstance(key, str):
            return [row.get(key) for row in self.rows]
        rows = tuple(Row(zip(key, map(row.get, key), strict=True)) for row in self.rows)
        return replace(self, columns=tuple(key), rows=rows)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        columns = self.keys()
        if name in columns:
            return self[name]
        if name in _DATA_FRAMES:
            return self.to_pandas
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

    def tail(self, n: int = 5) -> Answer:
        """Return the last ``n`` rows as an answer."""
        return self[max(0, len(self) - n) :]

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows, and of columns."""
        return len(self), len(self.keys())

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
        return f"<div>{escape(self.heading)}<table><tr>{head}</tr>{''.join(body)}</table></div>"

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
