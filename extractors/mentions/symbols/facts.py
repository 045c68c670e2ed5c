"""The indexes' facts about mentions: edges from symbols to files and docs, and the state of links."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ...model import Fact, KnownEdge
from ...sites import github, identify

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from ...ref import Ref
    from ...subjects.index import Index
    from ..corpus import Extraction


class Health(NamedTuple):
    """``status`` is ``ok``, ``moved``, ``gone`` or ``unknown``; ``current_url`` the present address, if any.

    ``title`` is that of a page of the documentation or the tutorials.
    """

    status: str
    current_url: str = ""
    title: str = ""


def look_up(extractions: Iterable[Extraction], *indexes: Index) -> tuple[list[Fact], list[KnownEdge]]:
    """Return the facts of ``indexes`` about the artifacts that ``extractions`` mention; nothing is fetched.

    Facts are the state of a link or a name (``status``, ``current_url``) and the title of a page (``title``), by the
    first index that knows it. Edges lead from symbols to their definition and documentation, and from files up to the
    folder of their subsystem.
    """
    refs_by_id = {mention.ref.id: mention.ref for extraction in extractions for mention in extraction.mentions}
    refs = [refs_by_id[id_] for id_ in sorted(refs_by_id)]
    edges: list[KnownEdge] = []
    for index in indexes:
        of_symbols = list(resolve_facts(refs, index))
        files = {ref.id: ref for ref in (*refs, *(edge.target for edge in of_symbols))}
        edges += (*of_symbols, *folder_edges((files[id_] for id_ in sorted(files)), index))
    facts = []
    for ref in refs:
        states = [state for index in indexes if (state := find_health(ref, index))]
        for state in sorted(states, key=lambda one: one.status == "unknown")[:1]:
            current_url = state.current_url if state.current_url != ref.url else ""
            attrs = (("status", state.status), ("current_url", current_url), ("title", state.title))
            facts.append(Fact(ref.id, tuple((key, value) for key, value in attrs if value)))
    return facts, edges


def resolve_facts(refs: Iterable[Ref], index: Index) -> Iterator[KnownEdge]:
    """Yield where those of some symbols that the index knows are defined and documented, in their order.

    ``defined_in`` leads to the file, with the ``line`` and a permanent link (``url``) at the index's commit;
    ``documented_at`` to the page, or to the object on it.
    """
    where = f"{index.subject.name} {index.version}".strip()
    for ref in refs:
        name = ref.id.removeprefix("symbol:") if ref.kind == "symbol" else ""
        if place := index.source(name):
            reason = f"its definition is in line {place.line} at {where}"
            attrs = (("line", place.line), ("url", place.url))
            yield KnownEdge(ref, file_ref(index.repo, place.path), "defined_in", attrs, (reason,))
        url = index.docs_url(name)
        page = identify(url) if url else None
        if page and page[1].kind == "docs":
            yield KnownEdge(ref, page[1], "documented_at", (("url", url),), ("the documentation's index lists it",))


def folder_edges(refs: Iterable[Ref], index: Index) -> Iterable[KnownEdge]:
    """Return ``in_folder`` from files and folders of the index's repository up to their subsystem's folder, each once.

    >>> from podgraph.extractors import read_index
    >>> edge, *_ = folder_edges([file_ref("pytorch/pytorch", "torch/_inductor/fx_passes/post_grad.py")], read_index())
    >>> edge.relation, edge.target.id
    ('in_folder', 'github:pytorch/pytorch:torch/_inductor/fx_passes')
    """
    edges: dict[str, KnownEdge] = {}
    for child in refs:
        path = child.id.partition(f"github:{index.repo}:")[2]
        for folder in folders_of(path, index.subject.code.shelves):
            parent = file_ref(index.repo, folder, folder=True)
            edges.setdefault(child.id, KnownEdge(child, parent, "in_folder", reasons=("its path says so",)))
            child = parent  # noqa: PLW2901
    return edges.values()


def folders_of(path: str, shelves: Container[str]) -> tuple[str, ...]:
    """Return the folders a path is in, the innermost first, up to that of its subsystem.

    ``shelves`` are folders that contain subsystems; a subsystem is a folder directly in one.

    >>> shelves = {"torch", "torch/csrc", "aten/src"}
    >>> folders_of("torch/csrc/autograd/engine.cpp", shelves), folders_of("torch/_ops.py", shelves)
    (('torch/csrc/autograd',), ('torch',))
    """
    folders: list[str] = []
    folder = path.rpartition("/")[0]
    while folder and not (folders and folder in shelves):
        folders.append(folder)
        folder = folder.rpartition("/")[0]
    return tuple(folders)


@lru_cache(maxsize=4096)
def file_ref(repo: str, path: str, *, folder: bool = False) -> Ref:
    """Return the identity of a file or folder of a repository, as its links have it."""
    ref = github.parse(f"https://github.com/{repo}/{'tree' if folder else 'blob'}/main/{path}")
    assert ref is not None
    return ref


def find_health(ref: Ref, index: Index) -> Health | None:
    """Return the state of a cited file, page or name of the index's subject, ``None`` for others.

    The index knows the files, the pages of the docs and the names at its commit.

    >>> from podgraph.extractors import read_index
    >>> find_health(file_ref("pytorch/pytorch", "tools/codegen/gen.py"), read_index())[:2]
    ('moved', 'https://github.com/pytorch/pytorch/blob/main/torchgen/gen.py')
    """
    project, _, page = ref.id.partition("/")
    path = ref.id.partition(f"github:{index.repo}:")[2]
    if ref.kind == "symbol":
        return _find_symbol_health(ref.id.removeprefix("symbol:"), index)
    if path:
        file = index.file_status(path)
        kind = "tree" if index.paths.is_folder(file.path) else "blob"
        return Health(file.status, file.path and f"https://github.com/{index.repo}/{kind}/main/{file.path}")
    if project == f"tutorial:{index.subject.tutorials_project}":
        tutorial = index.tutorial_status(page)
        return Health(tutorial.status, tutorial.url, index.tutorials.get(f"{page}.html", ""))
    return _find_page_health(page, index) if project == f"docs:{index.subject.docs_project}" else None


def _find_page_health(page: str, index: Index) -> Health:
    """Return the state of a page of the documentation.

    A page whose anchor is a symbol that now has another page counts as moved.
    """
    name, _, anchor = page.partition("#")
    symbol = index.symbol(anchor) if anchor else None
    here = index.docs_status(name)
    title = index.docs.get(index.docs_status(page).page, "")
    if symbol and symbol.page and symbol.kind != "removed" and symbol.page != here.page:
        return Health("moved", index.docs_url(anchor), title)
    tail = f"#{anchor}" if anchor and here.url and "#" not in here.url else ""
    return Health(here.status, here.url + tail, title)


def _find_symbol_health(name: str, index: Index) -> Health:
    """Return the state of a symbol, ``moved`` where it has a successor, with the address of its page or source."""
    symbol = index.symbol(name)
    if symbol is None:
        return Health("unknown")
    current = index.symbol(symbol.current) if symbol.current else None
    if symbol.kind == "removed" and current is None:
        return Health("gone")
    name = (current or symbol).name
    place = index.source(name)
    return Health("moved" if current else "ok", index.docs_url(name) or (place.url if place else ""))
