"""Resolving names and pasted references (addresses, numbers, paths, symbols) to the nodes of a graph."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import NotFoundError, QueryError, default_subject, known_subjects, nearest, slugify

from ..attributes import was_read
from ..kinds import KINDS, SOURCES
from ..store import title_of
from .keys import last_of_name, last_of_path, page_of, text_of, texts_of, without_scheme
from .spellings import PLACE, list_ids, strip_quotes

if TYPE_CHECKING:
    from podgraph.extractors import Index, Subject

    from ..attributes import NodeAttributes
    from .view import View

# `owner/name`
_REPOSITORY = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}/[A-Za-z0-9_.-]+")
# `owner/name:path`, the label of a file or folder, but no `dir/name::symbol`
_LABELLED = re.compile(rf"({_REPOSITORY.pattern}):(?!:)(.+)")
# `owner/name/path`
_PATH_IN_REPOSITORY = re.compile(rf"({_REPOSITORY.pattern})/(.+)")
# the beginning of a URL, of a host with or without a port, of an address of git
_ADDRESS = re.compile(
    r"(?:https?:)?//|(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]|\Z)|(?:git@|ssh://|git://|git\+)", re.IGNORECASE
)
# the lines at the end of a path
_LINES_AT_END = re.compile(rf"{PLACE}\Z")
# the characters of a path
_FILE = re.compile(r"[\w./+@ -]+")
_KIND_RANKS = {"symbol": 1, "topic": 2}  # of nodes with the same name; the exact symbol has rank 0, other kinds 3
_MAXIMUM_COMPARED_NODES = 20_000  # with names like an unknown one: takes about a second
_MINIMUM_SLUG_LENGTH = 3  # characters: shorter slugs occur in many ids; the slug of `C++` is `c`


class Target(NamedTuple):
    """The meaning of a reference: its canonical ``id``, and the ids of its ``nodes`` (none: not in the graph).

    ``query`` is the reference as written. A folder means every file in it, a short sha all commits that begin with it,
    a name all symbols with this name.
    """

    query: str
    id: str
    nodes: tuple[str, ...]

    @property
    def is_words(self) -> bool:
        """Whether the reference is only words: neither an id, nor an address, nor the name of a node."""
        return " " in self.id and ":" not in self.id


def resolve_reference(query: str, view: View, repo: str = "") -> Target:  # noqa: C901
    """Return the target of a pasted reference (``REF`` in the command's help).

    ``query`` may be a URL in any spelling, ``owner/repo#N``, ``#N``, ``N``, ``PR N``, ``GH-N``, ``owner/repo@sha``, a
    path in a repository (``owner/repo:path`` too), a symbol, a topic, or a node's id. Bare numbers and paths belong to
    ``repo`` (owner/name; "": the repository of the graph's subject); if the graph has nothing of that repository, to
    any other. An unknown reference gives a target without nodes. Raises ``QueryError`` for an empty query, and for one
    that matches several repositories.
    """
    repo = repo or default_repo(view)
    text = strip_quotes(query)
    if not text:
        remedy = "give a URL, owner/repo#N, a path, a symbol or a node id"
        raise QueryError("an empty reference names nothing", remedy=remedy)
    if view.node(text) is not None:
        return _find_target(query, text, view)
    # First of all comes a node of this id, then the nodes of a plug-in's kind with this name.
    if own := [id_ for id_, node in view.nodes_with_key("name", _fold(text)) if node.get("kind") not in KINDS]:
        return Target(query, own[0], tuple(own))
    ids_of_spelling = list_ids(text, repo)  # a "*" in such an id stands for any text
    is_number = any(id_.startswith("github:*#") for id_ in ids_of_spelling)  # and nothing else
    whole_ids = (id_ for id_ in ids_of_spelling if "*" not in id_)
    candidates: list[str] = []
    for id_ in chain(whole_ids, () if is_number else _list_candidates(text, repo)):
        if id_ not in candidates:
            candidates.append(id_)
            target = _find_target(query, id_, view)
            if target.nodes:
                return target
    keys = [("former", id_) for id_ in candidates]  # moved artifacts are also found by their former id
    for field, key in [*keys, *([("url", without_scheme(text))] if _ADDRESS.match(text) else ())]:
        if nodes := [id_ for id_, _ in view.nodes_with_key(field, key)]:
            return Target(query, nodes[0], tuple(nodes))
    # Then a person, a path or number in other repositories, and nodes of this name.
    if person := _resolve_person(text, candidates, view):
        return _find_target(query, person, view)
    if ids := _list_matching(ids_of_spelling, repo, view) or _list_in_all_repositories(text, candidates, repo, view):
        if len(ids) > 1:
            raise QueryError(f"{query!r} may mean any of: {', '.join(ids)}", remedy="give owner/repo#N, or --repo")
        return _find_target(query, ids[0], view)
    login = f"person:{text.lower()}"
    nodes = _list_nodes_named(text, view) or ([login] if view.node(login) is not None else [])
    is_path = "/" in text or "." in text  # a bare word is not a path, and stays unchanged
    likely = [id_ for id_ in candidates[:1] if is_path or not id_.endswith(f":{text}")]
    # The id is that of a node, else the likeliest one, else the text.
    return Target(query, [*nodes, *likely, text][0], tuple(nodes))


def subject_of(view: View) -> Subject | None:
    """Return the subject of a graph: the first known one whose repository or documentation is in it, else ``None``.

    A subject is a field with its own names (PyTorch, Python). A graph with symbols, whose ids name no repository, is
    about the default subject unless it is about another one.
    """
    default = default_subject()
    if _has_subject(default, view):
        return default
    other = next((subject for subject in known_subjects() if _has_subject(subject, view)), None)
    return other or (default if any(True for _ in view.nodes("symbol")) else None)


def default_repo(view: View) -> str:
    """Return the repository (``owner/name``) that bare numbers and paths in a question to this graph belong to."""
    return (subject_of(view) or default_subject()).repo


def _has_subject(subject: Subject, view: View) -> bool:
    """Return whether a graph has a node of a subject's repository or documentation."""
    repo, project = subject.repo.lower(), subject.docs_project
    prefixes = [f"github:{repo}#", f"github:{repo}:"] if repo else []
    prefixes += [f"docs:{project}/", f"tutorial:{project}/"] if project else []
    has_repo = bool(repo) and view.node(f"github:{repo}") is not None
    return has_repo or any(True for prefix in prefixes for _ in view.ids_with_prefix(prefix))


def _resolve_person(text: str, candidates: list[str], view: View) -> str:
    """Return the id of the person that ``text`` means, "" without one.

    ``text`` is ``person:name``, ``person:show/name``, or a profile's address; ``candidates`` are the possible ids of
    the text. A name that persons of several shows share means nobody.
    """
    if text.startswith("person:"):
        show, _, name = text.removeprefix("person:").rpartition("/")
        ids = []
        for id_, node in view.nodes("person"):
            # A person with an account may be of any show.
            is_of_show = not show or "/" not in id_ or id_.startswith(f"person:{show}/")
            if is_of_show and name in map(slugify, (node.get("label", ""), *node.get("names", ()))):
                ids.append(id_)
        return ids[0] if len(ids) == 1 else ""
    accounts = [f"web:github.com/{id_.removeprefix('person:')}" for id_ in candidates if id_.startswith("person:")]
    pages = {*candidates, *accounts}
    if "/" not in text or not any(id_.startswith(("person:", "web:")) for id_ in pages):
        return ""
    for id_, node in view.nodes("person"):
        if any(page_of(url) in pages for url in node.get("profiles", ())):
            return id_
    return next((id_ for id_ in sorted(pages) if view.node(id_) is not None), "")


def resolve_topic(query: str, view: View) -> str:
    """Return the id of the topic that ``query`` means, "" without one.

    ``query`` is a topic's id (with or without ``topic:``), its label, or another name of it, ignoring case.
    """
    text = query.strip()
    for id_ in (text, f"topic:{text.lower()}"):
        if (view.node(id_) or {}).get("kind") == "topic":
            return id_
    name = _fold(text)
    topics = {id_: node for id_, node in view.nodes_with_key("name", name) if node.get("kind") == "topic"}
    exact = [id_ for id_, node in topics.items() if node.get("label", "").casefold() == name]
    # A topic with this label comes before one with this alias.
    return next(iter(exact or topics), "")


def find_known_topic(query: str, view: View) -> str:
    """Return the id of a topic as ``resolve_topic`` does. Raises ``NotFoundError`` for an unknown topic."""
    topic = resolve_topic(query, view)
    if not topic:
        remedy = suggest_name(query, view, "topic") or "`podgraph list topics` shows all"
        raise NotFoundError(f"no topic is called {query!r}", remedy=remedy)
    return topic


def find_known_podcast(name: str, view: View) -> str:
    """Return the node id of the podcast with this id or title, or with ``name`` as a part of its title.

    Raises ``NotFoundError`` for an unknown name, ``QueryError`` for a part of several titles.
    """
    titles = {id_: title_of(node) for id_, node in view.nodes("podcast")}
    part = name.strip().casefold()
    ids = [id_ for id_, title in titles.items() if part in (id_, id_.partition(":")[2], title.casefold())]
    ids = ids or [id_ for id_, title in titles.items() if part and part in title.casefold()]
    if not ids:
        remedy = nearest(name, titles.values()) or "`podgraph list podcasts` shows all"
        raise NotFoundError(f"no podcast is called {name!r}", remedy=remedy)
    return _choose_only(ids, name, view)


def resolve_episode(query: str, view: View) -> str:
    """Return the id of the only episode (or post) that ``query`` means.

    ``query`` is an id, the address of the episode's page, a number, a title, or a part of a title. Raises
    ``NotFoundError`` for an unknown name, and ``QueryError`` for an empty or ambiguous one; the message lists the
    possible episodes.
    """
    text = query.strip()
    if not text:
        raise QueryError("an empty name means no episode", remedy="give a title, a number, a URL or an id")
    if (view.node(text) or {}).get("kind") in SOURCES:
        return text
    ids = _list_sources_named(text, view)
    if not ids:
        remedy = suggest_name(query, view, *SOURCES) or "`podgraph list episodes` shows all"
        raise NotFoundError(f"no episode is called {query!r}", remedy=remedy)
    return _choose_only(ids, query, view)


def _choose_only(ids: list[str], query: str, view: View) -> str:
    """Return the only element of ``ids``, the node ids that a user's ``query`` may mean.

    Several raise ``QueryError`` with the titles of these nodes.
    """
    if len(ids) > 1:
        names = "; ".join(f"{title_of(view.node(id_) or {})} ({id_})" for id_ in ids[:8])
        more = f" and {len(ids) - 8} more" if len(ids) > 8 else ""
        raise QueryError(f"{query!r} may mean any of: {names}{more}", remedy="give more of the title, or the id")
    return ids[0]


def resolve_node(query: str, view: View, repo: str = "") -> str:
    """Return the id of the node that ``query`` means: a node id, an episode, or a reference; "" for an unknown one.

    ``repo`` is that of ``resolve_reference``. An episode with exactly this title comes before a topic or symbol of the
    same name. Raises ``QueryError`` for an empty query, and for a part of several titles.
    """
    if not query.strip():
        raise QueryError("an empty name means no node", remedy="give an id, a title, or a reference")
    if view.node(query) is not None:
        return query
    title = _fold(query)
    namesakes = [
        id_ for id_, node in view.nodes_with_key("title", title) if node.get("kind") == "episode" and "title" in node
    ]
    namesakes = namesakes or [id_ for id_, node in view.nodes("podcast") if _fold(title_of(node)) == title]
    if len(namesakes) == 1:
        return namesakes[0]
    target = resolve_reference(query, view, repo)
    if target.nodes:
        return target.nodes[0]
    try:
        return resolve_episode(query, view)
    except NotFoundError:
        return ""


def is_path(id_: str) -> bool:
    """Return whether an id belongs to a file or folder of a repository.

    >>> is_path("github:owner/name:src/a.py"), is_path("github:owner/name#12")
    (True, False)
    """
    return id_.startswith("github:") and id_.count(":") > 1


def find_pages_titled(title: str, view: View, index: Index) -> tuple[str, ...]:
    """Return the ids of the documentation and tutorial pages in a graph with this ``title``, ignoring case.

    ``index`` has the titles of a subject's pages.
    """
    title = _fold(title)
    urls = [index.page_url(page) for page, name in index.docs.items() if name.casefold() == title]
    urls += [index.tutorials_base + page for page, name in index.tutorials.items() if name.casefold() == title]
    return tuple(dict.fromkeys(id_ for id_ in map(page_of, urls) if view.node(id_) is not None))


def suggest_name(query: str, view: View, *kinds: str) -> str:
    """Return a remedy for an unknown name: "did you mean …" with the name in the graph most like ``query``, else "".

    ``kinds`` limits the nodes to compare (none: all kinds). Of a large graph, only the first 20,000 nodes are compared.
    """
    condition = "kind IN (SELECT value FROM json_each(?))" if kinds else "? <> ''"
    query_names = f"SELECT title, label FROM nodes WHERE {condition} ORDER BY n LIMIT {_MAXIMUM_COMPARED_NODES}"  # noqa: S608 - constants
    nodes = view.rows(query_names, [json.dumps(kinds)])
    return nearest(query, dict.fromkeys(name for names in nodes for name in names if name))


def _list_sources_named(text: str, view: View) -> list[str]:
    """Return the ids of the episodes and posts that ``text`` means, by the first of these ways that gives any.

    The ways are: the address of a page, a number (``12`` or ``#12``), a title, a title as a slug, a part of a title or
    slug.
    """
    slug, title, number = slugify(text), _fold(text), text.removeprefix("#")
    if _ADDRESS.match(text) and "/" in text:
        page = page_of(text)
        post = view.node(page)  # the page of a post is its id
        return _select_sources([*([(page, post)] if post else ()), *view.nodes_with_key("page", page)]) if page else []
    is_number = number.isascii() and number.isdigit()
    return (
        (_select_sources(view.nodes_with_key("number", number.lstrip("0"))) if is_number else [])
        or _select_sources(view.nodes_with_key("title", title))
        or (_select_sources(view.nodes_with_key("slug", slug)) if slug else [])
        or _select_sources(view.find_titles(title, slug if len(slug) >= _MINIMUM_SLUG_LENGTH else ""))
    )


def _select_sources(nodes: Iterable[tuple[str, NodeAttributes]]) -> list[str]:
    """Return the ids of those (id, attributes) that are an episode, or a post that was itself read.

    A post without a title was not read: it is a page that others cite.
    """
    return [
        id_ for id_, node in nodes if (kind := node.get("kind")) == "episode" or (kind in SOURCES and was_read(node))
    ]


def _list_candidates(text: str, repo: str) -> Iterator[str]:
    """Yield the ids that ``text`` may mean as an address, a name or a path, the likeliest first.

    The graph may not have them. A path without a repository belongs to ``repo`` (owner/name).
    """
    page = page_of(text, of_git=text.startswith(("git", "ssh"))) if _ADDRESS.match(text) else ""
    if page:
        yield page
    if "://" in text:
        return
    from podgraph.extractors import find_reference  # noqa: PLC0415 - not needed for addresses

    text = text.replace("\\", "/")
    if reference := find_reference(text, repo):
        yield reference.id
    if _REPOSITORY.fullmatch(text):
        yield f"github:{text.lower().removesuffix('.git')}"
    path = _LINES_AT_END.sub("", text).strip("/").removeprefix("./")
    if match := _LABELLED.fullmatch(path):
        yield f"github:{match[1].lower()}:{match[2]}"
    elif _FILE.fullmatch(text.partition(":")[0]) and (" " not in text or "/" in text):
        yield f"github:{repo.lower()}:{path}"
        if match := _PATH_IN_REPOSITORY.fullmatch(path):
            yield f"github:{match[1].lower()}:{match[2]}"


def _list_matching(patterns: Iterable[str], repo: str, view: View) -> list[str]:
    """Return the ids of the nodes that match the first usable one of ``patterns``: ids with a ``*`` for any text.

    ``github:*#12`` is usable only if the graph lacks the repository ``repo`` (owner/name): else a bare number means one
    of ``repo``.
    """
    for pattern in patterns:
        start, star, end = pattern.partition("*")
        if star and (end[:1] != "#" or view.node(f"github:{repo.lower()}") is None):
            numbers = view.nodes_with_key("number", end.rpartition("#")[2])
            nodes = [other for other, _ in numbers] if end else view.ids_with_prefix(start)
            return [other for other in nodes if other.startswith(start) and other.endswith(end)]
    return []


def _list_in_all_repositories(text: str, candidates: Iterable[str], repo: str, view: View) -> list[str]:
    """Return the ids of a path in any repository of the graph; [] if the graph has a node for ``repo``.

    ``text`` is the path, ``candidates`` are its possible ids in ``repo``.
    """
    is_bare_word = "/" not in text and "." not in text
    if view.node(f"github:{repo.lower()}") is not None or is_bare_word:
        return []
    home = f"github:{repo.lower()}:"
    paths = [id_.removeprefix(home) for id_ in candidates if id_.startswith(home)]
    file_name = last_of_path(next(iter(paths), ""))
    # A file needs a node with its name; a folder may be known only by the files in it.
    nodes = view.nodes_with_key("name", file_name) if "." in file_name[1:] else view.nodes("file", "folder")
    ids: dict[str, None] = {}
    for id_, _ in nodes:
        for path in paths:
            place = f"{':'.join(id_.split(':', 2)[:2])}:{path}"  # `github:owner/name` of the node, then the path
            if id_ == place or id_.startswith(f"{place}/"):
                ids[place] = None
    return list(ids)


def _find_target(query: str, id_: str, view: View) -> Target:
    """Return the target with the canonical id ``id_``: its node, if the graph has it, and the nodes it stands for.

    ``query`` is the reference as written. A short sha stands for its commits, a folder for its files, the page of an
    episode for the episode.
    """
    node = view.node(id_)
    ids = [] if node is None else [id_]
    if id_.startswith("github:") and "@" in id_:
        # A short sha means the commits it begins, a full one also its short spelling.
        commits = view.ids_with_prefix(f"{id_.partition('@')[0]}@")
        ids += [other for other in commits if other.startswith(id_) or id_.startswith(other)]
    elif is_path(id_):
        ids += _list_inside(id_, view)
    elif node is None and id_.startswith(("web:", "blog:")):
        ids += [other for other, _ in view.nodes_with_key("page", id_)]
    nodes = tuple(dict.fromkeys(ids))
    # A single commit, file or episode that the id means gives the canonical id.
    return Target(query, nodes[0] if node is None and len(nodes) == 1 else id_, nodes)


def _list_inside(id_: str, view: View) -> list[str]:
    """Return the ids of the files in a folder and of the symbols defined in these files; [] for a single file."""
    inside = view.ids_with_prefix(f"{id_.rstrip('/')}/")
    node = view.node(id_) or {}
    if len(inside) + bool(node) < 2 and node.get("kind") != "folder":
        return inside
    edges = [edge for place in (id_, *inside) for edge in view.edges_to(place, "defined_in")]
    return [*inside, *(edge.source for edge in edges)]


def _list_nodes_named(text: str, view: View) -> list[str]:
    """Return the ids of the nodes named exactly ``text``: the symbols, else the topics, else the others.

    Episodes and podcasts are left out, because their titles are looked up in another way.
    """
    bare, name = text.removesuffix("()"), _fold(text)
    ranks: dict[int, list[str]] = {}
    parts = {text.casefold(), name, last_of_name(bare), last_of_path(text)}
    nodes = dict(id_and_node for part in parts for id_and_node in view.nodes_with_key("name", part))
    for id_, node in sorted(nodes.items()):
        kind = node.get("kind", "")
        names = [text_of(node, "label"), *texts_of(node, "aliases" if kind == "topic" else "names")]
        if kind == "symbol":
            is_called = f".{id_.partition(':')[2]}".endswith((f".{bare}", f"::{bare}"))
        elif kind in ("file", "folder"):
            # A bare word is not a path: `dispatch` means an episode before a folder of this name.
            is_called = ("/" in text or "." in text) and f"/{node.get('path', '')}".endswith(f"/{text}")
        else:
            is_called = kind not in ("episode", "podcast") and name in map(str.casefold, names)
        if is_called:
            ranks.setdefault(0 if id_ == f"symbol:{bare}" else _KIND_RANKS.get(kind, 3), []).append(id_)
    return ranks[min(ranks)] if ranks else []


def _fold(text: str) -> str:
    """Return a text in small letters, with single spaces.

    >>> _fold(" Double  Backward")
    'double backward'
    """
    return " ".join(text.casefold().split())
