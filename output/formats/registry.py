"""The list of formats, and the one way to write a graph into a file.

A format is a module of this folder with two doors: ``to_x(graph)``, pure, and ``write_x(graph, path)``, which
writes all or nothing. It is loaded when it is first used, and so is what it needs.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extractors import OutputError, SourceError

from ..files import check_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .plain import Graph


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a graph.

    ``module`` is the file in this folder (or a full module path), ``to`` and ``write`` its doors, ``read``
    the function that gives the graph back, if there is one. ``members`` are the files of a format that writes
    a folder; ``siblings`` the suffixes of one that writes several files side by side. ``needs`` is a library
    that comes with the extra ``extra``.
    """

    name: str
    suffixes: tuple[str, ...]
    description: str
    module: str
    to: str
    write: str
    read: str = ""
    members: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    in_place: bool = False
    needs: str = ""
    extra: str = ""

    @property
    def folder(self) -> bool:
        """Whether the format writes a folder rather than a file."""
        return self.in_place or (bool(self.members) and not self.siblings)

    def door(self, name: str) -> Any:
        """Load the format's module and return its function ``name``."""
        path = self.module if "." in self.module else f"{__package__}.{self.module}"
        return getattr(import_module(path), name)


FORMATS: tuple[Format, ...] = (
    Format("html", (".html", ".htm"), "interactive page", "html_page", "to_html", "write_html"),
    Format(
        "json",
        (".json", ".json.gz"),
        "node-link JSON for networkx and D3; lossless",
        "node_link",
        "to_json",
        "write_json",
        "read_json",
    ),
    Format("cyjs", (".cyjs",), "Cytoscape and cytoscape.js", "cyjs", "to_cyjs", "write_cyjs"),
    Format(
        "graphml",
        (".graphml",),
        "GraphML for yEd, igraph, Cytoscape, Neo4j",
        "graphml",
        "to_graphml",
        "write_graphml",
        "read_graphml",
    ),
    Format("gexf", (".gexf",), "GEXF 1.3 for Gephi, Gephi Lite", "gexf", "to_gexf", "write_gexf", "read_gexf"),
    Format("dot", (".dot", ".gv"), "DOT for Graphviz", "dot", "to_dot", "write_dot"),
    Format(
        "csv",
        (".nodes.csv", ".edges.csv", ".csv"),
        "a pair of tables for pandas, Gephi, spreadsheets; into a folder if the path is one",
        "csv_pair",
        "to_csv",
        "write_csv",
        members=("nodes.csv", "edges.csv"),
        siblings=(".nodes.csv", ".edges.csv"),
    ),
    Format(
        "neo4j",
        (".neo4j",),
        "folder for Neo4j's bulk import",
        "neo4j",
        "to_neo4j",
        "write_neo4j",
        members=("nodes.csv", "relationships.csv", "README.txt"),
    ),
    Format(
        "cypher",
        (".cypher", ".cql"),
        "Cypher script for Neo4j, Memgraph",
        "cypher",
        "to_cypher",
        "write_cypher",
    ),
    Format(
        "sqlite",
        (".sqlite", ".sqlite3", ".db"),
        "SQLite for SQL, Datasette, quick questions about big graphs",
        "sqlite",
        "to_sqlite",
        "write_sqlite",
        "read_sqlite",
    ),
    Format(
        "parquet",
        (".parquet",),
        "folder of two tables for DuckDB, Polars, Spark",
        "parquet",
        "to_parquet",
        "write_parquet",
        members=("nodes.parquet", "edges.parquet"),
        needs="pyarrow",
        extra="parquet",
    ),
    Format("jsonld", (".jsonld",), "JSON-LD in schema.org's words", "jsonld", "to_jsonld", "write_jsonld"),
    Format("turtle", (".ttl",), "Turtle: the same as linked data", "turtle", "to_turtle", "write_turtle"),
    Format(
        "obsidian",
        (".vault",),
        "vault of notes for Obsidian, Logseq; updates in place",
        "obsidian",
        "to_obsidian",
        "write_obsidian",
        in_place=True,
    ),
    Format("markdown", (".md", ".markdown"), "report for people", "report", "to_markdown", "write_markdown"),
    Format("bibtex", (".bib",), "episodes, papers and posts to cite", "bibtex", "to_bibtex", "write_bibtex"),
    Format("csl", (".csl.json",), "the same as CSL-JSON, for Zotero and Pandoc", "csl", "to_csl", "write_csl"),
)


def formats() -> tuple[Format, ...]:
    """Return our formats and those that installed packages bring as ``podgraph.formats`` entry points.

    An entry point leads to a ``Format``. One that cannot be loaded, or takes a name or a suffix of ours, is
    an error that names it. This is for the command; nothing loads other packages at import.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - reads the metadata of all that is installed

    found = list(FORMATS)
    taken = {suffix for item in FORMATS for suffix in (*item.suffixes, item.name)}
    for point in entry_points(group="podgraph.formats"):
        source = f"format plug-in {point.name}"
        try:
            item = point.load()
        except Exception as error:  # a foreign package may fail in any way
            raise OutputError(f"cannot be loaded: {error}", source=source, remedy="mend or uninstall it") from error
        if not isinstance(item, Format):
            raise OutputError("is no Format", source=source, remedy="its entry point has to name one")
        if clash := taken & {*item.suffixes, item.name}:
            raise OutputError(f"claims {min(clash)!r}, which is taken", source=source, remedy="mend or uninstall it")
        taken |= {*item.suffixes, item.name}
        found.append(item)
    return tuple(found)


def format_of(path: str | os.PathLike[str], known: Iterable[Format] = FORMATS) -> Format:
    """Return the format that the suffix of ``path`` names; the longest suffix wins.

    Raises ``OutputError`` for an unknown one, and lists those that are known.

    >>> format_of("a.JSON.gz").name
    'json'
    """
    name = Path(path).name.lower()
    known = tuple(known)
    fitting = [(len(s), item) for item in known for s in item.suffixes if name.endswith(s)]
    if not fitting:
        suffixes = " ".join(sorted(suffix for item in known for suffix in item.suffixes))
        raise OutputError(
            "has no suffix that names a format",
            source=os.fspath(path),
            remedy=f"use one of {suffixes}, or --format",
        )
    return max(fitting, key=lambda pair: pair[0])[1]


def format_named(name: str, known: Iterable[Format] = FORMATS) -> Format:
    """Return the format called ``name`` (a suffix does too), or raise ``OutputError`` with the list."""
    known = tuple(known)
    wanted = name.lower()
    for item in known:
        if wanted in {item.name, *item.suffixes} or f".{wanted}" in item.suffixes:
            return item
    names = ", ".join(sorted(item.name for item in known))
    raise OutputError("is no format", source=name, remedy=f"use one of {names}")


def targets(path: str | os.PathLike[str], item: Format) -> tuple[Path, ...]:
    """Return the files, or the folder, that ``item`` writes when it is asked for ``path``.

    >>> [str(p) for p in targets("g.json", format_of("g.json"))]
    ['g.json']
    """
    target = Path(path)
    if not item.siblings or _wants_folder(path, item):
        return (target,)
    stem = target.name
    for suffix in sorted(item.suffixes, key=len, reverse=True):
        if stem.lower().endswith(suffix):
            stem = stem[: -len(suffix)]
            break
    return tuple(target.with_name(stem + sibling) for sibling in item.siblings)


def write_graph(
    graph: Graph,
    path: str | os.PathLike[str],
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    **options: Any,
) -> tuple[Path, ...]:
    """Write ``graph`` to ``path`` and return what was written.

    ``format`` is a name or a ``Format``; without it the suffix decides. ``options`` go to the format:
    ``title`` (html), ``dynamic`` (gexf), ``clusters`` (dot). Raises ``OutputError``; then nothing has
    changed.
    """
    item = _resolve(path, format, FORMATS)
    check_targets([path], item)
    if _wants_folder(path, item):
        item.door(f"{item.write}_folder" if item.siblings else item.write)(graph, path, **options)
    elif item.siblings:
        item.door(item.write)(graph, *targets(path, item), **options)
    else:
        item.door(item.write)(graph, path, **options)
    return targets(path, item)


def check_targets(
    paths: Sequence[str | os.PathLike[str]],
    format: str | Format | None = None,  # noqa: A002 - the name of the option
    known: Iterable[Format] = FORMATS,
) -> tuple[Format, ...]:
    """Check all that can be checked before any work is done, and return the format of each path.

    Every suffix is known and its library installed, every folder is there and may be written to, no file is
    to be written where a folder is, nothing is written twice. Raises ``OutputError`` about the first
    that fails.
    """
    known = tuple(known)
    chosen = []
    seen: dict[str, str] = {}
    for path in paths:
        item = _resolve(path, format, known)
        if item.needs and find_spec(item.needs) is None:
            raise OutputError(
                f"needs {item.needs}", source=os.fspath(path), remedy=f"pip install 'podgraph[{item.extra}]'"
            )
        for target in targets(path, item):
            _check_target(target, item, folder=_wants_folder(path, item))
            real = os.path.normcase(os.path.realpath(target))
            if real in seen and not _is_device(target):
                raise OutputError(
                    "would be written twice", source=str(target), remedy=f"name it once (see {seen[real]})"
                )
            seen[real] = os.fspath(path)
        chosen.append(item)
    return tuple(chosen)


def read_graph(path: str | os.PathLike[str]) -> Graph:
    """Read back a graph that podgraph wrote as JSON, GraphML, GEXF or SQLite.

    Raises ``SourceError`` when the file is missing, of another kind, or damaged.
    """
    readable = [item for item in FORMATS if item.read]
    try:
        item = format_of(path, readable)
    except OutputError as error:
        names = ", ".join(suffix for item in readable for suffix in item.suffixes)
        raise SourceError("is no graph that can be read back", source=os.fspath(path), remedy=f"use {names}") from error
    graph: Graph = item.door(item.read)(path)
    return graph


def _resolve(path: str | os.PathLike[str], chosen: str | Format | None, known: Iterable[Format]) -> Format:
    if isinstance(chosen, Format):
        return chosen
    return format_named(chosen, known) if chosen else format_of(path, known)


def _wants_folder(path: str | os.PathLike[str], item: Format) -> bool:
    """Say whether a folder is written: always, or because the path of a many-file format is one."""
    if item.folder:
        return True
    text = os.fspath(path)
    return bool(item.siblings) and (text.endswith(("/", os.sep)) or Path(text).is_dir() or not Path(text).suffix)


def _check_target(target: Path, item: Format, *, folder: bool) -> None:
    real = Path(os.path.realpath(target))
    parent = real.parent
    source = str(target)
    if _is_device(real):
        return
    if not parent.is_dir():
        problem = "its folder is a file" if parent.exists() else "its folder does not exist"
        raise OutputError(problem, source=source, remedy=f"create the folder {parent} first")
    if folder and not item.in_place:
        check_folder(real, item.members)
    elif folder and real.exists() and not real.is_dir():
        raise OutputError("is a file", source=source, remedy="this format writes a folder: choose another name")
    elif not folder and real.is_dir():
        raise OutputError("is a folder", source=source, remedy="name a file in it")
    if real.exists() and not os.access(real, os.W_OK):
        raise OutputError("may not be written", source=source, remedy="choose another place")
    replaced = not real.exists() or real.is_file() or not item.in_place
    if replaced and not os.access(parent, os.W_OK | os.X_OK):
        raise OutputError("its folder may not be written", source=source, remedy="choose another place")


def _is_device(path: Path) -> bool:
    """Say whether ``path`` is something like /dev/stdout: written to, never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()
