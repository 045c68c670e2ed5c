"""``import podgraph``: an opened, built or given graph, with the questions as methods.

Methods and commands ask the same functions of ``podgraph.graph``. Nothing heavy is loaded before it is needed: a
question about a saved graph imports neither networkx nor a parser of feeds.
"""

from __future__ import annotations

import os
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from podgraph import graph as ask  # lazy: a query imports only the modules it needs
from podgraph.extractors import (
    NotFoundError,
    OutputError,
    PodgraphError,
    QueryError,
    decode,
    find_tags,
    nearest,
    read_file,
    sample_graph,
)

from .answers import Answer, Item, frame
from .asking import Questions
from .opening import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import date
    from typing import Self, Unpack

    import pandas as pd

    from podgraph.extractors import Index
    from podgraph.graph import Change, Difference, LinkHealth, View
    from podgraph.graph import Graph as NetworkxGraph

    from .page.host import PageOptions

    AnyPath = str | os.PathLike[str]

_AS = ("", "episodes", "posts")
_MOST_KINDS = 8  # rows of the summary
_ENDS = frozenset(("id", "source", "target", "key"))  # keys of node-link data beside the attributes


def open(path: AnyPath) -> Graph:  # noqa: A001 - `podgraph.open`, as `gzip.open`
    """Open a graph written by podgraph: ``.json``, ``.json.gz``, ``.sqlite`` (``.db``), ``.graphml`` or ``.gexf``.

    ``"sample"`` is the built-in snapshot (``"./sample"`` a file of this name). A SQLite file of any size is queried in
    place; close it, or use it in a ``with`` block. Raises ``SourceError`` for a missing or damaged file, and for one
    of another program.

    >>> open("nothing.json")
    Traceback (most recent call last):
    podgraph.extractors.errors.SourceError: nothing.json: there is no such file; `podgraph build` makes one
    """
    source = os.fspath(path)
    if source == "sample":
        return sample()
    whole = Path(source).absolute()

    def load() -> NetworkxGraph:
        from .formats import read_graph  # noqa: PLC0415 - loads networkx

        return read_graph(whole)

    return Graph(view_of(source), load, source)


def build(
    *sources: AnyPath | Iterable[AnyPath],
    offline: bool = False,
    as_kind: str = "",
    repo: str = "",
    private: bool | None = None,
    vocabulary: AnyPath | None = None,
    index: AnyPath | None = None,
    checkout: AnyPath | Iterable[AnyPath] = (),
    github: bool = False,
    titles: bool = False,
    archive: bool = False,
    transcripts: AnyPath | None = None,
    fetch_transcripts: bool = False,
    transcript_words: int = 12,
    chapters: bool = False,
) -> Graph:
    """Read feeds and build one graph of them, as ``podgraph build`` does, without writing files.

    A source is a feed's URL, a file (RSS, Atom, JSON Feed, OPML), a folder, a web page with a link to its feed, or
    ``"sample"``, or a list of these; none: the live PyTorch Developer Podcast. ``offline`` takes cached copies only;
    ``as_kind`` (``"episodes"`` or ``"posts"``) overrules what a feed looks like; ``repo`` (``owner/name``) is what a
    bare ``#12`` is of; ``private`` overrules whether the feeds are private; ``vocabulary`` is a file of topics and
    ``index`` one of names. Metadata of cited artifacts come from ``checkout``, a local clone or several (a folder, or
    ``owner/name=DIR``), with ``github`` from GitHub, with ``titles`` from the pages themselves; ``archive`` finds
    archived copies of dead links. ``transcripts`` is a folder of transcripts, ``fetch_transcripts`` gets those
    named in the feeds, ``chapters`` their lists of chapters; a quote has at most ``transcript_words`` words of a
    transcript. ``warnings`` of the graph are those of the command, also one for each source that was left out; they go
    to the logger ``podgraph`` too. In a notebook one line shows the progress. Raises ``PodgraphError`` when no source
    could be read.

    >>> build("nothing.xml")
    Traceback (most recent call last):
    podgraph.extractors.errors.SourceError: nothing.xml: there is no such file; check the path, or give a feed's address
    """
    import logging  # noqa: PLC0415 - queries do not need it

    from podgraph.extractors import Heard, want, without_keys  # noqa: PLC0415

    from . import pipeline  # noqa: PLC0415
    from .terminal import in_cell, progress  # noqa: PLC0415

    if as_kind not in _AS:
        raise QueryError(f"items are no {as_kind!r}", source="as_kind", remedy="'episodes' or 'posts'")
    names = [os.fspath(one) for some in sources for one in ([some] if isinstance(some, str | os.PathLike) else some)]
    clones = [checkout] if isinstance(checkout, str | os.PathLike) else checkout
    folders_of_clones = [os.fspath(clone) for clone in clones]
    wanted = want(folders_of_clones, github=github, titles=titles, archive=archive, offline=offline)
    warnings: list[str] = []

    def warn(line: str) -> None:
        warnings.append(line)
        logging.getLogger("podgraph").warning("%s", line)

    folders = (Path(transcripts),) if transcripts else ()
    asked = folders or fetch_transcripts or chapters
    heard = Heard(folders, fetch_transcripts, offline, transcript_words, chapters) if asked else None
    with progress(wanted=in_cell()) as show:
        built = pipeline.build(
            names,
            offline=offline,
            as_kind=as_kind,
            repo=repo,
            private=private,
            vocabulary=pipeline.read_vocabulary(vocabulary) if vocabulary else None,
            index=Path(index) if index else None,
            wanted=wanted,
            heard=heard,
            notify=warn,
            show=show,
        )
    for failure in built.failures:
        warn(f"left out: {failure}")
    for feed in built.feeds:
        for warning in filter(None, (feed.cut, *feed.warnings)):
            warn(f"{feed.source}: {warning}")
    name = " ".join(map(without_keys, names)) or built.feeds[0].source
    return of_networkx(built.graph, name, warnings)


@cache
def sample() -> Graph:
    """Return the graph of the built-in snapshot, without any network; each time the same object.

    It ships with the package and contains no results of plug-ins; ``build("sample")`` builds it with plug-ins.

    >>> sample()  # doctest: +ELLIPSIS
    <Graph sample: 83 episodes, ... nodes>
    """
    import gzip  # noqa: PLC0415 - few graphs are packed
    import json  # noqa: PLC0415 - SQLite needs none

    data = gzip.decompress(sample_graph())

    def load() -> NetworkxGraph:
        from .formats.node_link import from_json  # noqa: PLC0415 - loads networkx

        return from_json(data)

    return Graph(ask.View.from_node_link(json.loads(data)), load, "sample")


def of_networkx(graph: NetworkxGraph, name: str, warnings: Iterable[str] = ()) -> Graph:
    """Return a graph of networkx as one with the questions as methods."""
    return Graph(ask.View.from_networkx(graph), lambda: graph, name, warnings)


class Page(NamedTuple):
    """The interactive page as one HTML document, ``html``; a notebook shows it in a frame, whole and offline."""

    html: str

    def __repr__(self) -> str:
        return "<Page: a notebook shows it, page(FILE) writes it>"

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415

        return (
            f'<iframe srcdoc="{escape(self.html)}" title="podgraph" width="100%" height="720" '
            'style="border: 1px solid #8884" allow="fullscreen"></iframe>'
        )


class Graph(Questions):
    """The graph of podcasts and what they cite, with a method for each question.

    It comes from ``podgraph.open``, ``podgraph.build`` or ``podgraph.sample``. ``graph[id]`` is a node, ``id in graph``
    looks for one, iteration yields all, ``len(graph)`` counts them. Every answer is a sequence (``podgraph.Answer``) of
    rows (``podgraph.Item``), whose attributes are named as in the JSON.

    >>> graph = sample()
    >>> [one.label for one in graph.search("double backward", n=1)], graph["topic:vmap"].label
    (['Double backwards'], 'vmap')
    """

    def __init__(self, view: View, load: Callable[[], NetworkxGraph], name: str, warnings: Iterable[str] = ()) -> None:
        self._view = view
        self._load = load
        self._name = name
        self._warnings = tuple(warnings)

    @property
    def view(self) -> View:
        """The graph as plain adjacency, for questions of your own; it costs no ``networkx``.

        >>> sample().view.node("topic:vmap")["label"]
        'vmap'
        """
        return self._view

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of the build; empty for an opened graph."""
        return self._warnings

    # Questions: their methods are in ``Questions``

    def _ask(self, question: str, given: Mapping[str, Any]) -> Answer[Any, Any]:
        """Ask a question with the ``locals()`` of its method. Arguments that select episodes become one ``Which``."""
        arguments = {name: _plain(value) for name, value in given.items() if name != "self"}
        if "n" in arguments:
            arguments["n"] = _count(arguments["n"], 1 if question == "path" else 0)
        if "podcast" in arguments:
            which = {name: arguments.pop(name) for name in ask.Which._fields if name in arguments}
            arguments["which"] = ask.Which(**which, limit=arguments.pop("n", 0))
        return Answer(question, self._functions[question](arguments))

    @cached_property
    def _functions(self) -> dict[str, Callable[[dict[str, Any]], Any]]:
        """A call for each question: the arguments of its method, converted for the function in ``podgraph.graph``."""
        view = self._view
        return {
            "cites": lambda t: ask.cites(str(t["ref"]), view, t["repo"], lambda: self._names, t["which"]),
            "show": lambda t: ask.show(str(t["node"]), view, t["repo"]),
            "where": lambda t: self._asked.where(str(t["name"]), symbols=t["symbols"], which=t["which"]),
            "explain": lambda t: ask.explain(str(t["text"]), view, self._names, t["which"]),
            "review": lambda t: ask.review(_changes(t["paths"]), view, self._names, t["which"]),
            "why": self._why,
            "related": lambda t: ask.related(str(t["episode"]), view, t["which"]),
            "order": lambda t: ask.order(str(t.pop("name")), view, heard=heard_names(t.pop("heard")), **t),
            "path": lambda t: ask.path(str(t["a"]), str(t["b"]), view, t["n"]),
            "search": lambda t: ask.search(str(t["text"]), view, t["kind"], t["which"]),
            "list": lambda t: ask.list_nodes(str(t.pop("kind")), view, **t),
            "stats": lambda t: ask.stats(view, with_boilerplate=t["with_boilerplate"], most=t["n"]),
        }

    def _why(self, taken: Mapping[str, Any]) -> ask.Why:
        """Explain a decision about a text of an episode, with the extractors of plug-ins too."""
        from podgraph.extractors import EXTRACTORS, load_extractors  # noqa: PLC0415 - all of extraction is loaded

        from .pipeline import read_vocabulary  # noqa: PLC0415

        words = read_vocabulary(taken["vocabulary"]) if taken["vocabulary"] else None
        extractors = (*EXTRACTORS, *load_extractors())
        episode, text, repo = (taken[name] for name in ("episode", "text", "repo"))
        return ask.why(str(episode), text, self._view, repo=repo, vocabulary=words, extractors=extractors)

    def links(self) -> Answer[Item, LinkHealth]:
        """Return the state of the cited links: the number of working ones, and the moved or lost ones.

        >>> sample().links().statuses["gone"] > 0
        True
        """
        return Answer("links", ask.link_health(self._view))

    def diff(self, other: Graph | AnyPath) -> Answer[Item, Difference]:
        """Return the nodes and edges added, changed and removed in ``other``, a newer graph or its file.

        >>> bool(sample().diff(sample()))
        False
        """
        if isinstance(other, Graph):
            return Answer("diff", ask.compare(self._view, other._view))  # noqa: SLF001 - its own class
        with open(other) as newer:
            return self.diff(newer)

    # The graph in other forms

    @cached_property
    def networkx(self) -> NetworkxGraph:
        """The graph as a ``networkx.MultiDiGraph``; the key of an edge is its relation.

        It is yours to change, but the questions do not see your changes: ``export`` and ``page`` do.

        >>> sample().networkx.has_edge("episode:pytorch-developer-podcast/vmap", "topic:vmap", "about")
        True
        """
        return self._load()

    def nodes_frame(self) -> pd.DataFrame:
        """Return the nodes as a data frame of pandas: a row each, ``id`` and a column for each attribute.

        It needs pandas, not a dependency of podgraph: ``ImportError`` without it.

        >>> list(sample().nodes_frame().columns[:3])  # doctest: +SKIP
        ['id', 'kind', 'label']
        """
        return frame({"id": id_, **_inside(node)} for id_, node in self._view.nodes())

    def edges_frame(self) -> pd.DataFrame:
        """Return the edges as a data frame of pandas: ``source``, ``target``, ``relation``, and their attributes.

        It needs pandas, as ``nodes_frame`` does.
        """
        return frame(
            {"source": edge.source, "target": edge.target, "relation": edge.relation, **_inside(edge.attributes)}
            for id_, _ in self._view.nodes()
            for edge in self._view.edges_from(id_)
        )

    def part(
        self,
        *,
        kinds: str | Iterable[str] = (),
        relations: str | Iterable[str] = (),
        focus: str | Item = "",
        hops: int = 1,
        since: str | date = "",
        until: str | date = "",
        isolated: bool = False,
        notes: bool = True,
    ) -> Graph:
        """Return the part of the graph meeting all conditions, with a new layout; without any, the graph itself.

        ``kinds`` and ``relations`` (names, or one text with commas) select kinds and relations, ``focus`` the nodes
        at most ``hops`` edges away. ``since`` and ``until`` select episodes by date, with their mentions. ``isolated``
        keeps nodes without an edge; without ``notes`` the texts of the feeds are left out. Raises
        ``QueryError`` for an unknown kind, relation, node or date, and when nothing is left.

        >>> len(sample().part(kinds="episodes,topics", since="2024")) < len(sample())
        True
        """
        listed, tied = _names(kinds), _names(relations)
        for name in tied:
            if name not in ask.RELATIONS:
                remedy = nearest(name, ask.RELATIONS) or f"use one of {', '.join(ask.RELATIONS)}"
                raise QueryError(f"unknown relation {name!r}", remedy=remedy)
        kept = [kind for name in listed for kind in ask.kinds_called(name, self._view.kinds)]
        first, last = ask.span_of_days(since, until)
        focus = str(_plain(focus))
        middle = ask.resolve_node(focus, self._view) if focus else ""
        if focus and not middle:
            remedy = ask.name_like(focus, self._view) or "`podgraph search` finds by words"
            raise QueryError(f"no node is called {focus!r}, given as focus", remedy=remedy)
        graph = self.networkx if notes else ask.without_notes(self.networkx)
        if kept or tied or middle or first or last:
            graph = ask.narrow(
                graph, kinds=kept, relations=tied, focus=middle, hops=hops, since=first, until=last,
                isolated=isolated or len(listed) < 2,
            )  # fmt: skip
            if not graph:
                raise QueryError("these options leave nothing of the graph", remedy="loosen one of them")
            ask.add_places(graph)
        return self if graph is self.networkx else of_networkx(graph, f"{self._name} (part)")

    def export(
        self,
        path: AnyPath,
        format: str = "",  # noqa: A002 - the name of the option
        *,
        force: bool = False,
        **options: Any,
    ) -> tuple[Path, ...]:
        """Write the graph to a file (or a folder, where the format is one), and return what was written.

        The suffix of ``path`` chooses the format, else ``format``. ``options`` are those of ``part`` and the format's
        own: those of ``page`` (HTML), ``dynamic`` (GEXF), ``clusters`` (DOT), ``evidence`` (Cypher). A file
        of another program is replaced with ``force`` alone. Raises ``OutputError``; then nothing has changed.

        >>> sample().export("graph.jpeg")
        Traceback (most recent call last):
        podgraph.extractors.errors.OutputError: ...
        """
        from .formats import check_targets, formats, write_graph  # noqa: PLC0415 - loaded when used

        (item,) = check_targets([path], format, formats(), force=force)
        part = {name: options.pop(name) for name in _PART if name in options}
        if part.get("focus") and "everything" in item.options:
            options.setdefault("everything", True)  # a part has no start view of its own
        for name in options:
            if name not in item.options:
                known = f"it has {', '.join((*item.options, *_PART))}"
                raise OutputError(f"has no option {name!r}", source=item.name, remedy=known)
        graph = self.part(**part) if part else self
        return write_graph(graph.networkx, path, item, force=force, **options)

    @overload
    def page(self, path: None = None, **options: Unpack[PageOptions]) -> Page: ...

    @overload
    def page(self, path: AnyPath, **options: Unpack[PageOptions]) -> Path: ...

    def page(self, path: AnyPath | None = None, **options: Unpack[PageOptions]) -> Page | Path:
        """Write the interactive page and return its path; without a path return it, and a notebook cell shows it.

        ``options`` are texts: ``title`` and ``description`` (else the podcast's), ``accent`` (``#rrggbb``), ``logo``
        (the path of a picture), ``site_url`` (the page's future address). Raises ``OutputError`` for an invalid one.

        >>> sample().page()
        <Page: a notebook shows it, page(FILE) writes it>
        """
        if path is not None:
            return self.export(path, "html", **options)[0]
        from .page.page import to_html  # noqa: PLC0415 - loaded when used

        return Page(to_html(self.networkx, **options))

    # Methods of Python and of notebooks

    def close(self) -> None:
        """Close the file of a SQLite graph; a graph in memory stays as it is. A ``with`` block does the same.

        >>> with sample() as graph:
        ...     len(graph.list("episodes"))
        83
        """
        close = getattr(self._view, "close", None)
        if close is not None:
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return sum(self._view.counts().values())

    def __getitem__(self, id_: str | Item) -> Item:
        name = _plain(id_)
        node = self._view.node(name) if isinstance(name, str) else None
        if node is None:
            remedy = "graph.show finds a node by its title or number, graph.search by words"
            raise NotFoundError(f"no node has the id {name!r}", remedy=remedy)
        return Item(ask.with_day({**node, "id": name}))

    def __contains__(self, id_: object) -> bool:
        name = _plain(id_)
        return isinstance(name, str) and self._view.node(name) is not None

    def __iter__(self) -> Iterator[Item]:
        return (Item(ask.with_day({**node, "id": id_})) for id_, node in self._view.nodes())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        import networkx  # noqa: PLC0415 - nothing went wrong until here

        there = f"use graph.networkx.{name}" if hasattr(networkx.MultiDiGraph, name) else nearest(name, dir(self))
        raise AttributeError(f"a graph has no {name!r}; {there or 'its methods are the questions: dir(graph)'}")

    def __reduce__(self) -> tuple[object, ...]:
        return of_networkx, (self.networkx, self._name, self._warnings)

    def __repr__(self) -> str:
        try:
            counts = self._view.counts()
            held = f"{counts.get('episode', 0)} episodes, {sum(counts.values())} nodes"
        except PodgraphError as error:  # closed, or damaged since it was opened
            held = error.problem
        return f"<Graph {self._name}: {held}>"

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415

        held = [*self._held()]
        if rest := held[_MOST_KINDS:]:
            held[_MOST_KINDS:] = [(f"of {len(rest)} more kinds", sum(count for _, count in rest))]
        rows = "".join(
            f'<tr><td style="text-align: right">{count}</td><td style="text-align: left">{escape(name)}</td></tr>'
            for name, count in held
        )
        ask = "".join(f"<li><code>{escape(line)}</code></li>" for line in self._first_questions())
        return (
            f"<div><strong>podgraph: {escape(self._name)}</strong>{escape(self._years())}"
            f"<table>{rows}</table>Ask, for example (<code>g</code> is the graph):<ul>{ask}</ul></div>"
        )

    def __dir__(self) -> tuple[str, ...]:
        return tuple(name for name in dir(type(self)) if not name.startswith("_"))

    def _held(self) -> tuple[tuple[str, int], ...]:
        """Return (plural, count) for each kind, in the order of lists."""
        counts, kinds = self._view.counts(), self._view.kinds
        return tuple(
            (kinds[kind].singular if counts[kind] == 1 else kinds[kind].plural, counts[kind])
            for kind in kinds.in_order(counts)
        )

    def _years(self) -> str:
        days = sorted(str(node["date"])[:10] for _, node in self._view.nodes("episode") if "date" in node)
        return f", {days[0]} to {days[-1]}" if days else ""

    def _first_questions(self) -> tuple[str, ...]:
        """Return lines of Python with an answer in this graph."""

        def best(kind: str) -> str:
            ranked = max(self._view.nodes(kind), key=lambda item: item[1].get("rank", 0.0), default=None)
            return str(ranked[1].get("label", ranked[0])) if ranked else ""

        lines = ["g.page()", 'g.list("episodes").frame()']
        if episode := best("episode"):
            lines += [f"g.show({episode!r})", f"g.related({episode!r})"]
        if topic := best("topic"):
            lines += [f"g.cites({topic!r})", f"g.order({topic!r})"]
        return tuple(lines)

    @cached_property
    def _asked(self) -> ask.Asked:
        return ask.Asked(self._view, self._names)

    @cached_property
    def _names(self) -> Index | None:
        """The index of names, where the graph holds anything of its subject's code."""
        return ask.names_of(self._view)


def _plain(value: Any) -> Any:
    """Return an argument, with an item replaced by its id and a path by its text."""
    if isinstance(value, Item):
        return value.id
    return os.fspath(value).replace(os.sep, "/") if isinstance(value, os.PathLike) else value


def _changes(paths: Any) -> str | list[str | Change]:
    if isinstance(paths, str):
        return paths
    return [one if isinstance(one, ask.Change) else str(_plain(one)) for one in paths]


def heard_names(path: Any) -> list[str]:
    """Return the names of the episodes in a file: its lines, or the titles and addresses of the outlines of OPML."""
    if not path:
        return []
    text = decode(read_file(Path(str(path))))
    if text.lstrip().startswith("<"):
        outlines = (found for _, found in find_tags(text, frozenset({"outline"})))
        return [one[key] for one in outlines if "xmlurl" not in one for key in ("text", "url") if one.get(key)]
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("# ")]


def _names(names: str | Iterable[str]) -> list[str]:
    given = names.split(",") if isinstance(names, str) else names
    return [name.strip() for name in given if name.strip()]


def _count(n: object, least: int) -> int:
    if not isinstance(n, int) or n < least:
        raise QueryError(f"invalid number of results {n!r}", remedy=f"give a whole number from {least}")
    return n


def _inside(attributes: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in attributes.items() if name not in _ENDS}


_PART = ("kinds", "relations", "focus", "hops", "since", "until", "isolated", "notes")
