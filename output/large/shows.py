"""Build each show of a list by itself, into a graph of its own, in several processes or on a cluster of Dask's.

A graph keeps a digest of its feed and of the settings (``digest`` in its table ``about``). A show with the same digest
is left as it is, so an interrupted run goes on where it was.
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
    """What became of a show: ``file`` is its new graph, ``slug`` its name; "" for a show that was left as it is.

    ``lines`` are for the user; ``error`` is the reason why it was not built.
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
    """Build each show by itself into ``folder``, and yield the results in the order of the list.

    ``jobs`` processes work side by side (0: one for each processor), or the workers of the Dask cluster at the address
    ``scheduler``, which need the same folders. With ``force`` unchanged shows are built, too. ``options`` are those of
    ``pipeline.build``. A show that cannot be built does not stop the others.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names, groups = zip(*dict(_list_shows(sources)).items(), strict=True)
    digests = [_hash(name.text) for name in names]
    files = dict(_read_digests(folder))
    contents = ["" if force else files.get(digest, ("", ""))[1] for digest in digests]
    work = partial(_build_show, folder=folder.absolute(), options=options)
    with closing(_run(work, [names, groups, contents], jobs=jobs, scheduler=scheduler)) as shows:
        for show, digest in zip(shows, digests, strict=True):
            if not show.file:
                yield show
                continue
            file = files[digest][0] if digest in files else _find_free(folder, show.slug)
            Path(show.file).replace(file)
            yield show._replace(file=str(file))


def _list_shows(sources: Iterable[str | Named]) -> Iterator[tuple[Named, str]]:
    """Yield each feed that the sources name, with its group: the entries of lists, the files of folders."""
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


def _read_digests(folder: Path) -> Iterator[tuple[str, tuple[Path, str]]]:
    """Yield the digests of sources with the graphs in a folder, and the digest of each graph's content.

    A damaged file is not among them: its show is built anew.
    """
    for file in sorted(folder.glob("*.sqlite")):
        with suppress(PodgraphError, TypeError, ValueError), Store.open(file) as store:
            source, content = cast("Iterable[str]", store.about.get("digest"))
            yield source, (file, content)


def _find_free(folder: Path, slug: str) -> Path:
    """Return the path of a show's graph in ``folder``; a number follows where another show has the name."""
    names = (f"{slug}-{number}" if number > 1 else slug for number in count(1))
    return next(file for name in names if not (file := folder / f"{name}.sqlite").exists())


def _build_show(name: Named, group: str, content: str, *, folder: Path, options: Mapping[str, Any]) -> Show:
    """Build a show into a temporary file in ``folder``, unless ``content`` is the digest of its feed and settings."""
    gc.collect(0)  # the command collects nothing, so this generation has all objects of the show before
    lines: list[str] = []
    try:
        sources = extractors.read_sources([name], offline=bool(options.get("offline")), notify=lines.append)
        if len(sources.read) != 1:
            remedy = "save the list in a file, and name that"
            raise next(iter(sources.failures), SourceError("is more than one feed", source=name.text, remedy=remedy))
        source = replace(sources.read[0], group=group)
        digest = _hash(__version__, repr(options), group, source.url, source.data, *source.pages)
        if digest == content:
            return Show(name.text)
        result = build(extractors.Sources((source,), ()), notify=lines.append, **options)
        result.graph.graph["digest"] = [_hash(name.text), digest]
        file = folder / f".podgraph-{_hash(name.text)}.tmp"
        write_atomically(file, Store.from_networkx(result.graph).to_bytes())
        feed = result.feeds[0]
        lines += ["is private"] * feed.private
        slug = extractors.slugify(feed.id.partition(":")[2] or feed.title) or "show"
        return Show(name.text, str(file), slug, (*lines,))
    except PodgraphError as error:
        return Show(name.text, lines=(*lines,), error=extractors.without_frames(error))


def _hash(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:32]


def _run(
    work: Callable[..., Show], columns: Sequence[Sequence[Any]], *, jobs: int, scheduler: str
) -> Generator[Show, None, None]:
    """Yield the result of ``work`` for each row of ``columns``, from processes, or from the workers of a cluster."""
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
