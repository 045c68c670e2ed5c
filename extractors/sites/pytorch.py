"""PyTorch's documentation, that of its libraries, and the tutorials."""

from __future__ import annotations

from ..ref import Ref
from ..url import Url, split_url, unescape
from .shared.pages import api_anchor, docs_ref, html_file, is_version, page_of, published
from .tables import read_table

_HOSTS = frozenset(("docs.pytorch.org", "meta-pytorch.org", "pytorch.github.io", "pytorch.org"))
_HOME = {"docs.pytorch.org": ("docs",)}  # the path of the documentation at a host's root
_ROOT = "https://docs.pytorch.org"

# First segment of the path -> (project, present address of its pages).
_LIBRARIES = {first: (project, base) for first, project, base in read_table("pytorch")["libraries"]}
PROJECTS = frozenset(project for project, _ in _LIBRARIES.values())
_TUTORIALS = f"{_ROOT}/tutorials/"
# The tutorials have a folder called ``unstable``; only these words are a version there.
_TUTORIAL_VERSIONS = frozenset(("latest", "main", "master", "stable"))


def knows(host: str) -> bool:
    """Return whether the rule covers a host."""
    return host in _HOSTS


def parse(url: str) -> Ref | None:
    """Return the page of PyTorch's documentation or the tutorial that ``url`` leads to, or ``None``.

    The version and ``.html`` do not count; an anchor counts where it names an object of the API.

    >>> parse("https://pytorch.org/docs/1.9.0/notes/autograd.html#locally-disable-grad-doc").id
    'docs:pytorch/notes/autograd'
    >>> parse("https://pytorch.org/tutorials/advanced/dispatcher.html#autocast").id
    'tutorial:pytorch/advanced/dispatcher'
    """
    parts = split_url(url)
    if parts is None or not knows(parts.host):
        return None
    first, *rest = parts.segments or _HOME.get(parts.host, ("",))
    if first == "tutorials":
        return _tutorial(rest, parts)
    return _docs(first, rest, parts) if first in _LIBRARIES else None


def _docs(first: str, rest: list[str], parts: Url) -> Ref | None:
    """Return a page of the documentation in the folder ``first``, whose path below that is ``rest``."""
    # The C++ docs have no versions; their page ``stable`` is about the stable ABI.
    is_stable_abi = first == "cppdocs" and rest[:1] == ["stable"]
    rest = rest if is_stable_abi else _without_version(rest)
    if first == "docs" and rest[:1] == ["cpp"]:
        first, rest = "cppdocs", rest[1:]
    project, base = _LIBRARIES[first]
    rest = published(rest)
    page = page_of(rest)
    if page is None or (rest and is_version(rest[0]) and not is_stable_abi):
        return None
    file = html_file(page, rest[-1] if rest else "", parts.path)
    return docs_ref(project, page, api_anchor(parts.fragment, page), base + file)


def _without_version(segments: list[str]) -> list[str]:
    if segments and is_version(segments[0]):
        return segments[1:]
    # PyTorch/XLA keeps its releases in a folder of that name.
    if len(segments) > 1 and segments[0] == "release" and is_version(segments[1]):
        return segments[2:]
    return segments


def _tutorial(rest: list[str], parts: Url) -> Ref | None:
    """Return a tutorial; the versions of one are the same."""
    if rest and rest[0] in _TUTORIAL_VERSIONS:
        rest = rest[1:]
    rest = published(rest)
    page = page_of(rest)
    if page is None or page.partition("/")[0] in _TUTORIAL_VERSIONS:
        return None
    file = html_file(page, rest[-1] if rest else "", parts.path)
    return Ref("tutorial", f"tutorial:pytorch/{page}", f"tutorial: {unescape(page)}", _TUTORIALS + file)
