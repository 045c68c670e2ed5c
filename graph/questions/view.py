"""The graph at rest for the questions of this folder: nodes by number, key and word, edges as a node sees them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..store import NODES, Edge, Store, title_of
from .answer import Row, build_row

if TYPE_CHECKING:
    from ..attributes import NodeAttributes
    from ..store import Value

Key = int  # the number of a node in its database

CITING = ("about", "cites", "listen_first", "mentions", "see_also")  # from an episode or post
# Whether an episode or post in ``nodes`` was itself a source, not only cited: see ``was_read``.
WAS_READ = (
    "(title <> '' AND json_extract(attributes, '$.looked_up') IS NULL OR EXISTS (SELECT 1 FROM edges WHERE source = n))"
)


# The columns of the table of a long answer; the other attributes of its rows are read on demand.
TABLE = (
    "n, id, kind, name AS title, url, podcast, substr(date, 1, 10) AS date, duration, number, "
    "attributes ->> 'uncertain' AS uncertain"
)
_TABLE_COLUMNS = ("n", "id", "kind", "title", "url", "podcast", "date", "duration", "number", "uncertain")


class Naming(NamedTuple):
    """An edge to a node: its source, relation and weight, whether a title names the node, its pieces of evidence."""

    source: str
    relation: str
    weight: float
    in_title: bool
    evidence_count: int
    boilerplate: bool


# The columns of `Naming`, of an edge `e` from `s` to `t`.
NAMINGS = (
    "s.id, e.relation, coalesce(CAST(e.weight AS REAL), 1.0), "
    "EXISTS (SELECT 1 FROM evidence WHERE edge = e.id AND field = 'title'), "
    "(SELECT count(*) FROM evidence WHERE edge = e.id), e.boilerplate IS NOT NULL "
    "FROM nodes t JOIN edges e ON e.target = t.n JOIN nodes s ON s.n = e.source WHERE 1"
)


class View(Store):
    """A graph at rest, with what several queries read from it."""

    def find_titles(self, part: str, slug: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Return the episodes and posts with ``part`` in the folded title, or with ``slug`` ("": none) in the slug."""
        condition = "field = 'title' AND instr(key, ?) OR field = 'slug' AND ? <> '' AND instr(key, ?)"
        return self.select_nodes(f"n IN (SELECT n FROM keys WHERE {condition})", (part, slug, slug))  # noqa: S608 - a constant

    def size(self) -> int:
        """Return the number of nodes."""
        return int(self.value("SELECT count(*) FROM nodes"))

    def find_words(self, field: str, words: Iterable[str], start: str = "") -> set[Key]:
        """Return the nodes with one of ``words``, or with a word beginning with ``start``, in a field."""
        columns = {"label": "label", "aliases": "names", "id": "place", "notes": "notes"}
        terms = [*([f'"{start}"*'] if start else ()), *(f'"{word}"' for word in words)]
        keys: set[Key] = set()
        for at in range(0, len(terms), 200):
            query = f"{columns[field]} : ({' OR '.join(terms[at : at + 200])})"
            keys.update(n for (n,) in self.rows("SELECT rowid FROM nodes_fts(?)", (query,)))
        return keys

    def find_quotes(self, words: Iterable[str]) -> set[Key]:
        """Return the episodes whose quotes from transcripts have words beginning with each of ``words``."""
        query = " AND ".join(f'"{word}"*' for word in words)
        return {n for (n,) in self.rows("SELECT rowid FROM nodes_fts(?)", (f"said : ({query})",))}

    def of_kinds(self, keys: Iterable[Key], kinds: Iterable[str]) -> list[Key]:
        """Return those of some nodes that are of the given kinds, in their order."""
        keys = list(keys)
        condition = "n IN (SELECT value FROM json_each(?)) AND kind IN (SELECT value FROM json_each(?))"
        values = json.dumps(keys), json.dumps(list(kinds))
        right_keys = {n for (n,) in self.rows(f"SELECT n FROM nodes WHERE {condition}", values)}  # noqa: S608 - constant
        return [key for key in keys if key in right_keys]

    def words_from(self, start: str) -> list[str]:
        """Return the words beginning with ``start``."""
        first = start
        query = "SELECT DISTINCT term, 0 FROM vocabulary WHERE term >= ? AND term < ? AND col <> 'said'"
        return [*self._read_words(query, (first, first + "\U0010ffff"))]

    def words_inside(self, part: str) -> list[str]:
        """Return the words of names and places containing ``part``."""
        return [*self._read_words("SELECT term, names FROM terms WHERE instr(term, ?)", (part,))]

    def words_like(self, word: str, slips: int) -> dict[str, int]:
        """Return the words of names like ``word``, each with the number of names holding it.

        A word with at most ``slips`` errors lacks at most ``slips`` letters of ``word``: the query counts these.
        """
        letters = sorted(set(word))[:20]
        missing = " + ".join(["(instr(term, ?) = 0)"] * len(letters))
        query = f"SELECT term, names FROM terms WHERE names AND length(term) BETWEEN ? AND ? AND {missing} <= ?"  # noqa: S608 - constants
        return self._read_words(query, (len(word) - slips, len(word) + slips, *letters, slips))

    def _read_words(self, query: str, values: tuple[str | int, ...]) -> dict[str, int]:
        try:
            return {str(term): int(count) for term, count in self.rows(query, values)}
        except (ValueError, TypeError) as error:
            raise self._damage("invalid words") from error

    def read(self, keys: Iterable[Key | str], column: str = "n") -> list[tuple[str, NodeAttributes]]:
        """Return (id, attributes) of some nodes, in their order, by their numbers or by another ``column``."""
        keys = list(keys)
        query = f"{NODES.replace(' FROM', f', {column} FROM', 1)} WHERE {column} IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
        nodes = {row[-1]: (row[0], self._to_node(row)) for row in self.rows(query, (json.dumps(keys),))}
        return [nodes[key] for key in keys]

    def read_table(self, query: str, values: Sequence[Value] | Mapping[str, Value] = (), *columns: str) -> list[Row]:
        """Return the rows of a query with the columns of ``TABLE``, then ``columns``; absent values are left out."""
        rows = []
        for values_of_row in self.rows(query, values):
            names = zip((*_TABLE_COLUMNS, *columns), values_of_row, strict=True)
            row = Row((name, value) for name, value in names if value not in (None, ""))
            if row.uncertain:
                row["uncertain"] = self.parse(row.uncertain)
            rows.append(row)
        return rows

    def read_rows(self, table: Sequence[Row]) -> list[Row]:
        """Return the rows of a table of ``read_table`` with all attributes of their nodes."""
        rows = []
        for row, (id_, node) in zip(table, self.read(row["n"] for row in table), strict=True):
            values = {name: value for name, value in row.items() if name not in _TABLE_COLUMNS}
            rows.append(build_row(id_, node, **values))
        return rows

    def key_of(self, id_: str) -> int | None:
        """Return the number of a node, ``None`` for an unknown id. Numbers sort as ids do."""
        key: int | None = self.value("SELECT n FROM nodes WHERE id = ?", (id_,))
        return key

    def id_of(self, key: Key) -> str:
        """Return the id of a node."""
        return str(self.value("SELECT id FROM nodes WHERE n = ?", (key,)))

    def ties(self, key: Key) -> Iterator[tuple[Key, str, float | None, int]]:
        """Return the edges at a node, those leaving it first. An edge to itself comes twice.

        Each is (node at the other end, relation, weight, degree of that node).
        """
        one_side = "SELECT o.n, relation, weight, o.degree FROM edges JOIN nodes o ON o.n = {0} WHERE {1} = ?"
        query = f"{one_side.format('target', 'source')} UNION ALL {one_side.format('source', 'target')}"
        return self.rows(query, (key, key))

    def namings(self, id_: str, *relations: str) -> list[Naming]:
        """Return the edges of some relations to a node, without their evidence."""
        query = f"SELECT {NAMINGS} AND t.id = ? AND e.relation IN {in_list(relations)} ORDER BY e.id"
        return [Naming(*row) for row in self.rows(query, (id_,))]

    def degree(self, key: Key) -> int:
        """Return the number of edges at a node."""
        return int(self.value("SELECT degree FROM nodes WHERE n = ?", (key,)) or 0)

    def counts(self) -> dict[str, int]:
        """Return the number of nodes of each kind ("": without a kind)."""
        return dict(self.rows("SELECT coalesce(kind, ''), count(*) FROM nodes GROUP BY kind"))


def in_list(names: Iterable[str]) -> str:
    """Return constant texts as a list in SQL.

    >>> in_list(("cites", "about"))
    "('cites', 'about')"
    """
    texts = ", ".join(f"'{name}'" for name in names)
    return f"({texts})"


def home_of(view: View) -> str:
    """Return the repository (``owner/name``) with the most files of a graph, "" without files."""
    files = "SELECT repo FROM nodes WHERE kind IN ('file', 'folder') AND repo <> ''"
    return view.value(f"{files} GROUP BY repo ORDER BY count(*) DESC, repo DESC") or ""


def name_of(id_: str, view: View) -> str:
    """Return the title of a node of ``view``, else its label, else its id."""
    return title_of(view.node(id_) or {}, id_)


def label_of(id_: str, view: View) -> str:
    """Return the label of a node of ``view``, else its id."""
    return str((view.node(id_) or {}).get("label", id_))


def through_changes(id_: str, view: View) -> Iterator[tuple[Edge, str]]:
    """Yield the citations of pull requests and commits changing a file, each with its reason."""
    for change in view.edges_to(id_, "touches"):
        node = view.node(change.source) or {}
        name = f"#{node['number']}" if "number" in node else change.source.partition("@")[2][:10]
        title = f" ({node['title']})" if "title" in node else ""
        for edge in view.edges_to(change.source, "cites"):
            yield edge, f"cites {name}{title}, which changed this file"
