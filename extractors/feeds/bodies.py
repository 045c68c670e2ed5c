"""The choice among an item's texts: the richest, never several of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .raw import Body

# A tag.
_TAG = re.compile(r"<[^<>]*>")
# A URL with a scheme, or a relative link.
_TARGET = re.compile(r"""https?://[^\s"'<>]+|\bhref\s*=\s*["']?(?!\s*https?:)[^\s"'<>]+""", re.IGNORECASE)
# A link to a whole URL.
_LINKED = re.compile(r"""\bhref\s*=\s*["']https?://[^\s"'<>.]+\.[^\s"'<>.]+["']""")
# Every link contains one of these.
_MAY_LINK = re.compile(r"//|href", re.IGNORECASE)
_CUT = ("...", "…")
# Control characters where Windows-1252 has others.
_C1 = re.compile("[\x80-\x9f]")


def richest(bodies: list[Body]) -> list[Body]:
    """Return the richest body, or an empty list when there is none.

    The richest has the most different link targets, then the longest text (URLs, tags and white space not counted),
    then the best rank. Summaries join words to URLs and cut the end; a union of bodies would count every link twice.
    """
    if len(bodies) < 2:
        return bodies
    best, *others = sorted(bodies, key=lambda body: body.rank)
    measured: tuple[int, int] | None = None
    for body in others:
        if body.markup in best.markup or (_LINKED.search(best.markup) and not _MAY_LINK.search(body.markup)):
            continue  # adds nothing, like most bodies: not worth counting
        measured = measured or _measure_richness(best)
        if (candidate := _measure_richness(body)) > measured:
            best, measured = body, candidate
    return [best]


def _measure_richness(body: Body) -> tuple[int, int]:
    """Return the richness of a body: the number of its different links, then of its characters."""
    markup = body.markup.replace("&amp;", "&")
    targets = {target.rstrip(".,;:!?)") for target in _TARGET.findall(markup) if not target.endswith(_CUT)}
    text = _TARGET.sub("", _TAG.sub("", markup))
    return len(targets), len("".join(text.split()))


def mend_text(text: str) -> str:
    r"""Undo the wrong decoding of a publisher's program: UTF-8 read as Latin-1, Windows-1252 declared as ISO 8859-1.

    ``feedparser`` repairs both, too.

    >>> mend_text("cafÃ©"), mend_text("a\x85")
    ('café', 'a…')
    """
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return _C1.sub(lambda match: match[0].encode("latin-1").decode("windows-1252", "ignore"), text)
