"""A vault of Markdown notes, for Obsidian and Logseq: one note a node, with its text, links, aliases and properties.

A note has the name of its node, in the folder of its kind; a number follows only where two names are equal. An
existing note is recognised by its ``podgraph_id`` and keeps its name. The text of a note lists its connections, and so
do its properties, one for each relation, for Bases and Dataview. Without ``all`` only episodes, posts, topics, podcasts
and nodes mentioned in two of them have notes; other artifacts are links to their addresses, and boilerplate is absent.

An export into an existing vault updates it. The user's text below the marker and the user's own properties stay, and
unchanged notes are not written again. A note whose node is gone is removed only without such text and properties.
A note without the marker, or without its ``podgraph_id``, belongs to the user and is never changed.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from podgraph.graph import PLACES, RELATIONS, NodeAttributes, relation_name

from ..files import output_errors, publish_all
from .rows import cell_text, clean_name, list_evidence, name_of, text_of
from .shared.days import day_of, newest_first
from .shared.markdown_text import markdown_line, markdown_link, markdown_paragraphs
from .shared.slug import slug
from .shared.steering import STEERING, clean_text
from .shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .rows import Attributes, Rows

MARKER = "<!-- podgraph: what is above is written anew; properties that you add and what you write below are kept -->"
_FENCE = "\n---\n"
# How a note of ours begins, with the id of its node as JSON has it.
_OURS = re.compile(r'---\r?\npodgraph_id: ("(?:[^"\\\n]|\\.)*")\r?\n')
_INDEX = ("podgraph:index", "podgraph.md")  # id and path
# YAML allows no control characters (YAML 1.2, 5.1); JSON's escape also covers those allowed in JSON itself.
_NOT_YAML = re.compile(f"[\u2028\u2029\ufeff\ufffe\uffff{STEERING}]")
_HIDDEN = {"podgraph_id", "tags", "aliases", "cssclasses", "publish", "permalink", "summary", "moment", "rank", *PLACES}
# Characters not allowed in a file's name or in a link to it.
_NOT_A_FILE = re.compile(r"[\x00-\x1f\\/:*?\"<>|#^\[\]%`${}=~\u061c\u2028\u2029\u200e\u200f\ufffd-\uffff]")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|\.*", re.IGNORECASE)
_NAMING = ("cites", "mentions", "about", "listen_first", "see_also")


class _Name(NamedTuple):
    """A node's name, the file of its note without the suffix ("": it has no note), and its address."""

    title: str
    file: str
    url: object


class _Link(NamedTuple):
    """One connection of a node: the relation, its name for readers, the other node, the reason and the weight."""

    relation: str
    heading: str
    other: str
    quote: str
    weight: float


def to_notes(rows: Rows, *, all: bool = False) -> dict[str, str]:  # noqa: A002 - the name of the option
    """Return the notes of a graph by their paths in the vault, without the user's own text.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap", aliases=["batching"])
    >>> print(to_notes(Rows(graph))["topics/vmap.md"])
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
    return {path: text for _, path, text in _notes(rows, note_paths(rows, all=all), all=all)}


def write_vault(rows: Rows, path: str | os.PathLike[str], *, all: bool = False) -> None:  # noqa: A002
    """Write, or update, the vault in the folder ``path``. Raises ``OutputError``.

    Everything is prepared before the first note is replaced, and each note is replaced in one step.
    """
    vault = Path(os.path.realpath(path))
    with output_errors(os.fspath(path)):
        our_notes = _find_our_notes(vault)
        saved = {node: file.relative_to(vault).as_posix() for file, node in sorted(our_notes.items(), reverse=True)}
        paths: set[Path] = set()
        changed: dict[Path, bytes] = {}

        def is_others(name: str) -> bool:
            return vault / name not in our_notes and os.path.lexists(vault / name)

        for node, name, text in _notes(rows, note_paths(rows, saved, is_others, all=all), all=all):
            file = vault / name
            paths.add(file)
            before = file.read_bytes() if our_notes.get(file) == node else None
            after = text.encode() if before is None else _update(before, text)
            if after != before and not is_others(name):
                changed[file] = after
        gone = [file for file in our_notes if file not in paths and _is_untouched(file.read_bytes())]
        publish_all(changed, gone, inside=vault)


def _find_our_notes(vault: Path) -> dict[Path, str]:
    """Return our notes in the vault, with the ids of their nodes. Links are not followed."""
    notes = {}
    for file in [*vault.glob("*/*.md"), vault / _INDEX[1]]:
        if file.is_file() and not file.is_symlink() and not file.parent.is_symlink():
            with file.open("rb") as stream:
                head = _OURS.match((stream.readline(9) + stream.readline()).decode("utf-8", "replace"))
            if head:
                notes[file] = str(json.loads(head[1]))
    return notes


def _update(before: bytes, text: str) -> bytes:
    """Return a note with a new ``text`` and the user's part. A note without a marker stays unchanged."""
    old, marker, below = before.decode("utf-8", "surrogateescape").partition("\n" + MARKER)
    if not marker:
        return before
    head, fence, body = text.partition(_FENCE)
    names = {line.partition(":")[0].strip("\"'").lower() for line in head.split("\n")} | {
        "moment",
        "rank",
        *PLACES,
        *RELATIONS,
    }
    whole = "\n".join([head, *_user_properties(old, names)]) + fence + body.removesuffix("\n") + (below or "\n")
    return whole.encode("utf-8", "surrogateescape")


def _is_untouched(data: bytes) -> bool:
    """Return whether a note has no text and no properties of the user."""
    ours = {"podgraph_id", "aliases", "tags", "moment", *NodeAttributes.__annotations__, *PLACES, *RELATIONS}
    old, marker, below = data.decode("utf-8", "surrogateescape").partition("\n" + MARKER)
    return bool(marker) and not below.strip() and not _user_properties(old, ours)


def _user_properties(note: str, ours: set[str]) -> list[str]:
    """Return the lines of a note's properties whose lower-case names are not ``ours``.

    A property is all the lines from its name to the next name: the names begin a line (YAML 1.2, 8.2.2).
    """
    head, fence, _ = note.replace("\r\n", "\n").partition(_FENCE)
    lines: list[str] = []
    comments: list[str] = []
    is_users = False
    for line in head.split("\n")[1:] if fence else ():
        if line.startswith("#"):  # it belongs to the property below
            comments.append(line)
            continue
        if line[:1].strip() and line[0] != "-":
            is_users = line.partition(":")[0].strip("\"'").lower() not in ours
        if is_users:
            lines += [*comments, line]
        comments = []
    return lines


def note_paths(
    rows: Rows,
    saved: Mapping[str, str] | None = None,
    is_others: Callable[[str], bool] = lambda _: False,
    *,
    all: bool = False,  # noqa: A002 - the name of the option
) -> dict[str, str]:
    """Return the path of each node's note in the vault, by id; ``saved`` are the paths of existing notes.

    ``is_others`` returns whether a path is taken by a file of the user. All names differ, without regard to folder and
    case, because links contain only names.
    """
    citing: dict[str, set[str]] = {}
    posts: set[str] = set()
    for source, target, relation, edge in rows.edges():
        if relation in _NAMING:
            posts.add(source)
            if not edge.get("boilerplate"):
                citing.setdefault(target, set()).add(source)
    paths: dict[str, str] = {}
    names: dict[str, tuple[str, str]] = {}
    for id_, node in rows.nodes():
        kind = text_of(node, "kind") or ""
        if not (all or kind in {"podcast", "episode", "topic"} or id_ in posts or len(citing.get(id_, ())) > 1):
            continue
        if saved and id_ in saved:
            paths[id_] = saved[id_]
        else:
            names[id_] = (kind, _file_name(name_of(node, id_)))
    used = {Path(path).stem.casefold() for path in (*paths.values(), _INDEX[1])}
    for id_, (kind, title) in names.items():
        folder = _file_name(rows.kinds[kind].plural).lower() or "other"
        own = slug(id_)
        for free in (title, f"{title} ({_file_name(rows.kinds[kind].singular)})", f"{title} ({own})", own):
            if title and free.casefold() not in used and not is_others(f"{folder}/{free}.md"):
                break
        used.add(free.casefold())
        paths[id_] = f"{folder}/{free}.md"
    return paths


def _file_name(text: str) -> str:
    """Return a text as a file name for every system and for links; "" when no character remains.

    >>> _file_name("What's C++: __torch_function__?"), _file_name("../a|b"), _file_name("con")
    ("What's C++ _torch_function_", '-a b', '')
    """
    name = _NOT_A_FILE.sub(" ", unicodedata.normalize("NFC", text).replace("/", "-").replace("&", " and "))
    name = " ".join(re.sub("_{2,}", "_", name).split())[:60].strip(" .")  # two underscores break links
    if name.lower().endswith(".md"):  # a link would take it for the file's suffix
        name = f"{name[:-3]} md"
    return "" if _DEVICE.fullmatch(name) else name


def _notes(rows: Rows, paths: Mapping[str, str], *, all: bool) -> Iterator[tuple[str, str, str]]:  # noqa: A002
    """Yield (node id, path, text) of each note, and of the index. Boilerplate is included only with ``all``."""
    names: dict[str, _Name] = {}
    for id_, node in rows.nodes():
        names[id_] = _Name(name_of(node, id_).strip() or id_, Path(paths.get(id_, "")).stem, node.get("url"))
    links: dict[str, list[_Link]] = {}
    for is_backwards in (False, True):
        for source, target, relation, edge in rows.edges():
            id_, other = (target, source) if is_backwards else (source, target)
            if id_ in paths and (all or not edge.get("boilerplate")):
                weight = weight if isinstance(weight := edge.get("weight"), int | float) else 0
                heading = relation_name(relation, backwards=is_backwards).capitalize()
                link = _Link("" if is_backwards else relation, heading, other, _find_quote(relation, edge), weight)
                links.setdefault(id_, []).append(link)
    episodes: dict[str, Mapping[str, Any]] = {}
    columns = rows.node_columns(lists=True)
    for id_, row in rows.flat_nodes(columns):
        if id_ in paths:
            values = {column.name: value for column, value in zip(columns, row, strict=True) if value is not None}
            if values.get("kind") == "episode":
                episodes[id_] = {key: values[key] for key in ("date", "number", "podcast", "season") if key in values}
            yield id_, paths[id_], _note(id_, names, values, links.pop(id_, []))
    lines = ["---", f"podgraph_id: {_yaml(_INDEX[0])}", "---", "# Episodes", ""]
    for id_ in newest_first(episodes):
        day = day_of(episodes[id_].get("date"))
        lines.append(f"- {_link(names[id_])}{f' ({day})' if day else ''}")
    yield *_INDEX, "\n".join([*lines, "", MARKER, ""])


def _note(node: str, names: Mapping[str, _Name], values: Attributes, links: list[_Link]) -> str:
    """Return the note of a node: properties, title, links to its page and its recording, text, connections."""
    links.sort(key=lambda link: -link.weight)
    lines = ["---", *_properties(node, names, values, links), "---", f"# {markdown_line(names[node].title)}", ""]
    pages = [("Open", web_link(values.get("url"))), ("Listen", web_link(values.get("audio_url")))]
    if addresses := " · ".join(markdown_link(word, url) for word, url in pages if url):
        lines += [addresses, ""]
    if isinstance(summary := values.get("summary"), str):
        lines += [markdown_paragraphs(summary), ""]
    headings: dict[str, dict[str, str]] = {}  # a relation with one name for both directions has one heading
    for link in sorted(links, key=lambda link: not link.relation):
        headings.setdefault(link.heading, {})
    for link in links:
        other = names[link.other]
        reason = f" — {markdown_line(link.quote)}" if link.quote and link.quote != other.title else ""
        headings[link.heading].setdefault(link.other, f"- {_link(other)}{reason}")
    for heading, items in headings.items():
        lines += [f"## {markdown_line(heading)}", "", *items.values(), ""]
    return "\n".join([*lines, MARKER, ""])


def _properties(node: str, names: Mapping[str, _Name], values: Attributes, links: list[_Link]) -> Iterator[str]:
    """Yield the lines of a note's properties; each relation is one, with the links to all notes."""
    yield f"podgraph_id: {_yaml(node)}"
    aliases = values.get("aliases")
    called = [names[node].title, values.get("label"), *(aliases if isinstance(aliases, list) else ())]
    yield f"aliases: {_yaml([*dict.fromkeys(name for name in called if isinstance(name, str))])}"
    kind = re.sub(r"[^a-z0-9]+", "-", cell_text(values.get("kind", "thing")).lower()).strip("-") or "thing"
    yield f"tags: {_yaml([f'podgraph/{kind}'])}"
    day = day_of(values.get("date"))
    properties: dict[str, object] = {key: value for key, value in values.items() if key.lower() not in _HIDDEN}
    if day:
        properties |= {"date": day, "moment": values["date"]}
    reserved = {key.lower() for key in values} | _HIDDEN | {"date"}
    notes: dict[str, dict[str, None]] = {}
    for link in links:
        key = clean_name(link.relation)[:60]
        if link.relation and names[link.other].file and key.lower() not in reserved:
            notes.setdefault(key, {})[f"[[{names[link.other].file}]]"] = None
    properties |= {key: [*found] for key, found in notes.items()}
    for key, value in properties.items():
        name = key if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", key) else _yaml(key)
        yield f"{name}: {day.isoformat() if day and key == 'date' else _yaml(value)}"


def _yaml(value: object) -> str:
    """Return a scalar or a list of texts as YAML, in the form common to it and JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _link(name: _Name) -> str:
    """Return a link to a node's note, or to its address when it has none."""
    if not name.file:
        return markdown_link(name.title, name.url)
    # In the words of a wiki link these would end it, or be markup.
    words = str.maketrans({"[": "(", "]": ")", "|": "/", "<": "‹", ">": "›", "`": "'", "\\": "/"})  # noqa: RUF001
    shown = re.sub("%%+", "%", " ".join(name.title.translate(words).split()))
    return f"[[{name.file}|{shown or name.file}]]" if shown != name.file else f"[[{name.file}]]"


def _find_quote(relation: str, edge: Attributes) -> str:
    """Return why an edge is there: the words of its first evidence, or its first reason."""
    if evidence := list_evidence(edge):
        return text_of(evidence[0], "quote") or ""
    reasons = edge.get("reasons")
    needs_none = relation in {"part_of", "in_repo", "in_folder"}
    return clean_text(str(reasons[0])) if isinstance(reasons, list) and reasons and not needs_none else ""
