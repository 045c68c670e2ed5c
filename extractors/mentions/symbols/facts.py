"""The indexes' facts about mentions: edges from symbols to files and docs, and the state of links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import Fact, KnownEdge
from ...sites import identify
from ...sites.github import make_file_ref
from ...subjects.index.index import PageStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...ref import Ref
    from ...subjects.index import Index
    from ..corpus import Extraction


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
        statuses = [(status, index) for index in indexes if (status := find_status(ref, index))]
        for status, index in sorted(statuses, key=lambda pair: pair[0].status == "unknown")[:1]:
            title = index.docs.get(status.page) or index.tutorials.get(status.page, "")
            current_url = status.url if status.url != ref.url else ""
            attrs = {"status": status.status, "current_url": current_url, "title": title}
            facts.append(Fact(ref.id, tuple((key, value) for key, value in attrs.items() if value)))
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
            yield KnownEdge(ref, make_file_ref(index.repo, place.path), "defined_in", attrs, (reason,))
        url = index.docs_url(name)
        page = identify(url) if url else None
        if page and page.ref.kind == "docs":
            yield KnownEdge(ref, page.ref, "documented_at", (("url", url),), ("the documentation's index lists it",))


def folder_edges(refs: Iterable[Ref], index: Index) -> Iterable[KnownEdge]:
    """Return ``in_folder`` from files and folders of the index's repository up to their subsystem's folder, each once.

    >>> from podgraph.extractors import read_index
    >>> from podgraph.extractors.sites.github import make_file_ref
    >>> file = make_file_ref("pytorch/pytorch", "torch/_inductor/fx_passes/post_grad.py")
    >>> edge, *_ = folder_edges([file], read_index())
    >>> edge.relation, edge.target.id
    ('in_folder', 'github:pytorch/pytorch:torch/_inductor/fx_passes')
    """
    edges: dict[str, KnownEdge] = {}
    for ref in refs:
        child, folder = ref, ref.id.partition(f"github:{index.repo}:")[2].rpartition("/")[0]
        # Shelves are folders that contain subsystems, and the folder of the files that are directly in them.
        while folder and (child is ref or folder not in index.subject.code.shelves):
            parent = make_file_ref(index.repo, folder, folder=True)
            edges.setdefault(child.id, KnownEdge(child, parent, "in_folder", reasons=("its path says so",)))
            child, folder = parent, folder.rpartition("/")[0]
    return edges.values()


def find_status(ref: Ref, index: Index) -> PageStatus | None:
    """Return the state and the present address of a cited file, page or name of the index's subject, else ``None``.

    The index knows the files, the pages of the docs and the names at its commit. A symbol with a successor counts as
    moved, and so does a page whose anchor is a symbol that has another page today; the page is "" for all but
    whole pages, which have a title.

    >>> from podgraph.extractors import read_index
    >>> from podgraph.extractors.sites.github import make_file_ref
    >>> status = find_status(make_file_ref("pytorch/pytorch", "tools/codegen/gen.py"), read_index())
    >>> status.status, status.url
    ('moved', 'https://github.com/pytorch/pytorch/blob/main/torchgen/gen.py')
    """
    project, _, page = ref.id.partition("/")
    if ref.kind == "symbol":
        return _find_symbol_status(ref.id.removeprefix("symbol:"), index)
    if path := ref.id.partition(f"github:{index.repo}:")[2]:
        file = index.file_status(path)
        kind = "tree" if index.paths.is_folder(file.path) else "blob"
        return PageStatus(file.status, "", file.path and f"https://github.com/{index.repo}/{kind}/main/{file.path}")
    if project == f"tutorial:{index.subject.tutorials_project}":
        return index.tutorial_status(page)
    if project != f"docs:{index.subject.docs_project}":
        return None
    name, _, anchor = page.partition("#")
    here, symbol = index.docs_status(name), index.symbol(anchor) if anchor else None
    if symbol and symbol.page and symbol.kind != "removed" and symbol.page != here.page:
        return PageStatus("moved", "", index.docs_url(anchor))
    tail = f"#{anchor}" if anchor and here.url and "#" not in here.url else ""
    return PageStatus(here.status, "" if anchor else here.page, here.url + tail)


def _find_symbol_status(name: str, index: Index) -> PageStatus:
    """Return the state of a symbol, and the address of its own or its successor's documentation, else source."""
    symbol = index.symbol(name)
    current = index.symbol(symbol.current) if symbol and symbol.current else None
    if symbol is None or (symbol.kind == "removed" and current is None):
        return PageStatus("gone" if symbol else "unknown")
    place = index.source((current or symbol).name)
    url = index.docs_url((current or symbol).name) or (place.url if place else "")
    return PageStatus("moved" if current else "ok", "", url)
