"""The graph at rest for the queries of this folder: nodes in short, edges as a node sees them, words for search."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..kinds import SOURCES
from ..store import NODES, Edge, Store, title_of
from ..store_tables import from_index_term, to_index_term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..attributes import NodeAttributes


Key = int  # the number of a node in its database


class Outline(NamedTuple):
    """A node in short, without its edges.

    ``names`` is the number of nodes it mentions, ``named`` the number of nodes mentioning it. ``read``: the node
    is an episode or post whose notes were read, not only cited. ``aside``: only boilerplate leads to it. ``truncated``
    is the number of its truncated links. Unknown texts are "".
    """

    key: Key
    id: str
    kind: str
    title: str
    date: str
    number: object
    season: object
    podcast: str
    repo: str
    state: str
    status: str
    community: str
    truncated: int
    names: int
    named: int
    read: bool
    aside: bool


class Tie(NamedTuple):
    """An edge as a node sees it: the node at the other end, with its degree, and whether the edge leads there."""

    other: Key
    relation: str
    forward: bool
    weight: float | None
    boilerplate: bool
    degree: int


_AT_ONCE = 200  # terms in a query for words
_LETTERS = 20  # of a word, looked for in others
# the fields of a search -> columns of the index of words
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


class View(Store):
    """A graph at rest, with what several queries read from it."""

    def keyed(self, field: str, key: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Return the nodes with a key in a field of ``keys.FIELDS``, in the order of ids."""
        return self.nodes_with_key(field, key)

    def titled(self, part: str, slug: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Return the episodes and posts with ``part`` in the folded title, or with ``slug`` ("": none) in the slug."""
        wanted = "field = 'title' AND instr(key, ?) OR field = 'slug' AND ? <> '' AND instr(key, ?)"
        return self.select_nodes(f"n IN (SELECT n FROM keys WHERE {wanted})", (part, slug, slug))  # noqa: S608 - a constant

    def under(self, prefix: str) -> list[str]:
        """Return the ids beginning with ``prefix``, in order."""
        return self.ids_with_prefix(prefix)

    def is_target(self, id_: str, relation: str) -> bool:
        """Return whether an edge of a relation leads to a node."""
        return bool(self._one("SELECT 1 FROM edges WHERE target = ? AND relation = ?", (self.key_of(id_), relation)))

    def words(self) -> View:
        """Return the index of the words for search: the graph itself."""
        return self

    def size(self) -> int:
        """Return the number of nodes."""
        return int(self._one("SELECT count(*) FROM nodes"))

    def holding(self, field: str, words: Iterable[str], start: str = "") -> set[Key]:
        """Return the nodes with one of ``words``, or with a word beginning with ``start``, in a field."""
        terms = [*([f'"{to_index_term(start)}"*'] if start else ()), *(f'"{to_index_term(word)}"' for word in words)]
        chunks = (" OR ".join(terms[at : at + _AT_ONCE]) for at in range(0, len(terms), _AT_ONCE))
        found = (self.rows("SELECT rowid FROM nodes_fts(?)", (f"{_COLUMNS[field]} : ({chunk})",)) for chunk in chunks)
        return {n for rows in found for (n,) in rows}

    def saying(self, words: Iterable[str]) -> set[Key]:
        """Return the episodes whose quotes from transcripts have words beginning with each of ``words``."""
        query = " AND ".join(f'"{to_index_term(word)}"*' for word in words)
        return {n for (n,) in self.rows("SELECT rowid FROM nodes_fts(?)", (f"said : ({query})",))}

    def of_kinds(self, keys: Iterable[Key], kinds: Iterable[str]) -> list[Key]:
        """Return those of some nodes that are of the given kinds, in their order."""
        keys, wanted = list(keys), tuple(kinds)
        query = f"SELECT n FROM nodes WHERE n IN (SELECT value FROM json_each(?)) AND kind IN ({_places(wanted)})"  # noqa: S608 - a constant
        found = {n for (n,) in self.rows(query, (json.dumps(keys), *wanted))}
        return [key for key in keys if key in found]

    def read(self, keys: Iterable[Key]) -> list[tuple[str, NodeAttributes]]:
        """Return (id, attributes) of some nodes, in their order."""
        keys = list(keys)
        rows = self.rows(_NUMBERED, (json.dumps(keys),))
        found = {row[0]: (row[1], self._to_attributes(row[1:])) for row in rows}
        return [found[key] for key in keys]

    def words_from(self, start: str) -> list[str]:
        """Return the words beginning with ``start``."""
        first = to_index_term(start)
        query = "SELECT DISTINCT term FROM vocabulary WHERE term >= ? AND term < ? AND col <> 'said'"
        return self._words_of(query, (first, first + "\U0010ffff"))

    def words_inside(self, part: str) -> list[str]:
        """Return the words of names and places containing ``part``."""
        return self._words_of("SELECT term FROM terms WHERE instr(term, ?)", (to_index_term(part),))

    def _words_of(self, query: str, values: tuple[str, ...]) -> list[str]:
        try:
            return [from_index_term(term) for (term,) in self.rows(query, values)]
        except (ValueError, TypeError, AttributeError) as error:
            raise self._damage("invalid words") from error

    def words_like(self, word: str, slips: int) -> dict[str, int]:
        """Return the words of names like ``word``, each with the number of names holding it.

        A word with at most ``slips`` errors lacks at most ``slips`` letters of ``word``: the query counts these.
        """
        letters = sorted(set(word))[:_LETTERS]
        missing = " + ".join(["(instr(term, ?) = 0)"] * len(letters))
        rows = self.rows(
            f"SELECT term, names FROM terms WHERE names AND length(term) BETWEEN ? AND ? AND {missing} <= ?",  # noqa: S608 - constants
            (len(word) - slips, len(word) + slips, *letters, slips),
        )
        try:
            return {from_index_term(str(term)): int(count) for term, count in rows}
        except (ValueError, TypeError) as error:
            raise self._damage("invalid words") from error

    def key_of(self, id_: str) -> int | None:
        """Return the number of a node, ``None`` for an unknown id. Numbers sort as ids do."""
        found = self._one("SELECT n FROM nodes WHERE id = ?", (id_,))
        return found if isinstance(found, int) else None

    def id_of(self, key: Key) -> str:
        """Return the id of a node."""
        return str(self._one("SELECT id FROM nodes WHERE n = ?", (key,)))

    def ties(self, key: Key) -> Iterator[Tie]:
        """Return the edges at a node, those leaving it first. An edge to itself comes twice."""
        one_side = (
            "SELECT o.n, relation, {1}, weight, boilerplate IS NOT NULL, o.degree "
            "FROM edges JOIN nodes o ON o.n = {0} WHERE {2} = ?"
        )
        query = f"{one_side.format('target', 1, 'source')} UNION ALL {one_side.format('source', 0, 'target')}"
        return map(Tie._make, self.rows(query, (key, key)))

    def degree(self, key: Key) -> int:
        """Return the number of edges at a node."""
        return int(self._one("SELECT degree FROM nodes WHERE n = ?", (key,)) or 0)

    def outlines(
        self, kinds: Iterable[str], relations: Iterable[str], *, boilerplate: bool = False, read: bool = False
    ) -> Iterator[Outline]:
        """Iterate over the nodes of the kinds (none: all) by id; edges of ``relations`` count as naming a node.

        ``boilerplate`` also counts boilerplate edges, here and below. ``read`` leaves out unread nodes.
        """
        wanted, naming = tuple(kinds), tuple(relations)
        condition = f"{f'kind IN ({_places(wanted)})' if wanted else '1'} AND {_WAS_READ if read else '1'}"
        query = _OUTLINE.format(_places(naming), condition, "DISTINCT " if len(naming) > 1 else "")
        rows = self.rows(query, (*naming, boilerplate, *naming, boilerplate, *wanted))
        return (Outline._make((*row[:-2], row[2] in SOURCES and bool(row[-2]), bool(row[-1]))) for row in rows)

    def busiest(self, relation: str, most: int, *, boilerplate: bool) -> tuple[list[tuple[str, int]], int]:
        """Return (id, number of edges) of the nodes with the most edges, and how many such nodes there are.

        With a relation, its targets with at least two edges count. Without one (""), all edges at a node count, and one
        is enough. ``most`` limits the list (0: no limit). It is sorted by number, the highest first, then by id.
        """
        if relation:
            rows = self.rows(
                "SELECT target, count(*) c, count(*) OVER () FROM edges INDEXED BY edges_by_target "  # noqa: S608 - constants
                f"WHERE relation = ? AND {_COUNTED} GROUP BY target HAVING c > 1 ORDER BY c DESC, target LIMIT ?",
                (relation, boilerplate, most or -1),
            )
            found = list(rows)
            return [(self.id_of(n), count) for n, count, _ in found], found[0][2] if found else 0
        # Nodes with boilerplate lose its weight in the ranking; of the others the first are enough.
        few = most or -1
        found = [(self.id_of(n), count) for n, count in self.rows(_BUSIEST, (boilerplate, few, few))]
        return found, int(self._one(_CONNECTED, (boilerplate,)))

    def pairs(self, relation: str) -> Iterator[tuple[Key, Key]]:
        """Return the ends of the edges of a relation."""
        return self.rows("SELECT source, target FROM edges INDEXED BY edges_by_source WHERE relation = ?", (relation,))

    def joined(self, without: Iterable[str], *, boilerplate: bool) -> Iterator[tuple[Key, Key, Key]]:
        """Return (target, lowest source, highest source) of each node with edges from several sources.

        Edges of the relations ``without`` are left out.
        """
        left_out = tuple(without)
        return self.rows(
            "SELECT target, min(source), max(source) FROM edges INDEXED BY edges_by_target "  # noqa: S608 - constants
            f"WHERE relation NOT IN ({_places(left_out)}) AND {_COUNTED} "
            "GROUP BY target HAVING min(source) < max(source)",
            (*left_out, boilerplate),
        )

    def areas(self, *, boilerplate: bool) -> dict[str, int]:
        """Return the number of episodes and posts about a topic in each area."""
        return dict(
            self.rows(
                "SELECT area, count(DISTINCT source) FROM nodes JOIN edges ON target = n "  # noqa: S608 - constants
                f"WHERE area IS NOT NULL AND kind = 'topic' AND relation = 'about' AND {_COUNTED} GROUP BY area",
                (boilerplate,),
            )
        )

    def asides(self) -> Iterator[tuple[str, int, Sequence[str]]]:
        """Return (id, number of edges, reasons of the last edge) for each target of boilerplate."""
        query = "SELECT target, count(*), max(id) FROM edges INDEXED BY boilerplate WHERE boilerplate GROUP BY target"
        for n, count, last in list(self.rows(query)):
            reasons = self._one("SELECT reasons FROM edges WHERE id = ?", (last,))
            yield self.id_of(n), count, self._parse(reasons) if reasons else ()

    def counts(self) -> dict[str, int]:
        """Return the number of nodes of each kind ("": without a kind)."""
        return {kind or "": count for kind, count in self.rows("SELECT kind, count(*) FROM nodes GROUP BY kind")}

    def relations(self) -> dict[str, int]:
        """Return how many edges there are of each relation."""
        return dict(self.rows("SELECT relation, count(*) FROM edges GROUP BY relation"))

    def _one(self, query: str, values: tuple[str | int | None, ...] = ()) -> Any:
        return self.value(f"{query} LIMIT 1", values)


def _places(values: Sequence[str]) -> str:
    """Return places for so many values in a query."""
    return ", ".join("?" * len(values))


class Node(Protocol):
    """A node in an answer, with further fields."""

    @property
    def id(self) -> str:
        """The node's id."""

    @property
    def attributes(self) -> NodeAttributes:
        """The node's attributes."""


def podcasts_of(view: View) -> dict[str, str]:
    """Return the titles, by id, of the podcasts with episodes in a graph, without merely cited ones."""
    shows = ((id_, title_of(node, id_)) for id_, node in view.nodes("podcast"))
    return {id_: title for id_, title in shows if view.is_target(id_, "part_of")}


def home_of(view: View) -> str:
    """Return the repository (``owner/name``) with the most files of a graph, "" without files."""
    counts = Counter(repo for _, node in view.nodes("file", "folder") if (repo := str(node.get("repo", ""))))
    return max(counts, key=lambda repo: (counts[repo], repo), default="")


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
