"""The keys of nodes: a number, a title, the end of a path. A view of a large graph has an index of them.

``keyed`` of a view returns the nodes with a key in a field; further conditions are up to the query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..attributes import was_read
from ..kinds import KINDS, SOURCES
from ..words import fold, with_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ..attributes import NodeAttributes

TEXTS = tuple(sorted(SOURCES))
SEARCHED = ("label", "aliases", "id", "notes")  # the texts of a node for search; for the page's script, too
_NUMBERED = (*TEXTS, "pull", "issue")


def text_of(node: Mapping[str, object], name: str) -> str:
    """Return a text attribute; "" for a missing one, and for another type."""
    value = node.get(name)
    return value if isinstance(value, str) else ""


def texts_of(node: Mapping[str, object], name: str) -> list[str]:
    """Return the texts of an attribute with a list of them."""
    values = node.get(name)
    return [value for value in values if isinstance(value, str)] if isinstance(values, list | tuple) else []


def page_of(url: str, *, of_git: bool = False) -> str:
    """Return the id of an address in any spelling; "" for an unknown one."""
    from podgraph.extractors import identify, with_scheme  # noqa: PLC0415 - the rules of all sites

    known = identify(url if of_git else with_scheme(url)) if url else None
    return known[1].id if known else ""


def last_of_path(path: str) -> str:
    """Return the last part of a path.

    >>> last_of_path("c10/core/Device.h"), last_of_path("setup.py")
    ('Device.h', 'setup.py')
    """
    return path.rpartition("/")[2]


def last_of_name(name: str) -> str:
    """Return the part of a name after its last dot or ``::``.

    >>> last_of_name("torch.nn.Module"), last_of_name("c10::Device"), last_of_name("vmap")
    ('Module', 'Device', 'vmap')
    """
    return name.rpartition(".")[2].rpartition("::")[2]


def _names(id_: str, node: NodeAttributes) -> Iterable[str]:
    """Return the names of a node other than an episode or a podcast, for ``cites``."""
    kind = node.get("kind")
    if kind == "symbol":
        return (last_of_name(id_.partition(":")[2]),)
    if kind in ("file", "folder"):
        return (last_of_path(text_of(node, "path")),)
    if kind == "topic":
        return map(str.casefold, (text_of(node, "label"), *texts_of(node, "aliases")))
    if kind in ("episode", "podcast"):
        return ()
    label = text_of(node, "label").casefold()
    return () if id_ == f"web:{label}" else (label,)  # an address is understood without a key


def _is_source(node: NodeAttributes) -> bool:
    """Return whether a node is an episode, or a post of the sources: others have no title of their own."""
    return node.get("kind") == "episode" or was_read(node)


def _title(_: str, node: NodeAttributes) -> Iterable[str]:
    return ((text_of(node, "title") or text_of(node, "label")).casefold(),) if _is_source(node) else ()


def _slug(id_: str, node: NodeAttributes) -> Iterable[str]:
    return (id_.rpartition("/")[2],) if _is_source(node) else ()


def _page(id_: str, node: NodeAttributes) -> Iterable[str]:
    """Return the id of the page of an episode or post, where it is not its own id."""
    return (page for page in (page_of(text_of(node, "url")),) if page != id_) if _is_source(node) else ()


def without_scheme(url: str) -> str:
    """Return an address as people also write it, without scheme and last slash.

    >>> without_scheme("https://tickets.example/42/"), without_scheme("tickets.example/42")
    ('tickets.example/42', 'tickets.example/42')
    """
    return (url.partition("://")[2] or url).rstrip("/")


# field -> the kinds with keys in it (none: all), and the keys of a node
FIELDS: dict[str, tuple[tuple[str, ...], Callable[[str, NodeAttributes], Iterable[str]]]] = {
    "title": (TEXTS, _title),
    "slug": (TEXTS, _slug),
    "number": (_NUMBERED, lambda _, node: (str(node["number"]),) if "number" in node else ()),
    "page": (TEXTS, _page),
    "podcast": (("episode",), lambda _, node: (text_of(node, "podcast"),)),
    "name": ((), _names),
    # the ids of an artifact before it moved
    "former": ((), lambda _, node: (name for name in texts_of(node, "names") if name.startswith("github:"))),
    "repo": ((), lambda _, node: filter(None, (text_of(node, "repo"),))),
    # the address of a plug-in's node; ids of built-in kinds contain theirs
    "url": (
        (),
        lambda _, node: () if text_of(node, "kind") in KINDS else filter(None, (without_scheme(text_of(node, "url")),)),
    ),
}


def keys_of(id_: str, node: NodeAttributes) -> Iterator[tuple[str, str]]:
    """Yield (field, key) for all keys of a node.

    >>> [*keys_of("topic:vmap", {"kind": "topic", "label": "vmap", "aliases": ["Vectorising Map"]})]
    [('name', 'vmap'), ('name', 'vectorising map')]
    """
    for field, (kinds, keys) in FIELDS.items():
        if not kinds or node.get("kind") in kinds:
            for key in dict.fromkeys(keys(id_, node)):
                yield field, key


def searched_texts(id_: str, node: NodeAttributes) -> tuple[str, ...]:
    """Return the folded texts of a node for search, one for each of ``SEARCHED``."""
    return tuple(searched_text(field)(id_, node) for field in SEARCHED)


def searched_text(field: str) -> Callable[[str, NodeAttributes], str]:
    """Return the function from a node to its folded text in a field of ``SEARCHED``."""
    return lambda id_, node: fold(_TEXTS_OF[field](id_, node))


_TEXTS_OF: dict[str, Callable[[str, NodeAttributes], str]] = {
    "label": lambda _, node: with_parts(text_of(node, "title") or text_of(node, "label")),
    "aliases": lambda _, node: with_parts("\n".join((*texts_of(node, "aliases"), *texts_of(node, "names")))),
    "id": lambda id_, node: f"{id_} {text_of(node, 'url')} {text_of(node, 'date')[:4]}",
    "notes": lambda _, node: text_of(node, "summary"),
}


def is_quote_of_transcript(item: Mapping[str, object]) -> bool:
    """Return whether a piece of evidence is a quote from a transcript."""
    return item.get("field") == "transcript" and "quote" in item
