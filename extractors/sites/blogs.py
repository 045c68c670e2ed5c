"""Posts of blogs: a table of addresses, the blog platforms, and the usual names of blog folders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..ref import Ref
from ..url import Url, split_url
from .shared.pages import is_language
from .table import slug_to_words
from .tables import read_table

_TABLE = read_table("blogs")
_BLOGS, _MEDIUM_HOSTS, _NO_BLOGS = ([row[0] for row in _TABLE[name]] for name in ("blogs", "medium", "no blogs"))
_MOVED = dict(_TABLE["moved"])
_BY_HOST: dict[str, list[list[str]]] = {}
for _address in sorted(_BLOGS, key=lambda address: -address.count("/")):
    _host, *_steps = _address.split("/")
    _BY_HOST.setdefault(_host, []).append(_steps)
_LONGEST_MOVED = 1 + max(address.count("/") for address in _MOVED)
_MOVED_HOSTS = frozenset(address.partition("/")[0] for address in _MOVED)

_PLATFORMS = (".wordpress.com", ".blogspot.com", ".ghost.io", ".hashnode.dev", ".bearblog.dev", ".typepad.com")
_BLOG_HOST = ("blog.", "blogs.", "devblogs.", "engineering.")
_NO_BLOG_HOST = re.compile(r"engineering\..*\.(?:edu|ac\.[a-z]{2})")  # a faculty
# A blog on Blogspot; the ending of its host depends on the reader's country.
_BLOGSPOT = re.compile(r"([a-z0-9-]+)\.blogspot\.[a-z]{2,3}(?:\.[a-z]{2})?")
_FOLDERS = frozenset(("blog", "blogs"))
# The name of a newsletter.
_SUBSTACK = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
# The slug and the number of a post on Medium.
_MEDIUM_NUMBER = re.compile(r"(?:(.*)-)?([0-9a-f]{10,12})")

# The home of a blog, its lists and its feeds: no posts.
_LISTS = frozenset(
    "about all all-posts amp archive archives articles atom author authors bio blogs books categories category "
    "comment comments contact faq feed feeds home index label labels latest list page pages parallelforall people "
    "privacy raq rss search series sitemap subscribe t tag tagged tags topic topics wp-admin wp-content wp-json "
    "wp-login writing".split()
)
# The page of a folder, and views of one page.
_INDEX = re.compile(r"(?:index|default)\.(?:html?|php)|amp|comment-page-\d+", re.IGNORECASE)
# The end of a file that holds a page.
_SUFFIX = re.compile(r"\.(?:html?|php|xml|json)\Z", re.IGNORECASE)
# Files beside posts, and feeds.
_NO_POST = re.compile(
    r"\.(?:css|gif|gz|ico|ipynb|jpe?g|js|json|mp3|mp4|pdf|png|svg|tgz|webm|webp|xml|zip)\Z|\A(?:feed|rss|atom)\Z",
    re.IGNORECASE,
)
# A year, as folders are called.
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH = re.compile(r"0?[1-9]|1[0-2]")
_DEEPEST = 5  # parts of a dated path: a newspaper's has more
# A month or a day, as folders are called.
_TWO_DIGITS = re.compile(r"\d\d?")


def parse(url: str) -> Ref | None:
    """Return the blog post at ``url``, or ``None``, also for home pages, lists, tags and feeds.

    The scheme, a trailing slash, ``index.html`` and the query do not count, except WordPress' ``?p=<number>``. A
    post on Medium is identified by its number alone.

    >>> parse("http://blog.ezyang.com/2019/05/pytorch-internals/").id
    'blog:blog.ezyang.com/2019/05/pytorch-internals'
    >>> parse("https://medium.com/pytorch/a-title-0a1b2c3d4e5f?source=rss").id
    'blog:medium.com/p/0a1b2c3d4e5f'
    >>> parse("https://blog.ezyang.com/category/pytorch/") is None
    True
    """
    parts = split_url(url)
    if parts is None:
        return None
    host, segments = parts.host, list(parts.segments)
    if f".{host}".endswith(".medium.com") or host in _MEDIUM_HOSTS:
        return _medium(segments)
    if host.endswith(".substack.com"):
        return _substack(host, segments)
    host, *segments = _resolve_moved(host, segments)
    while segments and _INDEX.fullmatch(segments[-1]):
        segments.pop()
    root = _root(host, segments)
    if root is None:
        return None
    if not segments:
        return _numbered(host, parts)
    return _post(host, segments, parts) if _is_post(segments[root:]) else None


def _resolve_moved(host: str, segments: Sequence[str]) -> list[str]:
    """Return host and path of an address as they are today.

    Blogs that moved are in a table, where the longest path counts.
    """
    if blogspot := _BLOGSPOT.fullmatch(host):
        host = f"{blogspot[1]}.blogspot.com"
    path = [host, *segments]
    if host not in _MOVED_HOSTS:
        return path
    for length in range(min(len(path), _LONGEST_MOVED), 0, -1):
        today = _MOVED.get("/".join(path[:length]))
        if today:
            return [*today.split("/"), *path[length:]]
    return path


def _root(host: str, segments: Sequence[str]) -> int | None:
    """Return the number of path segments above a blog's posts, or ``None`` when this is not a blog."""
    listed = _listed_root(host, segments)
    if listed is not None:
        return listed
    if host.startswith(_BLOG_HOST) or host.endswith(_PLATFORMS):
        return None if _NO_BLOG_HOST.fullmatch(host) else 0
    if host.endswith(".github.io"):
        return _root_on_pages(segments)
    if host in _NO_BLOGS:
        return None
    start = int(bool(segments) and is_language(segments[0]))
    if len(segments) > start and segments[start] in _FOLDERS:
        return start + 1
    return start if _is_dated(segments[start:]) else None


def _is_dated(segments: Sequence[str]) -> bool:
    """Return whether a path is that of a post under its date: ``/2005/06/slug``, ``/2005/06/07/slug``."""
    match segments:
        case [year, month, *_, slug] if _YEAR.fullmatch(year) and _MONTH.fullmatch(month):
            return len(segments) < _DEEPEST and "-" in slug and any(map(str.isalpha, slug))
    return False


def _listed_root(host: str, segments: Sequence[str]) -> int | None:
    """Return the number of segments above the posts of a blog in the table, or ``None``."""
    for steps in _BY_HOST.get(host, ()):
        if len(segments) >= len(steps) and all(map(_fits, steps, segments)):
            return len(steps)
    return None


def _fits(step: str, segment: str) -> bool:
    return segment.lower() not in _LISTS if step == "*" else segment == step


def _root_on_pages(segments: Sequence[str]) -> int | None:
    """Return the root of a blog made with Jekyll or Hugo: posts are under ``posts`` or under their date."""
    for index, here in enumerate(segments[:2]):
        if here in ("post", "posts", *_FOLDERS):
            return index + 1
        if _YEAR.fullmatch(here) and len(segments) > index + 2 and _TWO_DIGITS.fullmatch(segments[index + 1]):
            return index
    return None


def _is_post(rest: Sequence[str]) -> bool:
    """Return whether the path below a blog's root is a post: not a list, an archive of a month, or a home page."""
    if not rest or _NO_POST.search(rest[-1]) or _SUFFIX.sub("", rest[0]).lower() in _LISTS:
        return False
    if all(part.isdigit() for part in rest):  # the archive of a year or month, a page of a list
        return False
    return not (len(rest) == 1 and is_language(rest[0]))


def _numbered(host: str, parts: Url) -> Ref | None:
    """Return the post that WordPress shows at a blog's home for its number alone: ``/?p=12``."""
    number = parts.get("p")
    if not (number.isascii() and number.isdigit()):
        return None
    name = f"{host}/?p={number}"
    return Ref("blog", f"blog:{name}", f"{host}: post {number}", f"{_scheme(host, parts)}://{name}")


def _post(host: str, segments: Sequence[str], parts: Url) -> Ref:
    path = "/".join((host, *segments))
    title = slug_to_words(_SUFFIX.sub("", segments[-1]))
    slash = "/" * parts.path.endswith("/")
    return Ref("blog", f"blog:{path}", f"{host}: {title}" if title else path, f"{_scheme(host, parts)}://{path}{slash}")


def _scheme(host: str, parts: Url) -> str:
    """Return ``https`` for hosts known to serve it, else the link's scheme."""
    return "https" if host in _BY_HOST or host.endswith(_PLATFORMS) else parts.scheme


def _medium(segments: Sequence[str]) -> Ref | None:
    """Return a post at Medium, which has a number at the end of its address: ``/@ann/some-title-0123456789ab``."""
    if not segments or not _LISTS.isdisjoint(segments[:-1]):
        return None
    found = _MEDIUM_NUMBER.fullmatch(segments[-1])
    if found is None or (found[1] is None and segments[:-1] != ["p"]):
        return None
    label = f"medium.com: {slug_to_words(found[1] or '') or found[2]}"
    return Ref("blog", f"blog:medium.com/p/{found[2]}", label, f"https://medium.com/p/{found[2]}")


def _substack(host: str, segments: Sequence[str]) -> Ref | None:
    """Return a post at Substack; ``open.substack.com/pub/<name>`` is the blog ``<name>.substack.com``."""
    if host == "open.substack.com" and len(segments) > 1 and segments[0] == "pub" and _SUBSTACK.fullmatch(segments[1]):
        host, segments = f"{segments[1].lower()}.substack.com", segments[2:]
    if len(segments) < 2 or segments[0] != "p":
        return None
    path = f"{host}/p/{segments[1]}"
    return Ref("blog", f"blog:{path}", f"{host}: {slug_to_words(segments[1])}", f"https://{path}")
