"""The graph's database as the questions read it: nodes by number, key and word, and the edges at a node."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..store import NODES, Edge, Store, title_of
from .answer import Row, build_row

if TYPE_CHECKING:
    from ..attributes import NodeAttributes
    from ..store import Value

Key = int  # the number of a node in the database; numbers are in the order of the ids

CITING = ("about", "cites", "listen_first", "mentions", "see_also")  # from an episode or post
# The condition in SQL that an episode or post in ``nodes`` was itself read, and not only cited: see ``was_read``.
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
    """An edge by which an episode or post names a node.

    ``source`` is the id of the episode or post, ``in_title`` whether its title names the node, ``evidence_count`` the
    number of pieces of evidence.
    """

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
    """A graph in its database, with methods for what several questions read from it."""

    def find_titles(self, part: str, slug: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Yield (id, attributes) of the episodes and posts with ``part`` in the folded title, or ``slug`` in the slug.

        A slug is the last part of an id. "" for ``slug`` means that slugs do not count.
        """
        condition = "field = 'title' AND instr(key, ?) OR field = 'slug' AND ? <> '' AND instr(key, ?)"
        return self.select_nodes(f"n IN (SELECT n FROM keys WHERE {condition})", (part, slug, slug))  # noqa: S608 - a constant

    def count_nodes(self) -> int:
        """Return the number of nodes."""
        return int(self.value("SELECT count(*) FROM nodes"))

    def find_words(self, field: str, words: Iterable[str], start: str = "") -> set[Key]:
        """Return the nodes that have, in a ``field``, one of ``words`` or a word beginning with ``start`` ("": none).

        ``field`` is one of ``SEARCHED``. The nodes are given by their numbers.
        """
        columns = {"label": "label", "aliases": "names", "id": "place", "notes": "notes"}  # of the full-text index
        terms = [*([f'"{start}"*'] if start else ()), *(f'"{word}"' for word in words)]
        keys: set[Key] = set()
        for at in range(0, len(terms), 200):  # the depth of an expression in FTS5 has a limit
            query = f"{columns[field]} : ({' OR '.join(terms[at : at + 200])})"
            keys.update(n for (n,) in self.rows("SELECT rowid FROM nodes_fts(?)", (query,)))
        return keys

    def find_quoted(self, words: Iterable[str]) -> set[Key]:
        """Return the numbers of the episodes with a quote from a transcript that has words beginning with ``words``.

        Each of ``words`` has to be the beginning of a word in any of the episode's quotes.
        """
        query = " AND ".join(f'"{word}"*' for word in words)
        return {n for (n,) in self.rows("SELECT rowid FROM nodes_fts(?)", (f"said : ({query})",))}

    def select_kinds(self, keys: Iterable[Key], kinds: Iterable[str]) -> list[Key]:
        """Return those of the nodes ``keys`` that are of one of ``kinds``, in the order of ``keys``."""
        keys = list(keys)
        condition = "n IN (SELECT value FROM json_each(?)) AND kind IN (SELECT value FROM json_each(?))"
        values = json.dumps(keys), json.dumps(list(kinds))
        right_keys = {n for (n,) in self.rows(f"SELECT n FROM nodes WHERE {condition}", values)}  # noqa: S608 - constant
        return [key for key in keys if key in right_keys]

    def find_words_starting(self, start: str) -> list[str]:
        """Return the words in the texts of all nodes (transcripts left out) that begin with ``start``."""
        query = "SELECT DISTINCT term, 0 FROM vocabulary WHERE term >= ? AND term < ? AND col <> 'said'"
        # The last character of Unicode.
        return [*self._read_words(query, (start, start + "\U0010ffff"))]

    def find_words_containing(self, part: str) -> list[str]:
        """Return the words in the names, ids and addresses of all nodes that contain ``part``."""
        return [*self._read_words("SELECT term, names FROM terms WHERE instr(term, ?)", (part,))]

    def find_similar_words(self, word: str, mistakes: int) -> dict[str, int]:
        """Return {word: number of names with it} for the words in names that may be a misspelling of ``word``.

        This is a first filter, before the mistakes are counted: the words have a similar length, and lack at most
        ``mistakes`` letters of ``word``.
        """
        letters = sorted(set(word))[:20]  # enough for any word, and it limits the length of the query
        missing = " + ".join(["(instr(term, ?) = 0)"] * len(letters))
        query = f"SELECT term, names FROM terms WHERE names AND length(term) BETWEEN ? AND ? AND {missing} <= ?"  # noqa: S608 - constants
        return self._read_words(query, (len(word) - mistakes, len(word) + mistakes, *letters, mistakes))

    def _read_words(self, query: str, values: tuple[str | int, ...]) -> dict[str, int]:
        """Return {word: count} from a query that selects these two columns; ``values`` are its parameters.

        Raises ``GraphError`` for values of other types.
        """
        try:
            return {str(term): int(count) for term, count in self.rows(query, values)}
        except (ValueError, TypeError) as error:
            raise self._make_error("invalid words") from error

    def read(self, keys: Iterable[Key | str], column: str = "n") -> list[tuple[str, NodeAttributes]]:
        """Return (id, attributes) of the nodes ``keys``, in their order.

        A key is a value of ``column``: a number (``n``), or an id for the column ``id``. Raises ``KeyError`` for a key
        that no node has.
        """
        keys = list(keys)
        query = f"{NODES.replace(' FROM', f', {column} FROM', 1)} WHERE {column} IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
        # The first column is the id, the last one is ``column``.
        nodes = {row[-1]: (row[0], self._to_node(row)) for row in self.rows(query, (json.dumps(keys),))}
        return [nodes[key] for key in keys]

    def read_table(self, query: str, values: Sequence[Value] | Mapping[str, Value] = (), *columns: str) -> list[Row]:
        """Return the rows of a query that selects the columns of ``TABLE``, then those named ``columns``.

        ``values`` are the query's parameters. A row leaves out absent and empty values.
        """
        rows = []
        for values_of_row in self.rows(query, values):
            names = zip((*_TABLE_COLUMNS, *columns), values_of_row, strict=True)
            row = Row((name, value) for name, value in names if value not in (None, ""))
            if row.uncertain:
                row["uncertain"] = self.parse(row.uncertain)
            rows.append(row)
        return rows

    def read_rows(self, table: Sequence[Row]) -> list[Row]:
        """Return the rows of a table from ``read_table``, each with all attributes of its node."""
        rows = []
        for row, (id_, node) in zip(table, self.read(row["n"] for row in table), strict=True):
            values = {name: value for name, value in row.items() if name not in _TABLE_COLUMNS}
            rows.append(build_row(id_, node, **values))
        return rows

    def key_of(self, id_: str) -> int | None:
        """Return the number of a node (its key in the database) for its id, ``None`` for an unknown id."""
        key: int | None = self.value("SELECT n FROM nodes WHERE id = ?", (id_,))
        return key

    def id_of(self, key: Key) -> str:
        """Return the id of the node with the number ``key``."""
        return str(self.value("SELECT id FROM nodes WHERE n = ?", (key,)))

    def list_neighbours(self, key: Key) -> Iterator[tuple[Key, str, float | None, int]]:
        """Yield (neighbour, relation, weight, degree of the neighbour) for each edge at the node ``key``.

        Nodes are given by their numbers; a degree is a number of edges. Edges leaving the node come first; one from the
        node to itself comes twice.
        """
        one_side = "SELECT o.n, relation, weight, o.degree FROM edges JOIN nodes o ON o.n = {0} WHERE {1} = ?"
        query = f"{one_side.format('target', 'source')} UNION ALL {one_side.format('source', 'target')}"
        return self.rows(query, (key, key))

    def list_namings(self, id_: str, *relations: str) -> list[Naming]:
        """Return the edges of ``relations`` that lead to the node ``id_``, without their evidence."""
        query = f"SELECT {NAMINGS} AND t.id = ? AND e.relation IN {in_list(relations)} ORDER BY e.id"
        return [Naming(*row) for row in self.rows(query, (id_,))]

    def degree(self, key: Key) -> int:
        """Return the number of edges at the node with the number ``key``."""
        return int(self.value("SELECT degree FROM nodes WHERE n = ?", (key,)) or 0)

    def count_by_kind(self) -> dict[str, int]:
        """Return {kind: number of nodes}; "" is for nodes without a kind."""
        return dict(self.rows("SELECT coalesce(kind, ''), count(*) FROM nodes GROUP BY kind"))


def in_list(names: Iterable[str]) -> str:
    """Return names as a list in SQL. They must be constants, because quotes in them are not escaped.

    >>> in_list(("cites", "about"))
    "('cites', 'about')"
    """
    texts = ", ".join(f"'{name}'" for name in names)
    return f"({texts})"


def home_of(view: View) -> str:
    """Return the repository (``owner/name``) with the most files in a graph, "" if the graph has no files."""
    files = "SELECT repo FROM nodes WHERE kind IN ('file', 'folder') AND repo <> ''"
    return view.value(f"{files} GROUP BY repo ORDER BY count(*) DESC, repo DESC") or ""


def name_of(id_: str, view: View) -> str:
    """Return the title of a node, else its label, else its id."""
    return title_of(view.node(id_) or {}, id_)


def label_of(id_: str, view: View) -> str:
    """Return the label of a node, else its id."""
    return str((view.node(id_) or {}).get("label", id_))


def find_citing_changes(id_: str, view: View) -> Iterator[tuple[Edge, str]]:
    """Yield (edge, reason) for each citation of a pull request or commit that changed a file (``id_``).

    The reason is a text such as "cites #12 (Add vmap), which changed this file".
    """
    for change in view.edges_to(id_, "touches"):
        node = view.node(change.source) or {}
        name = f"#{node['number']}" if "number" in node else change.source.partition("@")[2][:10]
        title = f" ({node['title']})" if "title" in node else ""
        for edge in view.edges_to(change.source, "cites"):
            yield edge, f"cites {name}{title}, which changed this file"
