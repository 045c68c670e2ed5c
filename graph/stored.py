"""A graph whose attributes lie in a file: of what is large in it, only ids and who is beside whom are in memory."""

from __future__ import annotations

import pickle
from array import array
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast
from weakref import WeakValueDictionary

import networkx as nx

from podgraph.extractors import Scratch

if TYPE_CHECKING:
    from .attributes import EdgeAttributes, Graph, NodeAttributes

    _Base = nx.MultiDiGraph[str, NodeAttributes, EdgeAttributes]
else:
    _Base = nx.MultiDiGraph

Attributes: TypeAlias = "dict[str, object]"
Key: TypeAlias = tuple[str, str, str]  # source, target, relation

_Name = TypeVar("_Name")
_RECENT = 4000  # attributes that are at hand, and as many that wait to be written at once
_NONE = -1


class _Kept(dict[str, object]):
    """The attributes of one thing; what is set is written back to where they are from."""

    __slots__ = ("__weakref__", "home", "place")

    def __init__(self, values: Mapping[str, object], home: _Records, place: int) -> None:
        super().__init__(values)
        self.home = home
        self.place = place

    def __setitem__(self, name: str, value: object) -> None:
        super().__setitem__(name, value)
        self.home.mark(self)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self.home.mark(self)

    def pop(self, *args: Any) -> Any:
        value = super().pop(*args)
        self.home.mark(self)
        return value

    def setdefault(self, *args: Any) -> Any:
        value = super().setdefault(*args)
        self.home.mark(self)
        return value

    def update(self, *args: Any, **more: Any) -> None:
        super().update(*args, **more)
        self.home.mark(self)


class _Records:
    """Attributes by number, in a file. Of each there is one object at a time, so that who holds it sees all changes.

    What lies inside an attribute (a list) is not watched: it is set anew, not changed.
    """

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self._begins = array("q")
        self._sizes = array("I")
        self._alive: WeakValueDictionary[int, _Kept] = WeakValueDictionary()
        self._recent: deque[_Kept] = deque(maxlen=_RECENT)
        self._changed: dict[int, _Kept] = {}

    def grow(self) -> None:
        """Make room for one more number."""
        self._begins.append(_NONE)
        self._sizes.append(0)

    def __getitem__(self, number: int) -> _Kept:
        found = self._alive.get(number)
        if found is None:
            data = self._scratch.read(self._begins[number], self._sizes[number])
            found = self._alive[number] = _Kept(pickle.loads(data), self, number)  # noqa: S301 - written below
            self._recent.append(found)
        return found

    def put(self, number: int, values: Mapping[str, object]) -> None:
        """Set all attributes of a number."""
        self._begins[number] = 0
        self._changed.pop(number, None)
        self._alive[number] = kept = _Kept(values, self, number)
        self.mark(kept)

    def drop(self, number: int) -> None:
        """Forget a number's."""
        self._begins[number] = _NONE
        self._changed.pop(number, None)
        self._alive.pop(number, None)

    def has(self, number: int) -> bool:
        """Tell whether a number has any."""
        return self._begins[number] >= 0

    def mark(self, kept: _Kept) -> None:
        """Note that some attributes are to be written, and write those of many at once."""
        number = kept.place
        if number in self._changed or self._alive.get(number) is not kept:
            return
        self._changed[number] = kept
        if len(self._changed) > _RECENT:
            waiting, self._changed = self._changed, {}
            packed = [pickle.dumps(dict(one), pickle.HIGHEST_PROTOCOL) for one in waiting.values()]
            begin = self._scratch.write(b"".join(packed))
            for place, data in zip(waiting, packed, strict=True):
                self._begins[place], self._sizes[place] = begin, len(data)
                begin += len(data)


class _Table(MutableMapping[_Name, dict[str, object]]):
    """What stands in a record is what is given back, also of what has just been set."""

    def setdefault(self, key: _Name, default: Any = None) -> dict[str, object]:
        if key not in self:
            self[key] = default
        return self[key]


class _Nodes(_Table[str]):
    """The attributes of nodes by id, in the order in which they came."""

    def __init__(self, scratch: Scratch) -> None:
        self.numbers: dict[str, int] = {}
        self.names: list[str] = []
        self.records = _Records(scratch)
        self._count = 0

    def number(self, id_: str) -> int:
        """Return the number of an id, a new one if need be; it may be that of no node."""
        number = self.numbers.setdefault(id_, len(self.names))
        if number == len(self.names):
            self.names.append(id_)
            self.records.grow()
        return number

    def __getitem__(self, id_: str) -> _Kept:
        number = self.numbers[id_]
        if not self.records.has(number):
            raise KeyError(id_)
        return self.records[number]

    def __setitem__(self, id_: str, values: Mapping[str, object]) -> None:
        number = self.number(id_)
        self._count += not self.records.has(number)
        self.records.put(number, values)

    def __delitem__(self, id_: str) -> None:
        number = self.numbers[id_]
        self._count -= self.records.has(number)
        self.records.drop(number)

    def __contains__(self, id_: object) -> bool:
        number = self.numbers.get(cast("str", id_))
        return number is not None and self.records.has(number)

    def __iter__(self) -> Iterator[str]:
        has = self.records.has
        return (id_ for id_, number in self.numbers.items() if has(number))

    def __len__(self) -> int:
        return self._count


class _Chains:
    """For each node its edges, in order, as chains of numbers: the first and last of each, and what follows what."""

    def __init__(self) -> None:
        self.first, self.last = array("i"), array("i")  # by node
        self.next, self.before = array("i"), array("i")  # by edge

    def grow(self, nodes: int, edges: int) -> None:
        """Make room for so many nodes and edges."""
        for one, other, count in ((self.first, self.last, nodes), (self.next, self.before, edges)):
            if more := count - len(one):
                one.extend([_NONE] * more)
                other.extend([_NONE] * more)

    def of(self, node: int) -> Iterator[int]:
        """Yield the edges of a node."""
        edge = self.start(node)
        while edge >= 0:
            yield edge
            edge = self.next[edge]

    def is_shorter(self, node: int, others: _Chains, other: int) -> bool:
        """Tell whether a node has no more edges than another one in other chains, by walking along both."""
        one, two = self.start(node), others.start(other)
        while one >= 0 and two >= 0:
            one, two = self.next[one], others.next[two]
        return one < 0

    def start(self, node: int) -> int:
        """Return the first edge of a node, -1 for none."""
        return self.first[node] if node < len(self.first) else _NONE

    def put(self, node: int, edge: int, behind: int) -> None:
        """Put an edge behind another one of a node, or at its end (``_NONE``)."""
        behind = self.last[node] if behind < 0 else behind
        after = self.next[behind] if behind >= 0 else _NONE
        self._tie(node, behind, edge)
        self._tie(node, edge, after)

    def take(self, node: int, edge: int) -> None:
        """Take an edge out."""
        self._tie(node, self.before[edge], self.next[edge])

    def _tie(self, node: int, edge: int, after: int) -> None:
        if edge >= 0:
            self.next[edge] = after
        else:
            self.first[node] = after
        if after >= 0:
            self.before[after] = edge
        else:
            self.last[node] = edge

    def put_in_order(self, node: int, edges: Iterable[int]) -> None:
        """Set the edges of a node."""
        self.first[node] = self.last[node] = _NONE
        for edge in edges:
            self.put(node, edge, _NONE)


class _Edges(_Table[Key]):
    """The attributes of edges by source, target and relation, in the order in which they came."""

    def __init__(self, scratch: Scratch, nodes: _Nodes) -> None:
        self.nodes = nodes
        self.records = _Records(scratch)
        self.sources, self.targets, self.relations = array("i"), array("i"), array("H")
        self.out, self.into = _Chains(), _Chains()
        self.names: list[str] = []  # of relations
        self._numbers: dict[str, int] = {}
        self._count = 0

    def find(self, source: str, target: str, relation: str | None = None) -> Iterator[int]:
        """Yield the edges between two ids."""
        first, last = self.nodes.numbers.get(source), self.nodes.numbers.get(target)
        if first is not None and last is not None:
            wanted = None if relation is None else self._numbers.get(relation, _NONE)
            paths = (self.out, first, self.targets, last), (self.into, last, self.sources, first)
            chains, node, others, other = paths[self.into.is_shorter(last, self.out, first)]
            for edge in chains.of(node):
                if others[edge] == other and wanted in (None, self.relations[edge]):
                    yield edge

    def key(self, edge: int) -> Key:
        """Return source, target and relation of an edge."""
        names = self.nodes.names
        return names[self.sources[edge]], names[self.targets[edge]], self.names[self.relations[edge]]

    def __getitem__(self, key: Key) -> _Kept:
        edge = next(self.find(*key), None)
        if edge is None:
            raise KeyError(key)
        return self.records[edge]

    def get(self, key: Key, default: Any = None) -> Any:
        """Return the attributes of an edge, or ``default``: most that are asked for while a graph is made are new."""
        edge = next(self.find(*key), None)
        return default if edge is None else self.records[edge]

    def __setitem__(self, key: Key, values: Mapping[str, object]) -> None:
        source, target, relation = key
        parallel = [*self.find(source, target)]  # these stand one behind the other
        wanted = self._numbers.get(relation)
        edge = next((edge for edge in parallel if self.relations[edge] == wanted), None)
        self.records.put(self._new(source, target, relation, parallel) if edge is None else edge, values)

    def _new(self, source: str, target: str, relation: str, parallel: Sequence[int]) -> int:
        first, last = self.nodes.number(source), self.nodes.number(target)
        edge = len(self.sources)
        self.sources.append(first)
        self.targets.append(last)
        if (number := self._numbers.setdefault(relation, len(self.names))) == len(self.names):
            self.names.append(relation)
        self.relations.append(number)
        self.records.grow()
        for chains, node in ((self.out, first), (self.into, last)):
            chains.grow(len(self.nodes.names), edge + 1)
            chains.put(node, edge, parallel[-1] if parallel else _NONE)
        self._count += 1
        return edge

    def __delitem__(self, key: Key) -> None:
        edge = next(self.find(*key), None)
        if edge is None:
            raise KeyError(key)
        self.out.take(self.sources[edge], edge)
        self.into.take(self.targets[edge], edge)
        self.records.drop(edge)
        self._count -= 1

    def __contains__(self, key: object) -> bool:
        return next(self.find(*cast("Key", key)), None) is not None

    def __iter__(self) -> Iterator[Key]:
        return (self.key(edge) for edge in range(len(self.sources)) if self.records.has(edge))

    def __len__(self) -> int:
        return self._count

    def put_in_order(self) -> None:
        """Put nodes in the order of their ids, edges in that of sources, targets and relations."""
        nodes = self.nodes
        nodes.numbers = dict(sorted(nodes.numbers.items()))
        rank = array("i", [0]) * len(nodes.names)
        for place, number in enumerate(nodes.numbers.values()):
            rank[number] = place
        ends = ((self.out, self.targets), (self.into, self.sources))
        for chains, others in ends:
            chains.grow(len(nodes.names), len(self.sources))
            for node in range(len(nodes.names)):
                edges = [*chains.of(node)]
                if len(edges) > 1:
                    edges.sort(key=lambda edge: (rank[others[edge]], self.names[self.relations[edge]]))
                    chains.put_in_order(node, edges)


class _Parallel(Mapping[str, Any]):
    """The edges from one node to another by relation."""

    def __init__(self, edges: _Edges, numbers: Mapping[str, int]) -> None:
        self._edges, self._numbers = edges, numbers

    def __getitem__(self, relation: str) -> _Kept:
        return self._edges.records[self._numbers[relation]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class _Beside(Mapping[str, Any]):
    """For each node its neighbours on one side, as networkx keeps them."""

    def __init__(self, edges: _Edges, chains: _Chains, others: array[int]) -> None:
        self._edges, self._chains, self._others = edges, chains, others

    def __getitem__(self, id_: str) -> Mapping[str, _Parallel]:
        edges, found = self._edges, dict[str, dict[str, int]]()
        if id_ not in edges.nodes:
            raise KeyError(id_)
        for edge in self._chains.of(edges.nodes.numbers[id_]):
            other = edges.nodes.names[self._others[edge]]
            found.setdefault(other, {})[edges.names[edges.relations[edge]]] = edge
        return {other: _Parallel(edges, numbers) for other, numbers in found.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._edges.nodes)

    def __len__(self) -> int:
        return len(self._edges.nodes)


class _View(Collection[Any]):
    """The edges of a graph, or those that leave or reach some nodes, as networkx gives them."""

    def __init__(self, edges: _Edges, chains: _Chains) -> None:
        self._edges, self._chains = edges, chains

    def __call__(self, nbunch: Any = None, data: Any = False, *, keys: bool = False, default: Any = None) -> Any:
        if nbunch is None and keys and not data:
            return self
        return self._told(nbunch, data, keys, default)

    def data(self, data: Any = True, nbunch: Any = None, *, keys: bool = False, default: Any = None) -> Any:
        """Return the edges with their attributes."""
        return self._told(nbunch, data, keys, default)

    def _told(self, nbunch: Any, data: Any, keys: bool, default: Any) -> Iterator[tuple[Any, ...]]:
        edges, nodes = self._edges, self._edges.nodes
        some = nodes if nbunch is None else [nbunch] if isinstance(nbunch, str) else [*nbunch]
        for id_ in some:
            for edge in self._chains.of(nodes.numbers[id_]) if id_ in nodes else ():
                ends = edges.key(edge)
                told: tuple[Any, ...] = ends if keys else ends[:2]
                if data:
                    values = edges.records[edge]
                    told = (*told, values if data is True else values.get(data, default))
                yield told

    def __getitem__(self, key: Key) -> _Kept:
        return self._edges[key]

    def __iter__(self) -> Iterator[Any]:
        return self._told(None, data=False, keys=True, default=None)

    def __contains__(self, key: object) -> bool:
        return key in self._edges

    def __len__(self) -> int:
        return len(self._edges)


class StoredGraph(_Base):
    """A directed multigraph with what our functions ask of networkx's, in whose place it stands; attributes in a file.

    Other code gets it ``in_memory``. Attributes are what pickle knows. A list that stands in one is not changed but set
    anew.
    """

    def __init__(self, incoming: Any = None, **about: Any) -> None:
        super().__init__()
        scratch = Scratch()
        self.stored_nodes = _Nodes(scratch)
        self.stored_edges = edges = _Edges(scratch, self.stored_nodes)
        self._node = self.stored_nodes
        self._adj = _Beside(edges, edges.out, edges.targets)
        self._pred = _Beside(edges, edges.into, edges.sources)
        self.graph.update(about)
        if incoming is not None:
            self.add_nodes_from(incoming.nodes(data=True))
            self.add_edges_from(incoming.edges(keys=True, data=True))

    @property
    def edges(self) -> Any:
        """The edges; called, with what is asked for of each."""
        return _View(self.stored_edges, self.stored_edges.out)

    @property
    def out_edges(self) -> Any:
        """The same: by what they leave."""
        return self.edges

    @property
    def in_edges(self) -> Any:
        """The edges by what they lead to."""
        return _View(self.stored_edges, self.stored_edges.into)

    def add_node(self, node_for_adding: str, **attr: Any) -> None:
        """See networkx, as of all that follow."""
        if node_for_adding in self.stored_nodes:
            self.stored_nodes[node_for_adding].update(attr)
        else:
            self.stored_nodes[node_for_adding] = attr

    def add_nodes_from(self, nodes_for_adding: Iterable[Any], **attr: Any) -> None:
        """Add ids, or ids with attributes."""
        for node in nodes_for_adding:
            id_, more = (node, {}) if isinstance(node, str) else node
            self.add_node(id_, **attr, **more)

    def add_edge(  # type: ignore[override] # networkx's own breaks this law too
        self, u_for_edge: str, v_for_edge: str, key: Any = None, **attr: Any
    ) -> Any:
        """Add an edge; ``key`` is its relation."""
        for end in (u_for_edge, v_for_edge):
            if end not in self.stored_nodes:
                self.stored_nodes[end] = {}
        place = (u_for_edge, v_for_edge, str(key))
        edge = next(self.stored_edges.find(*place), None)
        if edge is None:
            self.stored_edges[place] = attr
        else:
            self.stored_edges.records[edge].update(attr)
        return key

    def remove_edge(self, u: str, v: str, key: Any = None) -> None:
        """Take an edge out."""
        del self.stored_edges[u, v, str(key)]

    def remove_node(self, n: str) -> None:
        """Take a node out with its edges."""
        edges = self.stored_edges
        number = self.stored_nodes.numbers[n]
        for edge in {*edges.out.of(number), *edges.into.of(number)}:
            del edges[edges.key(edge)]
        del self.stored_nodes[n]
        del self.stored_nodes.numbers[n]

    def has_edge(self, u: str, v: str, key: Any = None) -> bool:
        """Tell whether there is an edge, of a relation if one is given."""
        return next(self.stored_edges.find(u, v, key), None) is not None

    def number_of_edges(self, u: str | None = None, v: str | None = None) -> int:
        """Count all edges, or those between two nodes."""
        return len(self.stored_edges) if u is None or v is None else sum(1 for _ in self.stored_edges.find(u, v))

    def neighbours_of(self, node: str) -> Mapping[str, Mapping[str, Any]]:
        """Return the edges that leave a node by target and relation; of a whole graph that is too much at a time."""
        return cast("Mapping[str, Mapping[str, Mapping[str, Any]]]", self._adj)[node]

    def put_in_order(self) -> None:
        """Put nodes and edges in the order of ids and relations; the ends of edges become nodes."""
        nodes, edges = self.stored_nodes, self.stored_edges
        for id_, number in nodes.numbers.items():
            if id_ not in nodes and any(next(chains.of(number), _NONE) >= 0 for chains in (edges.out, edges.into)):
                nodes[id_] = {}
        edges.put_in_order()


def in_memory(graph: Graph) -> Graph:
    """Return a graph for code that is not ours: networkx's own, which does whatever networkx knows to do."""
    if not isinstance(graph, StoredGraph):
        return graph
    whole: Graph = nx.MultiDiGraph(**graph.graph)
    whole.add_nodes_from((id_, node.copy()) for id_, node in graph.nodes(data=True))
    whole.add_edges_from((*ends, edge.copy()) for *ends, edge in graph.edges(keys=True, data=True))
    return whole
