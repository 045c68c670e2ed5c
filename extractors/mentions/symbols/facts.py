"""The index's facts about mentions: edges from symbols to files and docs, and the health of links."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ...sites import github, identify

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from ...model import KnownEdge
    from ...ref import Ref
    from ...subjects.index import Index


class Health(NamedTuple):
    """``status`` is ``ok``, ``moved``, ``gone`` or ``unknown``; ``current_url`` the present address, if any."""

    status: str
    current_url: str = ""


def resolve_facts(symbols: Iterable[Ref], index: Index) -> Iterator[KnownEdge]:
    """Yield where those of some symbols that the index knows are defined and documented, in their order.

    ``defined_in`` leads to the file, with the ``line`` and a permanent link (``url``) at the index's commit;
    ``documented_at`` to the page, or to the object on it.
    """
    from ...model import KnownEdge  # noqa: PLC0415 - `where` names files and makes no edges

    where = f"{index.subject.name} {index.version}".strip()
    for ref in symbols:
        name = ref.id.removeprefix("symbol:")
        place = index.source(name)
        if place is not None:
            reason = f"its definition is in line {place.line} at {where}"
            attrs = (("line", place.line), ("url", place.url))
            yield KnownEdge(ref, file_ref(index.repo, place.path), "defined_in", attrs, (reason,))
        url = index.docs_url(name)
        known = identify(url) if url else None
        if known is not None and known[1].kind == "docs":
            yield KnownEdge(ref, known[1], "documented_at", (("url", url),), ("the documentation's index lists it",))


def folder_edges(refs: Iterable[Ref], index: Index) -> Iterator[KnownEdge]:
    """Yield ``in_folder`` from files and folders of the index's repository up to their subsystem's folder, each once.

    >>> from podgraph.extractors import read_index
    >>> edge, *_ = folder_edges([file_ref("pytorch/pytorch", "torch/_inductor/fx_passes/post_grad.py")], read_index())
    >>> edge.relation, edge.target.id
    ('in_folder', 'github:pytorch/pytorch:torch/_inductor/fx_passes')
    """
    from ...model import KnownEdge  # noqa: PLC0415

    home = f"github:{index.repo}:"
    seen: set[str] = set()
    for ref in refs:
        if ref.kind in {"file", "folder"} and ref.id.startswith(home):
            child = ref
            for folder in folders_of(ref.id.removeprefix(home), index.subject.code.shelves):
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

    Nothing is fetched: the index knows the files, the pages of the docs and the names at its commit.

    >>> from podgraph.extractors import read_index
    >>> health(file_ref("pytorch/pytorch", "tools/codegen/gen.py"), read_index())
    Health(status='moved', current_url='https://github.com/pytorch/pytorch/blob/main/torchgen/gen.py')
    """
    subject = index.subject
    if ref.kind == "symbol":
        return _symbol_health(ref.id.removeprefix("symbol:"), index)
    for start, ask in (
        (f"github:{index.repo}:", _file_health if ref.kind in {"file", "folder"} else None),
        (f"tutorial:{subject.tutorials_project}/", _tutorial_health),
        (f"docs:{subject.docs_project}/", _page_health),
    ):
        if ask and ref.id.startswith(start):
            return ask(ref.id.removeprefix(start), index)
    return None


def title_of(ref: Ref, index: Index) -> str:
    """Return the title of a page of a subject's documentation or tutorials, or nothing.

    >>> from podgraph.extractors import read_index
    >>> title_of(identify("https://pytorch.org/docs/stable/notes/cuda.html")[1], read_index())
    'CUDA semantics'
    """
    kind, _, page = ref.id.partition(":")
    project, _, name = page.partition("/")
    if kind == "docs" and project == index.subject.docs_project:
        return index.docs.get(index.docs_status(name).page, "")
    if kind == "tutorial" and project == index.subject.tutorials_project:
        return index.tutorials.get(f"{name}.html", "")
    return ""


def _tutorial_health(page: str, index: Index) -> Health:
    found = index.tutorial_status(page)
    return Health(found.status, found.url)


def _page_health(page: str, index: Index) -> Health:
    """Return the state of a page of the documentation.

    A page whose anchor is a symbol that now has another page counts as moved.
    """
    name, _, anchor = page.partition("#")
    symbol = index.symbol(anchor) if anchor else None
    here = index.docs_status(name)
    if symbol is not None and symbol.page and symbol.kind != "removed" and symbol.page != here.page:
        return Health("moved", index.docs_url(anchor))
    tail = f"#{anchor}" if anchor and here.url and "#" not in here.url else ""
    return Health(here.status, here.url + tail)


def _file_health(path: str, index: Index) -> Health:
    found = index.file_status(path)
    if not found.path:
        return Health(found.status)
    kind = "tree" if index.paths.is_folder(found.path) else "blob"
    return Health(found.status, f"https://github.com/{index.repo}/{kind}/main/{found.path}")


def _symbol_health(name: str, index: Index) -> Health:
    """Return the state of a symbol, ``moved`` where it has a successor, with the address of its page or source."""
    symbol = index.symbol(name)
    if symbol is None:
        return Health("unknown")
    current = index.symbol(symbol.current) if symbol.current else None
    if symbol.kind == "removed" and current is None:
        return Health("gone")
    found = current or symbol
    place = index.source(found.name)
    return Health("moved" if current else "ok", index.docs_url(found.name) or (place.url if place else ""))
