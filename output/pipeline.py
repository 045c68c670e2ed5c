"""The one line: fetch -> parse_feed -> extract -> build_graph, for the commands in need of a graph."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from podgraph import __version__
from podgraph.extractors import (
    EXTRACTORS,
    FeedError,
    PodgraphError,
    SourceError,
    budget_beside,
    copy_before,
    extract,
    fall_back,
    hints_of,
    in_processes,
    joined_vocabulary,
    load_extractors,
    load_sites,
    look_up,
    map_feed,
    memory_limit,
    parse_feed,
    parse_vocabulary,
    patient,
    plugins_installed,
    plugins_wanted,
    processors,
    read_sources,
    sample_feed,
    sample_graph,
    sample_posts,
    subject_index,
    with_index,
    with_snapshot,
    without_frames,
)
from podgraph.graph import View, add_places, bring_kinds, build_graph, check, enrich_graph, saved_places, wording_of

from .plugin_kinds import plugin_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from podgraph.extractors import (
        Facts,
        Feed,
        Heard,
        Hints,
        LookUps,
        Named,
        Share,
        Source,
        Sources,
        Subject,
        Transcript,
        Vocabulary,
    )
    from podgraph.graph import Corrections, Graph


_LARGEST_VOCABULARY = 16 << 20  # bytes
_LARGE = 4 << 20  # bytes of feeds for several processes to share
# Bytes of memory for each byte of the feeds, and for each of the largest, whose words are in memory at once: 28 of a
# hundred feeds and 50 of a single one were measured.
_MEMORY, _OF_LARGEST = 30, 40
_MOST_PROBLEMS = 5  # of a graph, reported one by one


class Made(NamedTuple):
    """Metadata of one source feed; ``episodes`` is their number.

    ``cut`` is a line of warning when the feed's end is missing; the graph has no address of a ``private`` feed.
    """

    source: str
    title: str
    kind: str
    episodes: int
    warnings: tuple[str, ...]
    cut: str = ""
    private: bool = False


class MappedFeed(NamedTuple):
    """A feed, its metadata, and its hints for other feeds."""

    feed: Feed
    made: Made
    hints: Hints


@dataclass(frozen=True, slots=True)
class Built:
    """A graph, its feeds, and the failed sources.

    ``stale`` are the names of the sources replaced by an earlier copy, or by the snapshot, with the reasons.
    """

    graph: Graph
    feeds: tuple[Made, ...]
    failures: tuple[PodgraphError, ...]
    stale: tuple[tuple[str, str], ...] = ()


_MOST_ALIKE = 5  # sources left out for one reason with a line each


def build(
    sources: Sequence[str | Named],
    *,
    offline: bool = False,
    as_kind: str = "",
    repo: str = "",
    private: bool | None = None,
    vocabulary: Vocabulary | None = None,
    index: Path | None = None,
    places: Mapping[str, Mapping[str, float]] | None = None,
    mapped: bool = True,
    corrections: Corrections | None = None,
    wanted: LookUps | None = None,
    heard: Heard | None = None,
    snapshot: bool = True,
    jobs: int = 1,
    notify: Callable[[str], None] = lambda _: None,
    show: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> Built:
    """Read ``sources``, and build one graph of them.

    ``as_kind`` (``episodes`` or ``posts``) overrules the kind of the feeds; ``repo`` is the repository of a bare
    ``#N``; ``private`` overrules whether the feeds are private. ``vocabulary`` has the topics to look for, ``index``
    the names (default: those of the subjects); ``places`` are the positions of an earlier graph. Without ``mapped``
    the graph has no positions; ``wanted`` are the look-ups, ``heard`` the
    transcripts; ``snapshot`` is as in ``graph_of``. ``jobs`` processes share the feeds (0: one for each processor, if
    the feeds are large); the graph is the same. ``notify`` receives messages of one line, ``show``
    the progress. Raises the first failure when no source could be read.
    """
    read = read_sources(
        sources, offline=offline, stdin=getattr(sys.stdin, "buffer", None), notify=notify,
        done=lambda fetched, known: show("reading", fetched, known),
    )  # fmt: skip
    load_sites()
    _check_memory(read.read)
    large = sum(len(source.data) for source in read.read) >= _LARGE
    share = shared_by(jobs or (processors() if large else 1))
    found = map_sources(read, as_kind=as_kind, index=index, private=private, share=share, notify=notify)
    show("building", 0, 0)
    graph = graph_of(
        [one.feed for one in found.feeds], repo=repo, vocabulary=vocabulary, index=index,
        places=places, mapped=mapped, corrections=corrections, wanted=wanted,
        heard=heard, snapshot=snapshot, hints=[one.hints for one in found.feeds], share=share, notify=notify,
    )  # fmt: skip
    return Built(graph, tuple(one.made for one in found.feeds), tuple(found.failures), tuple(found.stale))


class MappedSources(NamedTuple):
    """The feeds of some sources, the errors of the others, and the names of those replaced by a copy, with reasons."""

    feeds: list[MappedFeed]
    failures: list[PodgraphError]
    stale: list[tuple[str, str]]


def map_sources(
    read: Sources, *, as_kind: str, index: Path | None, private: bool | None, share: Share = in_processes,
    notify: Callable[[str], None] = lambda _: None,
) -> MappedSources:  # fmt: skip
    """Return the parsed feeds of sources, with their hints; the arguments are as in ``build``.

    Raises the first failure when no source is a feed.
    """
    subjects = with_index(index)
    result = MappedSources([], [*read.failures], [])
    rows = [] if share is in_processes else read.read
    with closing(share(_mapped, [rows], as_kind, subjects, private)) as mapped_feeds:
        for source in read.read:
            try:
                found, why = _feeds(source, as_kind, subjects, notify, next(mapped_feeds, None), private)
            except FeedError as error:
                result.failures.append(without_frames(error))
                continue
            if why:
                result.stale.append((source.source, why))
            result.feeds.extend(found)
    asked = {name: place for place, name in enumerate(read.names)}
    result.failures.sort(key=lambda failure: asked.get(failure.source, len(asked)))
    if not result.feeds:
        for line in left_out(result.failures[1:]):
            notify(line)
        raise result.failures[0]
    return result


def left_out(failures: Sequence[PodgraphError]) -> Iterator[str]:
    """Yield a line for each source left out; many equal failures share one line."""
    alike = Counter((failure.problem, failure.remedy) for failure in failures)
    told: set[tuple[str, str]] = set()
    for failure in failures:
        reason = failure.problem, failure.remedy
        if alike[reason] <= _MOST_ALIKE:
            yield f"left out: {failure}"
        elif reason not in told:
            told.add(reason)
            yield f"left out {alike[reason]} sources for one reason, the first: {failure}"


def graph_of(
    feeds: Sequence[Feed],
    *,
    repo: str = "",
    index: Path | None = None,
    vocabulary: Vocabulary | None = None,
    places: Mapping[str, Mapping[str, float]] | None = None,
    mapped: bool = True,
    corrections: Corrections | None = None,
    wanted: LookUps | None = None,
    heard: Heard | None = None,
    snapshot: bool = True,
    hints: Sequence[Hints] = (),
    facts: Facts | None = None,
    share: Share = in_processes,
    notify: Callable[[str], None] = lambda _: None,
) -> Graph:
    """Return the graph of some feeds, with related episodes, communities and positions.

    ``vocabulary`` has the topics to look for, ``index`` the names (default: those of the subjects). Without
    ``mapped`` the nodes get no positions: these take half of the time for a large graph. ``wanted`` are the look-ups in
    clones and on the network, ``heard`` the transcripts. ``snapshot``: episodes of the snapshot's show get its facts,
    unless a vocabulary is given. ``corrections`` are a person's. ``hints``, ``facts`` and ``share`` are as
    in ``extract``; a caller with hints or facts has loaded the rules of sites. ``notify`` receives a line for each
    result of a look-up, unknown kind, correction without effect, and problem of the graph.
    """
    with _no_collection():
        if not (hints or facts):
            load_sites()
        subjects = with_index(index)
        transcripts: dict[str, Transcript] = {}
        budget = budget_beside() if heard or wanted else None
        if heard:
            from podgraph.extractors import gather_transcripts  # noqa: PLC0415 - few builds read any

            transcripts = gather_transcripts(feeds, heard, budget=budget, notify=notify)
        extractions = extract(
            feeds, (*EXTRACTORS, *load_extractors()), repo=repo, vocabulary=vocabulary, subjects=subjects,
            transcripts=transcripts, words=heard.words if heard else 0, hints=hints, facts=facts, share=share,
        )  # fmt: skip
        extractions = with_snapshot(feeds if snapshot and vocabulary is None else (), extractions)
        indexes = map(subject_index, subjects)
        known, edges = look_up(extractions, *filter(None, indexes))
        if wanted:
            refs = {mention.ref.id: mention.ref for extraction in extractions for mention in extraction.mentions}
            from podgraph.extractors import look_up_metadata  # noqa: PLC0415 - few builds look anything up

            found = look_up_metadata(refs.values(), wanted, budget=budget, notify=notify)
            known, edges = [*known, *found.facts], [*edges, *found.edges]
        graph = build_graph(
            feeds, extractions, known, edges, generator=f"podgraph {__version__}",
        )  # fmt: skip
        asides = {one.episode.id: one.asides for one in extractions if one.asides}
        for line in bring_kinds(graph, plugin_kinds()):
            notify(line)
        for line in enrich_graph(
            graph,
            vocabulary or joined_vocabulary(subjects),
            corrections,
            asides=asides,
            wording=wording_of(extractions),
        ):
            notify(line)
        if mapped:
            placed, whole = add_places(graph, places or _shipped_places(graph)), len(graph)
            if placed < whole:
                notify(
                    f"the map has the weightiest {placed:,} of {whole:,} nodes; `page FILE --focus NODE` draws any part"
                )
    problems = list(check(graph))
    for problem in problems[:_MOST_PROBLEMS]:
        notify(f"check: {problem}")
    if len(problems) > _MOST_PROBLEMS:
        notify(f"check: {len(problems) - _MOST_PROBLEMS} more like these; the extractors that found them are at fault")
    return graph


def snapshot_graph() -> Graph:
    """Return the graph of the built-in snapshot."""
    return graph_of([parse_feed(sample_feed(), source="sample"), _posts("sample")])


def _shipped_places(graph: Graph) -> dict[str, dict[str, float]]:
    """Return the positions of the snapshot's graph in the package, if ``graph`` is the same graph; else an empty dict.

    The layout takes as long as the rest of the build. Positions depend on the ids and kinds of nodes, and on the
    edges and their weights.
    """
    if not any(source["source"] == "sample" for source in graph.graph.get("sources", ())):
        return {}
    shipped = View.open(sample_graph()).to_networkx()
    return saved_places(shipped) if _layout_input(shipped) == _layout_input(graph) else {}


def _layout_input(graph: Graph) -> tuple[object, object]:
    """Return everything in a graph that its layout depends on, for a comparison of two graphs."""
    nodes = {(node, data.get("kind")) for node, data in graph.nodes(data=True)}
    edges = {
        (*edge, data.get("weight"), bool(data.get("boilerplate"))) for *edge, data in graph.edges(keys=True, data=True)
    }
    return nodes, edges


def choose_transcripts(names: Sequence[str], *, offline: bool) -> Heard | None:
    """Return where transcripts come from: folders, and ``feed`` for those (and the chapters) that the feeds name."""
    from podgraph.extractors import Heard  # noqa: PLC0415 - few builds read any

    folders = tuple(Path(name) for name in names if name != "feed")
    is_fetched = "feed" in names
    return Heard(folders, is_fetched, offline, chapters=is_fetched) if names else None


def read_vocabulary(path: str | os.PathLike[str]) -> Vocabulary:
    """Return the vocabulary in a file. Raises ``SourceError`` for an unreadable or invalid file."""
    source = os.fspath(path)
    try:
        with open(path, "rb", opener=patient) as stream:
            data = stream.read(_LARGEST_VOCABULARY + 1)
        if len(data) > _LARGEST_VOCABULARY:
            raise SourceError("is larger than any vocabulary", source=source, remedy="give a TOML file of topics")
        return parse_vocabulary(data.decode("utf-8"), source=source)
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", source=source, remedy="check the path") from error
    except UnicodeDecodeError as error:
        raise SourceError("is no UTF-8 text", source=source) from error


def _posts(source: str) -> Feed:
    """Return the posts of the snapshot: the host's blog, where it is about PyTorch."""
    return parse_feed(sample_posts(), source=source, as_kind="posts")


def shared_by(jobs: int) -> Share:
    """Return the function for distributing work on feeds to ``jobs`` processes.

    Plug-ins run only in this process, because they may report warnings.
    """
    alone = jobs <= 1 or (plugins_wanted() and plugins_installed())
    return in_processes if alone else partial(in_processes, jobs=jobs)


def _mapped(source: Source, as_kind: str, subjects: Sequence[Subject], private: bool | None) -> MappedFeed | None:
    """Return the feed of a source, or ``None`` for other documents: the caller parses these and reports the error."""
    with suppress(FeedError):
        feed, hints = map_feed(source, as_kind, subjects, private)
        if feed.episodes:
            return _with_summary(replace(feed, group=source.group), hints)
    return None


def _with_summary(feed: Feed, hints: Hints) -> MappedFeed:
    """Return a feed with the numbers and warnings that a build prints about it."""
    summary = Made(feed.source, feed.title, feed.kind, len(feed.episodes), feed.warnings, feed.cut, feed.private)
    return MappedFeed(feed, summary, hints)


def _feeds(
    source: Source, as_kind: str, subjects: Sequence[Subject], notify: Callable[[str], None],
    mapped: MappedFeed | None = None, private: bool | None = None,
) -> tuple[list[MappedFeed], str]:  # fmt: skip
    """Parse a source. The last good copy, with a message, replaces a fetched document if this is no feed or is cut off.

    The snapshot has two feeds, every other source one. The second result is the reason for a replacement, if any.
    """
    try:
        if mapped is None:
            feed, hints = map_feed(source, as_kind, subjects, private)
            if not feed.episodes:  # sent by a failing server; a good graph must not become an empty one
                why = f" ({feed.empty_because})" if feed.empty_because else ""
                raise FeedError(f"has no items{why}", source=source.source, remedy="check that it is the right feed")
            mapped = _with_summary(replace(feed, group=source.group), hints)
        # A feed that is cut off is used only if it has no fewer episodes than the last good copy.
        if mapped.made.cut and (copies := _episodes_before(source)) > mapped.made.episodes:
            problem = f"{mapped.made.cut}, {mapped.made.episodes} of {copies} are left"
            raise FeedError(problem, source=source.source)
    except FeedError as error:
        stand_in = fall_back(source, error, notify=notify)
        if stand_in is None:
            raise
        return _feeds(replace(stand_in, group=source.group), as_kind, subjects, notify, private=private)
    if source.kind != "sample":
        return [mapped], source.stale
    posts = _posts(source.source)
    return [mapped, _with_summary(posts, hints_of(posts, subjects))], source.stale


def _episodes_before(source: Source) -> int:
    """Return the number of episodes in the copy kept before the fetched one."""
    with suppress(FeedError):
        return len(parse_feed(copy_before(source), source=source.source).episodes)
    return 0


def _check_memory(sources: Sequence[Source]) -> None:
    """Raise ``PodgraphError`` where a build would need more memory than there is."""
    sizes = [len(source.data) for source in sources]
    expected = _MEMORY * sum(sizes) + _OF_LARGEST * max(sizes, default=0)
    limit = memory_limit()
    if expected > limit:
        problem = f"would take about {expected >> 20:,} MB of memory, and this machine gives {limit >> 20:,}"
        remedy = "build fewer shows at a time, or give it more memory"
        raise PodgraphError(problem, source="build", remedy=remedy)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Hold the garbage collector off while millions of long-lived objects are made (1.8 times faster)."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
