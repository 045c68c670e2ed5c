"""Documents like feeds for fuzzing, and what must hold for whatever comes of them."""

from __future__ import annotations

import json
from html import escape

from hypothesis import strategies as st

from podgraph.extractors import FeedError, parse_feed
from podgraph.graph import check
from podgraph.output.formats.node_link import to_json
from podgraph.output.pipeline import graph_of

WORDS = st.sampled_from(
    "https://github.com/a/b/pull/|https://docs.pytorch.org/docs/stable/|github.com/|a/b#|#|PR |torch.|vmap|::|_|(|)|[|]|"
    "…|...|.|,|/|?|&|&amp;|&#x1b;|%|%25|@|:|<a href='|'>|</a>|<br>|<p>|<|>|<![CDATA[|]]>|<!--|-->|\x00|\x1b[2J|\u202e|é|"
    "\U0001f600|\ud800|1|9999999|listen to |Listen first: |arXiv:1905.12322|doi:10.1/x|youtu.be/|a.b/t/1| |\n|javascript:|"
    "torch/csrc/|c10/core/x.h:10|@name|www.|.com|//|xn--|localhost|127.0.0.1|[::1]|PEP 8|=1+1|{{|}}|</script>|../|"
    "http://10.0.0.1\\@a.b/|\\|[2002:7f00:1::]|[3fff::1]|2021-W31-1|2021-214|2021-W54|2024|Aug|\x9b|\u2066|\u061c".split(
        "|"
    )
)
TEXT = st.lists(WORDS | st.text(max_size=6), max_size=14).map("".join)
FIELDS = {
    "title": "<title>{}</title>",
    "guid": "<guid>{}</guid>",
    "link": "<link>{}</link>",
    "description": "<description>{}</description>",
    "encoded": "<content:encoded><![CDATA[{}]]></content:encoded>",
    "date": "<pubDate>{}</pubDate>",
    "number": "<itunes:episode>{}</itunes:episode>",
    "duration": "<itunes:duration>{}</itunes:duration>",
    "author": "<itunes:author>{}</itunes:author>",
    "person": "<podcast:person role='guest' href='{0}'>{0}</podcast:person>",
    "enclosure": "<enclosure type='audio/mpeg' url='{}'/>",
    "category": "<category>{}</category>",
}
ITEMS = st.lists(st.lists(st.tuples(st.sampled_from(sorted(FIELDS)), TEXT), max_size=7), max_size=5)


def rss(items: list[list[tuple[str, str]]], escaped: bool) -> bytes:
    """Return a feed of items with these fields; ``escaped`` makes it well-formed where that is possible."""

    def field(name: str, text: str) -> str:
        if escaped and name != "encoded":
            text = text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")
        return FIELDS[name].format(text) if name != "person" else FIELDS[name].replace("{0}", text)

    body = "".join(f"<item>{''.join(field(*pair) for pair in item)}</item>" for item in items)
    return (
        '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
        'xmlns:podcast="https://podcastindex.org/namespace/1.0" '
        'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>F</title>'
        f"{body}</channel></rss>"
    ).encode("utf-8", "surrogatepass")


def json_feed(items: list[list[tuple[str, str]]], escaped: bool) -> bytes:
    """Return a JSON Feed of such items."""
    names = {"encoded": "content_html", "description": "content_text", "guid": "id", "link": "url"}
    made = [{names.get(name, name): text for name, text in item} for item in items]
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": made}, ensure_ascii=escaped).encode(
        "utf-8", "surrogatepass"
    )


def atom(items: list[list[tuple[str, str]]], escaped: bool) -> bytes:
    """Return an Atom feed of such items."""
    names = {"description": "summary", "encoded": "content", "guid": "id", "date": "updated", "duration": "rights"}
    quoted = escape if escaped else str

    def field(name: str, text: str) -> str:
        if name in {"link", "enclosure"}:
            return f'<link rel="{"alternate" if name == "link" else name}" href="{quoted(text)}"/>'
        return f"<{names.get(name, name)} type='html'>{quoted(text)}</{names.get(name, name)}>"

    body = "".join(f"<entry>{''.join(field(*pair) for pair in item)}</entry>" for item in items)
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title>{body}</feed>'.encode("utf-8", "surrogatepass")


def spoilt(data: bytes, cuts: list[tuple[int, int, bytes]], encoding: str) -> bytes:
    """Return a document in another encoding, and with bytes lost and put in at some places."""
    if encoding:
        data = data.decode("utf-8", "replace").encode(encoding, "replace")
    for place, length, put_in in cuts:
        at = place % (len(data) + 1)
        data = data[:at] + put_in + data[at + length :]
    return data


WHOLE = st.builds(lambda make, items, escaped: make(items, escaped), st.sampled_from([rss, rss, atom, json_feed]), ITEMS, st.booleans())  # fmt: skip
CUTS = st.tuples(
    st.integers(0, 10_000),
    st.integers(0, 40),
    st.binary(max_size=3) | st.sampled_from([b"<item>", b"</item>", b"</", b"]]>", b"<![CDATA[", b"<!DOCTYPE a [", b"&#x0;", b"\0"]),
)  # fmt: skip
SPOILT = st.builds(
    spoilt, WHOLE, st.lists(CUTS, min_size=1, max_size=4), st.sampled_from(["", "", "latin-1", "utf-16", "utf-32-be"])
)
DOCUMENTS = WHOLE | SPOILT


def holds(data: bytes) -> None:
    """Parse, extract, build and write; raise ``AssertionError`` when the graph breaks a law, or whatever escapes."""
    try:
        feed = parse_feed(data, source="f", url="https://show.example/feed")
    except FeedError as error:
        assert "\n" not in str(error)
        return
    for episode in feed.episodes:
        assert all(0 <= link.start <= link.end <= len(episode.notes) for link in episode.links)
    built = graph_of([feed])
    assert list(check(built)) == []
    written = to_json(built)
    assert to_json(graph_of([feed])) == written
    json.loads(written)
