"""How the command says things: counts of a kind in singular and plural, and what of an episode is not certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graph import KINDS

from .terminal import note

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_ONE = {"repo": "repository", "person": "person"}


def kind_name(kind: str, count: int = 1) -> str:
    """Return what a person calls ``count`` nodes of a kind; a kind that is not known, as it is.

    >>> kind_name("pull"), kind_name("pull", 2), kind_name("person", 0), kind_name("repo")
    ('pull request', 'pull requests', 'people', 'repository')
    """
    many = KINDS.get(kind, kind)
    return many if count != 1 else _ONE.get(kind) or many.removesuffix("s")


def counted(count: int, word: str, many: str = "") -> str:
    """Return a count with its word: a kind of the graph, or any ``word``, whose plural is ``many`` or ends in s.

    >>> counted(1, "pull"), counted(2, "repo"), counted(1, "edge"), counted(3, "edge"), counted(2, "entry", "entries")
    ('1 pull request', '2 repositories', '1 edge', '3 edges', '2 entries')
    """
    if word in KINDS:
        return f"{count} {kind_name(word, count)}"
    return f"{count} {word if count == 1 else many or word + 's'}"


def day(attributes: Mapping[str, Any], *, marked: bool) -> str:
    """Return the day of an episode; ``marked`` for a person: ``?`` where its feed is not certain, ``undated``."""
    date = str(attributes.get("date", ""))[:10]
    if not marked:
        return date
    return f"{date}?" if date and "date" in attributes.get("uncertain", ()) else date or "undated"


def note_doubt(episodes: Iterable[Mapping[str, Any]], *, pages_too: bool = False, quiet: bool) -> None:
    """Tell what the marks of the dates that were just shown mean, and how many pages are not certain either."""
    pages, dates = 0, False
    for episode in episodes:
        uncertain = episode.get("uncertain", ())
        dates = dates or ("date" in uncertain and "date" in episode)
        pages += pages_too and "url" in uncertain and "url" in episode
    told = ["a date with ? is not certain"] if dates else []
    told += [f"the address of {counted(pages, 'page')} is not certain"] if pages else []
    if told:
        note(f"{'; '.join(told)} (`podgraph show` names what is not)", quiet=quiet)
