"""The questions as methods, written by ``docs/generate.py`` from ``graph/queries/questions.py``."""
# ruff: noqa: D401

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping
    from datetime import date

    from podgraph.graph import (
        Change,
        Cites,
        Explained,
        Hits,
        Listing,
        Order,
        Paths,
        Related,
        Review,
        Shown,
        Stats,
        Where,
        Why,
    )

    from .answers import Answer, Item, Steps

    Name = str | int | os.PathLike[str] | Item  # an item stands for its id
    Day = str | date


class Questions(ABC):
    """A method for each question.

    Of those that take them, ``podcast``: only episodes of this podcast: its title, a part of it, or its id;
    ``group``: only episodes of podcasts under this heading of a list of feeds (OPML); ``since``: only episodes from
    this day, month or year on: 2024-03-09, 2024-03, 2024; ``until``: only episodes up to this day, month or year:
    2024-03-09, 2024-03, 2024; ``reverse``: the last first.
    Raises ``QueryError`` for what cannot be understood, ``NotFoundError`` for a name that nothing has.
    """

    @abstractmethod
    def _ask(self, question: str, given: Mapping[str, Any]) -> Answer[Any, Any]: ...

    def cites(
        self,
        ref: Name,
        n: int = 0,
        *,
        repo: str = "",
        podcast: str = "",
        group: str = "",
        since: Day = "",
        until: Day = "",
        reverse: bool = False,
    ) -> Answer[Item, Cites]:
        """Which episodes and posts cite something, newest first, each with the quote.

        ``ref``: a URL, owner/repo#N, #N, N, PR N, owner/repo@sha, a path, a docs or blog page, a paper, a symbol, a
        topic, a node id; ``n``: at most so many episodes and posts for each; ``repo``: what bare numbers and paths are
        of (default: the repository that the graph is about).
        """
        return self._ask("cites", locals())

    def show(self, node: Name, *, repo: str = "") -> Answer[Item, Shown]:
        """One node: what it is, and its neighbours by relation, along edges (out) and against them (in).

        ``node``: a node id, an episode's title, number or page, or a reference as ``cites`` takes it; ``repo``: what
        bare numbers and paths are of (default: the repository that the graph is about).
        """
        return self._ask("show", locals())

    def where(
        self,
        name: Name,
        n: int = 0,
        *,
        podcast: str = "",
        group: str = "",
        since: Day = "",
        until: Day = "",
        reverse: bool = False,
        symbols: bool = False,
    ) -> Answer[Item, Where]:
        """Where a name or a path of code is defined, its docs, and the episodes about it, the best first.

        ``name``: a symbol, a file, a folder, FILE:LINE, or its address; ``n``: at most so many episodes and posts about
        each (2 if several names are given); ``symbols``: all the names that a file defines, not the first few.
        """
        return self._ask("where", locals())

    def explain(
        self,
        text: Name,
        n: int = 5,
        *,
        podcast: str = "",
        group: str = "",
        since: Day = "",
        until: Day = "",
        reverse: bool = False,
    ) -> Answer[Item, Explained]:
        """The episodes that explain a pasted text: a traceback, a log line, a flag, a name, a commit's title, a diff.

        ``text``: what you have in hand; ``n``: at most so many episodes and posts.
        """
        return self._ask("explain", locals())

    def review(
        self,
        paths: str | Iterable[Name | Change],
        n: int = 8,
        *,
        podcast: str = "",
        group: str = "",
        since: Day = "",
        until: Day = "",
        reverse: bool = False,
    ) -> Answer[Item, Review]:
        """One ranked list of the episodes that explain a whole change, each with the files it explains and why.

        ``paths``: files that are changed; ``n``: at most so many episodes and posts.
        """
        return self._ask("review", locals())

    def why(self, episode: Name, text: Name, *, repo: str = "", vocabulary: Name | None = None) -> Answer[Item, Why]:
        """What each extractor saw in a passage of an episode's notes, and what dropped the rest.

        ``episode``: a title or part of one, a number, a URL, an id; ``text``: a passage of its title or notes, or any
        words; ``repo``: the repository that a bare #N means; ``vocabulary``: the topics to look for, as ``build`` takes
        it.
        """
        return self._ask("why", locals())

    def related(
        self,
        episode: Name,
        n: int = 5,
        *,
        podcast: str = "",
        group: str = "",
        since: Day = "",
        until: Day = "",
        reverse: bool = False,
    ) -> Answer[Item, Related]:
        """The episodes most related to one, each with its reasons.

        ``episode``: a title or part of one, a number, a URL, an id; ``n``: at most so many episodes.
        """
        return self._ask("related", locals())

    def order(
        self,
        name: Name = "",
        n: int = 0,
        *,
        topic: bool = False,
        episode: bool = False,
        heard: Name | None = None,
        podcast: str = "",
        group: str = "",
        since: Day = "",
        until: Day = "",
        reverse: bool = False,
    ) -> Answer[Item, Order]:
        """A listening order, prerequisites first: of a topic, for an episode, or of everything.

        ``name``: an episode, or a topic's name; none: everything; ``n``: at most so many episodes, from the beginning;
        ``topic``: take the name for a topic's; ``episode``: take the name for an episode's; ``heard``: leave out the
        episodes in this file: a title, id or address a line, or OPML.
        """
        return self._ask("order", locals())

    def path(self, a: Name, b: Name, n: int = 1) -> Answer[Steps, Paths]:
        """How two nodes are connected, relation by relation, the most meaningful way first.

        ``a``: an episode, or anything that ``cites`` takes; ``b``: an episode, or anything that ``cites`` takes; ``n``:
        at most so many ways.
        """
        return self._ask("path", locals())

    def search(
        self,
        text: Name,
        n: int = 20,
        *,
        podcast: str = "",
        group: str = "",
        since: Day = "",
        until: Day = "",
        reverse: bool = False,
        kind: str = "",
    ) -> Answer[Item, Hits]:
        """Nodes by label, id, address and notes, the best first; words may be cut short or misspelt.

        ``text``: words, which may be cut short; a phrase in double quotes; ``n``: at most so many nodes; ``kind``: only
        nodes of a kind, as ``list`` has them.
        """
        return self._ask("search", locals())

    def list(
        self,
        kind: Name,
        n: int = 0,
        *,
        year: int | None = None,
        repo: str = "",
        topic: str = "",
        status: str = "",
        state: str = "",
        sort: str = "",
        podcast: str = "",
        group: str = "",
        since: Day = "",
        until: Day = "",
        reverse: bool = False,
        with_boilerplate: bool = False,
    ) -> Answer[Item, Listing]:
        """The nodes of a kind, narrowed and sorted, with how many name each.

        ``kind``: artifacts, blogs, commits, comparisons, discussions, docs, episodes, files, folders, forums, gists,
        issues, packages, papers, people, podcasts, posts, prs, pulls, questions, releases, repos, repositories,
        symbols, topics, tutorials, videos, web, wikis; ``n``: at most so many nodes; ``year``: episodes of that year,
        and what they name; ``repo``: what lies in that repository, or episodes that name it; ``topic``: episodes about
        that topic, and what they name; ``status``: links of that state; ``state``: pull requests and issues of that
        state; ``sort``: default: episodes by date, others by count; ``with_boilerplate``: count what nearly every
        episode of a show says (sponsors, handles) too.
        """
        return self._ask("list", locals())

    def stats(self, n: int = 10, *, with_boilerplate: bool = False) -> Answer[Item, Stats]:
        """What the graph holds: counts by kind, relation, area and year; the most cited.

        ``n``: at most so many nodes in each ranking; ``with_boilerplate``: count what nearly every episode says
        (sponsors, handles) like everything else.
        """
        return self._ask("stats", locals())
