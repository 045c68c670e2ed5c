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
_MAXIMUM_ATTRIBUTES = 1000  # of an element; feedparser's work grows with their square
_FIRST_TAG = re.compile(r"<(?:!doctype\s+)?(?:[\w.-]+:)?([a-z_][\w.-]*)", re.IGNORECASE)


def read_xml_feed(data: bytes, source: str) -> Node:
    """Return a feed in XML (RSS, RDF, Atom) in the shape of feedparser's results, with elements that feedparser drops.

    The result has ``feed`` (the channel), ``entries`` (the items), ``is_show`` (whether it has elements for podcasts),
    ``cut`` (a line if the end is missing, else "") and ``warnings``. Text that is not well-formed is repaired once,
    with one warning.

    Args:
        data: the feed in UTF-8
        source: its name in errors

    Raises:
        FeedError: the data is not a feed, or cannot be read as one even after the repair
    """
    head = data[: 1 << 16].decode("utf-8", "replace")
    has_doctype = "<!DOCTYPE" in head.upper()
    # A document type may declare entities, which could expand without end: it is removed before anything is parsed. A
    # text times False is "".
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
    """Return the outermost element of XML ``data`` (UTF-8), and a line about its first fault, "" without a fault.

    A parser that recovers from faults reads as far as it can; ``None``: nothing can be read. It loads nothing from disk
    or the network, and does not expand entities.
    """
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
    """Return the channel and the items under ``root``, read by feedparser, with the elements that it drops.

    The result has ``feed``, ``entries`` and ``is_show``. The chapters are removed from ``root``.
    """
    import feedparser  # noqa: PLC0415 - takes longer to load than many commands to run

    channel, items, is_show = _collect_elements(root)
    if about := root.findtext("{*}channel/{*}description"):  # feedparser keeps the last of all texts
        channel["content"] = [{"value": about}]
    etree.strip_elements(root, "{*}chapters", with_tail=False)  # feedparser stops at a chapter without a start
    data = _ATOM.sub(rb"\1http://www.w3.org/2005/Atom", etree.tostring(root, encoding="utf-8"))
    # feedparser would take bare bytes for the name of a file. Its sanitiser would eat vector<int>, and rewrite links.
    result = feedparser.parse(io.BytesIO(data), sanitize_html=False, resolve_relative_uris=False)
    if len(items) != len(result["entries"]):
        items = [Node() for _ in result["entries"]]
    common = {"is_declared": result["version"].startswith("atom")}
    entries = [{**entry, **item, **common} for entry, item in zip(result["entries"], items, strict=True)]
    return {"feed": {**result["feed"], **channel, **common}, "entries": entries, "is_show": is_show}


def _collect_elements(root: etree._Element) -> tuple[Node, list[Node], bool]:
    """Return the elements of ``_ELEMENTS`` in the channel, those in each item, and whether any is for podcasts.

    An element belongs to the channel, within an item to that item. Of elements with very many attributes, these are
    removed from ``root``.
    """
    channel = current = Node()
    items: list[Node] = []
    is_show = False
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if len(element.attrib) > _MAXIMUM_ATTRIBUTES:
            element.attrib.clear()
        space, _, local = element.tag.lower().rpartition("}")
        own_prefix = (element.prefix or "").lower()
        prefix = next((prefix for part, prefix in _PREFIXES.items() if part in space), own_prefix)
        name = f"{prefix}:{local}"
        is_show = is_show or prefix in {"itunes", "podcast", "psc", "yt"}
        if name in {":item", ":entry"}:
            current = Node() if event == "start" else channel
            items += [current] if event == "start" else []
        elif event == "start" and name in _ELEMENTS:
            text = (element.findtext("{*}name") or element.text or "").strip()
            value = tuple(element.get(key, "") if key else text for key in _ELEMENTS[name])
            current.setdefault(name, []).append(value)
    return channel, items, is_show
