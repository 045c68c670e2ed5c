"""Addresses that by their looks are a show's or a person's own place, or a sponsor's: handles, chats, ways to pay."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from ..url import split_url

# Description of an address -> hosts, and beginnings of paths ("host/path").
_SHAPES: Final[Mapping[str, frozenset[str]]] = {
    "a handle": frozenset(
        "x.com twitter.com instagram.com threads.net threads.com tiktok.com facebook.com fb.com fb.me linkedin.com/in "
        "linkedin.com/company bsky.app/profile vk.com ok.ru weibo.com mastodon.social fosstodon.org hachyderm.io "
        "app.net youtube.com/@ youtube.com/c youtube.com/channel youtube.com/user twitch.tv linktr.ee pinterest.com "
        "snapchat.com xing.com bilibili.com/space zhihu.com/people note.com".split()
    ),
    "a chat": frozenset(
        "discord.gg discord.com/invite discordapp.com/invite slack.com t.me telegram.me gitter.im chat.whatsapp.com "
        "wa.me line.me reddit.com/r facebook.com/groups".split()
    ),
    "a way to pay": frozenset(
        "patreon.com ko-fi.com buymeacoffee.com paypal.me paypal.com/paypalme venmo.com cash.me cash.app dwolla.com "
        "flattr.com liberapay.com boosty.to steadyhq.com steady.page tipeee.com opencollective.com github.com/sponsors "
        "afdian.net afdian.com apoia.se supercast.com memberful.com gofundme.com".split()
    ),
    "a place to listen": frozenset(
        "podcasts.apple.com itunes.apple.com open.spotify.com/show podcasts.google.com overcast.fm pca.st "
        "pocketcasts.com castbox.fm stitcher.com castro.fm podcastaddict.com player.fm deezer.com music.amazon.com "
        "music.yandex.ru podchaser.com tunein.com iheart.com ivoox.com xiaoyuzhoufm.com ximalaya.com".split()
    ),
    "a calendar": frozenset("calendar.google.com calendly.com cal.com meetup.com eventbrite.com lu.ma".split()),
    "a newsletter": frozenset("substack.com mailchi.mp tinyletter.com buttondown.email convertkit.com".split()),
}


@lru_cache(maxsize=1 << 12)  # the same addresses occur in every episode
def own_place(url: str) -> str:
    """Return the description of an address that is a show's or a person's own page; "" for others.

    >>> [own_place(f"https://{url}") for url in ("www.patreon.com/a", "youtube.com/@a", "youtube.com/watch?v=1")]
    ['a way to pay', 'a handle', '']
    """
    parts = split_url(url) if url else None
    if parts is None:
        return ""
    first = parts.segments[0] if parts.segments else ""
    names = {parts.host, ".".join(parts.host.split(".")[-2:])}
    spots = names | {f"{name}/{start}" for name in names for start in (first, first[:1])}
    return next((shape for shape, known in _SHAPES.items() if spots & known), "")
