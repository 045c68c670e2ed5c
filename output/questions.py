"""The questions to a graph: a method for each, of which the command and the assistants' tools are made.

The docstring of a method is the help of its command, ``options.txt`` has the help of its parameters.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_type_hints

from podgraph import graph as questions  # lazy: a question imports only its own module
from podgraph.extractors import QueryError, nearest
from podgraph.graph import Answer, Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from podgraph.extractors import Index
    from podgraph.graph import Selection, View

Sort = Literal["", "date", "title", "number", "id", "count"]
Status = Literal["", "ok", "moved", "gone", "private", "unknown"]


def check_options(method: Callable[..., Answer]) -> Callable[..., Answer]:
    """Return a function like ``method``, a question, with a better error for an unknown option.

    The error names the right option: ``n`` for ``limit``, say.
    """

    @wraps(method)
    def ask(*values: Any, **options: Any) -> Answer:
        """Ask the question with these values. Raises ``QueryError`` for an option that it does not have."""
        names = list(inspect.signature(method).parameters)[1:]  # without `self`
        for name in options:
            if name not in names:
                limit = "use n" if name in {"limit", "top", "max", "count"} else ""
                remedy = limit or nearest(name, names) or f"it has {', '.join(names)}"
                raise QueryError(f"{method.__name__} has no option {name!r}", remedy=remedy)
        return method(*values, **options)

    return ask


class Questions:
    """A graph with a method for each question. The command and the assistants' tools are made from these methods."""

    def __init_subclass__(cls) -> None:
        for name, method in QUESTIONS.items():
            setattr(cls, name, check_options(method))

    def __init__(self, store: View) -> None:
        """Answer the questions from the database ``store``."""
        self._store = store

    def cites(
        self, *ref: str, repo: str = "", n: int = 0, podcast: str = "", since: str = "", until: str = ""
    ) -> Answer:
        """Which episodes cite a pull request, issue, file, page, …: newest first, each with the quote.

        Give one reference or several: an address, #12, a path, a symbol, a topic.
        Each row is an episode or post, with date, title, evidence and url.

        examples:
          podgraph cites pytorch/pytorch#130935
          podgraph cites https://github.com/pytorch/pytorch/pull/130935/files
          podgraph cites 130935 --json
          podgraph cites c10/core/thread_pool.h
        """
        selection = _select(podcast, since, until, n)
        references = _join_phrase([to_text(word) for word in ref])
        return questions.find_citations(
            self._store, references, repo=_check_repository(repo), index=lambda: self._index, selection=selection
        )

    def explain(self, *anything: str, n: int = 5, podcast: str = "", since: str = "", until: str = "") -> Answer:
        """The episodes that explain code: a path, a name, a traceback, a log line, a diff, several paths.

        A name comes with where it is defined and documented; several paths or a diff give one list, each episode with
        the files it explains.

        examples:
          podgraph explain torch/csrc/autograd/engine.cpp
          podgraph explain torch.vmap -n 2
          python train.py 2>&1 | podgraph explain
          git diff main | podgraph explain
        """
        texts = [_read_word(to_text(word), self._is_code) for word in anything]
        return questions.explain(self._store, texts, index=self._index, selection=_select(podcast, since, until, n))

    def search(
        self, *text: str, kind: str = "", n: int = 20, podcast: str = "", since: str = "", until: str = ""
    ) -> Answer:
        """Episodes and other nodes by name, address and notes; words may be cut short or misspelt.

        First comes what the text names or is the name of, then the episodes, then the other nodes, in each group the
        best first. Each row is a node, with the place of the words in "reasons".

        examples:
          podgraph search dispatcher
          podgraph search "double backward" --kind episodes
        """
        words = " ".join(to_text(word) for word in text)
        return questions.search_nodes(self._store, words, kind=kind, selection=_select(podcast, since, until, n))

    def related(self, episode: str, *, n: int = 5, podcast: str = "", since: str = "", until: str = "") -> Answer:
        """Related episodes, the strongest first, each with its reasons.

        Give the title, number or address of an episode. Each row is another episode,
        with its level (strong or similar) and reasons.

        examples:
          podgraph related vmap
          podgraph related "Compiler collectives" -n 10
        """
        return questions.find_relatives(self._store, to_text(episode), selection=_select(podcast, since, until, n))

    def order(
        self, name: str = "", *, reverse: bool = False,
        n: int = 0, podcast: str = "", since: str = "", until: str = "",
    ) -> Answer:  # fmt: skip
        """A listening order, prerequisites first: of a topic, for an episode, or of everything.

        Each row is an episode, with the reason for its place.

        examples:
          podgraph order vmap
          podgraph order -o all.rss
        """
        selection = _select(podcast, since, until, n)._replace(reverse=reverse)
        return questions.order_episodes(self._store, to_text(name), selection=selection)

    def show(self, node: str, *, repo: str = "", evidence: bool = False) -> Answer:
        """One node: what it is, what it cites, who cites it.

        Give an id, a title or an address. The first row is the node, each further row a
        neighbour, with the relation between the two.

        examples:
          podgraph show "Compiler collectives"
          podgraph show vmap --evidence
        """
        return questions.show_node(self._store, to_text(node), repo=_check_repository(repo), evidence=evidence)

    def list(
        self, kind: str = "episodes", *,
        repo: str = "", topic: str = "", year: int = 0, sort: Sort = "", status: Status = "",
        n: int = 0, podcast: str = "", since: str = "", until: str = "",
    ) -> Answer:  # fmt: skip
        """The nodes of a kind, narrowed and sorted, with how many episodes name each.

        Each row is a node that meets all conditions; an empty one, or 0, is no condition.

        examples:
          podgraph list pulls
          podgraph list episodes --topic autograd
        """
        selection, year = _select(podcast, since, until, n), _check_number(year, "year")
        repo = _check_repository(repo)
        return questions.list_nodes(
            self._store, kind, selection=selection, topic=topic, repo=repo, year=year, status=status, sort=sort
        )

    def path(self, a: str, b: str, *, n: int = 1) -> Answer:
        """How two nodes are connected, relation by relation, the most meaningful way first.

        Give two titles, ids or addresses. Each row is a step from one node to the next,
        with relation and evidence.

        examples:
          podgraph path vmap "Compiler collectives"
        """
        return questions.connect_nodes(self._store, to_text(a), to_text(b), n=_check_number(n, "n") or 1)

    def stats(self, *, n: int = 10, links: bool = False) -> Answer:
        """The figures of a graph: counts by kind, relation, area and year; the most cited.

        Each row is a figure, with its group, title and count.

        examples:
          podgraph stats
          podgraph stats --links
        """
        return questions.check_links(self._store) if links else questions.count_graph(self._store, n=_check_number(n))

    def _is_code(self, path: str) -> bool:
        """Return whether the code that the graph is about has a file or folder with this path."""
        return self._index is not None and bool(self._index.paths.find_state(path))

    @cached_property
    def _index(self) -> Index | None:
        """The index of the code that the graph is about, ``None`` if it is about no known code."""
        return questions.find_code_index(self._store)


def list_parameters(name: str, method: Callable[..., Answer]) -> Iterator[tuple[inspect.Parameter, Any, str]]:
    """Yield (parameter, type, help) for each parameter of a question; ``name`` is its name, ``method`` its method.

    The help is in ``options.txt``.
    """
    lines = Path(__file__).with_name("options.txt").read_text("utf-8").splitlines()
    texts = dict(line.split(" | ") for line in lines if not line.startswith("#"))
    hints = get_type_hints(method)
    for parameter in list(inspect.signature(method).parameters.values())[1:]:  # without `self`
        yield parameter, hints[parameter.name], texts.get(f"{name} {parameter.name}") or texts[parameter.name]


def _select(podcast: str, since: str, until: str, n: int) -> Selection:
    """Return the selection of episodes for the options that questions have in common.

    ``podcast`` is a title or id, ``since`` and ``until`` are the first and last day, ``n`` is the maximum number of
    episodes. An empty text, or 0, is no condition.
    """
    return questions.Selection(podcast, to_text(since), to_text(until), limit=_check_number(n))


def _check_number(value: object, name: str = "n") -> int:
    """Return the number in an option as an integer; assistants send ``"5"`` and ``5.0``, too.

    Raises ``QueryError`` for other values than whole numbers from 0. ``name`` is the option, for the message.
    """
    try:
        number = int(value) if isinstance(value, int | float | str) and float(value) == int(float(value)) else -1
    except (ValueError, OverflowError):
        number = -1
    if number < 0:
        raise QueryError(f"invalid number {value!r} for {name}", remedy="give a whole number from 0")
    return number


def _check_repository(repo: str) -> str:
    """Return a repository unchanged. Raises ``QueryError`` unless it is ``OWNER/NAME`` or ""."""
    owner, _, name = repo.partition("/")
    if repo and not (owner and name and "/" not in name):
        raise QueryError(f"invalid repository {repo!r}", remedy="use OWNER/NAME, as in python/cpython")
    return repo


def _join_phrase(words: list[str]) -> list[str]:
    """Return the words of a command line as references: each word is one, but ``PR 130935`` is one of two words.

    >>> _join_phrase(["PR", "130935"]), _join_phrase(["#12", "#13"])
    (['PR 130935'], ['#12', '#13'])
    """
    kinds = ("pr", "pull", "issue", "gh", "pep", "rfc", "nep")
    if len(words) == 2 and words[0].lower() in kinds and words[1].lstrip("#").isdigit():
        return [" ".join(words)]
    return words


def _read_word(word: str, is_code: Callable[[str], bool]) -> str:
    """Return the text of the file that a word of the command line names, or the word itself if it names no file.

    A path in the graph's code (``is_code(word)``) is not read, even if there is such a file here. Raises ``QueryError``
    for a missing file with the suffix of a text, such as ``.log``.
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
    """Return an argument of a question as text: a row stands for its id, a path for its text with slashes."""
    if isinstance(value, Row):
        return str(value.id)
    return os.fspath(value).replace(os.sep, "/") if isinstance(value, os.PathLike) else str(value)


QUESTIONS: dict[str, Callable[..., Answer]] = {
    name: method for name, method in vars(Questions).items() if not name.startswith("_")
}
"""The methods that are commands and assistants' tools, by name."""
