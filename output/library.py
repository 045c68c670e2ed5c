"""The Python library: ``import podgraph`` gives functions that open or build a graph, and a method for each question.

The command and the assistants' tools come from these methods. Nothing heavy is loaded before it is needed.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from podgraph import graph as questions  # lazy: a question imports only its own module
from podgraph.extractors import NotFoundError, PodgraphError, QueryError, nearest
from podgraph.graph import Answer, Row, build_row

from .names_of_others import METHODS, Members, find_method
from .opening import open_store
from .questions import Questions, to_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from pyvis.network import Network

    from podgraph.graph import Graph as NetworkxGraph
    from podgraph.graph import View

AnyPath = str | os.PathLike[str]


def open(path: AnyPath) -> Graph:  # noqa: A001 - `podgraph.open`, as `gzip.open`
    """Open a graph that podgraph wrote.

    ``path`` is a ``.sqlite`` or ``.json`` file, or ``"sample"`` for the built-in snapshot. A SQLite file of any size is
    queried in place; close it, or use it in a ``with`` block. Raises ``GraphError`` for a missing or damaged file, and
    for one of another program.

    >>> open("nothing.json")
    Traceback (most recent call last):
    podgraph.extractors.errors.GraphError: nothing.json: there is no such file; `podgraph build` makes one
    """
    source = os.fspath(path)
    return sample() if source == "sample" else Graph(open_store(source), source)


def build(
    *sources: AnyPath | Iterable[AnyPath],
    offline: bool = False, as_kind: Literal["", "episodes", "posts"] = "", repo: str = "",
    private: bool | None = None, vocabulary: AnyPath | None = None, look_up: bool = False,
    checkout: AnyPath | Iterable[AnyPath] = (), transcripts: AnyPath | None = None,
) -> Graph:  # fmt: skip
    """Read feeds and return one graph of them, as ``podgraph build`` does, without writing files.

    A source is a feed's URL, a file (RSS, Atom, JSON Feed, OPML), a folder, a web page with a link to its feed,
    ``"sample"``, or a list of these. Without sources, the live PyTorch Developer Podcast is read. The options:

    - ``offline``: use cached copies only.
    - ``as_kind``: the kind of the feeds' items, ``"episodes"`` or ``"posts"``; "" detects it.
    - ``repo``: the repository (``owner/name``) of a bare ``#12``.
    - ``private``: whether the feeds are private; ``None`` detects it.
    - ``vocabulary``: a file of topics.
    - ``look_up``: get titles and states from GitHub and the cited pages.
    - ``checkout``: a local clone or several (a folder, or ``owner/name=DIR``).
    - ``transcripts``: a folder, or ``"feed"`` for the transcripts and chapters that the feeds name.

    The graph's ``warnings`` are those of the command; the logger ``podgraph`` gets them, too. Raises ``PodgraphError``
    if no source could be read, ``QueryError`` for an invalid ``as_kind``.

    >>> build("nothing.xml")
    Traceback (most recent call last):
    podgraph.extractors.errors.SourceError: nothing.xml: there is no such file; check the path, or give a feed's address
    """
    import logging  # noqa: PLC0415 - questions do not need it

    from podgraph.extractors import choose_look_ups, without_keys  # noqa: PLC0415

    from . import pipeline  # noqa: PLC0415
    from .terminal import progress  # noqa: PLC0415

    if as_kind not in ("", "episodes", "posts"):
        raise QueryError(f"unknown kind of items {as_kind!r}", source="as_kind", remedy="use 'episodes' or 'posts'")
    names = [os.fspath(name) for item in sources for name in ([item] if isinstance(item, str | os.PathLike) else item)]
    clones = [checkout] if isinstance(checkout, str | os.PathLike) else checkout
    warnings: list[str] = []

    def warn(line: str) -> None:
        """Store a warning for the graph, and log it."""
        warnings.append(line)
        logging.getLogger("podgraph").warning("%s", line)

    with progress() as show:
        result = pipeline.build(
            names, offline=offline, as_kind=as_kind, repo=repo, private=private, vocabulary=vocabulary,
            look_ups=choose_look_ups([os.fspath(clone) for clone in clones], online=look_up, offline=offline),
            transcripts=[transcripts] if transcripts else [], notify=warn, show=show,
        )  # fmt: skip
    for failure in result.failures:
        warn(f"left out: {failure}")
    for feed in result.feeds:
        for warning in filter(None, (feed.cut, *feed.warnings)):
            warn(f"{feed.source}: {warning}")
    name = " ".join(map(without_keys, names)) or result.feeds[0].source
    return from_networkx(result.graph, name, warnings)


@cache
def sample() -> Graph:
    """Return the graph of the built-in snapshot, without network access. Each call returns the same object.

    >>> sample()  # doctest: +ELLIPSIS
    <Graph sample: 83 episodes, ... nodes>
    """
    from podgraph.extractors import sample_graph  # noqa: PLC0415 - other graphs do without

    return Graph(questions.View.open(sample_graph()), "sample")


def from_networkx(graph: NetworkxGraph, name: str = "graph", warnings: Iterable[str] = ()) -> Graph:
    """Return a ``Graph``, with the questions as methods, for a ``networkx.MultiDiGraph`` whose edge keys are relations.

    ``name`` is shown to people, ``warnings`` are those of the graph's build.
    """
    return Graph(questions.View.from_networkx(graph, name), name, warnings)


def merge(*graphs: Graph | Iterable[Graph], publish_private: bool = False) -> Graph:
    """Return several graphs, or a list of graphs, as one.

    If two graphs have a value of an attribute, the later one counts. Persons with the same profile, or with the same
    full name and a role, become one. Links between shows lead to episodes. Episodes of two shows that cite the same
    rare artifact are related. Raises ``GraphError`` for private feeds beside public ones without ``publish_private``.
    """
    from .large.merging import merge_stores  # noqa: PLC0415 - questions do without

    stores = [graph.store for group in graphs for graph in ([group] if isinstance(group, Graph) else group)]
    return Graph(merge_stores(stores, publish_private=publish_private), "merged graph")


class Page(str):
    """The interactive page: the text of one HTML document. A notebook shows it in a frame; it works offline."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<Page: a notebook shows it, page(FILE) writes it>"

    def _repr_html_(self) -> str:
        """Return the page in a frame, for a notebook."""
        from html import escape  # noqa: PLC0415

        return (
            f'<iframe srcdoc="{escape(self)}" title="podgraph" width="100%" height="720" '
            'style="border: 1px solid #8884" allow="fullscreen"></iframe>'
        )


class Graph(Questions):
    """The graph of podcasts and what they cite, with a method for each question.

    It comes from ``podgraph.open``, ``podgraph.build`` or ``podgraph.sample``. ``graph["vmap"]`` is the node that a
    reference means, ``"vmap" in graph`` looks for one, ``len(graph)`` counts all. Every question returns a
    ``podgraph.Answer``: rows whose columns are named as in the JSON.

    >>> graph = sample()
    >>> graph.search("double backward", n=1)["title"], graph["vmap"].id
    (['Double backwards'], 'episode:pytorch-developer-podcast/vmap')
    """

    def __init__(self, store: View, name: str, warnings: Iterable[str] = ()) -> None:
        """Wrap the database ``store``. ``name`` is shown to people; ``warnings`` are those of the build."""
        super().__init__(store)
        self._name = name
        self.warnings = tuple(warnings)

    def diff(self, new: Graph | AnyPath) -> Answer:
        """What a newer graph, or its file, added, removed and changed.

        examples:
          podgraph diff old.sqlite podgraph.sqlite
          podgraph diff old.sqlite podgraph.sqlite --exit-code
        """
        if isinstance(new, Graph):
            return questions.compare_graphs(self._store, new._store)  # noqa: SLF001 - its own class
        with open(new) as newer:
            return self.diff(newer)

    # The graph in other forms

    @property
    def store(self) -> View:
        """The database of the graph."""
        return self._store

    @property
    def nodes(self) -> Members:
        """The nodes: ``nodes("pull")`` gives those of a kind as rows with all attributes, ``nodes()`` gives all."""

        def ask(kind: str) -> Answer:
            """Answer with the nodes of a kind ("": all nodes)."""
            kinds = questions.find_kinds_called(kind, self._store.kinds) if kind else ()
            rows = tuple(Row(node, id=id_) for id_, node in self._store.nodes(*kinds))
            return Answer("nodes", kind, ("id", "kind", "title", "label", "date", "url"), rows, len(rows))

        return Members(self, ask, "nodes")

    @property
    def edges(self) -> Members:
        """The edges: ``edges("cites")`` gives those of a relation, ``edges("vmap")`` those of a node, ``edges()`` all.

        A row has ``source``, ``target``, ``relation`` and the attributes.
        """

        def ask(name: str) -> Answer:
            """Answer with the edges of a relation, or those at a node ("": all edges)."""
            node = questions.resolve_node(name, self._store) if name and name not in questions.RELATIONS else ""
            if not node:
                _check_relations([name] if name else [])
            rows = tuple(
                Row(edge.attributes, source=edge.source, target=edge.target, relation=edge.relation)
                for edge in self._store.all_edges()
                if (not name or edge.relation == name or node in {edge.source, edge.target})
            )
            return Answer("edges", name, ("source", "relation", "target", "reasons"), rows, len(rows))

        return Members(self, ask, "edges")

    def sql(self, query: str, values: Iterable[str | float | None] = ()) -> Answer:
        """Return the rows of a SQL query on the tables ``nodes``, ``edges``, ``evidence`` and ``about``.

        ``values`` replace the question marks in the query.

        >>> sample().sql("SELECT count(*) AS episodes FROM nodes WHERE kind = 'episode'")["episodes"]
        [83]
        """
        columns, records = self._store.select(query, tuple(values))
        rows = tuple(Row(zip(columns, row, strict=True)) for row in records)
        return Answer("sql", query, tuple(columns), rows, len(rows))

    def networkx(
        self, *, kinds: Iterable[str] = (), relations: Iterable[str] = (), focus: str = "", hops: int = 1
    ) -> NetworkxGraph:
        """Return the graph, or a part of it, as a ``networkx.MultiDiGraph``; the key of an edge is its relation.

        ``kinds`` and ``relations`` are names of kinds and relations to keep (none: all), as a list or separated by
        commas. ``focus`` (any reference) keeps the nodes at most ``hops`` edges away from it. Raises ``QueryError`` for
        an unknown kind or relation, and when nothing is left; ``NotFoundError`` for an unknown focus.

        >>> sample().networkx().has_edge("episode:pytorch-developer-podcast/vmap", "topic:vmap", "about")
        True
        """
        whole = self._store.to_networkx()
        kind_names, relation_names = _to_names(kinds), _check_relations(_to_names(relations))
        kind_ids = [kind for name in kind_names for kind in questions.find_kinds_called(name, self._store.kinds)]
        middle = self._find(focus) if focus else ""
        if not (kind_ids or relation_names or middle):
            return whole
        part = questions.narrow(
            whole, kinds=kind_ids, relations=relation_names, focus=middle, hops=hops, has_isolates=len(kind_names) < 2
        )
        if not part:
            raise QueryError("these options leave nothing of the graph", remedy="loosen one of them")
        return part

    def pyvis(self, focus: str = "", *, hops: int = 1, kinds: Iterable[str] = ()) -> Network:
        """Return the graph, or the part near ``focus``, as a ``pyvis.network.Network``, ready for ``.show()``.

        ``focus``, ``hops`` and ``kinds`` are as in ``networkx``. Above 200 nodes, the simulation of forces is off.
        """
        from .notebook import to_pyvis  # noqa: PLC0415 - loads pyvis

        return to_pyvis(self.networkx(focus=focus, hops=hops, kinds=kinds))

    def export(
        self, path: AnyPath, format: str = "", *,  # noqa: A002 - the name of the option
        kinds: Iterable[str] = (), focus: str = "", hops: int = 1, force: bool = False, **options: Any,
    ) -> tuple[Path, ...]:  # fmt: skip
        """Write the graph, or a part of it, to a file (or a folder), and return the paths of the written files.

        The suffix of ``path`` chooses the format. Otherwise ``format`` does: its name, or the name of a program that
        opens it. ``kinds``, ``focus`` and ``hops`` are as in ``networkx``. ``options`` are those of the format; the
        page's are listed at ``page``. Only with ``force`` is a file of another program replaced. Raises ``OutputError``
        on a failure; then nothing has changed. Raises ``QueryError`` for an option that the format does not have.

        >>> sample().export("graph.jpeg")
        Traceback (most recent call last):
        podgraph.extractors.errors.OutputError: ...
        """
        from .formats import check_target, write_graph  # noqa: PLC0415 - loaded when used

        format_ = check_target(path, format, force=force)
        for name in options:
            if name not in format_.options:
                remedy = f"it has {', '.join(format_.options)}" if format_.options else "it has none"
                raise QueryError(f"has no option {name!r}", source=format_.name, remedy=remedy)
        graph = self.select_part(kinds=kinds, focus=focus, hops=hops)
        options |= {"everything": True} if format_.name == "svg" and graph is not self._store else {}
        return write_graph(graph, path, format_, force=force, **options)

    def select_part(self, *, kinds: Iterable[str] = (), focus: str = "", hops: int = 1) -> View | NetworkxGraph:
        """Return the graph as the writers of formats take it: the whole as it is stored, or a part with new positions.

        The parameters are as in ``networkx``; without ``kinds`` and ``focus``, the whole graph is returned.
        """
        if not (kinds or focus):
            return self._store
        part = self.networkx(kinds=kinds, focus=focus, hops=hops)
        questions.add_places(part)
        return part

    def page(self, path: AnyPath | None = None, **options: str) -> Page | Path:
        """Write the interactive page to ``path`` and return the path.

        Without a path, return the page; a notebook shows it. ``options`` are texts: ``title`` and ``description``
        (default: the podcast's), ``accent`` (a colour, ``#rrggbb``), ``logo`` (the path of a picture), ``site_url``
        (the page's future address). Raises ``OutputError`` for an invalid one.

        >>> sample().page()
        <Page: a notebook shows it, page(FILE) writes it>
        """
        if path is not None:
            return self.export(path, "html", **dict[str, Any](options))[0]
        from .page.page import to_html  # noqa: PLC0415 - loaded when used

        return Page(to_html(self._store, **options))

    # Methods of Python and of notebooks

    def close(self) -> None:
        """Close the graph's file. Leaving a ``with`` block does the same."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self._store.count_nodes()

    def __getitem__(self, reference: str) -> Row:
        """Return the row of the node that a reference means, with all its attributes. Raises ``NotFoundError``."""
        id_ = self._find(to_text(reference))
        return build_row(id_, self._store.node(id_) or {})

    def __contains__(self, reference: object) -> bool:
        try:
            return bool(questions.resolve_node(to_text(reference), self._store))
        except QueryError:
            return False

    def __iter__(self) -> Iterator[Row]:
        return iter(self.nodes(""))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name == "merge":
            return lambda *others: merge(self, *others)
        value = find_method(self, name)
        if value is None:
            remedy = nearest(name, (*dir(type(self)), *METHODS)) or "its methods are the questions: dir(graph)"
            raise AttributeError(f"a graph has no {name!r}; {remedy}")
        return value

    def __repr__(self) -> str:
        try:
            counts = self._store.count_by_kind()
            content = f"{counts.get('episode', 0)} episodes, {sum(counts.values())} nodes"
        except PodgraphError as error:  # closed, or damaged since it was opened
            content = error.problem
        return f"<Graph {self._name}: {content}>"

    def _repr_html_(self) -> str:
        """Return a table of the number of nodes by kind, for a notebook."""
        counts, kinds = self._store.count_by_kind(), self._store.kinds
        names = {kind: kinds[kind].singular if counts[kind] == 1 else kinds[kind].plural for kind in counts}
        rows = tuple(Row(count=counts[kind], kind=names[kind]) for kind in kinds.in_order(counts)[:8])
        return Answer("nodes", "", ("count", "kind"), rows, len(rows), f"podgraph: {self._name}")._repr_html_()

    def __dir__(self) -> Iterable[str]:
        return [name for name in dir(type(self)) if not name.startswith("_")]

    def _find(self, reference: str) -> str:
        """Return the id of the node that a reference means. Raises ``NotFoundError`` for an unknown one."""
        id_ = questions.resolve_node(reference, self._store)
        if not id_:
            remedy = questions.suggest_name(reference, self._store) or "search finds by words"
            raise NotFoundError(f"no node is called {reference!r}", remedy=remedy)
        return id_


def _check_relations(names: list[str]) -> list[str]:
    """Return ``names`` unchanged. Raises ``QueryError`` for one that is not a relation."""
    for name in names:
        if name not in questions.RELATIONS:
            remedy = nearest(name, questions.RELATIONS) or f"use one of {', '.join(questions.RELATIONS)}"
            raise QueryError(f"unknown relation {name!r}", remedy=remedy)
    return names


def _to_names(names: str | Iterable[str]) -> list[str]:
    """Return names without spaces around them, from a list or from a text with commas between them.

    >>> _to_names("pull, issue"), _to_names(["pull"])
    (['pull', 'issue'], ['pull'])
    """
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names) if name.strip()]
