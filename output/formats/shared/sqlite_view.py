"""A view of a graph in a SQLite file, read by its indexes and never as a whole.

See ``graph.View`` for the methods; the key of a node is its number ``n``.
"""

from __future__ import annotations

import json
import os
import sqlite3
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import SourceError, why_unreadable
from podgraph.graph import (
    SOURCES,
    Edge,
    Kinds,
    Outline,
    Tie,
    checked_about,
    checked_edge,
    checked_node,
    kinds_of,
    transcripts_of,
)

from ...bounded import not_ours
from .sqlite_tables import EDGES, NODES, edges_of, limit_query, node_of, open_database, token, word_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Self

    from podgraph.graph import Key, NodeAttributes

_AT_ONCE = 200  # terms in a query for words
_LETTERS = 20  # of a word, looked for in others
# the fields of ``Words`` -> columns of the index of words
_COLUMNS = {"label": "label", "aliases": "names", "id": "place", "notes": "notes"}
_COUNTED = "(? OR boilerplate IS NULL)"
# The nodes at boilerplate edges, each with the number of these; none where all edges count.
_ASIDE = """
WITH aside(n, c) AS (
  SELECT n, count(*) FROM (
    SELECT source AS n FROM edges INDEXED BY boilerplate WHERE boilerplate
    UNION ALL SELECT target FROM edges INDEXED BY boilerplate WHERE boilerplate
  ) WHERE NOT ? GROUP BY n
)
"""
_BUSIEST = f"""
{_ASIDE} SELECT n, degree - c FROM aside JOIN nodes USING (n) WHERE degree > c
UNION ALL SELECT n, degree FROM (
  SELECT n, degree FROM nodes WHERE degree > 0 AND n NOT IN (SELECT n FROM aside) ORDER BY degree DESC, n LIMIT ?
) ORDER BY 2 DESC, 1 LIMIT ?
"""  # noqa: S608 - constants
_CONNECTED = f"""
{_ASIDE} SELECT (SELECT count(*) FROM nodes WHERE degree > 0)
  - (SELECT count(*) FROM aside JOIN nodes USING (n) WHERE degree = c)
"""  # noqa: S608 - constants
_WAS_READ = (
    "(title <> '' AND json_extract(attributes, '$.looked_up') IS NULL OR EXISTS (SELECT 1 FROM edges WHERE source = n))"
)
# The columns of `Outline`, in its order; {0}: placeholders for relations, {1}: the condition,
# {2}: DISTINCT, not needed for a single relation.
_OUTLINE = f"""
SELECT n, id, coalesce(kind, ''), coalesce(nullif(title, ''), label, ''), coalesce(date, ''),
  number, season, coalesce(podcast, ''), coalesce(repo, ''), coalesce(state, ''), coalesce(status, ''),
  coalesce(community, ''),
  coalesce(json_array_length(attributes, '$.truncated_links'), 0),
  (SELECT count({{2}}target) FROM edges WHERE source = n AND relation IN ({{0}}) AND {_COUNTED}),
  (SELECT count({{2}}source) FROM edges WHERE target = n AND relation IN ({{0}}) AND {_COUNTED}),
  {_WAS_READ},
  EXISTS (SELECT 1 FROM edges WHERE target = n AND boilerplate)
    AND NOT EXISTS (SELECT 1 FROM edges WHERE target = n AND boilerplate IS NULL)
FROM nodes WHERE {{1}} ORDER BY n
"""  # noqa: S608 - constants

_NUMBERED = f"{NODES.replace('SELECT ', 'SELECT n, ', 1)} WHERE n IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants


class SqliteView:
    """A ``View`` of a graph in a SQLite file. Raises ``SourceError`` for files of other programs.

    Use it in a ``with`` block: its end closes the file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the file and read the graph's own attributes."""
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
        """Close the file. Every later query raises ``SourceError``."""
        self._database.close()

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of the graph: the built-in ones and those in its own table."""
        return kinds_of(self.about())

    @cached_property
    def transcripts(self) -> int:
        """See ``View``."""
        return transcripts_of(self.about())

    def node(self, id_: str) -> NodeAttributes | None:
        """Return the attributes of a node, or ``None`` for an unknown id."""
        row = next(self._rows(f"{NODES} WHERE id = ?", (id_,)), None)
        return self._attributes(row) if row else None

    def nodes(self, *kinds: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Iterate over (id, attributes) of all nodes, or of those of the given kinds, in the order of ids."""
        where = f" WHERE kind IN ({_places(kinds)})" if kinds else ""
        for row in self._rows(f"{NODES}{where} ORDER BY n", kinds):
            yield row[0], self._attributes(row)

    def edges_from(self, id_: str, *relations: str) -> list[Edge]:
        """See ``View``."""
        return self._edges("source", id_, relations)

    def edges_to(self, id_: str, *relations: str) -> list[Edge]:
        """See ``View``."""
        return self._edges("target", id_, relations)

    def under(self, prefix: str) -> Iterator[str]:
        """Iterate over the ids beginning with ``prefix``, in order."""
        rows = self._rows("SELECT id FROM nodes WHERE id >= ? AND id < ? ORDER BY id", (prefix, prefix + "\U0010ffff"))
        return (id_ for (id_,) in rows)

    def keyed(self, field: str, key: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``View``."""
        return self._found("n IN (SELECT n FROM keys WHERE field = ? AND key = ?)", (field, key))

    def titled(self, part: str, slug: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``View``."""
        wanted = "field = 'title' AND instr(key, ?) OR field = 'slug' AND ? <> '' AND instr(key, ?)"
        return self._found(f"n IN (SELECT n FROM keys WHERE {wanted})", (part, slug, slug))  # noqa: S608 - a constant

    def is_target(self, id_: str, relation: str) -> bool:
        """See ``View``."""
        return bool(self._one("SELECT 1 FROM edges WHERE target = ? AND relation = ?", (self.key_of(id_), relation)))

    def words(self) -> SqliteView:
        """See ``View``."""
        return self

    def size(self) -> int:
        """See ``Words``."""
        return int(self._one("SELECT count(*) FROM nodes"))

    def holding(self, field: str, words: Iterable[str], start: str = "") -> set[Key]:
        """See ``Words``."""
        terms = [*([f'"{token(start)}"*'] if start else ()), *(f'"{token(word)}"' for word in words)]
        chunks = (" OR ".join(terms[at : at + _AT_ONCE]) for at in range(0, len(terms), _AT_ONCE))
        found = (self._rows("SELECT rowid FROM nodes_fts(?)", (f"{_COLUMNS[field]} : ({chunk})",)) for chunk in chunks)
        return {n for rows in found for (n,) in rows}

    def saying(self, words: Iterable[str]) -> set[Key]:
        """See ``Words``."""
        query = " AND ".join(f'"{token(word)}"*' for word in words)
        return {n for (n,) in self._rows("SELECT rowid FROM nodes_fts(?)", (f"said : ({query})",))}

    def of_kinds(self, keys: Iterable[Key], kinds: Iterable[str]) -> list[Key]:
        """See ``Words``."""
        keys, wanted = list(keys), tuple(kinds)
        query = f"SELECT n FROM nodes WHERE n IN (SELECT value FROM json_each(?)) AND kind IN ({_places(wanted)})"  # noqa: S608 - a constant
        found = {n for (n,) in self._rows(query, (json.dumps(keys), *wanted))}
        return [key for key in keys if key in found]

    def read(self, keys: Iterable[Key]) -> list[tuple[str, NodeAttributes]]:
        """See ``Words``."""
        keys = list(keys)
        rows = self._rows(_NUMBERED, (json.dumps(keys),))
        found = {row[0]: (row[1], self._attributes(row[1:])) for row in rows}
        return [found[key] for key in keys]

    def words_from(self, start: str) -> list[str]:
        """See ``Words``."""
        first = token(start)
        query = "SELECT DISTINCT term FROM vocabulary WHERE term >= ? AND term < ? AND col <> 'said'"
        return self._words_of(query, (first, first + "\U0010ffff"))

    def words_inside(self, part: str) -> list[str]:
        """See ``Words``."""
        return self._words_of("SELECT term FROM terms WHERE instr(term, ?)", (token(part),))

    def _words_of(self, query: str, values: tuple[str, ...]) -> list[str]:
        try:
            return [word_of(term) for (term,) in self._rows(query, values)]
        except (ValueError, TypeError, AttributeError) as error:
            raise self._damaged("invalid words") from error

    def words_like(self, word: str, slips: int) -> dict[str, int]:
        """See ``Words``.

        A word with at most ``slips`` errors lacks at most ``slips`` letters of ``word``: the query counts these.
        """
        letters = sorted(set(word))[:_LETTERS]
        missing = " + ".join(["(instr(term, ?) = 0)"] * len(letters))
        rows = self._rows(
            f"SELECT term, names FROM terms WHERE names AND length(term) BETWEEN ? AND ? AND {missing} <= ?",  # noqa: S608 - constants
            (len(word) - slips, len(word) + slips, *letters, slips),
        )
        try:
            return {word_of(str(term)): int(count) for term, count in rows}
        except (ValueError, TypeError) as error:
            raise self._damaged("invalid words") from error

    def key_of(self, id_: str) -> int | None:
        """See ``View``."""
        found = self._one("SELECT n FROM nodes WHERE id = ?", (id_,))
        return found if isinstance(found, int) else None

    def id_of(self, key: Key) -> str:
        """See ``View``."""
        return str(self._one("SELECT id FROM nodes WHERE n = ?", (key,)))

    def ties(self, key: Key) -> Iterator[Tie]:
        """See ``View``."""
        one_side = (
            "SELECT o.n, relation, {1}, weight, boilerplate IS NOT NULL, o.degree "
            "FROM edges JOIN nodes o ON o.n = {0} WHERE {2} = ?"
        )
        query = f"{one_side.format('target', 1, 'source')} UNION ALL {one_side.format('source', 0, 'target')}"
        return map(Tie._make, self._rows(query, (key, key)))

    def degree(self, key: Key) -> int:
        """See ``View``."""
        return int(self._one("SELECT degree FROM nodes WHERE n = ?", (key,)) or 0)

    def outlines(
        self, kinds: Iterable[str], relations: Iterable[str], *, boilerplate: bool = False, read: bool = False
    ) -> Iterator[Outline]:
        """See ``View``."""
        wanted, naming = tuple(kinds), tuple(relations)
        condition = f"{f'kind IN ({_places(wanted)})' if wanted else '1'} AND {_WAS_READ if read else '1'}"
        query = _OUTLINE.format(_places(naming), condition, "DISTINCT " if len(naming) > 1 else "")
        rows = self._rows(query, (*naming, boilerplate, *naming, boilerplate, *wanted))
        return (Outline._make((*row[:-2], row[2] in SOURCES and bool(row[-2]), bool(row[-1]))) for row in rows)

    def busiest(self, relation: str, most: int, *, boilerplate: bool) -> tuple[list[tuple[str, int]], int]:
        """See ``View``."""
        if relation:
            rows = self._rows(
                "SELECT target, count(*) c, count(*) OVER () FROM edges INDEXED BY edges_by_target "  # noqa: S608 - constants
                f"WHERE relation = ? AND {_COUNTED} GROUP BY target HAVING c > 1 ORDER BY c DESC, target LIMIT ?",
                (relation, boilerplate, most or -1),
            )
            found = list(rows)
            return [(self.id_of(n), count) for n, count, _ in found], found[0][2] if found else 0
        # Nodes with boilerplate lose its weight in the ranking; of the others the first are enough.
        few = most or -1
        found = [(self.id_of(n), count) for n, count in self._rows(_BUSIEST, (boilerplate, few, few))]
        return found, int(self._one(_CONNECTED, (boilerplate,)))

    def pairs(self, relation: str) -> Iterator[tuple[Key, Key]]:
        """See ``View``."""
        return self._rows("SELECT source, target FROM edges INDEXED BY edges_by_source WHERE relation = ?", (relation,))

    def joined(self, without: Iterable[str], *, boilerplate: bool) -> Iterator[tuple[Key, Key, Key]]:
        """See ``View``."""
        left_out = tuple(without)
        return self._rows(
            "SELECT target, min(source), max(source) FROM edges INDEXED BY edges_by_target "  # noqa: S608 - constants
            f"WHERE relation NOT IN ({_places(left_out)}) AND {_COUNTED} "
            "GROUP BY target HAVING min(source) < max(source)",
            (*left_out, boilerplate),
        )

    def areas(self, *, boilerplate: bool) -> dict[str, int]:
        """See ``View``."""
        return dict(
            self._rows(
                "SELECT area, count(DISTINCT source) FROM nodes JOIN edges ON target = n "  # noqa: S608 - constants
                f"WHERE area IS NOT NULL AND kind = 'topic' AND relation = 'about' AND {_COUNTED} GROUP BY area",
                (boilerplate,),
            )
        )

    def asides(self) -> Iterator[tuple[str, int, Sequence[str]]]:
        """See ``View``."""
        query = "SELECT target, count(*), max(id) FROM edges INDEXED BY boilerplate WHERE boilerplate GROUP BY target"
        for n, count, last in list(self._rows(query)):
            reasons = self._one("SELECT reasons FROM edges WHERE id = ?", (last,))
            yield self.id_of(n), count, self._parsed(reasons) if reasons else ()

    def _found(self, condition: str, values: tuple[str, ...]) -> Iterator[tuple[str, NodeAttributes]]:
        return ((row[0], self._attributes(row)) for row in self._rows(f"{NODES} WHERE {condition} ORDER BY n", values))

    def about(self) -> dict[str, object]:
        """Return the graph's own attributes."""
        return self._about

    def counts(self) -> dict[str, int]:
        """Return the number of nodes of each kind ("": without a kind)."""
        return {kind or "": count for kind, count in self._rows("SELECT kind, count(*) FROM nodes GROUP BY kind")}

    def relations(self) -> dict[str, int]:
        """See ``View``."""
        return dict(self._rows("SELECT relation, edges FROM relations"))

    def _one(self, query: str, values: tuple[str | int | None, ...] = ()) -> Any:
        """Return the first column of the first row, ``None`` without rows."""
        return next(self._rows(f"{query} LIMIT 1", values), (None,))[0]

    def _rows(self, query: str, values: tuple[str | int | None, ...] = ()) -> Iterator[Any]:
        """Yield the rows of a query; ``SourceError`` when the file is damaged, or closed."""
        try:
            limit_query(self._database, self._size)
            yield from self._database.execute(query, values)
        except UnicodeEncodeError:  # half a character, of an argument in another encoding: no row has it
            return
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from error

    def _edges(self, end: str, id_: str, relations: tuple[str, ...]) -> list[Edge]:
        """Return the edges with a node at one end (``source`` or ``target``), in order, with their evidence."""
        condition = f" AND e.relation IN ({_places(relations)})" if relations else ""
        query = f"{EDGES} WHERE e.{end} = ?{condition} ORDER BY e.id, v.place"
        rows = self._rows(query, (self.key_of(id_), *relations))
        try:
            return [
                Edge(source, target, relation, checked_edge(attributes, whole=False))
                for source, target, relation, attributes in edges_of(rows, self._parsed)
            ]
        except (ValueError, TypeError) as error:
            raise self._damaged(str(error)) from error

    def _attributes(self, row: tuple[object, ...]) -> NodeAttributes:
        try:
            return checked_node(node_of(row, self._parsed), whole=False)
        except (ValueError, TypeError) as error:
            raise self._damaged(str(error)) from error

    def _parsed(self, text: object) -> Any:
        try:
            return json.loads(str(text))
        except (ValueError, RecursionError) as error:
            raise self._damaged(why_unreadable(error)) from error

    def _damaged(self, problem: str) -> SourceError:
        return SourceError(f"cannot be read ({problem})", source=self._source, remedy="open it again, or build it anew")


def _places(values: Sequence[str]) -> str:
    """Return places for so many values in a query."""
    return ", ".join("?" * len(values))
