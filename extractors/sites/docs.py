"""The documentation of projects: a table of addresses, and all of Read the Docs.

The layouts are those of Sphinx, Doxygen and Read the Docs; most other generators follow them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ..ref import Ref
from ..url import Url, split_url, unescape
from .table import NAMES, Row, Table, load_table
from .tables import read_table

_PYTORCH = "docs.pytorch.org meta-pytorch.org pytorch.github.io pytorch.org"
# A segment that is a version: a word for a branch, or a release with an optional prefix and suffix.
_WORDS = (
    "stable|latest|current|main|master|trunk|head|nightly|dev|devel|devdocs|develop|beta|preview|unstable|git-main"
    "|git-master|git-stage"
)
_RELEASE = (
    r"(?:[vr]?\d+(?:\.(?:\d+|x))*+|[a-z]+[-_][vr]?\d+(?:\.(?:\d+|x))++|[a-z-]+@(?:latest|[\d.]+))"
    r"(?:[._+-]?(?:a|b|c|rc|alpha|beta|dev|pre|preview|post|cu|cpu)[._-]?\d*+){0,2}"
)
_VERSION = rf"(?=[^/]{{1,39}}(?:/|\Z))(?i:{_WORDS}|{_RELEASE})(?=/|\Z)"
_LANGUAGE = rf"{NAMES['LANGUAGE']}(?=/|\Z)"
# Behind a language any name is a version at Read the Docs: a project builds the branches and tags it likes.
_PREFIX = rf"(?:/{_LANGUAGE}(?:/[^/]+)?|/{_VERSION})"
# The segments of an address in the table.
_STEPS = {
    "{version}": f"(?:/{_VERSION})?+",
    "{version!}": f"/{_VERSION}",
    "{language}": f"(?:/{_LANGUAGE})?+",
    "{language!}": f"/{_LANGUAGE}",
    "{branch}": r"(?:/(?:latest|main|master|stable)(?=/|\Z))?+",
    "{2}": rf"/(?=2(?:[./]|\Z)){_VERSION}",
    "{any}": r"(?:/(?!index\.html(?:/|\Z))[^/]+)?+",
    "{rtd}": f"{_PREFIX}?+",
    "{end}": r"/\Z",
    "{same}": "",
    "*": r"/(?P<star>(?!index\.html(?:/|\Z))[^/]+)",
    "*~": r"/(?P<star>(?!index\.html(?:/|\Z))[^/]+?)(?:-v?\d+(?:\.\d+)*)?(?=/|\Z)",
}
_READ_THE_DOCS = re.compile(rf"(?P<subproject>/projects/[^/]+)?(?P<prefix>{_PREFIX}?+)(?:/(?P<rest>.*))?")
# A host at Read the Docs, old and new, or a customer's.
_READ_THE_DOCS_HOST = re.compile(r"([a-z0-9-]+)\.(?:readthedocs\.(?:io|org)|rtfd\.(?:io|org)|readthedocs-hosted\.com)")
# The layout of Read the Docs at any host. Newspapers have /en/latest/ too.
_LIKE_READ_THE_DOCS = re.compile(
    rf"[^/]+/{_LANGUAGE}/(?:stable(?:/.*)?|v?\d+(?:\.\d+)+(?:/.*)?|(?:latest|main|master)/(?!index\.html\Z).*\.html)"
    rf"|(?:docs?|documentation|manual)\.[^/]*/{_LANGUAGE}/(?:latest|main|master)(?:/.*)?"
)

# The ends of a page's file and of a page's source.
_PAGE_SUFFIX = re.compile(r"\.x?html?\Z", re.IGNORECASE)
_SOURCE_SUFFIX = re.compile(r"\.(?:rst|md|ipynb|txt)(?:\.txt)?\Z")
# Paths of files that belong to a page or are for programs: they are no pages.
_NO_PAGE = re.compile(
    r"(?:_downloads|_images|_sources|_static)(?:/.*)?|(?:.*/)?(?:search|search\.html|genindex-search\.html"
    r"|[^/]*\.(?i:avif|bib|css|eot|gif|gz|ico|inv|ipynb|jpeg|jpg|js|json|mp3|mp4|png|svg|tgz|ttf|webm|webp|whl|woff|woff2"
    r"|xml|xsd|zip))"
)
# A name with dots, and one without.
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# Sphinx' C++ domain; Doxygen's members (an MD5 behind ``a``, ``ga`` or the name of the group).
_CPP = re.compile(r"_CPPv\d?\w+|(?:\w+_1)?g?a?[0-9a-f]{32,34}", re.ASCII)
# Pages with objects whose names have no dot, and these names: source code, and Python's own.
_BARE_NAMES = {
    "_modules": _NAME,
    "library/constants": re.compile(r"(?!id\d|index-)[A-Za-z_]\w*", re.ASCII),
    "library/exceptions": re.compile(r"[A-Z][A-Za-z]+"),
    "library/functions": re.compile(r"(?!id\d|index-)[A-Za-z_]\w*", re.ASCII),
    "library/stdtypes": re.compile("bytearray|bytes|dict|frozenset|list|memoryview|range|set|str|tuple"),
}


def parse(url: str) -> Ref | None:
    """Return the page of a project's documentation at ``url``, or ``None`` if it is not a known documentation.

    Versions, languages and ``.html`` are not part of the identity; an anchor is where it names an object of the API.

    >>> parse("https://numpy.org/doc/1.21/reference/ufuncs.html#output-type-determination").id
    'docs:numpy/reference/ufuncs'
    >>> parse("https://docs.python.org/3.12/library/functions.html#open").id
    'docs:python/library/functions#open'
    >>> parse("https://pytorch.org/tutorials/advanced/dispatcher.html#autocast").id
    'tutorial:pytorch/advanced/dispatcher'
    """
    parts = split_url(url)
    if parts is None:
        return None
    if proposal := load_table("proposals").parse(url):
        return proposal
    host = parts.host
    project_host = _READ_THE_DOCS_HOST.fullmatch(host)
    if project_host and not host.endswith("-hosted.com"):
        host = f"{project_host[1]}.readthedocs.io"
        parts = parts._replace(host=host)
    table = _load_docs()
    if table.has_host(host):
        place = _find_place(table, parts)
        if place is None or not place.project or not _is_stable(table, place):
            return None
        return _make_page(place, parts)
    if project_host is None and not _LIKE_READ_THE_DOCS.fullmatch("/".join((host, *parts.segments))):
        return None
    # A project at Read the Docs may have the name of another known one: its host is its name, then.
    name = project_host[1] if project_host and host.endswith(".readthedocs.io") else host
    return _find_page_at_read_the_docs(host if name in _list_projects() else name, parts)


class _Place(NamedTuple):
    """The place of a page: its project, the present address of the project's pages, and the path below it."""

    project: str
    base: str
    rest: list[str]


@cache
def _load_docs() -> Table:
    """Return the table of documentation's addresses in ``docs.txt``.

    The fields of its rows have another meaning here: ``kind`` is the address as it is written in the file, ``id`` the
    project ("": not documentation), ``page`` the present address of the project's pages.
    """
    rows = []
    for address, *project_and_base in read_table("docs")["pages"]:
        host, *steps = address.split("/")
        pattern = "".join(_STEPS.get(step) or _make_literal(step) for step in steps if step != "{same}")
        hosts = _PYTORCH if host == "{pytorch}" else host
        project, base = project_and_base or ("", "")
        rows.append(Row(hosts, f"[^/]+{pattern}(?:/(?P<rest>.*))?", address, project, page=base))
    return Table(rows)


def _make_literal(step: str) -> str:
    """Return the regular expression of a literal segment (``step``) in ``docs.txt``.

    A segment ``name~`` may have a version behind it.
    """
    name = re.escape(step.removesuffix("~"))
    return rf"/{name}(?:-{_VERSION})?(?=/|\Z)" if step.endswith("~") else rf"/{name}(?=/|\Z)"


@cache
def _list_projects() -> frozenset[str]:
    """Return the names of the projects in ``docs.txt``."""
    return frozenset(row.id.partition("/")[0] for row in _load_docs().rows)


def _find_place(table: Table, parts: Url) -> _Place | None:
    """Return the place of a page, by the first row of a ``table`` of documentation that matches, or ``None``.

    ``parts`` are the parts of the page's address.
    """
    match = table.match(parts)
    if match is None:
        return None
    row, groups = match
    # The star of a row stands for the name of a project; the rest is the path below it.
    star, rest = groups.get("star", ""), [part for part in groups["rest"].split("/") if part]
    # The home page of a Rust crate a-b is at a_b/.
    if row.kind.endswith("{same}") and rest[:1] == [star.replace("-", "_")] and rest[1:] in ([], ["index.html"]):
        del rest[0]
    return _Place(row.id.replace("*", star), row.page.replace("*", star), _find_published(rest))


def _is_stable(table: Table, place: _Place) -> bool:
    """Return whether the present address of a page leads to the same project and path as its found address.

    ``place`` is the place of the page by the ``table`` of documentation. A path that begins like a version would lose
    that part at the present address, and become another page.
    """
    present_url = split_url(place.base + "/".join(place.rest))
    present = _find_place(table, present_url) if present_url else None
    return present is not None and "/".join((present.project, *present.rest)) == "/".join((place.project, *place.rest))


def _find_published(rest: list[str]) -> list[str]:
    """Return the path (``rest``, its parts) of the page that Sphinx made from a source; other paths are unchanged.

    >>> _find_published(["_sources", "notes", "cuda.rst.txt"])
    ['notes', 'cuda.html']
    """
    if len(rest) < 2 or rest[0] != "_sources" or not _SOURCE_SUFFIX.search(rest[-1]):
        return rest
    # Without "_sources", and with the suffix of a page.
    return [*rest[1:-1], _SOURCE_SUFFIX.sub(".html", rest[-1])]


def _make_page(place: _Place, parts: Url) -> Ref | None:
    """Return the reference of a page of documentation; ``None`` for a file that is not a page.

    In the id ``.html`` is removed, and ``index.html`` is its folder (the root is ``index``). The address has the path
    as it was found, so that it opens however the site names its files. A project ``name/folder`` is a part of ``name``.

    Args:
        place: the project, the present address of its pages, and the path
        parts: the parts of the found address, for its slash at the end and its anchor
    """
    project, base, rest = place
    path = "/".join(rest)
    if _NO_PAGE.fullmatch(path):
        return None
    page = re.sub(r"(?:\A|/)index\Z", "", _PAGE_SUFFIX.sub("", path)).strip("/") or "index"
    url = base if page == "index" else f"{base}{path}{'/' * parts.path.endswith('/')}"
    if project.startswith("tutorial:"):
        return Ref("tutorial", f"{project}/{page}", f"tutorial: {unescape(page)}", url)
    project, _, folder = project.partition("/")
    if folder:
        page = folder if page == "index" else f"{folder}/{page}"
    anchor = _find_anchor(project, page, parts.fragment)
    tail = f"#{anchor}" if anchor else ""
    name = anchor or page.rpartition("/")[2]
    is_object = _DOTTED.fullmatch(name) and (anchor or "generated/" in page)
    return Ref(
        "docs", f"docs:{project}/{page}{tail}", name if is_object else f"{project}: {unescape(page)}", url + tail
    )


def _find_anchor(project: str, page: str, fragment: str) -> str:
    """Return the anchor of a page if it names an object of the API, other than the page's own subject; else "".

    Generators give objects their dotted names, and sections lower-case words with hyphens: docutils makes no other
    (``docutils.nodes.make_id``).

    Args:
        project: the name of the project
        page: the path of the page, without ``.html``
        fragment: the part of the address behind ``#``
    """
    anchor = unescape(fragment.partition(":~:")[0])  # ":~:" begins text that a browser highlights
    if anchor == page.rpartition("/")[2].removesuffix("_class"):
        return ""
    if _DOTTED.fullmatch(anchor) or _CPP.fullmatch(anchor):  # torch.add, or an anchor of Sphinx or Doxygen for C++
        return anchor
    # On some pages names have no dot: of Python's own documentation, and source code.
    names = _BARE_NAMES.get(page) if project in ("python", "python2") else None
    if page.startswith("_modules/"):
        names = _NAME
    return anchor if names and names.fullmatch(anchor) else ""


def _find_page_at_read_the_docs(project: str, parts: Url) -> Ref | None:
    """Return the reference of a page at Read the Docs, or of a site with the same layout; ``None`` for other addresses.

    A path is a subproject (``/projects/<name>``, if any), a language and a version, and the page. Numbered versions of
    a page are one, with the address of the latest version.

    Args:
        project: the project's name in ids
        parts: the parts of the address
    """
    match = _READ_THE_DOCS.fullmatch("/".join(("", *parts.segments)))
    if match is None:
        return None
    subproject, prefix = match["subproject"] or "", match["prefix"]
    rest = _find_published([part for part in (match["rest"] or "").split("/") if part])
    if not prefix and re.match(_PREFIX, "/".join(("", *rest))):
        return None  # a version below _sources/
    if parts.host.endswith(".readthedocs.io"):  # a numbered version, not a branch, is there as the latest
        prefix = re.sub(rf"/(?![A-Za-z]+\Z){_VERSION}\Z", "/latest", prefix)
    return _make_page(_Place(project + subproject, f"https://{parts.host}{subproject}{prefix}/", rest), parts)
