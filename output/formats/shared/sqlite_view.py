"""Questions asked of a SQLite graph where it lies: microseconds at any size, and no networkx.

It answers as ``graph.View`` does, row by row.
"""

from __future__ import annotations

import json
import os
import sqlite3
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import SourceError
from podgraph.graph import (
    Edge,
    Kinds,
    checked_about,
    checked_edge,
    checked_node,
    is_titled,
    kinds_of,
    scan,
    scan_titles,
    transcripts_of,
)

from ...bounded import not_ours
from .sqlite_tables import (
    EVIDENCE_COLUMNS,
    HAS_PARTS,
    NODE_TEXTS,
    TERMS,
    holding,
    limit_query,
    open_database,
    tokens_as_words,
    words_as_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Self

    from podgraph.graph import EdgeAttributes, NodeAttributes

_AT_ONCE = 200  # terms in a query for words, and such queries in one
_LETTERS = 20  # of a word, looked for in others
_NODE = f"SELECT id, attributes, {', '.join(NODE_TEXTS)} FROM nodes"  # noqa: S608 - constants
_EDGE = "SELECT id, source, target, relation, weight, reasons, attributes FROM edges"
_FIELDS = ", ".join(f'"{name}"' for name in EVIDENCE_COLUMNS)
_EVIDENCE = f"SELECT attributes, {_FIELDS} FROM evidence WHERE edge = ? ORDER BY id"  # noqa: S608 - constants


class SqliteView:
    """A graph in a SQLite file, as ``View`` has it. Raises ``SourceError`` when the file is none of ours.

    Use it in a ``with`` block, which closes the file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._source = os.fspath(path)
        self._database = open_database(path)
        self._size = Path(path).stat().st_size
        try:
            rows = dict(self._rows("SELECT name, value FROM about"))
            self._about = checked_about({name: self._parsed(value) for name, value in rows.items()})
        except (ValueError, SourceError) as error:
            self.close()
            raise error if isinstance(error, SourceError) else not_ours(self._source, error) from error

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

    @cached_property
    def transcripts(self) -> int:
        """See ``View``."""
        return transcripts_of(self.about())

    def node(self, id_: str) -> NodeAttributes | None:
        """Return the attributes of a node, or ``None`` when there is none of that id."""
        row = next(self._rows(f"{_NODE} WHERE id = ?", (id_,)), None)
        return self._attributes(row) if row else None

    def nodes(self, *kinds: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Iterate over (id, attributes) of all nodes, or of those of the given kinds, in the order of ids."""
        where = f" WHERE kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
        for row in self._rows(f"{_NODE}{where} ORDER BY id", kinds):
            yield row[0], self._attributes(row)

    def edges_from(self, id_: str) -> list[Edge]:
        """Return the edges that leave a node."""
        return self._edges("source", id_)

    def edges_to(self, id_: str) -> list[Edge]:
        """Return the edges that lead to a node."""
        return self._edges("target", id_)

    def under(self, prefix: str) -> Iterator[str]:
        """Iterate over the ids that begin with ``prefix``, in order."""
        rows = self._rows("SELECT id FROM nodes WHERE id >= ? AND id < ? ORDER BY id", (prefix, prefix + "\U0010ffff"))
        return (id_ for (id_,) in rows)

    def keyed(self, field: str, key: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``View``."""
        if not self._has_words:
            return scan(self, field, key)
        return self._found("n IN (SELECT n FROM keys WHERE field = ? AND key = ?)", (field, key))

    def titled(self, part: str, slug: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``View``."""
        if not self._has_words:
            return scan_titles(self, part, slug)
        columns = {"title": part, **({"slug": slug} if slug else {})}
        queries = [holding(column, text) for column, text in columns.items()]
        if self._has_parts and all(queries):
            candidates = self._found("n IN (SELECT rowid FROM title_parts(?))", (" OR ".join(queries),))
            return ((id_, node) for id_, node in candidates if is_titled(id_, node, part, slug))
        wanted = "field = 'title' AND instr(key, ?) OR field = 'slug' AND ? <> '' AND instr(key, ?)"
        return self._found(f"n IN (SELECT n FROM keys WHERE {wanted})", (part, slug, slug))  # noqa: S608 - a constant

    def is_target(self, id_: str, relation: str) -> bool:
        """See ``View``."""
        rows = self._rows("SELECT 1 FROM edges WHERE target = ? AND relation = ? LIMIT 1", (id_, relation))
        return next(rows, None) is not None

    def words(self) -> SqliteView | None:
        """See ``View``."""
        return self if self._has_words else None

    def size(self) -> int:
        """See ``Words``."""
        return int(next(self._rows("SELECT count(*) FROM nodes"))[0])

    def holding(self, starts: Sequence[str], inside: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``Words``."""
        begun = " AND ".join(f'"{words_as_tokens([start])}"*' for start in starts)
        matches = [begun]
        if inside:
            query = f"SELECT term FROM {self._terms} WHERE instr(term, ?)"  # noqa: S608 - a constant
            terms = [f'"{term}"' for (term,) in self._rows(query, (words_as_tokens([inside]),))]
            matches += [" OR ".join(terms[at : at + _AT_ONCE]) for at in range(0, len(terms), _AT_ONCE)]
        if len(matches) > _AT_ONCE:
            return self.nodes()
        rows = " UNION ".join(["SELECT rowid FROM note_words(?)", *["SELECT rowid FROM name_words(?)"] * len(matches)])
        return self._found(f"n IN ({rows})", (begun, *matches))

    def words_like(self, word: str, slips: int) -> dict[str, int]:
        """See ``Words``: of the letters of ``word`` no more than ``slips`` are wanting in what differs so little."""
        letters = sorted(set(word))[:_LETTERS]
        wanting = " + ".join(["(instr(term, ?) = 0)"] * len(letters))
        rows = self._rows(
            f"SELECT term, names FROM {self._terms} WHERE names "  # noqa: S608 - constants
            f"AND (instr(term, '_') OR (length(term) BETWEEN ? AND ? AND {wanting} <= ?))",
            (len(word) - slips, len(word) + slips, *letters, slips),
        )
        try:
            return {tokens_as_words(term): int(count) for term, count in rows}
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            raise self._damaged("words that are none") from error

    @cached_property
    def _has_words(self) -> bool:
        """Whether there are the tables that came with version 2."""
        return int(next(self._rows("PRAGMA user_version"))[0]) > 1

    @cached_property
    def _has_parts(self) -> bool:
        """Whether there is the index of parts of titles, and a SQLite that can read it."""
        return HAS_PARTS and self._has("title_parts")

    @cached_property
    def _terms(self) -> str:
        """The table of the words of names; in a file without it they are counted."""
        return "name_terms" if self._has("name_terms") else f"({TERMS})"

    def _has(self, table: str) -> bool:
        return next(self._rows("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)), None) is not None

    def _found(self, condition: str, values: tuple[str, ...]) -> Iterator[tuple[str, NodeAttributes]]:
        return ((row[0], self._attributes(row)) for row in self._rows(f"{_NODE} WHERE {condition} ORDER BY id", values))

    def about(self) -> dict[str, object]:
        """Return the graph's own attributes."""
        return self._about

    def counts(self) -> dict[str, int]:
        """Return how many nodes there are of each kind ("": of none)."""
        return {kind or "": count for kind, count in self._rows("SELECT kind, count(*) FROM nodes GROUP BY kind")}

    def _rows(self, query: str, values: tuple[str | int, ...] = ()) -> Iterator[Any]:
        """Yield the rows that answer a query; ``SourceError`` when the file is damaged, or closed."""
        try:
            limit_query(self._database, self._size)
            yield from self._database.execute(query, values)
        except UnicodeEncodeError:  # half a character, of an argument in another encoding: no row has it
            return
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from error

    def _edges(self, end: str, id_: str) -> list[Edge]:
        found = []
        attrs: EdgeAttributes
        for number, source, target, relation, weight, reasons, attributes in list(
            self._rows(f"{_EDGE} WHERE {end} = ? ORDER BY id", (id_,))
        ):
            attrs = {} if weight is None else {"weight": weight}
            if reasons is not None:
                attrs["reasons"] = self._parsed(reasons)
            attrs |= self._object(attributes)
            evidence = [
                {name: value for name, value in zip(EVIDENCE_COLUMNS, fields, strict=True) if value is not None}
                | self._object(more)
                for more, *fields in self._rows(_EVIDENCE, (number,))
            ]
            if evidence:
                attrs["evidence"] = evidence
            try:
                found.append(Edge(source, target, relation, checked_edge(attrs, whole=False)))
            except ValueError as error:
                raise self._damaged(str(error)) from error
        return found

    def _attributes(self, row: tuple[object, ...]) -> NodeAttributes:
        _, attributes, *texts = row
        known = {name: str(text) for name, text in zip(NODE_TEXTS, texts, strict=True) if text is not None}
        try:
            return checked_node(known | self._object(attributes), whole=False)
        except ValueError as error:
            raise self._damaged(str(error)) from error

    def _object(self, text: object) -> Any:
        found = self._parsed(text)
        if not isinstance(found, dict):
            raise self._damaged("attributes that are none")
        return found

    def _parsed(self, text: object) -> Any:
        try:
            return json.loads(str(text))
        except (ValueError, RecursionError) as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, problem: str) -> SourceError:
        return SourceError(f"cannot be read ({problem})", source=self._source, remedy="open it again, or build it anew")
