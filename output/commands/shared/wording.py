"""How the command says things: counts of a kind in singular and plural, and what of an episode is not certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.graph import KINDS, title_of

from ...terminal import note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from podgraph.graph import Node, NodeAttributes

# How a relation reads from the node that its edge leaves, and from the node it leads to.
RELATION_WORDS = {
    "part_of": ("part of", "has"),
    "cites": ("cites", "cited by"),
    "mentions": ("names", "named by"),
    "about": ("about", "talked about in"),
    "listen_first": ("listen first to", "listen to this before"),
    "see_also": ("names", "named by"),
    "related": ("related to", "related to"),
    "in_repo": ("in repository", "contains"),
    "in_folder": ("in folder", "contains"),
    "defined_in": ("defined in", "defines"),
    "documented_at": ("documented at", "documents"),
    "subtopic_of": ("part of topic", "has subtopic"),
    "covers": ("covers", "covered by"),
}
_ONE = {"repo": "repository", "person": "person"}


def kind_name(kind: str, count: int = 1) -> str:
    """Return what a person calls ``count`` nodes of a kind; a kind that is not known, as it is.

    >>> kind_name("pull"), kind_name("pull", 2), kind_name("person", 0), kind_name("repo")
    ('pull request', 'pull requests', 'people', 'repository')
    """
    many = KINDS.get(kind, kind)
    return many if count != 1 else _ONE.get(kind) or many.removesuffix("s")


def relation_name(relation: str, *, backwards: bool = False) -> str:
    """Return how a relation reads along its edge, or against it; one that is not known, by its name.

    >>> relation_name("cites"), relation_name("cites", backwards=True), relation_name("borrowed_from")
    ('cites', 'cited by', 'borrowed from')
    """
    forward, back = RELATION_WORDS.get(relation) or (relation.replace("_", " "), f"{relation.replace('_', ' ')} (from)")
    return back if backwards else forward


def as_json(node: Node, **more: object) -> dict[str, object]:
    """Return what JSON says of an episode in an answer: id, title; its day, its page, what is uncertain where known."""
    known = {
        "date": day(node.attributes, marked=False),
        "url": node.attributes.get("url"),
        "uncertain": node.attributes.get("uncertain"),
    }
    return {
        "id": node.id,
        "title": title_of(node.attributes),
        **{name: value for name, value in known.items() if value},
        **more,
    }


def counted(count: int, word: str, many: str = "") -> str:
    """Return a count with its word: a kind of the graph, or any ``word``, whose plural is ``many`` or ends in s.

    >>> counted(1, "pull"), counted(2, "repo"), counted(1, "edge"), counted(3, "edge"), counted(2, "entry", "entries")
    ('1 pull request', '2 repositories', '1 edge', '3 edges', '2 entries')
    """
    if word in KINDS:
        return f"{count} {kind_name(word, count)}"
    return f"{count} {word if count == 1 else many or word + 's'}"


def day(attributes: NodeAttributes, *, marked: bool) -> str:
    """Return the day of an episode; ``marked`` for a person: ``?`` where its feed is not certain, ``undated``."""
    date = str(attributes.get("date", ""))[:10]
    if not marked:
        return date
    return f"{date}?" if date and "date" in attributes.get("uncertain", ()) else date or "undated"


def note_doubt(episodes: Iterable[NodeAttributes], *, pages_too: bool = False, quiet: bool) -> None:
    """Tell what the marks of the dates that were just shown mean, and how many pages are not certain either."""
    pages, dates = 0, False
    for episode in episodes:
        uncertain = episode.get("uncertain", ())
        dates = dates or ("date" in uncertain and "date" in episode)
        pages += pages_too and "url" in uncertain and "url" in episode
    lines = ["a date with ? is not certain"] if dates else []
    lines += [f"the address of {counted(pages, 'page')} is not certain"] if pages else []
    if lines:
        note(f"{'; '.join(lines)} (`podgraph show` names what is not)", quiet=quiet)
