"""The list of formats.

A format is a module of this folder with two public functions: ``to_x(graph)``, pure, and ``write_x(graph, path)``
for writing all or nothing. A module and its libraries are imported on first use.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from podgraph.extractors import OutputError, load_plugins, nearest


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a graph.

    ``module`` is the module's name (after a dot: a file in this folder), ``to`` and ``write`` are its functions, and
    ``read`` the function for reading the graph again, or "". ``options`` are keyword arguments of ``to`` and ``write``.
    ``members`` are the files of a format for a folder, ``siblings`` the suffixes of a format for
    several files side by side. ``mapped``: the format needs the layout. ``needs`` is a library
    from the extra ``extra``. ``text``: the files are text, compressed by gzip when the path ends in
    ``.gz``. ``marks`` are patterns, one a file, to recognise a file of ours: it may be replaced. Without
    patterns every file may be replaced.
    """

    name: str
    suffixes: tuple[str, ...]
    description: str
    module: str
    to: str
    write: str
    read: str = ""
    options: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    in_place: bool = False
    mapped: bool = False
    needs: str = ""
    extra: str = ""
    text: bool = False
    marks: tuple[str, ...] = ()

    @property
    def endings(self) -> tuple[str, ...]:
        """The possible suffixes of a path in this format; for texts also with ``.gz``."""
        packed = [f"{suffix}.gz" for suffix in self.suffixes if self.text and not suffix.endswith(".gz")]
        return tuple(dict.fromkeys((*self.suffixes, *packed)))

    @property
    def folder(self) -> bool:
        """Whether the format writes a folder rather than a file."""
        return self.in_place or (bool(self.members) and not self.siblings)

    def door(self, name: str) -> Any:
        """Load the format's module and return its function ``name``. Raises ``OutputError`` without it."""
        try:
            return getattr(import_module(self.module, __package__), name)
        except (ImportError, AttributeError) as error:
            raise OutputError(f"cannot be loaded: {error}", source=f"format {self.name}") from error


_EPISODE_LINE = r'\A\{"id":"(?:[^"\\]|\\.)*","kind":"'  # how episodes.jsonl begins

FORMATS: tuple[Format, ...] = (
    Format(
        "html", (".html", ".htm"), "interactive page", ".html_page", "to_html", "write_html",
        options=("title", "description", "accent", "logo", "site_url"),
        text=True, mapped=True,
        marks=(r'<meta name="referrer" content="no-referrer">\s*<meta name="color-scheme" content="light',),
    ),
    Format(
        "site", ("site",), "static site: a page an episode, topic, person, source and route; updates in place",
        "..site.site", "to_site", "write_site", in_place=True, mapped=True,
        options=("title", "description", "accent", "logo", "site_url", "css", "templates", "publish_private"),
    ),
    Format(
        "svg", (".svg",), "picture of the map's atlas, or of all, for READMEs and slides", ".svg",
        "to_svg", "write_svg", text=True, mapped=True, marks=("<!-- podgraph -->",),
    ),
    Format(
        "json", (".json", ".json.gz"), "node-link JSON for networkx and D3; lossless", ".node_link",
        "to_json", "write_json", "read_json",
        text=True, mapped=True, marks=(r'\A\{"directed": true, "multigraph": true,\n"graph": \{',),
    ),
    Format(
        "graphml", (".graphml",), "GraphML for igraph, Cytoscape, yEd", ".graphml",
        "to_graphml", "write_graphml",
        text=True, mapped=True, marks=('<key id="v0" for="node" attr.name="name" attr.type="string"/>',),
    ),
    Format(
        "gexf", (".gexf",), "GEXF 1.3 for Gephi, Gephi Lite", ".gexf", "to_gexf", "write_gexf",
        text=True, mapped=True, marks=(r'<description>\{"graph":',),
    ),
    Format(
        "dot", (".dot", ".gv"), "DOT for Graphviz", ".dot", "to_dot", "write_dot",
        text=True, marks=(r'\Adigraph "podgraph" \{',),
    ),
    Format(
        "csv", (".nodes.csv", ".edges.csv", ".csv"), "a pair of tables in UTF-8 for pandas, Gephi, spreadsheets",
        ".csv_pair", "to_csv", "write_csv", text=True,
        members=("nodes.csv", "edges.csv"), siblings=(".nodes.csv", ".edges.csv"),
        marks=(r'\A"id","label","kind","url","title","date",', r'\A"id","source","target","type","relation",'),
    ),
    Format(
        "cypher", (".cypher", ".cql"), "Cypher script for Neo4j", ".cypher",
        "to_cypher", "write_cypher", text=True,
        marks=(r"\A// Run it with cypher-shell",),
    ),
    Format(
        "sqlite", (".sqlite", ".sqlite3", ".db"), "SQLite for SQL, Datasette, quick questions about big graphs",
        ".sqlite", "to_sqlite", "write_sqlite", "read_sqlite",
        marks=(r"\ASQLite format 3\0.{52}podg",),  # its application id
    ),
    Format(
        "parquet", (".nodes.parquet", ".edges.parquet", ".parquet"),
        "a table of citations, with nodes and edges beside it, for pandas, Polars, DuckDB", ".parquet",
        "to_parquet", "write_parquet", siblings=(".parquet", ".nodes.parquet", ".edges.parquet"),
        marks=("podgraph",) * 3, needs="pyarrow", extra="parquet",
    ),
    Format(
        "jsonl", (".nodes.jsonl", ".edges.jsonl", ".jsonl"),
        "an episode a line with text, citations, quotes; nodes and edges beside it", ".jsonl",
        "to_jsonl", "write_jsonl", text=True,
        members=("episodes.jsonl", "nodes.jsonl", "edges.jsonl"), siblings=(".jsonl", ".nodes.jsonl", ".edges.jsonl"),
        marks=(_EPISODE_LINE, r'\A\{"id":"', r'\A\{"source":"'),
    ),
    Format(
        "vault", ("vault",), "vault of notes for Obsidian, Logseq; updates in place", ".obsidian",
        "to_obsidian", "write_obsidian", in_place=True,
    ),
    Format(
        "bib", (".bib",), "episodes, papers and posts to cite", ".bibtex", "to_bibtex", "write_bibtex",
        text=True, marks=(r"\A@misc\{[a-z0-9-]+,\n  title = \{\{",),
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


def format_of(path: str | os.PathLike[str], known: Iterable[Format] = FORMATS) -> Format:
    """Return the format of the suffix of ``path``; the longest suffix wins.

    Raises ``OutputError`` with the known suffixes for an unknown one.

    >>> format_of("a.JSON.gz").name
    'json'
    """
    name = Path(path).name.lower()
    known = tuple(known)
    fitting = [(len(s), item) for item in known for s in item.endings if name.endswith(s)]
    if not fitting:
        suffixes = sorted(suffix for item in known for suffix in item.suffixes)
        remedy = (
            nearest(Path(name).suffix or f".{name}", suffixes)
            or "use .html, .json, .gexf, .csv or another of `podgraph export -h`"
        )
        if name in PROGRAMS:
            suffix = format_named(name).suffixes[0]
            remedy = f"for {name.capitalize()} name it {f'podgraph{suffix}' if suffix[0] == '.' else f'{suffix}/'}"
        raise OutputError("has no suffix that names a format", source=os.fspath(path), remedy=remedy)
    return max(fitting, key=lambda pair: pair[0])[1]


def format_named(name: str, known: Iterable[Format] = FORMATS) -> Format:
    """Return the format with a name, a suffix, or the name of a program that opens it.

    Raises ``OutputError`` for another name.

    >>> format_named("gephi").name
    'gexf'
    """
    known = tuple(known)
    wanted = PROGRAMS.get(name.lower(), name.lower())
    for item in known:
        if wanted in {item.name, *item.suffixes} or f".{wanted}" in item.suffixes:
            return item
    names = sorted([*(item.name for item in known), *PROGRAMS])
    remedy = nearest(name, names) or f"use one of {', '.join(names)}"
    raise OutputError(f"unknown format {name!r}", remedy=remedy)
