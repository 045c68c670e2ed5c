"""The page's options from the host of a site: texts, colour, logo and future address."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from podgraph.extractors import OutputError

from ..formats.shared.texts import to_web_link
from .content import clean

if TYPE_CHECKING:
    from collections.abc import Callable

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
    whole = accent.lower() if len(accent) > 4 else "#" + "".join(letter * 2 for letter in accent[1:].lower())
    if site_url and not to_web_link(site_url):
        raise OutputError(f"{site_url!r} is not an address", source="site_url", remedy="begin it with https://")
    return Host(
        clean(options.get("title", "")),
        clean(options.get("description", "")),
        (make_legible(whole, 0), make_legible(whole, 1)) if accent else ("", ""),
        _read_logo(Path(path)) if (path := options.get("logo")) else "",
        to_web_link(site_url),
        options.get("contents", ""),
    )


def make_legible(colour: str, theme: int) -> str:
    """Return a colour, or the nearest on the way to black or white that is legible on every ground of a theme.

    >>> make_legible("#0a66c2", 0), make_legible("#0a66c2", 1)
    ('#0a66c2', '#5494d4')
    """
    result, end = colour, (0, 255)[theme]
    for hundredths in range(101):
        result = "#" + bytes(round(a + (end - a) * hundredths / 100) for a in bytes.fromhex(colour[1:])).hex()
        if all(compute_contrast(result, ground) >= LEGIBLE for ground in GROUNDS[theme]):
            break
    return result


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2).

    >>> round(compute_contrast("#000000", "#ffffff"))
    21
    """
    luminances = []
    for colour in (one, other):
        parts = [value / 255 for value in bytes.fromhex(colour[1:])]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        luminances.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)
    return max(luminances) / min(luminances)


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


def describe_page(host: Host, graph: Graph) -> dict[str, str]:
    """Return ``description`` and ``image`` of the page: the host's, else what the feed of a graph's one podcast has."""
    podcasts = [attributes for _, attributes in graph.nodes(data=True) if attributes.get("kind") == "podcast"]
    own = podcasts[0] if len(podcasts) == 1 else {}
    text = host.description or shorten(clean(own.get("description", "")), _DESCRIPTION, placeholder="…")
    texts = {"description": text, "image": to_web_link(own.get("image", ""))}
    return {name: value for name, value in texts.items() if value}
