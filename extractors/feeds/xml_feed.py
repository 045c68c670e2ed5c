"""RSS, RDF and Atom: read by feedparser, beside it one small pass over the elements that feedparser drops or merges.

Sources of the rules: the itunes module, Podlove Simple Chapters, the Podcast namespace 1.0 (podcastindex.org).
"""

from __future__ import annotations

import io
import re

from lxml import etree

from ..errors import FeedError
from .repair import ROOT, repair_xml
from .values import Node, one_line, text_of

# Parts of namespaces' addresses, and our prefix for them; of others the prefix counts.
_PREFIXES = {
    "w3.org/2005/atom": "", "itunes.com/dtds": "itunes", "podcastindex": "podcast", "podlove.org/simple": "psc",
    "urn:podgraph:": "podgraph",
}  # fmt: skip
# Elements, and the attributes of which their values consist ("": their text, or that of a name in them).
_ELEMENTS = {
    "itunes:author": ("",), ":author": ("",), "dc:creator": ("",), ":managingeditor": ("",),
    "itunes:block": ("",), "itunes:explicit": ("",), "itunes:image": ("href",), "itunes:new-feed-url": ("",),
    "podcast:chapters": ("url",), "podcast:episode": ("",), "podcast:season": ("",), "podcast:transcript": ("url",),
    "podcast:person": ("", "role", "href"), "podcast:soundbite": ("startTime", "", "href"),
    "psc:chapter": ("start", "title", "href"), "podgraph:uncertain": ("fields",),
}  # fmt: skip
_ATOM = re.compile(rb'(xmlns(?::\w+)?=")https?://(?:www\.)?w3\.org/2005/Atom')
_MOST_ATTRIBUTES = 1000  # of an element; feedparser's work grows with their square
_FIRST_TAG = re.compile(r"<(?:!doctype\s+)?(?:[\w.-]+:)?([a-z_][\w.-]*)", re.IGNORECASE)


def read_xml_feed(data: bytes, source: str) -> Node:
    """Read a feed in XML (UTF-8). Text that is not well-formed is repaired once, with one line of warning.

    Returns feedparser's result with elements of its own (``values.Node``), ``is_show``, ``cut`` and ``warnings``.
    Raises ``FeedError`` for anything but a feed.
    """
    head = data[: 1 << 16].decode("utf-8", "replace")
    has_doctype = "<!DOCTYPE" in head.upper()
    root, fault = (None, "declares entities of its own" * ("<!ENTITY" in head)) if has_doctype else _parse(data)
    first = _FIRST_TAG.search(re.sub(r"(?s)<!--.*?(?:-->|\Z)|<\?.*?(?:>|\Z)", "", head))
    name = first[1].lower() if first else ""
    kind = {"html": "a web page", "opml": "a list of feeds (OPML)"}.get(name)
    if kind or not ROOT.search(head):
        other = f"not a feed ({fault})" if fault else f"XML, but no feed (its root is <{name[:40]}>)"
        what = f"{kind}, not a feed" if kind else other
        raise FeedError(f"is {what}", source=source, remedy="give the feed's own URL")
    cut = flaw = ""
    if fault or has_doctype:
        text, cut = repair_xml(data.decode("utf-8", "replace"))
        root, flaw = _parse(text.encode("utf-8", "replace"))
    try:
        result = {"feed": {}, "entries": []} if root is None else _read_tree(root)
    except Exception as error:
        problem = f"cannot be read by feedparser ({type(error).__name__})"
        raise FeedError(problem, source=source, remedy="report it to the feed's author") from error
    if flaw and not (result["entries"] or text_of(result["feed"], "title", "link")):
        problem = f"cannot be read as a feed ({flaw})"
        raise FeedError(problem, source=source, remedy="fetch it again, it may be cut off")
    end = "read as far as it can be" if flaw else "repaired"
    return {**result, "cut": cut, "warnings": [f"{fault or flaw}; {end}"] if flaw or (fault and not cut) else []}


def _parse(data: bytes) -> tuple[etree._Element | None, str]:
    """Return the outermost element as far as it can be read, and the first fault."""
    parser = etree.XMLParser(
        encoding="utf-8", huge_tree=True, resolve_entities=False, no_network=True, load_dtd=False,
        remove_comments=True, remove_pis=True, strip_cdata=False, recover=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        root = None
    error = next(iter(parser.error_log.filter_from_errors()), None)
    return root, f"line {error.line}: not well-formed XML ({one_line(error.message)[:120]})" if error else ""


def _read_tree(root: etree._Element) -> Node:
    """Return what feedparser and the pass beside it read; ``root`` loses its chapters.

    The sanitiser of feedparser would eat ``vector<int>``, its resolving of links rewrite them, and a chapter without a
    start stop it.
    """
    import feedparser  # noqa: PLC0415 - takes longer to load than many commands to run

    channel = current = Node()
    items: list[Node] = []
    is_show = False
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if len(element.attrib) > _MOST_ATTRIBUTES:
            element.attrib.clear()
        space, _, local = element.tag.lower().rpartition("}")
        prefix = next((ours for part, ours in _PREFIXES.items() if part in space), (element.prefix or "").lower())
        name = f"{prefix}:{local}"
        is_show = is_show or prefix in {"itunes", "podcast", "psc", "yt"}
        if name in {":item", ":entry"}:
            current = Node() if event == "start" else channel
            items += [current] if event == "start" else []
        elif event == "start" and name in _ELEMENTS:
            text = (element.findtext("{*}name") or element.text or "").strip()
            value = tuple(element.get(key, "") if key else text for key in _ELEMENTS[name])
            current.setdefault(name, []).append(value)
    if about := root.findtext("{*}channel/{*}description"):  # feedparser keeps the last of all texts
        channel["content"] = [{"value": about}]
    etree.strip_elements(root, "{*}chapters", with_tail=False)
    data = _ATOM.sub(rb"\1http://www.w3.org/2005/Atom", etree.tostring(root, encoding="utf-8"))
    # Bytes as they are would be taken for the name of a file first.
    result = feedparser.parse(io.BytesIO(data), sanitize_html=False, resolve_relative_uris=False)
    if len(items) != len(result["entries"]):
        items = [Node() for _ in result["entries"]]
    common = {"is_declared": result["version"].startswith("atom")}
    entries = [{**entry, **item, **common} for entry, item in zip(result["entries"], items, strict=True)]
    return {"feed": {**result["feed"], **channel, **common}, "entries": entries, "is_show": is_show}
