"""Questions asked of a SQLite graph where it lies: microseconds at any size, and no networkx.

It answers as ``graph.View`` does, row by row.
"""

from __future__ import annotations

import json
import os
import sqlite3
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from podgraph.extractors import SourceError
from podgraph.graph import EVIDENCE, Edge, Kinds, kinds_of

from .sqlite_tables import APPLICATION, NODE_TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from podgraph.graph import EdgeAttributes, NodeAttributes

_NODE = f"SELECT id, attributes, {', '.join(NODE_TEXTS)} FROM nodes"  # noqa: S608 - constants
_EDGE = "SELECT id, source, target, relation, weight, reasons, attributes FROM edges"
_FIELDS = ", ".join(f'"{name}"' for name in EVIDENCE)
_EVIDENCE = f"SELECT attributes, {_FIELDS} FROM evidence WHERE edge = ? ORDER BY id"  # noqa: S608 - constants


class SqliteView:
    """A graph in a SQLite file, as ``View`` has it. Raises ``SourceError`` when the file is none of ours.

    Use it in a ``with`` block, which closes the file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._source = os.fspath(path)
        if not Path(path).is_file():
            raise SourceError("does not exist", source=self._source, remedy="make it with podgraph build")
        self._database = sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)
        try:
            ours = self._database.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
        except sqlite3.Error:
            ours = False
        if not ours:
            self._database.close()
            raise SourceError("is no graph of podgraph", source=self._source, remedy="give a file that podgraph wrote")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; whatever is asked from then on is a ``SourceError``."""
        self._database.close()

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of the graph: those built in and those whose rows it brings."""
        return kinds_of(self.about())

    def node(self, id_: str) -> NodeAttributes | None:
        """Return the attributes of a node, or ``None`` when there is none of that id."""
        row = next(self._rows(f"{_NODE} WHERE id = ?", (id_,)), None)
        return _attributes(row) if row else None

    def nodes(self, *kinds: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Iterate over (id, attributes) of all nodes, or of those of the given kinds, in the order of ids."""
        where = f" WHERE kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
        for row in self._rows(f"{_NODE}{where} ORDER BY id", kinds):
            yield row[0], _attributes(row)

    def edges_from(self, id_: str) -> list[Edge]:
        """Return the edges that leave a node."""
        return self._edges("source", id_)

    def edges_to(self, id_: str) -> list[Edge]:
        """Return the edges that lead to a node."""
        return self._edges("target", id_)

    def under(self, prefix: str) -> list[str]:
        """Return the ids that begin with ``prefix``, in order."""
        rows = self._rows("SELECT id FROM nodes WHERE id >= ? AND id < ? ORDER BY id", (prefix, prefix + "\U0010ffff"))
        return [id_ for (id_,) in rows]

    def about(self) -> dict[str, object]:
        """Return the graph's own attributes."""
        return {name: json.loads(value) for name, value in self._rows("SELECT name, value FROM about")}

    def counts(self) -> dict[str, int]:
        """Return how many nodes there are of each kind ("": of none)."""
        return {kind or "": count for kind, count in self._rows("SELECT kind, count(*) FROM nodes GROUP BY kind")}

    def _rows(self, query: str, values: tuple[str | int, ...] = ()) -> Iterator[Any]:
        """Yield the rows that answer a query; ``SourceError`` when the file is damaged, or closed."""
        try:
            yield from self._database.execute(query, values)
        except sqlite3.Error as error:
            raise SourceError(
                f"cannot be read ({error})", source=self._source, remedy="open it again, or build it anew"
            ) from error

    def _edges(self, end: str, id_: str) -> list[Edge]:
        found = []
        attrs: EdgeAttributes
        for number, source, target, relation, weight, reasons, attributes in list(
            self._rows(f"{_EDGE} WHERE {end} = ? ORDER BY id", (id_,))
        ):
            attrs = {} if weight is None else {"weight": weight}
            if reasons is not None:
                attrs["reasons"] = json.loads(reasons)
            attrs |= json.loads(attributes)
            evidence = [
                {name: value for name, value in zip(EVIDENCE, fields, strict=True) if value is not None}
                | json.loads(more)
                for more, *fields in self._rows(_EVIDENCE, (number,))
            ]
            if evidence:
                attrs["evidence"] = evidence
            found.append(Edge(source, target, relation, attrs))
        return found


def _attributes(row: tuple[str, ...]) -> NodeAttributes:
    _, attributes, *texts = row
    found: NodeAttributes = json.loads(attributes)
    known = {name: text for name, text in zip(NODE_TEXTS, texts, strict=True) if text is not None}
    return cast("NodeAttributes", known) | found
