"""The checks of a graph: against the tables of kinds and relations, and of the types of a stranger's file.

The types are those of ``attributes.py``. Other attributes belong to plug-ins, and can have any type.
"""

from __future__ import annotations

from types import GenericAlias, UnionType
from typing import TYPE_CHECKING, Any, is_typeddict

from .attributes import NODE_TYPES, EdgeAttributes, Evidence
from .kinds import METHODS, RELATIONS, SCHEMA, kinds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .attributes import Graph

_TEXT_OF = {"notes": "summary", "title": "title"}  # field of evidence -> the attribute of an episode with its text


def check(graph: Graph) -> Iterator[str]:
    """Yield a sentence for each violation of the contract by a graph; a valid graph yields nothing.

    Checked are kinds, labels, the types of attributes, the ends of every relation, and the ``reasons`` of every edge,
    or its ``evidence`` with the quote at its offsets.
    """
    yield from (f"the graph has no {key!r}" for key in ("schema", "generator", "sources") if key not in graph.graph)
    kinds = kinds_of(graph.graph)
    for node, data in graph.nodes(data=True):
        if data.get("kind") not in kinds:
            yield f"{node}: unknown kind {data.get('kind')!r}"
        if not data.get("label"):
            yield f"{node}: no label"
        if name := _find_wrong(data, NODE_TESTS):
            yield f"{node}: {name} is of another type"
    for source, target, key, edge in graph.edges(keys=True, data=True):
        ends = [str(graph.nodes[end].get("kind")) for end in (source, target)]
        problems = [
            problem for item in edge.get("evidence", ()) for problem in _check_evidence(graph.nodes[source], item)
        ]
        if not (relation := RELATIONS.get(key)):
            problems = ["unknown relation"]
        elif relation.sources.isdisjoint(kinds[ends[0]].groups) or relation.targets.isdisjoint(kinds[ends[1]].groups):
            problems.append(f"{key} does not lead from {ends[0]} to {ends[1]}")
        if not (edge.get("evidence") or edge.get("reasons")):
            problems.append("no evidence and no reasons")
        yield from (f"{source} -{key}-> {target}: {problem}" for problem in problems)


def _check_evidence(source: Mapping[str, object], evidence: Mapping[str, Any]) -> Iterator[str]:
    """Yield a phrase for each problem of a piece of evidence: its fields, method, and quote in the node ``source``."""
    if unknown := evidence.keys() - EVIDENCE_TESTS.keys():
        yield f"unknown evidence fields {sorted(unknown)}"
    if evidence["method"] not in METHODS:
        yield f"unknown method {evidence['method']!r}"
    field, start, end = evidence["field"], evidence["start"], evidence["end"]
    # The graph does not contain transcripts.
    if field in _TEXT_OF and str(source.get(_TEXT_OF[field], ""))[start:end] != evidence["quote"]:
        yield f"{evidence['quote']!r} is not at {start}:{end} of the {field}"


class NewerError(ValueError):
    """A graph is of a newer shape than this program knows."""


def build_tests(types: Mapping[str, Any]) -> dict[str, Callable[[Any], bool]]:
    """Return {attribute: its test}: a function that returns whether a value is of the attribute's type in ``types``."""
    return {name: build_test(type_) for name, type_ in types.items()}


def build_test(type_: Any) -> Callable[[Any], bool]:
    """Return a function that tests whether a value is of a type: a class, a union, a typed list or a ``TypedDict``.

    A number has to fit into 64 bits, as in the database: no number of a graph is larger.

    >>> build_test(list[int])([1, 2]), build_test(int | float | str)("1:30"), build_test(int)(1 << 63)
    (True, True, False)
    """
    if isinstance(type_, UnionType):
        tests = [*map(build_test, type_.__args__)]
        return lambda value: any(test(value) for test in tests)
    if type_ in (int, float):
        return lambda value: type(value) in (int, type_) and -(2**63) <= value < 2**63
    if isinstance(type_, GenericAlias):
        test = build_test(type_.__args__[0])
        return lambda value: isinstance(value, list) and all(map(test, value))
    if is_typeddict(type_):
        fields = build_tests(type_.__annotations__)
        return lambda data: (  # the start of a quote is not behind its end
            isinstance(data, dict) and not _find_wrong(data, fields) and data.get("start", 0) <= data.get("end", 2**63)
        )
    return lambda value: isinstance(value, type_)


NODE_TESTS, EDGE_TESTS, EVIDENCE_TESTS = map(
    build_tests, (NODE_TYPES, EdgeAttributes.__annotations__, Evidence.__annotations__)
)


def _find_wrong(values: Mapping[str, object], tests: Mapping[str, Callable[[Any], bool]]) -> str:
    """Return the name of the first of ``values`` that fails its test, "" if all pass; a value without a test passes."""
    return next((name for name, value in values.items() if name in tests and not tests[name](value)), "")


def check_attributes(data: object, tests: Mapping[str, Callable[[Any], bool]], *texts: str) -> Any:
    """Return the attributes ``data`` of a node or edge if they are valid, and raise ``ValueError`` if they are not.

    Valid is a dict whose values named in ``texts`` are texts, and whose values pass their ``tests`` (by name).

    >>> check_attributes({"id": "topic:vmap", "label": 5}, NODE_TESTS, "id")
    Traceback (most recent call last):
    ValueError: 'label' of 'topic:vmap' is of another type
    """
    if not isinstance(data, dict) or not all(isinstance(data.get(name), str) for name in texts):
        raise ValueError(f"not an object with {', '.join(texts)}")
    if name := _find_wrong(data, tests):
        raise ValueError(f"{name!r} of {data.get('id', 'a node or edge')!r} is of another type")
    return data


def select_valid(graph: Graph) -> Graph:
    """Return a view of a graph without the nodes and edges that have values of wrong types: it may be a stranger's."""
    import networkx  # noqa: PLC0415 - takes longer to load than a question takes

    ids = {id_ for id_, node in graph.nodes(data=True) if not _find_wrong({"id": id_, **node}, NODE_TESTS)}

    def is_valid_edge(source: str, target: str, key: object) -> bool:
        return isinstance(key, str) and not _find_wrong(graph.edges[source, target, key], EDGE_TESTS)

    part: Graph = networkx.subgraph_view(graph, filter_node=ids.__contains__, filter_edge=is_valid_edge)
    return part


def check_about(about: object) -> dict[str, object]:
    """Return a graph's own attributes if they are valid; the present ``SCHEMA`` replaces an older schema number.

    Graphs of older schemas need no conversion: they are read like new ones. Attributes without a schema number are
    returned without. Raises ``ValueError`` for invalid attributes, ``NewerError`` for a newer schema.

    >>> check_about({"schema": 6})
    Traceback (most recent call last):
    podgraph.graph.checking.NewerError: is of a newer podgraph (schema 6; this one reads 5)
    """
    if not isinstance(about, dict) or not isinstance(schema := about.get("schema", SCHEMA), int):
        raise ValueError("its own attributes are not an object, or its schema is not a number")  # noqa: TRY004
    if schema > SCHEMA:
        raise NewerError(f"is of a newer podgraph (schema {schema}; this one reads {SCHEMA})")
    return {**about, "schema": SCHEMA} if "schema" in about else about


def check_node_link(data: object) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, object]]:
    """Return the nodes, the edges and the graph's own attributes of node-link ``data``, a parsed ``podgraph.json``.

    Raises ``ValueError`` if these are invalid.
    """
    if not isinstance(data, dict) or not all(isinstance(data.get(name), list) for name in ("nodes", "edges")):
        raise ValueError("no lists of nodes and edges")
    for node in data["nodes"]:
        check_attributes(node, NODE_TESTS, "id")
    for edge in data["edges"]:
        check_attributes(edge, EDGE_TESTS, "source", "target", "key")
    return data["nodes"], data["edges"], check_about(data.get("graph", {}))
