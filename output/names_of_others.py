"""Method names of pandas and networkx on a graph: what a newcomer types first leads to the right method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from podgraph.graph import Answer

# The name of a method in other libraries -> the method of ``Graph`` with this meaning.
METHODS = {
    "to_networkx": "networkx", "to_nx": "networkx", "nx": "networkx", "to_pyvis": "pyvis", "draw": "pyvis",
    "plot": "pyvis", "visualize": "pyvis", "info": "stats", "describe": "stats", "summary": "stats", "kinds": "stats",
    "counts": "stats", "save": "export", "write": "export", "to_file": "export", "to_html": "page", "find": "search",
    "shortest_path": "path", "get": "__getitem__", "node": "__getitem__", "query": "sql",
}  # fmt: skip


def find_method(graph: Any, name: str) -> Any:
    """Return the attribute that a name from pandas or networkx means for a graph; ``None`` for an unknown name.

    A plural of a kind (``graph.episodes``) gives an answer with these nodes. A name such as ``to_gexf`` gives a
    function that exports. A method of networkx that only reads gives a function that takes references in place of node
    ids.
    """
    if name in METHODS:
        return getattr(graph, METHODS[name])
    if name in graph.store.kinds.list_words():
        return graph.list(name)
    verb, _, form = name.partition("_")
    if verb in {"to", "write", "save", "export"} and form:
        from .formats import FORMATS  # noqa: PLC0415 - loaded when used

        if form in {format_.name for format_ in FORMATS}:
            return lambda path: graph.export(path, form)
    import networkx  # noqa: PLC0415 - only for its own words

    if name.startswith(("add", "remove", "clear", "update", "new", "copy")) or not hasattr(networkx.MultiDiGraph, name):
        return None
    attribute = getattr(graph.networkx(), name)

    def call(*values: Any, **options: Any) -> Any:
        """Call the method of networkx with the ids that references mean."""
        return attribute(*map(find_id, values), **options)

    def find_id(value: Any) -> Any:
        """Return the id of the node that a reference means, or of each in a list; other values unchanged."""
        if isinstance(value, list | tuple | set):
            return [find_id(element) for element in value]
        return graph[value].id if isinstance(value, str) and value in graph else value

    return call if callable(attribute) else attribute


class Members:
    """The nodes or the edges of a graph. Called with a kind or relation, it gives an answer; else it is as in networkx.

    >>> from podgraph import sample
    >>> len(sample().nodes) == len(sample()), sample().nodes["vmap"].kind, next(iter(sample().edges))[2]
    (True, 'episode', 'related')
    """

    def __init__(self, graph: Any, ask: Callable[[str], Answer], what: str) -> None:
        """Prepare the nodes or edges of ``graph``.

        ``ask`` returns those of a kind or relation, ``what`` is "nodes" or "edges".
        """
        self._graph, self._ask, self._what = graph, ask, what

    def __call__(self, name: str = "", *, kind: str = "", relation: str = "", data: bool = False) -> Any:
        """Return the rows of a kind or relation ("": all). With ``data``, return (id, row) for nodes, as networkx does.

        For edges, the pair is (source, target, row).
        """
        answer = self._ask(name or kind or relation)
        if not data:
            return answer
        return [(row["id"], row) if self._what == "nodes" else (row["source"], row["target"], row) for row in answer]

    def __iter__(self) -> Iterator[Any]:
        is_nodes = self._what == "nodes"
        return (row["id"] if is_nodes else (row["source"], row["target"], row["relation"]) for row in self._ask(""))

    def __len__(self) -> int:
        return len(self._ask(""))

    def __getitem__(self, reference: str) -> Any:
        return self._graph[reference]

    def __contains__(self, reference: object) -> bool:
        return reference in self._graph

    def __repr__(self) -> str:
        return f"<{len(self)} {self._what}; {self._what}() lists them>"
