"""The reverse direction: from a name or path in a contributor's hands to all facts about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...sites import identify
from ...sites.github import make_file_ref
from ...sites.tables.github_names import is_repo_path
from ...subjects.index import last_part, name_parts
from ..patterns import read_patterns
from .finding import load_lexicon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...subjects.index import Index
    from ...subjects.subject import Topic

_PATTERNS = read_patterns("symbols")
_MAXIMUM_DOCUMENTED = 3  # symbols of which the documentation is a result
_SHORT_NAME = 5  # characters: such a last part of a name is anyone's
_MAXIMUM_LISTING = 4  # concepts: a file in the lists of more has little meaning (torch/__init__.py)
_SPACES = str.maketrans("-_", "  ")  # the words of a concept may have hyphens between them
_ORDER = ("symbol", "file", "folder", "concept", "docs", "tutorial")
_IMPLEMENTATIONS = ("h", "hpp", "cuh", "cpp", "cu", "c", "mm")


class Location(NamedTuple):
    """One result of a query, with the reason.

    ``kind`` is ``symbol``, ``file``, ``folder``, ``concept``, ``docs`` or ``tutorial``; ``id`` the node's id (of a
    concept, its own); ``path`` and ``line`` are set for results in the repository. ``inside`` is set for symbols that
    are results because the query is the file that defines them.
    """

    kind: str
    id: str
    label: str
    url: str
    path: str = ""
    line: int = 0
    reason: str = ""
    inside: bool = False


def locate(text: str, index: Index, is_cited: Callable[[str], bool] = lambda _: False) -> list[Location]:
    """Return the results for a name, a path or ``path:line``: symbols, files, concepts, docs, tutorials.

    The likeliest first within each kind, each once; empty for names that are not in the index. ``is_cited`` returns
    whether an episode cites the file with an id, which proves that the file existed.

    >>> from podgraph.extractors import read_index
    >>> [(place.kind, place.label) for place in locate("TensorIterator", read_index())][:2]
    [('symbol', 'at::TensorIterator'), ('file', 'aten/src/ATen/TensorIterator.h')]
    """
    text = text.strip().strip("`'\"").removesuffix("()")
    path, line = _PATTERNS["place"].fullmatch(text).group("path", "line")  # type: ignore[union-attr]  # fits all texts
    is_path = _PATTERNS["form of path"].fullmatch(path) and is_repo_path(path)
    places = [*_locate_path(path, int(line or 0), index, is_cited)] if is_path else []
    of_path = bool(places)
    places += _locate_name(text, index)
    symbols = dict.fromkeys(place.label for place in places if place.kind == "symbol")
    for name in [*symbols][:_MAXIMUM_DOCUMENTED]:
        places += _locate_page("docs", index.docs_url(name), "", f"documents {name}")
    # Other definitions of the file do not decide the meaning.
    names = {place.label for place in places if place.kind == "symbol" and not place.inside}
    paths = {place.path for place in places if place.path}
    for concept, reason in _find_concepts(text, {*names, *[*symbols][:1]}, paths, index, of_path=of_path):
        places += _locate_concept(concept, reason, index)
    unique: dict[str, Location] = {}
    for place in places:
        unique.setdefault(place.id, place)
    return sorted(unique.values(), key=lambda place: _ORDER.index(place.kind))


def _locate_path(path: str, line: int, index: Index, is_cited: Callable[[str], bool]) -> Iterator[Location]:
    """Yield the file or folder at a path, its former path, and its definitions; ``line`` is 0 for no line.

    A path that the index does not know may be the end of one. Without evidence that there was a file at a path, a file
    of that name in another folder is not its present place.
    """
    path = _PATTERNS["side"].sub("", path.removeprefix("./")).strip("/")
    state = index.paths.find_state(path)
    if state is None or state.status == "gone":
        path = load_lexicon(index).find_file(path)
    if not path:
        return
    present = index.file_status(path).path
    is_folder = index.paths.is_folder(present)
    if is_folder:
        yield _locate_file(present, index, "the folder of that name", is_folder=True)
    else:
        is_moved = present != path and (index.paths.was_file(path) or is_cited(make_file_ref(index.repo, path).id))
        elsewhere = "" if f"/{present}".endswith(f"/{path}") else ", in another folder"
        if line and (symbol := index.find_symbol_at(present, line)):
            yield _locate_symbol(symbol.name, index, f"line {line} is in it")
        yield _locate_file(present, index, f"the file of that name{f', once {path}' if is_moved else elsewhere}", line)
        if is_moved:
            yield _locate_file(path, index, "its former place")
        yield from _locate_definitions(present, index)
    if module := index.find_symbol_at(f"{present}/__init__.py" if is_folder else present):
        yield _locate_symbol(module.name, index, f"the {'package' if is_folder else 'module'} in {present}")


def _locate_definitions(path: str, index: Index) -> Iterator[Location]:
    """Yield a file's definitions, and its other half, ``x.cpp`` of ``x.h``, with its own.

    First come names like their file's, then those of a concept.
    """
    of_concepts = {alias for concept in index.concepts for alias in (concept.label, *concept.aliases)}
    stem = path.rpartition(".")[0]
    file_name = stem.rpartition("/")[2].lower().lstrip("_")

    def rank(name: str) -> tuple[bool, bool]:
        last = last_part(name)
        return last.lower() != file_name, of_concepts.isdisjoint((name, last))

    halves = [half for suffix in _IMPLEMENTATIONS if index.file_status(half := f"{stem}.{suffix}").path == half]
    for half in halves if path in halves else [path]:
        for name in sorted(index.list_names(half), key=rank):
            yield _locate_symbol(name, index, f"defined in {half}")._replace(inside=True)
        if half != path:
            yield _locate_file(half, index, f"the other half of {path}")


def _locate_name(text: str, index: Index) -> Iterator[Location]:
    """Yield the symbols that a text means, and the files that define them.

    The text is a name, or else a spelling of some: a curated phrase or word, the end of a name.
    """
    lexicon, symbol = load_lexicon(index), index.symbol(text)
    end, phrase_names = lexicon.find_phrase(text)
    names = [*(phrase_names if end == len(text) else ()), *index.spellings["words"].get(text, ())]
    if _PATTERNS["form of name"].fullmatch(text):
        names += [lexicon.find_dunder(text) or lexicon.find_qualified(text)] if _PATTERNS["mark"].search(text) else []
        names += lexicon.find_bare(text) or [candidate.name for candidate in index.list_candidates(text)[:8]]
    for name in [symbol.name] if symbol else filter(None, dict.fromkeys(names)):
        place = _locate_symbol(name, index, f"called {text}")
        yield place
        if place.path:
            yield _locate_file(place.path, index, f"defines {name}", place.line)


def _find_concepts(
    text: str, names: set[str], paths: set[str], index: Index, *, of_path: bool
) -> Iterator[tuple[Topic, str]]:
    """Yield the concepts called so, those that name the symbols, those that list the files, unless they are many.

    A file defines many names. So where a name was asked for, not a path (``of_path``), a concept that lists its file
    fits only where the file is called like the name, or the name shares a whole word with the concept.
    """
    code, folded = index.subject.code, text.translate(_SPACES).casefold()
    words = {part for name in names for part in name_parts(name)} - {*code.roots, *code.namespaces}
    name_words = [name_parts(last_part(name)) for name in names]
    own = {path for path in paths if name_parts(path.rpartition("/")[2].partition(".")[0]) in name_words}
    spellings = names | {last for name in names if len(last := last_part(name)) > _SHORT_NAME}
    naming: list[tuple[Topic, str]] = []
    listing: list[tuple[Topic, str]] = []
    for concept in index.concepts:
        labels = (concept.label, *concept.aliases, *concept.weak)
        files = {path for path in concept.paths if path.removesuffix("/") in paths or path in paths}
        if folded in [label.translate(_SPACES).casefold() for label in (concept.id, *labels)]:
            yield concept, f"called {text}"
        elif spellings & {*concept.aliases, concept.label}:
            naming.append((concept, "names the symbol"))
        elif files and (of_path or files & own or not words.isdisjoint(name_parts(" ".join(labels)))):
            listing.append((concept, f"lists {min(files)}"))
    yield from naming
    yield from listing if len(listing) <= _MAXIMUM_LISTING else ()


def _locate_symbol(name: str, index: Index, reason: str) -> Location:
    """Return the result for a symbol: its definition, else its page in the documentation."""
    place = index.source(name)
    path, line, url = (place.path, place.line, place.url) if place else ("", 0, index.docs_url(name))
    return Location("symbol", f"symbol:{name}", name, url, path, line, reason)


def _locate_file(path: str, index: Index, reason: str, line: int = 0, *, is_folder: bool = False) -> Location:
    """Return the result for a file or folder, with a permanent link where the newest tree has it."""
    ref = make_file_ref(index.repo, path, folder=is_folder)
    state = index.file_status(path)
    url = index.permalink(path, line) if (state.version, state.path) == (index.version, path) else ref.url
    url = url.replace("/blob/", "/tree/", 1) if is_folder else url
    return Location("folder" if is_folder else "file", ref.id, path, url, path, line, reason)


def _locate_concept(concept: Topic, reason: str, index: Index) -> Iterator[Location]:
    """Yield a concept, and the pages of the documentation and the tutorials that are about it.

    ``reason`` is why the concept is a result; that of the pages is that they are about it.
    """
    file = next((path for path in concept.paths if not path.endswith("/")), "")
    url = index.page_url(concept.docs[0]) if concept.docs else ""
    yield Location("concept", f"concept:{concept.id}", concept.label, url, file, 0, reason)
    pages = [("docs", index.page_url(page), index.page_title(page)) for page in concept.docs]
    titles = ((page, index.tutorials.get(page)) for page in concept.tutorials)
    pages += [("tutorial", index.tutorials_base + page, title) for page, title in titles if title]
    for kind, page_url, title in pages:
        yield from _locate_page(kind, page_url, title, f"about {concept.label}")


def _locate_page(kind: str, url: str, title: str, reason: str) -> Iterator[Location]:
    """Yield the result for the page at an address; none for an empty address."""
    if artifact := identify(url) if url else None:
        yield Location(kind, artifact.ref.id, title or artifact.ref.label, url, reason=reason)
