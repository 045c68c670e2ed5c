"""The layout of documentation sites: versions, languages, file names, anchors.

The layouts are those of Sphinx, Doxygen and Read the Docs; most other generators follow them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...ref import Ref
from ...url import unescape

# Words that name a version without a number: branches and the like.
_WORDS = (
    "stable latest current main master trunk head nightly dev devel devdocs develop beta preview unstable git-main "
    "git-master git-stage".split()
)
# A version: such a word, or a release with an optional prefix and suffix.
_VERSION = re.compile(
    rf"""(?: {"|".join(_WORDS)}
          | (?: [vr]?\d+(?:\.(?:\d+|x))*+ | [a-z]+[-_][vr]?\d+(?:\.(?:\d+|x))++ | [a-z-]+@(?:latest|[\d.]+) )
            (?:[._+-]?(?:a|b|c|rc|alpha|beta|dev|pre|preview|post|cu|cpu)[._-]?\d*+){{0,2}}
        )\Z""",
    re.VERBOSE | re.IGNORECASE,
)
# ISO 639-1 codes of the languages that documentation is translated to, with a region or script behind.
_LANGUAGE = re.compile(
    r"(?:ar|az|bg|bn|ca|cs|da|de|el|en|es|et|eu|fa|fi|fr|gl|he|hi|hr|hu|id|it|ja|ka|ko|lt|lv|nb|nl|no|pl|pt|ro|"
    r"ru|sk|sl|sr|sv|ta|th|tr|uk|ur|uz|vi|zh)(?:[-_](?:[A-Za-z]{2}|\d{3}|[Hh]an[st]|[Cc]yrl|[Ll]atn))?\Z"
)
# The end of a page's file.
_PAGE_SUFFIX = re.compile(r"\.x?html?\Z", re.IGNORECASE)
# The end of a page's source.
_SOURCE_SUFFIX = re.compile(r"\.(?:rst|md|ipynb|txt)(?:\.txt)?\Z")
# The endings of files that belong to a page or are for programs: they are not pages.
_NO_PAGE = frozenset(
    "avif bib css eot gif gz ico inv ipynb jpeg jpg js json mp3 mp4 png svg tgz ttf webm webp whl woff woff2 xml xsd "
    "zip".split()
)
_NO_PAGE_FOLDERS = frozenset(("_downloads", "_images", "_sources", "_static"))
_SEARCH = frozenset(("search", "search.html", "genindex-search.html"))

# A name with dots.
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", re.ASCII)
# A name without dots.
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# Sphinx' C++ domain; Doxygen's members (an MD5 behind ``a``, ``ga`` or the name of the group).
_CPP = re.compile(r"_CPPv\d?\w+|(?:\w+_1)?g?a?[0-9a-f]{32,34}", re.ASCII)


def is_version(segment: str) -> bool:
    """Return whether a segment of a path names a version: a release, a branch, or ``stable`` and the like.

    >>> [is_version(s) for s in ("stable", "1.8.0rc1", "v2.1", "gcc-13.2.0", "notes", "torch.nn", "r1.15")]
    [True, True, True, True, False, False, True]
    """
    if segment.isalpha():  # most are, and need no expression
        return segment.lower() in _WORDS
    return len(segment) < 40 and _VERSION.match(segment) is not None


def is_language(segment: str) -> bool:
    """Return whether a segment of a path is a language code (BCP 47) of translated documentation.

    >>> [is_language(s) for s in ("en", "pt-br", "zh_CN", "zh-Hans", "api", "c")]
    [True, True, True, True, False, False]
    """
    return _LANGUAGE.match(segment) is not None


def published(segments: Sequence[str]) -> list[str]:
    """Return the path of the page made from a source that Sphinx copies to ``_sources/``; others are unchanged.

    >>> published(["_sources", "notes", "cuda.rst.txt"]), published(["notes", "cuda.html"])
    (['notes', 'cuda.html'], ['notes', 'cuda.html'])
    """
    if len(segments) < 2 or segments[0] != "_sources" or not _SOURCE_SUFFIX.search(segments[-1]):
        return list(segments)
    return [*segments[1:-1], _SOURCE_SUFFIX.sub(".html", segments[-1])]


def page_of(segments: Sequence[str]) -> str | None:
    """Return the name of the page at a path below the root of a documentation, or ``None`` for other files.

    ``.html`` is removed, ``index.html`` becomes its folder (the root's name is ``index``).

    >>> page_of(["notes", "cuda.html"]), page_of(["elastic", "index.html"]), page_of([])
    ('notes/cuda', 'elastic', 'index')
    >>> page_of(["_static", "x.js"]) is None
    True
    """
    if not segments:
        return "index"
    *folders, last = segments
    _, dot, ending = last.rpartition(".")
    if segments[0] in _NO_PAGE_FOLDERS or last in _SEARCH or (dot and ending.lower() in _NO_PAGE):
        return None
    last = _PAGE_SUFFIX.sub("", last)
    if last and last != "index":
        folders = [*folders, last]
    return "/".join(folders) or "index"


def html_file(page: str, last: str, path: str) -> str:
    """Return the file of a page of Sphinx below the root; ``last`` and ``path`` are how the page was found.

    >>> html_file("nn", "nn", "/docs/stable/nn"), html_file("elastic", "elastic", "/docs/1.9/elastic/")
    ('nn.html', 'elastic/index.html')
    """
    if page == "index":
        return ""
    bare = _PAGE_SUFFIX.sub("", last)
    is_folder = bare == "index" or (bare == last and path.endswith("/"))
    return f"{page}/index.html" if is_folder else f"{page}.html"


def api_anchor(fragment: str, page: str) -> str:
    """Return the anchor when it names an object of the API, other than the one the page is about, else "".

    Generators give objects their dotted names, and sections lower-case words with hyphens: docutils makes no
    other (``docutils.nodes.make_id``). On the pages of source code, ``_modules``, every name is an object.

    >>> api_anchor("torch.nn.Linear", "nn"), api_anchor("extending-torch", "notes/extending")
    ('torch.nn.Linear', '')
    >>> api_anchor("torch.vmap", "generated/torch.vmap"), api_anchor("module-torch.nn", "nn")
    ('', '')
    """
    anchor = unescape(fragment.partition(":~:")[0])
    subject = page.rpartition("/")[2].removesuffix("_class")
    if anchor == subject:
        return ""
    if _DOTTED.fullmatch(anchor) or _CPP.fullmatch(anchor):
        return anchor
    return anchor if page.startswith("_modules/") and _NAME.fullmatch(anchor) else ""


def docs_ref(project: str, page: str, anchor: str, url: str, label: str = "") -> Ref:
    """Return the reference to a page of a project's documentation, or to the object at ``anchor`` on it.

    ``label`` is its name where the names of page and object are unclear.

    >>> docs_ref("pytorch", "nn", "torch.nn.Linear", "https://docs.pytorch.org/docs/stable/nn.html").label
    'torch.nn.Linear'
    """
    tail = f"#{anchor}" if anchor else ""
    return Ref("docs", f"docs:{project}/{page}{tail}", label or _label(project, page, anchor), f"{url}{tail}")


def _label(project: str, page: str, anchor: str) -> str:
    name = anchor or page.rpartition("/")[2]
    if _DOTTED.fullmatch(name) and (anchor or "generated/" in page):
        return name
    return f"{project}: {unescape(page)}"
