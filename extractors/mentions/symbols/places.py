"""The reverse direction: from a name or path in a contributor's hands to all facts about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ...sites import docs, identify
from ...sites.tables.github_names import is_repo_path
from ...subjects.index import last_part, name_parts
from .facts import file_ref
from .lexicon import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ...ref import Ref
    from ...subjects.index import Index
    from ...subjects.subject import Topic

# A path, and perhaps a line of it as compilers, editors and GitHub write it: "a.py:12", "a.py:12:3", "a.py#L3-L8".
_LINE = re.compile(r"(?P<path>.*?)(?::|#L)(?P<line>\d{1,9})(?::\d+|-L?\d+)?\Z")
_PATH = re.compile(r"[\w./+-]+\Z")  # the form of a path
_DIFF_SIDE = re.compile(r"\A[ab]/(?=[\w.-]+/)")  # the side of a diff: "a/torch/x.py"
_GAPS = re.compile(r"[\s-]+")  # between the words of a phrase
_CODE = re.compile(r"[\w.:]+")  # the form of a name
_MARKS = re.compile(r"\.|::|__")  # of a name that is qualified, or special
_DOCUMENTED = 3  # of so many symbols the documentation is given
_TELLING_NAME = 5  # characters: a shorter last part of a name is anyone's
_TELLING = 4  # a file in the lists of more concepts has little meaning (torch/__init__.py)
_THERE = frozenset(("ok", "moved"))
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


def locate(text: str, index: Index, cited: Callable[[str], bool] = lambda _: False) -> list[Location]:
    """Return the results for a name, a path or ``path:line``: symbols, files, concepts, docs, tutorials.

    The likeliest first within each kind, each once; empty for names that are not in the index. ``cited`` returns
    whether an episode cites the file with an id, which proves that the file existed.

    >>> from podgraph.extractors import read_index
    >>> [(found.kind, found.label) for found in locate("TensorIterator", read_index())][:2]
    [('symbol', 'at::TensorIterator'), ('file', 'aten/src/ATen/TensorIterator.h')]
    """
    text = text.strip().strip("`'\"").removesuffix("()")
    found: dict[str, Location] = {}

    def add(locations: Iterable[Location]) -> None:
        for location in locations:
            found.setdefault(location.id, location)

    match = _LINE.match(text)
    path, line = (match["path"], int(match["line"])) if match else (text, 0)
    add(_from_path(path, line, index, cited) if _PATH.match(path) and is_repo_path(path) else ())
    of_path = bool(found)
    add(_from_name(text, index))
    paths = [location.path for location in found.values() if location.path]
    names = [location.label for location in found.values() if location.kind == "symbol"]
    for name in names[:_DOCUMENTED]:
        add(_documentation(name, index))
    # Other definitions of the file do not decide the meaning.
    meant = {location.label for location in found.values() if location.kind == "symbol" and not location.inside}
    for concept, reason in _concepts(text, {*meant, *names[:1]}, paths, index, of_path=of_path):
        add((_concept_location(concept, reason, index), *_find_pages(concept, index)))
    return sorted(found.values(), key=lambda location: _ORDER.index(location.kind))


def _from_path(path: str, line: int, index: Index, cited: Callable[[str], bool]) -> Iterator[Location]:
    """Yield the file or folder at a path, its present path, and its definitions; ``line`` is 0 for no line."""
    path = _DIFF_SIDE.sub("", path.removeprefix("./")).strip("/")
    known = index.paths.known(path)
    if known is None or known.status not in _THERE:
        path = lexicon_of(index).file(path) if "." in path else ""
    if path:
        present = index.file_status(path).path
        if index.paths.is_folder(present):
            yield from _from_folder(present, index)
        else:
            was_there = index.paths.was_there(path) or cited(file_ref(index.repo, path).id)
            yield from _from_file(path, present, line, index, was_there=was_there)


def _from_folder(path: str, index: Index) -> Iterator[Location]:
    """Yield a folder, and the Python package in it."""
    yield _folder(path, index, "the folder of that name")
    if (package := index.at(f"{path}/__init__.py")) is not None:
        yield _symbol(package.name, index, f"the package in {path}")


def _from_file(path: str, present: str, line: int, index: Index, *, was_there: bool) -> Iterator[Location]:
    """Yield the definition at a line of a file, the file itself, its other half, and their definitions.

    Without evidence that there was a file at a path, a file of that name in another folder is not its present place.
    """
    moved = was_there and present != path
    elsewhere = "" if f"/{present}".endswith(f"/{path}") else ", in another folder"
    how = f", once {path}" if moved else elsewhere
    if line and (symbol := index.at(present, line)) is not None:
        yield _symbol(symbol.name, index, f"line {line} is in it")
    yield _file(present, index, f"the file of that name{how}", line)
    if moved:
        yield _file(path, index, "its former place")
    yield from _find_definitions(present, index)
    module = index.at(present)
    if module is not None:
        yield _symbol(module.name, index, f"the module in {present}")


def _find_definitions(path: str, index: Index) -> Iterator[Location]:
    """Yield a file's definitions, and its other half, ``x.cpp`` of ``x.h``, with its own."""
    stem = path.rpartition(".")[0]
    halves = [half for suffix in _IMPLEMENTATIONS if index.file_status(half := f"{stem}.{suffix}").path == half]
    for half in halves if path in halves else [path]:
        for name in _main_first(index.in_file(half), stem.rpartition("/")[2], index):
            yield _symbol(name, index, f"defined in {half}")._replace(inside=True)
        if half != path:
            yield _file(half, index, f"the other half of {path}")


def _main_first(names: list[str], stem: str, index: Index) -> list[str]:
    """Sort names like their file's first, then names of a concept."""
    known = {alias for concept in index.concepts for alias in (concept.label, *concept.aliases)}

    def rank(name: str) -> int:
        last = last_part(name)
        return 0 if last.lower() == stem.lower().lstrip("_") else 1 if last in known or name in known else 2

    return sorted(names, key=rank)


def _from_name(text: str, index: Index) -> Iterator[Location]:
    """Yield the symbols a name, exact or curated, means, and the files that define them."""
    symbol = index.symbol(text)
    for name in [symbol.name] if symbol is not None else dict.fromkeys(_find_meanings(text, index)):
        yield _symbol(name, index, f"called {text}")
        place = index.source(name)
        if place is not None:
            yield _file(place.path, index, f"defines {name}", place.line)


def _find_meanings(text: str, index: Index) -> Iterator[str]:
    """Yield the names that a text may be a spelling of: a phrase, a word, the end of a name."""
    lexicon = lexicon_of(index)
    words = tuple(_GAPS.split(text.lower()))
    for phrase in lexicon.phrases.get(words[0], ()):
        if phrase.words == words and phrase.spelling in {"", text}:
            yield from phrase.names
    yield from lexicon.words.get(text, ())
    if _CODE.fullmatch(text):
        if _MARKS.search(text) and (name := lexicon.dunder(text) or lexicon.qualified(text)):
            yield name
        yield from lexicon.bare(text) or [found.name for found in index.candidates(text)[:8]]


def _concepts(
    text: str, names: set[str], paths: list[str], index: Index, *, of_path: bool
) -> Iterator[tuple[Topic, str]]:
    """Yield the concepts called so, those that name the symbols, those that list the files, unless they are many.

    A file defines many names. So where a name was asked for, not a path (``of_path``), a concept that lists its file
    fits only where the file is called like the name, or the name shares a whole word with the concept.
    """
    folded = _folded(text)
    code = index.subject.code
    common = {*code.roots, *code.namespaces}
    words = {part for name in names for part in name_parts(name)} - common
    own = {path for path in paths if _is_own(path, names)}
    spellings = names | {last for name in names if len(last := last_part(name)) > _TELLING_NAME}
    here = {*paths, *(f"{path}/" for path in paths)}
    called: list[tuple[Topic, str]] = []
    naming: list[tuple[Topic, str]] = []
    listing: list[tuple[Topic, str]] = []
    for concept in index.concepts:
        if folded in map(_folded, (concept.id, concept.label, *concept.aliases, *concept.weak)):
            called.append((concept, f"called {text}"))
        elif spellings & {*concept.aliases, concept.label}:
            naming.append((concept, "names the symbol"))
        elif (shared := here & set(concept.paths)) and (of_path or shared & own or words & _words_of(concept)):
            listing.append((concept, f"lists {min(shared)}"))
    yield from called
    yield from naming
    yield from listing if len(listing) <= _TELLING else ()


def _is_own(path: str, names: Iterable[str]) -> bool:
    """Return whether a file has the name of one of some symbols, regardless of case and underscores."""
    stem = name_parts(path.rpartition("/")[2].partition(".")[0])
    return any(name_parts(last_part(name)) == stem for name in names)


def _words_of(concept: Topic) -> set[str]:
    return {part for name in (concept.label, *concept.aliases, *concept.weak) for part in name_parts(name)}


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("-", " ").replace("_", " ").split())


def _symbol(name: str, index: Index, reason: str) -> Location:
    """Return the result for a symbol: its definition, else its page in the documentation."""
    place = index.source(name)
    url = place.url if place else index.docs_url(name)
    path, line = (place.path, place.line) if place else ("", 0)
    return Location("symbol", f"symbol:{name}", name, url, path, line, reason)


def _file(path: str, index: Index, reason: str, line: int = 0) -> Location:
    """Return the result for a file, with a permanent link where the newest tree has it."""
    ref = file_ref(index.repo, path)
    seen = index.file_status(path)
    url = index.permalink(path, line) if seen.seen == index.version and seen.path == path else ref.url
    return Location("file", ref.id, path, url, path, line, reason)


def _folder(path: str, index: Index, reason: str) -> Location:
    """Return the result for a folder, with a permanent link where the newest tree has it."""
    ref = file_ref(index.repo, path, folder=True)
    seen = index.file_status(path).seen == index.version
    url = index.permalink(path).replace("/blob/", "/tree/", 1) if seen else ref.url
    return Location("folder", ref.id, path, url, path, 0, reason)


def _concept_location(concept: Topic, reason: str, index: Index) -> Location:
    files = [path for path in concept.paths if not path.endswith("/")]
    url = index.page_url(concept.docs[0]) if concept.docs else ""
    return Location("concept", f"concept:{concept.id}", concept.label, url, files[0] if files else "", 0, reason)


def _documentation(name: str, index: Index) -> Iterator[Location]:
    """Yield the page of the documentation on a symbol, if there is one."""
    url = index.docs_url(name)
    ref = _find_page(url) if url else None
    if ref:
        yield Location("docs", ref.id, ref.label, url, reason=f"documents {name}")


def _find_page(url: str) -> Ref | None:
    """Return the identity of a page of documentation. The rule for documentation is asked first: it is fast."""
    known = None if (ref := docs.parse(url)) else identify(url)
    return known[1] if known else ref


def _find_pages(concept: Topic, index: Index) -> Iterator[Location]:
    """Yield the pages of the documentation and the tutorials that are about a concept."""
    pages = [("docs", index.page_url(page), index.docs.get(page, page)) for page in concept.docs]
    pages += [
        ("tutorial", index.tutorials_base + page, index.tutorials[page])
        for page in concept.tutorials
        if page in index.tutorials
    ]
    for kind, url, title in pages:
        ref = _find_page(url)
        if ref is not None:
            yield Location(kind, ref.id, title, url, reason=f"about {concept.label}")
