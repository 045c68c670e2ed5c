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

from podgraph.extractors import OutputError
from podgraph.graph import PLACES, relation_name

from ..files import output_errors, publish_all
from .rows import cell_text, clean_name, list_evidence, text_of
from .shared.days import day_of, newest_first
from .shared.markdown_text import markdown_line, markdown_link, markdown_paragraphs
from .shared.slug import slug
from .shared.steering import STEERING, clean_text
from .shared.vault_properties import ATTRIBUTES, property_keys, user_properties, with_properties
from .shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .rows import Attributes, Rows

    Values = Mapping[str, Any]

MARKER = "<!-- podgraph: what is above is written anew; properties that you add and what you write below are kept -->"
# The marker, on a line of its own.
# In the words of a feed it never begins a line. Notes of earlier exports may have other words in it.
_MARKER_LINE = re.compile(r"\n<!-- podgraph: what is above [^\n]*? -->")
# How a note of ours begins, with the id of its node as JSON has it.
_OURS = re.compile(r'---\r?\npodgraph_id: ("(?:[^"\\\n]|\\.)*")\r?\n')
# A property without quotes.
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_INDEX = "podgraph:index"
_INDEX_FILE = "podgraph.md"
# Characters to escape:
# YAML allows no control characters (YAML 1.2, 5.1); JSON's escape also covers those allowed in JSON itself.
_NOT_YAML = re.compile(f"[\u2028\u2029\ufeff\ufffe\uffff{STEERING}]")
_TAKEN = frozenset(
    ("podgraph_id", "tags", "aliases", "cssclasses", "publish", "permalink", "summary", "moment", "rank", *PLACES)
)
# In the words of a wiki link these would end it, or be markup.
_IN_LINK = str.maketrans({"[": "(", "]": ")", "|": "/", "<": "‹", ">": "›", "`": "'", "\\": "/"})  # noqa: RUF001 - meant
# Characters not allowed in a file's name or in a link to it; two underscores break links.
_NOT_A_FILE = re.compile(
    "[" + STEERING + r"\x00-\x1f\\/:*?\"<>|#^\[\]%`${}=~\u061c\u2028\u2029\u200e\u200f\ufffd-\uffff]"
)
_RUNS = re.compile("_{2,}")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|\.*", re.IGNORECASE)
_LONGEST_NAME = 60  # letters, of four bytes at most
_ALWAYS = ("podcast", "episode", "topic")
_NAMING = ("cites", "mentions", "about", "listen_first", "see_also")
_COMMENT = re.compile("%%+")  # begins a comment, in a link too
_PLAIN = ("part_of", "in_repo", "in_folder")  # these need no reason


def label_of(attrs: Attributes, node: str) -> str:
    """Return the name of a node for readers: its title, else its label, else its id."""
    for name in ("title", "label"):
        if isinstance(text := attrs.get(name), str) and text.strip():
            return clean_text(text)
    return node


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
        our_notes = _our_notes(vault)
        keys = _own_properties(rows)
        paths: set[Path] = set()
        changed: dict[Path, bytes] = {}
        saved = {node: file.relative_to(vault).as_posix() for file, node in sorted(our_notes.items(), reverse=True)}

        def is_others(name: str) -> bool:
            file = vault / name
            return file not in our_notes and os.path.lexists(file) and not _is_taken_over(file)

        for node, name, text in _notes(rows, note_paths(rows, saved, is_others, all=all), all=all):
            file = vault / name
            paths.add(file)
            if file not in our_notes:
                if not os.path.lexists(file):
                    changed[file] = text.encode()
                elif not _is_taken_over(file):
                    remedy = "move it, or name another vault"
                    raise OutputError("is not a note of podgraph", source=str(file), remedy=remedy)
            elif our_notes[file] == node:
                data = file.read_bytes()
                new = _updated(data, text, keys.get(node, set()))
                if new != data:
                    changed[file] = new
        ours = ATTRIBUTES.union(*keys.values())
        gone = [file for file in our_notes if file not in paths and _is_untouched(file, ours)]
        publish_all(changed, gone, inside=vault)


def _updated(data: bytes, text: str, keys: set[str]) -> bytes:
    """Return a note with a new ``text`` and the user's part. A note without a marker stays unchanged."""
    before = data.decode("utf-8", "surrogateescape")
    marker = _MARKER_LINE.search(before)
    if not marker:
        return data
    whole = with_properties(text, user_properties(before[: marker.start()], property_keys(text) | keys))
    return (whole.removesuffix("\n") + (before[marker.end() :] or "\n")).encode("utf-8", "surrogateescape")


def note_paths(
    rows: Rows,
    saved: Mapping[str, str] | None = None,
    is_others: Callable[[str], bool] = lambda _: False,
    *,
    all: bool = False,  # noqa: A002 - the name of the option
) -> dict[str, str]:
    """Return the path of each node's note in the vault, by id; ``saved`` are the paths of existing notes.

    ``is_others`` returns whether a path is taken by a note of the user.

    All names differ, without regard to folder and case, because links contain only names.
    """
    citing: dict[str, set[str]] = {}
    posts: set[str] = set()
    for source, target, relation, edge in rows.edges():
        if relation in _NAMING:
            posts.add(source)
            if not edge.get("boilerplate"):
                citing.setdefault(target, set()).add(source)
    nodes = {
        id_: (text_of(node, "kind") or "", label_of(node, id_))
        for id_, node in rows.nodes()
        if all or node.get("kind") in _ALWAYS or id_ in posts or len(citing.get(id_, ())) > 1
    }
    paths = {id_: path for id_, path in (saved or {}).items() if id_ in nodes}
    used = {Path(path).stem.casefold() for path in paths.values()} | {Path(_INDEX_FILE).stem}
    for id_, (kind_name, label) in nodes.items():
        if id_ in paths:
            continue
        kind = rows.kinds[kind_name]
        title = _file_name(label)
        folder = _file_name(kind.plural).lower() or "other"
        for free in (title, f"{title} ({_file_name(kind.singular)})", f"{title} ({slug(id_)})", slug(id_)):
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
    name = " ".join(_RUNS.sub("_", name).split())[:_LONGEST_NAME].strip(" .")
    if name.lower().endswith(".md"):  # a link would take it for the file's suffix
        name = f"{name[:-3]} md"
    return "" if _DEVICE.fullmatch(name) else name


def _our_notes(vault: Path) -> dict[Path, str]:
    """Return our notes in the vault, with the ids of their nodes. Links are not followed."""
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
    """Return whether the note at our path has the marker but lost its id."""
    if not file.is_file() or file.is_symlink():
        return False
    return bool(_MARKER_LINE.search(file.read_bytes().decode("utf-8", "surrogateescape")))


def _is_untouched(file: Path, ours: frozenset[str]) -> bool:
    text = file.read_bytes().decode("utf-8", "surrogateescape")
    marker = _MARKER_LINE.search(text)
    return bool(marker and not text[marker.end() :].strip() and not user_properties(text[: marker.start()], ours))


def _own_properties(rows: Rows) -> dict[str, set[str]]:
    """Return, for each node, our properties of the notes of its kind, in lower case: any other one is the user's."""
    relations = {"podgraph_id", "aliases", "tags", "moment"} | {_property(name).lower() for name in rows.relations()}
    kinds: dict[object, set[str]] = {}
    found: dict[str, set[str]] = {}
    for id_, node in rows.nodes():
        found[id_] = kinds.setdefault(text_of(node, "kind"), set(relations))
        found[id_].update(map(str.lower, node))
    return found


def _notes(rows: Rows, paths: Mapping[str, str], *, all: bool) -> Iterator[tuple[str, str, str]]:  # noqa: A002
    """Yield (node id, path, text) of each note, and of the index. Boilerplate is included only with ``all``."""
    names = {
        id_: _Called(label_of(node, id_), Path(paths[id_]).stem if id_ in paths else "", node.get("url"))
        for id_, node in rows.nodes()
    }
    out: dict[str, list[_Tie]] = {}
    into: dict[str, list[_Tie]] = {}
    for source, target, relation, edge in rows.edges():
        if not all and edge.get("boilerplate"):
            continue
        weight = weight if isinstance(weight := edge.get("weight"), int | float) else 0
        quote = _quote(relation, edge)
        if source in paths:
            out.setdefault(source, []).append(_Tie(relation, target, quote, weight))
        if target in paths:
            into.setdefault(target, []).append(_Tie(relation, source, quote, weight))
    episodes: dict[str, Values] = {}
    columns = rows.node_columns(lists=True)
    for node, row in rows.flat_nodes(columns):
        if node not in paths:
            continue
        values = {column.name: value for column, value in zip(columns, row, strict=True) if value is not None}
        if values.get("kind") == "episode":
            episodes[node] = {name: values[name] for name in ("date", "number", "podcast", "season") if name in values}
        yield node, paths[node], _note(node, names, values, out.pop(node, []), into.pop(node, []))
    yield _INDEX, _INDEX_FILE, _index(names, episodes)


def _index(names: Mapping[str, _Called], episodes: dict[str, Values]) -> str:
    days = {node: day_of(values.get("date")) for node, values in episodes.items()}
    lines = [f"- {_link(node, names)}{f' ({day})' if (day := days[node]) else ''}" for node in newest_first(episodes)]
    head = f"---\npodgraph_id: {_yaml(_INDEX)}\n---\n# Episodes\n"
    return "\n".join([head, *lines, "", MARKER, ""])


def _note(node: str, names: Mapping[str, _Called], values: Values, out: list[_Tie], into: list[_Tie]) -> str:
    """Return the note of a node: properties, title, links to its page and its recording, text, connections.

    ``out`` and ``into`` are the edges from and to the node.
    """
    title = names[node].title
    properties = [*_properties(node, title, values), *_relations(out, names, values)]
    lines = ["---", *properties, "---", f"# {markdown_line(title)}", ""]
    link_fields = (("Open", "url"), ("Listen", "audio_url"))
    links = [(word, url) for word, key in link_fields if (url := web_link(values.get(key)))]
    if links:
        lines += [" · ".join(markdown_link(word, url) for word, url in links), ""]
    summary = values.get("summary")
    if isinstance(summary, str):
        lines += [markdown_paragraphs(summary), ""]
    return "\n".join([*lines, *_connections(out, into, names), MARKER, ""])


def _connections(out: list[_Tie], into: list[_Tie], names: Mapping[str, _Called]) -> Iterator[str]:
    """Yield the lines of a note's connections, under a heading for each relation: each once, best first.

    A relation with one name for both directions, such as “related to”, has one heading.
    """
    groups: dict[str, list[_Tie]] = {}
    for backwards, ties in enumerate((out, into)):
        for tie in ties:
            title = relation_name(tie.relation, backwards=bool(backwards)).capitalize()
            groups.setdefault(title, []).append(tie)
    for title, ties in groups.items():
        lines: dict[str, str] = {}
        for _, other, quote, _ in sorted(ties, key=_strength):
            said = f" — {markdown_line(quote)}" if quote and quote != names[other].title else ""
            lines.setdefault(other, f"- {_link(other, names)}{said}")
        yield from (f"## {markdown_line(title)}", "", *lines.values(), "")


def _properties(node: str, name: str, values: Values) -> Iterator[str]:
    """Yield the lines of a note's properties. Attributes with a name in ``_TAKEN`` are left out."""
    yield f"podgraph_id: {_yaml(node)}"
    aliases = values.get("aliases")
    names = dict.fromkeys((name, values.get("label"), *(aliases if isinstance(aliases, list) else ())))
    yield f"aliases: {_yaml([item for item in names if isinstance(item, str)])}"
    # Characters of a kind's name not allowed in a tag.
    kind = re.sub(r"[^a-z0-9]+", "-", cell_text(values.get("kind", "thing")).lower()).strip("-")
    yield f"tags: {_yaml(['podgraph/' + (kind or 'thing')])}"
    day = day_of(values.get("date"))
    reserved = _TAKEN | {"date"} if day else _TAKEN
    for key, value in values.items():
        if key not in reserved and key.lower() not in _TAKEN:
            yield f"{key if _WORD.fullmatch(key) else _yaml(key)}: {_yaml(value)}"
    if day:
        yield f"date: {day.isoformat()}"
        yield f"moment: {_yaml(values['date'])}"


def _yaml(value: object) -> str:
    """Return a scalar or a list of texts as YAML, in the form common to it and JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _NOT_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _relations(out: list[_Tie], names: Mapping[str, _Called], values: Values) -> Iterator[str]:
    """Yield a property for each relation, with the links to all notes, for Bases and Dataview to ask."""
    groups: dict[str, list[str]] = {}
    taken = {key.lower() for key in values} | _TAKEN | {"date"}
    for relation, other, _, _ in sorted(out, key=_strength):
        key = _property(relation)
        if names[other].file and key.lower() not in taken:
            groups.setdefault(key, []).append(f"[[{names[other].file}]]")
    for key, links in groups.items():
        yield f"{key if _WORD.fullmatch(key) else _yaml(key)}: {_yaml(list(dict.fromkeys(links)))}"


def _property(relation: str) -> str:
    """Return a relation as the name of a property: some editors take no more than words."""
    return clean_name(clean_text(relation))[:_LONGEST_NAME]


def _link(node: str, names: Mapping[str, _Called]) -> str:
    """Return a link to a node's note, or to its address when it has none."""
    title, file, url = names[node]
    if not file:
        return markdown_link(title, url)
    shown = _COMMENT.sub("%", " ".join(title.translate(_IN_LINK).split()))
    return f"[[{file}|{shown or file}]]" if shown != file else f"[[{file}]]"


class _Called(NamedTuple):
    """A node's name, the file of its note without the suffix ("": it has no note), and its address."""

    title: str
    file: str
    url: object


class _Tie(NamedTuple):
    """One connection of a node: the relation, the other node's id, the reasons and the weight."""

    relation: str
    other: str
    quote: str
    weight: float


def _strength(tie: _Tie) -> float:
    return -tie.weight


def _quote(relation: str, edge: Attributes) -> str:
    """Return why an edge is there: the words of its first evidence, or its first reason."""
    evidence, reasons = list_evidence(edge), edge.get("reasons")
    if evidence:
        return text_of(evidence[0], "quote") or ""
    if relation in _PLAIN or not isinstance(reasons, list) or not reasons or not isinstance(reasons[0], str):
        return ""
    return clean_text(reasons[0])
