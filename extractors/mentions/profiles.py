"""Which pages are somebody's: profiles at the places where people have one, and home pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..sites import identify
from ..sites.tables.github_names import ORGANISATIONS

if TYPE_CHECKING:
    from ..ref import Ref

# Hosts where the first part of the path is somebody's name.
_AT_ROOT = """
about.me bitbucket.org codeberg.org codepen.io dev.to dribbble.com facebook.com gitlab.com instagram.com keybase.io
ko-fi.com last.fm linktr.ee mastodon.social orcid.org speakerdeck.com t.me threads.com threads.net twitch.tv vk.com
x.com
"""
_HOSTS = "|".join(map(re.escape, _AT_ROOT.split()))
_NO_NAME = r"(?!(?:home|about|share|search|i|intent|p|explore|s|joinchat|hashtag)(?:[/?#]|\Z))"
# The id of a page: "person:ann", "web:x.com/ann", "web:linkedin.com/in/ann", "web:social.example/@ann".
_PROFILE = re.compile(
    rf"person:.+|web:(?:{_HOSTS})/{_NO_NAME}[^/?#]+|web:linkedin\.com/in/[^/?#]+|web:bsky\.app/profile/[^/?#]+"
    r"|web:(?!(?:m\.)?youtube\.com/|tiktok\.com/)[^/]+/(?:@[^/?#]+|users/[^/?#]+)"
)
_HOME = re.compile(r"web:(?P<host>[^/?#]+)(?:/~(?P<user>[\w-]+))?")  # a page without a path, or a user's
# Words in accounts that do not belong to a person.
_OFFICIAL = re.compile(
    r"(?:^|[-_.])(?:org|labs?|team|project|foundation|inc|hq|dev|devs|station|podcast|radio|fm|show|official|community"
    r"|lang|js|rs|db|io|app|software|studios?|media|group|club|conf|news|official)(?:$|[-_.])"
    r"|(?:podcast|foundation|official|lang|project|labs|hq|software)$"
)


def profile(url: str) -> Ref | None:
    """Return the page that ``url`` leads to if it is somebody's profile.

    >>> [bool(profile(url)) for url in ("https://x.com/ann", "https://social.example/@ann", "https://x.com/ann/status/1")]
    [True, True, False]
    """
    known = identify(url)
    return known[1] if known and _PROFILE.fullmatch(known[1].id) else None


def is_home_of(page: str, name: str) -> bool:
    """Return whether a page, by its id, is a home page with a word of ``name`` in its address.

    >>> is_home_of("web:annexample.dev", "Ann Example"), is_home_of("web:kiln.example", "Ann Example")
    (True, False)
    """
    home = _HOME.fullmatch(page)
    if home is None:
        return False
    address = re.sub(r"[^a-z]", "", f"{home['host'].rpartition('.')[0]}{home['user'] or ''}".lower())
    return any(len(word) > 2 and word in address for word in re.findall(r"[a-z]+", name.casefold()))


def is_official(account: str) -> bool:
    """Return whether an account is called as organisations, projects and shows are, and no person is.

    >>> is_official("rust-lang"), is_official("some-podcast"), is_official("annexample")
    (True, True, False)
    """
    return account in ORGANISATIONS or _OFFICIAL.search(account) is not None
