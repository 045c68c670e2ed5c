"""What ``import podgraph`` gives: a graph that is opened, built or brought, with the questions as methods.

The methods and the commands ask the same functions of ``podgraph.graph``; ``to_dict()`` of an answer is what the
command prints with ``--json``. Nothing heavy is loaded before it is needed: a question about a saved graph wants
neither networkx nor a parser of feeds.
"""

from __future__ import annotations

import os
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, overload

from podgraph import graph as ask  # its door: what a question needs is loaded when it is asked
from podgraph.extractors import (
    OutputError,
    PodgraphError,
    QueryError,
    sample_graph,
)

from .opening import view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date
    from typing import Self, Unpack

    import pandas as pd

    from podgraph.extractors import Index
    from podgraph.graph import (
        Change,
        Cites,
        Difference,
        Hits,
        LinkHealth,
        Listing,
        Order,
        Paths,
        Related,
        Review,
        Shown,
        Stats,
        View,
        Where,
        Why,
    )
    from podgraph.graph import Graph as NetworkxGraph

    from .page.host import PageOptions

    AnyPath = str | os.PathLike[str]

_AS = ("", "episodes", "posts")
_MOST_KINDS = 8  # rows of the summary
_ENDS = frozenset(("id", "source", "target", "key"))  # what node-link data has among the attributes


def open(path: AnyPath) -> Graph:  # noqa: A001 - `podgraph.open`, as `gzip.open`
    """Open a graph that podgraph wrote: ``.json``, ``.json.gz``, ``.sqlite`` (``.db``), ``.graphml`` or ``.gexf``.

    ``"sample"`` is the built-in snapshot (``"./sample"`` a file called so). A SQLite file is asked where it lies,
    whatever its size; close it, or use it in a ``with`` block. Raises ``SourceError`` for a file that is missing,
    damaged or none of ours.

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
    *sources: AnyPath,
    offline: bool = False,
    as_kind: str = "",
    repo: str = "",
    private: bool | None = None,
    vocabulary: AnyPath | None = None,
    index: AnyPath | None = None,
    checkout: AnyPath | Iterable[AnyPath] = (),
    github: bool = False,
    titles: bool = False,
    transcripts: AnyPath | None = None,
    fetch_transcripts: bool = False,
    transcript_words: int = 12,
) -> Graph:
    """Read feeds and build their one graph, as ``podgraph build`` does; nothing is written.

    A source is a feed's URL, a file (RSS, Atom, JSON Feed, OPML), a folder, a web page that names its feed, or
    ``"sample"``; none: the live PyTorch Developer Podcast. ``offline`` takes cached copies only; ``as_kind``
    (``"episodes"`` or ``"posts"``) overrules what a feed looks like; ``repo`` (``owner/name``) is what a bare ``#12``
    is of; ``private`` overrules whether the feeds are private; ``vocabulary`` is a file of topics and ``index`` one of
    names. What is cited is looked up in ``checkout``, a local clone or several (a folder, or ``owner/name=DIR``), with
    ``github`` at GitHub, with ``titles`` at the pages themselves. ``transcripts`` is a folder of what is said,
    ``fetch_transcripts`` gets what the feeds name; at most ``transcript_words`` words of it stand in one quote. What
    the command warns of goes to the logger ``podgraph``: also each source that was left out. In a notebook one line
    says how far it is. Raises ``PodgraphError`` when none could be read.

    >>> build("nothing.xml")
    Traceback (most recent call last):
    podgraph.extractors.errors.SourceError: nothing.xml: there is no such file; check the path, or give a feed's address
    """
    import logging  # noqa: PLC0415 - questions need none of this

    from podgraph.extractors import Heard, want, without_keys  # noqa: PLC0415

    from . import pipeline  # noqa: PLC0415
    from .terminal import in_cell, progress  # noqa: PLC0415

    if as_kind not in _AS:
        raise QueryError(f"items are no {as_kind!r}", source="as_kind", remedy="'episodes' or 'posts'")
    names = [os.fspath(source) for source in sources]
    clones = [checkout] if isinstance(checkout, str | os.PathLike) else checkout
    wanted = want([os.fspath(clone) for clone in clones], github=github, titles=titles, offline=offline)
    warn = logging.getLogger("podgraph").warning
    folders = (Path(transcripts),) if transcripts else ()
    heard = Heard(folders, fetch_transcripts, offline, transcript_words) if folders or fetch_transcripts else None
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
            notify=lambda line: warn("%s", line),
            show=show,
        )
    for failure in built.failures:
        warn("left out: %s", failure)
    for feed in built.feeds:
        for warning in filter(None, (feed.cut, *feed.warnings)):
            warn("%s: %s", feed.source, warning)
    return _of_networkx(built.graph, " ".join(map(without_keys, names)) or built.feeds[0].source)


@cache
def sample() -> Graph:
    """Return the graph of the built-in snapshot, without any network; each time the same object.

    It ships with the package, whatever else is installed: ``build("sample")`` makes it anew, with plug-ins.

    >>> sample()  # doctest: +ELLIPSIS
    <Graph sample: 83 episodes, ... nodes>
    """
    import gzip  # noqa: PLC0415 - few graphs are packed
    import json  # noqa: PLC0415 - SQLite needs none

    data = gzip.decompress(sample_graph())

    def load() -> NetworkxGraph:
        from .formats.node_link import from_json  # noqa: PLC0415 - loads networkx

        return from_json(data)

    return Graph(ask.Adjacency.of_node_link(json.loads(data)), load, "sample")


def _of_networkx(graph: NetworkxGraph, name: str) -> Graph:
    return Graph(ask.Adjacency.of_graph(graph), lambda: graph, name)


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


class Graph:
    """The graph of podcasts and what they cite, with a method for each question.

    It comes from ``podgraph.open``, ``podgraph.build`` or ``podgraph.sample``. Answers are typed; ``to_dict()`` of each
    is what the command prints with ``--json``, ``to_dict("all")`` all that is known, ``to_dict("id,title")`` these.
    Where a question cannot be understood it raises ``QueryError``, and ``NotFoundError`` where what it names is not
    there. ``len(graph)`` is the number of nodes.

    >>> graph = sample()
    >>> [one.attributes["label"] for one in graph.search("double backward", n=1)]
    ['Double backward']
    """

    def __init__(self, view: View, load: Callable[[], NetworkxGraph], name: str) -> None:
        self._view = view
        self._load = load
        self._name = name

    @property
    def view(self) -> View:
        """The graph as plain adjacency, for questions of your own; it costs no ``networkx``.

        >>> sample().view.node("topic:vmap")["label"]
        'vmap'
        """
        return self._view

    # Questions

    def cites(
        self,
        ref: str | int,
        *,
        repo: str = "",
        n: int = 0,
        podcast: str = "",
        group: str = "",
        since: str | date = "",
        until: str | date = "",
        reverse: bool = False,
    ) -> Cites:
        """Return which episodes cite a reference, newest first, each with the words that do.

        ``ref`` is whatever one would paste: a URL in any spelling, ``owner/repo#12``, ``#12`` (of ``repo``, by default
        that of PyTorch), a path, a symbol, a topic, a node's id. ``n`` (0: all) is how many; ``podcast`` (its title, a
        part of it, its id) keeps one podcast's, ``group`` those of a group of podcasts, ``since`` and
        ``until`` (a day, ``2024-03``, ``2024``) those of some days; ``reverse`` has the last first. Nothing found is
        an answer without citations.

        >>> [(one.attributes["title"], one.evidence[0]["method"]) for one in sample().cites("#130935").citations]
        [('Compiler collectives', 'href')]
        """
        return ask.cites(
            str(ref),
            self._view,
            repo,
            lambda: self._names,
            ask.Which(podcast, since, until, reverse, _count(n, 0), group),
        )

    def where(
        self,
        name: AnyPath,
        *,
        symbols: bool = False,
        podcast: str = "",
        group: str = "",
        since: str | date = "",
        until: str | date = "",
        reverse: bool = False,
    ) -> Where:
        """Return the code and docs that a name or a path leads to, and the episodes about it, the most telling first.

        A path leads as far as an episode is, by its symbols, topics, folder and subsystem; where none is, ``nearest``
        has those beside it. Of the names that a file defines the first are given, with ``symbols`` all. The others are
        as in ``cites``.

        >>> answer = sample().where("torch.vmap")
        >>> answer.places[0].path, answer.episodes[0].attributes["title"]
        ('torch/_functorch/apis.py', 'vmap')
        """
        which = ask.Which(podcast, since, until, reverse, group=group)
        return self._asked.where(os.fspath(name).replace(os.sep, "/"), symbols=symbols, which=which)

    def review(
        self,
        paths: str | Iterable[AnyPath | Change],
        *,
        podcast: str = "",
        group: str = "",
        since: str | date = "",
        until: str | date = "",
        reverse: bool = False,
    ) -> Review:
        """Return the episodes and posts that explain a whole change, the best first, each with the files it explains.

        ``paths`` are the files that are changed; or one text: a diff, or a path a line. The others are as in ``cites``.

        >>> [one.attributes["title"] for one in sample().review(["torch/_inductor/ir.py", "setup.py"]).episodes[:1]]
        ['Inductor IR']
        """
        given = paths if isinstance(paths, str) else list(map(_change, paths))
        return ask.review(given, self._view, self._names, ask.Which(podcast, since, until, reverse, group=group))

    def related(
        self,
        episode: str | int,
        n: int = 5,
        *,
        podcast: str = "",
        group: str = "",
        since: str | date = "",
        until: str | date = "",
        reverse: bool = False,
    ) -> Related:
        """Return the ``n`` (0: all) episodes most related to one, each with its reasons.

        ``episode`` is a title or an unambiguous part of one, a number, a page's address, an id; the
        others as in ``cites``. Raises ``NotFoundError`` where no episode is called so, ``QueryError`` where several
        are.

        >>> len(sample().related("vmap", n=3).relatives)
        3
        """
        return ask.related(str(episode), self._view, ask.Which(podcast, since, until, reverse, _count(n, 0), group))

    def order(
        self,
        name: str | int = "",
        *,
        topic: bool = False,
        episode: bool = False,
        podcast: str = "",
        group: str = "",
        since: str | date = "",
        until: str | date = "",
        reverse: bool = False,
        n: int = 0,
    ) -> Order:
        """Return a listening order, prerequisites first: of a topic, for an episode, or ("") of everything.

        ``topic`` or ``episode`` says what the name is of, where both have it; the others as in ``cites``. Raises
        ``NotFoundError`` where neither is called so.

        >>> sample().order("dispatcher").steps[0].reason
        'introduces Dispatcher'
        """
        return ask.order(
            str(name),
            self._view,
            topic=topic,
            episode=episode,
            which=ask.Which(podcast, since, until, reverse, _count(n, 0), group),
        )

    def path(self, a: str | int, b: str | int, k: int = 1) -> Paths:
        """Return up to ``k`` ways from one node to another, step by step, the most meaningful first.

        Both are named as in ``show``; ``ways`` is empty where nothing connects them.

        >>> [[step.relation for step in way] for way in sample().path("vmap", "functorch").ways]
        [['about']]
        """
        return ask.path(str(a), str(b), self._view, _count(k, 1))

    def search(
        self,
        text: str | int,
        n: int = 20,
        kind: str = "",
        *,
        podcast: str = "",
        group: str = "",
        since: str | date = "",
        until: str | date = "",
        reverse: bool = False,
    ) -> Hits:
        """Return the ``n`` nodes (0: all) that hold a text, the best first; ``kind`` as ``list`` takes it.

        ``podcast``, ``since`` and ``until`` keep episodes of one podcast, or of some days, and what they name.

        >>> sample().search("CUDA graph", kind="topics")[0].id
        'topic:cuda-graphs'
        """
        return ask.search(str(text), self._view, kind, ask.Which(podcast, since, until, reverse, _count(n, 0), group))

    def list(
        self,
        kind: str,
        *,
        year: int | None = None,
        since: str | date = "",
        until: str | date = "",
        repo: str = "",
        topic: str = "",
        status: str = "",
        state: str = "",
        podcast: str = "",
        group: str = "",
        sort: str = "",
        reverse: bool = False,
        n: int = 0,
        with_boilerplate: bool = False,
    ) -> Listing:
        """Return the nodes of a kind (``"episodes"``, ``"pulls"``, ``"artifacts"``, …), narrowed and sorted.

        ``year``, ``since`` and ``until`` (``"2024"``, ``"2024-03"``, a day), ``topic`` and ``podcast`` keep episodes
        and what they name; ``repo`` what lies in that repository and who names it; ``status`` is that of a link,
        ``state`` that of a pull request or issue (``"open"``, ``"merged"``, …); ``sort`` is ``date``, ``title``,
        ``number``, ``id`` or ``count``. ``n`` (0: all) is how many, the last first for ``reverse``. What nearly every
        episode of a show says counts only ``with_boilerplate``.

        >>> [row.attributes["title"] for row in sample().list("episodes", topic="vmap", sort="title").rows][:1]
        ['Batching']
        """
        which = ask.Which(podcast, since, until, reverse, _count(n, 0), group)
        return ask.list_nodes(
            kind,
            self._view,
            which=which,
            year=year,
            repo=repo,
            topic=topic,
            status=status,
            state=state,
            sort=sort,
            with_boilerplate=with_boilerplate,
        )

    def show(self, node: str | int, *, repo: str = "") -> Shown:
        """Return one node with its neighbours; ``node`` is an episode as ``related`` takes it, or as in ``cites``.

        Raises ``NotFoundError`` where nothing is called so.

        >>> sorted(sample().show("vmap").out)
        ['about', 'cites', 'mentions', 'part_of', 'related']
        """
        return ask.show(str(node), self._view, repo)

    def why(self, episode: str | int, text: str, *, repo: str = "", vocabulary: AnyPath | None = None) -> Why:
        """Return what each extractor sees in a passage of an episode, and why the rest counts for nothing.

        ``text`` stands in the title or the notes, or is read as if it stood behind them (then ``field`` of the answer
        is empty). ``repo`` and ``vocabulary`` are those of ``build``.

        >>> answer = sample().why("vmap", "at #100 or PR #99")
        >>> [(one.quote, one.id or one.reason) for one in answer.seen]
        [('#100', "'at' in front of it makes it a rank"), ('PR #99', 'github:pytorch/pytorch#99')]
        """
        from podgraph.extractors import EXTRACTORS, load_extractors  # noqa: PLC0415 - all of extraction is loaded

        from .pipeline import read_vocabulary  # noqa: PLC0415

        words = read_vocabulary(vocabulary) if vocabulary else None
        extractors = (*EXTRACTORS, *load_extractors())
        return ask.why(str(episode), text, self._view, repo=repo, vocabulary=words, extractors=extractors)

    def stats(self, *, n: int = 10, with_boilerplate: bool = False) -> Stats:
        """Return what the graph holds, in figures; what nearly every episode says counts only ``with_boilerplate``.

        >>> sample().stats().kinds["episode"]
        83
        """
        return ask.stats(self._view, with_boilerplate=with_boilerplate, most=_count(n, 0))

    def links(self) -> LinkHealth:
        """Return what became of what is cited: how many links are sound, and which have moved or gone.

        >>> sample().links().statuses["gone"] > 0
        True
        """
        return ask.link_health(self._view)

    def diff(self, other: Graph | AnyPath) -> Difference:
        """Return what ``other``, a newer graph or its file, added to this one, changed and removed.

        >>> bool(sample().diff(sample()))
        False
        """
        if isinstance(other, Graph):
            return ask.compare(self._view, other._view)  # noqa: SLF001 - its own class
        with open(other) as newer:
            return self.diff(newer)

    # The graph in other forms

    @cached_property
    def networkx(self) -> NetworkxGraph:
        """The graph as a ``networkx.MultiDiGraph``; the key of an edge is its relation.

        It is yours to change, but the questions do not see that: ``export`` and ``page`` do.

        >>> sample().networkx.has_edge("episode:pytorch-developer-podcast/vmap", "topic:vmap", "about")
        True
        """
        return self._load()

    def nodes_frame(self) -> pd.DataFrame:
        """Return the nodes as a data frame of pandas: a row each, ``id`` and a column for each attribute.

        It needs pandas, which podgraph does not bring: ``ImportError`` without it.

        >>> list(sample().nodes_frame().columns[:3])  # doctest: +SKIP
        ['id', 'kind', 'label']
        """
        return _frame({"id": id_, **_plain(node)} for id_, node in self._view.nodes())

    def edges_frame(self) -> pd.DataFrame:
        """Return the edges as a data frame of pandas: ``source``, ``target``, ``relation``, and their attributes.

        It needs pandas, as ``nodes_frame`` does.
        """
        return _frame(
            {"source": edge.source, "target": edge.target, "relation": edge.relation, **_plain(edge.attributes)}
            for id_, _ in self._view.nodes()
            for edge in self._view.edges_from(id_)
        )

    def export(
        self,
        path: AnyPath,
        format: str = "",  # noqa: A002 - the name of the option
        *,
        force: bool = False,
        **options: bool | str,
    ) -> tuple[Path, ...]:
        """Write the graph to a file (or a folder, where the format is one), and return what was written.

        The suffix of ``path`` chooses the format, else ``format``. ``options`` are the format's own: those of ``page``
        (HTML), ``dynamic`` (GEXF), ``clusters`` (DOT), ``evidence`` (Cypher). A file that podgraph did
        not write is replaced with ``force`` alone. Raises ``OutputError``; then nothing has changed.

        >>> sample().export("graph.jpeg")
        Traceback (most recent call last):
        podgraph.extractors.errors.OutputError: ...
        """
        from .formats import check_targets, formats, write_graph  # noqa: PLC0415 - loaded when used

        (item,) = check_targets([path], format, formats(), force=force)
        for name in options:
            if name not in item.options:
                known = f"it has {', '.join(item.options)}" if item.options else "it has none"
                raise OutputError(f"has no option {name!r}", source=item.name, remedy=known)
        return write_graph(self.networkx, path, item, force=force, **options)

    @overload
    def page(self, path: None = None, **options: Unpack[PageOptions]) -> Page: ...

    @overload
    def page(self, path: AnyPath, **options: Unpack[PageOptions]) -> Path: ...

    def page(self, path: AnyPath | None = None, **options: Unpack[PageOptions]) -> Page | Path:
        """Write the interactive page and return its path; without a path return it, and a notebook cell shows it.

        ``options`` are texts: ``title`` and ``description`` (else the podcast's), ``accent`` (``#rrggbb``), ``logo``
        (the path of a picture), ``site_url`` (where the page will stand). Raises ``OutputError`` for a bad one.

        >>> sample().page()
        <Page: a notebook shows it, page(FILE) writes it>
        """
        if path is not None:
            return self.export(path, "html", **options)[0]
        from .page.page import to_html  # noqa: PLC0415 - loaded when used

        return Page(to_html(self.networkx, **options))

    # What Python and notebooks ask of an object

    def close(self) -> None:
        """Close the file of a SQLite graph; one that is in memory stays as it is. A ``with`` block does the same.

        >>> with sample() as graph:
        ...     len(graph.list("episodes").rows)
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
        """Return (what a person calls it, how many) for each kind, in the order of lists."""
        counts, kinds = self._view.counts(), self._view.kinds
        return tuple(
            (kinds[kind].singular if counts[kind] == 1 else kinds[kind].plural, counts[kind])
            for kind in kinds.in_order(counts)
        )

    def _years(self) -> str:
        days = sorted(str(node["date"])[:10] for _, node in self._view.nodes("episode") if "date" in node)
        return f", {days[0]} to {days[-1]}" if days else ""

    def _first_questions(self) -> tuple[str, ...]:
        """Return lines of Python that this graph has an answer to."""

        def best(kind: str) -> str:
            ranked = max(self._view.nodes(kind), key=lambda item: item[1].get("rank", 0.0), default=None)
            return str(ranked[1].get("label", ranked[0])) if ranked else ""

        lines = ["g.page()", 'g.list("episodes").to_dict()']
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
        """The index of names, where the graph holds anything of the code that it is of."""
        return ask.names_of(self._view)


def _change(path: AnyPath | Change) -> str | Change:
    return path if isinstance(path, ask.Change) else os.fspath(path).replace(os.sep, "/")


def _count(n: int, least: int) -> int:
    if not isinstance(n, int) or n < least:
        raise QueryError(f"{n!r} is no number of answers", remedy=f"give a whole number from {least}")
    return n


def _plain(attributes: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in attributes.items() if name not in _ENDS}


def _frame(rows: Iterable[dict[str, object]]) -> pd.DataFrame:
    try:
        import pandas as pd  # noqa: PLC0415 - for those who have it
    except ImportError as error:
        raise PodgraphError("a data frame needs pandas", remedy="pip install pandas") from error
    # Whole numbers stay whole where some rows have none.
    return pd.DataFrame.from_records([*rows]).convert_dtypes()
