"""The questions to a graph: a method for each, of which the command and the assistants' tools are made.

A parameter's text in ``Annotated`` is the help of its option, the docstring the help of the command.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from podgraph import graph as questions  # lazy: a question imports only its own module
from podgraph.extractors import QueryError, nearest
from podgraph.graph import Answer, Row

if TYPE_CHECKING:
    from podgraph.extractors import Index
    from podgraph.graph import View, Which

Reference = Annotated[
    str,
    "a URL, owner/repo#N, #N, N, PR N, owner/repo@sha, a path, a docs or blog page, a paper, a symbol, a topic, a node "
    "id; - reads one a line from standard input",
]
Episode = Annotated[str, "a title or part of one, a number, a URL or an id"]
Limit = Annotated[int, "at most so many rows; 0: all"]
Repository = Annotated[str, "what bare numbers and paths are of (default: the repository that the graph is about)"]
Podcast = Annotated[str, "only episodes of this podcast: its title, a part of it, or its id"]
Since = Annotated[str, "only episodes from this day, month or year on: 2024-03-09, 2024-03, 2024"]
Until = Annotated[str, "only episodes up to this day, month or year"]
Sort = Literal["", "date", "title", "number", "id", "count"]
Status = Literal["", "ok", "moved", "gone", "private", "unknown"]


def name_options(method: Callable[..., Answer]) -> Callable[..., Answer]:
    """Return a question whose error for an unknown option names the right one: ``n`` for ``limit``."""

    @wraps(method)
    def ask(*values: Any, **options: Any) -> Answer:
        names = list(inspect.signature(method).parameters)[1:]
        for name in options:
            if name not in names:
                limit = "use n" if name in {"limit", "top", "max", "count"} else ""
                remedy = limit or nearest(name, names) or f"it has {', '.join(names)}"
                raise QueryError(f"{method.__name__} has no option {name!r}", remedy=remedy)
        return method(*values, **options)

    return ask


class Questions:
    """A graph that can be asked. Each public method is a question."""

    def __init_subclass__(cls) -> None:
        for name, method in QUESTIONS.items():
            setattr(cls, name, name_options(method))

    def __init__(self, store: View) -> None:
        """Ask ``store``."""
        self._store = store

    def cites(
        self,
        *ref: Reference,
        repo: Repository = "",
        n: Limit = 0, podcast: Podcast = "", since: Since = "", until: Until = "",
    ) -> Answer:  # fmt: skip
        """Which episodes cite a pull request, issue, file, page, …: newest first, each with the quote.

        examples:
          podgraph cites pytorch/pytorch#130935
          podgraph cites https://github.com/pytorch/pytorch/pull/130935/files
          podgraph cites 130935 --json
          podgraph cites c10/core/thread_pool.h
        """
        which = _select(podcast, since, until, n)
        references = _join_phrase([to_text(one) for one in ref])
        return questions.find_citations(
            self._store, references, repo=_check_repository(repo), index=lambda: self._index, which=which
        )

    def explain(
        self,
        *anything: Annotated[
            str, "a path, a name, a file with a traceback, a log or a diff, a pasted text; none or -: standard input"
        ],
        n: Limit = 5, podcast: Podcast = "", since: Since = "", until: Until = "",
    ) -> Answer:  # fmt: skip
        """The episodes that explain code: a path, a name, a traceback, a log line, a diff, several paths.

        A name comes with where it is defined and documented; several paths or a diff give one list, each episode with
        the files it explains.

        examples:
          podgraph explain torch/csrc/autograd/engine.cpp
          podgraph explain torch.vmap -n 2
          python train.py 2>&1 | podgraph explain
          git diff main | podgraph explain
        """
        texts = [_read_word(to_text(one), self._is_code) for one in anything]
        return questions.explain(self._store, texts, index=self._index, which=_select(podcast, since, until, n))

    def search(
        self,
        *text: Annotated[str, "words, which may be cut short; a phrase in double quotes"],
        kind: Annotated[str, "only nodes of a kind, as `list` has them"] = "",
        n: Limit = 20, podcast: Podcast = "", since: Since = "", until: Until = "",
    ) -> Answer:  # fmt: skip
        """Nodes by name, address and notes, the best first; words may be cut short or misspelt.

        examples:
          podgraph search dispatcher
          podgraph search "double backward" --kind episodes
        """
        words = " ".join(to_text(one) for one in text)
        return questions.search_nodes(self._store, words, kind=kind, which=_select(podcast, since, until, n))

    def related(
        self, episode: Episode, *, n: Limit = 5, podcast: Podcast = "", since: Since = "", until: Until = ""
    ) -> Answer:
        """Related episodes, the strongest first, each with its reasons.

        examples:
          podgraph related vmap
          podgraph related "Compiler collectives" -n 10
        """
        return questions.find_relatives(self._store, to_text(episode), which=_select(podcast, since, until, n))

    def order(
        self,
        name: Annotated[str, "an episode, or a topic's name; none: everything"] = "",
        *,
        reverse: Annotated[bool, "the last first"] = False,
        n: Limit = 0, podcast: Podcast = "", since: Since = "", until: Until = "",
    ) -> Answer:  # fmt: skip
        """A listening order, prerequisites first: of a topic, for an episode, or of everything.

        examples:
          podgraph order vmap
          podgraph order -o all.rss
        """
        which = _select(podcast, since, until, n)._replace(reverse=reverse)
        return questions.order_episodes(self._store, to_text(name), which=which)

    def show(
        self,
        node: Annotated[str, "a node id, an episode's title, number or page, or a reference as `cites` takes it"],
        *,
        repo: Repository = "",
        evidence: Annotated[bool, "each mention, with its quote, extractor and confidence"] = False,
    ) -> Answer:
        """One node: what it is, what it cites, who cites it.

        examples:
          podgraph show "Compiler collectives"
          podgraph show vmap --evidence
        """
        return questions.show_node(self._store, to_text(node), repo=_check_repository(repo), evidence=evidence)

    def list(
        self,
        kind: Annotated[str, "episodes, topics, pulls, docs, papers, people, …"] = "episodes",
        *,
        repo: Annotated[str, "what lies in that repository, or episodes that name it"] = "",
        topic: Annotated[str, "episodes about that topic, and what they name"] = "",
        year: Annotated[int, "episodes of that year, and what they name"] = 0,
        sort: Annotated[Sort, "default: episodes by date, others by count"] = "",
        status: Annotated[Status, "links of that state"] = "",
        n: Limit = 0, podcast: Podcast = "", since: Since = "", until: Until = "",
    ) -> Answer:  # fmt: skip
        """The nodes of a kind, narrowed and sorted, with how many episodes name each.

        examples:
          podgraph list pulls
          podgraph list episodes --topic autograd
        """
        return questions.list_nodes(
            self._store,
            kind,
            which=_select(podcast, since, until, n),
            topic=topic,
            repo=_check_repository(repo),
            year=_check_number(year, "year"),
            status=status,
            sort=sort,
        )

    def path(
        self,
        a: Annotated[str, "an episode, or anything that `cites` takes"],
        b: Annotated[str, "an episode, or anything that `cites` takes"],
        *,
        n: Annotated[int, "at most so many ways"] = 1,
    ) -> Answer:
        """How two nodes are connected, relation by relation, the most meaningful way first.

        examples:
          podgraph path vmap "Compiler collectives"
        """
        return questions.connect_nodes(self._store, to_text(a), to_text(b), n=_check_number(n, "n") or 1)

    def stats(
        self,
        *,
        n: Annotated[int, "rows of each ranking; 0: all"] = 10,
        links: Annotated[bool, "the state of the cited links"] = False,
    ) -> Answer:
        """The figures of a graph: counts by kind, relation, area and year; the most cited.

        examples:
          podgraph stats
          podgraph stats --links
        """
        return questions.check_links(self._store) if links else questions.count_graph(self._store, n=_check_number(n))

    def _is_code(self, path: str) -> bool:
        """Return whether a path is one of the code that the graph is about."""
        return self._index is not None and bool(self._index.paths.find_state(path))

    @cached_property
    def _index(self) -> Index | None:
        """The index of names, where the graph has anything of its subject's code."""
        return questions.names_of(self._store)


def _select(podcast: str, since: str, until: str, n: int) -> Which:
    return questions.Which(podcast, to_text(since), to_text(until), limit=_check_number(n))


def _check_number(value: object, name: str = "n") -> int:
    """Return a whole number from 0; assistants send ``"5"`` and ``5.0``, too. Raises ``QueryError`` for others."""
    try:
        number = int(value) if isinstance(value, int | float | str) and float(value) == int(float(value)) else -1
    except (ValueError, OverflowError):
        number = -1
    if number < 0:
        raise QueryError(f"invalid number {value!r} for {name}", remedy="give a whole number from 0")
    return number


def _check_repository(repo: str) -> str:
    owner, _, name = repo.partition("/")
    if repo and not (owner and name and "/" not in name):
        remedy = "use OWNER/NAME, as in python/cpython"
        raise QueryError(f"invalid repository {repo!r}", remedy=remedy)
    return repo


def _join_phrase(words: list[str]) -> list[str]:
    """Return references with one that the shell took apart joined: ``PR 130935``."""
    kinds = ("pr", "pull", "issue", "gh", "pep", "rfc", "nep")
    if len(words) == 2 and words[0].lower() in kinds and words[1].lstrip("#").isdigit():
        return [" ".join(words)]
    return words


def _read_word(word: str, is_code: Callable[[str], bool]) -> str:
    """Return the text of the file that a word names; other words, and paths of the known code, stay unchanged.

    Raises ``QueryError`` for a missing file with the suffix of a text.
    """
    path = Path(word)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):  # too long for a name, or with a zero byte
        return word
    if " " in word.strip() and not is_file:
        return word
    if is_file and not is_code(word):
        from podgraph.extractors import decode, read_file  # noqa: PLC0415 - these load what a fetch needs

        return decode(read_file(path))
    if path.suffix in (".txt", ".log", ".diff", ".patch") and not is_code(word):
        raise QueryError("there is no such file", source=word, remedy="for example `podgraph explain traceback.txt`")
    return word


def to_text(value: object) -> str:
    """Return an argument as text: a row stands for its id, a path for its text with slashes."""
    if isinstance(value, Row):
        return str(value.id)
    return os.fspath(value).replace(os.sep, "/") if isinstance(value, os.PathLike) else str(value)


QUESTIONS: dict[str, Callable[..., Answer]] = {
    name: method for name, method in vars(Questions).items() if not name.startswith("_")
}
"""The methods that are commands and assistants' tools, by name."""
