"""The indexes' facts about mentions: edges from symbols to files and docs, and the state of links."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ...sites import github, identify

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from ...model import Fact, KnownEdge
    from ...ref import Ref
    from ...subjects.index import Index
    from ..corpus import Extraction


class Health(NamedTuple):
    """``status`` is ``ok``, ``moved``, ``gone`` or ``unknown``; ``current_url`` the present address, if any."""

    status: str
    current_url: str = ""


def look_up(extractions: Iterable[Extraction], *indexes: Index) -> tuple[list[Fact], list[KnownEdge]]:
    """Return the facts of ``indexes`` about the artifacts that ``extractions`` mention; nothing is fetched.

    Facts are the state of a link or a name (``status``, ``current_url``) and the title of a page (``title``), by the
    first index that knows it. Edges lead from symbols to their definition and documentation, and from files up to the
    folder of their subsystem.
    """
    from ...model import Fact  # noqa: PLC0415 - `explain` names files and makes no facts

    mentioned = {mention.ref.id: mention.ref for extraction in extractions for mention in extraction.mentions}
    refs = [mentioned[id_] for id_ in sorted(mentioned)]
    edges: list[KnownEdge] = []
    for index in indexes:
        of_symbols = list(resolve_facts(refs, index))
        files = {ref.id: ref for ref in (*refs, *(edge.target for edge in of_symbols))}
        edges += (*of_symbols, *folder_edges((files[id_] for id_ in sorted(files)), index))
    facts = []
    for ref in refs:
        states = [state for index in indexes if (state := health(ref, index))]
        state = next((one for one in states if one.status != "unknown"), states[0] if states else Health(""))
        current_url = state.current_url if state.current_url != ref.url else ""
        title = next(filter(None, (title_of(ref, index) for index in indexes)), "")
        found = (("status", state.status), ("current_url", current_url), ("title", title))
        if attrs := tuple((key, value) for key, value in found if value):
            facts.append(Fact(ref.id, attrs))
    return facts, edges


def resolve_facts(refs: Iterable[Ref], index: Index) -> Iterator[KnownEdge]:
    """Yield where those of some symbols that the index knows are defined and documented, in their order.

    ``defined_in`` leads to the file, with the ``line`` and a permanent link (``url``) at the index's commit;
    ``documented_at`` to the page, or to the object on it.
    """
    from ...model import KnownEdge  # noqa: PLC0415 - see above

    where = f"{index.subject.name} {index.version}".strip()
    for ref in refs:
        name = ref.id.removeprefix("symbol:") if ref.kind == "symbol" else ""
        if place := index.source(name):
            reason = f"its definition is in line {place.line} at {where}"
            attrs = (("line", place.line), ("url", place.url))
            yield KnownEdge(ref, file_ref(index.repo, place.path), "defined_in", attrs, (reason,))
        url = index.docs_url(name)
        known = identify(url) if url else None
        if known and known[1].kind == "docs":
            yield KnownEdge(ref, known[1], "documented_at", (("url", url),), ("the documentation's index lists it",))


def folder_edges(refs: Iterable[Ref], index: Index) -> Iterator[KnownEdge]:
    """Yield ``in_folder`` from files and folders of the index's repository up to their subsystem's folder, each once.

    >>> from podgraph.extractors import read_index
    >>> edge, *_ = folder_edges([file_ref("pytorch/pytorch", "torch/_inductor/fx_passes/post_grad.py")], read_index())
    >>> edge.relation, edge.target.id
    ('in_folder', 'github:pytorch/pytorch:torch/_inductor/fx_passes')
    """
    from ...model import KnownEdge  # noqa: PLC0415 - see above

    home = f"github:{index.repo}:"
    seen: set[str] = set()
    for ref in refs:
        is_here = ref.kind in {"file", "folder"} and ref.id.startswith(home)
        child = ref
        for folder in folders_of(ref.id.removeprefix(home), index.subject.code.shelves) if is_here else ():
            if child.id in seen:
                break
            seen.add(child.id)
            parent = file_ref(index.repo, folder, folder=True)
            yield KnownEdge(child, parent, "in_folder", reasons=("its path says so",))
            child = parent


def folders_of(path: str, shelves: Container[str]) -> tuple[str, ...]:
    """Return the folders a path is in, the innermost first, up to that of its subsystem.

    ``shelves`` are folders that contain subsystems; a subsystem is a folder directly in one.

    >>> shelves = {"torch", "torch/csrc", "aten/src"}
    >>> folders_of("torch/csrc/autograd/engine.cpp", shelves), folders_of("torch/_ops.py", shelves)
    (('torch/csrc/autograd',), ('torch',))
    """
    folders = []
    folder = path.rpartition("/")[0]
    while folder:
        folders.append(folder)
        folder = folder.rpartition("/")[0]
        if folder in shelves:
            break
    return tuple(folders)


@lru_cache(maxsize=4096)
def file_ref(repo: str, path: str, *, folder: bool = False) -> Ref:
    """Return the identity of a file or folder of a repository, as its links have it."""
    ref = github.parse(f"https://github.com/{repo}/{'tree' if folder else 'blob'}/main/{path}")
    assert ref is not None
    return ref


def health(ref: Ref, index: Index) -> Health | None:
    """Return the state of a cited file, page or name of the index's subject, ``None`` for others.

    The index knows the files, the pages of the docs and the names at its commit.

    >>> from podgraph.extractors import read_index
    >>> health(file_ref("pytorch/pytorch", "tools/codegen/gen.py"), read_index())
    Health(status='moved', current_url='https://github.com/pytorch/pytorch/blob/main/torchgen/gen.py')
    """
    project, _, path = ref.id.partition("/")
    if ref.kind == "symbol":
        return _find_symbol_health(ref.id.removeprefix("symbol:"), index)
    if ref.kind in {"file", "folder"} and ref.id.startswith(f"github:{index.repo}:"):
        found = index.file_status(ref.id.removeprefix(f"github:{index.repo}:"))
        kind = "tree" if index.paths.is_folder(found.path) else "blob"
        return Health(found.status, found.path and f"https://github.com/{index.repo}/{kind}/main/{found.path}")
    if project == f"tutorial:{index.subject.tutorials_project}":
        tutorial = index.tutorial_status(path)
        return Health(tutorial.status, tutorial.url)
    return _find_page_health(path, index) if project == f"docs:{index.subject.docs_project}" else None


def title_of(ref: Ref, index: Index) -> str:
    """Return the title of a page of a subject's documentation or tutorials, or nothing.

    >>> from podgraph.extractors import read_index
    >>> title_of(identify("https://pytorch.org/docs/stable/notes/cuda.html")[1], read_index())
    'CUDA semantics'
    """
    project, _, name = ref.id.partition("/")
    if project == f"docs:{index.subject.docs_project}":
        return index.docs.get(index.docs_status(name).page, "")
    return index.tutorials.get(f"{name}.html", "") if project == f"tutorial:{index.subject.tutorials_project}" else ""


def _find_page_health(page: str, index: Index) -> Health:
    """Return the state of a page of the documentation.

    A page whose anchor is a symbol that now has another page counts as moved.
    """
    name, _, anchor = page.partition("#")
    symbol = index.symbol(anchor) if anchor else None
    here = index.docs_status(name)
    if symbol and symbol.page and symbol.kind != "removed" and symbol.page != here.page:
        return Health("moved", index.docs_url(anchor))
    tail = f"#{anchor}" if anchor and here.url and "#" not in here.url else ""
    return Health(here.status, here.url + tail)


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
