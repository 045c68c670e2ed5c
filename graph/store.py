"""The graph at rest: one SQLite database, opened for reading, with its nodes, edges and evidence.

Tables (``tables.sql``): ``nodes``, ``edges`` between the numbers ``n`` of nodes, ``evidence`` of edges, ``keys`` for
finding nodes by number, title or name, ``nodes_fts`` for full-text search, ``terms`` with the words of names, ``about``
with the graph's own attributes.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from podgraph.extractors import GraphError, QueryError, why_unreadable

from .checking import EDGE_TESTS, NODE_TESTS, check_about, check_attributes, check_node_link
from .kinds import Kinds, kinds_of
from .store_tables import APPLICATION_ID, EVIDENCE_COLUMNS, NODE_COLUMNS, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Self

    from .attributes import EdgeAttributes, Graph, NodeAttributes

    Value = str | int | float | None

NODES = f"SELECT id, attributes, {', '.join(NODE_COLUMNS)} FROM nodes"  # noqa: S608 - constants
# A row for each piece of evidence of an edge, and one for an edge without any.
_EVIDENCE = ", ".join(f'v."{name}"' for name in EVIDENCE_COLUMNS)
EDGES = (
    "SELECT e.id, s.id, t.id, e.relation, e.weight, e.boilerplate, e.reasons, e.attributes, t.url, v.place, "  # noqa: S608 - constants
    f"v.attributes, {_EVIDENCE} FROM edges e JOIN nodes s ON s.n = e.source JOIN nodes t ON t.n = e.target "
    "LEFT JOIN evidence v ON v.edge = e.id"
)


class Edge(NamedTuple):
    """One edge: its ends, its relation, its other attributes."""

    source: str
    target: str
    relation: str
    attributes: EdgeAttributes


class Database(sqlite3.Connection):
    """A database that is closed when nothing refers to it any longer: after an error, or in a notebook."""

    def __del__(self) -> None:
        with suppress(sqlite3.Error):  # it was never opened
            self.close()


class Store:
    """A graph in a SQLite database, for reading; ``with Store.open(path) as store`` closes it at the end."""

    def __init__(self, database: sqlite3.Connection, source: str, size: int) -> None:
        """Read the graph's own attributes.

        ``source`` names the graph in messages; ``size`` in bytes limits the work of one query.
        """
        self._database = database
        self._size = size
        self.source = source
        about = [*self.rows("SELECT * FROM about")]
        self.about = check_about({name: self.parse(value) for name, value in about})

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a graph in a file. Raises ``GraphError`` for a missing, damaged or foreign file."""
        database = _open_database(path)
        return cls(database, os.fspath(path), Path(path).stat().st_size)

    @classmethod
    def from_networkx(cls, graph: Graph, source: str = "") -> Self:
        """Return a store in memory with the nodes and edges of a ``networkx.MultiDiGraph``; keys are relations.

        ``source`` names the graph in messages.
        """
        any_graph: Any = graph
        return cls._in_memory(graph.graph, any_graph.nodes(data=True), any_graph.edges(keys=True, data=True), source)

    @classmethod
    def from_node_link(cls, data: object, source: str = "") -> Self:
        """Return a store in memory with the content of a parsed ``podgraph.json``.

        Raises ``ValueError`` for other ``data``.
        """
        nodes, edges, about = check_node_link(data)
        node_rows = ((node.pop("id"), node) for node in nodes)
        edge_rows = ((edge.pop("source"), edge.pop("target"), edge.pop("key"), edge) for edge in edges)
        return cls._in_memory(about, node_rows, edge_rows, source)

    @classmethod
    def _in_memory(
        cls, about: Mapping[str, Any], nodes: Iterable[tuple[str, Any]], edges: Iterable[tuple[Any, ...]], source: str
    ) -> Self:
        """Return a store in memory. ``about`` are the graph's own attributes, ``nodes`` are (id, attributes).

        ``edges`` are (source, target, relation, attributes); ``source`` names the graph in messages.
        """
        from .store_writer import fill_database  # noqa: PLC0415 - a graph in a file is only read

        database = sqlite3.connect("file::memory:", uri=True, check_same_thread=False, factory=Database)
        fill_database(database, about, nodes, edges)
        database.execute("PRAGMA query_only=ON")
        size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        return cls(database, source, *database.execute(size).fetchone())

    def to_networkx(self) -> Graph:
        """Return the graph as a ``networkx.MultiDiGraph``; the key of an edge is its relation."""
        import networkx  # noqa: PLC0415 - takes longer to load than a question takes

        graph: Any = networkx.MultiDiGraph()
        graph.graph.update(self.about)
        graph.add_nodes_from(self.all_nodes())
        graph.add_edges_from(self.all_edges())
        return cast("Graph", graph)

    def all_nodes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (id, attributes) of every node, sorted by id. The types of the attributes are not checked."""
        for row in self.rows(f"{NODES} ORDER BY n"):
            yield row[0], self._to_attributes(row)

    def all_edges(self) -> Iterator[Edge]:
        """Yield every edge, sorted by source, target and relation. The types of the attributes are not checked."""
        return self._to_edges(self.rows(f"{EDGES} ORDER BY e.id, v.place"))

    @property
    def file(self) -> str:
        """The path of the database, "" in memory."""
        return str(self.value("SELECT file FROM pragma_database_list WHERE name = 'main'"))

    @contextmanager
    def attach(self, other: Store) -> Iterator[None]:
        """For a ``with`` block, add the tables of another store to this database, in the schema ``other``.

        Temporary tables are allowed in the block; both are removed at its end.
        """
        path = other.file
        self._size += other._size
        self._database.execute("PRAGMA trusted_schema=OFF")
        self._database.execute("PRAGMA query_only=OFF")
        self._database.execute("ATTACH ? AS other", (_to_address(path) if path else ":memory:",))
        try:
            if not path:
                self._database.deserialize(other.to_bytes(), name="other")
            yield
        finally:
            self._database.rollback()
            self._database.execute("DETACH other")
            self._database.execute("PRAGMA query_only=ON")

    def to_bytes(self) -> bytes:
        """Return the bytes that a file with this database would have."""
        return self._database.serialize()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database. Every later query raises ``GraphError``."""
        self._database.close()

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of the graph: the built-in ones and those in its attribute ``kinds``."""
        return kinds_of(self.about)

    @property
    def transcripts(self) -> int:
        """The number of episodes with moments from a transcript."""
        count = self.about.get("transcripts")
        return count if isinstance(count, int) else 0

    def rows(self, query: str, values: Sequence[Value] | Mapping[str, Value] = ()) -> Iterator[Any]:
        """Yield the rows of a query in SQL with the parameters ``values``.

        Raises ``GraphError`` for a damaged or closed database, and for a query that takes too long.
        """
        try:
            _limit_query(self._database, self._size)
            yield from self._database.execute(query, values)
        except UnicodeEncodeError:  # an argument with half a character: no row has it
            return
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._make_error(str(error)) from error

    def select(self, query: str, values: Sequence[Value] = ()) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the names of the columns of a person's query in SQL, and its rows. ``values`` are its parameters.

        Raises ``QueryError`` for an invalid query, and for one that takes too long.
        """
        try:
            _limit_query(self._database, self._size)
            cursor = self._database.execute(query, values)
            return [name for name, *_ in cursor.description or ()], cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise QueryError(f"SQL: {error}", remedy="the tables are nodes, edges, evidence and about") from error

    def value(self, query: str, values: Sequence[Value] | Mapping[str, Value] = ()) -> Any:
        """Return the first column of the first row of a query with the parameters ``values``; ``None`` without rows."""
        return next(self.rows(query, values), (None,))[0]

    def node(self, id_: str) -> NodeAttributes | None:
        """Return the attributes of a node, ``None`` for an unknown id."""
        return next((node for _, node in self.select_nodes("id = ?", (id_,))), None)

    def nodes(self, *kinds: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Yield (id, attributes) of the nodes of ``kinds`` (none: of all kinds), sorted by id."""
        return self.select_nodes(f"kind IN ({_placeholders(kinds)})" if kinds else "1", kinds)

    def select_nodes(self, condition: str, values: Sequence[Value] = ()) -> Iterator[tuple[str, NodeAttributes]]:
        """Yield (id, attributes) of the nodes that meet a condition in SQL over the columns of ``nodes``, sorted by id.

        ``values`` are the condition's parameters.
        """
        for row in self.rows(f"{NODES} WHERE {condition} ORDER BY n", values):
            yield row[0], self._to_node(row)

    def nodes_with_key(self, field: str, key: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Yield (id, attributes) of the nodes with a ``key`` such as a number or title, sorted by id.

        ``field`` is the kind of key: ``number``, ``title`` and others, see ``keys_of``.
        """
        return self.select_nodes("n IN (SELECT n FROM keys WHERE field = ? AND key = ?)", (field, key))

    def ids_with_prefix(self, prefix: str) -> list[str]:
        """Return the ids that begin with ``prefix``, sorted."""
        query = "SELECT id FROM nodes WHERE id >= ? AND id < ? ORDER BY id"
        # The last character of Unicode.
        return [id_ for (id_,) in self.rows(query, (prefix, prefix + "\U0010ffff"))]

    def edges_from(self, id_: str, *relations: str) -> list[Edge]:
        """Return the edges from the node ``id_``, of ``relations`` (none: of all), with their evidence."""
        return self._select_edges("source", id_, relations)

    def edges_to(self, id_: str, *relations: str) -> list[Edge]:
        """Return the edges to the node ``id_``, of ``relations`` (none: of all), with their evidence."""
        return self._select_edges("target", id_, relations)

    def _select_edges(self, end: str, id_: str, relations: Sequence[str]) -> list[Edge]:
        """Return the edges with the node ``id_`` at one ``end`` (source or target), of ``relations`` (none: all)."""
        condition = f" AND e.relation IN ({_placeholders(relations)})" if relations else ""
        node = "(SELECT n FROM nodes WHERE id = ?)"
        query = f"{EDGES} WHERE e.{end} = {node}{condition} ORDER BY e.id, v.place"
        return [
            edge._replace(attributes=self._check(edge.attributes, EDGE_TESTS))
            for edge in self._to_edges(self.rows(query, (id_, *relations)))
        ]

    def _to_edges(self, rows: Iterable[Sequence[Any]]) -> Iterator[Edge]:
        """Yield the edges in rows of the query ``EDGES``.

        The rows of one edge, one for each piece of evidence, follow each other.
        """
        for _, group in groupby(rows, key=itemgetter(0)):
            edge_rows = list(group)
            # The columns of the edge are the same in all its rows; those from 9 on are of a piece of evidence.
            source, target, relation, weight, boilerplate, reasons, more, target_url = edge_rows[0][1:9]
            attributes: Any = {} if weight is None else {"weight": weight}
            attributes |= {"boilerplate": True} if boilerplate else {}
            attributes |= {} if reasons is None else {"reasons": self.parse(reasons)}
            attributes |= self._parse_others(more)
            # Column 9 is the place of the evidence, absent without any; those behind it are its values.
            evidence = [self._to_evidence(target_url, row[10:]) for row in edge_rows if row[9] is not None]
            yield Edge(source, target, relation, attributes | ({"evidence": evidence} if evidence else {}))

    def _to_evidence(self, target_url: str | None, row: Sequence[Any]) -> dict[str, Any]:
        """Return a piece of evidence from a ``row``: its attributes in JSON, then the columns ``EVIDENCE_COLUMNS``.

        An absent URL means that it is ``target_url``, the target's; an empty one means that the evidence has none.
        """
        evidence = {name: value for name, value in zip(EVIDENCE_COLUMNS, row[1:], strict=True) if value is not None}
        if url := evidence.pop("url", target_url):
            evidence["url"] = url
        return evidence | self._parse_others(row[0]) if row[0] else evidence

    def _to_node(self, row: Sequence[Any]) -> NodeAttributes:
        """Return the attributes of a node from a row of ``NODES``. Raises ``GraphError`` for values of wrong types."""
        return cast("NodeAttributes", self._check(self._to_attributes(row), NODE_TESTS))

    def _to_attributes(self, row: Sequence[Any]) -> dict[str, Any]:
        """Return the attributes of a node from a row of ``NODES``; further columns of the row are ignored.

        Types are not checked.
        """
        # The first two columns are the id and the attributes without a column of their own.
        attributes = {name: value for name, value in zip(NODE_COLUMNS, row[2:], strict=False) if value is not None}
        for name in attributes.keys() & {"aliases", "names"}:
            attributes[name] = self.parse(attributes[name])
        return attributes | self._parse_others(row[1]) if row[1] else attributes

    def _parse_others(self, text: str | None) -> dict[str, Any]:
        """Return the attributes without a column of their own, from ``text``, an object in JSON; {} for ``None``.

        Raises ``GraphError`` for another text.
        """
        others = self.parse(text) if text else {}
        if not isinstance(others, dict):
            raise self._make_error("attributes are not an object")
        return others

    def _check(self, attributes: object, tests: Mapping[str, Any]) -> Any:
        """Return ``attributes`` whose values pass their ``tests`` (by name). Raises ``GraphError`` if one fails."""
        try:
            return check_attributes(attributes, tests)
        except ValueError as error:
            raise self._make_error(str(error)) from error

    def parse(self, text: object) -> Any:
        """Return the value of a text in JSON. Raises ``GraphError`` for another text."""
        try:
            return json.loads(str(text))
        except (ValueError, RecursionError) as error:
            raise self._make_error(why_unreadable(error)) from error

    def _make_error(self, problem: str) -> GraphError:
        """Return the error for a graph that cannot be read, with the ``problem``."""
        return GraphError(f"cannot be read ({problem})", source=self.source, remedy="open it again, or build it anew")


def title_of(attributes: NodeAttributes, otherwise: str = "") -> str:
    """Return the title of a node, else its label, else ``otherwise``. ``attributes`` are the node's."""
    return str(attributes.get("title") or attributes.get("label", otherwise))


def _placeholders(values: Sequence[str]) -> str:
    """Return a question mark for each value, for a query in SQL."""
    return ", ".join("?" * len(values))


def _limit_query(database: sqlite3.Connection, size: int) -> None:
    """Make SQLite interrupt the next query when it takes longer than any query of this program.

    The limit, in steps of SQLite's virtual machine, grows with the ``size`` of the database in bytes.
    """
    steps_at_once = 1_000_000
    calls = iter(range((100_000_000 + 100 * size) // steps_at_once))
    database.set_progress_handler(lambda: next(calls, None) is None, steps_at_once)


def _open_database(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """Open a database for reading, which may come from a stranger. Raises ``GraphError`` if it is not a graph.

    No code in the file runs: views and triggers in place of tables are refused, and functions in the schema are not
    trusted.
    """
    source = os.fspath(path)
    if not Path(source).is_file():
        raise GraphError("does not exist", source=source, remedy="make it with podgraph build")
    with Path(source).open("rb") as stream:  # SQLite stores the application's id from byte 68 on
        is_graph = stream.read(72)[68:] == APPLICATION_ID.to_bytes(4, "big")
    # An assistant's questions run in threads.
    database = sqlite3.connect(_to_address(source), uri=True, check_same_thread=False, factory=Database)
    try:
        _limit_query(database, Path(source).stat().st_size)
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 64 << 20)
        database.execute("PRAGMA trusted_schema=OFF")
        database.execute("PRAGMA query_only=ON")
        problem = _find_problem(database) if is_graph else "is not a graph of podgraph"
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter from a damaged schema
        problem = f"cannot be read ({error})"
    if problem:
        database.close()
        raise GraphError(problem, source=source, remedy="build it again, or give a file that podgraph wrote")
    return database


def _to_address(path: str) -> str:
    """Return the URI by which SQLite opens the database at ``path`` for reading only."""
    whole = Path(path).absolute()
    # SQLite would write -wal and -shm files beside a database in WAL mode. An existing log has to be read with it.
    is_alone = not any(Path(f"{whole}{end}").exists() for end in ("-wal", "-journal"))
    return f"{whole.as_uri()}?mode=ro{'&immutable=1' if is_alone else ''}"


def _find_problem(database: sqlite3.Connection) -> str:
    """Return why a database is not a graph of this version, "" if it is one."""
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        return f"is of another version of podgraph (tables of version {version}, not {VERSION})"
    tables = ("about", "nodes", "edges", "evidence", "keys", "nodes_fts", "terms")
    for name, type_ in database.execute("SELECT name, type FROM sqlite_master").fetchall():
        if type_ == "view" and name in tables:
            return f"has a view where the table {name} is meant"
        if type_ == "trigger":
            return f"has a trigger, {name}"
    return ""
