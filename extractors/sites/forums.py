"""Topics of forums that run Discourse, on any host, and of Google Groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..url import split_url
from .table import Row, Table

if TYPE_CHECKING:
    from ..ref import Ref

# Here ``t/name/123`` is an owner, a repository and a path.
_NO_FORUM = r"(?!(?:bitbucket\.org|codeberg\.org|github\.com|gitlab\.com|raw\.githubusercontent\.com)/)"
_FOLDER = "(?:community|discourse|discuss|forum|forums)"  # a forum may live in a folder of a site
_FORUM_HOST = (
    r"(?:meta\.discourse\.org|(?:community|dev-discuss|discourse|discuss|forums?|internals|talk|users)\.[^/]+)"
)
# Here a topic's number is enough; elsewhere only the full form, with a slug, identifies a forum.
_KNOWN = rf"{_NO_FORUM}(?P<root>(?:{_FORUM_HOST}(?:/{_FOLDER})?|[^/]+/{_FOLDER})/t)"
_NUMBER = r"0*(?P<n>[1-9]\d{0,9})(?:\.(?:json|rss))?(?:/.*)?"
_SLUG = r"(?P<slug>[^/]+)"
_LABEL = "{host}: {slug:w} | {host}: topic {n}"
_TABLE = Table((
    Row("groups.google.com",
        r"/(?:g/(?P<g>[^/]+)/c|d/(?:msg|topic)/(?P<old>[^/]+))/(?P<n>[\w-]{6,20})(?:/.*)?", "forum",
        "{host}/g/{g}/c/{n} | {host}/g/{old}/c/{n}", "{g}: topic {n} | {old}: topic {n}"),
    Row("*", f"{_KNOWN}/{_NUMBER}", "forum", "{root}/{n}", "{host}: topic {n}"),
    Row("*", f"{_KNOWN}/{_SLUG}/{_NUMBER}", "forum", "{root}/{n}", _LABEL),
    Row("*", rf"{_NO_FORUM}(?P<root>[^/]+/t)/(?!{_NUMBER}\Z){_SLUG}/{_NUMBER}".replace("(?P<n>", "(?:", 1), "forum",
        "{root}/{n}", _LABEL, "https://{root}/{slug}/{n}"),
))  # fmt: skip


def parse(url: str) -> Ref | None:
    """Return the topic of a Discourse forum that ``url`` leads to, or ``None``.

    A topic is its number: the slug may change or be missing, and the number of a post does not count
    (``/t/<slug>/<number>/<post>``, Discourse's ``config/routes.rb``).

    >>> parse("https://dev-discuss.pytorch.org/t/torch-deploy-the-build/238/5?u=ezyang").id
    'forum:dev-discuss.pytorch.org/t/238'
    >>> parse("https://dev-discuss.pytorch.org/t/238").label
    'dev-discuss.pytorch.org: topic 238'
    """
    parts = split_url(url)
    # The rows are for any host, and most addresses need none of them.
    return _TABLE.find(parts) if parts and ("/t/" in parts.path or parts.host == "groups.google.com") else None
