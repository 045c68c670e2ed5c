"""Feeds written to do harm: one entry is one file, what it attacks, and what must come of it.

    python tests/reliability/hostile.py FOLDER      writes them all, to try them by hand

``{canary}`` stands for a local file that nobody may read, ``{server}`` for a web server nobody may ask.
``expected`` is the number of episodes that are read, or part of the one line that says why none is.
"""

from __future__ import annotations

import gzip
import json
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = (
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/'
    'namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:a="http://www.w3.org/2005/Atom">'
    "<channel><title>Hostile</title><link>https://show.example/</link>"
)
TAIL = "</channel></rss>"
SOUND = "<item><title>Sound</title><guid>sound</guid><itunes:duration>60</itunes:duration><description>https://github.com/a/b/pull/1</description></item>"


@dataclass(frozen=True)
class Hostile:
    """A feed that does harm, what must come of it, and what is written of it."""

    name: str
    make: Callable[[], bytes] | str | bytes
    expected: int | str
    suffix: str = ".xml"
    outputs: tuple[str, ...] = ("g.json", "g.html", "g.csv")

    def data(self, canary: str = "/etc/hostname", server: str = "http://127.0.0.1:9") -> bytes:
        """Return the file's content."""
        made = self.make() if callable(self.make) else self.make
        if isinstance(made, str):
            made = made.encode("utf-8", "surrogatepass")
        return made.replace(b"{canary}", canary.encode()).replace(b"{server}", server.encode())


def items(*inner: str) -> str:
    """Return a feed with an item around each text, and a sound one behind them."""
    return HEAD + "".join(f"<item><itunes:duration>1</itunes:duration>{item}</item>" for item in inner) + SOUND + TAIL


def doctype(declared: str, used: str) -> str:
    """Return a feed with entities in its title."""
    return f'<?xml version="1.0"?><!DOCTYPE rss [{declared}]>{items(f"<title>{used}</title><guid>x</guid>")}'


def billion(levels: int = 10) -> str:
    """Return entities that stand for ten of the one before (the "billion laughs")."""
    names = [f"&l{n};" * 10 for n in range(levels)]
    return '<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{names[n - 1]}">' for n in range(1, levels))


def json_feed(**fields: object) -> str:
    """Return a JSON Feed with one item that has these fields."""
    item = {"id": "1", "title": "t", **fields}
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "H", "items": [item]})


def opml(*urls: str) -> str:
    """Return a list of feeds."""
    outlines = "".join(f'<outline type="rss" text="t" xmlUrl="{url}"/>' for url in urls)
    return f'<opml version="2.0"><body>{outlines}</body></opml>'


def fill(text: str) -> str:
    """Return the text of a small feed with its parts."""
    parts = {"{HEAD}": HEAD, "{SOUND}": SOUND + TAIL, "{TAIL}": TAIL, "{ESC}": ESC, "{SCRIPT}": SCRIPT}
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


ESC = "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\x1bP+q544e\x1b\\"
SCRIPT = "&lt;script&gt;window.owned=1&lt;/script&gt;&lt;img src=x onerror=window.owned=1&gt;"
BIG = 1_000_000
MANY = 10_000  # links in an item; tried by hand with 100 000
LOT = 100_000  # of whatever stands in a row; by hand 300 000

SMALL = Path(__file__).with_name("hostile.toml")

HOSTILE = [
    # Entities (XML 1.0, 4.1): none is expanded, none is fetched
    Hostile("billion-laughs", lambda: doctype(billion(), "&l9;"), 2),
    Hostile("quadratic-entity", lambda: doctype(f'<!ENTITY a "{"a" * 50_000}">', "&a;" * 20_000), 2),
    Hostile("xxe-utf16", lambda: doctype('<!ENTITY x SYSTEM "file://{canary}">', "&x;").replace("{canary}", "/etc/hostname").encode("utf-16"), 2),
    # Shape
    Hostile("deep-elements", lambda: items("<a>" * LOT + "</a>" * LOT), "has no items"),
    Hostile("deep-unclosed", lambda: items("<title>t</title>" + "<a>" * LOT), 1),
    Hostile("long-name-of-an-element", lambda: HEAD + f"<{'n' * 5 * BIG}>" + SOUND + TAIL, 1),
    Hostile("deep-html", lambda: items(f"<title>t</title><description><![CDATA[{'<div>' * LOT}x]]></description>"), 2),
    Hostile("deep-quotes-html", lambda: items(f"<title>t</title><description><![CDATA[{'<a href=' * LOT}]]></description>"), 2),
    Hostile("deep-outlines", lambda: "<opml version='2.0'><body>" + "<outline text='a'>" * 50_000 + "</outline>" * 50_000 + "</body></opml>", "names no feed"),
    Hostile("deep-json", lambda: '{"version": "https://jsonfeed.org/version/1", "items": ' + "[" * LOT + "]" * LOT + "}", "is not readable JSON", ".json"),
    Hostile("many-attributes", lambda: items("<title " + " ".join(f"a{n}='x'" for n in range(50_000)) + ">t</title>"), 2),
    Hostile("huge-attribute", lambda: items(f"<title>t</title><enclosure type='audio/mpeg' url='https://a.example/{'x' * 5 * BIG}'/>"), 2),
    Hostile("many-namespaces", lambda: items("<title>t</title><x " + " ".join(f'xmlns:n{n}="u{n}"' for n in range(20_000)) + "/>"), 2),
    Hostile("many-names", lambda: items("<title>t</title>" + "".join(f"<e{n}/>" for n in range(50_000))), 2),
    Hostile("huge-instruction", lambda: items(f"<title>t</title><?p {'x' * 5 * BIG}?>"), 2),
    Hostile("many-items", lambda: HEAD + "".join(f"<item><title>t{n}</title><itunes:duration>1</itunes:duration></item>" for n in range(2000)) + TAIL, 2000),
    Hostile("many-broken-items", lambda: HEAD + "<item><title>t & < </b><description><br>" * 1500 + TAIL, 1),
    # Text
    Hostile("title-of-a-megabyte", lambda: items(f"<title>{'x' * BIG}</title><guid>x</guid>"), 2),
    Hostile("title-of-marks", lambda: items(f"<title>{'e' + chr(0x301) * LOT}</title>"), 2),
    Hostile("links-many", lambda: items("<title>t</title><description>" + " ".join(f"https://e{n}.example/{n}" for n in range(MANY)) + "</description>"), 2, outputs=("g.json",)),
    Hostile("hrefs-many", lambda: items("<title>t</title><content:encoded><![CDATA[" + "".join(f"<a href='https://e.example/{n}'>x</a>" for n in range(MANY)) + "]]></content:encoded>"), 2, outputs=("g.json",)),
    Hostile("references-many", lambda: items("<title>t</title><description>" + " ".join(f"a/b#{n}" for n in range(1, MANY)) + "</description>"), 2, outputs=("g.json",)),
    Hostile("url-of-a-megabyte", lambda: items(f"<title>t</title><description>https://e.example/{'a/' * (BIG // 2)}</description>"), 2),
    Hostile("url-of-brackets", lambda: items(f"<title>t</title><description>https://e.example/{'(' * LOT}{')' * (LOT // 2)}</description>"), 2),
    Hostile("url-of-dots", lambda: items(f"<title>t</title><description>{'a.' * LOT}com https://{'a.' * LOT}com/</description>"), 2),
    Hostile("url-of-slashes", lambda: items(f"<title>t</title><description>github.com{'/' * LOT} https:{'/' * LOT}</description>"), 2),
    Hostile("many-hashes", lambda: items(f"<title>t</title><description>{'#' * LOT} {'a/b#' * LOT} {'PR ' * LOT}</description>"), 2),
    Hostile("many-angles", lambda: items(f"<title>t</title><description><![CDATA[{'<' * LOT}]]></description>"), 2),
    Hostile("unclosed-comment-html", lambda: items(f"<title>t</title><description><![CDATA[{'<!--' * LOT}]]></description>"), 2),
    Hostile("capitals", lambda: items(f"<title>{'Torch Function ' * 60}</title><description>{'TorchFunction ' * (LOT // 2)}</description>"), 2),
    Hostile("topic-words", lambda: items(f"<title>t</title><description>{'autograd vmap CUDA dispatcher ' * (LOT // 10)}</description>"), 2),
    Hostile("one-title-everywhere", lambda: HEAD + "".join(f"<item><title>vmap</title><guid>{n}</guid><description>vmap vmap</description><itunes:duration>1</itunes:duration></item>" for n in range(1000)) + TAIL, 1000),
    # Characters
    Hostile("surrogates", items("<title>\ud800\udfff</title><description>\udc80 &#xD800; &#xDFFF;</description>"), 2),
    Hostile("encoding-halves", lambda: items("<title>é").encode() + b"\xff\xfe\xe9\xc3" + b"</title></item>" + TAIL.encode(), 2),
    Hostile("utf-32", lambda: items("<title>t</title>").encode("utf-32"), 2),
    # What comes out at the other end
    # JSON Feed
    # Lists and packed files
    Hostile("opml-thousands", lambda: opml(*(f"https://e{n}.example/" for n in range(50_001))), "is a list of more than 50,000 feeds", ".opml"),
    Hostile("gzip-bomb", lambda: gzip.compress(bytes(300_000_000), 1), "unpacks to more than 100 times its size", ".xml.gz"),
    Hostile("gzip-cut", lambda: gzip.compress(items("<title>t</title>").encode())[:-12], "compressed data", ".xml.gz"),
    # More of characters, shapes and values
    Hostile("utf-16-unmarked", lambda: items("<title>é</title>").encode("utf-16-le"), 2),
    Hostile("utf-16-behind-a-blank-line", lambda: ("\r\n " + items("<title>é</title>")).encode("utf-16-be"), "is binary data, not a feed"),
    Hostile("utf-32-beyond", lambda: b"\x00\x00\xfe\xff" + b"\x7f\xff\xff\xff" * 1000, "is not a feed"),
    Hostile("marks", lambda: b"\xef\xbb\xbf" * 3 + items("<title>é</title>").encode(), 2),
    Hostile("ebcdic", lambda: ('<?xml version="1.0" encoding="cp037"?>' + items("<title>t</title>")).encode("cp037"), "is not a feed"),
    Hostile("doctype-elements", lambda: "<!DOCTYPE rss [" + "".join(f"<!ELEMENT e{n} (e{n + 1}?,e{n + 1}?)*>" for n in range(20_000)) + "]>" + items("<title>t</title>"), "is XML, but no feed"),
    Hostile("doctype-defaults", lambda: f"<!DOCTYPE rss [<!ATTLIST title evil CDATA '{'x' * BIG}'>]>" + items("<title>t</title>"), "is XML, but no feed"),
    Hostile("items-in-items", lambda: HEAD + "<item><title>x</title>" * 20_000 + "</item>" * 20_000 + TAIL, 1),
    Hostile("many-enclosures", lambda: items("<title>t</title>" + "".join(f"<enclosure url='https://a.example/{n}.mp3' type='audio/mpeg'/>" for n in range(MANY))), 2),
    Hostile("many-persons", lambda: items("<title>t</title>" + "".join(f"<podcast:person>Name Nr {n}</podcast:person><category>c{n}</category>" for n in range(MANY))), 2),
    Hostile("many-authors", lambda: items(f"<title>t</title><itunes:author>{'Ann Bee, ' * LOT}{'and ' * LOT}</itunes:author>"), 2),
    Hostile("many-hints", lambda: HEAD + "".join(f"<item><title>word{n}</title><guid>{n}</guid><description>listen to the episode on {' and '.join(f'word{m}' for m in range(200))}</description></item>" for n in range(200)) + TAIL, 200),
    Hostile("many-idna-hosts", lambda: items("<title>t</title><description>" + " ".join(f"https://ü{n}ß.example/" for n in range(MANY // 5)) + "</description>"), 2, outputs=("g.json",)),
    Hostile("odd-hosts", lambda: items(f"<title>t</title><description>https://{'é' * LOT}.example/ https://xn--{'a' * LOT}.com/ http://[fe80::1%25eth0]/ http://u:p@e.example/ http://e.example:99999/</description>"), 2),
    Hostile("odd-date-each", lambda: HEAD + "".join(f"<item><title>t{n}</title><pubDate>\u0394\u03b5\u03c5, {n % 28} \u0399\u03bf\u03c5\u03bd {2000 + n % 25} {n}</pubDate></item>" for n in range(1000)) + TAIL, 1000, outputs=("g.json",)),
    Hostile("json-utf-16", lambda: json_feed(title="é").encode("utf-16"), 1, ".json"),
    Hostile("gzip-members", lambda: gzip.compress(b"") * LOT + gzip.compress(items("<title>t</title>").encode()), 2, ".xml.gz"),
    Hostile("gzip-name", lambda: b"\x1f\x8b\x08\x08\0\0\0\0\0\xff" + b"../../x" * LOT + b"\0" + gzip.compress(items("<title>t</title>").encode())[10:], 2, ".xml.gz"),
    # No feeds
    Hostile("empty", b"", "is empty"),
    Hostile("noise", lambda: bytes((n * n + n // 7) % 256 for n in range(50_000)), "is binary data, not a feed"),
    # The small ones
    *(Hostile(name, fill(row.pop("text")), **row) for name, row in tomllib.loads(SMALL.read_text("utf-8")).items()),
]  # fmt: skip


if __name__ == "__main__":
    MANY, LOT = 100_000, 300_000
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for entry in HOSTILE:
        (folder / f"{entry.name}{entry.suffix}").write_bytes(entry.data())
    print(f"{len(HOSTILE)} files in {folder}")
