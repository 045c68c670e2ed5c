"""``podgraph build SOURCE …``: read feeds, write their graph."""

from __future__ import annotations

import argparse
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.extractors import Named, PodgraphError, choose_look_ups, rule_plugins

from ..config import NAME, load_config
from ..terminal import format_count, note, progress
from .corrections import read_corrections
from .targets import choose_targets, write_targets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from podgraph.graph import Graph, View

    from ..pipeline import Built
    from .targets import Target

_EPILOG = """examples:
  podgraph build                                   the live PyTorch Developer Podcast
  podgraph build sample                            the built-in snapshot, no network
  podgraph build feed.xml blog.atom -o both.html   one graph of a podcast and a blog
  podgraph build --checkout ~/src/pytorch          with titles, files and renames of a local clone
  podgraph build --transcripts ~/whisper           with the spoken words, and when
  podgraph build subscriptions.opml -o all.gexf -o all.json
  podgraph build subscriptions.opml -o shows/      each show by itself, into shows/NAME.sqlite

Title, description, accent, logo, site address, repository, vocabulary and corrections are settings of podgraph.toml."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
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
    parser.add_argument(
        "--force", action="store_true",
        help="replace the graph of another show, and files that podgraph did not write",
    )  # fmt: skip
    parser.add_argument(
        "--as", dest="as_kind", choices=("episodes", "posts"), default="",
        help="what the items are, whatever the feed looks like",
    )  # fmt: skip
    parser.add_argument(
        "--look-up", action="store_true",
        help="ask GitHub for titles, states, authors and files (with the token of GITHUB_TOKEN, GH_TOKEN or `gh`), and "
        "the cited pages for their titles; each once a month at most",
    )  # fmt: skip
    parser.add_argument(
        "--checkout", metavar="DIR", action="append", default=[],
        help="a local clone, or owner/name=DIR, several times: titles, authors, files changed, renames; no network",
    )  # fmt: skip
    parser.add_argument(
        "--transcripts", metavar="DIR", action="append", default=[],
        help="a folder of transcripts and chapters, several times (SRT, WebVTT, JSON, TSV, text; called after the "
        "episode's sound, title, number or guid), or `feed`: those that the feeds name",
    )  # fmt: skip
    parser.add_argument(
        "--jobs", type=int, default=0, metavar="N",
        help="so many processes share the feeds; the graph is the same (default: as many as processors, if it is much)",
    )  # fmt: skip
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="with -o shows/: the workers of this Dask cluster build them"
    )
    parser.add_argument("--publish-private", action="store_true", help="site: publish a private feed's texts, too")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:  # noqa: C901 - one step after the other
    """Build and write; return 2 when one of several sources failed, even though the others were built."""

    def notify(line: str) -> None:
        note(line, quiet=arguments.quiet)

    if not 0 <= arguments.jobs <= 256:  # processes of one machine: more is a slip, and takes all its memory
        raise PodgraphError(f"invalid number {arguments.jobs}", source="--jobs", remedy="use at most 256")
    config = load_config()
    settings: dict[str, Any] = dict(config.values)
    if config.paths and config.paths[-1] == NAME:
        notify(f"settings are from {NAME} here")
    rule_plugins(warn=notify)
    sources: list[str | Named] = arguments.source or list(settings.get("sources", ()))
    names = [one.text if isinstance(one, Named) else one for one in sources]
    transcripts = arguments.transcripts or (["feed"] if settings.get("fetch_transcripts") else [])
    options: dict[str, Any] = {
        "offline": arguments.offline, "as_kind": arguments.as_kind or str(settings.get("as", "")),
        "repo": str(settings.get("repository", "")), "private": settings.get("private"),
        "corrections": read_corrections(config.corrections) if config.corrections else None,
        "vocabulary": settings.get("vocabulary"), "index": Path(index) if (index := settings.get("index")) else None,
        "wanted": choose_look_ups(arguments.checkout, online=arguments.look_up, offline=arguments.offline),
        "transcripts": transcripts,
    }  # fmt: skip
    if [Path(path).name.endswith("shows") for path in arguments.output] == [True]:
        return _build_shows(sources, arguments, options)
    targets, errors = choose_targets(
        arguments.output, names, settings, defaults=(Path("podgraph.html"), Path("podgraph.sqlite")),
        force=arguments.force, publish_private=arguments.publish_private,
    )  # fmt: skip
    from .. import pipeline  # noqa: PLC0415 - nothing is loaded for an unwritable target

    paths = [path for path, _, _ in targets]
    with progress(wanted=not arguments.quiet) as show:
        built = pipeline.build(
            sources, previous=next((store.to_networkx() for _, store in _open_earlier(targets)), None),
            jobs=arguments.jobs, notify=notify, show=show, **options,
        )  # fmt: skip
    if not arguments.force:
        _check_show(targets, built.graph)
    _report_feeds(built, arguments)
    _report_graph(built, quiet=arguments.quiet)
    if private := ", ".join(one.title or one.source for one in built.feeds if one.private):
        reason = "titles and notes are in the graph, of its own addresses only the hosts"
        notify(f"{private}: is private; {reason}, so publish it only if the owner agrees")
    warnings = [f"{feed.source}: {warning}" for feed in built.feeds for warning in feed.warnings]
    for warning in warnings if arguments.verbose else warnings[:1]:
        more = "" if arguments.verbose or len(warnings) == 1 else f" (and {len(warnings) - 1} more: -v shows all)"
        notify(f"{warning}{more}")
    if private and not arguments.publish_private and any(item.name == "site" for _, item, _ in targets):
        remedy = "if its owner agrees, add --publish-private"
        raise PodgraphError("is private, and a site would publish its titles and notes", source=private, remedy=remedy)
    refused = write_targets(built.graph, targets, force=arguments.force, errors=errors, quiet=arguments.quiet)
    for feed in built.feeds:
        if feed.cut:
            note(f"{feed.source}: {feed.cut}; fetch it again, it may be cut off")
    for line in pipeline.describe_failures(built.failures):
        note(line)
    status = max(_report_failures(built), refused)
    _open_page(paths, arguments)
    return status


def _build_shows(sources: Sequence[str | Named], arguments: argparse.Namespace, options: dict[str, Any]) -> int:
    """Build each show by itself; return 2 when one failed, even though the others were built."""
    from ..large.shows import build_shows  # noqa: PLC0415 - few builds are of many shows
    from ..pipeline import describe_failures  # noqa: PLC0415

    failures: list[PodgraphError] = []
    counts: Counter[str] = Counter()
    for show in build_shows(
        sources,
        Path(arguments.output[0]),
        jobs=arguments.jobs,
        scheduler=arguments.scheduler,
        force=arguments.force,
        **options,
    ):
        for line in show.lines:
            note(line if show.source in line else f"{show.source}: {line}", quiet=arguments.quiet)
        counts["left out" if show.error else "built" if show.file else "unchanged"] += 1
        if show.file:
            note(f"wrote {show.file}", quiet=arguments.quiet)
        elif show.error:
            failures.append(show.error)
    for line in describe_failures(failures):
        note(line)
    text = ", ".join(f"{count} {word}" for word, count in counts.items())
    note(f"{format_count(counts.total(), 'show')}: {text}", quiet=arguments.quiet and not failures)
    return 2 if failures else 0


def _open_earlier(targets: Sequence[Target]) -> Iterator[tuple[Path, View]]:
    """Yield each graph that is to be replaced, with its path."""
    from ..opening import open_store  # noqa: PLC0415

    for path, item, _ in targets:
        with suppress(PodgraphError):  # of another version
            if path.is_file() and item.is_readable:
                with open_store(path) as store:
                    yield path, store


def _check_show(targets: Sequence[Target], graph: Graph) -> None:
    """Raise ``PodgraphError`` if the graph of other shows would be replaced."""
    for path, store in _open_earlier(targets):
        sources = store.about.get("sources", ())
        podcasts = {id_: node for id_, node in store.nodes("podcast") if store.edges_to(id_, "part_of")}
        if sources and podcasts and not any(id_ in graph for id_ in podcasts):
            title = next(node.get("title", id_) for id_, node in podcasts.items())
            remedy = "name another file with -o, or replace it with --force"
            raise PodgraphError(f"has the graph of {title}", source=str(path), remedy=remedy)


def _open_page(paths: Sequence[Path], arguments: argparse.Namespace) -> None:
    """Open the first page among some files in the browser, on request."""
    if not arguments.open:
        return
    import webbrowser  # noqa: PLC0415 - few builds open anything

    pages = [path for path in paths if path.suffix in (".html", ".htm")]
    for page in pages[:1]:
        webbrowser.open(page.resolve().as_uri())
    if not pages:
        note("there is no page to open: add -o FILE.html", quiet=arguments.quiet)


def _report_failures(built: Built) -> int:
    """Report how many of several sources failed. Return 2 if any did. A single source from its copy is complete."""
    read = len({feed.source for feed in built.feeds})  # the snapshot is two feeds
    count = read + len(built.failures)
    if count == 1 or not (built.failures or built.stale):
        return 0
    copies = f", {built.stale} from an earlier copy" if built.stale else ""
    left_out = f", {len(built.failures)} left out" if built.failures else ""
    note(f"{count} sources: {read - built.stale} read{copies}{left_out}")
    return 2


def _report_feeds(built: Built, arguments: argparse.Namespace) -> None:
    """Print the number of episodes or posts of each feed, and a hint for a feed without audio."""
    feeds_of_source = Counter(feed.source for feed in built.feeds)  # the snapshot's posts need no hint
    for feed in built.feeds:
        word = "episode" if feed.kind == "podcast" else "post"
        note(f"read {feed.title or feed.source}: {format_count(len(feed.episodes), word)}", quiet=arguments.quiet)
        if feed.kind != "podcast" and not arguments.as_kind and feeds_of_source[feed.source] == 1:
            hint = "taken for a blog; --as episodes makes its items episodes"
            note(f"{feed.source} has no audio: {hint}", quiet=arguments.quiet)


def _report_graph(built: Built, *, quiet: bool) -> None:
    """Print the numbers of nodes, edges and truncated links."""
    from podgraph.graph import kinds_of  # noqa: PLC0415

    counts: Counter[str] = Counter()
    truncated = 0
    for _, data in built.graph.nodes(data=True):
        counts[data["kind"]] += 1
        truncated += len(data.get("truncated_links", ()))
    kinds = kinds_of(built.graph.graph)
    names = [
        f"{counts[kind]} {kinds[kind].singular if counts[kind] == 1 else kinds[kind].plural}"
        for kind in kinds.in_order(counts)
    ]
    end = f"; {format_count(truncated, 'truncated link')} kept aside" if truncated else ""
    note(f"found {', '.join(names)}; {format_count(built.graph.number_of_edges(), 'edge')}{end}", quiet=quiet)
