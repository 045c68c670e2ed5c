"""A vault of Markdown notes, for Obsidian and Logseq: one note a node, with its text, links, aliases and properties.

A note has the name of its node, in the folder of its kind; a number follows only where two names are equal. An
existing note is recognised by its ``podgraph_id`` and keeps its name. The text of a note lists its connections, and so
do its properties, one for each relation, for Bases and Dataview. Only episodes, posts, topics, podcasts and nodes
mentioned in two of them have notes; other artifacts are links to their addresses, and boilerplate is absent.

An export into an existing vault updates it. Everything above the marker, the properties too, is written anew, and the
user's text below it stays. Unchanged notes are not written again. A note whose node is gone is removed only without
such text. A note without the marker, or without its ``podgraph_id``, belongs to the user and is never changed.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from podgraph.graph import PLACES, RELATIONS, relation_name

from ..files import output_errors, publish_all
from .rows import Attributes, Rows, find_name, format_cell, get_text, get_weight, list_evidence
from .shared.days import parse_day, sort_newest_first
from .shared.markdown_text import to_markdown_line, to_markdown_link, to_markdown_paragraphs
from .shared.texts import STEERING, clean_text, slug, to_web_link

_Links = defaultdict[str, dict[str, dict[str, str]]]  # node -> heading -> other node -> line

MARKER = "<!-- podgraph: what is above is written anew; what you write below is kept -->"
# How each of our notes begins, with the id of its node as JSON has it.
_OUR_HEAD = re.compile(r'---\r?\npodgraph_id: ("(?:[^"\\\n]|\\.)*")\r?\n')
_INDEX_ID, _INDEX_PATH = "podgraph:index", "podgraph.md"
# Attributes that are not properties of a note.
_HIDDEN = {"podgraph_id", "tags", "aliases", "cssclasses", "publish", "permalink", "summary", "rank", *PLACES}
_CITING = "relation IN ('cites', 'mentions', 'about', 'listen_first', 'see_also')"
_NODES_WITH_NOTE = f"""SELECT id FROM nodes WHERE kind IN ('podcast', 'episode', 'topic')
    UNION SELECT s.id FROM edges JOIN nodes s ON s.n = source WHERE {_CITING}
    UNION SELECT t.id FROM edges JOIN nodes t ON t.n = target WHERE {_CITING} AND boilerplate IS NULL
    GROUP BY t.n HAVING count(DISTINCT source) > 1"""  # noqa: S608 - constants


class _Name(NamedTuple):
    """The parts of a link to a node: its name, the file of its note, and its address.

    ``file`` has no suffix, and is "" for a node without a note.
    """

    title: str
    file: str
    url: object


def _to_heading(relation: str, *, is_back: bool = False) -> str:
    """Return the heading in a note for the edges of a relation; with ``is_back``, for those that lead to the node."""
    return relation_name(relation, backwards=is_back).capitalize()


_HEADINGS = [_to_heading(name, is_back=is_back) for is_back in (False, True) for name in RELATIONS]


def to_notes(
    rows: Rows, old_paths: Mapping[str, str] | None = None, is_others: Callable[[str], bool] = lambda _: False
) -> Iterator[tuple[str, str, str]]:
    """Yield (node id, path, text) for each note, and for the index, without the user's own text.

    ``old_paths`` are {node id: path} of existing notes, which stay. ``is_others(path)`` returns whether a file of the
    user has this path. Paths are relative to the vault.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", label="vmap", aliases=["batching"])
    >>> print(next(to_notes(Rows(graph)))[2])
    ---
    podgraph_id: "topic:vmap"
    aliases: ["vmap","batching"]
    tags: ["podgraph/topic"]
    kind: "topic"
    label: "vmap"
    ---
    # vmap
    <BLANKLINE>
    <!-- podgraph: what is above is written anew; what you write below is kept -->
    <BLANKLINE>
    """
    paths = _choose_paths(rows, old_paths or {}, is_others)
    names = {
        id_: _Name(find_name(node, id_).strip() or id_, Path(paths.get(id_, "")).stem, node.get("url"))
        for id_, node in rows.nodes()
    }
    links = _collect_links(rows, names)
    episodes: dict[str, Mapping[str, Any]] = {}
    for (id_, node), (_, values) in zip(rows.nodes(), rows.flat_nodes(), strict=True):
        if id_ in paths:
            if node.get("kind") == "episode":
                episodes[id_] = {key: node[key] for key in ("date", "number", "podcast", "season") if key in node}
            yield id_, paths[id_], _to_note(id_, names, values, links.pop(id_, {}))
    lines = ["---", f"podgraph_id: {_to_yaml(_INDEX_ID)}", "---", "# Episodes", ""]
    for id_ in sort_newest_first(episodes):
        day = parse_day(episodes[id_].get("date"))
        lines.append(f"- {_to_link(names[id_])}{f' ({day})' if day else ''}")
    yield _INDEX_ID, _INDEX_PATH, "\n".join([*lines, "", MARKER, ""])


def write_vault(rows: Rows, path: str | os.PathLike[str]) -> None:
    """Write the vault, a folder of notes, to ``path``, or update it there. Raises ``OutputError`` on a failure.

    All notes are ready before the first one is replaced, and each note is replaced in one step. The user's own text in
    a note stays.
    """
    vault = Path(os.path.realpath(path))
    with output_errors(os.fspath(path)):
        our_notes = _find_our_notes(vault)
        paths = {node: file.relative_to(vault).as_posix() for file, node in sorted(our_notes.items(), reverse=True)}

        def is_others(name: str) -> bool:
            """Return whether a file of the user has this path in the vault."""
            return vault / name not in our_notes and os.path.lexists(vault / name)

        # A note without text of the user is removed, unless it is written again. Such a note ends with the marker.
        gone = {file for file in our_notes if _split_note(file)[1:] == ("\n" + MARKER, "\n")}

        def list_updates() -> Iterator[tuple[Path, bytes]]:
            """Yield (path, content) of the notes that change; what this vault has a note for leaves ``gone``."""
            for node, name, text in to_notes(rows, paths, is_others):
                file = vault / name
                gone.discard(file)
                if our_notes.get(file) == node:  # what is above the marker is replaced, the text below stays
                    above, marker, below = _split_note(file)
                    is_changed = bool(marker) and above + "\n" + MARKER != text.removesuffix("\n")
                else:
                    below, is_changed = "\n", not is_others(name)
                if is_changed:
                    yield file, (text.removesuffix("\n") + below).encode("utf-8", "surrogateescape")

        publish_all(list_updates(), gone, inside=vault)


def _find_our_notes(vault: Path) -> dict[Path, str]:
    """Return {file: node id} for the notes in the vault that podgraph wrote. Symbolic links are not followed."""
    notes = {}
    for file in [*vault.glob("*/*.md"), vault / _INDEX_PATH]:
        if file.is_file() and not file.is_symlink() and not file.parent.is_symlink():
            with file.open("rb") as stream:
                # The first line is "---"; a long one is not ours, and is not read.
                head = _OUR_HEAD.match((stream.readline(9) + stream.readline()).decode("utf-8", "replace"))
            if head:
                notes[file] = str(json.loads(head[1]))
    return notes


def _split_note(file: Path) -> tuple[str, str, str]:
    """Return the text of a note above the marker, the marker, and the user's text below it.

    The last two are "" in a note without a marker.
    """
    return file.read_bytes().decode("utf-8", "surrogateescape").partition("\n" + MARKER)


def _choose_paths(rows: Rows, old_paths: Mapping[str, str], is_others: Callable[[str], bool]) -> dict[str, str]:
    """Return {node id: path of its note in the vault} for the nodes with a note.

    The names of all files differ by more than folder and case, because links contain only names. An existing note keeps
    its path (``old_paths``), and a file of the user (``is_others(path)``) is never taken.
    """
    ids = {rows.clean_id(id_) for (id_,) in rows.store.rows(_NODES_WITH_NOTE)}
    paths = {id_: old_paths[id_] for id_ in ids if id_ in old_paths}
    names_in_use = {Path(path).stem.casefold() for path in (*paths.values(), _INDEX_PATH)}
    for id_, node in rows.nodes():
        if id_ not in ids or id_ in paths:
            continue
        kind = rows.store.kinds[get_text(node, "kind") or ""]
        title, unique_name = _to_file_name(find_name(node, id_)), slug(id_)
        folder = _to_file_name(kind.plural).lower() or "other"
        # The first of these names that is free, else the last one, which no other node has.
        for name in (title, f"{title} ({_to_file_name(kind.singular)})", f"{title} ({unique_name})", unique_name):
            if title and name.casefold() not in names_in_use and not is_others(f"{folder}/{name}.md"):
                break
        names_in_use.add(name.casefold())
        paths[id_] = f"{folder}/{name}.md"
    return paths


def _to_file_name(text: str) -> str:
    """Return a text as a file name that is valid on every file system and in links of Obsidian; "" if nothing is left.

    >>> _to_file_name("What's C++ __torch_function__?"), _to_file_name("../a|b"), _to_file_name("con")
    ("What's C++ _torch_function_", '-a b', '')
    """
    bad = r"[\x00-\x1f\\/:*?\"<>|#^\[\]%`${}=~\u061c\u2028\u2029\u200e\u200f\ufffd-\uffff]"
    name = re.sub(bad, " ", unicodedata.normalize("NFC", text).replace("/", "-").replace("&", " and "))
    name = " ".join(re.sub("_{2,}", "_", name).split())[:60].strip(" .")  # two underscores break links
    if name.lower().endswith(".md"):  # a link would take it for the file's suffix
        name = f"{name[:-3]} md"
    return "" if re.fullmatch(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|\.*", name) else name


def _collect_links(rows: Rows, names: Mapping[str, _Name]) -> _Links:
    """Return {node id: {heading: {other node: line with a link to it}}} for each node with a note.

    The strongest connection comes first. Boilerplate (links that a show repeats in its notes) is left out. ``names``
    are those of all nodes.
    """
    edges = []
    for source, target, relation, edge in rows.edges():
        if not edge.get("boilerplate"):
            edges.append((-get_weight(edge), relation, source, target, _find_reason(relation, edge)))
    edges.sort(key=lambda edge: edge[0])  # minus the weight: the strongest first
    links: _Links = defaultdict(dict)
    for _, relation, source, target, quote in edges:
        for id_, other, is_back in ((source, target, False), (target, source, True)):
            if names[id_].file:
                name = names[other]
                reason = f" — {to_markdown_line(quote)}" if quote and quote != name.title else ""
                heading = _to_heading(relation, is_back=is_back)
                links[id_].setdefault(heading, {}).setdefault(other, f"- {_to_link(name)}{reason}")
    return links


def _to_note(id_: str, names: Mapping[str, _Name], values: Attributes, links: Mapping[str, Mapping[str, str]]) -> str:
    """Return the text of a node's note: properties, title, links to its page and its recording, notes, connections.

    ``values`` are {column: value} of the node ``id_``, ``links`` its connections ({heading: {other node: line}}),
    ``names`` the names of all nodes.
    """
    title, kind = names[id_].title, format_cell(values.get("kind", ""))
    aliases = values.get("aliases")
    own_names = [title, values.get("label"), *(aliases if isinstance(aliases, list) else ())]
    properties: dict[str, object] = {
        "podgraph_id": id_,
        "aliases": [*dict.fromkeys(name for name in own_names if isinstance(name, str))],
        "tags": [f"podgraph/{re.sub('[^a-z0-9]+', '-', kind.lower()).strip('-') or 'thing'}"],
        **{key: value for key, value in values.items() if key.lower() not in _HIDDEN},
    }
    for relation in RELATIONS:
        files = [names[other].file for other in links.get(_to_heading(relation), ())]
        if links_to_notes := [f"[[{file}]]" for file in files if file]:
            properties[relation] = links_to_notes
    lines = ["---"]
    for name, value in properties.items():
        key = name if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", name) else _to_yaml(name)
        lines.append(f"{key}: {format_cell(value) if isinstance(value, date) else _to_yaml(value)}")
    lines += ["---", f"# {to_markdown_line(title)}", ""]
    pages = [("Open", to_web_link(values.get("url"))), ("Listen", to_web_link(values.get("audio_url")))]
    if addresses := " · ".join(to_markdown_link(word, url) for word, url in pages if url):
        lines += [addresses, ""]
    if isinstance(summary := values.get("summary"), str):
        lines += [to_markdown_paragraphs(summary), ""]
    for heading in dict.fromkeys((*_HEADINGS, *links)):
        if heading in links:
            lines += [f"## {to_markdown_line(heading)}", "", *links[heading].values(), ""]
    return "\n".join([*lines, MARKER, ""])


def _to_yaml(value: object) -> str:
    """Return a text, a number or a list of texts as YAML, in the form that JSON has in common with it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # YAML allows no control characters (YAML 1.2, 5.1); JSON's escape also covers those allowed in JSON itself.
    return re.sub(f"[\u2028\u2029\ufeff\ufffe\uffff{STEERING}]", lambda match: f"\\u{ord(match[0]):04x}", text)


def _to_link(name: _Name) -> str:
    """Return a link in Markdown to a node's note; to its address if it has no note."""
    if not name.file:
        return to_markdown_link(name.title, name.url)
    # In the text of a wiki link, these characters would end it, or be markup.
    words = str.maketrans({"[": "(", "]": ")", "|": "/", "<": "‹", ">": "›", "`": "'", "\\": "/"})  # noqa: RUF001
    text = re.sub("%%+", "%", " ".join(name.title.translate(words).split()))  # %% begins a comment in Obsidian
    return f"[[{name.file}]]" if text == name.file else f"[[{name.file}|{text or name.file}]]"


def _find_reason(relation: str, edge: Attributes) -> str:
    """Return why an edge exists: the quote of its first evidence, else its first reason; "" for none.

    ``edge`` are its attributes. The relations between an artifact and its folder or repository, and between an episode
    and its podcast, need no reason.
    """
    if evidence := list_evidence(edge):
        return get_text(evidence[0], "quote") or ""
    reasons = edge.get("reasons")
    needs_none = relation in {"part_of", "in_repo", "in_folder"}
    return clean_text(str(reasons[0])) if isinstance(reasons, list) and reasons and not needs_none else ""
