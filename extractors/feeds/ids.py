"""The ids of a feed and of its items: independent of their order, and unique."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count

from ..sites import identify
from ..slugs import slugify
from ..url import split_url
from .page_names import page_slug, post_id

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Identity:
    """The parts of an item's id; ``date`` is ISO 8601 in UTC or empty, ``body`` the text as written."""

    title: str
    page: str
    guid: str
    date: str
    number: int | None
    body: str = ""

    def order(self) -> tuple[str, ...]:
        """Sort by date, undated items last."""
        return (self.date or "9999", self.guid, self.title, self.page, str(self.number), self.body)

    def digests(self, copies: int) -> Iterator[str]:
        """Yield hexadecimal digits to distinguish this item from its namesakes: of its guid, else of all its parts.

        ``copies`` is the number of identical items with their digits already.
        """
        everything = "\n".join((self.guid, self.page, self.title, self.date, str(self.number), self.body))
        texts = [self.guid, everything] if self.guid else [everything]
        for number in count(copies):
            for text in texts:
                yield sha256(f"{text}{number or ''}".encode("utf-8", "replace")).hexdigest()[:_DIGITS]


def feed_slug(title: str, *urls: str, source: str = "") -> str:
    """Return the slug of a podcast: from its title, else its host, else the name of the file.

    >>> feed_slug("PyTorch Developer Podcast"), feed_slug("", "https://pod.example.org/feed.xml")
    ('pytorch-developer-podcast', 'pod-example-org')
    """
    if slug := slugify(title):
        return slug
    for url in urls:
        if parts := split_url(url):
            return slugify(parts.host)
    name = source.replace("\\", "/").rstrip("/").rpartition("/")[2].partition(".")[0]
    return slugify(name) or "feed"


def own_pages(pages: list[str], home: str) -> list[str]:
    """Return the pages, empty for no item's own: shared ones, and the feed's home."""
    keys = [_page_key(page) for page in pages]
    uses = Counter(keys)
    home_key = _page_key(home)
    return [page if key and key != home_key and uses[key] == 1 else "" for page, key in zip(pages, keys, strict=True)]


def episode_ids(podcast_slug: str, items: list[Identity]) -> list[str]:
    """Return ``episode:<podcast-slug>/<episode-slug>`` for each item, in their order.

    The slug is made of the item's own page, else of its title, else its number, else of its guid.
    """
    slugs = [
        page_slug(item.page, item.title)
        or slugify(item.title)
        or (f"episode-{item.number}" if item.number is not None else "")
        or slugify(item.guid)
        or "untitled"
        for item in items
    ]
    return _tell_apart([f"episode:{podcast_slug}/{slug}" for slug in slugs], items)


def post_ids(host: str, items: list[Identity]) -> list[str]:
    """Return ``blog:<host>/<path>`` for each post, in their order; from the title where it has no page.

    A post known to the rules for sites gets their id for it, for citations to lead to it.
    """
    names = [slugify(item.title) or slugify(item.guid) or "untitled" for item in items]
    ids = [_post(item.page) or f"blog:{host}/{name}" for item, name in zip(items, names, strict=True)]
    return _tell_apart(ids, items)


def _post(page: str) -> str:
    found = identify(page) if page else None
    return found[1].id if found and found[1].kind == "blog" else post_id(page)


def _tell_apart(ids: list[str], items: list[Identity]) -> list[str]:
    """Keep the plain id for the earliest of several items; append digits of a hash to the ids of the others."""
    uses = Counter(ids)
    taken = set(uses)
    if len(taken) == len(ids):
        return ids
    apart = list(ids)
    clashing = sorted((plain, items[at].order(), at) for at, plain in enumerate(ids) if uses[plain] > 1)
    previous: tuple[str, tuple[str, ...]] = ("", ())
    copies = 0
    for plain, order, at in clashing:
        copies = copies + 1 if (plain, order) == previous else 0
        if plain == previous[0]:
            apart[at] = next(new for end in items[at].digests(copies) if (new := f"{plain}-{end}") not in taken)
            taken.add(apart[at])
        previous = (plain, order)
    return apart


def _page_key(url: str) -> str:
    parts = split_url(url) if url else None
    return f"{parts.host}{parts.path.rstrip('/')}?{sorted(parts.query)}" if parts else ""
