"""Feeds written to do harm: one entry is one file, what it attacks, and what must come of it.

``hostile.toml`` has those that are text; here are those of bytes. ``{canary}`` stands for a local file that nobody may
read, ``{server}`` for a web server nobody may ask. ``expected`` is the number of episodes that are read, or part of the
one line that says why none is.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.tables import read_toml

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = (
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/'
    'namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:a="http://www.w3.org/2005/Atom">'
    "<channel><title>Hostile</title><link>https://show.example/</link>"
)
TAIL = "</channel></rss>"
ITEM = "<item><itunes:duration>1</itunes:duration>"
SOUND = "<item><title>Sound</title><guid>sound</guid><itunes:duration>60</itunes:duration><description>https://github.com/a/b/pull/1</description></item>"
ESC = "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\x1bP+q544e\x1b\\"
SCRIPT = "&lt;script&gt;window.owned=1&lt;/script&gt;&lt;img src=x onerror=window.owned=1&gt;"
PARTS = {"{HEAD}": HEAD, "{ITEM}": ITEM, "{SOUND}": SOUND + TAIL, "{TAIL}": TAIL, "{ESC}": ESC, "{SCRIPT}": SCRIPT}


@dataclass(frozen=True)
class Hostile:
    """A feed that does harm, what must come of it, and what is written of it."""

    name: str
    text: str | list[str | tuple[str, int]] | Callable[[], bytes]
    expected: int | str
    suffix: str = ".xml"
    encoding: str = "utf-8"
    outputs: tuple[str, ...] = ("g.json", "g.html", "g.csv")

    def data(self, canary: str, server: str) -> bytes:
        """Return the file's content."""
        if callable(self.text):
            return self.text()
        return fill(self.text).replace("{canary}", canary).replace("{server}", server).encode(self.encoding)


def fill(text: str | list[str | tuple[str, int]]) -> str:
    """Return a text with its parts in the place of their names, and as often as is said."""
    if not isinstance(text, str):
        text = "".join(part if isinstance(part, str) else repeat(*part) for part in text)
    for name, part in PARTS.items():
        text = text.replace(name, part)
    return text


def repeat(text: str, times: int) -> str:
    """Return a text so many times, with the number of each in it."""
    return "".join(text.replace("{n}", str(n)) for n in range(times)) if "{n}" in text else text * times


PLAIN = fill("{HEAD}{ITEM}<title>t</title></item>{SOUND}")
ELEMENTS = "".join(f"<!ELEMENT e{n} (e{n + 1}?,e{n + 1}?)*>" for n in range(20_000))
WORDS = " and ".join(f"word{n}" for n in range(200))
HINT = f"<item><title>word{{n}}</title><guid>{{n}}</guid><description>listen to the episode on {WORDS}</description></item>"
PACKED = gzip.compress(PLAIN.encode())
LONG_NAME = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff" + b"../../x" * 100_000 + b"\0"

HOSTILE = [
    Hostile("surrogates", lambda: PLAIN.replace(">t<", ">\ud800\udfff \udc80 &#xD800;<").encode("utf-8", "surrogatepass"), 2),
    Hostile("encoding-halves", lambda: f"{HEAD}{ITEM}<title>é".encode() + b"\xff\xfe\xe9\xc3</title></item>" + (SOUND + TAIL).encode(), 2),
    Hostile("utf-32-beyond", lambda: b"\x00\x00\xfe\xff" + b"\x7f\xff\xff\xff" * 1000, "is not a feed"),
    Hostile("noise", lambda: bytes((n * n + n // 7) % 256 for n in range(50_000)), "is binary data, not a feed"),
    Hostile("doctype-elements", f"<!DOCTYPE rss [{ELEMENTS}]>{PLAIN}", "is XML, but no feed"),
    Hostile("many-hints", ["{HEAD}", (HINT, 200), "{TAIL}"], 200),
    Hostile("gzip-bomb", lambda: gzip.compress(bytes(300_000_000), 1), "unpacks to more than 100 times its size", ".xml.gz"),
    Hostile("gzip-cut", lambda: PACKED[:-12], "compressed data", ".xml.gz"),
    Hostile("gzip-members", lambda: gzip.compress(b"") * 100_000 + PACKED, 2, ".xml.gz"),
    Hostile("gzip-name", lambda: LONG_NAME + PACKED[10:], 2, ".xml.gz"),
    *(Hostile(name, **row) for name, row in read_toml(__file__, "hostile.toml").items()),
]  # fmt: skip
