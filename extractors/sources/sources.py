"""Read the user's sources into the bytes of feeds: addresses, files, folders, lists, pages, the snapshot."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import PodgraphError, SourceError, without_frames
from ..keys import without_keys
from ..printable import for_message, printable, url_for_message
from ..url import address_key, is_web
from .budget import Budget, OverBudgetError
from .cache import Cache, default_cache
from .connection import LIMITS, WORLD, Limits, UnreachableError, World
from .directories import Found, find_directory, read_answer, search_by_name
from .document_type import decode, document_type
from .fallback import StandIns
from .files import list_folder, list_names, read_file, read_standard_input
from .opml import find_feed_links, find_outlines
from .origin import CONTENT, Named, Origin, may_reach
from .source import DEFAULT_FEED, Source, Sources, sample_source
from .spellings import has_scheme, intended_address, parse_bare_address, parse_file_url, parse_web_address

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from .cache import Fetched

# There is something to fall back on, so a few seconds are long enough to wait for an answer.
_DEFAULT_LIMITS = replace(LIMITS, connect=3, read=5, answer=5, total=10)
_MOST_FEEDS = 50_000  # addresses of a build, lists in lists and all
_DEEPEST_LIST = 5


@dataclass(slots=True)
class _Task:
    """One thing to read; in the end it has a source, an error, or parts that have.

    ``page`` is the address of the page or directory that led to ``url``, ``depth`` counts the lists around it.
    ``guessed``: the name may be an address or a file. ``answer``: ``url`` asks a directory for a feed's address.
    """

    name: str
    url: str = ""
    origin: Origin = CONTENT
    page: str = ""
    group: str = ""
    depth: int = 0
    guessed: bool = False
    answer: bool = False
    source: Source | None = None
    error: PodgraphError | None = None
    parts: list[_Task] = field(default_factory=list)


def read_sources(
    sources: Sequence[str | Named],
    *,
    offline: bool = False,
    cache: Cache | None = None,
    stdin: BinaryIO | None = None,
    notify: Callable[[str], None] = lambda _: None,
    done: Callable[[int, int], None] | None = None,
    world: World = WORLD,
    default_feed: str = DEFAULT_FEED,
) -> Sources:
    """Return the bytes of each source; without sources, those of the live default feed.

    A source is a feed's address (``feed:`` and the like, and a bare host, are understood), a file, a folder, a list of
    feeds (OPML; a file or an address), a web page that names its feed, a link to a directory or player, a show's title
    (Apple Podcasts is asked), ``-`` (``stdin``) or ``sample``. Addresses are fetched side by side. For an unreachable
    address, or with ``offline``, the ``cache`` (``None``: the user's) serves its copy, the default feed's last resort
    is the built-in snapshot. A text counts as typed by the user; a ``Named`` carries its origin, which decides its
    rights.

    ``notify`` gets a line for each event that the user should know, ``done`` the numbers of fetched and of all
    addresses. An unreadable source does not stop the others: it is among the failures.
    """
    cache = cache or default_cache()
    stand_ins = StandIns(cache, notify, world, default_feed, offline)
    named = [one if isinstance(one, Named) else Named(one) for one in sources or (default_feed,)]
    return _Reading(cache, stand_ins, stdin, notify, done, world, Budget(world)).read(named)


@dataclass(slots=True)
class _Reading:
    cache: Cache
    stand_ins: StandIns
    stdin: BinaryIO | None
    notify: Callable[[str], None]
    done: Callable[[int, int], None] | None
    world: World
    budget: Budget
    seen: set[str] = field(default_factory=set)
    fetched: int = 0

    def read(self, names: Sequence[Named]) -> Sources:
        """Return the sources that ``names`` lead to, and the errors of the others."""
        # A name given twice counts once, and so does an address that two names lead to.
        tasks = [task for task in map(self._make_task, dict.fromkeys(names)) if task]
        self._fetch_all(tasks)
        if self.cache.problem:
            self.notify(f"{self.cache.problem}; going on without copies")
        ends = _leaves(tasks)
        found = tuple(replace(task.source, group=task.group) for task in ends if task.source)
        failures = tuple(task.error for task in ends if task.error)
        if found or failures:
            shown_names = dict.fromkeys(name for task in ends for name in (task.name, for_message(task.name)))
            return Sources(found, failures, tuple(shown_names))
        nothing = SourceError(
            "names no feed but itself", source=for_message(names[0].text), remedy="give a feed's address"
        )
        return Sources((), (nothing,))

    def _fetch_all(self, tasks: list[_Task]) -> None:
        """Fetch the addresses of the tasks, then those in the lists and pages among them, and so on."""
        front = _leaves(tasks)
        while waiting := [task for task in front if task.url and not (task.source or task.error)]:
            for task, outcome in zip(waiting, self._fetch(waiting), strict=True):
                self._settle(task, outcome)
            front = [leaf for task in waiting for leaf in _leaves(task.parts)]

    # Names from the user

    def _is_new(self, url: str) -> bool:
        """Return whether an address is met for the first time, and remember it."""
        key = address_key(url)
        is_new = key not in self.seen
        self.seen.add(key)
        return is_new

    def _make_task(self, named: Named) -> _Task | None:
        """Return a task for a name from the user, or ``None`` if its address is already being read."""
        task = _Task(printable(without_keys(named.text)), origin=named.origin)
        try:
            self._begin(task, named.text)
        except PodgraphError as error:
            task.error = without_frames(error)
        return task if not task.url or self._is_new(task.url) else None

    def _begin(self, task: _Task, name: str) -> None:
        """Read the source that ``name`` means, or find the address that it spells."""
        if not name.strip():
            raise SourceError("an empty name is not a source", remedy="name a feed's address or file, or 'sample'")
        if name == "-":
            self._take(task, read_standard_input(self.stdin, self.budget), "stdin")
        elif name == "sample":
            task.source = sample_source()
        elif url := parse_web_address(name):
            self._aim(task, url)
        elif path := parse_file_url(name):
            self._open(task, path)
        else:
            self._begin_bare(task, name)

    def _begin_bare(self, task: _Task, name: str) -> None:
        """Read a name without ``http:`` or ``file:``: a file, a link, an address, a mistyped one, a show's title."""
        if may_reach(task.origin, name) and os.path.lexists(name):
            self._open(task, Path(name))
        elif found := find_directory(name):
            self._ask(task, found)
        elif url := parse_bare_address(name):
            task.url, task.guessed = url, True
        elif url := intended_address(name):
            raise SourceError(
                "is neither a file nor an address", source=for_message(task.name), remedy=f"did you mean {url}?"
            )
        elif has_scheme(name):
            remedy = "save the feed in a file and give that file"
            raise SourceError("podgraph fetches http and https only", source=for_message(task.name), remedy=remedy)
        elif found := search_by_name(name, list_names()):
            self._ask(task, found)
        else:
            self._open(task, Path(name))

    def _aim(self, task: _Task, url: str) -> None:
        """Make a task fetch an address; a link to a directory or player leads to the address of its feed."""
        if found := find_directory(url):
            self._ask(task, found)
        else:
            task.url = url

    def _ask(self, task: _Task, found: Found) -> None:
        if found.notice and not self.stand_ins.offline:
            self.notify(f"{for_message(task.name)}: {found.notice}")
        task.url, task.answer = found.url, found.answer

    def _open(self, task: _Task, path: Path) -> None:
        """Read a task's file, or every feed file of its folder as a task of its own."""
        self._check_file(task, path)
        if not os.path.isdir(path):  # noqa: PTH112 - unlike Path's, it takes any text for a path
            self._is_new(_file_key(path))
            self._take(task, read_file(path, self.budget), "file", path.parent)
            return
        for entry in list_folder(path):
            part = _Task(printable(str(entry)), origin=task.origin, group=task.group, depth=task.depth)
            try:
                self._check_file(part, entry)
                data = read_file(entry, self.budget)
                if document_type(data) == "json":
                    self.notify(f"{for_message(part.name)}: is not a JSON Feed; skipped")
                    continue
                self._take(part, data, "file", path)
            except PodgraphError as error:
                part.error = without_frames(error)
            task.parts.append(part)
        if not task.parts:
            raise SourceError(
                "is a folder without feeds", source=for_message(task.name), remedy="name a feed's file or address"
            )

    @staticmethod
    def _check_file(task: _Task, path: Path) -> None:
        """Raise ``SourceError`` for a file or folder that the origin of a task may not reach."""
        if not may_reach(task.origin, str(path)):
            problem = "is outside the folder of the settings that name it"
            raise SourceError(problem, source=for_message(task.name), remedy="name it on the command line")

    def _take(self, task: _Task, data: bytes, kind: str, folder: Path = Path()) -> None:
        """Make a source from the bytes of a file; expand a list of feeds.

        ``folder`` resolves the list's relative paths.
        """
        looks = document_type(data)
        if looks == "opml" or (looks == "text" and not task.depth):  # of other files' words, none is shown or opened
            self._expand(task, data, "", task.origin, folder)
        elif looks == "page":
            link = next(find_feed_links(data, ""), "")
            remedy = f"its feed is at {url_for_message(link)}: give that" if link else "give the feed's own address"
            raise SourceError("is a web page, not a feed", source=for_message(task.name), remedy=remedy)
        else:
            task.source = Source(task.name, data, kind)

    # Answers from the network

    def _fetch(self, tasks: list[_Task]) -> list[Fetched | SourceError]:
        """Fetch the addresses of tasks, and return an answer or an error for each. Offline, each gets an error."""
        if self.stand_ins.offline:
            return [_make_offline_error(task) for task in tasks]
        from .fetch import Ask, fetch_many  # noqa: PLC0415 - the network's libraries are slow to load

        fetched_before = self.fetched
        total = fetched_before + len(tasks)

        def done(finished: int, _: int) -> None:
            if self.done:
                self.done(fetched_before + finished, total)

        asks = [Ask(task.url, task.origin, self._limits(task.url)) for task in tasks]
        self.fetched = total
        return fetch_many(asks, cache=self.cache, world=self.world, keep=_is_feed, budget=self.budget, done=done)

    def _limits(self, url: str) -> Limits:
        return _DEFAULT_LIMITS if self.stand_ins.is_default(url) else LIMITS

    def _settle(self, task: _Task, outcome: Fetched | SourceError) -> None:
        """Process the answer of a task. After an error, a copy from the cache takes its place."""
        try:
            if isinstance(outcome, SourceError):
                raise outcome
            for notice in outcome.notices:
                self.notify(f"{for_message(task.name)} {notice}")
            self._digest(task, outcome)
        except PodgraphError as error:
            self._replace(task, error)

    def _digest(self, task: _Task, fetched: Fetched) -> None:
        """Process a fetched body: expand a list, go on to the feed that a page or directory names, or keep the feed."""
        looks = document_type(fetched.data)
        if task.answer:
            self._choose(task, fetched)
        elif looks == "opml":
            self._expand(task, fetched.data, fetched.url, Origin(home=fetched.home))
        elif looks == "page" or (looks in {"", "text"} and fetched.content_type.lower().startswith("text/html")):
            self._follow(task, fetched)
        else:
            task.source = Source(
                task.name,
                fetched.data,
                "url",
                fetched.url,
                for_message(fetched.content_type),
                fetched.etag,
                task.url,
                fetched.fetched_at,
            )
            if task.page:
                self.cache.store(task.page, fetched)  # to find the feed without a network

    def _follow(self, task: _Task, page: Fetched) -> None:
        """Go on to the feed that a web page names."""
        here = {address_key(page.url), address_key(task.url)}
        named = dict.fromkeys(find_feed_links(page.data, page.url))
        links = [link for link in named if address_key(link) not in here and not task.page]
        if not links:
            remedy = "give the feed's own address; if that wants a login, a file with the feed"
            raise SourceError("is a web page that names no feed", source=for_message(task.name), remedy=remedy)
        others = f", the first of {len(links)}" if len(links) > 1 else ""
        feed = url_for_message(links[0])
        self.notify(f"{for_message(task.name)} is a web page; reading the feed it names{others}: {feed}")
        self._go_on(task, links[0], page)

    def _choose(self, task: _Task, answer: Fetched) -> None:
        """Go on to the feed that a directory names; print the feeds if there are several, and choose none."""
        shows, error = read_answer(answer.data, for_message(task.name))
        if error:
            for title, url in shows:
                self.notify(f"{for_message(title)}: {url_for_message(url)}")
            raise error
        title, url = shows[0]
        self.notify(f"{for_message(task.name)} is {for_message(title)}; reading its feed: {url_for_message(url)}")
        self._go_on(task, url, answer)

    def _go_on(self, task: _Task, url: str, naming: Fetched) -> None:
        """Replace a task by one for the address that the fetched page or answer ``naming`` names."""
        origin = Origin(home=naming.home)
        part = _Task(task.name, "", origin, page=task.page or task.url, group=task.group, depth=task.depth)
        self._aim(part, url)
        if self._is_new(part.url):
            task.parts = [part]

    def _expand(self, task: _Task, data: bytes, base: str, origin: Origin, folder: Path | None = None) -> None:  # noqa: C901
        """Replace a list by its feeds, whose ``origin`` is that of the list or the network.

        ``folder`` is the folder of a list that may name files; an OPML list names only those below it: others make
        most of them, and hardly anybody reads them.
        """
        is_opml = b"<" in data
        outlines: dict[str, str] = {}
        for _, url, group in find_outlines(data, base):
            outlines.setdefault(url, "/".join(filter(None, (task.group, group))))
        if len(self.seen) + len(outlines) > _MOST_FEEDS:
            problem = f"lists {len(outlines):,} feeds, and a build reads {_MOST_FEEDS:,} at most"
            raise SourceError(problem, source=for_message(task.name), remedy="give a part of the list")
        if task.depth >= _DEEPEST_LIST:
            problem = f"is a list in a list in a list, {_DEEPEST_LIST} deep"
            raise SourceError(problem, source=for_message(task.name), remedy="give the inner lists themselves")
        named = {entry: _resolve_entry(entry, folder, origin, is_opml=is_opml) for entry in outlines}
        lost = [entry for entry, what in named.items() if what is None]
        if not named or (len(lost) == len(named) and (is_opml or folder is None)):
            raise SourceError(
                "is a list that names no feed", source=for_message(task.name), remedy="give a feed's address"
            )
        if lost and (is_opml or folder is None):
            self.notify(
                f"{for_message(task.name)}: passed over {len(lost)} of its entries, no addresses or files below it"
            )
        elif lost:
            task.parts.append(
                _Task(task.name, error=_make_list_error(task.name, data, lost, alone=len(lost) == len(named)))
            )
        for entry, what in named.items():
            part = _Task(printable(without_keys(entry)), origin=origin, depth=task.depth + 1)
            part.group = outlines[entry]
            if isinstance(what, Path) and self._is_new(_file_key(what)):
                task.parts.append(part)
                try:
                    self._open(part, what)
                except PodgraphError as error:
                    part.error = without_frames(error)
            elif isinstance(what, str) and self._is_new(what):
                task.parts.append(part)
                try:
                    self._aim(part, what)
                except PodgraphError as error:
                    part.error = without_frames(error)

    def _replace(self, task: _Task, error: PodgraphError) -> None:
        """Use the replacement for a source that could not be fetched or read."""
        copy = self._copy(task)
        if copy and document_type(copy.data) == "opml":
            try:
                self._expand(task, copy.data, copy.url, Origin(home=copy.home))
            except PodgraphError:
                copy = None
            else:
                self.stand_ins.tell(task.name, task.url, error, self.stand_ins.age(copy))
                return
        task.source = self.stand_ins.source(task.name, task.url, copy, error)
        if task.source is not None:
            return
        remedy = error.remedy
        if self.stand_ins.offline:
            remedy = "run it once without --offline, or give the feed's file"
        elif task.guessed and isinstance(error, UnreachableError):
            remedy = "there is no file of that name either"
        task.error = type(error)(error.problem, source=for_message(task.name), remedy=remedy)

    def _copy(self, task: _Task) -> Fetched | None:
        """Return the newest copy of a task's address, if its origin may have it and the budget has room for it."""
        copy = self.cache.newest(task.url)
        if copy and copy.home and not (task.origin.typed or task.origin.home == copy.home):
            return None
        try:
            with self.budget.share() as take:
                take(len(copy.data) if copy else 0)
        except OverBudgetError:
            return None
        return copy


def _make_offline_error(task: _Task) -> SourceError:
    """Return the error of an address that has no copy in the cache and is not fetched, as with ``offline``."""
    asked = f", and {url_for_message(task.url)} is not asked" if task.answer else ""
    return SourceError(f"no copy of it is kept{asked}", source=for_message(task.name))


def _resolve_entry(entry: str, folder: Path | None, origin: Origin, *, is_opml: bool = False) -> str | Path | None:
    """Return the address or file that an entry of a list in a ``folder`` names; without a folder, no file.

    An OPML list names only files that exist below its folder.

    A file that the list's ``origin`` may not reach counts as one, whether or not it exists: opening it fails.
    """
    if is_web(entry) or folder is None:
        return entry if is_web(entry) else None
    path = parse_file_url(entry) or folder / entry
    if is_opml:
        is_below = may_reach(Origin.of_settings(str(folder)), str(path)) and may_reach(origin, str(path))
        return path if is_below and os.path.lexists(path) else None
    if not may_reach(origin, str(path)) or os.path.lexists(path):
        return path
    return parse_web_address(entry) or (None if has_scheme(entry) else parse_bare_address(entry))


def _make_list_error(name: str, data: bytes, entries: Sequence[str], *, alone: bool) -> SourceError:
    """Return the error of a list whose ``entries`` are neither addresses nor files; ``alone``: there are no others."""
    lines = [line.strip() for line in decode(data).splitlines()]
    holding = (number for number, line in enumerate(lines, 1) if entries[0] in line)
    number = lines.index(entries[0]) + 1 if entries[0] in lines else next(holding, 1)
    more = f" (and {len(entries) - 1:,} more)" if len(entries) > 1 else ""
    problem = f'line {number}: "{url_for_message(entries[0])}" is neither an http(s) address nor a file{more}'
    if alone:
        remedy = "give a feed, or a list with an address or a path a line"
        return SourceError(f"names no feed; {problem}", source=for_message(name), remedy=remedy)
    return SourceError(
        problem, source=for_message(name), remedy="mend it (a path begins where the list lies), or leave it out"
    )


def _file_key(path: Path) -> str:
    return f"file:{os.path.abspath(path)}"  # noqa: PTH100 - unlike Path's, it takes any text for a path


def _leaves(tasks: list[_Task]) -> list[_Task]:
    return [leaf for task in tasks for leaf in (_leaves(task.parts) if task.parts else [task])]


def _is_feed(data: bytes) -> bool:
    return document_type(data) in {"feed", "opml"}
