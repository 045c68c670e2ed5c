"""Wording of the terminal: counts in singular and plural, lengths, moments, uncertain facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.graph import KINDS, listen_at, podcasts_of
from podgraph.graph import relation_name as relation_name  # noqa: PLC0414 - for the commands

from ...terminal import note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from podgraph.graph import Kinds, NodeAttributes, View


def kind_name(kind: str, count: int = 1, kinds: Kinds = KINDS) -> str:
    """Return the word for ``count`` nodes of a kind; ``kinds`` are those of the graph.

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


def note_total(shown: int, total: int, word: str, many: str = "", *, quiet: bool, is_cut: bool = False) -> None:
    """Print on standard error how many of all the results ``-n`` kept; print nothing where it kept all.

    ``is_cut`` means more than ``total`` results: only so many were looked at.
    """
    if is_cut:
        note(f"{shown} of the first {counted(total, word, many)}; there are more: narrow the question", quiet=quiet)
    elif shown < total:
        note(f"{shown} of {counted(total, word, many)}; -n 0 for all", quiet=quiet)


def day(attributes: NodeAttributes, *, marked: bool) -> str:
    """Return the day of an episode; ``marked`` for a person: ``?`` where its feed is not certain, ``undated``."""
    date = str(attributes.get("date", ""))[:10]
    if not marked:
        return date
    return f"{date}?" if date and "date" in attributes.get("uncertain", ()) else date or "undated"


def length(attributes: NodeAttributes, *, marked: bool) -> str:
    """Return the minutes of an episode, rounded; ``marked`` for a person: with their unit, ``?`` where not certain.

    >>> length({"duration": 993}, marked=False), length({"duration": 993, "uncertain": ["duration"]}, marked=True)
    ('17', '17? min')
    """
    if not isinstance(seconds := attributes.get("duration"), int | float):
        return ""
    minutes = str(max(1, round(seconds / 60)))
    doubt = "?" if "duration" in attributes.get("uncertain", ()) else ""
    return f"{minutes}{doubt} min" if marked else minutes


def clock(seconds: float) -> str:
    """Return a moment of a recording as players show it.

    >>> clock(75), clock(3723)
    ('1:15', '1:02:03')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


_MOMENTS = 4  # printed beside the first


def moment(episode: NodeAttributes, moments: Sequence[int]) -> str:
    """Return the moments of a spoken mention, with the address of the recording at the first, if known.

    >>> moment({"audio_url": "https://x.org/a.mp3"}, (75, 120)), moment({}, ())
    ('at 1:15 <https://x.org/a.mp3#t=75>, 2:00', '')
    """
    if not moments:
        return ""
    first, *others = moments
    link = listen_at(episode, first)
    told = [clock(first) + (f" <{link}>" if link else ""), *map(clock, others[:_MOMENTS])]
    more = f" and {len(others) - _MOMENTS} more" if len(others) > _MOMENTS else ""
    return f"at {', '.join(told)}{more}"


def with_moment(words: str, episode: NodeAttributes, moments: Sequence[int]) -> str:
    """Return a quote, followed by its moments in the recording, if any.

    >>> with_moment("a loom", {}, (75, 120)), with_moment("", {}, (75,)), with_moment("a loom", {}, ())
    ('a loom (at 1:15, 2:00)', 'at 1:15', 'a loom')
    """
    said = moment(episode, moments)
    return f"{words} ({said})" if words and said else words or said


class PodcastColumn:
    """The column of podcasts, the last one: a graph of one podcast has none."""

    def __init__(self, view: View) -> None:
        titles = podcasts_of(view)
        self._titles = titles if len(titles) > 1 else {}
        self.header = ("podcast",) if self._titles else ()

    def cell(self, attributes: NodeAttributes) -> tuple[str, ...]:
        """Return the cell with the title of an episode's podcast, "" for other nodes; no cell without the column."""
        return (self._titles.get(attributes.get("podcast", ""), ""),) if self._titles else ()


def note_doubt(
    episodes: Iterable[NodeAttributes], *, lengths_too: bool = False, pages_too: bool = False, quiet: bool
) -> None:
    """Report the meaning of the marks at dates and lengths, and the number of uncertain pages."""
    pages, marked = 0, dict.fromkeys(("date", "duration"), False)
    for episode in episodes:
        uncertain = episode.get("uncertain", ())
        marked = {name: seen or (name in uncertain and name in episode) for name, seen in marked.items()}
        pages += pages_too and "url" in uncertain and "url" in episode
    names = ["date"] * marked["date"] + ["length"] * (lengths_too and marked["duration"])
    lines = [f"a {' or '.join(names)} with ? is not certain"] if names else []
    lines += [f"the address of {counted(pages, 'page')} is not certain"] if pages else []
    if lines:
        note(f"{'; '.join(lines)} (`podgraph show NODE --all` names what is not)", quiet=quiet)
