"""Read feeds and write their graph.

examples:
  podgraph build                                   the live PyTorch Developer Podcast
  podgraph build sample                            the built-in snapshot, no network
  podgraph build feed.xml blog.atom -o both.html   one graph of a podcast and a blog
  podgraph build --checkout ~/src/pytorch          with titles, files and renames of a local clone
  podgraph build --transcripts ~/whisper           with the spoken words, and when
  podgraph build subscriptions.opml -o all.gexf -o all.json
  podgraph build subscriptions.opml -o shows/      each show by itself, into shows/NAME.sqlite

Title, description, accent, logo, site address, repository, vocabulary and corrections are settings of podgraph.toml.
"""

from __future__ import annotations

import argparse
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.extractors import Named, PodgraphError, choose_look_ups, set_reporter

from ..config import NAME, load_config
from ..terminal import format_count, note, progress, warn
from .corrections import read_corrections
from .targets import choose_targets, write_targets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from podgraph.graph import Graph, View

    from ..config import Config
    from ..pipeline import BuildResult
    from .targets import Target


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``podgraph build`` to its parser."""
    parser.add_argument(
        "source", metavar="SOURCE", nargs="*",
        help="a feed's URL, a file (RSS, Atom, JSON Feed; OPML, or an address or path a line), a folder, a web page "
        "that names its feed, - for standard input, or `sample`; none: the live PyTorch Developer Podcast",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", default=[],
        help="where to write, several times, - for standard output; the suffix chooses the format "
        "(default: podgraph.html and podgraph.sqlite); a folder called shows/: each show by itself",
    )  # fmt: skip
    parser.add_argument("--offline", action="store_true", help="no network: cached copies and the built-in snapshot")
    parser.add_argument("--open", action="store_true", help="open the page when it is written")
    text = "replace the graph of another show, and files that podgraph did not write"
    parser.add_argument("--force", action="store_true", help=text)
    text = "what the items are, whatever the feed looks like"
    parser.add_argument("--as", dest="as_kind", choices=("episodes", "posts"), default="", help=text)
    parser.add_argument(
        "--look-up", action="store_true",
        help="ask GitHub for titles, states, authors and files (with the token of GITHUB_TOKEN, GH_TOKEN or `gh`), and "
        "the cited pages for their titles; each once a month at most",
    )  # fmt: skip
    text = "a local clone, or owner/name=DIR, several times: titles, authors, files changed, renames; no network"
    parser.add_argument("--checkout", metavar="DIR", action="append", default=[], help=text)
    parser.add_argument(
        "--transcripts", metavar="DIR", action="append", default=[],
        help="a folder of transcripts and chapters, several times (SRT, WebVTT, JSON, TSV, text; called after the "
        "episode's sound, title, number or guid), or `feed`: those that the feeds name",
    )  # fmt: skip
    text = "so many processes share the feeds; the graph is the same (default: as many as processors, if it is much)"
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help=text)
    text = "with -o shows/: the workers of this Dask cluster build them"
    parser.add_argument("--scheduler", default="", metavar="ADDRESS", help=text)
    parser.add_argument("--publish-private", action="store_true", help="site: publish a private feed's texts, too")


def run(arguments: argparse.Namespace) -> int:
    """Read the sources, build their graph and write it to files. Return the exit status.

    The status is 2 if one of several sources or files failed, even though the others were built and written.
    """
    if not 0 <= arguments.jobs <= 256:  # processes: more is a typing error, and would take all memory
        raise PodgraphError(f"invalid number {arguments.jobs}", source="--jobs", remedy="use at most 256")
    config = load_config()
    settings: dict[str, Any] = {**config.values, "publish_private": arguments.publish_private}
    if NAME in config.files.values():
        note(f"settings are from {NAME} here")
    set_reporter(warn=note)
    sources: list[str | Named] = arguments.source or list(settings.get("sources", ()))
    names = [source.text if isinstance(source, Named) else source for source in sources]
    options = _choose_options(arguments, config)
    if [Path(path).name.endswith("shows") for path in arguments.output] == [True]:  # a single output, called "shows"
        return _build_shows(sources, arguments, options)
    defaults = (Path("podgraph.html"), Path("podgraph.sqlite"))
    targets, errors = choose_targets(arguments.output, names, settings, defaults=defaults, force=arguments.force)
    from .. import pipeline  # noqa: PLC0415 - nothing is loaded for an unwritable target

    with progress() as show:
        result = pipeline.build(
            sources, previous=next((store.to_networkx() for _, store in _open_earlier(targets)), None),
            jobs=arguments.jobs, notify=note, show=show, **options,
        )  # fmt: skip
    if not arguments.force:
        _check_show(targets, result.graph)
    _report_feeds(result, arguments)
    _report_graph(result.graph)
    private = ", ".join(feed.title or feed.source for feed in result.feeds if feed.private)
    _report_warnings(result, private, is_verbose=arguments.verbose)
    if private and not arguments.publish_private and any(target.format_.name == "site" for target in targets):
        remedy = "if its owner agrees, add --publish-private"
        raise PodgraphError("is private, and a site would publish its titles and notes", source=private, remedy=remedy)
    status = write_targets(result.graph, targets, force=arguments.force, errors=errors)
    for feed in result.feeds:
        if feed.cut:
            warn(f"{feed.source}: {feed.cut}; fetch it again, it may be cut off")
    for line in pipeline.describe_failures(result.failures):
        warn(line)
    if arguments.open:
        _open_page(targets)
    return max(_report_failures(result), status)


def _choose_options(arguments: argparse.Namespace, config: Config) -> dict[str, Any]:
    """Return the options of ``pipeline.build`` by the ``arguments`` of the command and by the settings (``config``)."""
    settings = config.values
    return {
        "offline": arguments.offline, "as_kind": arguments.as_kind or str(settings.get("as", "")),
        "repo": str(settings.get("repository", "")), "private": settings.get("private"),
        "corrections": read_corrections(config.corrections) if config.corrections else None,
        "vocabulary": settings.get("vocabulary"), "index": Path(index) if (index := settings.get("index")) else None,
        "look_ups": choose_look_ups(arguments.checkout, online=arguments.look_up, offline=arguments.offline),
        "transcripts": arguments.transcripts or (["feed"] if settings.get("fetch_transcripts") else []),
    }  # fmt: skip


def _build_shows(sources: Sequence[str | Named], arguments: argparse.Namespace, options: dict[str, Any]) -> int:
    """Build the graph of each show in ``sources``, and write it to a file of its own. Return the exit status.

    The status is 2 if a show failed, even though the others were built. ``options`` are those of ``pipeline.build``.
    """
    from ..large.shows import build_shows  # noqa: PLC0415 - few builds are of many shows
    from ..pipeline import describe_failures  # noqa: PLC0415

    failures: list[PodgraphError] = []
    counts: Counter[str] = Counter()
    options |= {"jobs": arguments.jobs, "scheduler": arguments.scheduler, "force": arguments.force}
    for show in build_shows(sources, Path(arguments.output[0]), **options):
        for line in show.lines:
            note(line if show.source in line else f"{show.source}: {line}")
        counts["left out" if show.error else "built" if show.file else "unchanged"] += 1
        if show.file:
            note(f"wrote {show.file}")
        elif show.error:
            failures.append(show.error)
    for line in describe_failures(failures):
        warn(line)
    text = ", ".join(f"{count} {word}" for word, count in counts.items())
    # A warning is printed even if the command is quiet.
    (warn if failures else note)(f"{format_count(counts.total(), 'show')}: {text}")
    return 2 if failures else 0


def _open_earlier(targets: Sequence[Target]) -> Iterator[tuple[Path, View]]:
    """Yield (path, graph) for each existing graph that one of ``targets``, the files to write, would replace.

    A graph is closed before the next one is opened.
    """
    from ..opening import open_store  # noqa: PLC0415

    for target in targets:
        with suppress(PodgraphError):  # a graph of another version is replaced
            if target.path.is_file() and target.format_.is_readable:
                with open_store(target.path) as store:
                    yield target.path, store


def _check_show(targets: Sequence[Target], graph: Graph) -> None:
    """Raise ``PodgraphError`` if a file to write (``targets``) has a graph of other shows than ``graph`` has.

    A graph without a podcast may be replaced by any.
    """
    for path, store in _open_earlier(targets):
        sources = store.about.get("sources", ())
        podcasts = {id_: node for id_, node in store.nodes("podcast") if store.edges_to(id_, "part_of")}
        if sources and podcasts and not any(id_ in graph for id_ in podcasts):
            title = next(node.get("title", id_) for id_, node in podcasts.items())
            remedy = "name another file with -o, or replace it with --force"
            raise PodgraphError(f"has the graph of {title}", source=str(path), remedy=remedy)


def _open_page(targets: Sequence[Target]) -> None:
    """Open the first page among the written files (``targets``) in the browser; print a note if there is none."""
    import webbrowser  # noqa: PLC0415 - few builds open anything

    for target in targets:
        if target.format_.name == "html":
            webbrowser.open(target.path.resolve().as_uri())
            return
    note("there is no page to open: add -o FILE.html")


def _report_failures(result: BuildResult) -> int:
    """Print how many of several sources failed or came from an earlier copy, by the result of a build.

    Return 2 if any did, else 0. A single source that came from its copy gives 0.
    """
    read_count = len({feed.source for feed in result.feeds})  # the snapshot is two feeds
    count = read_count + len(result.failures)
    if count == 1 or not (result.failures or result.stale):
        return 0
    copies = f", {result.stale} from an earlier copy" if result.stale else ""
    left_out = f", {len(result.failures)} left out" if result.failures else ""
    warn(f"{count} sources: {read_count - result.stale} read{copies}{left_out}")
    return 2


def _report_feeds(result: BuildResult, arguments: argparse.Namespace) -> None:
    """Print the number of episodes or posts of each feed of a build, and a hint for a feed taken for a blog.

    ``result`` is that of the build, ``arguments`` are those of the command.
    """
    feeds_of_source = Counter(feed.source for feed in result.feeds)  # the snapshot's posts need no hint
    for feed in result.feeds:
        word = "episode" if feed.kind == "podcast" else "post"
        note(f"read {feed.title or feed.source}: {format_count(len(feed.episodes), word)}")
        if feed.kind != "podcast" and not arguments.as_kind and feeds_of_source[feed.source] == 1:
            note(f"{feed.source} has no audio: taken for a blog; --as episodes makes its items episodes")


def _report_warnings(result: BuildResult, private: str, *, is_verbose: bool) -> None:
    """Print a note about private feeds (``private``: their titles, "" without any), and the warnings of all feeds.

    Of several warnings only the first is printed, unless ``is_verbose``.
    """
    if private:
        reason = "titles and notes are in the graph, of its own addresses only the hosts"
        note(f"{private}: is private; {reason}, so publish it only if the owner agrees")
    warnings = [f"{feed.source}: {warning}" for feed in result.feeds for warning in feed.warnings]
    for warning in warnings if is_verbose else warnings[:1]:
        more = "" if is_verbose or len(warnings) == 1 else f" (and {len(warnings) - 1} more: -v shows all)"
        note(f"{warning}{more}")


def _report_graph(graph: Graph) -> None:
    """Print the numbers of a graph's nodes of each kind, of its edges and of its truncated links."""
    from podgraph.graph import kinds_of  # noqa: PLC0415

    counts = Counter(str(kind) for _, kind in graph.nodes(data="kind"))
    link_count = sum(len(links) for _, links in graph.nodes(data="truncated_links", default=()))
    kinds = kinds_of(graph.graph)
    names = {kind: kinds[kind].singular if counts[kind] == 1 else kinds[kind].plural for kind in counts}
    text = ", ".join(f"{counts[kind]} {names[kind]}" for kind in kinds.in_order(counts))
    end = f"; {format_count(link_count, 'truncated link')} kept aside" if link_count else ""
    note(f"found {text}; {format_count(graph.number_of_edges(), 'edge')}{end}")
