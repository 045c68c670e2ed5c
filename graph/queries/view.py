"""A saved graph as plain adjacency, for questions that need neither networkx nor the whole of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..kinds import KINDS, Kinds, kinds_of
from ..shapes import checked_lists
from .keys import FIELDS, TEXTS, is_titled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    from ..attributes import EdgeAttributes, Graph, NodeAttributes

    _Row = TypeVar("_Row")


class Edge(NamedTuple):
    """One edge: its ends, its relation, its other attributes."""

    source: str
    target: str
    relation: str
    attributes: EdgeAttributes


class Words(Protocol):
    """The words of a big graph in an index, for search; a view without one is looked through."""

    def size(self) -> int:
        """Return how many nodes there are."""

    def holding(self, starts: Sequence[str], inside: str) -> Iterable[tuple[str, NodeAttributes]]:
        """Return at least the nodes that hold a word from each of ``starts``, or in whose names ``inside`` stands.

        The words are those of ``searched_words``; ``inside`` is a part of one ("": of none).
        """

    def words_like(self, word: str, slips: int) -> Mapping[str, int]:
        """Return the words of names ``slips`` letters from ``word``, and others, each with the names that hold it."""


class View(Protocol):
    """What a question may ask of a graph, wherever the graph is kept."""

    @property
    def kinds(self) -> Kinds:
        """The kinds of the graph: those built in and those whose rows it brings."""

    @property
    def transcripts(self) -> int:
        """How many episodes have moments from a transcript."""

    def node(self, id_: str) -> NodeAttributes | None:
        """Return the attributes of a node, or ``None`` when there is none of that id."""

    def nodes(self, *kinds: str) -> Iterator[tuple[str, NodeAttributes]]:
        """Iterate over (id, attributes) of all nodes, or of those of the given kinds, in the order of ids."""

    def edges_from(self, id_: str) -> Iterable[Edge]:
        """Return the edges that leave a node."""

    def edges_to(self, id_: str) -> Iterable[Edge]:
        """Return the edges that lead to a node."""

    def under(self, prefix: str) -> Iterable[str]:
        """Return the ids that begin with ``prefix``, in order."""

    def keyed(self, field: str, key: str) -> Iterable[tuple[str, NodeAttributes]]:
        """Return the nodes that have a key in a field of ``keys.FIELDS``, in the order of ids."""

    def titled(self, part: str, slug: str) -> Iterable[tuple[str, NodeAttributes]]:
        """Return the episodes and posts whose folded title holds ``part``, or whose slug ``slug`` ("": none)."""

    def is_target(self, id_: str, relation: str) -> bool:
        """Tell whether an edge of a relation leads to a node."""

    def words(self) -> Words | None:
        """Return the index of the words that search reads, ``None`` where there is none."""

    def counts(self) -> dict[str, int]:
        """Return how many nodes there are of each kind ("": of none)."""


class Adjacency:
    """A view of a graph that is wholly in memory."""

    def __init__(
        self,
        nodes: Iterable[tuple[str, NodeAttributes]],
        edges: Iterable[Edge],
        kinds: Kinds = KINDS,
        transcripts: int = 0,
    ) -> None:
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
        """Make a view of node-link data (a parsed ``podgraph.json``); ``ValueError`` where it is none."""
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

    def edges_from(self, id_: str) -> Iterable[Edge]:
        """See ``View``."""
        return self._from.get(id_, ())

    def edges_to(self, id_: str) -> Iterable[Edge]:
        """See ``View``."""
        return self._to.get(id_, ())

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

    def words(self) -> None:
        """See ``View``."""

    def counts(self) -> dict[str, int]:
        """See ``View``."""
        found: dict[str, int] = {}
        for node in self._nodes.values():
            kind = node.get("kind", "")
            found[kind] = found.get(kind, 0) + 1
        return found


class WithoutBoilerplate:
    """A view of a graph without the edges that are boilerplate; everything else is as in ``view``."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.kinds, self.node, self.nodes, self.transcripts = view.kinds, view.node, view.nodes, view.transcripts
        self.under, self.counts = view.under, view.counts
        self.keyed, self.titled, self.words = view.keyed, view.titled, view.words

    def is_target(self, id_: str, relation: str) -> bool:
        """See ``View``."""
        return any(edge.relation == relation for edge in self.edges_to(id_))

    def edges_from(self, id_: str) -> Iterable[Edge]:
        """See ``View``."""
        return [edge for edge in self._view.edges_from(id_) if not edge.attributes.get("boilerplate")]

    def edges_to(self, id_: str) -> Iterable[Edge]:
        """See ``View``."""
        return [edge for edge in self._view.edges_to(id_) if not edge.attributes.get("boilerplate")]


class TooManyRowsError(Exception):
    """A question has visited all the rows that it may."""


class Bounded:
    """A view for a hint, which is not worth a look at the whole graph: at most ``most`` nodes and edges are visited.

    Whoever asks for more gets ``TooManyRowsError``.
    """

    def __init__(self, view: View, most: int) -> None:
        self._view = view
        self._left = most
        self.kinds, self.transcripts = view.kinds, view.transcripts

    def node(self, id_: str) -> NodeAttributes | None:
        """See ``View``."""
        self._visit()
        return self._view.node(id_)

    def nodes(self, *kinds: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``View``."""
        return self._visited(self._view.nodes(*kinds))

    def edges_from(self, id_: str) -> Iterator[Edge]:
        """See ``View``."""
        return self._visited(self._view.edges_from(id_))

    def edges_to(self, id_: str) -> Iterator[Edge]:
        """See ``View``."""
        return self._visited(self._view.edges_to(id_))

    def under(self, prefix: str) -> Iterator[str]:
        """See ``View``."""
        return self._visited(self._view.under(prefix))

    def keyed(self, field: str, key: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``View``."""
        return self._visited(self._view.keyed(field, key))

    def titled(self, part: str, slug: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``View``."""
        return self._visited(self._view.titled(part, slug))

    def is_target(self, id_: str, relation: str) -> bool:
        """See ``View``."""
        self._visit()
        return self._view.is_target(id_, relation)

    def words(self) -> None:
        """See ``View``: no hint is worth a search, and what is looked through instead is counted."""

    def counts(self) -> dict[str, int]:
        """See ``View``."""
        return self._view.counts()

    def _visited(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        for row in rows:
            self._visit()
            yield row

    def _visit(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooManyRowsError


def transcripts_of(about: Mapping[str, object]) -> int:
    """Return how many episodes of a graph have moments from a transcript, by what it says of itself."""
    count = about.get("transcripts")
    return count if isinstance(count, int) else 0


class Node(Protocol):
    """A node in an answer, which says more of it."""

    @property
    def id(self) -> str:
        """The node's id."""

    @property
    def attributes(self) -> NodeAttributes:
        """The node's attributes."""


def podcasts_of(view: View) -> dict[str, str]:
    """Return the titles, by id, of the podcasts that have episodes in a graph, not of those that are only cited."""
    shows = ((id_, title_of(node, id_)) for id_, node in view.nodes("podcast"))
    return {id_: title for id_, title in shows if view.is_target(id_, "part_of")}


def home_of(view: View) -> str:
    """Return the repository (``owner/name``) that most files of a graph lie in, "" for none."""
    counts = Counter(str(node.get("repo", "")) for _, node in view.nodes("file", "folder"))
    return max(counts, key=lambda repo: (counts[repo], repo), default="")


def title_of(attributes: NodeAttributes, otherwise: str = "") -> str:
    """Return the title of a node, else its label, else what is given."""
    return str(attributes.get("title") or attributes.get("label", otherwise))


def name_of(id_: str, view: View) -> str:
    """Return the title of a node of ``view``, else its label, else its id."""
    return title_of(view.node(id_) or {}, id_)


def label_of(id_: str, view: View) -> str:
    """Return the label of a node of ``view``, else its id."""
    return str((view.node(id_) or {}).get("label", id_))


def through_changes(id_: str, view: View) -> Iterator[tuple[Edge, str]]:
    """Yield the citations of the pull requests and commits that changed a file, each with the reason that it gives."""
    for change in view.edges_to(id_):
        if change.relation == "touches":
            node = view.node(change.source) or {}
            name = f"#{node['number']}" if "number" in node else change.source.partition("@")[2][:10]
            title = f" ({node['title']})" if "title" in node else ""
            for edge in view.edges_to(change.source):
                if edge.relation == "cites":
                    yield edge, f"cites {name}{title}, which changed this file"


def scan(view: View, field: str, key: str) -> Iterator[tuple[str, NodeAttributes]]:
    """Yield the nodes that have a key, by a look at each."""
    kinds, keys = FIELDS[field]
    return ((id_, node) for id_, node in view.nodes(*kinds) if key in keys(id_, node))


def scan_titles(view: View, part: str, slug: str) -> Iterator[tuple[str, NodeAttributes]]:
    """Yield the episodes and posts whose folded title holds ``part``, or whose slug holds ``slug`` ("": none)."""
    return ((id_, node) for id_, node in view.nodes(*TEXTS) if is_titled(id_, node, part, slug))
