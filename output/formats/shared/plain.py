"""A graph in a fixed order, with text ids and JSON values.

Graphs of the contract pass unchanged. Other values are replaced visibly: a lone
surrogate becomes U+FFFD, ``nan`` the text ``"NaN"``, a date its ISO form, a set a sorted list, any other
object its ``str``. An attribute with the value ``None`` is absent.
"""

from __future__ import annotations

import datetime
import math
import numbers
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeAlias

    import networkx

    Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
    Graph: TypeAlias = networkx.MultiDiGraph[Any, Any, Any]  # our own graphs and those of callers
    Clean = Callable[[str], str]
    Node = tuple[str, Mapping[str, object]]  # id, attributes
    Edge = tuple[str, str, str, Mapping[str, object]]  # source, target, relation, attributes

# The first attributes for readers; all others follow by name.
_ORDER = (
    "id source target key kind label url title date duration number season podcast repo path area aliases "
    "language module weight reasons schema generator sources "
    "field start end quote method extractor confidence"
)
_RANK = {name: rank for rank, name in enumerate(_ORDER.split())}
_SURROGATE = re.compile("[\ud800-\udfff]")  # half of a pair, or a lone one
_LONGEST = 10_000  # bits; Python refuses to write much larger integers in decimal


def whole_text(text: str) -> str:
    """Return ``text`` as Unicode can encode it: surrogate pairs joined, lone surrogates replaced.

    >>> whole_text("a" + chr(0xD83D) + chr(0xDE00) + chr(0xD800)) == "a" + chr(0x1F600) + chr(0xFFFD)
    True
    """
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def node_ids(graph: Graph, clean: Clean = whole_text) -> dict[Hashable, str]:
    """Return an id for each node, sorted: the node as cleaned text, with a number where two became equal.

    >>> import networkx
    >>> node_ids(networkx.MultiDiGraph({"b": {}, 1: {}, "1": {}, "": {}}))
    {'': '_', 1: '1', '1': '1~2', 'b': 'b'}
    """
    nodes = list(graph)
    pairs = sorted(((str(node), repr(type(node)), place) for place, node in enumerate(nodes)))
    names = unique_names(tuple(name for name, _, _ in pairs), lambda name: clean(name) or "_")
    return {nodes[place]: name for (_, _, place), name in zip(pairs, names, strict=True)}


def unique_names(
    names: tuple[str, ...], clean: Clean = whole_text, taken: AbstractSet[str] = frozenset()
) -> tuple[str, ...]:
    """Return the cleaned names, with ``~2``, ``~3`` … after those equal to an earlier name or to one of ``taken``.

    A name that was clean before keeps its form before all others.
    """
    cleaned = [clean(name) for name in names]
    used = set(taken)
    used.update(name for name, new in zip(names, cleaned, strict=True) if name == new)
    kept: set[str] = set(taken)
    result = []
    for name, new in zip(names, cleaned, strict=True):
        free, count = new, 1
        while free in kept or (free in used and name != free):
            count += 1
            free = f"{new}~{count}"
        kept.add(free)
        result.append(free)
    return tuple(result)


def edges_in_order(
    graph: Graph, ids: dict[Hashable, str], clean: Clean = whole_text
) -> Iterator[tuple[str, str, str, dict[str, object]]]:
    """Yield (source id, target id, relation, attributes), sorted. ``ids`` are those of ``node_ids``."""
    neighbours_of = getattr(graph, "neighbours_of", None) or dict(graph.adjacency()).__getitem__
    for node, source in ids.items():
        neighbours = neighbours_of(node)
        ordered = sorted(neighbours, key=ids.__getitem__) if len(neighbours) > 1 else neighbours
        for other in ordered:
            keys = neighbours[other]
            for key, name in _relations(tuple(keys), clean):
                yield source, ids[other], name, keys[key]


def graph_of(about: Mapping[str, object], nodes: Iterable[Node], edges: Iterable[Edge]) -> Graph:
    """Return a graph of attributes, nodes and edges just read."""
    import networkx  # noqa: PLC0415 - half a second, and writing does without

    graph: Graph = networkx.MultiDiGraph()
    graph.graph.update(about)
    graph.add_nodes_from(nodes)
    add_keyed: Any = graph.add_edges_from  # the stubs know nothing of keys
    add_keyed(edges)
    return graph


def _relations(keys: tuple[str, ...], clean: Clean) -> tuple[tuple[str, str], ...]:
    if len(keys) == 1 and type(keys[0]) is str:
        return ((keys[0], clean(keys[0]) or "_"),)
    ordered = sorted(keys, key=lambda key: (str(key), repr(type(key))))
    return tuple(zip(ordered, unique_names(tuple(map(str, ordered)), lambda name: clean(name) or "_"), strict=True))


@lru_cache(maxsize=4096)
def attribute_order(keys: tuple[str, ...], taken: frozenset[str] = frozenset()) -> tuple[tuple[str, str], ...]:
    """Return (key, name to write) in the order to write; a name in ``taken`` gives way (``id`` to ``id_``).

    >>> attribute_order(("zeta", "label", "id", "kind"), frozenset({"id"}))
    (('id', 'id_'), ('kind', 'kind'), ('label', 'label'), ('zeta', 'zeta'))
    """
    ordered = sorted(keys, key=lambda key: (_RANK.get(str(key), len(_RANK)), str(key), repr(type(key))))
    wished = tuple(f"{key}_" if str(key) in taken else str(key) for key in ordered)
    return tuple(zip(ordered, unique_names(wished, taken=taken), strict=True))


def plain_attributes(attrs: Mapping[str, object], taken: frozenset[str] = frozenset()) -> dict[str, Json]:
    """Return the attributes in order, as values JSON can hold, without ``None``."""
    result: dict[str, Json] = {}
    for key, name in attribute_order(tuple(attrs), taken):
        value = attrs[key]
        if type(value) is str:
            result[name] = value
        elif value is not None:
            try:
                result[name] = plain(value)
            except RecursionError:
                result[name] = "(nested too deeply)"
    return result


def plain(value: object) -> Json:
    """Return ``value`` as a JSON value, converted by the rules of this module.

    >>> plain({"when": datetime.date(2024, 8, 4), "n": float("nan"), "who": {"b", "a"}, "no": None})
    {'n': 'NaN', 'when': '2024-08-04', 'who': ['a', 'b']}
    """
    form = type(value)
    if form is str or form is bool or value is None:
        return value  # type: ignore[return-value] # its very type is known
    convert = _EXACT.get(form) or next(convert for kind, convert in _ODD if isinstance(value, kind))
    return convert(value)


def _whole(value: int) -> Json:
    return value if value.bit_length() <= _LONGEST else hex(value)


def _broken(value: float) -> Json:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _listed(value: Iterable[object]) -> Json:
    return [plain(item) for item in value]


def _named(value: dict[str, object]) -> Json:
    return {
        name: item if type(item) is str else plain(item)
        for key, name in attribute_order(tuple(value))
        if (item := value[key]) is not None
    }


_EXACT: dict[type, Callable[[Any], Json]] = {int: _whole, float: _broken, list: _listed, tuple: _listed, dict: _named}
# Conversions of other types, by interface; the first match counts.
_ODD: tuple[tuple[type | tuple[type, ...], Callable[[Any], Json]], ...] = (
    (str, str.__str__),
    (numbers.Integral, lambda value: _whole(int(value))),
    (numbers.Real, lambda value: _broken(float(value))),
    ((datetime.date, datetime.time), lambda value: str(value.isoformat())),
    ((bytes, bytearray), lambda value: str(value, "utf-8", "replace")),
    (Mapping, lambda value: _named(dict(value))),
    ((list, tuple), _listed),
    ((set, frozenset), lambda value: sorted(map(plain, value), key=repr)),
    (object, str),
)
