"""The keys that find a node (by number, title, end of a path), and its texts for search.

The database has a table of the keys. Several nodes may have the same key: a query checks further conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..attributes import was_read
from ..kinds import KINDS, SOURCES
from ..words import fold, with_parts

if TYPE_CHECKING:
    from ..attributes import NodeAttributes

SEARCHED = ("label", "aliases", "id", "notes")  # the texts of a node for search; for the page's script, too


def text_of(node: Mapping[str, object], name: str) -> str:
    """Return the attribute ``name`` of a node if it is a text, else "" (another type, or no such attribute)."""
    value = node.get(name)
    return value if isinstance(value, str) else ""


def texts_of(node: Mapping[str, object], name: str) -> list[str]:
    """Return the texts in the list that is the attribute ``name`` of a node; [] if it is not a list."""
    values = node.get(name)
    return [value for value in values if isinstance(value, str)] if isinstance(values, list | tuple) else []


def page_of(url: str, *, of_git: bool = False) -> str:
    """Return the node id of the page or artifact at an address in any spelling, "" for text that is not an address.

    ``of_git`` is for addresses such as ``git@github.com:owner/name``, which need no scheme added.
    """
    from podgraph.extractors import identify, with_scheme  # noqa: PLC0415 - the rules of all sites

    identity = identify(url if of_git else with_scheme(url)) if url else None
    return identity.ref.id if identity else ""


def last_of_path(path: str) -> str:
    """Return the last part of a path.

    >>> last_of_path("c10/core/Device.h"), last_of_path("setup.py")
    ('Device.h', 'setup.py')
    """
    return path.rpartition("/")[2]


def last_of_name(name: str) -> str:
    """Return the part of a symbol's name after its last dot or ``::``.

    >>> last_of_name("torch.nn.Module"), last_of_name("c10::Device"), last_of_name("vmap")
    ('Module', 'Device', 'vmap')
    """
    return name.rpartition(".")[2].rpartition("::")[2]


def _list_names(id_: str, node: NodeAttributes) -> Iterable[str]:
    """Return the names by which ``cites`` finds a node (``id_``), in small letters except for symbols and paths.

    A symbol has the last part of its name, a file the last part of its path, a topic its label and aliases, other nodes
    their label. Episodes and podcasts have none: their titles are other keys.
    """
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
    # An address is understood without a key.
    return () if id_ == f"web:{label}" else (label,)


def without_scheme(url: str) -> str:
    """Return an address as people also write it: without the scheme and the slash at its end.

    >>> without_scheme("https://tickets.example/42/"), without_scheme("tickets.example/42")
    ('tickets.example/42', 'tickets.example/42')
    """
    return (url.partition("://")[2] or url).rstrip("/")


def keys_of(id_: str, node: NodeAttributes) -> Iterator[tuple[str, str]]:
    """Yield (field, key) for each key by which a query finds the node ``id_``: a number, a title, a name.

    The fields are title, slug (the end of the id), page (of an episode), number, podcast, name, former (an id before a
    move), repo and url.

    >>> [*keys_of("topic:vmap", {"kind": "topic", "label": "vmap", "aliases": ["Vectorising Map"]})]
    [('name', 'vmap'), ('name', 'vectorising map')]
    """
    kind, url, repo = (text_of(node, name) for name in ("kind", "url", "repo"))
    if kind == "episode" or (kind in SOURCES and was_read(node)):  # other posts have no title of their own
        yield "title", (text_of(node, "title") or text_of(node, "label")).casefold()
        yield "slug", id_.rpartition("/")[2]
        page = page_of(url)
        if page != id_:  # else the id itself finds the node
            yield "page", page
    if kind in (*SOURCES, "pull", "issue") and "number" in node:
        yield "number", str(node["number"])
    if kind == "episode":
        yield "podcast", text_of(node, "podcast")
    for name in dict.fromkeys(_list_names(id_, node)):
        yield "name", name
    for name in dict.fromkeys(texts_of(node, "names")):
        if name.startswith("github:"):  # the id of an artifact before it moved
            yield "former", name
    if repo:
        yield "repo", repo
    if url and kind not in KINDS:  # of a plug-in; ids of built-in kinds contain their address
        yield "url", without_scheme(url)


def searched_texts(id_: str, node: NodeAttributes) -> tuple[str, ...]:
    """Return four texts of a node for the full-text search, folded (``fold``): one for each field in ``SEARCHED``.

    They are its name, its other names, its place (id, address and year), and its notes.
    """
    label = with_parts(text_of(node, "title") or text_of(node, "label"))
    names = with_parts("\n".join((*texts_of(node, "aliases"), *texts_of(node, "names"))))
    place = f"{id_} {text_of(node, 'url')} {text_of(node, 'date')[:4]}"
    return fold(label), fold(names), fold(place), fold(text_of(node, "summary"))


def is_quote_of_transcript(evidence: Mapping[str, object]) -> bool:
    """Return whether a piece of evidence is a quote from a transcript."""
    return evidence.get("field") == "transcript" and "quote" in evidence
