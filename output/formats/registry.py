"""The list of formats: one row a format.

A writer is a function of a module in this folder, imported on first use. Its first argument is the graph as ``Rows``.
A text format returns or yields the pieces of its file; with several files, a tuple with the pieces of each. A binary
format takes a stream for each file as further arguments, a folder its path.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, NamedTuple

from podgraph.extractors import OutputError, nearest


class Format(NamedTuple):
    """A way to write a graph.

    ``opens`` names the programs that open it, ``writer`` is ``module:function`` of this folder. ``options`` are keyword
    arguments of the writer. ``siblings`` are the suffixes of several files. ``needs`` is a library from the extra with
    the format's name. ``mark`` is a pattern that recognises a file of ours: it may be replaced.
    """

    name: str
    suffixes: tuple[str, ...]
    description: str
    opens: str
    writer: str
    mark: str = ""
    form: Literal["text", "binary", "folder"] = "text"
    options: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    needs: str = ""

    @property
    def is_readable(self) -> bool:
        """Whether questions take such a file."""
        return self.name in {"json", "sqlite"}


_PAGE_OPTIONS = ("title", "description", "accent", "logo", "site_url")
FORMATS: tuple[Format, ...] = (
    Format("html", (".html", ".htm"), "interactive page, one file", "browsers", "pages:to_page",
           r'<meta name="referrer" content="no-referrer">\s*<meta name="color-scheme" content="light',
           options=_PAGE_OPTIONS),
    Format("site", ("site",), "static site: a page an episode, topic, person, source and route; updates in place",
           "browsers", "pages:write_folder", form="folder",
           options=(*_PAGE_OPTIONS, "publish_private")),
    Format("svg", (".svg",), "picture of the map's atlas, or of all", "READMEs, slides", "svg:to_svg",
           "<!-- podgraph -->", options=("everything",)),
    Format("json", (".json",), "node-link JSON; lossless", "networkx, D3", "node_link:to_node_link",
           r'\A\{"directed": true, "multigraph": true,\n"graph": \{'),
    Format("graphml", (".graphml",), "GraphML", "igraph, Cytoscape, yEd, networkx", "graphml:to_graphml",
           '<key id="n.name" for="node" attr.name="name" attr.type="string"/>'),
    Format("gexf", (".gexf",), "GEXF 1.3", "Gephi, Gephi Lite", "gexf:to_gexf", "<creator>podgraph</creator>"),
    Format("dot", (".dot", ".gv"), "DOT", "Graphviz", "dot:to_dot", r'\Adigraph "podgraph" \{'),
    Format("csv", (".nodes.csv", ".edges.csv", ".csv"), "a pair of tables in UTF-8", "pandas, Gephi, spreadsheets",
           "csv_pair:to_csv", r'\A"id","(?:kind","label"|source","target","type","relation")',
           siblings=(".nodes.csv", ".edges.csv")),
    Format("cypher", (".cypher", ".cql"), "Cypher script", "Neo4j", "cypher:to_cypher",
           r"\A// Run it with cypher-shell"),
    Format("sqlite", (".sqlite", ".sqlite3", ".db"), "SQLite; quick questions about big graphs", "SQL, Datasette",
           "pages:write_sqlite", r"\ASQLite format 3\0.{52}podg", "binary"),  # its application id
    Format("parquet/", (".parquet/",), "the same tables in a folder, by show", "DuckDB, Spark", "parquet:write_folder",
           form="folder", needs="pyarrow"),
    Format("parquet", (".nodes.parquet", ".edges.parquet", ".parquet"),
           "a table of citations, with nodes and edges beside it", "pandas, Polars, DuckDB", "parquet:write_parquet",
           "PAR1.*podgraph", "binary", siblings=(".parquet", ".nodes.parquet", ".edges.parquet"), needs="pyarrow"),
    Format("jsonl", (".jsonl",), "an episode a line with text, citations, quotes", "search engines, pandas",
           "jsonl:to_jsonl", r'\A\{"id":"(?:[^"\\]|\\.)*","kind":"'),
    Format("vault", ("vault",), "vault of notes; updates in place", "Obsidian, Logseq", "vault:write_vault",
           form="folder"),
    Format("bib", (".bib",), "episodes, papers and posts to cite", "Zotero, BibTeX, pandoc", "bibtex:to_bibtex",
           r"\A@misc\{[a-z0-9-]+,\n  title = \{\{"),
)  # fmt: skip
# Programs, and the formats that they open.
PROGRAMS = {"gephi": "gexf", "neo4j": "cypher", "obsidian": "vault", "datasette": "sqlite"}


def make_default_path(stem: str, item: Format) -> str:
    """Return a path of a format: ``talks.gexf``, ``talks.vault``.

    >>> make_default_path("talks", format_named("obsidian"))
    'talks.vault'
    """
    return f"{stem}.{item.suffixes[0].removeprefix('.')}"


def format_of(path: str | os.PathLike[str]) -> Format:
    """Return the format of the suffix of ``path``. Raises ``OutputError`` for an unknown one.

    >>> format_of("a.JSON").name
    'json'
    """
    name = Path(path).name.lower()
    for item in FORMATS:
        if name.endswith(item.suffixes) or (f"{name}/".endswith(item.suffixes) and os.fspath(path).endswith("/")):
            return item
    suffixes = sorted(suffix for item in FORMATS for suffix in item.suffixes)
    other = "use .html, .json, .gexf, .csv or another of `podgraph export -h`"
    remedy = nearest(Path(name).suffix or f".{name}", suffixes) or other
    if name in PROGRAMS:
        item = format_named(name)
        path_there = "vault/" if item.form == "folder" else make_default_path("podgraph", item)
        remedy = f"for that program name it {path_there}"
    raise OutputError("has no suffix that names a format", source=os.fspath(path), remedy=remedy)


def format_named(name: str) -> Format:
    """Return the format with a name, a suffix, or the name of a program that opens it.

    Raises ``OutputError`` for another name.

    >>> format_named("gephi").name
    'gexf'
    """
    word = PROGRAMS.get(name.lower(), name.lower())
    for item in FORMATS:
        if word in {item.name, *item.suffixes} or f".{word}" in item.suffixes:
            return item
    names = sorted([*(item.name for item in FORMATS), *PROGRAMS])
    raise OutputError(f"unknown format {name!r}", remedy=nearest(name, names) or f"use one of {', '.join(names)}")
