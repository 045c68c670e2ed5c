"""The additions of podcast hosts to the slug in the address of an episode's page."""

from __future__ import annotations

import re

_SPOTIFY = ("anchor.fm", "podcasters.spotify.com", "creators.spotify.com")
# Eight characters behind the slug, drawn at random.
_SLUG_AND_HASH = re.compile(r"(.+)-([A-Za-z0-9_-]{8})")
# Letters and digits in turns, as no word has them.
_IN_TURNS = re.compile(r"[a-z]+[0-9]+[a-z]|[0-9]+[a-z]+[0-9]")
# An e and a number of base 36 behind the slug.
_SLUG_AND_NUMBER = re.compile(r"(.+)-e(?=[0-9a-z]*[0-9])[0-9a-z]{5,8}")
# A segment behind the slug that names the sound.
_SOUND = re.compile(r"a-a[0-9a-z]+")


def without_hash(slug: str) -> tuple[str, bool]:
    """Return the slug of an episode at Simplecast without a possible hash at its end, and whether it surely is a hash.

    Slugs are lower-case words and numbers with hyphens between. So a hash, of eight characters, shows by an upper-case
    letter, an underscore, or letters mixed with digits; eight small letters may be a word.

    >>> [without_hash(slug) for slug in ("xla-PZxcTtCL", "strides-4j1drjlz", "reference-counting", "vmap")]
    [('xla', True), ('strides', True), ('reference', False), ('vmap', False)]
    """
    match = _SLUG_AND_HASH.fullmatch(slug)
    if match is None:
        return slug, False
    code = match[2]
    is_certain = code != code.lower() or "_" in code or ("-" not in code and _IN_TURNS.search(code) is not None)
    return match[1], is_certain


def _without_number(slug: str) -> tuple[str, bool]:
    """Return the slug of an episode at Spotify without its number (``title-e1abc2d``), and whether it had one."""
    match = _SLUG_AND_NUMBER.fullmatch(slug)
    return (match[1], True) if match else (slug, False)


# Host (with a dot before it: its subdomains) -> a function as ``without_hash``, for the host's addition to slugs.
_ADDITIONS = {".simplecast.com": without_hash, **dict.fromkeys(_SPOTIFY, _without_number)}


def without_addition(host: str, slug: str) -> tuple[str, bool]:
    """Return an episode's slug without the possible addition of its podcast ``host``, and whether it surely is one.

    >>> without_addition("x.simplecast.com", "xla-PZxcTtCL"), without_addition("example.org", "xla-PZxcTtCL")
    (('xla', True), ('xla-PZxcTtCL', False))
    """
    for name, strip_addition in _ADDITIONS.items():
        if host == name or (name[0] == "." and host.endswith(name)):
            return strip_addition(slug)
    return slug, False


def episode_segment(host: str, segments: tuple[str, ...]) -> str:
    """Return the segment of the address of an episode's page that may contain the episode's title.

    It is the last one of the path's ``segments``, or the one before if the last one names the sound file.

    >>> episode_segment("anchor.fm", ("show", "episodes", "title-e1abc2d", "a-a5abcd1"))
    'title-e1abc2d'
    """
    return segments[-2] if host in _SPOTIFY and len(segments) > 1 and _SOUND.fullmatch(segments[-1]) else segments[-1]
