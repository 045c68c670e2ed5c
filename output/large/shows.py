"""Build each show of a list by itself, into a graph of its own, in several processes or on a cluster of Dask's.

A graph keeps a digest of its feed and of the settings (``digest`` in its table ``about``). A show with the same digest
is left as it is, so an interrupted run goes on where it was.
"""

from __future__ import annotations

import gc
import hashlib
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from podgraph import __version__, extractors
from podgraph.extractors import Named, PodgraphError, SourceError
from podgraph.graph import Store

from ..files import write_atomically
from ..pipeline import build_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_FEEDS = (".xml", ".rss", ".atom", ".json")


class Digest(NamedTuple):
    """What a graph was built from: digests of the name of its source, and of its feed and settings."""

    source: str = ""
    content: str = ""


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
    there = {digest.source: (file, digest.content) for file, digest in _read_digests(folder)}
    of_names = [Digest(_hash(name.text)) for name in names]
    contents = ["" if force else there.get(one.source, ("", ""))[1] for one in of_names]
    columns = [names, groups, contents]
    with _run(_build_show, columns, folder.absolute(), options, jobs=jobs, scheduler=scheduler) as shows:
        for show, digest in zip(shows, of_names, strict=True):
            if not show.file:
                yield show
                continue
            file = there[digest.source][0] if digest.source in there else _find_free(folder, show.slug)
            Path(show.file).replace(file)
            yield show._replace(file=str(file))


def _list_shows(sources: Iterable[str | Named]) -> Iterator[tuple[Named, str]]:
    """Yield each feed that the sources name, with its group: the entries of lists, the files of folders."""
    for source in sources:
        name = source if isinstance(source, Named) else Named(source)
        path = Path(name.text)
        is_here = not extractors.is_web(name.text) and extractors.may_reach(name.origin, name.text)
        if is_here and path.is_dir():
            files = (file for file in sorted(path.glob("[!.]*")) if file.suffix.lower() in _FEEDS)
            yield from ((name._replace(text=str(file)), "") for file in files)
        elif (
            is_here
            and path.is_file()
            and extractors.document_type(data := extractors.read_file(path)) in ("list", "text")
        ):
            beside = extractors.Origin.of_settings(str(path.parent))  # a list may name files below its folder
            for entry, group in extractors.read_entries(data):
                is_address = extractors.is_web(entry)
                yield Named(entry, name.origin) if is_address else Named(str(path.parent / entry), beside), group
        else:
            yield name, ""


def _read_digests(folder: Path) -> Iterator[tuple[Path, Digest]]:
    """Yield the graphs in a folder with their digests. A damaged file is none: its show is built anew."""
    for file in sorted(folder.glob("*.sqlite")):
        with suppress(PodgraphError, TypeError, ValueError), Store.open(file) as store:
            source, content = cast("Iterable[str]", store.about.get("digest"))
            yield file, Digest(source, content)


def _find_free(folder: Path, slug: str) -> Path:
    """Return the path of a show's graph in ``folder``; a number follows where another show has the name."""
    number, file = 1, folder / f"{slug}.sqlite"
    while file.exists():
        number += 1
        file = folder / f"{slug}-{number}.sqlite"
    return file


def _build_show(name: Named, group: str, content: str, folder: Path, options: Mapping[str, Any]) -> Show:
    """Build a show into a temporary file in ``folder``, unless ``content`` is the digest of its feed and settings."""
    lines: list[str] = []
    offline = bool(options.get("offline"))
    try:
        read = extractors.read_sources([name], offline=offline, notify=lines.append)
        if len(read.read) != 1:
            remedy = "save the list in a file, and name that"
            raise next(iter(read.failures), SourceError("is more than one feed", source=name.text, remedy=remedy))
        source = replace(read.read[0], group=group)
        settings = (__version__, repr(options), group)
        digest = Digest(_hash(name.text), _hash(*settings, source.url, source.data, *source.pages))
        if digest.content == content:
            return Show(name.text)
        built = build_read(extractors.Sources((source,), ()), notify=lines.append, **options)
        built.graph.graph["digest"] = digest
        file = folder / f".podgraph-{digest.source}.tmp"
        write_atomically(file, Store.from_networkx(built.graph).to_bytes())
        feed = built.feeds[0]
        lines += ["is private"] * feed.private
        return Show(
            name.text, str(file), extractors.slugify(feed.id.partition(":")[2] or feed.title) or "show", (*lines,)
        )
    except PodgraphError as error:
        return Show(name.text, lines=(*lines,), error=extractors.without_frames(error))
    finally:
        gc.collect(0)  # the command collects nothing, so this generation has all objects of the show


def _hash(*parts: str | bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()[:32]


@contextmanager
def _run(
    work: Callable[..., Show], columns: Sequence[Sequence[object]], *known: object, jobs: int, scheduler: str
) -> Iterator[Iterator[Show]]:
    """Give the results of ``work`` for each row of ``columns``, from processes, or from the workers of a cluster."""
    if not scheduler:
        with closing(extractors.in_processes(work, columns, *known, jobs=jobs or extractors.processors())) as shows:
            yield shows
        return
    try:
        from distributed import Client  # noqa: PLC0415 - of an extra
    except ImportError as error:
        remedy = "install it: pip install 'podgraph[dask]'"
        raise PodgraphError("needs the library distributed", source="--scheduler", remedy=remedy) from error
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        remedy = "start it with `dask scheduler`, and `dask worker` beside it"
        raise PodgraphError("no scheduler answers", source=scheduler, remedy=remedy) from error
    with client:
        futures = client.map(work, *columns, *([one] * len(columns[0]) for one in known), pure=False)
        yield map(_get_result, futures, columns[0])


def _get_result(future: Any, name: Any) -> Show:
    """Return the result of a worker, or the reason why there is none."""
    try:
        show: Show = future.result()
    except Exception as error:  # noqa: BLE001 - whatever ended the worker
        return Show(name.text, error=SourceError(f"a worker failed ({error})", source=name.text, remedy="run it again"))
    return show
