"""``podgraph build SOURCE …``: read feeds, write their graph."""

from __future__ import annotations

import argparse
import sys
from bisect import bisect_right
from collections import Counter
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import DEFAULT_FEED, Named, PodgraphError, read_sources

from ..terminal import note, progress
from .shared.arguments import add_boilerplate_argument, number_from, repository
from .shared.format_options import add_format_arguments, chosen_targets, write_targets
from .shared.metadata import add_look_up_arguments, wanted_by
from .shared.narrowing import add_narrowing_arguments, narrowed
from .shared.plugin_options import add_plugin_arguments, obey_plugin_arguments
from .shared.private import check_public, warn_of_private
from .shared.transcripts import add_transcript_arguments, heard_by
from .shared.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from podgraph.extractors import Vocabulary
    from podgraph.graph import Corrections, Graph

    from ..pipeline import Built
    from .shared.format_options import Target

EXAMPLES = """examples:
  podgraph build                                   the live PyTorch Developer Podcast
  podgraph build sample                            the built-in snapshot, no network
  podgraph build feed.xml blog.atom -o both.html   one graph of a podcast and a blog
  podgraph build --checkout ~/src/pytorch          with titles, files and renames of a local clone
  podgraph build --transcripts ~/whisper           with what is said, and when
  podgraph build subscriptions.opml -o all.gexf -o all.json"""

_MOST_JOBS = 256  # processes of one machine: more is a slip, and takes all its memory
_USUAL = (Path("podgraph.html"), Path("podgraph.json"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "source", metavar="SOURCE", nargs="*",
        help="a feed's URL, a file (RSS, Atom, JSON Feed; OPML, or an address or path a line), a folder, a web page "
        "that names its feed, - for standard input, or `sample`; none: the live PyTorch Developer Podcast",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", type=Path,
        help="where to write, several times, - for standard output; the suffix chooses the format, .gz behind it packs "
        "a text (default: podgraph.html and podgraph.json)",
    )  # fmt: skip
    parser.add_argument("--offline", action="store_true", help="no network: cached copies and the built-in snapshot")
    parser.add_argument(
        "--as", dest="as_kind", choices=("episodes", "posts"), default="",
        help="what the items are, whatever the feed looks like",
    )  # fmt: skip
    parser.add_argument(
        "--repo", type=repository, default="", metavar="OWNER/NAME", help="the repository that a bare #N means"
    )
    parser.add_argument(
        "--index", type=Path, metavar="FILE",
        help="an index that tools/index made, or a .tsv file (default: the built-in one)",
    )  # fmt: skip
    parser.add_argument(
        "--vocabulary", type=Path, metavar="FILE",
        help="the topics to look for (TOML); with `extends = true` in it, beside PyTorch's",
    )  # fmt: skip
    add_look_up_arguments(parser)
    add_transcript_arguments(parser)
    parser.add_argument(
        "--no-snapshot", dest="snapshot", action="store_false",
        help="do not add the topics and references of the built-in snapshot to the PyTorch Developer Podcast",
    )  # fmt: skip
    parser.add_argument(
        "--fresh", action="store_true", help="build also where nothing changed since the files were written"
    )
    parser.add_argument(
        "--fresh-layout", action="store_true", help="do not start from the positions of the graph that is replaced"
    )
    add_boilerplate_argument(parser, "mark nothing as boilerplate: sponsors, handles and hosts count like all else")
    parser.add_argument(
        "-j", "--jobs", type=number_from(0, _MOST_JOBS), default=0, metavar="N",
        help=f"so many processes share the feeds, {_MOST_JOBS} at most; the graph is the same (default: 0, as many as "
        "processors, if it is much)",
    )  # fmt: skip
    parser.add_argument("--refuse-private", action="store_true", help="write nothing of a private feed")
    parser.add_argument("--strict", action="store_true", help="warnings are errors")
    parser.add_argument("--open", action="store_true", help="open the page when it is written")
    add_format_arguments(parser)
    add_narrowing_arguments(parser)
    add_plugin_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Build and write, if anything changed; 2 when one of several sources failed, even though the others were built."""
    obey_plugin_arguments(arguments)
    wanted = wanted_by(arguments)
    named = [one.text if isinstance(one, Named) else one for one in arguments.source]
    targets, errors = chosen_targets(arguments, arguments.output or [], named, usual=_usual(arguments))
    if not (named or arguments.output or arguments.force):
        _check_default_show(targets)
    corrections, vocabulary = _corrections(arguments), _vocabulary(arguments)

    from ..unchanged import stamp_of  # noqa: PLC0415 - nothing is loaded for an unwritable target

    def notify(line: str) -> None:
        note(line, quiet=arguments.quiet)

    paths = [path for path, _, _ in targets]
    with progress(wanted=not (arguments.no_progress or arguments.quiet)) as show:
        sources = read_sources(
            arguments.source, offline=arguments.offline, stdin=getattr(sys.stdin, "buffer", None), notify=notify,
            done=lambda fetched, known: show("reading", fetched, known),
        )  # fmt: skip
        stamp = None if errors else stamp_of(arguments, sources, targets)
        if stamp and not (arguments.fresh or arguments.fresh_layout) and stamp.is_in_place():
            notify(f"unchanged: {', '.join(map(str, paths))}; --fresh builds anyway")
            _open_page(paths, arguments)
            return 0

        from .. import pipeline  # noqa: PLC0415 - half of the time of a build without changes

        built = pipeline.build(
            sources, as_kind=arguments.as_kind, repo=arguments.repo,
            private=getattr(arguments, "private", None),
            with_boilerplate=arguments.with_boilerplate,
            corrections=corrections, vocabulary=vocabulary, index=arguments.index,
            places=None if arguments.fresh_layout else _places(targets),
            mapped=any(item.mapped for _, item, _ in targets),
            wanted=wanted, heard=heard_by(arguments), snapshot=arguments.snapshot, jobs=arguments.jobs,
            notify=notify, show=show,
        )  # fmt: skip
    warnings = [f"{feed.source}: {warning}" for feed in built.feeds for warning in feed.warnings]
    cut = [f"{feed.source}: {feed.cut}; fetch it again, it may be cut off" for feed in built.feeds if feed.cut]
    if arguments.refuse_private:
        check_public(built.graph)
    if arguments.strict:
        _check_strictly(built, [*cut, *warnings])
    _report_feeds(built, arguments)
    _report_graph(built, quiet=arguments.quiet)
    warn_of_private(built.graph, quiet=arguments.quiet)
    _tell_of_warnings(warnings, arguments)
    refused = write_targets(narrowed(built.graph, arguments), targets, arguments, errors=errors)
    for line in (*cut, *pipeline.left_out(built.failures)):
        note(line)
    status = max(_partial(built), refused)
    unsure = status or built.failures or built.stale or any(feed.private or feed.cut for feed in built.feeds)
    if stamp and not unsure:
        stamp.put()
    _open_page(paths, arguments)
    return status


def _check_default_show(targets: Sequence[Target]) -> None:
    """Raise ``PodgraphError`` if the default show would replace the graph of another one, as nobody named a source."""
    from ..formats import read_graph  # noqa: PLC0415 - not for a build with sources

    for path, item, _ in targets:
        if not (path.is_file() and item.read):
            continue
        try:
            sources = read_graph(path).graph.get("sources", ())
        except PodgraphError:
            continue  # of another version
        if sources and not any(one.get("source") in (DEFAULT_FEED, "sample") for one in sources):
            problem = f"has the graph of {sources[0].get('title') or sources[0].get('source')}"
            remedy = "name the source: podgraph build FEED, or `sources` in podgraph.toml (--force: replace it)"
            raise PodgraphError(problem, source=str(path), remedy=remedy)


def _corrections(arguments: argparse.Namespace) -> Corrections | None:
    if not (tables := getattr(arguments, "corrections", ())):
        return None
    from ..corrections import read_corrections  # noqa: PLC0415 - few shows have any

    return read_corrections(tables)


def _vocabulary(arguments: argparse.Namespace) -> Vocabulary | None:
    if arguments.vocabulary is None:
        return None
    from ..pipeline import read_vocabulary  # noqa: PLC0415 - few builds have one

    return read_vocabulary(arguments.vocabulary)


def _usual(arguments: argparse.Namespace) -> Sequence[Path]:
    """Return the files to write without ``-o``: those of the formats in the settings, else the page and JSON."""
    from ..formats import format_named  # noqa: PLC0415

    names = getattr(arguments, "usual_formats", ())
    return [Path(f"podgraph{format_named(name).suffixes[0]}") for name in names] or _USUAL


def _check_strictly(built: Built, warnings: Sequence[str]) -> None:
    """Raise ``PodgraphError`` when there is anything to complain of."""
    problems = [*map(str, built.failures), *(f"{name}: {why}" for name, why in built.stale), *warnings]
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise PodgraphError(f"{problems[0]}{more}", remedy="--strict makes warnings errors; nothing was written")


def _open_page(paths: Sequence[Path], arguments: argparse.Namespace) -> None:
    """Open the first page among some files in the browser, on request."""
    if not arguments.open:
        return
    page = next((path for path in paths if path.suffix in (".html", ".htm")), None)
    if page is None:
        note("there is no page to open: add -o FILE.html", quiet=arguments.quiet)
    else:
        import webbrowser  # noqa: PLC0415 - few builds open anything

        webbrowser.open(page.resolve().as_uri())


def _partial(built: Built) -> int:
    """Report how many of several sources failed. Return 2 if any did. A single source from its copy is complete."""
    read = len({feed.source for feed in built.feeds})  # the snapshot is two feeds
    count = read + len(built.failures)
    if count == 1 or not (built.failures or built.stale):
        return 0
    parts = [
        f"{read - len(built.stale)} read",
        f"{len(built.stale)} from an earlier copy" if built.stale else "",
        f"{len(built.failures)} left out" if built.failures else "",
    ]
    note(f"{count} sources: {', '.join(filter(None, parts))}")
    return 2


def _report_feeds(built: Built, arguments: argparse.Namespace) -> None:
    """Print the number of episodes or posts of each feed, and a hint for a feed without audio."""
    parts = Counter(feed.source for feed in built.feeds)  # the snapshot's posts need no hint
    for feed in built.feeds:
        what = "episode" if feed.kind == "podcast" else "post"
        note(f"read {feed.title or feed.source}: {counted(feed.episodes, what)}", quiet=arguments.quiet)
        if feed.kind != "podcast" and not arguments.as_kind and parts[feed.source] == 1:
            note(
                f"{feed.source} has no audio: taken for a blog; --as episodes makes its items episodes",
                quiet=arguments.quiet,
            )


def _report_graph(built: Built, *, quiet: bool) -> None:
    """Print the numbers of nodes and edges, of truncated links, and of links whose text is another URL."""
    kinds: Counter[str] = Counter()
    truncated = 0
    for _, data in built.graph.nodes(data=True):
        kinds[data["kind"]] += 1
        truncated += len(data.get("truncated_links", ()))
    from podgraph.graph import kinds_of  # noqa: PLC0415 - not for a build without changes

    table = kinds_of(built.graph.graph)
    counts = ", ".join(counted(kinds[kind], kind, kinds=table) for kind in table.in_order(kinds))
    cut = f"; {counted(truncated, 'cut link')} kept aside" if truncated else ""
    note(f"found {counts}; {counted(built.graph.number_of_edges(), 'edge')}{cut}", quiet=quiet)
    double = _with_another_url(built.graph)
    if double:
        said = f"{counted(len(double), 'link')} with another URL in the words than behind them, both cited"
        note(f"{said}; the first in {double[0]}", quiet=quiet)


def _with_another_url(graph: Graph) -> list[str]:
    """Return the episode of each link whose text is a URL other than the link's."""
    found = []
    for episode, edges in groupby(graph.edges(data=True), key=itemgetter(0)):
        methods: dict[str, list[tuple[int, int]]] = {"href": [], "url": []}
        for item in chain.from_iterable(data.get("evidence", ()) for _, _, data in edges):
            if item["field"] == "notes" and item["method"] in methods:
                methods[item["method"]].append((item["start"], item["end"]))
        links = sorted(methods["href"])
        for start, end in methods["url"]:
            at = bisect_right(links, (start, end))
            if any(first <= start and end <= last for first, last in links[max(0, at - 1) : at + 1]):
                found.append(episode)
    return found


def _tell_of_warnings(warnings: list[str], arguments: argparse.Namespace) -> None:
    told = warnings if arguments.verbose else warnings[:1]
    more = f" (and {len(warnings) - 1} more: -v shows all)" if len(warnings) > len(told) else ""
    for warning in told:
        note(f"{warning}{more}", quiet=arguments.quiet)


def _places(targets: Sequence[Target]) -> dict[str, dict[str, float]] | None:
    """Return the positions in the graph to be replaced, for the map to keep its shape."""
    from podgraph.graph import saved_places  # noqa: PLC0415 - not for a build without changes

    from ..formats import read_graph  # noqa: PLC0415

    for path, item, _ in targets:
        if path.is_file() and item.read:
            try:
                return saved_places(read_graph(path))
            except PodgraphError:
                continue
    return None
