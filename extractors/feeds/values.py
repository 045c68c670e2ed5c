"""Single values of a feed, as the readers return it: a dictionary in the shape of feedparser's results."""

from __future__ import annotations

import re
from typing import Any

from ..url import join, split_scheme

Node = dict[str, Any]
"""A channel or an entry. Under the name of an element, such as ``podcast:person``, is a list of tuples of texts."""

# Controls, lone surrogates and code points without a character.
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
# The begin of an http(s) URL, as far as its host's first character.
_ABSOLUTE = re.compile(r"https?://[^/?#\s]", re.IGNORECASE)
# Control characters and line ends of any kind.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
# A URL with a scheme, or a relative link.
# Its first letter is a set of two, to which the search leaps; with (?i) it would try every place.
_TARGET = re.compile(r"""[Hh](?i:ttps?://[^\s"'<>]+|(?<!\w.)ref\s*=\s*["']?(?!\s*https?:)[^\s"'<>]+)""")


def one_line(text: str) -> str:
    r"""Return ``text`` on one line: white space folded, control characters and lone surrogates gone.

    >>> one_line(" a\x07 \n b\ud800 ")
    'a b'
    """
    return " ".join(_UNSEEN.sub("", text).split())


def text_of(node: Node, *names: str) -> str:
    """Return the text or number under the first of ``names`` that has one in a ``node``, as text; "" without any.

    White space round it is removed. Of a list, the first value counts; of a node within the node, its address
    (``href``).

    >>> text_of({"id": 7, "link": {}, "podcast:chapters": [("c.json",)]}, "link", "podcast:chapters")
    'c.json'
    """
    for name in names:
        value = dict.get(node, name)  # the get of feedparser's own dictionaries replaces missing values by others
        while isinstance(value, (list, tuple, dict)) and value:
            value = value.get("href") if isinstance(value, dict) else value[0]
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and (text := str(value).strip()):
            return text
    return ""


def list_nodes(node: Node, name: str) -> list[Node]:
    """Return the nodes (dictionaries) under ``name``, in a list; other values are left out.

    Feeds have a list there, or a single node.

    >>> list_nodes({"author": {"name": "Ann"}}, "author"), list_nodes({"author": "Ann"}, "author")
    ([{'name': 'Ann'}], [])
    """
    value = dict.get(node, name)
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]


def web_url(url: str, *bases: str) -> str:
    """Return an absolute http(s) URL for the text of a link, "" if it is not one or is longer than 8,192 characters.

    A relative link is resolved against the first of ``bases`` that is a web address.

    >>> web_url("/ep/1", "", "https://x.org/feed"), web_url("www.x.org/ep"), web_url("javascript:alert(1)", "https://x.org")
    ('https://x.org/ep/1', 'https://www.x.org/ep', '')
    """
    url = _CONTROLS.sub("", url.strip())
    if not url or len(url) > 8192:
        return ""
    if _ABSOLUTE.match(url):
        return url
    if url.lower().startswith("www."):
        return f"https://{url}"
    addresses = (join(base, url) for base in bases if base and not split_scheme(url)[0])
    return next(filter(_ABSOLUTE.match, addresses), "")


def find_body(node: Node) -> Node:
    """Return the richest text of a channel or an item, as feedparser describes it (keys ``value``, ``type``, ``base``).

    A feed often has several versions of the notes. The richest one has the most different link targets, then the
    longest text (URLs, tags and white space not counted), then it is the first. Only one is used, because several texts
    would count every link twice. Without any text the result is an empty node.
    """
    names = ("content", "summary_detail", "subtitle_detail")
    best, *others = [body for name in names for body in list_nodes(node, name) if text_of(body, "value")] or [Node()]
    for body in others:
        if text_of(body, "value") not in text_of(best, "value"):  # nearly all add nothing, and need no measure
            best = max(best, body, key=_measure_richness)
    return best


def _measure_richness(body: Node) -> tuple[int, int]:
    """Return how rich a body is: the number of its different links, then the number of characters of its words.

    Truncated links, tags, URLs and white space do not count.
    """
    markup = text_of(body, "value").replace("&amp;", "&")
    targets = {target.rstrip(".,;:!?)") for target in _TARGET.findall(markup) if not target.endswith(("...", "…"))}
    text = _TARGET.sub("", re.sub("<[^<>]*>", "", markup))
    return len(targets), len("".join(text.split()))
