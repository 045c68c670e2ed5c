"""The table of kinds and the table of relations, with all their properties.

Page, legends, exports, lists, counts and the JSON Schema are made from these tables.
A package adds a kind by an entry point of the group ``podgraph.kinds``. The rows of added kinds
are saved in the graph, in its attribute ``kinds``, so a saved graph means the same everywhere. Rows are
named tuples: every query loads them, and dataclasses would take a tenth of a query's time.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .attributes import Graph

SCHEMA = 5
KIND_NAME = "[a-z][a-z0-9_-]{0,30}"
_KIND_NAME = re.compile(KIND_NAME)  # the name of a kind: one short lower-case word


def _read_table(name: str) -> Iterator[list[str]]:
    """Yield the cells of each row of a table beside this file."""
    for line in Path(__file__).with_name(name).read_text("utf-8").splitlines():
        if not line.startswith("# "):
            # The eighth cell, a pattern, may have a |, too.
            yield [cell.strip() for cell in line.split("|", 7)]


class Family(NamedTuple):
    """Kinds of one colour: the heading in the page's legend, the colour on a light and on a dark background.

    A family with a ``mark`` has a dot in the middle of its symbols: colour is never the only difference of two kinds.
    """

    title: str
    light: str
    dark: str
    mark: bool = False


FAMILIES = {
    name: Family(title, light, dark, bool(mark)) for name, title, light, dark, mark in _read_table("families.txt")
}
HUES = [(light, dark) for light, dark in _read_table("hues.txt")]  # of the areas
GREY = ("#5d6570", "#aab3bf")  # nodes without an area
SHAPES = {shape: (gexf, graphviz) for shape, gexf, graphviz in _read_table("shapes.txt")}


class Kind(NamedTuple):
    """A kind of nodes: only the name is required, every other field has a default.

    ``one`` and ``many`` are the singular and plural for readers, ``words`` further words for `podgraph list`
    (see ``singular``, ``plural``, ``list_words``). ``family``, ``shape`` and ``hollow`` are its symbol
    (``FAMILIES``, ``SHAPES``). An ``artifact`` can be cited; nodes with a ``text`` cite others.
    ``id`` is a regular expression for whole ids.
    """

    name: str
    one: str = ""
    many: str = ""
    words: tuple[str, ...] = ()
    family: str = "person"
    shape: str = "square"
    hollow: bool = False
    artifact: bool = True
    text: bool = False
    id: str = ".+"

    @property
    def singular(self) -> str:
        """The singular for readers: ``one``, else the name."""
        return self.one or self.name

    @property
    def plural(self) -> str:
        """The plural for readers: ``many``, else ``one`` with an s."""
        return self.many or f"{self.singular}s"

    @property
    def heading(self) -> str:
        """The plural with a capital."""
        return self.plural[:1].upper() + self.plural[1:]

    @property
    def list_words(self) -> tuple[str, ...]:
        """Further words for `podgraph list`: ``words``, else the plural."""
        return self.words or (self.plural,)

    @property
    def groups(self) -> frozenset[str]:
        """The words for this kind at the end of a relation: its name, ``artifact`` and ``text`` if they are true."""
        return frozenset((self.name, *("artifact",) * self.artifact, *("text",) * self.text))

    def find_problem(self) -> str:
        """Return the error in this row of the table, "" without one."""
        if not _KIND_NAME.fullmatch(self.name):
            return f"{self.name!r} is not a name of a kind: it has to be one lower-case word"
        if self.family not in FAMILIES:
            return f"there is no family {self.family!r}"
        return "" if self.shape in SHAPES else f"there is no shape {self.shape!r}"

    def to_dict(self) -> dict[str, object]:
        """Return the row for JSON: the name, and every field different from its default."""
        values = {name: value for name, value in self._asdict().items() if value != self._field_defaults.get(name)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, row: object) -> Kind | None:
        """Return the kind for a ``row``, which is a result of ``to_dict``; ``None`` for other values.

        Fields that are absent or of a wrong type get their defaults.
        """
        if not isinstance(row, dict):
            return None
        values: dict[str, Any] = {}
        for name, default in {"name": "", **cls._field_defaults}.items():
            value = tuple(map(str, row[name])) if isinstance(row.get(name), list) else row.get(name)
            values[name] = value if type(value) is type(default) else default
        kind = cls(**values)
        return None if kind.find_problem() else kind


class Kinds(dict[str, Kind]):
    """The kinds of a graph by name, in the order of lists and legends; an unknown one has a default row."""

    def __missing__(self, name: str) -> Kind:
        """Return a default row for a name without a row: so ``KINDS[name]`` never fails. It is not stored."""
        return Kind(name) if _KIND_NAME.fullmatch(name) else Kind("other", name or "other", name or "others")

    def in_order(self, names: Iterable[str]) -> list[str]:
        """Return the ``names`` of kinds in the order of this table. Those without a row come last, by name."""
        places = {name: place for place, name in enumerate(self)}
        return sorted(names, key=lambda name: (places.get(name, len(places)), name))

    def list_words(self) -> dict[str, tuple[str, ...]]:
        """Return the words for lists in `podgraph list`: {word: names of its kinds}.

        Of kinds with the same word, the first has it.
        """
        words = {"artifacts": tuple(sorted(kind.name for kind in self.values() if kind.artifact))}
        for kind in self.values():
            for word in kind.list_words:
                words.setdefault(word.lower(), (kind.name,))
        return words

    def find(self, word: str) -> tuple[str, ...]:
        """Return the names of the kinds meant by a word of `podgraph list`, or by a kind's own name; () for none.

        >>> KINDS.find("prs"), KINDS.find("Pulls"), KINDS.find("pull_requests"), KINDS.find("nonsense")
        (('pull',), ('pull',), ('pull',), ())
        """
        text = word.lower().replace("_", " ")
        names = (
            (kind.name,) for kind in self.values() if text in {kind.name, f"{kind.name}s", kind.singular, kind.plural}
        )
        return self.list_words().get(text) or next(names, ())


KINDS = Kinds()
for name, one, many, words, family, shape, flags, ids in _read_table("kinds.txt"):
    is_hollow, is_artifact, has_text = (flag in flags.split() for flag in ("hollow", "artifact", "text"))
    KINDS[name] = Kind(name, one, many, tuple(words.split()), family, shape, is_hollow, is_artifact, has_text, ids)
SOURCES = frozenset(kind.name for kind in KINDS.values() if kind.text)  # kinds with a text, and so with evidence


class Relation(NamedTuple):
    """A relation, the key of edges.

    ``sources`` and ``targets`` are the kinds at its ends, by names and groups (see ``Kind.groups``). ``along`` is its
    text in the direction of the edge, ``against`` in the other direction. ``dash`` is the pattern of its line
    (on, off, …; empty: a solid line). Ties for areas and ranks have its ``strength``, 0 for one that would tie
    everything to a few hubs. The map shows it if ``is_drawn``. ``names``: a text mentions its target.
    """

    name: str
    sources: frozenset[str]
    targets: frozenset[str]
    along: str
    against: str
    dash: tuple[float, ...]
    strength: float
    is_drawn: bool
    names: bool


RELATIONS: dict[str, Relation] = {}
for name, ends, along, against, dash, strength, flags in _read_table("relations.txt"):
    sources, targets = (frozenset(end.split()) for end in ends.split(" -> "))
    line = tuple(map(float, dash.split())), float(strength)
    RELATIONS[name] = Relation(name, sources, targets, along, against, *line, "drawn" in flags, "names" in flags)


def relation_name(relation: str, *, backwards: bool = False) -> str:
    """Return the words for a relation along its edge, or against it (``backwards``); without a row, its name.

    >>> relation_name("cites"), relation_name("cites", backwards=True), relation_name("borrowed_from")
    ('cites', 'cited by', 'borrowed from')
    """
    if row := RELATIONS.get(relation):
        return row.against if backwards else row.along
    return relation.replace("_", " ") + (" (from)" if backwards else "")


# The roles of a person in an episode, on `mentions` edges; the strongest first.
ROLES = dict(_read_table("roles.txt"))
# The methods of evidence, and their meanings.
METHODS = dict(_read_table("methods.txt"))


def kinds_of(about: Mapping[str, object]) -> Kinds:
    """Return the kinds of a graph with the attributes ``about``: the built-in ones, then those in its own ``kinds``."""
    rows = about.get("kinds")
    own = [kind for kind in map(Kind.from_dict, rows) if kind] if isinstance(rows, list) else ()
    return Kinds({**KINDS, **{kind.name: kind for kind in own if kind.name not in KINDS}}) if own else KINDS


def save_added_kinds(graph: Graph, plugin_kinds: Iterable[Kind] = ()) -> list[str]:
    """Save the rows of kinds that are not built in, and that the graph's nodes have, in its attribute ``kinds``.

    ``plugin_kinds`` are the rows from plug-ins; those of kinds without nodes are not saved. A kind without a row gets a
    default row, if its name is valid. Return a warning for each such kind, with the extractors that it comes from. A
    graph with only built-in kinds stays unchanged.
    """
    added_names = sorted({str(kind) for _, kind in graph.nodes(data="kind")} - KINDS.keys())
    plugin_rows = {kind.name: kind for kind in plugin_kinds}
    # KINDS gives a default row for a name that is not in it.
    if kinds := [plugin_rows.get(name, KINDS[name]) for name in added_names if _KIND_NAME.fullmatch(name)]:
        graph.graph["kinds"] = [kind.to_dict() for kind in kinds]
    where = "is in no table; it is from the extractor"
    unknown = (name for name in added_names if name not in plugin_rows)
    return [f"the kind {name!r} {where} {_list_extractors(graph, name)}" for name in unknown]


def _list_extractors(graph: Graph, kind: str) -> str:
    """Return the names of the extractors that found nodes of a kind, joined by "and", "(unknown)" without evidence."""
    nodes = [node for node, data in graph.nodes(data=True) if data["kind"] == kind]
    edges = graph.in_edges(nodes, data=True)
    names = {str(evidence["extractor"]) for *_, edge in edges for evidence in edge.get("evidence", ())}
    return " and ".join(sorted(names)) or "(unknown)"
