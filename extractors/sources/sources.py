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
from .budget import Budget
from .cache import Cache, default_cache
from .connection import LIMITS, WORLD, UnreachableError, World
from .directories import Found, find_directory, read_answer, search_by_name
from .documents import Entry, document_type, find_feed_links, read_entries
from .files import list_folder, list_names, read_file, read_standard_input
from .origin import CONTENT, Named, Origin, may_reach
from .pages import read_pages
from .source import DEFAULT_FEED, Copies, Source, Sources, sample_source
from .spellings import has_scheme, parse_bare_address, parse_file_url, parse_web_address

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from .cache import Fetched
    from .connection import Limits

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

    def make_error(self, problem: str, remedy: str) -> SourceError:
        """Return an error about this source."""
        return SourceError(problem, source=for_message(self.name), remedy=remedy)


def read_sources(
    sources: Sequence[str | Named],
    *,
    offline: bool = False,
    cache: Cache | None = None,
    stdin: BinaryIO | None = None,
    notify: Callable[[str], None] = lambda _: None,
    done: Callable[[int, int], None] = lambda _finished, _total: None,
    world: World = WORLD,
    default_feed: str = DEFAULT_FEED,
) -> Sources:
    """Return the bytes of each source; without sources, those of the live default feed.

    A source is a feed's address (``feed:`` and the like, and a bare host, are understood), a file, a folder, a list of
    feeds (OPML or text; a file or an address), a web page that names its feed, a link to a directory or player, a
    show's title (Apple Podcasts is asked), ``-`` (``stdin``) or ``sample``. Addresses are fetched side by side, with
    the other pages of a feed. For an unreachable address, or with ``offline``, the ``cache`` (``None``: the user's)
    serves its copy, the default feed's last resort is the built-in snapshot. A text counts as typed by the user; a
    ``Named`` carries its origin, which decides its rights.

    ``notify`` gets a line for each event that the user should know, ``done`` the numbers of fetched and of all
    addresses. An unreadable source does not stop the others: it is among the failures.
    """
    cache = cache or default_cache()
    copies = Copies(cache, notify, world, default_feed, offline)
    names = [one if isinstance(one, Named) else Named(one) for one in sources or (default_feed,)]
    return _Reader(copies, stdin, done, Budget(world)).read(names)


@dataclass(slots=True)
class _Reader:
    copies: Copies
    stdin: BinaryIO | None
    done: Callable[[int, int], None]
    budget: Budget
    known_addresses: set[str] = field(default_factory=set)
    fetch_count: int = 0

    def read(self, names: Sequence[Named]) -> Sources:
        """Return the sources that ``names`` lead to, and the errors of the others."""
        tasks: list[_Task] = []
        # A name given twice counts once, and so does an address that two names lead to.
        for name in dict.fromkeys(names):
            task = _Task(printable(without_keys(name.text)), origin=name.origin)
            self._try(task, self._begin, name.text)
            if not task.url or self._is_new(task.url):
                tasks.append(task)
        leaves = _find_leaves(tasks)
        while waiting := [task for task in leaves if task.url and not (task.source or task.error)]:
            for task, answer in zip(waiting, self._fetch(waiting), strict=True):
                self._take_answer(task, answer)
            leaves = [leaf for task in waiting for leaf in _find_leaves(task.parts)]
        if problem := self.copies.cache.problem:
            self.copies.notify(f"{problem}; going on without copies")
        ends = _find_leaves(tasks)
        read = tuple(replace(task.source, group=task.group) for task in ends if task.source)
        failures = tuple(task.error for task in ends if task.error)
        if not (read or failures):
            failures = (tasks[0].make_error("names no feed but itself", "give a feed's address"),)
        shown_names = dict.fromkeys(name for task in ends for name in (task.name, for_message(task.name)))
        return Sources(read, failures, tuple(shown_names))

    @staticmethod
    def _try(task: _Task, step: Callable[..., None], *arguments: object) -> None:
        """Do a step of a task; its error becomes the task's."""
        try:
            step(task, *arguments)
        except PodgraphError as error:
            task.error = without_frames(error)

    def _is_new(self, url: str) -> bool:
        """Return whether an address or path is met for the first time, and remember it."""
        key = address_key(url)
        is_new = key not in self.known_addresses
        self.known_addresses.add(key)
        return is_new

    # Names from the user

    def _begin(self, task: _Task, name: str) -> None:  # noqa: C901 - one branch for each spelling
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
        elif may_reach(task.origin, name) and os.path.lexists(name):
            self._open(task, Path(name))
        elif target := find_directory(name):
            self._ask_directory(task, target)
        elif url := parse_bare_address(name):
            task.url, task.guessed = url, True
        elif has_scheme(name):
            raise task.make_error("podgraph fetches http and https only", "save the feed in a file and give that file")
        elif target := search_by_name(name, list_names()):
            self._ask_directory(task, target)
        else:
            self._open(task, Path(name))

    def _aim(self, task: _Task, url: str) -> None:
        """Make a task fetch an address; a link to a directory or player leads to the address of its feed."""
        if target := find_directory(url):
            self._ask_directory(task, target)
        else:
            task.url = url

    def _ask_directory(self, task: _Task, target: Found) -> None:
        if target.notice and not self.copies.offline:
            self.copies.notify(f"{for_message(task.name)}: {target.notice}")
        task.url, task.answer = target.url, target.answer

    def _open(self, task: _Task, path: Path) -> None:
        """Read a task's file, or every feed file of its folder as a task of its own."""
        if not may_reach(task.origin, str(path)):
            raise task.make_error("is outside the folder of the settings that name it", "name it on the command line")
        if not os.path.isdir(path):  # noqa: PTH112 - unlike Path's, it takes any text for a path
            self._is_new(_make_file_key(path))
            self._take(task, read_file(path, self.budget), "file", path.parent)
            return
        for entry in list_folder(path):
            part = _Task(printable(str(entry)), origin=task.origin, group=task.group, depth=task.depth)
            self._try(part, self._open, entry)
            # A folder may also contain graphs, which are JSON.
            if part.source and document_type(part.source.data) == "json":
                self.copies.notify(f"{for_message(part.name)}: is not a JSON Feed; skipped")
            else:
                task.parts.append(part)
        if not task.parts:
            raise task.make_error("is a folder without feeds", "name a feed's file or address")

    def _take(self, task: _Task, data: bytes, kind: str, folder: Path = Path()) -> None:
        """Make a source from the bytes of a file; expand a list of feeds, whose paths begin at ``folder``."""
        type_ = document_type(data)
        if type_ == "opml" or (type_ == "text" and not task.depth):  # of other files' words, none is shown or opened
            self._expand(task, data, "", task.origin, folder)
        elif type_ == "page":
            link = next(iter(find_feed_links(data, "")), "")
            remedy = f"its feed is at {url_for_message(link)}: give that" if link else "give the feed's own address"
            raise task.make_error("is a web page, not a feed", remedy)
        else:
            task.source = Source(task.name, data, kind)

    # Answers from the network

    def _fetch(self, tasks: list[_Task]) -> list[Fetched | SourceError]:
        """Fetch the addresses of tasks, and return an answer or an error for each. Offline, each gets an error."""
        if self.copies.offline:
            reasons = [f", and {url_for_message(task.url)} is not asked" if task.answer else "" for task in tasks]
            return [
                task.make_error(f"no copy of it is kept{reason}", "")
                for task, reason in zip(tasks, reasons, strict=True)
            ]
        from .fetch import Ask, fetch_many  # noqa: PLC0415 - the network's libraries are slow to load

        before = self.fetch_count
        self.fetch_count += len(tasks)
        return fetch_many(
            [Ask(task.url, task.origin, self._find_limits(task.url)) for task in tasks],
            cache=self.copies.cache, world=self.copies.world, keep=_is_feed, budget=self.budget,
            done=lambda finished, _: self.done(before + finished, self.fetch_count),
        )  # fmt: skip

    def _find_limits(self, url: str) -> Limits:
        return _DEFAULT_LIMITS if self.copies.is_default(url) else LIMITS

    def _fetch_page(self, url: str, origin: Origin) -> Fetched:
        """Return another page of a feed, or the feed at its new address: from the network, else a copy."""
        answer = self._fetch([_Task(printable(without_keys(url)), url, origin)])[0]
        if not isinstance(answer, SourceError):
            return answer
        try:
            return self._copy_page(url, origin)
        except SourceError:
            raise answer from None

    def _copy_page(self, url: str, origin: Origin) -> Fetched:
        """Return the copy of another page of a feed."""
        task = _Task(printable(without_keys(url)), url, origin)
        if copy := self._find_copy(task):
            return copy
        raise task.make_error("no copy of it is kept", "")

    def _take_answer(self, task: _Task, answer: Fetched | SourceError) -> None:
        """Process the answer of a task. After an error, a copy from the cache takes its place."""
        try:
            if isinstance(answer, SourceError):
                raise answer
            for notice in answer.notices:
                self.copies.notify(f"{for_message(task.name)} {notice}")
            self._digest(task, answer)
        except PodgraphError as error:
            self._replace(task, error)

    def _digest(self, task: _Task, fetched: Fetched) -> None:
        """Process a fetched body: expand a list, go on to the feed that a page or directory names, or take the feed."""
        type_ = document_type(fetched.data)
        if task.answer:
            self._choose(task, fetched)
        elif type_ == "opml":
            self._expand(task, fetched.data, fetched.url, Origin(home=fetched.home))
        elif type_ == "page" or (type_ in {"", "text"} and fetched.content_type.lower().startswith("text/html")):
            self._follow(task, fetched)
        else:
            if task.page:
                self.copies.cache.store(task.page, fetched)  # to find the feed without a network
            url, first, pages = read_pages(task.url, fetched, self._fetch_page, self.copies.notify)
            type_ = for_message(first.content_type)
            about = (first.url, type_, first.etag, url, first.fetched_at)
            task.source = Source(task.name, first.data, "url", *about, pages=pages)

    def _follow(self, task: _Task, page: Fetched) -> None:
        """Go on to the feed that a web page names."""
        here = {address_key(page.url), address_key(task.url)}
        links = [url for url in dict.fromkeys(find_feed_links(page.data, page.url)) if address_key(url) not in here]
        if not links or task.page:
            remedy = "give the feed's own address; if that wants a login, a file with the feed"
            raise task.make_error("is a web page that names no feed", remedy)
        others = f", the first of {len(links)}" if len(links) > 1 else ""
        line = f"is a web page; reading the feed it names{others}: {url_for_message(links[0])}"
        self._go_on(task, links[0], page, line)

    def _choose(self, task: _Task, answer: Fetched) -> None:
        """Go on to the feed that a directory names; print the feeds if there are several, and choose none."""
        shows, error = read_answer(answer.data, for_message(task.name))
        if error:
            for title, url in shows:
                self.copies.notify(f"{for_message(title)}: {url_for_message(url)}")
            raise error
        title, url = shows[0]
        self._go_on(task, url, answer, f"is {for_message(title)}; reading its feed: {url_for_message(url)}")

    def _go_on(self, task: _Task, url: str, origin: Fetched, line: str) -> None:
        """Replace a task by one for the address that a fetched page or answer names; notify the user."""
        self.copies.notify(f"{for_message(task.name)} {line}")
        place = Origin(home=origin.home)
        part = _Task(task.name, "", place, page=task.page or task.url, group=task.group, depth=task.depth)
        self._aim(part, url)
        if self._is_new(part.url):
            task.parts = [part]

    def _expand(self, task: _Task, data: bytes, base: str, origin: Origin, folder: Path | None = None) -> None:
        """Replace a list by its feeds, whose ``origin`` is that of the list or the network.

        ``folder`` is the folder of a list that may name files; an OPML list names only those below it: others make
        most of them, and hardly anybody reads them.
        """
        is_opml = b"<" in data
        entries: dict[str, Entry] = {}
        for entry in read_entries(data, base):
            entries.setdefault(entry.name, entry)
        if len(self.known_addresses) + len(entries) > _MOST_FEEDS:
            problem = f"lists {len(entries):,} feeds, and a build reads {_MOST_FEEDS:,} at most"
            raise task.make_error(problem, "give a part of the list")
        if task.depth >= _DEEPEST_LIST:
            problem = f"is a list in a list in a list, {_DEEPEST_LIST} deep"
            raise task.make_error(problem, "give the inner lists themselves")
        bad_entries: list[Entry] = []
        for entry in entries.values():
            place = _resolve_entry(entry.name, folder, origin, is_opml=is_opml)
            if place is None:
                bad_entries.append(entry)
            elif self._is_new(place if isinstance(place, str) else _make_file_key(place)):
                part = _Task(printable(without_keys(entry.name)), origin=origin, depth=task.depth + 1)
                part.group = "/".join(filter(None, (task.group, entry.group)))
                task.parts.append(part)
                self._try(part, self._aim if isinstance(place, str) else self._open, place)
        if len(bad_entries) == len(entries) and (is_opml or folder is None or not bad_entries):
            raise task.make_error("is a list that names no feed", "give a feed's address")
        if bad_entries and (is_opml or folder is None):
            line = f"passed over {len(bad_entries)} of its entries, no addresses or files below it"
            self.copies.notify(f"{for_message(task.name)}: {line}")
        elif bad_entries:
            more = f" (and {len(bad_entries) - 1:,} more)" if len(bad_entries) > 1 else ""
            name = url_for_message(bad_entries[0].name)
            problem = f'line {bad_entries[0].line}: "{name}" is neither an http(s) address nor a file{more}'
            error = task.make_error(problem, "mend it (a path begins where the list lies), or leave it out")
            task.parts.insert(0, _Task(task.name, error=error))

    def _replace(self, task: _Task, error: PodgraphError) -> None:
        """Use the replacement for a source that could not be fetched or read."""
        copy = self._find_copy(task)
        if copy and document_type(copy.data) == "opml":
            self._try(task, self._expand, copy.data, copy.url, Origin(home=copy.home))
            if not task.error:
                self.copies.announce(task.name, task.url, error, copy.fetched_at)
                return
            copy, task.error = None, None
        url = task.url
        pages: tuple[bytes, ...] = ()
        if copy:
            url, copy, pages = read_pages(url, copy, self._copy_page, self.copies.notify)
        source = self.copies.make_source(task.name, url, copy, error)
        if source:
            task.source = replace(source, pages=pages)
            return
        remedy = error.remedy
        if self.copies.offline:
            remedy = "run it once without --offline, or give the feed's file"
        elif task.guessed and isinstance(error, UnreachableError):
            remedy = "there is no file of that name either"
        task.error = type(error)(error.problem, source=for_message(task.name), remedy=remedy)

    def _find_copy(self, task: _Task) -> Fetched | None:
        """Return the newest copy of a task's address, if its origin may have it and the budget has room for it."""
        copy = self.copies.cache.newest(task.url)
        if copy and copy.home and not (task.origin.typed or task.origin.home == copy.home):
            return None
        try:
            with self.budget.share() as take:
                take(len(copy.data) if copy else 0)
        except SourceError:
            return None
        return copy


def _resolve_entry(entry: str, folder: Path | None, origin: Origin, *, is_opml: bool = False) -> str | Path | None:
    """Return the address or file that an entry of a list in a ``folder`` names; without a folder, no file.

    An OPML list names only files that exist below its folder. A file that the list's ``origin`` may not reach counts
    as one, whether or not it exists: opening it fails.
    """
    if is_web(entry) or folder is None:
        return entry if is_web(entry) else None
    path = parse_file_url(entry) or folder / entry
    if is_opml:
        is_below = may_reach(Origin.of_settings(str(folder)), str(path)) and may_reach(origin, str(path))
        return path if is_below and os.path.lexists(path) else None
    if not may_reach(origin, str(path)) or os.path.lexists(path):
        return path
    return None if has_scheme(entry) else parse_bare_address(entry)


def _make_file_key(path: Path) -> str:
    return f"file:{os.path.abspath(path)}"  # noqa: PTH100 - unlike Path's, it takes any text for a path


def _find_leaves(tasks: list[_Task]) -> list[_Task]:
    return [leaf for task in tasks for leaf in (_find_leaves(task.parts) if task.parts else [task])]


def _is_feed(data: bytes) -> bool:
    return document_type(data) in {"feed", "opml"}
