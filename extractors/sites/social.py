"""Sites with an id in a variable address: documents, encyclopedias, posts, models, books.

They have no kind of their own and are web pages, each with one canonical address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..url import split_url
from .table import Row, Table, query
from .web import readable

if TYPE_CHECKING:
    from ..ref import Ref

_DRIVE_ID = "(?P<n>[A-Za-z0-9_-]{15,})"
_DOCS = r"(?:/.*)?/(?P<kind>document|presentation|spreadsheets|drawings|forms)/(?:.*/)?d"
_DOCS_PAGE = "docs.google.com/{kind}/d/e/{n}"
# An article at Amazon: its number, or an ISBN.
_ASIN = r"(?P<n>(?i:B[A-Z0-9]{9}|\d{9}[\dX]))"
_X = "x.com twitter.com mobile.twitter.com mobile.x.com m.twitter.com vxtwitter.com fxtwitter.com fixupx.com fixvx.com "
_X += "xcancel.com nitter.*"
_NO_USER = r"""(?!(?i:about|compose|download|explore|hashtag|home|i|intent|jobs|login|logout|messages|notifications
|privacy|search|settings|share|signup|tos)(?:/|\Z))""".replace("\n", "")
_HF = "huggingface.co hf.co"
_NO_OWNER = r"""(?!(?:api|blog|chat|collections|datasets|docs|enterprise|inference|join|learn|login|models|new
|organizations|papers|posts|pricing|privacy|search|settings|spaces|storage|support|tasks|terms-of-service)(?:/|\Z))""".replace(
    "\n", ""
)
_HF_INSIDE = "(?:blob|resolve|raw|blame|tree|discussions|commit|commits|viewer)"
_HF_NAME = rf"(?!{_HF_INSIDE}(?:/|\Z))[^/]+"
_HF_BASE = rf"/(?P<base>(?:(?:datasets|spaces)/|{_NO_OWNER})[^/]+(?:/{_HF_NAME})?)"
_WIKIPEDIA = r"(?:(?P<lang>(?!m\.)[a-z][a-z0-9-]*)\.)?(?:m\.)?wikipedia\.org"
_NO_TITLE = r"(?!(?:_|/|%20|\+)*(?:&|\Z))"


def _clean_title(raw: str) -> str:
    """Return a title of MediaWiki as in addresses: a space is an underscore, a question mark is escaped."""
    return "/".join(filter(None, raw.replace("%20", "_").strip("_").split("/")))


def _capitalise(title: str) -> str:
    """Return a title with a capital first letter, as in MediaWiki's manual, "Page title"."""
    capital = title[0].upper()
    return capital + title[1:] if len(capital) == 1 else title  # the capital of "ß" is two letters


def _page(hosts: str, pattern: str, name: str, label: str = "", page: str = "") -> Row:
    return Row(hosts, pattern, "web", name, label, page)


_TABLE = Table((
    # Google's documents: /pub is the address of a published one, /viewform that of a form.
    _page("docs.google.com", rf"(?:/.*)?/(?P<kind>forms)/(?:.*/)?d/e/{_DRIVE_ID}(?:/.*)?", _DOCS_PAGE, "",
          f"https://{_DOCS_PAGE}/viewform"),
    _page("docs.google.com", rf"{_DOCS}/e/{_DRIVE_ID}(?:/.*)?", _DOCS_PAGE, "", f"https://{_DOCS_PAGE}/pub"),
    _page("docs.google.com", rf"{_DOCS}/{_DRIVE_ID}(?:/.*)?", "docs.google.com/{kind}/d/{n}"),
    _page("drive.google.com", rf"(?:/.*)?/folders/{_DRIVE_ID}(?:/.*)?", "drive.google.com/drive/folders/{n}"),
    _page("drive.google.com", rf"(?:/.*)?/d/{_DRIVE_ID}(?:/.*)?", "drive.google.com/file/d/{n}"),
    _page("drive.google.com docs.google.com", "/.*" + query("id", _DRIVE_ID), "drive.google.com/file/d/{n}"),
    _page("colab.research.google.com", rf"/drive/{_DRIVE_ID}(?:/.*)?", "colab.research.google.com/drive/{n}"),
    _page("news.ycombinator.com", "/item" + query("id", r"(?P<n>\d+)"), "news.ycombinator.com/item?id={n}"),
    # Wikipedia: without a language, the host is the English one.
    *(
        _page(".wikipedia.org", rf"{_WIKIPEDIA}/{pattern}",
              f"{{lang}}.wikipedia.org/wiki/{title}t}} | en.wikipedia.org/wiki/{title}t}}", f"{title}ts}}",
              f"https://{{lang}}.wikipedia.org/wiki/{title}e}} | https://en.wikipedia.org/wiki/{title}e}}")
        for pattern, title in (
            (rf"(?:wiki|(?P=lang)-[^/]*|en-[^/]*)/{_NO_TITLE}(?P<title>.+)", "{title:"),
            (rf"(?:w|index\.php)(?:/[^?]*)?{query('title', f'{_NO_TITLE}(?P<title>[^&]+)')}", "{title:q"),
        )
    ),
    # X: a post counts without its author, because the number is enough to find it.
    _page(_X, r"/(?:[^/]+/status(?:es)?|i/web/status)/(?P<n>\d+)(?:/.*)?", "x.com/i/status/{n}"),
    _page(_X, rf"/{_NO_USER}@?(?P<user>\w{{1,20}})(?:/(?:with_replies|media|likes))?", "x.com/{user:l}"),
    _page(_X, "/hashtag/(?P<tag>[^/]+)", "x.com/hashtag/{tag:rl}", "", "https://x.com/hashtag/{tag}"),
    _page(_X, "(?:/(?P<path>.*?))?/?" + query("q", "(?P<q>[^&]+)"), "x.com/{path}?q={q} | x.com?q={q}"),
    _page(_X, "/(?P<path>.*)", "x.com/{path} | x.com"),
    # A model, data set or space, or a file, folder, discussion or commit in one.
    *(
        _page(_HF, _HF_BASE + pattern, f"huggingface.co/{{base:l}}{tail}", f"{{base:r}}{label}",
              f"https://huggingface.co/{{base}}{tail}")
        for pattern, tail, label in (
            (r"(?:/.*?)?/(?:blob|resolve|raw|blame)/(?P<rev>[^/]+)/(?P<path>.+)", "/blob/{rev}/{path}",
             "/blob/{rev:r}/{path:r}"),
            (r"(?:/.*?)?/tree/(?P<rev>[^/]+)/(?P<path>.+)", "/tree/{rev}/{path}", "/tree/{rev:r}/{path:r}"),
            (r"(?:/.*?)?/(?P<part>discussions|commit)/(?P<n>[^/]+)(?:/.*)?", "/{part}/{n}", "/{part}/{n:r}"),
            ("(?:/.*)?", "", ""),
        )
    ),
    _page("amazon.* m.amazon.* smile.amazon.*",
          rf"(?:smile\.|m\.)?(?P<shop>amazon(?:\.[a-z]{{2,3}}){{1,2}})/(?:.*/)?(?:dp|product|ASIN|d|o|-)/{_ASIN}(?:/.*)?",
          "{shop}/dp/{n:u}", "", "https://www.{shop}/dp/{n:u}"),
    # Comments on a post at Reddit count as the post.
    _page(".reddit.com", "/(?:.*/)?comments/(?P<n>[^/]+)(?:/.*)?", "reddit.com/comments/{n:l}"),
    _page(".reddit.com", "/r/(?P<n>[^/]+)", "reddit.com/r/{n:l}"),
    _page(".reddit.com", "/u(?:ser)?/(?P<n>[^/]+)", "reddit.com/user/{n:l}"),
    _page("redd.it", r"/(?P<n>[A-Za-z0-9]+)", "reddit.com/comments/{n:l}"),
    _page(".linkedin.com", "/(?P<kind>in|company|school|showcase|pulse)/(?P<n>[^/]+)(?:/.*)?",
          "linkedin.com/{kind}/{n:rl}", "", "https://www.linkedin.com/{kind}/{n}"),
    _page(".linkedin.com",
          r"/(?:posts|feed/update)/(?:[^/]*-|urn:li:)(?P<kind>activity|share|ugcPost)[-:](?P<n>\d{10,})(?:-[^/]*)?(?:/.*)?",
          "linkedin.com/feed/update/urn:li:{kind}:{n}"),
), {
    "t": lambda raw: _capitalise(readable(_clean_title(raw))),
    "q": lambda raw: raw.replace("+", "_"),
    "s": lambda title: title.replace("_", " "),
    "e": lambda raw: _clean_title(raw).replace("?", "%3F"),
})  # fmt: skip
knows = _TABLE.knows


def parse(url: str) -> Ref | None:
    """Identify a page of one of these sites: documents, articles, posts, models, books.

    >>> parse("https://docs.google.com/document/u/0/d/1XDPNK3iNNShg07jRXDOrMk2V/edit#heading=h.1").id
    'web:docs.google.com/document/d/1XDPNK3iNNShg07jRXDOrMk2V'
    >>> parse("https://en.m.wikipedia.org/wiki/iEEE_754#History").id
    'web:en.wikipedia.org/wiki/IEEE_754'
    """
    parts = split_url(url)
    if parts and not parts.segments and parts.fragment.startswith("!/") and parts.fragment.isascii():
        # The addresses of X until 2012 have their path in the fragment, which no row sees.
        parts = split_url(f"https://{parts.host}{parts.fragment[1:]}")
    return _TABLE.find(parts) if parts else None
