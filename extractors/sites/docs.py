"""The documentation of projects: a table of addresses, and all of Read the Docs.

The layouts are those of Sphinx, Doxygen and Read the Docs; most other generators follow them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ..ref import Ref
from ..url import Url, split_url, unescape
from .table import NAMES, Row, Table, load_table
from .tables import read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_READ_THE_DOCS = re.compile(rf"(?P<own>/projects/[^/]+)?(?P<prefix>{_PREFIX}?+)(?:/(?P<rest>.*))?")
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
    """Return the page of a known documentation at ``url``, or ``None``.

    Versions, languages and ``.html`` do not count; an anchor counts where it names an object of the API.

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
    if table.knows(host):
        place = _find(table, parts)
        if place is None or not place[0] or not _stays(table, *place):
            return None
        return _find_page(*place, parts)
    if project_host is None and not _LIKE_READ_THE_DOCS.fullmatch("/".join((host, *parts.segments))):
        return None
    # A project there may have the name of another known one.
    name = project_host[1] if project_host and host.endswith(".readthedocs.io") else host
    return _read_the_docs(host if name in _find_projects() else name, parts)


@cache
def _load_docs() -> Table:
    """Return the table of addresses; a row has the address as kind, the project as id, the pages' address as page."""
    rows = []
    for address, *place in read_table("docs")["pages"]:
        host, *steps = address.split("/")
        pattern = "".join(_STEPS.get(step) or _make_literal(step) for step in steps if step != "{same}")
        hosts = _PYTORCH if host == "{pytorch}" else host
        project, base = place or ("", "")
        rows.append(Row(hosts, f"[^/]+{pattern}(?:/(?P<rest>.*))?", address, project, page=base))
    return Table(rows)


def _make_literal(step: str) -> str:
    """Return the expression for a literal segment; ``name~`` may have a version behind it."""
    name = re.escape(step.removesuffix("~"))
    return rf"/{name}(?:-{_VERSION})?(?=/|\Z)" if step.endswith("~") else rf"/{name}(?=/|\Z)"


@cache
def _find_projects() -> frozenset[str]:
    return frozenset(row.id.partition("/")[0] for row in _load_docs().rows)


def _find(table: Table, parts: Url) -> tuple[str, str, list[str]] | None:
    """Return project, base and the rest of the path by the first fitting row of the table."""
    match = table.match(parts)
    if match is None:
        return None
    row, groups = match
    star, rest = groups.get("star", ""), [part for part in groups["rest"].split("/") if part]
    if row.kind.endswith("{same}") and rest[:1] == [star.replace("-", "_")] and rest[1:] in ([], ["index.html"]):
        del rest[0]
    return row.id.replace("*", star), row.page.replace("*", star), _find_published(rest)


def _stays(table: Table, project: str, base: str, rest: Sequence[str]) -> bool:
    """Return whether a page keeps its identity at its base address: a base without a version loses a second version."""
    at = split_url(base + "/".join(rest))
    place = _find(table, at) if at else None
    return place is not None and "/".join((place[0], *place[2])) == "/".join((project, *rest))


def _find_published(rest: list[str]) -> list[str]:
    """Return the path of the page made from a source copied by Sphinx to ``_sources/``; others are unchanged."""
    if len(rest) < 2 or rest[0] != "_sources" or not _SOURCE_SUFFIX.search(rest[-1]):
        return rest
    return [*rest[1:-1], _SOURCE_SUFFIX.sub(".html", rest[-1])]


def _find_page(project: str, base: str, rest: Sequence[str], parts: Url) -> Ref | None:
    """Return the page of a project at the path ``rest`` below ``base``, or ``None`` if that is not a page.

    ``.html`` is removed, ``index.html`` becomes its folder (the root's name is ``index``). The address has the path
    as it was found, so that it opens however the site names its files. A project ``name/folder`` is a part of ``name``.
    """
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
    """Return the anchor when it names an object of the API, other than the one the page is about, else "".

    Generators give objects their dotted names, and sections lower-case words with hyphens: docutils makes no
    other (``docutils.nodes.make_id``).
    """
    anchor = unescape(fragment.partition(":~:")[0])
    if anchor == page.rpartition("/")[2].removesuffix("_class"):
        return ""
    if _DOTTED.fullmatch(anchor) or _CPP.fullmatch(anchor):
        return anchor
    names = _BARE_NAMES.get(page) if project in ("python", "python2") else None
    if page.startswith("_modules/"):
        names = _NAME
    return anchor if names and names.fullmatch(anchor) else ""


def _read_the_docs(project: str, parts: Url) -> Ref | None:
    """Return the page of a project at Read the Docs, where a subproject, at /projects/<name>/, has its own versions.

    The project's numbered versions are one page, with the address of the latest one.
    """
    match = _READ_THE_DOCS.fullmatch("/".join(("", *parts.segments)))
    if match is None:
        return None
    own, prefix = match["own"] or "", match["prefix"]
    rest = _find_published([part for part in (match["rest"] or "").split("/") if part])
    if not prefix and re.match(_PREFIX, "/".join(("", *rest))):
        return None
    if parts.host.endswith(".readthedocs.io"):
        prefix = re.sub(rf"/(?![A-Za-z]+\Z){_VERSION}\Z", "/latest", prefix)
    return _find_page(project + own, f"https://{parts.host}{own}{prefix}/", rest, parts)
