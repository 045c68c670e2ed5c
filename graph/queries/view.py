"""A saved graph as plain adjacency, for questions without a need for networkx or the whole graph."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from ..attributes import was_read
from ..kinds import KINDS, SOURCES, Kinds, kinds_of
from ..shapes import checked_lists
from .keys import FIELDS, TEXTS, WordIndex, is_quote_of_transcript, is_titled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    from ..attributes import EdgeAttributes, Graph, NodeAttributes

    _Row = TypeVar("_Row")


Key = str | int  # the name of a node inside a view: its id, or its number in a file


class Edge(NamedTuple):
    """One edge: its ends, its relation, its other attributes."""

    source: str
    target: str
    relation: str
    attributes: EdgeAttributes


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


class Words(Protocol):
    """The words of a graph in an index, for search. Fields are those of ``keys.SEARCHED``."""

    def size(self) -> int:
        """Return how many nodes there are."""

    def holding(self, field: str, words: Iterable[str], start: str = "") -> Collection[Key]:
        """Return the keys of the nodes with one of ``words``, or a word beginning with ``start``, in a field."""

    def saying(self, words: Iterable[str]) -> Collection[Key]:
        """Return the keys of the nodes whose quotes from transcripts have words beginning with each of ``words``."""

    def of_kinds(self, keys: Iterable[Key], kinds: Iterable[str]) -> list[Key]:
        """Return the keys of nodes of some kinds, in their order."""

    def read(self, keys: Iterable[Key]) -> Iterable[tuple[str, NodeAttributes]]:
        """Return the nodes with these keys, in their order."""

    def words_from(self, start: str) -> Iterable[str]:
        """Return the words beginning with ``start``."""

    def words_inside(self, part: str) -> list[str]:
        """Return the words of names and places containing ``part``."""

    def words_like(self, word: str, slips: int, /) -> Mapping[str, int]:
        """Return the words of names ``slips`` letters from ``word``, and others, each with the names holding it."""


class View(Protocol):
    """The interface of a graph for queries, in memory or in a SQLite file."""

    @property
    def kinds(self) -> Kinds:
        """The kinds of the graph: the built-in ones and those in its attribute ``kinds``."""

    @property
    def transcripts(self) -> int:
        """How many episodes have moments from a transcript."""

    def node(self, id_: str) -> NodeAttributes | None:
        """Return the attributes of a node, or ``None`` for an unknown id."""

    def nodes(self, *kinds: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Iterate over (id, attributes) of all nodes, or of those of the given kinds, in the order of ids."""

    def edges_from(self, id_: str, *relations: str) -> Iterable[Edge]:
        """Return the edges leaving a node, all or those of the given relations."""

    def edges_to(self, id_: str, *relations: str) -> Iterable[Edge]:
        """Return the edges leading to a node, all or those of the given relations."""

    def under(self, prefix: str) -> Iterable[str]:
        """Return the ids beginning with ``prefix``, in order."""

    def keyed(self, field: str, key: str) -> Iterable[tuple[str, NodeAttributes]]:
        """Return the nodes with a key in a field of ``keys.FIELDS``, in the order of ids."""

    def titled(self, part: str, slug: str) -> Iterable[tuple[str, NodeAttributes]]:
        """Return the episodes and posts with ``part`` in the folded title, or with ``slug`` ("": none) in the slug."""

    def is_target(self, id_: str, relation: str) -> bool:
        """Return whether an edge of a relation leads to a node."""

    def words(self) -> Words:
        """Return the index of the words for search."""

    def counts(self) -> dict[str, int]:
        """Return the number of nodes of each kind ("": without a kind)."""

    def relations(self) -> dict[str, int]:
        """Return how many edges there are of each relation."""

    def key_of(self, id_: str) -> Key | None:
        """Return the key of a node in this view, ``None`` for an unknown id. Keys sort as ids do."""

    def id_of(self, key: Key) -> str:
        """Return the id of the node with this key."""

    def ties(self, key: Key) -> Iterable[Tie]:
        """Return the edges at a node in short, those leaving it first. An edge to itself comes twice."""

    def degree(self, key: Key) -> int:
        """Return the number of edges at a node."""

    def outlines(
        self, kinds: Iterable[str], relations: Iterable[str], *, boilerplate: bool = False, read: bool = False
    ) -> Iterator[Outline]:
        """Iterate over the nodes of the kinds (none: all) by id; edges of ``relations`` count as naming a node.

        ``boilerplate`` also counts boilerplate edges, here and below. ``read`` leaves out unread nodes.
        """

    def busiest(self, relation: str, most: int, *, boilerplate: bool) -> tuple[list[tuple[str, int]], int]:
        """Return (id, number of edges) of the nodes with the most edges, and how many such nodes there are.

        With a relation, its targets with at least two edges count. Without one (""), all edges at a node count, and one
        is enough. ``most`` limits the list (0: no limit). It is sorted by number, the highest first, then by id.
        """

    def pairs(self, relation: str) -> Iterable[tuple[Key, Key]]:
        """Return the ends of the edges of a relation."""

    def joined(self, without: Iterable[str], *, boilerplate: bool) -> Iterable[tuple[Key, Key, Key]]:
        """Return (target, lowest source, highest source), by key, of each node with edges from several sources.

        Edges of the relations ``without`` are left out.
        """

    def areas(self, *, boilerplate: bool) -> dict[str, int]:
        """Return the number of episodes and posts about a topic in each area. Areas without any are left out."""

    def asides(self) -> Iterable[tuple[str, int, Sequence[str]]]:
        """Return (id, number of edges, reasons of the last edge) for each target of boilerplate."""


class Adjacency:
    """A view of a graph wholly in memory."""

    def __init__(
        self,
        nodes: Iterable[tuple[str, NodeAttributes]],
        edges: Iterable[Edge],
        kinds: Kinds = KINDS,
        transcripts: int = 0,
    ) -> None:
        """Store the nodes, and list the edges by their source and by their target."""
        self.kinds = kinds
        self.transcripts = transcripts
        self._nodes = dict(nodes)
        self._from: dict[str, list[Edge]] = {}
        self._to: dict[str, list[Edge]] = {}
        for edge in edges:
            self._from.setdefault(edge.source, []).append(edge)
            self._to.setdefault(edge.target, []).append(edge)

    @classmethod
    def of_node_link(cls, data: object) -> Adjacency:
        """Make a view of node-link data (a parsed ``podgraph.json``). Raises ``ValueError`` for other data."""
        nodes, edges, about = checked_lists(data)
        return cls(
            ((node["id"], node) for node in nodes),
            (Edge(edge["source"], edge["target"], edge["key"], edge) for edge in edges),
            kinds_of(about),
            transcripts_of(about),
        )

    @classmethod
    def of_graph(cls, graph: Graph) -> Adjacency:
        """Make a view of a networkx graph."""
        nodes = ((id_, data) for id_, data in graph.nodes(data=True))
        edges = (Edge(*edge) for edge in graph.edges(keys=True, data=True))
        return cls(nodes, edges, kinds_of(graph.graph), transcripts_of(graph.graph))

    def node(self, id_: str) -> NodeAttributes | None:
        """See ``View``."""
        return self._nodes.get(id_)

    def nodes(self, *kinds: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``View``."""
        return ((id_, data) for id_, data in self._nodes.items() if not kinds or data.get("kind") in kinds)

    def edges_from(self, id_: str, *relations: str) -> Iterable[Edge]:
        """See ``View``."""
        return _narrowed(self._from.get(id_, ()), relations)

    def edges_to(self, id_: str, *relations: str) -> Iterable[Edge]:
        """See ``View``."""
        return _narrowed(self._to.get(id_, ()), relations)

    def under(self, prefix: str) -> Iterable[str]:
        """See ``View``."""
        return [id_ for id_ in self._nodes if id_.startswith(prefix)]

    def keyed(self, field: str, key: str) -> Iterable[tuple[str, NodeAttributes]]:
        """See ``View``."""
        return scan(self, field, key)

    def titled(self, part: str, slug: str) -> Iterable[tuple[str, NodeAttributes]]:
        """See ``View``."""
        return scan_titles(self, part, slug)

    def is_target(self, id_: str, relation: str) -> bool:
        """See ``View``."""
        return any(edge.relation == relation for edge in self._to.get(id_, ()))

    def words(self) -> Words:
        """See ``View``. The index is made once."""
        return self._words

    @cached_property
    def _words(self) -> Words:
        return cast("Words", WordIndex(self._nodes.items(), self._spoken))

    def _spoken(self) -> Iterator[tuple[str, str]]:
        """Yield (id of the episode, quote) for each quote from a transcript."""
        if not self.transcripts:
            return
        for edge in self._edges():
            for item in edge.attributes.get("evidence", ()):
                if is_quote_of_transcript(item):
                    yield edge.source, str(item["quote"])

    def counts(self) -> dict[str, int]:
        """See ``View``."""
        found: dict[str, int] = {}
        for node in self._nodes.values():
            kind = node.get("kind", "")
            found[kind] = found.get(kind, 0) + 1
        return found

    def relations(self) -> dict[str, int]:
        """See ``View``."""
        return dict(Counter(edge.relation for edge in self._edges()))

    def key_of(self, id_: str) -> str | None:
        """See ``View``: the key is the id."""
        return id_ if id_ in self._nodes else None

    def id_of(self, key: Key) -> str:
        """See ``View``."""
        return str(key)

    def ties(self, key: Key) -> Iterator[Tie]:
        """See ``View``."""
        for edges, forward in ((self._from.get(str(key), ()), True), (self._to.get(str(key), ()), False)):
            for edge in edges:
                other, attributes = edge.target if forward else edge.source, edge.attributes
                aside = bool(attributes.get("boilerplate"))
                yield Tie(other, edge.relation, forward, attributes.get("weight"), aside, self.degree(other))

    def degree(self, key: Key) -> int:
        """See ``View``."""
        return len(self._from.get(str(key), ())) + len(self._to.get(str(key), ()))

    def outlines(
        self, kinds: Iterable[str], relations: Iterable[str], *, boilerplate: bool = False, read: bool = False
    ) -> Iterator[Outline]:
        """See ``View``."""
        relations = tuple(relations)
        for id_, node in sorted(self.nodes(*kinds), key=itemgetter(0)):
            was_source = node.get("kind") in SOURCES and (was_read(node) or id_ in self._from)
            if was_source or not read:
                names = {edge.target for edge in _counted(self.edges_from(id_, *relations), boilerplate)}
                named = {edge.source for edge in _counted(self.edges_to(id_, *relations), boilerplate)}
                incoming = self._to.get(id_, ())
                aside = bool(incoming) and all(edge.attributes.get("boilerplate") for edge in incoming)
                texts = (node.get(name, "") for name in ("podcast", "repo", "state", "status", "community"))
                yield Outline._make((
                    id_, id_, node.get("kind", ""), title_of(node), node.get("date", ""), node.get("number"),
                    node.get("season"), *texts, len(node.get("truncated_links", ())), len(names), len(named),
                    was_source, aside,
                ))  # fmt: skip

    def busiest(self, relation: str, most: int, *, boilerplate: bool) -> tuple[list[tuple[str, int]], int]:
        """See ``View``."""
        edges = (edge for edge in _counted(self._edges(), boilerplate) if relation in ("", edge.relation))
        counts = Counter(end for edge in edges for end in (edge[1:2] if relation else edge[:2]))
        enough = [(id_, count) for id_, count in counts.items() if count > bool(relation)]
        return sorted(enough, key=lambda item: (-item[1], item[0]))[: most or None], len(enough)

    def pairs(self, relation: str) -> list[tuple[Key, Key]]:
        """See ``View``."""
        return [edge[:2] for edge in self._edges() if edge.relation == relation]

    def joined(self, without: Iterable[str], *, boilerplate: bool) -> Iterator[tuple[Key, Key, Key]]:
        """See ``View``."""
        left_out = frozenset(without)
        for target, edges in self._to.items():
            sources = [edge.source for edge in _counted(edges, boilerplate) if edge.relation not in left_out]
            if len(set(sources)) > 1:
                yield target, min(sources), max(sources)

    def areas(self, *, boilerplate: bool) -> dict[str, int]:
        """See ``View``."""
        inside: dict[str, set[str]] = {}
        for topic, node in self.nodes("topic"):
            if "area" not in node:
                continue
            for edge in _counted(self.edges_to(topic, "about"), boilerplate):
                inside.setdefault(str(node["area"]), set()).add(edge.source)
        return {area: len(items) for area, items in inside.items()}

    def asides(self) -> list[tuple[str, int, Sequence[str]]]:
        """See ``View``."""
        found = [edge for edge in self._edges() if edge.attributes.get("boilerplate")]
        counts, last = Counter(edge.target for edge in found), {edge.target: edge.attributes for edge in found}
        return [(id_, count, last[id_].get("reasons", ())) for id_, count in counts.items()]

    def _edges(self) -> Iterator[Edge]:
        """Iterate over all edges, by their source."""
        return (edge for id_ in sorted(self._from) for edge in self._from[id_])


def _narrowed(edges: Sequence[Edge], relations: tuple[str, ...]) -> Sequence[Edge]:
    return [edge for edge in edges if edge.relation in relations] if relations else edges


def _counted(edges: Iterable[Edge], boilerplate: bool) -> Iterable[Edge]:
    return edges if boilerplate else (edge for edge in edges if not edge.attributes.get("boilerplate"))


class TooManyRowsError(Exception):
    """A question has visited all the rows in its budget."""


def bounded(view: View, most: int) -> View:
    """Return a view reading only part of a graph, for hints.

    It allows ``most`` calls and rows; one more raises ``TooManyRowsError``.
    """
    return cast("View", _Bounded(view, most))


class _Bounded:
    """A view, or its index of words, that counts calls and rows: see ``bounded``."""

    def __init__(self, whole: object, most: int, visits: list[None] | None = None) -> None:
        self._whole = whole
        self._most = most
        self._visits: list[None] = [] if visits is None else visits  # shared with the index of words

    def __getattr__(self, name: str) -> object:
        """Return an attribute of the whole view. Calls of a method, and the items of its answers, are counted."""
        found = getattr(self._whole, name)
        if not callable(found):
            return found

        def ask(*arguments: object) -> object:
            self._visit()
            answer: Any = found(*arguments)
            if name == "words":
                return _Bounded(answer, self._most, self._visits)
            is_one = answer is None or isinstance(answer, str | int | dict)
            return answer if is_one else self._visited(answer)

        return ask

    def _visited(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        for row in rows:
            self._visit()
            yield row

    def _visit(self) -> None:
        self._visits.append(None)
        if len(self._visits) > self._most:
            raise TooManyRowsError


def transcripts_of(about: Mapping[str, object]) -> int:
    """Return the number of episodes with moments from a transcript, from the graph's own attributes."""
    count = about.get("transcripts")
    return count if isinstance(count, int) else 0


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


def title_of(attributes: NodeAttributes, otherwise: str = "") -> str:
    """Return the title of a node, else its label, else the default."""
    return str(attributes.get("title") or attributes.get("label", otherwise))


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


def scan(view: View, field: str, key: str) -> Iterator[tuple[str, NodeAttributes]]:
    """Yield the nodes with a key, by a look at each."""
    kinds, keys = FIELDS[field]
    return ((id_, node) for id_, node in view.nodes(*kinds) if key in keys(id_, node))


def scan_titles(view: View, part: str, slug: str) -> Iterator[tuple[str, NodeAttributes]]:
    """Yield the episodes and posts with ``part`` in the folded title, or with ``slug`` ("": none) in the slug."""
    return ((id_, node) for id_, node in view.nodes(*TEXTS) if is_titled(id_, node, part, slug))
