"""``podgraph build SOURCE …``: read feeds, write their graph."""

from __future__ import annotations

import argparse
from bisect import bisect_right
from collections import Counter
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.extractors import Named, PodgraphError, choose_look_ups, rule_plugins

from ..config import NAME, load_config
from ..terminal import format_count, note, progress
from .targets import choose_targets, write_targets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from podgraph.graph import Graph

    from ..pipeline import Built
    from .targets import Target

_EPILOG = """examples:
  podgraph build                                   the live PyTorch Developer Podcast
  podgraph build sample                            the built-in snapshot, no network
  podgraph build feed.xml blog.atom -o both.html   one graph of a podcast and a blog
  podgraph build --checkout ~/src/pytorch          with titles, files and renames of a local clone
  podgraph build --transcripts ~/whisper           with the spoken words, and when
  podgraph build subscriptions.opml -o all.gexf -o all.json

Title, description, accent, logo, site address, repository, vocabulary and corrections are settings of podgraph.toml."""
_MOST_JOBS = 256  # processes of one machine: more is a slip, and takes all its memory
_DEFAULT_FILES = (Path("podgraph.html"), Path("podgraph.sqlite"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "source", metavar="SOURCE", nargs="*",
        help="a feed's URL, a file (RSS, Atom, JSON Feed; OPML, or an address or path a line), a folder, a web page "
        "that names its feed, - for standard input, or `sample`; none: the live PyTorch Developer Podcast",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="FILE", action="append", type=Path, default=[],
        help="where to write, several times, - for standard output; the suffix chooses the format "
        "(default: podgraph.html and podgraph.sqlite)",
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
    parser.add_argument("--publish-private", action="store_true", help="site: publish a private feed's texts, too")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:  # noqa: C901 - one step after the other
    """Build and write; return 2 when one of several sources failed, even though the others were built."""

    def notify(line: str) -> None:
        note(line, quiet=arguments.quiet)

    if not 0 <= arguments.jobs <= _MOST_JOBS:
        raise PodgraphError(f"invalid number {arguments.jobs}", source="--jobs", remedy=f"use at most {_MOST_JOBS}")
    config = load_config()
    settings: dict[str, Any] = dict(config.values)
    if config.paths and config.paths[-1] == NAME:
        notify(f"settings are from {NAME} here")
    rule_plugins(warn=notify)
    sources: list[str | Named] = arguments.source or list(settings.get("sources", ()))
    names = [one.text if isinstance(one, Named) else one for one in sources]
    wanted = choose_look_ups(arguments.checkout, online=arguments.look_up, offline=arguments.offline)
    targets, errors = choose_targets(
        arguments.output,
        names,
        settings,
        defaults=_DEFAULT_FILES,
        force=arguments.force,
        publish_private=arguments.publish_private,
    )
    from .. import pipeline  # noqa: PLC0415 - nothing is loaded for an unwritable target
    from ..corrections import read_corrections  # noqa: PLC0415

    paths = [path for path, _, _ in targets]
    transcripts = arguments.transcripts or (["feed"] if settings.get("fetch_transcripts") else [])
    with progress(wanted=not arguments.quiet) as show:
        built = pipeline.build(
            sources, offline=arguments.offline,
            as_kind=arguments.as_kind or str(settings.get("as", "")), repo=str(settings.get("repository", "")),
            private=settings.get("private"),
            corrections=read_corrections(config.corrections) if config.corrections else None,
            vocabulary=settings.get("vocabulary"),
            index=Path(index) if (index := settings.get("index")) else None,
            places=_find_places(targets),
            wanted=wanted, transcripts=transcripts,
            jobs=arguments.jobs, notify=notify, show=show,
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


def _check_show(targets: Sequence[Target], graph: Graph) -> None:
    """Raise ``PodgraphError`` if the graph of other shows would be replaced."""
    from ..opening import open_store  # noqa: PLC0415

    podcasts = {id_ for id_, node in graph.nodes(data=True) if node["kind"] == "podcast"}
    for path, item, _ in targets:
        if not (path.is_file() and item.is_readable):
            continue
        try:
            with open_store(path) as store:
                sources = store.about.get("sources", ())
                shows = {
                    id_: node.get("title", id_)
                    for id_, node in store.nodes("podcast")
                    if store.edges_to(id_, "part_of")
                }
        except PodgraphError:
            continue  # of another version
        if shows and not podcasts & shows.keys() and sources:
            remedy = "name another file with -o, or replace it with --force"
            raise PodgraphError(f"has the graph of {next(iter(shows.values()))}", source=str(path), remedy=remedy)


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


def _report_failures(built: Built) -> int:
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
    feeds_of_source = Counter(feed.source for feed in built.feeds)  # the snapshot's posts need no hint
    for feed in built.feeds:
        word = "episode" if feed.kind == "podcast" else "post"
        note(f"read {feed.title or feed.source}: {format_count(feed.episodes, word)}", quiet=arguments.quiet)
        if feed.kind != "podcast" and not arguments.as_kind and feeds_of_source[feed.source] == 1:
            hint = "taken for a blog; --as episodes makes its items episodes"
            note(f"{feed.source} has no audio: {hint}", quiet=arguments.quiet)


def _report_graph(built: Built, *, quiet: bool) -> None:
    """Print the numbers of nodes and edges, of truncated links, and of links whose text is another URL."""
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
    if double := _find_links_with_another_url(built.graph):
        problem = f"{format_count(len(double), 'link')} with another URL in the words than behind them, both cited"
        note(f"{problem}; the first in {double[0]}", quiet=quiet)


def _find_links_with_another_url(graph: Graph) -> list[str]:
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


def _find_places(targets: Sequence[Target]) -> dict[str, dict[str, float]] | None:
    """Return the positions in the graph to be replaced, for the map to keep its shape."""
    from podgraph.graph import saved_places  # noqa: PLC0415

    from ..opening import open_store  # noqa: PLC0415

    for path, item, _ in targets:
        if path.is_file() and item.is_readable:
            try:
                with open_store(path) as store:
                    return saved_places(store.to_networkx())
            except PodgraphError:
                continue
    return None
