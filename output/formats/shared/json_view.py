"""Questions asked of node-link JSON as it lies: only the lines that they hit are parsed.

In a file that podgraph wrote each node and each edge has a line of its own (see ``node_link``). The answers are those
of ``graph.Adjacency`` of the whole, and who asks much gets just that.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from podgraph.graph import (
    Adjacency,
    Edge,
    checked_about,
    checked_edge,
    checked_node,
    fold,
    kinds_of,
    names_words,
    scan,
    scan_titles,
    transcripts_of,
)

from ...bounded import not_ours
from ...json_text import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from podgraph.graph import Kinds, NodeAttributes

_HEAD = b'{"directed": true, "multigraph": true,\n'
_GENERATOR = b'"generator": "podgraph '
_NODES, _EDGES, _END = b',\n"nodes": [', b'],\n"edges": [', b"]}\n"
_NODE, _EDGE = b'\n{"id": ', b'\n{"source": '
_MANY = 100  # looks through the file; to parse all of it takes about as long
_encode = json.JSONEncoder(ensure_ascii=False).encode


def _bytes(text: str) -> bytes:
    """Return a text as the file has it; half a character, of an argument in another encoding, as what none has."""
    return _encode(text).encode("utf-8", "surrogatepass")


class LineView:
    """A graph in the bytes of its JSON, as ``View`` has it. Raises ``ValueError`` where another program laid it out.

    What is damaged beyond that is a ``SourceError`` once a question comes to it.
    """

    def __init__(self, data: bytes, source: str) -> None:
        self._data, self._source = data, source
        self._looks = 0
        nodes, edges = data.find(_NODES), data.rfind(_EDGES)
        if not (data.startswith(_HEAD) and data.endswith(_END) and 0 < nodes < edges and _GENERATOR in data[:nodes]):
            raise ValueError("not our layout")
        self._nodes, self._edges = nodes + len(_NODES), edges + len(_EDGES)
        # No line breaks inside a string of JSON: where each line begins as it should, each is a whole node or edge.
        lists = ((_NODE, self._nodes, edges), (_EDGE, self._edges, len(data) - len(_END)))
        for begin, start, end in lists:
            held = data.count(begin[1:], start, end)
            if held != data.count(begin, start, end):
                raise ValueError("not our lines")
            breaks = data.count(b"\n", start, end)
            if breaks != held + bool(held) or not data.startswith(begin if held else b"]", start):
                raise ValueError("not our lines")
        if data.count(b"\n", 0, self._nodes) != 2:
            raise ValueError("not our head")
        with self._at_fault():
            head = self._parsed(b"{" + data[len(_HEAD) : nodes] + b"}")
            self._about = checked_about(head.get("graph"))

    @cached_property
    def kinds(self) -> Kinds:
        """The kinds of the graph: those built in and those whose rows it brings."""
        return kinds_of(self._about)

    @cached_property
    def transcripts(self) -> int:
        """See ``View``."""
        return transcripts_of(self._about)

    def node(self, id_: str) -> NodeAttributes | None:
        """See ``View``."""
        if self._asks_much(id_):
            return self._whole.node(id_)
        if id_ not in self._found:
            wanted = _NODE + _bytes(id_)
            self._found[id_] = next(self._nodes_at(wanted), None)
        found: NodeAttributes | None = self._found[id_]
        return found

    def nodes(self, *kinds: str) -> Iterator[tuple[str, NodeAttributes]]:
        """See ``View``."""
        if kinds not in self._of_kinds:
            text = self._data[self._nodes : self._edges - len(_EDGES)]
            if kinds:
                signs = [b'"kind": ' + _bytes(kind) for kind in kinds]
                lines = (line.rstrip(b",") for line in text.split(b"\n") if any(sign in line for sign in signs))
                text = b",".join(lines)
            with self._at_fault():
                found = [*map(checked_node, self._parsed(b"[" + text + b"]"))]
            self._of_kinds[kinds] = [node for node in found if not kinds or node.get("kind") in kinds]
        return ((node["id"], node) for node in self._of_kinds[kinds])

    def edges_from(self, id_: str) -> Iterable[Edge]:
        """See ``View``."""
        if self._asks_much(id_):
            return self._whole.edges_from(id_)
        return self._edges_with(_EDGE + _bytes(id_) + b', "target": ')

    def edges_to(self, id_: str) -> Iterable[Edge]:
        """See ``View``."""
        if self._asks_much(id_):
            return self._whole.edges_to(id_)
        found = self._edges_with(b', "target": ' + _bytes(id_) + b', "key": ')
        return [edge for edge in found if edge.target == id_]

    def under(self, prefix: str) -> Iterable[str]:
        """See ``View``."""
        if self._asks_much(prefix):
            return self._whole.under(prefix)
        wanted = _NODE + _bytes(prefix)[:-1]
        return [node["id"] for node in self._nodes_at(wanted)]

    def keyed(self, field: str, key: str) -> Iterable[tuple[str, NodeAttributes]]:
        """See ``View``."""
        return scan(self, field, key)

    def titled(self, part: str, slug: str) -> Iterable[tuple[str, NodeAttributes]]:
        """See ``View``."""
        return scan_titles(self, part, slug)

    def is_target(self, id_: str, relation: str) -> bool:
        """See ``View``."""
        return any(edge.relation == relation for edge in self.edges_to(id_))

    def words(self) -> LineView | None:
        """See ``View``."""
        return None if "_whole" in self.__dict__ else self

    def size(self) -> int:
        """See ``Words``."""
        return len(self._folded)

    def holding(self, starts: Sequence[str], inside: str) -> Iterator[tuple[str, NodeAttributes]]:  # noqa: ARG002
        """See ``Words``: what stands inside a word begins with what the word would begin with."""
        with self._at_fault():
            for text, line in self._folded:
                # A letter of a stranger's file may stand as an escape.
                if all(start in text for start in starts) or "\\u" in text:
                    node = checked_node(self._parsed(line))
                    yield node["id"], node

    def words_like(self, word: str, slips: int) -> Mapping[str, int]:  # noqa: ARG002
        """See ``Words``."""
        return names_words(self.nodes())

    @cached_property
    def _folded(self) -> list[tuple[str, bytes]]:
        """The lines of the nodes, each as search reads it and as it is."""
        lines = self._data[self._nodes : self._edges - len(_EDGES)].splitlines()
        with self._at_fault():
            return [(fold(line.decode()), line.rstrip(b",")) for line in lines if line]

    def counts(self) -> dict[str, int]:
        """See ``View``."""
        return self._whole.counts()

    @cached_property
    def _whole(self) -> Adjacency:
        with self._at_fault():
            return Adjacency.of_node_link(self._parsed(self._data))

    @cached_property
    def _found(self) -> dict[str, Any]:
        return {}

    @cached_property
    def _of_kinds(self) -> dict[tuple[str, ...], list[Any]]:
        return {}

    def _asks_much(self, text: str) -> bool:
        """Count a look, and tell whether the whole is better; so it is where a text may stand as escapes."""
        self._looks += 1
        return self._looks > _MANY or "_whole" in self.__dict__ or escaped(text) != text

    def _edges_with(self, wanted: bytes) -> list[Edge]:
        with self._at_fault():
            lines = [*map(checked_edge, self._lines(wanted, self._edges, len(self._data)))]
        return [Edge(edge["source"], edge["target"], edge["key"], edge) for edge in lines]

    def _lines(self, wanted: bytes, start: int, end: int) -> Iterator[Any]:
        """Yield what each line between two places holds that has these bytes, or is begun by them."""
        data = self._data
        at = data.find(wanted, start, end)
        while at >= 0:
            begin = data.rfind(b"\n", 0, at + 1) + 1
            stop = data.find(b"\n", at + len(wanted))
            yield self._parsed(data[begin:stop].rstrip(b","))
            at = data.find(wanted, stop, end)

    def _nodes_at(self, wanted: bytes) -> Iterator[NodeAttributes]:
        with self._at_fault():
            yield from map(checked_node, self._lines(wanted, self._nodes, self._edges))

    def _parsed(self, text: bytes) -> Any:
        with self._at_fault():
            return json.loads(text)

    @contextmanager
    def _at_fault(self) -> Iterator[None]:
        """Tell of what is damaged as one error."""
        try:
            yield
        except (ValueError, RecursionError) as error:
            raise not_ours(self._source, error) from error
