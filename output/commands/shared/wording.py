"""How the command says things: counts of a kind in singular and plural, and what of an episode is not certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.graph import KINDS
from podgraph.graph import relation_name as relation_name  # noqa: PLC0414 - for the commands

from ...terminal import note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from podgraph.graph import Kinds, NodeAttributes


def kind_name(kind: str, count: int = 1, kinds: Kinds = KINDS) -> str:
    """Return what a person calls ``count`` nodes of a kind; ``kinds`` are those of the graph.

    >>> kind_name("pull"), kind_name("pull", 2), kind_name("person", 0), kind_name("repo")
    ('pull request', 'pull requests', 'people', 'repository')
    """
    return kinds[kind].singular if count == 1 else kinds[kind].plural


def counted(count: int, word: str, many: str = "", kinds: Kinds = KINDS) -> str:
    """Return a count with its word: a kind of the graph, or any ``word``, whose plural is ``many`` or ends in s.

    >>> counted(1, "pull"), counted(2, "repo"), counted(1, "edge"), counted(3, "edge"), counted(2, "entry", "entries")
    ('1 pull request', '2 repositories', '1 edge', '3 edges', '2 entries')
    """
    if word in kinds:
        return f"{count} {kind_name(word, count, kinds)}"
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
