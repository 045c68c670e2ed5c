"""The list of formats: one row a format.

A writer is a function of a module in this folder, imported on first use. Its first argument is the graph as ``Rows``.
A text format returns or yields the pieces of its file; with several files, a tuple with the pieces of each. A binary
format takes a stream for each file as further arguments, a folder its path.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from podgraph.extractors import OutputError, load_plugins, nearest


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a graph.

    ``opens`` names the programs that open it, ``writer`` is ``module:function`` (a module after a dot is a file in this
    folder). ``options`` are keyword arguments of the writer. ``siblings`` are the suffixes of several files;
    ``is_mapped`` tells that it needs the layout, ``is_readable`` that questions take it. ``needs`` is a library from
    the extra ``extra``. Texts are packed where the path ends in ``.gz``. ``marks`` are patterns, one a file, that
    recognise a file of ours: it may be replaced. Without patterns every file may be replaced.
    """

    name: str
    suffixes: tuple[str, ...]
    description: str
    opens: str
    writer: str
    form: Literal["text", "binary", "folder"] = "text"
    options: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    is_mapped: bool = False
    is_readable: bool = False
    needs: str = ""
    extra: str = ""
    marks: tuple[str, ...] = ()

    @property
    def endings(self) -> tuple[str, ...]:
        """The possible suffixes of a path in this format; for texts also with ``.gz``."""
        packed = [f"{suffix}.gz" for suffix in self.suffixes if self.form == "text"]
        return (*self.suffixes, *packed)

    def load_writer(self) -> Any:
        """Return the format's function. Raises ``OutputError`` without it."""
        module, _, function = self.writer.partition(":")
        try:
            return getattr(import_module(module, __package__), function)
        except (ImportError, AttributeError) as error:
            raise OutputError(f"cannot be loaded: {error}", source=f"format {self.name}") from error


_PAGE_OPTIONS = ("title", "description", "accent", "logo", "site_url")
FORMATS: tuple[Format, ...] = (
    Format(
        "html", (".html", ".htm"), "interactive page, one file", "browsers", ".pages:to_page",
        options=_PAGE_OPTIONS, is_mapped=True,
        marks=(r'<meta name="referrer" content="no-referrer">\s*<meta name="color-scheme" content="light',),
    ),
    Format(
        "site", ("site",), "static site: a page an episode, topic, person, source and route; updates in place",
        "browsers", ".pages:write_folder", "folder", is_mapped=True,
        options=(*_PAGE_OPTIONS, "css", "templates", "publish_private"),
    ),
    Format(
        "svg", (".svg",), "picture of the map's atlas, or of all", "READMEs, slides", ".svg:to_svg",
        options=("everything",), is_mapped=True, marks=("<!-- podgraph -->",),
    ),
    Format(
        "json", (".json",), "node-link JSON; lossless", "networkx, D3", ".node_link:to_node_link",
        is_mapped=True, is_readable=True, marks=(r'\A\{"directed": true, "multigraph": true,\n"graph": \{',),
    ),
    Format(
        "graphml", (".graphml",), "GraphML", "igraph, Cytoscape, yEd, networkx", ".graphml:to_graphml",
        is_mapped=True, marks=('<key id="v0" for="node" attr.name="name" attr.type="string"/>',),
    ),
    Format(
        "gexf", (".gexf",), "GEXF 1.3", "Gephi, Gephi Lite", ".gexf:to_gexf",
        is_mapped=True, marks=(r'<description>\{"graph":',),
    ),
    Format("dot", (".dot", ".gv"), "DOT", "Graphviz", ".dot:to_dot", marks=(r'\Adigraph "podgraph" \{',)),
    Format(
        "csv", (".nodes.csv", ".edges.csv", ".csv"), "a pair of tables in UTF-8", "pandas, Gephi, spreadsheets",
        ".csv_pair:to_csv", siblings=(".nodes.csv", ".edges.csv"),
        marks=(r'\A"id","label","kind","url","title","date",', r'\A"id","source","target","type","relation",'),
    ),
    Format(
        "cypher", (".cypher", ".cql"), "Cypher script", "Neo4j", ".cypher:to_cypher",
        marks=(r"\A// Run it with cypher-shell",),
    ),
    Format(
        "sqlite", (".sqlite", ".sqlite3", ".db"), "SQLite; quick questions about big graphs", "SQL, Datasette",
        ".sqlite:write_sqlite", "binary", is_readable=True,
        marks=(r"\ASQLite format 3\0.{52}podg",),  # its application id
    ),
    Format(
        "parquet", (".nodes.parquet", ".edges.parquet", ".parquet"),
        "a table of citations, with nodes and edges beside it", "pandas, Polars, DuckDB", ".parquet:write_parquet",
        "binary", siblings=(".parquet", ".nodes.parquet", ".edges.parquet"), marks=("podgraph",) * 3,
        needs="pyarrow", extra="parquet",
    ),
    Format(
        "jsonl", (".nodes.jsonl", ".edges.jsonl", ".jsonl"),
        "an episode a line with text, citations, quotes; nodes and edges beside it", "search engines, pandas",
        ".jsonl:to_jsonl", siblings=(".jsonl", ".nodes.jsonl", ".edges.jsonl"),
        marks=(r'\A\{"id":"(?:[^"\\]|\\.)*","kind":"', r'\A\{"id":"', r'\A\{"source":"'),
    ),
    Format(
        "vault", ("vault",), "vault of notes; updates in place", "Obsidian, Logseq", ".vault:write_vault", "folder",
        options=("all",),
    ),
    Format(
        "bib", (".bib",), "episodes, papers and posts to cite", "Zotero, BibTeX, pandoc", ".bibtex:to_bibtex",
        marks=(r"\A@misc\{[a-z0-9-]+,\n  title = \{\{",),
    ),
)  # fmt: skip
# Programs, and the formats that they open.
PROGRAMS = {"gephi": "gexf", "neo4j": "cypher", "obsidian": "vault", "datasette": "sqlite"}


def formats() -> tuple[Format, ...]:
    """Return our formats and those of installed packages, from ``podgraph.formats`` entry points.

    An entry point leads to a ``Format``. A broken one, or one with a name or a suffix of ours, is reported
    and skipped. Only the command calls this: importing podgraph loads no other packages.
    """
    taken = {suffix for item in FORMATS for suffix in (*item.endings, item.name)}
    loaded = load_plugins("podgraph.formats", lambda brought: problem_of_format(brought, taken))
    return (*FORMATS, *(plugin.brought for plugin in loaded if isinstance(plugin.brought, Format)))


def problem_of_format(brought: object, taken: set[str]) -> str:
    """Return the error in the object of an entry point. Without an error, return "" and add its names to ``taken``."""
    if not isinstance(brought, Format):
        return "is not a Format"
    own = {*brought.suffixes, brought.name}
    if clash := taken & own:
        return f"claims {min(clash)!r}, which is taken"
    taken |= own
    return ""


def default_path(stem: str, item: Format) -> str:
    """Return a path of a format: ``talks.gexf``, ``talks.vault``.

    >>> default_path("talks", format_named("obsidian"))
    'talks.vault'
    """
    return f"{stem}.{item.suffixes[0].removeprefix('.')}"


def format_of(path: str | os.PathLike[str], known: Iterable[Format] = FORMATS) -> Format:
    """Return the format of the suffix of ``path``; the longest suffix wins.

    Raises ``OutputError`` with the known suffixes for an unknown one.

    >>> format_of("a.JSON.gz").name
    'json'
    """
    name = Path(path).name.lower()
    fitting = [(len(ending), item) for item in known for ending in item.endings if name.endswith(ending)]
    if fitting:
        return max(fitting, key=lambda pair: pair[0])[1]
    if name in PROGRAMS:
        item = format_named(name)
        path_there = f"{item.suffixes[0]}/" if item.form == "folder" else default_path("podgraph", item)
        remedy = f"for {name.capitalize()} name it {path_there}"
    else:
        suffixes = sorted(suffix for item in known for suffix in item.suffixes)
        other = "use .html, .json, .gexf, .csv or another of `podgraph export -h`"
        remedy = nearest(Path(name).suffix or f".{name}", suffixes) or other
    raise OutputError("has no suffix that names a format", source=os.fspath(path), remedy=remedy)


def format_named(name: str, known: Iterable[Format] = FORMATS) -> Format:
    """Return the format with a name, a suffix, or the name of a program that opens it.

    Raises ``OutputError`` for another name.

    >>> format_named("gephi").name
    'gexf'
    """
    known = tuple(known)
    word = PROGRAMS.get(name.lower(), name.lower())
    for item in known:
        if word in {item.name, *item.endings} or f".{word}" in item.suffixes:
            return item
    names = sorted([*(item.name for item in known), *PROGRAMS])
    raise OutputError(f"unknown format {name!r}", remedy=nearest(name, names) or f"use one of {', '.join(names)}")
