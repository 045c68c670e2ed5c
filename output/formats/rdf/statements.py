"""The graph as statements in shared vocabularies, for JSON-LD and Turtle alike.

schema.org has terms for types, citations, subjects and mentions; SKOS and Dublin Core supply further terms.
Attributes and relations without a term are ``urn:podgraph:attribute:…`` and ``urn:podgraph:relation:…``. A node's
IRI is ``urn:podgraph:`` and its id, so two exports have the same IRIs; publishers can use
their own base. ``sameAs`` is the artifact's address. RDF has no parallel edges: two
relations with one term become one statement. Evidence becomes Web Annotations (W3C) with the
quote and the artifact; the attributes of a computed edge become an ``rdf:Statement``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2s
from typing import TYPE_CHECKING
from urllib.parse import quote

from podgraph.extractors import OutputError
from podgraph.graph import RELATIONS, Kind, kinds_of

from ..shared.days import day_of, moment_of
from ..shared.flatten import Flat, clean_text, flatten, parse_scalar, scalar_text, values_of
from ..shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..shared.flatten import Values
    from ..shared.plain import Graph, Json

    # The type of an object ("iri", "text", or a datatype), and its value.
    Value = tuple[str, str]
    Subject = tuple[str, list[tuple[str, Value]]]

PREFIXES = {
    "schema": "https://schema.org/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "dcterms": "http://purl.org/dc/terms/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "oa": "http://www.w3.org/ns/oa#",
}
BASE = "urn:podgraph:"
_ATTRIBUTE = f"{BASE}attribute:"
_RELATION = f"{BASE}relation:"
_SAFE = ":/@!$&'()*+,;=~-._"
# Characters allowed in a URL but not in an IRI.
_NO_IRI = re.compile(r"[{}|\\^`]")


def subjects(graph: Graph, base_url: str = "") -> Iterator[Subject]:
    """Yield each subject's IRI with its (predicate, value) pairs: nodes by id, each followed by its evidence.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap")
    >>> for subject, pairs in subjects(graph):
    ...     print(subject, pairs)
    urn:podgraph:topic:vmap [('rdf:type', ('iri', 'schema:DefinedTerm')), ('schema:name', ('text', 'vmap'))]
    """
    base = _base(base_url)
    flat = flatten(graph, lists=True)
    table = kinds_of(graph.graph)
    found = ((name, graph.nodes[node].get("kind")) for node, name in flat.ids.items())
    kinds = {name: table[clean_text(kind) if isinstance(kind, str) else ""] for name, kind in found}
    edges = _Edges(flat)
    for node, row in flat.nodes():
        pairs = _node(values_of(flat.node_columns, row), kinds[node])
        more: list[Subject] = []
        for target, relation, values in edges.of(node):
            predicate = _predicate(relation, kinds[node], kinds[target])
            pairs.append((predicate, ("iri", node_iri(target, base))))
            more += _edge(node, target, relation, predicate, values, base)
        yield node_iri(node, base), list(dict.fromkeys(pairs))
        yield from more


def _base(url: str) -> str:
    """Return the prefix of node IRIs. Raises ``OutputError`` for an invalid address."""
    if not url:
        return BASE
    if not (base := web_iri(url)):
        raise OutputError(
            f"is no http(s) address: {url!r}", source="--base-url", remedy="use one like https://example.org/graph/"
        )
    return base if base.endswith(("/", "#", "=")) else f"{base}/"


@lru_cache(maxsize=1 << 14)
def node_iri(node: str, base: str = BASE) -> str:
    """Return the IRI of a node (RFC 8141).

    >>> node_iri("github:o/r#1")
    'urn:podgraph:github:o/r%231'
    """
    return base + quote(node, safe=_SAFE)


@lru_cache(maxsize=256)
def _attribute_iri(name: str) -> str:
    return _ATTRIBUTE + quote(name, safe="")


def web_iri(url: object) -> str:
    """Return a URL as an IRI valid in Turtle, or the empty string when it is not an http(s) URL."""
    return _NO_IRI.sub(lambda match: f"%{ord(match[0]):02X}", web_link(url))


class _Edges:
    """The edges of one node after the other, in the order of the nodes."""

    def __init__(self, flat: Flat) -> None:
        self._edges = flat.edges()
        self._columns = flat.edge_columns
        self._next = next(self._edges, None)

    def of(self, node: str) -> Iterator[tuple[str, str, Values]]:
        """Yield (target, relation, attributes) of the edges leaving ``node``."""
        while self._next is not None and self._next[0] == node:
            _, target, relation, row = self._next
            yield target, relation, values_of(self._columns, row)
            self._next = next(self._edges, None)


def _node(values: Values, kind: Kind) -> list[tuple[str, Value]]:
    """Return (predicate, value) of a node: words of schema.org where there are any, else words of our own.

    Values with a word of schema.org are removed from ``values``.
    """
    name = clean_text(scalar_text(values.pop("kind", "")))
    pairs: list[tuple[str, Value]] = [("rdf:type", ("iri", f"schema:{kind.schema_org or 'WebPage'}"))]
    if not kind.schema_org:
        pairs.append((f"{_ATTRIBUTE}kind", ("text", name)))
    pairs += _names(values)
    if link := web_iri(values.get("url")):
        del values["url"]
        pairs += [("schema:url", ("iri", link)), ("schema:sameAs", ("iri", link))]
        if name == "repo":
            pairs.append(("schema:codeRepository", ("iri", link)))
    if archived := web_iri(values.get("archived_url")):
        del values["archived_url"]
        pairs.append(("schema:archivedAt", ("iri", archived)))
    if kind.work:
        pairs += _work(values)
    if name == "episode":
        pairs += _episode(values)
    for key, value in values.items():
        pairs += [(_ATTRIBUTE + key, item) for item in _literals(value)]
    return pairs


def _names(values: Values) -> Iterator[tuple[str, Value]]:
    """Take the names of the node: its title, else its label, is the name, the others are alternate names."""
    called = [scalar_text(values.pop(key)) for key in ("title", "label") if key in values]
    for place, name in enumerate(dict.fromkeys(called)):
        yield "schema:alternateName" if place else "schema:name", ("text", name)
    for key in ("aliases", "names"):
        others = values.get(key)
        if isinstance(others, list):
            del values[key]
            names = (clean_text(other) for other in others)
            yield from (("schema:alternateName", ("text", name)) for name in names if name not in called)


def _work(values: Values) -> Iterator[tuple[str, Value]]:
    """Take the day and the description of a creative work out of its values."""
    date = values.get("date")
    if isinstance(date, str) and (moment_of(date) or (day_of(date) and len(date) == 10)):
        del values["date"]
        yield "schema:datePublished", ("xsd:dateTime" if "T" in date else "xsd:date", date)
    if isinstance(summary := values.get("summary"), str):
        del values["summary"]
        yield "schema:description", ("text", summary)


def _episode(values: Values) -> Iterator[tuple[str, Value]]:
    """Take number, length, id of the feed and recording of an episode out of its values."""
    number, duration, guid = (values.get(name) for name in ("number", "duration", "guid"))
    if type(number) is int:
        del values["number"]
        yield "schema:episodeNumber", ("xsd:integer", str(number))
    if type(duration) is int and duration >= 0:
        del values["duration"]
        yield "schema:duration", ("xsd:duration", f"PT{duration}S")
    if isinstance(guid, str):
        del values["guid"]
        yield "schema:identifier", ("text", guid)
    if audio := web_iri(values.get("audio_url")):
        del values["audio_url"]
        yield "schema:associatedMedia", ("iri", audio)


def _predicate(relation: str, source: Kind, target: Kind) -> str:
    """Return the word for an edge: its relation's where both ends allow it, else one of our own."""
    row = RELATIONS.get(relation)
    if relation == "part_of" and (source.name, target.name) == ("episode", "podcast"):
        return "schema:partOfSeries"
    if not row or not row.rdf or ("source" in row.works and not source.work):
        return _RELATION + quote(relation, safe="")
    if "target" in row.works and not target.work:
        return "schema:mentions" if relation == "cites" else _RELATION + quote(relation, safe="")
    return row.rdf


def _edge(source: str, target: str, relation: str, predicate: str, values: Values, base: str) -> Iterator[Subject]:
    """Yield the subjects about one edge: an annotation for each piece of evidence, a statement for other attributes.

    ``predicate`` is the word for the relation; ``base`` begins the new addresses.
    """
    mark = blake2s(f"{source}\n{relation}\n{target}".encode(), digest_size=12).hexdigest()
    evidence = _evidence(values)
    for place, item in enumerate(evidence):
        yield from _annotation(f"{base}evidence:{mark}-{place}", source, target, item, base)
    if evidence and values.get("weight") == len(evidence):
        del values["weight"]  # it can be counted
    if values:
        pairs: list[tuple[str, Value]] = [
            ("rdf:type", ("iri", "rdf:Statement")),
            ("rdf:subject", ("iri", node_iri(source, base))),
            ("rdf:predicate", ("iri", predicate)),
            ("rdf:object", ("iri", node_iri(target, base))),
        ]
        for key, value in values.items():
            word = "rdfs:comment" if key == "reasons" else _ATTRIBUTE + key
            pairs += [(word, item) for item in _literals(value)]
        yield f"{base}edge:{mark}", list(dict.fromkeys(pairs))


def _annotation(iri: str, source: str, target: str, item: dict[str, Json], base: str) -> Iterator[Subject]:
    """Yield the subjects of a Web Annotation: a piece of evidence in ``source``, selected by position and quote."""
    item = dict(item)
    at: list[tuple[str, Value]] = [
        ("rdf:type", ("iri", "oa:SpecificResource")),
        ("oa:hasSource", ("iri", node_iri(source, base))),
    ]
    selectors: list[Subject] = []
    if type(item.get("start")) is int and type(item.get("end")) is int:
        start, end = (("xsd:integer", str(item.pop(key))) for key in ("start", "end"))
        pairs = [("rdf:type", ("iri", "oa:TextPositionSelector")), ("oa:start", start), ("oa:end", end)]
        selectors.append((f"{iri}#position", pairs))
    if isinstance(said := item.get("quote"), str):
        del item["quote"]
        exact = ("text", clean_text(said))
        selectors.append((f"{iri}#quote", [("rdf:type", ("iri", "oa:TextQuoteSelector")), ("oa:exact", exact)]))
    at += [("oa:hasSelector", ("iri", selector)) for selector, _ in selectors]
    pairs = [
        ("rdf:type", ("iri", "oa:Annotation")),
        ("oa:motivatedBy", ("iri", "oa:linking")),
        ("oa:hasBody", ("iri", node_iri(target, base))),
        ("oa:hasTarget", ("iri", f"{iri}#target")),
    ]
    for key, value in item.items():
        pairs += [(_attribute_iri(key), part) for part in _literals(value)]
    yield iri, list(dict.fromkeys(pairs))
    yield f"{iri}#target", at
    yield from selectors


def _evidence(values: Values) -> list[dict[str, Json]]:
    """Take the evidence out of an edge's attributes. Other values stay there."""
    found = parse_scalar(scalar_text(values.get("evidence", "")), "json")
    if not isinstance(found, list):
        return []
    evidence = [item for item in found if isinstance(item, dict)]
    if len(evidence) < len(found):
        return []
    del values["evidence"]
    return evidence


def _literals(value: object) -> list[Value]:
    """Return a value as typed literals: one for each item of a list."""
    if isinstance(value, bool):  # before int: a bool is one
        return [("xsd:boolean", scalar_text(value))]
    if isinstance(value, int):
        return [("xsd:integer", str(value))]
    if isinstance(value, float):
        return [("xsd:double", repr(value))]
    if isinstance(value, list):
        return [("text", clean_text(scalar_text(item))) for item in value]
    return [("text", clean_text(scalar_text(value)))]
