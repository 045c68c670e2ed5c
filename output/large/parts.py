"""Builds a graph too large for memory: each show becomes one part, two Parquet files, which ``merge`` joins.

The folder has ``nodes/SHOW.parquet`` and ``edges/SHOW.parquet`` (docs/about/scale.md has the columns),
``read/SHOW.feed`` (the parsed feeds), ``read/SHOW.hints`` (what they contribute to the facts) and ``facts`` (pages and
persons of all shows). A part takes two steps: the first reads the feed, the second needs the facts from all feeds. A
finished step is not repeated, so an interrupted build goes on. Workers get names and paths, and return names and
counts.
"""

from __future__ import annotations

import gc
import hashlib
import io
import json
import pickle
import re
import zlib
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from podgraph.extractors import (
    FeedError,
    OutputError,
    PodgraphError,
    SourceError,
    in_processes,
    load_sites,
    read_sources,
    reduce_corpus,
    show_words,
    with_index,
    without_frames,
)
from podgraph.graph import was_read

from ..files import atomic_files, output_errors, write_atomically
from ..formats.shared.plain import edges_in_order, node_ids, plain_attributes
from ..pipeline import graph_of, left_out, map_sources
from ..unchanged import digest_of_sources

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from podgraph.extractors import Feed, Named, Share, Vocabulary
    from podgraph.graph import Corrections, Graph

VERSION = 2  # of the columns
_NAME = re.compile(r"[^a-z0-9]+")
_LONGEST = 60  # characters of a file's name before its digest


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How parts are built: the arguments of ``pipeline.build`` by these names, and a digest of all options."""

    as_kind: str = ""
    repo: str = ""
    private: bool | None = None
    vocabulary: Vocabulary | None = None
    corrections: Corrections | None = None
    index: Path | None = None
    with_boilerplate: bool = False
    snapshot: bool = True
    offline: bool = False
    refuse_private: bool = False
    digest: bytes = b""


class ReadResult(NamedTuple):
    """The result of reading a source: the name of its files, a digest, the number of episodes, errors and messages.

    The digest is empty if the source could not be read. A source that was read may be a list with ``failures``.
    """

    name: str
    digest: bytes = b""
    episodes: int = 0
    private: bool = False
    failures: tuple[PodgraphError, ...] = ()
    messages: tuple[str, ...] = ()


class Parts(NamedTuple):
    """The outcome of a build of parts: how many shows and episodes, how many were there before, and the failures."""

    shows: int
    episodes: int
    kept: int
    private: bool
    failures: tuple[PodgraphError, ...]


def build_parts(
    sources: Sequence[tuple[Named, str]], folder: Path, how: BuildOptions, *, share: Share = in_processes,
    notify: Callable[[str], None] = lambda _: None, show: Callable[[str, int, int], None] = lambda *_: None,
) -> Parts:  # fmt: skip
    """Write a part for each of ``sources``, with the group of each, to ``folder``.

    ``share`` distributes the work over shows. ``notify`` and ``show`` are as in ``pipeline.build``. Raises
    ``PodgraphError`` when no source could be read, and ``OutputError``.
    """
    _pyarrow()  # before anything is fetched
    with output_errors(str(folder)):
        for name in ("read", "nodes", "edges"):
            (folder / name).mkdir(parents=True, exist_ok=True)
    read: list[ReadResult] = []
    failures: list[PodgraphError] = []
    with closing(share(read_show, [[one for one, _ in sources], [group for _, group in sources]], folder, how)) as each:
        for one in each:
            show("reading", len(read), len(sources))
            read.append(one)
            failures.extend(one.failures)
            for line in one.messages:
                notify(line)
    found = [one for one in read if one.digest]
    for line in left_out(failures[1:] if not found else failures):
        notify(line)
    if not found:
        raise failures[0]
    facts = _write_facts(found, folder, how)
    kept = 0
    with closing(
        share(write_part, [[one.name for one in found], [one.digest for one in found]], folder, facts, how)
    ) as each_kept:
        for number, before in enumerate(each_kept):
            show("building", number, len(found))
            kept += before
    others = {path.stem for path in (folder / "nodes").glob("*.parquet")} - {one.name for one in found}
    if others:
        notify(
            f"{folder}: has {len(others)} more parts, such as {min(others)}; delete those that a merge is to leave out"
        )
    return Parts(len(found), sum(one.episodes for one in found), kept, any(one.private for one in found), (*failures,))


def read_show(named: Named, group: str, folder: Path, how: BuildOptions) -> ReadResult:
    """Read a source, and write its feeds and hints to ``folder``, unless they are there already."""
    messages: list[str] = []
    load_sites()
    name = _file_name(named.text)
    feed_path, hints_path = (folder / "read" / f"{name}.{kind}" for kind in ("feed", "hints"))
    try:
        sources = read_sources([named], offline=how.offline, notify=messages.append)
        sources = replace(sources, read=tuple(replace(one, group=group or one.group) for one in sources.read))
        digest = digest_of_sources(sources, how.digest)
        if kept := _kept_result(hints_path, digest):
            return kept._replace(messages=(*messages,))
        mapped = map_sources(sources, as_kind=how.as_kind, index=how.index, private=how.private, notify=messages.append)
        first = mapped.feeds[0].made
        if first.kind != "podcast" and not how.as_kind:
            messages.append(f"{first.source} has no audio: taken for a blog; --as episodes makes its items episodes")
        messages += [f"{one.made.source}: {line}" for one in mapped.feeds for line in one.made.warnings[:1]]
        private = [one.made.title or one.made.source for one in mapped.feeds if one.made.private]
        if private and how.refuse_private:
            remedy = "set `private = false` in podgraph.toml, if it is public"
            raise SourceError("is private, and --refuse-private was given", source=private[0], remedy=remedy)
    except (SourceError, FeedError) as error:
        return ReadResult(name, failures=(without_frames(error),), messages=(*messages,))
    episodes, failures = sum(one.made.episodes for one in mapped.feeds), tuple(map(without_frames, mapped.failures))
    result = ReadResult(name, digest, episodes, bool(private), failures)
    write_atomically(feed_path, _pack([one.feed for one in mapped.feeds]))
    write_atomically(hints_path, _pack((result, [one.hints for one in mapped.feeds])))
    return result._replace(messages=(*messages,))


def write_part(name: str, digest: bytes, folder: Path, facts: bytes, how: BuildOptions) -> bool:
    """Write the part of a show that was read. Return whether it was there already."""
    key = hashlib.sha256(digest + facts).hexdigest()
    paths = [folder / kind / f"{name}.parquet" for kind in ("nodes", "edges")]
    if all(_key_of(path) == key for path in paths):
        return True
    load_sites()
    known, people_of_show = _load_facts(folder / "facts", facts)
    feeds: list[Feed] = _load(folder / "read" / f"{name}.feed")
    graph = graph_of(
        feeds, repo=how.repo, vocabulary=how.vocabulary, index=how.index, mapped=False,
        with_boilerplate=how.with_boilerplate, corrections=how.corrections, snapshot=how.snapshot,
        facts=(known, people_of_show[name]),
    )  # fmt: skip
    words = {
        item.id: _json(counts)
        for feed in feeds
        for item, counts in zip(feed.episodes, show_words(feed).table.content(texts=2, title=3), strict=True)
    }
    about = {"version": VERSION, "key": key, "graph": plain_attributes(graph.graph)}
    with atomic_files(paths) as streams:
        for table, stream in zip(_tables(graph, words), streams, strict=True):
            _write(table, stream, about)
    # A worker writes many shows, so memory is freed here: show_words keeps the tables of 16 shows, and a graph of
    # networkx has cycles, which the process of a command does not collect by itself.
    show_words.cache_clear()
    del graph
    gc.collect()
    return False


def about_part(path: Path) -> dict[str, Any]:
    """Return a part's metadata: ``version``, ``key``, the attributes of its ``graph``. {} if the file is no part."""
    parquet = _pyarrow().parquet
    try:
        metadata = parquet.read_metadata(path).metadata or {}
        found = json.loads(metadata.get(b"podgraph", b"{}"))
    except (OSError, ValueError):  # pyarrow's errors are of these types
        return {}
    return found if isinstance(found, dict) else {}


def is_whole(path: Path) -> bool:
    """Return whether a file of a part can be read to its end."""
    try:
        _pyarrow().parquet.read_table(path)
    except (OSError, ValueError):  # pyarrow's errors are of these types
        return False
    return True


def _key_of(path: Path) -> str:
    """Return the key of a part that this version wrote: the digest of its sources and facts; else ""."""
    found = about_part(path) if path.is_file() else {}
    return str(found.get("key", "")) if found.get("version") == VERSION else ""


def _pyarrow() -> Any:
    """Return the module, with ``parquet``. Raises ``OutputError`` without it."""
    try:
        import_module("pyarrow.parquet")
    except ImportError as error:
        raise OutputError("needs pyarrow", source="parts", remedy="pip install 'podgraph[scale]'") from error
    return import_module("pyarrow")


def _file_name(source: str) -> str:
    """Return a name for the files of a source, such as ``feeds-example-kiln-1f0a2b3c``."""
    plain = _NAME.sub("-", re.sub(r"\A\w+://", "", source.casefold())).strip("-")
    return f"{plain[-_LONGEST:]}-{hashlib.sha256(source.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _tables(graph: Graph, words: Mapping[str, str]) -> tuple[object, object]:
    """Return the tables of the nodes and of the edges of a graph; ``words`` are JSON by id."""
    arrow = _pyarrow()
    nodes: list[tuple[object, ...]] = [
        (name, (data := graph.nodes[name])["kind"], was_read(data), _json(data), words.get(name))
        for name in sorted(graph)
    ]
    edges: list[tuple[object, ...]] = [
        (source, target, relation, float(str(data.get("weight", 1))), bool(data.get("boilerplate")), _json(data))
        for source, target, relation, data in edges_in_order(graph, node_ids(graph))
    ]
    text, boolean = arrow.string(), arrow.bool_()
    columns = {"id": text, "kind": text, "read": boolean, "attributes": text, "words": text}
    more = {"source": text, "target": text, "relation": text, "weight": arrow.float64(), "boilerplate": boolean}
    return _table(arrow, nodes, columns), _table(arrow, edges, {**more, "attributes": text})


def _table(arrow: Any, rows: list[tuple[object, ...]], columns: Mapping[str, object]) -> object:
    cells = zip(*rows, strict=True) if rows else [()] * len(columns)
    arrays = [arrow.array(cell, form) for cell, form in zip(cells, columns.values(), strict=True)]
    return arrow.table(arrays, names=[*columns])


def _write(table: Any, stream: BinaryIO, about: Mapping[str, object]) -> None:
    marked = table.replace_schema_metadata({"podgraph": json.dumps(about)})
    _pyarrow().parquet.write_table(marked, stream, compression="zstd")


def _json(attributes: Mapping[str, object]) -> str:
    return json.dumps(attributes, separators=(",", ":"), sort_keys=True, default=str)


def _write_facts(read: Sequence[ReadResult], folder: Path, how: BuildOptions) -> bytes:
    """Write the facts that follow from all feeds together to ``folder``; return their digest.

    A part needs the common facts and the persons of its own show: ``write_part`` reads both.
    """
    hints = [_load(folder / "read" / f"{one.name}.hints")[1] for one in read]
    facts_of_all, people_of_feeds = reduce_corpus([one for several in hints for one in several], with_index(how.index))
    remaining = iter(people_of_feeds)
    people_of_show = {one.name: [next(remaining) for _ in several] for one, several in zip(read, hints, strict=True)}
    digest = hashlib.sha256(b"".join(sorted(one.digest for one in read))).digest()
    write_atomically(folder / "facts", _pack((digest, facts_of_all, people_of_show)))
    return digest


@lru_cache(maxsize=1)
def _load_facts(path: Path, digest: bytes) -> Any:
    """Return the facts of all feeds, and the persons of each show by the name of its files."""
    before, facts_of_all, people_of_show = _load(path)
    if before != digest:
        problem = "has the facts of another build"
        raise OutputError(problem, source=str(path.parent), remedy="wait until that has ended, and build again")
    return facts_of_all, people_of_show


def _kept_result(path: Path, digest: bytes) -> ReadResult | None:
    """Return the result of reading a source before, if the digest is the same. A damaged file counts as none."""
    try:
        result, _ = _load(path)
    except (OSError, ValueError, TypeError, EOFError, LookupError, AttributeError, ImportError, *_DAMAGED):
        return None
    return result if isinstance(result, ReadResult) and result.digest == digest else None


def _pack(value: object) -> bytes:
    return zlib.compress(pickle.dumps(value), 1)


def _load(path: Path) -> Any:
    return _Unpickler(io.BytesIO(zlib.decompress(path.read_bytes()))).load()


class _Unpickler(pickle.Unpickler):
    """Loads our own classes, and one function of ours: the folder may be a stranger's."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.partition(".")[0] in _TRUSTED else None
        # A class that a trusted module only imports, such as subprocess.Popen, is not one of ours.
        ours = isinstance(found, type) and found.__module__ == module
        if (module, name) != _FUNCTION and (not ours or (module == "builtins" and name not in _BUILT_IN)):
            raise pickle.UnpicklingError(f"{module}.{name} is not expected here")
        return found


_TRUSTED = frozenset(("podgraph", "datetime", "collections", "builtins"))
_FUNCTION = ("podgraph.extractors.subjects.subject", "_unpacked")  # makes a subject of its fields
_DAMAGED = (zlib.error, pickle.UnpicklingError)
_BUILT_IN = frozenset(("set", "frozenset", "dict", "list", "tuple"))
