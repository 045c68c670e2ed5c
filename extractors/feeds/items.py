"""The last step of reading a feed: from the strings of a source to a ``Feed`` and its ``Episode`` values."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..model import Episode, Feed
from ..subjects.registry import default_repo_of
from ..url import host_of, is_web
from . import values
from .bylines import without_mail
from .dates import parse_duration
from .ids import Identity, episode_ids, feed_slug, own_pages, post_ids
from .private import find_secrets
from .web_urls import public_url, web_url

if TYPE_CHECKING:
    from .raw import RawElement, RawFeed

_EXPLICIT = {"true": True, "yes": True, "explicit": True, "false": False, "no": False, "clean": False}


def finish_feed(
    raw: RawFeed, *, source: str, url: str, as_kind: str, asked: str = "", private: bool | None = None
) -> Feed:
    """Make a ``Feed`` from a reader's result.

    ``url`` is the address of the feed. ``as_kind`` (``episodes`` or ``posts``) overrides the detected kind.
    ``asked`` and ``private`` are as in ``parse_feed``. Empties
    ``raw.items`` as it goes.
    """
    channel = raw.channel
    warnings = values.Warnings()
    for line in raw.warnings:
        warnings.add(line)
    items = _items(raw, warnings)
    others = ("next", "prev-archive"), ("last",), ("moved_to",)
    next_page, last_page, moved_to = (web_url(channel.get(*names), url, channel.get("self")) for names in others)
    if secrets := find_secrets(channel, items, (asked, url), private=private):
        url = secrets.hide(url)
        for record in (channel, *items):
            secrets.hide_in(record)
    language = values.one_line(channel.get("language"))[:35]
    feed_url = public_url(url) or public_url(channel.get("self"))
    home = web_url(channel.get("link", "other_page"), feed_url)
    title = values.read_title(channel, warnings)
    posts = (as_kind or ("episodes" if raw.spoken else "posts")) == "posts"
    slug = feed_slug(title, home, feed_url, source=source)
    about = _About(title, home, feed_url, "" if posts else f"podcast:{slug}", warnings)

    empty_because = "" if items else raw.cut or next(iter(warnings.list_lines()[-1:]), "")
    if not items:
        warnings.add("the feed has no items")
    identities, dates = _identify(items, home, feed_url, language, warnings)
    # Of a private feed no id is made of an address.
    named = [replace(one, page="", guid="" if is_web(one.guid) else one.guid) for one in identities]
    called = named if secrets else identities
    ids = post_ids(host_of(home) or host_of(feed_url) or slug, called) if posts else episode_ids(slug, called)
    episodes = tuple(map(about.episode, ids, items, identities, dates))
    if items and not any(episode.notes for episode in episodes):
        warnings.add("no item has a text; only titles are read")
    if next_page:
        last = re.search(r"\d+(?=\D*\Z)", last_page)
        number, plural = (f" of {last[0]}" if last else ""), "s" * (len(items) != 1)
        page = f"pages 1 to {raw.pages}" if raw.pages > 1 else "page 1"
        warnings.add(f"{page}{number}; {len(items)} {'post' if posts else 'episode'}{plural}")
    feed = Feed(
        source, "podcast" if about.podcast else "blog", about.podcast, title, episodes, url=home, feed_url=feed_url,
        description=values.read_text(channel, home or feed_url, warnings)[0], language=language,
        author=without_mail(values.one_line(next(iter(channel.authors), "")))[:500],
        image=web_url(channel.get("itunes_image", "image", "icon"), home, feed_url),
        default_repo=default_repo_of(home, feed_url, channel.get("self")),
        people=values.read_people(channel, about.role, title, (home, feed_url), warnings),
        warnings=warnings.list_lines(), empty_because=empty_because, cut=raw.cut,
        next_page=next_page, last_page=last_page, moved_to=moved_to,
    )  # fmt: skip
    return secrets.cut_to_hosts(feed) if secrets else feed


@dataclass(frozen=True, slots=True)
class _About:
    """Data common to a feed's items: its title and addresses, the podcast's id (empty for a blog)."""

    title: str
    home: str
    feed_url: str
    podcast: str
    warnings: values.Warnings

    @property
    def role(self) -> str:
        return "host" if self.podcast else "author"

    def episode(self, id_: str, item: RawElement, identity: Identity, date: datetime | None) -> Episode:
        """Make the episode or post of an item; empties the item's bodies, the bulk of a feed."""
        bases = (identity.page, self.home, self.feed_url)
        notes, links = values.read_text(item, next(filter(None, bases), ""), self.warnings)
        item.bodies = []
        return Episode(
            id_, "episode" if self.podcast else "blog", self.podcast, identity.title, notes, links, url=identity.page,
            guid=identity.guid, date=date, duration=parse_duration(item.get("duration")), number=identity.number,
            season=values.read_whole(item, "season", "podcast_season"), audio_url=values.read_audio(item, bases),
            image=web_url(item.get("itunes_image", "image"), *bases),
            explicit=_EXPLICIT.get(item.get("explicit").lower()), keywords=values.read_keywords(item, self.warnings),
            people=values.read_people(item, self.role, self.title, bases, self.warnings),
            transcripts=values.read_urls(item, bases, self.warnings),
            moments=values.read_moments(item, bases, self.warnings),
            type=kind if (kind := item.get("type").strip().lower()) in {"trailer", "bonus"} else "",
            chapters=web_url(item.get("chapters"), *bases), uncertain=tuple(dict.fromkeys(item.uncertain)),
        )  # fmt: skip


def _identify(
    items: list[RawElement], home: str, feed_url: str, language: str, warnings: values.Warnings
) -> tuple[list[Identity], list[datetime | None]]:
    """Return the identity and the date of each item; ``language`` is that of the names of months."""
    dates = [values.read_date(item, language, warnings) for item in items]
    pages = own_pages([values.read_page(item, home, feed_url) for item in items], home)
    days = [date.astimezone(UTC).isoformat() if date else "" for date in dates]
    identities = [
        Identity(
            values.read_title(item, warnings), page, values.one_line(item.get("guid"))[:2000], day,
            values.read_whole(item, "episode", "podcast_episode"), _body(item),
        )
        for item, page, day in zip(items, pages, days, strict=True)
    ]  # fmt: skip
    return identities, dates


def _items(raw: RawFeed, warnings: values.Warnings) -> list[RawElement]:
    """Return the items of a feed with a title, a page or other identifying data, each once; empties ``raw.items``.

    Equal items are one: by guid and title or page; without a guid, by all their data.
    """
    first: dict[tuple[str, ...], int] = {}
    found: list[RawElement] = []
    for position, item in enumerate(raw.items, 1):
        item.position = item.position or position
        if not (item.bodies or item.sounds or item.get("title", "other_title", "guid", "link", "episode")):
            warnings.add(f"{item.place()} is empty; it is passed over", "empty")
            continue
        keys = _keys(item)
        at = next((first[key] for key in keys if key in first), len(found))
        if at == len(found):
            found.append(item)
        else:
            warnings.add(f"{item.place()} repeats {found[at].place()}; the fuller one is kept", "repeats")
            found[at] = max(found[at], item, key=lambda one: (len(_body(one)), len(one.values)))
        for key in keys:
            first.setdefault(key, at)
    raw.items = []
    return found


def _keys(item: RawElement) -> list[tuple[str, ...]]:
    """Return the keys of an item; two items with a common key are equal."""
    title = values.one_line(item.get("title", "other_title"))
    page = item.get("link")
    if guid := item.get("guid"):
        keys: list[tuple[str, ...]] = [(kind, guid, same) for kind, same in (("title", title), ("page", page)) if same]
        return keys or [("body", guid, _body(item))]
    sound = item.sounds[0][0] if item.sounds else ""
    return [("all", title, "\n".join((page, sound, item.get("published", "updated"), _body(item))))]


def _body(item: RawElement) -> str:
    return item.bodies[0].markup if item.bodies else ""
