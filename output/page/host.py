"""The page's options from the host of a site: texts, colour, logo and future address."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from podgraph.extractors import OutputError

from .content import clean, web_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from podgraph.graph import Graph


class PageOptions(TypedDict, total=False):
    """The host's options of the page, each a text: see ``read_host``."""

    title: str
    description: str
    accent: str
    logo: str
    site_url: str
    contents: str


class Host(NamedTuple):
    """The checked options: ``accent`` for light and dark pages, ``logo`` as a data URL; "" for missing ones."""

    title: str = ""
    description: str = ""
    accent: tuple[str, str] = ("", "")
    logo: str = ""
    site_url: str = ""
    contents: str = ""


_HEXADECIMAL = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)  # #rgb or #rrggbb
# The start of an SVG document: a declaration, comments and a document type may stand before its root.
_SVG = re.compile(rb"\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*>\s*)*<svg[\s>]", re.DOTALL)
_PICTURES: dict[str, Callable[[bytes], object]] = {
    "png": lambda data: data.startswith(b"\x89PNG\r\n\x1a\n"),
    "jpeg": lambda data: data.startswith(b"\xff\xd8\xff"),
    "webp": lambda data: data[:4] == b"RIFF" and data[8:12] == b"WEBP",
    "svg+xml": lambda data: _SVG.match(data.removeprefix(b"\xef\xbb\xbf")),
}
_LARGEST_LOGO = 100_000  # bytes; the page without it has some 500,000
_DESCRIPTION = 300  # characters that the head of the page has of a podcast's own
# The grounds that words in the accent stand on, of each theme, and the colour that it is mixed with to be legible.
GROUNDS = (("#ffffff", "#fafaf8", "#f0f1ee"), ("#14161a", "#1b1e24", "#262a31"))
_ENDS = ("#000000", "#ffffff")
LEGIBLE = 4.5  # WCAG 2.2, 1.4.3


def read_host(options: PageOptions) -> Host:
    """Check and return a host's options. Raises ``OutputError`` for an invalid colour, logo or address.

    ``accent`` is ``#rgb`` or ``#rrggbb``, and made darker or lighter where it would not be legible in a theme;
    ``logo`` the path of a PNG, JPEG, WebP or SVG file; ``site_url`` the address at which the page will stand;
    ``contents`` the page beside it that its title leads to.
    """
    accent, site_url = options.get("accent", ""), options.get("site_url", "")
    if accent and not _HEXADECIMAL.fullmatch(accent):
        raise OutputError(f"{accent!r} is not a colour", source="accent", remedy="give it as #rrggbb: #0a66c2, say")
    if site_url and not web_url(site_url):
        raise OutputError(f"{site_url!r} is not an address", source="site_url", remedy="begin it with https://")
    return Host(
        clean(options.get("title", "")),
        clean(options.get("description", "")),
        (legible(accent, 0), legible(accent, 1)) if accent else ("", ""),
        _read_logo(Path(path)) if (path := options.get("logo")) else "",
        web_url(site_url),
        options.get("contents", ""),
    )


def legible(colour: str, theme: int) -> str:
    """Return a colour, or the nearest on the way to black or white that is legible on every ground of a theme.

    >>> legible("#0a66c2", 0), legible("#0a66c2", 1)
    ('#0a66c2', '#5494d4')
    """
    for hundredths in range(101):
        mixed = _mix(colour, _ENDS[theme], hundredths / 100)
        if all(contrast(mixed, ground) >= LEGIBLE for ground in GROUNDS[theme]):
            return mixed
    return _ENDS[theme]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2).

    >>> round(contrast("#000", "#ffffff"))
    21
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _channels(colour: str) -> list[int]:
    """Return red, green and blue, 0 to 255."""
    digits = colour[1:]
    size = len(digits) // 3
    return [int(digits[at : at + size] * (3 - size), 16) for at in range(0, len(digits), size)]


def _luminance(colour: str) -> float:
    parts = [value / 255 for value in _channels(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _mix(colour: str, end: str, share: float) -> str:
    mixed = (round(a + (b - a) * share) for a, b in zip(_channels(colour), _channels(end), strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def _read_logo(path: Path) -> str:
    """Return a picture as a data URL. A browser runs nothing in one that is shown by ``img``, whatever its kind."""
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(_LARGEST_LOGO + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no such name"
        raise OutputError(f"cannot read {str(path)!r} ({why})", source="logo", remedy="check the path") from error
    if len(data) > _LARGEST_LOGO:
        raise OutputError(f"{str(path)!r} is larger than 100 KB", source="logo", remedy="the page holds it: shrink it")
    kind = next((kind for kind, is_one in _PICTURES.items() if is_one(data)), "")
    if not kind:
        raise OutputError(
            f"{str(path)!r} is not a PNG, JPEG, WebP or SVG file", source="logo", remedy="convert it to one"
        )
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def described(host: Host, graph: Graph) -> dict[str, str]:
    """Return ``description`` and ``image`` of the page: the host's, else what the feed of a graph's one podcast has."""
    podcasts = [attributes for _, attributes in graph.nodes(data=True) if attributes.get("kind") == "podcast"]
    own = podcasts[0] if len(podcasts) == 1 else {}
    text = host.description or shorten(clean(own.get("description", "")), _DESCRIPTION, placeholder="…")
    found = {"description": text, "image": web_url(own.get("image", ""))}
    return {name: value for name, value in found.items() if value}


def head_tags(heading: str, host: Host, told: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield (attribute, name, content) of the ``meta`` elements that search engines and networks read.

    Open Graph (https://ogp.me) and Twitter's cards; a picture's address is absolute, as they ask.
    """
    if description := told.get("description", ""):
        yield "name", "description", description
    rows = {"title": heading, "type": "website", "url": host.site_url, **told}
    for name, content in rows.items():
        if content:
            yield "property", f"og:{name}", content
    yield "name", "twitter:card", "summary"
