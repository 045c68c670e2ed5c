"""Topics of forums that run Discourse, on any host."""

from __future__ import annotations

import re

from ..ref import Ref
from ..url import split_url
from .shared.labels import slug_to_words

# Hosts where a topic's number is enough; elsewhere only the full form, with a slug, identifies a forum.
_KNOWN = frozenset(("meta.discourse.org",))
_FORUM_HOST = tuple("community. dev-discuss. discourse. discuss. forum. forums. internals. talk. users.".split())
# A forum may live in a folder of a site.
_FOLDERS = frozenset(("community", "discourse", "discuss", "forum", "forums"))
# Here ``t/name/123`` is an owner, a repository and a path.
_NO_FORUM = frozenset(("bitbucket.org", "codeberg.org", "github.com", "gitlab.com", "raw.githubusercontent.com"))
# The number of a topic.
_NUMBER = re.compile(r"0*([1-9]\d{0,9})(?:\.(?:json|rss))?", re.ASCII)


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
    if parts is None or "/t/" not in parts.path or parts.host in _NO_FORUM:
        return None
    start = int(parts.segments[0] in _FOLDERS)
    root = "/".join((parts.host, *parts.segments[:start], "t"))
    is_known = parts.host in _KNOWN or parts.host.startswith(_FORUM_HOST) or start == 1
    match parts.segments[start:]:
        case ["t", first, *_] if number := _NUMBER.fullmatch(first):
            return _topic(root, "", number[1], is_known=True) if is_known else None
        case ["t", slug, second, *_] if number := _NUMBER.fullmatch(second):
            return _topic(root, slug, number[1], is_known=is_known)
    return None


def _topic(root: str, slug: str, number: str, *, is_known: bool) -> Ref:
    host = root.partition("/")[0]
    path = number if is_known else f"{slug}/{number}"
    label = f"{host}: {slug_to_words(slug) or f'topic {number}'}"
    return Ref("forum", f"forum:{root}/{number}", label, f"https://{root}/{path}")
