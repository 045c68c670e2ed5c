"""The documentation of other projects: a table of addresses, and all of Read the Docs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..url import Url, split_url, unescape
from .pytorch import PROJECTS
from .shared.pages import api_anchor, docs_ref, is_language, is_version, page_of, published
from .tables import read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ref import Ref


class _Row(NamedTuple):
    steps: list[str]
    project: str
    base: str


ROWS = [(address, *(place or ("", ""))) for address, *place in read_table("docs")["pages"]]
_BY_HOST: dict[str, list[_Row]] = {}
for _address, _project, _base in ROWS:
    _host, *_steps = _address.split("/")
    _BY_HOST.setdefault(_host, []).append(_Row(_steps, _project, _base))
_TAKEN = PROJECTS | {project.partition("/")[0] for _, project, _ in ROWS}

# cppreference.com in any language.
_CPPREFERENCE = re.compile(r"(?:[a-z]{2}\.)?cppreference\.com")
# A project's host at Read the Docs, old and new.
_READ_THE_DOCS = re.compile(r"([a-z0-9-]+)\.(?:readthedocs\.(?:io|org)|rtfd\.(?:io|org))")
# A customer's host at Read the Docs.
_OWN_READ_THE_DOCS = re.compile(r"[a-z0-9-]+\.readthedocs-hosted\.com")
_DOCS_HOST = ("doc.", "docs.", "documentation.", "manual.")
# A release: 1.2, v1.2.3.
_RELEASE = re.compile(r"v?\d+(?:\.\d+)+")
# A name with a release behind it: numpy-1.21.
_WITH_VERSION = re.compile(r"(.+?)-v?\d+(?:\.\d+)*")

# Documents known by their number: the series, how a page spells it, the page's name, its file (empty: as found).
_NUMBERED = {
    "ietf": (
        "RFC",
        re.compile(r"rfc0*([1-9]\d{0,4})(?:\.(?:txt|html|pdf|xml|json))*", re.IGNORECASE),
        "rfc{}",
        "rfc{}",
    ),
    "neps": ("NEP", re.compile(r"nep-(\d{4})\b.*"), "nep-{:04}", ""),
    "peps": ("PEP", re.compile(r"pep-0*(\d{1,4})(?:\.html|\.txt|\.rst)?"), "pep-{:04}", "pep-{:04}/"),
}
# Pages of Python's documentation with objects whose names have no dot, and these names.
_BARE_NAMES = {
    "library/constants": re.compile(r"(?!id\d|index-)[A-Za-z_]\w*", re.ASCII),
    "library/exceptions": re.compile(r"[A-Z][A-Za-z]+"),
    "library/functions": re.compile(r"(?!id\d|index-)[A-Za-z_]\w*", re.ASCII),
    "library/stdtypes": re.compile("bytearray|bytes|dict|frozenset|list|memoryview|range|set|str|tuple"),
}


def parse(url: str) -> Ref | None:
    """Return the page of a known documentation that ``url`` leads to, or ``None``.

    Versions, languages and ``.html`` do not count; an anchor counts where it names an object of the API.

    >>> parse("https://numpy.org/doc/1.21/reference/ufuncs.html#output-type-determination").id
    'docs:numpy/reference/ufuncs'
    >>> parse("https://docs.python.org/3.12/library/functions.html#open").id
    'docs:python/library/functions#open'
    >>> parse("https://tools.ietf.org/html/rfc2119#section-3").id
    'docs:ietf/rfc2119'
    """
    parts = split_url(url)
    if parts is None:
        return None
    host = "en.cppreference.com" if _CPPREFERENCE.fullmatch(parts.host) else parts.host
    if served := _READ_THE_DOCS.fullmatch(host):
        host = f"{served[1]}.readthedocs.io"
    if host in _BY_HOST:
        return _from_table(host, parts)
    if served:
        # A project there may have the name of another one that we know.
        return _read_the_docs(served[1] if served[1] not in _TAKEN else host, host, parts)
    if _OWN_READ_THE_DOCS.fullmatch(host) or _looks_like_read_the_docs(parts):
        return _read_the_docs(host, host, parts)
    return None


def _find(host: str, segments: Sequence[str]) -> tuple[str, str, Sequence[str]] | None:
    """Return project, base and the rest of the path by the first row of the table that fits."""
    for steps, project, base in _BY_HOST.get(host, ()):
        found = _walk(steps, segments)
        if found is not None:
            rest, star = found
            return project.replace("*", star), base.replace("*", star), rest
    return None


def _from_table(host: str, parts: Url) -> Ref | None:
    """Return the page that an address leads to according to the table, or ``None``."""
    found = _find(host, parts.segments)
    if found is None or not found[0]:
        return None
    project, base, rest = found
    rest = published(rest)
    return _page(project, base, rest, parts) if _stays(project, base, rest) else None


def _stays(project: str, base: str, rest: Sequence[str]) -> bool:
    """Return whether a page keeps its identity at its base address: a base without a version loses a second version."""
    at = split_url(base)
    found = _find(at.host, (*at.segments, *rest)) if at else None
    return found is not None and _joined(found[0], found[2]) == _joined(project, rest)


def _joined(project: str, rest: Sequence[str]) -> str:
    return "/".join((project, *rest))


def _walk(steps: Sequence[str], segments: Sequence[str]) -> tuple[Sequence[str], str] | None:
    """Return the path after an address of the table, and the value of ``*``; ``None`` if the path does not match."""
    at, star = 0, ""
    for step in steps:
        here = segments[at] if at < len(segments) else ""
        if step == "{rtd}":
            at += _length_of_prefix(segments[at:])
        elif step == "{same}":
            at += here == star.replace("-", "_") and segments[at + 1 :] in ((), ("index.html",))
        elif _fits(step, here):
            at += 1
            if step[0] == "*":
                named = _WITH_VERSION.fullmatch(here) if step == "*~" else None
                star = named[1] if named else here
        elif step not in ("{version}", "{language}", "{any}"):
            return None
    return segments[at:], star


def _fits(step: str, segment: str) -> bool:
    """Return whether a segment of a path matches a step of an address in the table.

    ``{2}`` is any version 2.x, ``name~`` the name with or without a version behind it.
    """
    match step:
        case "{version}" | "{version!}":
            return is_version(segment)
        case "{language}" | "{language!}":
            return is_language(segment)
        case "{2}":
            return is_version(segment) and segment.partition(".")[0] == "2"
        case "{any}" | "*" | "*~":
            return segment not in ("", "index.html")
    name = step.removesuffix("~")
    start, _, version = segment.partition(f"{name}-")
    return segment == name or (step != name and not start and is_version(version))


def _page(project: str, base: str, rest: Sequence[str], parts: Url) -> Ref | None:
    """Return the page of a project at the path ``rest`` below ``base``, or ``None`` if that is not a page.

    Proposals and RFCs have their number as a label. A project ``name/folder`` is a part of ``name``.
    """
    if project in _NUMBERED:
        series, spelling, name, file = _NUMBERED[project]
        found = spelling.fullmatch(rest[0]) if len(rest) == 1 else None
        if found:
            number = int(found[1])
            label = f"{series} {number}"
            return docs_ref(project, name.format(number), "", base + (file.format(number) or rest[0]), label)
        if project == "ietf":
            return None
    page = page_of(rest)
    if page is None:
        return None
    tail = _tail(page, rest, parts)
    project, _, folder = project.partition("/")
    if folder:
        page = folder if page == "index" else f"{folder}/{page}"
    anchor = api_anchor(parts.fragment, page) or _bare_name(project, page, parts.fragment)
    return docs_ref(project, page, anchor, base + tail)


def _tail(page: str, rest: Sequence[str], parts: Url) -> str:
    """Return the path of a page as it was found, so that it opens however the site names its files."""
    if page == "index":
        return ""
    return "/".join(rest) + "/" * parts.path.endswith("/")


def _bare_name(project: str, page: str, fragment: str) -> str:
    """Return the name of an object of Python that has no dot, such as ``len``, from the fragment of an address."""
    if project not in ("python", "python2") or page not in _BARE_NAMES:
        return ""
    name = unescape(fragment.partition(":~:")[0])
    return name if _BARE_NAMES[page].fullmatch(name) else ""


def _length_of_prefix(segments: Sequence[str]) -> int:
    """Count the parts that Read the Docs puts before a page: language and version, version alone, or none.

    Behind a language any name is a version: a project builds the branches and tags it likes.
    """
    if not segments:
        return 0
    if is_language(segments[0]):
        return min(2, len(segments))
    return int(is_version(segments[0]))


def _read_the_docs(project: str, host: str, parts: Url) -> Ref | None:
    """Return the page of a project at Read the Docs.

    The project's numbered versions are one page, with the address of the latest one.
    """
    segments = parts.segments
    # A subproject, at /projects/<name>/, has versions of its own.
    own = 2 if segments[:1] == ("projects",) else 0
    end = own + _length_of_prefix(segments[own:])
    prefix = list(segments[:end])
    rest = published(segments[end:])
    if not prefix and _length_of_prefix(rest):
        return None
    if end > own and is_version(prefix[-1]) and not prefix[-1].isalpha() and host.endswith(".readthedocs.io"):
        prefix[-1] = "latest"
    base = "/".join((f"https://{host}", *prefix, ""))
    return _page("/".join((project, *segments[:own])), base, rest, parts)


def _looks_like_read_the_docs(parts: Url) -> bool:
    """Return whether a page of an unknown host has the layout of Read the Docs: ``/en/stable/…``."""
    if len(parts.segments) < 2 or not is_language(parts.segments[0]):
        return False
    version = parts.segments[1]
    if version == "stable" or _RELEASE.fullmatch(version):
        return True
    # Newspapers have ``/en/latest/`` too.
    names_page = parts.segments[-1].endswith(".html") and parts.segments[2:] != ("index.html",)
    return version in ("latest", "main", "master") and (names_page or parts.host.startswith(_DOCS_HOST))
