"""The ids of a feed and of its items: the same whatever their order, and never shared by two."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import sha256

from .slugs import page_slug, post_id, slugify
from .url import split_url

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Identity:
    """What an item's id is made from; ``date`` is ISO 8601 in UTC or empty."""

    title: str
    page: str
    guid: str
    date: str
    number: int | None

    def order(self) -> tuple[str, str, str, str]:
        """Sort the earliest first, and what has no date last."""
        return (self.date or "9999", self.guid, self.title, self.page)

    def digest(self, digits: int) -> str:
        """Return so many hexadecimal digits of what tells this item from the others of its name."""
        told = "\n".join((self.guid, self.page, self.title, self.date, str(self.number or "")))
        return sha256(told.encode("utf-8", "replace")).hexdigest()[:digits]


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
    """Return the pages, those left empty that are no item's own: shared ones, and the feed's home."""
    keys = [_page_key(page) for page in pages]
    uses = Counter(keys)
    home_key = _page_key(home)
    return [page if key and key != home_key and uses[key] == 1 else "" for page, key in zip(pages, keys, strict=True)]


def episode_ids(podcast_slug: str, items: list[Identity]) -> list[str]:
    """Return ``episode:<podcast-slug>/<episode-slug>`` for each item, in their order.

    The slug is that of the item's own page, else of its title, else its number, else of its guid.
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
    """Return ``blog:<host>/<path>`` for each post, in their order; from the title where it has no page."""
    ids = [
        post_id(item.page) or f"blog:{host}/{slugify(item.title) or slugify(item.guid) or 'untitled'}" for item in items
    ]
    return _tell_apart(ids, items)


def _tell_apart(ids: list[str], items: list[Identity]) -> list[str]:
    """Let the earliest of several keep a plain id; the others add digits of a hash of what they are."""
    uses = Counter(ids)
    if len(uses) == len(ids):
        return ids
    told = list(ids)
    taken = set(ids)
    seen: set[str] = set()
    for index in sorted(
        (i for i, plain in enumerate(ids) if uses[plain] > 1), key=lambda i: (ids[i], items[i].order())
    ):
        plain = ids[index]
        if plain not in seen:
            seen.add(plain)
            continue
        digits = _DIGITS
        while (candidate := f"{plain}-{items[index].digest(digits)}") in taken:
            digits += 2
            if digits > 64:  # the very same item once more
                candidate = f"{plain}-{items[index].digest(64)}-{len(taken)}"
                break
        taken.add(candidate)
        told[index] = candidate
    return told


def _page_key(url: str) -> str:
    parts = split_url(url) if url else None
    return f"{parts.host}{parts.path.rstrip('/')}?{sorted(parts.query)}" if parts else ""
