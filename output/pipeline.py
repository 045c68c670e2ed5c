"""The pipeline that makes a graph: read sources, parse feeds, extract mentions, build the graph."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from podgraph import __version__, extractors
from podgraph import graph as graphs
from podgraph.extractors import FeedError, PodgraphError, in_processes, parse_feed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from podgraph.extractors import Feed, Hints, Named, Share, Source, Sources, Subject
    from podgraph.graph import Corrections, Graph

    ParseResult = tuple[Feed, Hints] | FeedError


class BuildResult(NamedTuple):
    """The built graph, its feeds, and the errors of the sources that could not be read.

    ``stale`` is the number of sources for which an earlier copy, or the snapshot, was taken.
    """

    graph: Graph
    feeds: tuple[Feed, ...]
    failures: tuple[PodgraphError, ...]
    stale: int


def build(
    sources: Sequence[str | Named] | Sources, *,
    offline: bool = False, as_kind: str = "", private: bool | None = None, index: Path | None = None,
    vocabulary: str | os.PathLike[str] | None = None, transcripts: Sequence[str | os.PathLike[str]] = (),
    jobs: int = 1, notify: Callable[[str], None] = lambda _: None,
    show: Callable[[str, int, int], None] = lambda _task, _done, _total: None, **options: Any,
) -> BuildResult:  # fmt: skip
    """Read ``sources`` and build one graph of them. Sources that were read before are taken as they are.

    - ``offline``: use cached copies only.
    - ``as_kind``: the kind of the feeds' items, ``episodes`` or ``posts``; "" detects it.
    - ``private``: whether the feeds are private; ``None`` detects it.
    - ``vocabulary``: a file of topics.
    - ``transcripts``: folders, or ``feed`` for the transcripts and chapters that the feeds name.
    - ``jobs``: the number of processes; 0: one for each processor, if the feeds are large. The graph is the same.
    - ``notify``: called with messages of one line.
    - ``show``: called with the progress: task, steps done, steps in total.
    - ``index`` and ``options``: those of ``graph_of``.

    Raises the first failure if no source could be read.
    """
    if not isinstance(sources, extractors.Sources):
        sources = extractors.read_sources(
            sources, offline=offline, stdin=getattr(sys.stdin, "buffer", None), notify=notify,
            done=lambda count, total: show("reading", count, total),
        )  # fmt: skip
    if vocabulary:
        text = extractors.decode(extractors.read_file(Path(vocabulary)))
        options["vocabulary"] = extractors.parse_vocabulary(text, source=os.fspath(vocabulary))
    if transcripts:
        folders = tuple(Path(name) for name in transcripts if name != "feed")
        options["transcripts"] = extractors.TranscriptSources(folders, "feed" in transcripts, offline)
    extractors.load_sites()
    size = sum(len(source.data) for source in sources.read)
    jobs = jobs or (extractors.processors() if size >= 4 << 20 else 1)  # for less than 4 MB, one process is faster
    # Plug-ins run in this process, because they may report warnings.
    share: Share = in_processes if extractors.plugins_installed() else partial(in_processes, jobs=jobs)
    subjects = extractors.replace_index(index)
    feeds: list[tuple[Feed, Hints]] = []
    failures = [*sources.failures]
    with closing(share(_parse_source, [sources.read], as_kind, subjects, private)) as results:
        for source, result in zip(sources.read, results, strict=True):
            if isinstance(result, FeedError):
                failures.append(result)
                continue
            feeds.append(result)
            if source.kind == "sample":  # the built-in snapshot has a blog, too
                posts = _parse_posts(source.source)
                feeds.append((posts, extractors.hints_of(posts, subjects)))
    if not feeds:
        for line in describe_failures(failures[1:]):
            notify(line)
        raise failures[0]
    show("building", 0, 0)
    all_feeds, hints = zip(*feeds, strict=True)
    graph = graph_of(all_feeds, index=index, hints=hints, share=share, notify=notify, **options)
    return BuildResult(graph, all_feeds, tuple(failures), sum(bool(source.stale) for source in sources.read))


def _parse_source(source: Source, as_kind: str, subjects: Sequence[Subject], private: bool | None) -> ParseResult:
    """Return (feed, hints) of a source, or the error for a feed that cannot be parsed.

    The hints are facts of the feed that the extraction needs. A feed without items is an error, so that an empty graph
    does not replace a good one. ``as_kind`` and ``private`` are those of ``build``; ``subjects`` are the known fields
    with names of their own.
    """
    try:
        feed, hints = extractors.map_feed(source, as_kind, subjects, private)
    except FeedError as error:
        extractors.without_frames(error)
        return error
    if not feed.episodes:
        reason = f" ({feed.empty_because})" if feed.empty_because else ""
        return FeedError(f"has no items{reason}", source=source.source, remedy="check that it is the right feed")
    return replace(feed, group=source.group), hints


def describe_failures(failures: Sequence[PodgraphError]) -> Iterator[str]:
    """Yield a line for each source that was left out (``failures``).

    More than five with the same reason share one line.
    """
    groups: dict[tuple[str, str], list[PodgraphError]] = {}
    for failure in failures:
        groups.setdefault((failure.problem, failure.remedy), []).append(failure)
    for group in groups.values():
        if len(group) > 5:
            yield f"left out {len(group)} sources for one reason, the first: {group[0]}"
        else:
            yield from (f"left out: {failure}" for failure in group)


def graph_of(
    feeds: Sequence[Feed], *,
    repo: str = "", index: Path | None = None, vocabulary: extractors.Vocabulary | None = None,
    previous: Graph | None = None, has_places: bool = True, corrections: Corrections | None = None,
    look_ups: extractors.LookUps | None = None, transcripts: extractors.TranscriptSources | None = None,
    hints: Sequence[Hints] = (), share: Share = in_processes, notify: Callable[[str], None] = lambda _: None,
) -> Graph:  # fmt: skip
    """Return the graph of parsed feeds, with related episodes, areas and positions.

    - ``repo``: the repository (owner/name) of a bare ``#N`` in the notes; "": that of the feed's subject.
    - ``index``: a file with the names of a project's code, in place of the built-in one; ``None``: only built-in ones.
    - ``vocabulary``: the topics to look for; ``None``: those of the subjects, and stored facts of the sample's show.
    - ``previous``: an earlier graph, whose areas and positions stay; ``None``: all are new.
    - ``has_places``: whether nodes get positions on the page.
    - ``corrections``: a person's corrections of topics, people and links.
    - ``look_ups``: where to find titles and states of cited artifacts: clones, GitHub, the pages; ``None``: nowhere.
    - ``transcripts``: where to find transcripts; ``None``: nowhere.
    - ``hints``: facts of each feed that the extraction needs, if they are known; () finds them.
    - ``share``: runs a function over many values, perhaps in several processes.
    - ``notify``: called with a line for each result of a look-up, unknown kind, correction without effect, and problem.
    """
    is_collecting = gc.isenabled()
    gc.disable()  # creating millions of long-lived objects is 1.8 times faster without garbage collection
    try:
        if not hints:  # a caller with hints has loaded the rules of sites
            extractors.load_sites()
        subjects = extractors.replace_index(index)
        budget = extractors.make_budget_of_extras() if transcripts or look_ups else None
        speech = extractors.gather_transcripts(feeds, transcripts, budget=budget, notify=notify) if transcripts else {}
        extractions = extractors.extract(
            feeds, (*extractors.EXTRACTORS, *extractors.load_extractors()), repo=repo, vocabulary=vocabulary,
            subjects=subjects, transcripts=speech, hints=hints, share=share,
        )  # fmt: skip
        extractions = extractors.add_snapshot_facts(() if vocabulary else feeds, extractions)
        facts, edges = extractors.look_up(extractions, *filter(None, map(extractors.subject_index, subjects)))
        if look_ups:
            refs = {mention.ref.id: mention.ref for extraction in extractions for mention in extraction.mentions}
            metadata = extractors.look_up_metadata(refs.values(), look_ups, budget=budget, notify=notify)
            facts, edges = [*facts, *metadata.facts], [*edges, *metadata.edges]
        graph = graphs.build_graph(feeds, extractions, facts, edges, generator=f"podgraph {__version__}")
        topics = vocabulary or extractors.joined_vocabulary(subjects)
        asides = {extraction.episode.id: extraction.asides for extraction in extractions if extraction.asides}
        lines = [*graphs.save_added_kinds(graph, find_plugin_kinds())]
        wording = graphs.collect_wording(extractions)
        lines += graphs.enrich_graph(graph, topics, corrections, asides=asides, wording=wording, previous=previous)
        if has_places:
            graphs.add_places(graph, graphs.saved_places(previous) if previous else {})
    finally:
        if is_collecting:
            gc.enable()
    problems = list(graphs.check(graph))
    lines += [f"check: {problem}" for problem in problems[:5]]
    if len(problems) > 5:
        lines.append(f"check: {len(problems) - 5} more like these; the extractors that found them are at fault")
    for line in lines:
        notify(line)
    return graph


def snapshot_graph() -> Graph:
    """Return the graph of the built-in snapshot."""
    return graph_of([parse_feed(extractors.sample_feed(), source="sample"), _parse_posts("sample")])


def _parse_posts(source: str) -> Feed:
    """Return the feed of the built-in snapshot's posts: those of the host's blog that are about PyTorch.

    ``source`` is the feed's name in messages and in the graph.
    """
    return parse_feed(extractors.sample_posts(), source=source, as_kind="posts")


def find_plugin_kinds() -> list[graphs.Kind]:
    """Return the kinds of nodes that installed packages add, by entry points of the group ``podgraph.kinds``.

    A value that is not a valid ``Kind``, or has the name of a built-in kind, is reported and left out.
    """

    def find_problem(value: object) -> str:
        """Return why a value is not a new kind of nodes, "" if it is one."""
        if not isinstance(value, graphs.Kind):
            return f"{value!r} is not a Kind"
        return f"the kind {value.name!r} is taken" if value.name in graphs.KINDS else value.find_problem()

    values = extractors.load_plugins("podgraph.kinds", find_problem)
    return [kind for _, kind in values if isinstance(kind, graphs.Kind)]
