"""A vault of Markdown notes, for Obsidian and Logseq: one a node, with its text, links, aliases and properties.

A note's file depends on the node's id alone, and its folder is the id's first word. An export into a vault that
is there updates it: what the user wrote below the marker and the properties that the user added stay, notes that
did not change are not touched, and of the notes whose nodes are gone only those without either are removed. A note
without the marker, or in which the user took out the ``podgraph_id``, belongs to the user and is left alone.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import OutputError
from podgraph.graph import relation_name

from ..files import output_errors, publish_all
from .report import label_of
from .shared.days import day_of, newest_first
from .shared.flatten import Column, clean_text, flatten, parse_scalar, scalar_text, values_of
from .shared.markdown_text import markdown_line, markdown_link, markdown_paragraphs
from .shared.slug import slug
from .shared.vault_properties import ATTRIBUTES, property_keys, user_properties, with_properties

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .shared.flatten import Row, Values
    from .shared.plain import Graph

    Links = dict[str, list[tuple[str, str, str]]]

MARKER = "<!-- podgraph: what is above is written anew; properties that you add and what you write below are kept -->"
# The marker, on a line of its own.
# In the words of a feed it never begins a line. Notes of earlier exports may have other words in it.
_MARKER_LINE = re.compile(r"\n<!-- podgraph: what is above [^\n]*? -->")
# How a note of ours begins, with the id of its node as JSON has it.
_OURS = re.compile(r'---\r?\npodgraph_id: ("(?:[^"\\\n]|\\.)*")\r?\n')
# A property that needs no quotes.
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
# The first word of an id that may name a folder.
_FOLDER = re.compile(r"[a-z][a-z0-9]{0,30}")
_INDEX = "podgraph:index"
_INDEX_FILE = "podgraph.md"
# What has to be escaped:
# YAML prints no control characters (YAML 1.2, 5.1); what JSON leaves bare is escaped in its way.
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_TAKEN = frozenset(
    {"podgraph_id", "tags", "aliases", "cssclasses", "publish", "permalink", "summary", "moment", "x", "y"}
)
# In the words of a wiki link these would end it, or be markup.
_IN_LINK = str.maketrans({"[": "(", "]": ")", "|": "/", "<": "‹", ">": "›", "`": "'", "\\": "/"})  # noqa: RUF001 - meant
_COMMENT = re.compile("%%+")  # begins a comment, in a link too
_PLAIN = {("part_of", "reasons"), ("in_repo", "reasons"), ("in_folder", "reasons")}  # these go without saying


def to_obsidian(graph: Graph) -> dict[str, str]:
    """Return the notes of ``graph`` by their paths in the vault, without anything a user wrote.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap", aliases=["batching"])
    >>> print(to_obsidian(graph)["topic/topic-vmap.md"])
    ---
    podgraph_id: "topic:vmap"
    aliases: ["vmap","batching"]
    tags: ["podgraph/topic"]
    kind: "topic"
    label: "vmap"
    ---
    # vmap
    <BLANKLINE>
    <!-- podgraph: what is above is written anew; properties that you add and what you write below are kept -->
    <BLANKLINE>
    """
    return {path: text for _, path, text in _notes(graph)}


def write_obsidian(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write, or update, the vault in the folder ``path``. Raises ``OutputError``.

    Everything is prepared before the first note is replaced, and each note is replaced in one step.
    """
    vault = Path(os.path.realpath(path))
    with output_errors(os.fspath(path)):
        there = _our_notes(vault)
        keys = _keys(graph)
        wanted: set[Path] = set()
        changed: dict[Path, bytes] = {}
        for node, name, text in _notes(graph):
            file = vault / name
            wanted.add(file)
            old = there.get(file)
            if old is None:
                if os.path.lexists(file):
                    if _is_taken_over(file):
                        continue
                    remedy = "move it, or name another vault"
                    raise OutputError("is no note of podgraph", source=str(file), remedy=remedy)
                changed[file] = text.encode()
                continue
            data = file.read_bytes()
            new = _updated(data, text, keys.get(_kind(graph, node), set())) if old == node else data
            if new != data:
                changed[file] = new
        ours = set().union(*keys.values()) | ATTRIBUTES
        gone = [file for file in there if file not in wanted and _is_untouched(file, ours)]
        publish_all(changed, gone, inside=vault)


def _updated(data: bytes, text: str, keys: set[str]) -> bytes:
    """Return a note with a new ``text``, what the user wrote kept; a note without a marker is the user's."""
    before = data.decode("utf-8", "surrogateescape")
    marker = _MARKER_LINE.search(before)
    if not marker:
        return data
    whole = with_properties(text, user_properties(before[: marker.start()], property_keys(text) | keys))
    return (whole.removesuffix("\n") + (before[marker.end() :] or "\n")).encode("utf-8", "surrogateescape")


def note_path(node: str) -> str:
    """Return the path of a node's note in the vault.

    >>> note_path("topic:vmap"), note_path("../../etc/passwd")
    ('topic/topic-vmap.md', 'other/etc-passwd-66a3bb8f.md')
    """
    folder = node.partition(":")[0]
    return f"{folder if _FOLDER.fullmatch(folder) and ':' in node else 'other'}/{slug(node)}.md"


def _our_notes(vault: Path) -> dict[Path, str]:
    """Return the notes in the vault that podgraph wrote, with the ids of their nodes; links are not followed."""
    found = {}
    if not vault.is_dir():
        return {}
    for entry in [*vault.glob("*/*.md"), vault / _INDEX_FILE]:
        if entry.is_symlink() or entry.parent.is_symlink() or not entry.is_file():
            continue
        with entry.open("rb") as stream:
            head = _OURS.match((stream.readline(9) + stream.readline()).decode("utf-8", "replace"))
        if head:
            found[entry] = str(json.loads(head[1]))
    return found


def _is_taken_over(file: Path) -> bool:
    """Say whether a note that lies where ours would has lost its id but not its marker."""
    if not file.is_file() or file.is_symlink():
        return False
    return bool(_MARKER_LINE.search(file.read_bytes().decode("utf-8", "surrogateescape")))


def _is_untouched(file: Path, ours: set[str]) -> bool:
    text = file.read_bytes().decode("utf-8", "surrogateescape")
    marker = _MARKER_LINE.search(text)
    return bool(marker and not text[marker.end() :].strip() and not user_properties(text[: marker.start()], ours))


def _keys(graph: Graph) -> dict[str, set[str]]:
    """Return, for each kind, the properties that notes of it have from us: another one is the user's."""
    own = {"podgraph_id", "aliases", "tags", "moment"}
    keys: dict[str, set[str]] = {}
    for node, attributes in graph.nodes(data=True):
        names = (name.lower() for name in attributes if isinstance(name, str))
        keys.setdefault(_kind(graph, node), set(own)).update(names)
    return keys


def _kind(graph: Graph, node: object) -> str:
    kind = graph.nodes[node].get("kind") if node in graph else None
    return kind if isinstance(kind, str) else ""


def _notes(graph: Graph) -> Iterator[tuple[str, str, str]]:
    """Yield (node id, path, text) of each note, and of the index."""
    flat = flatten(graph, lists=True)
    names = {name: label_of(graph.nodes[node], name) for node, name in flat.ids.items()}
    out: Links = {}
    into: Links = {}
    for source, target, relation, row in flat.edges():
        quote = _quote(relation, row, flat.edge_columns)
        out.setdefault(source, []).append((relation, target, quote))
        into.setdefault(target, []).append((relation, source, quote))
    episodes: dict[str, Values] = {}
    for node, row in flat.nodes():
        values = values_of(flat.node_columns, row)
        if values.get("kind") == "episode":
            episodes[node] = {name: values[name] for name in ("date", "number", "podcast", "season") if name in values}
        yield node, note_path(node), _note(node, names, values, out.get(node, []), into.get(node, []))
    yield _INDEX, _INDEX_FILE, _index(names, episodes)


def _index(names: dict[str, str], episodes: dict[str, Values]) -> str:
    days = {node: day_of(values.get("date")) for node, values in episodes.items()}
    lines = [f"- {_link(node, names)}{f' ({day})' if (day := days[node]) else ''}" for node in newest_first(episodes)]
    head = f"---\npodgraph_id: {_yaml(_INDEX)}\n---\n# Episodes\n"
    return "\n".join([head, *lines, "", MARKER, ""])


def _note(
    node: str,
    names: dict[str, str],
    values: Values,
    out: list[tuple[str, str, str]],
    into: list[tuple[str, str, str]],
) -> str:
    lines = ["---", *_properties(node, names[node], values), "---", f"# {markdown_line(names[node])}", ""]
    doors = [(word, values[key]) for word, key in (("Open", "url"), ("Listen", "audio_url")) if key in values]
    if doors:
        lines += [" · ".join(markdown_link(word, url) for word, url in doors), ""]
    if isinstance(summary := values.get("summary"), str):
        lines += [markdown_paragraphs(summary), ""]
    lines += [*_connections(out, names, backwards=False), *_connections(into, names, backwards=True)]
    return "\n".join([*lines, MARKER, ""])


def _connections(pairs: list[tuple[str, str, str]], names: dict[str, str], *, backwards: bool) -> Iterator[str]:
    """Yield the lines of what a note's node is connected to, under a heading for each relation."""
    groups: dict[str, list[str]] = {}
    for relation, other, quote in pairs:
        title = relation_name(relation, backwards=backwards).capitalize()
        said = f" — {markdown_line(quote)}" if quote and quote != names[other] else ""
        groups.setdefault(title, []).append(f"- {_link(other, names)}{said}")
    for title, found in groups.items():
        yield from (f"## {markdown_line(title)}", "", *found, "")


def _properties(node: str, name: str, values: Values) -> Iterator[str]:
    yield f"podgraph_id: {_yaml(node)}"
    aliases = values.get("aliases")
    called = dict.fromkeys((name, values.get("label"), *(aliases if isinstance(aliases, list) else ())))
    yield f"aliases: {_yaml([item for item in called if isinstance(item, str)])}"
    # Of a kind, what a tag cannot hold.
    kind = re.sub(r"[^a-z0-9]+", "-", scalar_text(values.get("kind", "thing")).lower()).strip("-")
    yield f"tags: {_yaml(['podgraph/' + (kind or 'thing')])}"
    day = day_of(values.get("date"))
    taken = _TAKEN | {"date"} if day else _TAKEN
    for key, value in values.items():
        if key not in taken and key.lower() not in _TAKEN:
            yield f"{key if _WORD.fullmatch(key) else _yaml(key)}: {_yaml(value)}"
    if day:
        yield f"date: {day.isoformat()}"
        yield f"moment: {_yaml(values['date'])}"


def _yaml(value: object) -> str:
    """Return a scalar or a list of texts as YAML, in the form that it shares with JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _link(node: str, names: dict[str, str]) -> str:
    shown = _COMMENT.sub("%", " ".join(names[node].translate(_IN_LINK).split()))
    return f"[[{slug(node)}|{shown or node.translate(_IN_LINK)}]]"


def _quote(relation: str, row: Row, columns: tuple[Column, ...]) -> str:
    """Return why an edge is there: the words of its first evidence, or its first reason."""
    for column, value in zip(columns, row, strict=True):
        if value is None or column.name not in {"evidence", "reasons"} or (relation, column.name) in _PLAIN:
            continue
        found = parse_scalar(str(value), "json") if column.type == "json" else value
        first = found[0] if isinstance(found, list) and found else None
        quote = first.get("quote") if isinstance(first, dict) else first
        if isinstance(quote, str):
            return clean_text(quote)
    return ""
