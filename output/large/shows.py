"""Building each show of a list into a graph of its own, in several processes or on a Dask cluster.

A graph stores a digest of its feed and of the settings (``digest`` in its table ``about``). A show with the same digest
is left as it is, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, cast

from podgraph import __version__, extractors
from podgraph.extractors import Named, PodgraphError, SourceError
from podgraph.graph import Store

from ..files import write_atomically
from ..pipeline import build


class Show(NamedTuple):
    """The result for one show: ``file`` is its new graph, "" if the show was left as it is or failed.

    ``source`` is its feed, ``slug`` the name for its file. ``lines`` are messages for the user; ``error`` is the reason
    if it was not built.
    """

    source: str
    file: str = ""
    slug: str = ""
    lines: tuple[str, ...] = ()
    error: PodgraphError | None = None


def build_shows(
    sources: Iterable[str | Named],
    folder: Path,
    *,
    jobs: int = 0,
    scheduler: str = "",
    force: bool = False,
    **options: Any,
) -> Iterator[Show]:
    """Build each show into a file of its own in ``folder``, and yield the results in the order of ``sources``.

    ``jobs`` is the number of processes (0: one for each processor). ``scheduler`` is the address of a Dask cluster,
    whose workers build instead ("": none); they need the same folders. With ``force``, unchanged shows are built, too.
    ``options`` are those of ``pipeline.build``. A show that cannot be built does not stop the others.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names, groups = zip(*dict(_list_shows(sources)).items(), strict=True)
    digests = [_compute_digest(name.text) for name in names]
    graphs = dict(_find_graphs(folder))
    # "" is for a show to be built in any case.
    contents = ["" if force or digest not in graphs else graphs[digest].content for digest in digests]
    work = partial(_build_show, folder=folder.absolute(), options=options)
    with closing(_run_in_parallel(work, [names, groups, contents], jobs=jobs, scheduler=scheduler)) as shows:
        for show, digest in zip(shows, digests, strict=True):
            if not show.file:
                yield show
                continue
            file = graphs[digest].file if digest in graphs else _find_free(folder, show.slug)
            Path(show.file).replace(file)
            yield show._replace(file=str(file))


def _list_shows(sources: Iterable[str | Named]) -> Iterator[tuple[Named, str]]:
    """Yield (feed, group) for each feed that the sources name: the entries of lists, the files of folders.

    The group is the names of the outlines around a feed in an OPML list, joined by slashes; "" elsewhere.
    """
    for source in sources:
        name = source if isinstance(source, Named) else Named(source)
        path = Path(name.text)
        is_here = not extractors.is_web(name.text) and extractors.may_reach(name.origin, name.text)
        if is_here and path.is_dir():
            for file in sorted(path.glob("[!.]*")):
                if file.suffix.lower() in (".xml", ".rss", ".atom", ".json"):
                    yield name._replace(text=str(file)), ""
            continue
        data = extractors.read_file(path) if is_here and path.is_file() else b""
        if not data or extractors.document_type(data) not in ("list", "text"):
            yield name, ""
            continue
        beside = extractors.Origin.of_settings(str(path.parent))  # a list may name files below its folder
        for entry, group in extractors.read_entries(data):
            is_address = extractors.is_web(entry)
            yield Named(entry, name.origin) if is_address else Named(str(path.parent / entry), beside), group


class _SavedGraph(NamedTuple):
    """The file of a show's graph, and the digest of the feed and the settings that it was built from."""

    file: Path
    content: str


def _find_graphs(folder: Path) -> Iterator[tuple[str, _SavedGraph]]:
    """Yield (digest of the source's name, graph) for each saved graph in a folder.

    Damaged files are left out, so their shows are built again.
    """
    for file in sorted(folder.glob("*.sqlite")):
        with suppress(PodgraphError, TypeError, ValueError), Store.open(file) as store:
            source, content = cast("Iterable[str]", store.about.get("digest"))
            yield source, _SavedGraph(file, content)


def _find_free(folder: Path, slug: str) -> Path:
    """Return a path in ``folder`` for a show's graph that does not exist yet.

    It is ``slug`` with a suffix; a number is added if another show has the name.
    """
    names = (f"{slug}-{number}" if number > 1 else slug for number in count(1))
    return next(file for name in names if not (file := folder / f"{name}.sqlite").exists())


def _build_show(name: Named, group: str, content: str, *, folder: Path, options: Mapping[str, Any]) -> Show:
    """Build the graph of one show, and write it to a temporary file in ``folder``.

    ``name`` is the feed, ``group`` that of ``_list_shows``. If ``content`` is the digest of the feed and the settings,
    nothing is built.
    """
    gc.collect(0)  # automatic collection is off, so the youngest generation has all objects of the show before
    lines: list[str] = []
    try:
        sources = extractors.read_sources([name], offline=bool(options.get("offline")), notify=lines.append)
        if len(sources.read) != 1:
            remedy = "save the list in a file, and name that"
            raise next(iter(sources.failures), SourceError("is more than one feed", source=name.text, remedy=remedy))
        source = replace(sources.read[0], group=group)
        digest = _compute_digest(__version__, repr(options), group, source.url, source.data, *source.pages)
        if digest == content:
            return Show(name.text)
        result = build(extractors.Sources((source,), ()), notify=lines.append, **options)
        result.graph.graph["digest"] = [_compute_digest(name.text), digest]
        file = folder / f".podgraph-{_compute_digest(name.text)}.tmp"
        write_atomically(file, Store.from_networkx(result.graph).to_bytes())
        feed = result.feeds[0]
        lines += ["is private"] * feed.private
        slug = extractors.slugify(feed.id.partition(":")[2] or feed.title) or "show"
        return Show(name.text, str(file), slug, (*lines,))
    except PodgraphError as error:
        return Show(name.text, lines=(*lines,), error=extractors.without_frames(error))


def _compute_digest(*parts: str | bytes) -> str:
    """Return a digest (32 hexadecimal digits) of some texts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:32]


def _run_in_parallel(
    work: Callable[..., Show], columns: Sequence[Sequence[Any]], *, jobs: int, scheduler: str
) -> Generator[Show, None, None]:
    """Yield ``work(*row)`` for each row, in order, from ``jobs`` processes or from the workers of a Dask cluster.

    ``columns`` have the values of the rows: one list for each argument. ``scheduler`` is the cluster's address ("":
    none).
    """
    if not scheduler:
        yield from extractors.in_processes(work, columns, jobs=jobs or extractors.processors())
        return
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        remedy = "install it: pip install 'podgraph[dask]'"
        raise PodgraphError("needs the library distributed", source="--scheduler", remedy=remedy) from error
    try:
        client = distributed.Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        remedy = "start it with `dask scheduler`, and `dask worker` beside it"
        raise PodgraphError("no scheduler answers", source=scheduler, remedy=remedy) from error
    with client:
        for future, name in zip(client.map(work, *columns, pure=False), columns[0], strict=True):
            try:
                show: Show = future.result()
            except Exception as error:  # noqa: BLE001 - whatever ended the worker
                problem = f"a worker failed ({error})"
                show = Show(name.text, error=SourceError(problem, source=name.text, remedy="run it again"))
            yield show
