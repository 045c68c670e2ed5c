"""Read the user's sources into the bytes of feeds: addresses, files, folders, lists, pages, the snapshot."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FeedError, PodgraphError, SourceError, without_frames
from ..feeds.parse import parse_feed
from ..keys import without_keys
from ..printable import for_message, printable, url_for_message
from ..subjects.default import default_subject
from ..url import address_key, host_of, is_web
from . import directories as names
from .cache import Cache, Fetched, default_cache
from .connection import LIMITS, WORLD, Budget, World
from .documents import document_type, find_fault, find_feed_links, read_entries, read_file
from .origin import Named, Origin, may_reach

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from ..model import Feed

DEFAULT_FEED = default_subject().feed
"""The podcast of the default subject, live."""
_MAXIMUM_FEEDS = 50_000
_MAXIMUM_PAGES = 199  # of one feed, beside its first page


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one feed, and where they are from.

    ``source`` is its name for the user: the given text, or the address in their list. ``kind`` is ``url``, ``file``,
    ``stdin`` or ``sample``. For an address, ``requested_url`` is the first and ``url`` the final one (without user name
    and password). ``stale`` is the reason why a copy or the snapshot replaces it; empty otherwise. ``group`` is its
    heading in a list of feeds; ``login`` is true if the server required a login. ``pages`` are the bytes of the feed's
    further pages.
    """

    source: str
    data: bytes
    kind: str
    url: str = ""
    content_type: str = ""
    requested_url: str = ""
    stale: str = ""
    group: str = ""
    login: bool = False
    pages: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Sources:
    """The readable sources in the order of the request, and the errors of the others."""

    read: tuple[Source, ...]
    failures: tuple[PodgraphError, ...]


@dataclass(frozen=True, slots=True)
class _Task:
    """A source to read: its ``name`` for messages, its ``origin``, and the address to fetch, if any.

    ``group`` is its heading in a list, ``is_listed`` is true for an entry of one. ``lines`` are for the user.
    """

    name: str
    origin: Origin
    group: str = ""
    is_listed: bool = False
    url: str = ""
    lines: list[str] = field(default_factory=list)

    def add_line(self, line: str) -> None:
        """Add a line about this source for the user."""
        self.lines.append(f"{for_message(self.name)} {line}")

    def make_error(self, problem: str, remedy: str = "") -> SourceError:
        """Return an error about this source: a ``problem``, and the ``remedy`` for the user."""
        return SourceError(problem, source=for_message(self.name), remedy=remedy)


_Result = _Task | Source | PodgraphError


def read_sources(
    sources: Sequence[str | Named], *, offline: bool = False, cache: Cache | None = None,
    stdin: BinaryIO | None = None, notify: Callable[[str], None] = lambda _: None,
    done: Callable[[int, int], None] = lambda _count, _total: None, world: World = WORLD,
    default_feed: str = DEFAULT_FEED,
) -> Sources:  # fmt: skip
    """Return the bytes of the feed or feeds of each source, with the errors of those that cannot be read.

    Addresses are fetched side by side, with the other pages of a feed. For an unreachable address, or a broken or empty
    feed, the cache serves its copy; the default feed's last resort is the built-in snapshot. An unreadable source does
    not stop the others: its error is among ``failures``. A feed that two sources name is returned once.

    Args:
        sources: each is a feed's address (``feed:`` and the like, and a bare host, are understood), a file, a folder, a
            list of feeds (OPML or text; a file or an address), a web page that names its feed, a link to a directory or
            player, a show's title (Apple Podcasts is asked), ``-`` (standard input) or ``sample``. A text has the
            rights of the user who typed it; a ``Named`` has an origin, which decides its rights. Empty: the default
            feed
        offline: ask no network; serve copies
        cache: ``None``: the user's cache
        stdin: the stream for ``-``
        notify: is called with one line for each event that the user should know
        done: is called with the numbers of finished and of all addresses
        world: clocks, sleep, chance and names
        default_feed: the address that an empty ``sources`` stands for

    Raises:
        SourceError: the variable with the limit of megabytes is not a number
    """
    cache = cache or default_cache()
    budget = Budget(world)

    def fetch(url: str, **options: Any) -> Fetched:
        """Return the answer of an address, within the cache and the budget of all sources."""
        from .fetch import fetch_url  # noqa: PLC0415 - files do without, and it loads requests

        return fetch_url(url, cache=cache, limits=LIMITS, world=world, budget=budget, judge=find_fault, **options)

    reader = _Reader(cache, notify, fetch, default_feed, offline, stdin, done, budget)
    names = [name if isinstance(name, Named) else Named(name) for name in sources or (default_feed,)]
    return reader.read(names)


@dataclass(slots=True)
class _Reader:
    """Reads sources: see ``read_sources``, whose arguments are the fields.

    Every source begins as a ``_Task``. A step turns it into results: a ``Source``, an error, or tasks for addresses
    to fetch. The addresses of all tasks are fetched side by side, until no task is left.
    """

    cache: Cache
    notify: Callable[[str], None]
    fetch: Callable[..., Fetched]
    default_feed: str
    offline: bool
    stdin: BinaryIO | None
    done: Callable[[int, int], None]
    budget: Budget

    def read(self, sources: Sequence[Named]) -> Sources:
        """Return the feeds that the names ``sources`` lead to, each once, and the errors of the other names."""
        results: list[_Result] = []
        for name, origin in dict.fromkeys(sources):
            results += self._try(self._begin_source, _Task(printable(without_keys(name)), origin), name)
        while tasks := [result for result in results if isinstance(result, _Task)]:  # a list leads to further tasks
            from .fetch import run_side_by_side  # noqa: PLC0415 - files do without, and it loads requests

            read = partial(self._try, self._read_address)
            answers: Any = iter(run_side_by_side(tasks, read, get_host=lambda task: host_of(task.url), done=self.done))
            for task in tasks:
                for line in task.lines:
                    self.notify(line)
            # Each task is replaced by its own results, so the order of the sources stays.
            results = [part for one in results for part in (next(answers) if isinstance(one, _Task) else [one])]
        if problem := self.cache.problem:
            self.notify(f"{problem}; going on without copies")
        feeds: dict[str | bytes, Source] = {}
        for result in results:
            if isinstance(result, Source):
                feeds.setdefault(address_key(result.requested_url) or result.data, result)
        return Sources((*feeds.values(),), tuple(result for result in results if isinstance(result, PodgraphError)))

    @staticmethod
    def _try(step: Callable[..., list[_Result]], *arguments: object) -> list[_Result]:
        """Return the results of ``step(*arguments)``; a ``PodgraphError`` that it raises is the only result, then."""
        try:
            return step(*arguments)
        except PodgraphError as error:
            return [without_frames(error)]

    # Names from the user, and entries of lists

    def _begin_source(self, task: _Task, name: str) -> list[_Result]:
        """Return the first results for the ``name`` of a source.

        A file or folder is read now. An address becomes a task to fetch; a podcast's title becomes a task that asks a
        directory for the address of its feed. ``task`` has the origin of the name and its spelling for messages.
        """
        if not name.strip():
            raise SourceError("an empty name is not a source", remedy="name a feed's address or file, or 'sample'")
        if name == "-":
            return self._read_document(task, read_file(self.stdin, self.budget), "stdin")
        if name == "sample":
            return [make_sample()]
        url, path = names.parse_web_address(name), names.parse_file_url(name)
        if not url and (path or (may_reach(task.origin, name) and os.path.lexists(name))):
            return self._read_path(task, path or Path(name))
        target = names.Target(url) if url else names.find_directory(name) or names.search_by_title(name)
        return self._plan_fetch(task, *target) if target else self._read_path(task, Path(name))

    def _plan_fetch(self, task: _Task, url: str, line: str = "") -> list[_Result]:
        """Return one task that fetches an address; a link to a directory or player leads to the address of its feed.

        Args:
            task: the task so far, without an address
            url: the address
            line: a remark on the address for the user, or ""
        """
        url, line = names.find_directory(url) or (url, line)
        if not is_web(url):
            raise task.make_error("is neither an address nor a file below its list", "mend or remove it")
        if line and not self.offline:
            task.add_line(line)
        return [replace(task, url=url)]

    def _read_path(self, task: _Task, path: Path) -> list[_Result]:
        """Return the results for the file at ``path``, or for all feed files in a folder there except hidden ones.

        ``task`` is the source that names the path.
        """
        if not may_reach(task.origin, str(path)):
            raise task.make_error("is outside the folder of the settings that name it", "name it on the command line")
        if not os.path.isdir(path):  # noqa: PTH112 - unlike Path's, it takes any text for a path
            return self._read_document(task, read_file(path, self.budget), "file", path.parent)
        suffixes = (".xml", ".rss", ".atom", ".json", ".opml")
        results: list[_Result] = []
        for file in sorted(path.glob("[!.]*")):
            if file.suffix.lower() in suffixes and file.is_file():
                results += self._try(self._read_path, replace(task, name=printable(str(file)), lines=[]), file)
                # A folder may also contain graphs, which are JSON: the source just added is dropped.
                if isinstance(results[-1], Source) and document_type(results[-1].data) == "json":
                    results.pop()
        if not results:
            raise task.make_error("is a folder without feeds", f"feeds are files called *{', *'.join(suffixes)}")
        return results

    def _read_document(self, task: _Task, data: bytes, kind: str, folder: Path | None = None) -> list[_Result]:
        """Return one source for the bytes of a file, or the results for the entries of a list of feeds.

        Args:
            task: has the name and the origin of the file
            data: the content of the file
            kind: the ``kind`` of the source: ``file`` or ``stdin``
            folder: relative paths in a list begin here; ``None``: a list must not name files
        """
        type_ = document_type(data)
        # A text that a list names is not a list of files: nothing of it is shown or opened.
        if type_ == "list" or (type_ == "text" and not task.is_listed):
            return self._expand(task, data, "", folder)
        if type_ == "page":
            raise task.make_error("is a web page, not a feed", "give the feed's own address")
        return [Source(task.name, data, kind, group=task.group)]

    def _expand(self, task: _Task, data: bytes, base: str, folder: Path | None = None) -> list[_Result]:
        """Return the results for each entry of a list of feeds: files are read now, addresses become tasks.

        Args:
            task: has the name and the origin of the list
            data: the list, OPML or text
            base: the list's own address, for relative addresses in it; "" for a file
            folder: the list may name files below this folder; ``None``: it must not name files
        """
        entries = dict(read_entries(data, base))
        if not entries:
            raise task.make_error("is a list that names no feed", "give a feed's address")
        if len(entries) > _MAXIMUM_FEEDS or task.is_listed:
            problem = f"is a list of more than {_MAXIMUM_FEEDS:,} feeds, or a list in a list"
            raise task.make_error(problem, "give the list or its parts as sources")
        results: list[_Result] = []
        for name, group in entries.items():
            entry = _Task(printable(without_keys(name)), task.origin, group, is_listed=True)
            path = folder and (names.parse_file_url(name) or folder / name)
            is_below = path and os.path.lexists(path) and may_reach(Origin.of_settings(str(folder)), str(path))
            results += self._try(self._read_path, entry, path) if is_below else self._try(self._plan_fetch, entry, name)
        return results

    # The network and the copies

    def _read_address(self, task: _Task) -> list[_Result]:
        """Return the results for a task's address: a feed, or the entries of a list.

        If the address cannot be read, the result is a copy, for the default feed the snapshot, else the error.
        """
        answer: Source | Fetched | PodgraphError
        try:
            answer = self._fetch_to_feed(task)
        except PodgraphError as error:
            answer = self._find_replacement(task, without_frames(error))
        if isinstance(answer, Fetched):  # a list
            return self._expand(replace(task, origin=Origin(home=answer.home)), answer.data, answer.url)
        return [answer]

    def _fetch_to_feed(self, task: _Task) -> Source | Fetched:
        """Return the feed or the list at a task's address.

        An answer of a directory, or a web page, names another address, which is fetched in turn, until a feed or a list
        comes. Each such step adds a line for the user to the task. Raises ``SourceError`` if the way ends without a
        feed.
        """
        url, origin = task.url, task.origin
        visited_urls: list[str] = []
        while url not in visited_urls:
            answer = self._fetch(url, origin)
            origin = Origin(home=answer.home)
            if answer.has_moved:
                task.add_line(f"has moved for good to {url_for_message(answer.url)}; use that address")
            type_ = document_type(answer.data)
            if url.startswith(names.APPLE):
                title, link = names.choose_show(answer.data, for_message(task.name), task.lines.append)
                task.add_line(f"is {title}; reading its feed: {url_for_message(link)}")
            elif type_ == "page" or (type_ in {"", "text"} and answer.content_type.lower().startswith("text/html")):
                own_keys = {address_key(answer.url), address_key(url)}
                links = (feed for feed in find_feed_links(answer.data, answer.url) if address_key(feed) not in own_keys)
                link = "" if visited_urls else next(links, "")  # a page that a page names is not followed
                if not link:
                    remedy = "give the feed's own address; if that wants a login, a file with the feed"
                    raise task.make_error("is a web page that names no feed", remedy)
                task.add_line(f"is a web page; reading the feed it names: {url_for_message(link)}")
            elif type_ == "list":
                return answer
            else:
                if answer.fault and (self._is_default(task.url) or self._find_copy(task.url, task.origin)):
                    raise task.make_error(answer.fault)  # the copy is better
                if visited_urls and not answer.fault:
                    self.cache.store(visited_urls[0], answer)  # to find the feed without a network
                return self._read_pages(task, url, answer)
            visited_urls.append(url)
            url, _ = names.find_directory(link) or (link, "")
        raise task.make_error("names no feed but itself", "give a feed's address")

    def _fetch(self, url: str, origin: Origin, *, offline: bool = False) -> Fetched:
        """Return the answer of an address from the network; a good feed or list is cached.

        ``origin`` is where the address comes from: see ``may_reach``. Raises ``SourceError`` without an answer, and
        always if the argument or the reader is ``offline``.
        """
        if offline or self.offline:
            raise SourceError("no copy of it is kept", source=url_for_message(url))
        return self.fetch(url, origin=origin)

    def _fetch_page(self, url: str, origin: Origin, *, offline: bool) -> Fetched:
        """Return another page of a feed, or the feed at its new address: from the network, else a copy of it.

        With ``offline`` only a copy serves. Raises ``SourceError`` without either, and for an answer that is not a
        feed.
        """
        try:
            page = self._fetch(url, origin, offline=offline)
            if document_type(page.data) != "feed":
                raise SourceError("is not a feed", source=url_for_message(url))
        except SourceError:
            copy = self._find_copy(url, origin)
            if not copy:
                raise
            return copy
        return page

    def _read_pages(self, task: _Task, address: str, first: Fetched, **copy_fields: Any) -> Source:
        """Return the source of a whole feed, with its further pages (RFC 5005, JSON Feed's ``next_url``).

        The new address of a feed (``itunes:new-feed-url``) is followed once, but not from a private feed: these often
        repeat the address of the public one. A page that cannot be read, or was read before, is the end.

        Args:
            task: has the name of the source, and gets lines for the user
            address: the address of the first page
            first: the answer with the first page
            copy_fields: only for a copy: ``stale`` and ``login`` of the source; then the other pages are copies, too
        """
        fetch = partial(self._fetch_page, offline=bool(copy_fields))
        known_addresses = {address_key(address), address_key(first.url)}
        feed = _read_channel(first)
        is_private = (
            feed and parse_feed(_drop_items(first.data), source="", url=first.url, requested_url=address).private
        )
        moved_to = feed.moved_to if feed and not is_private else ""
        if moved_to and address_key(moved_to) not in known_addresses:
            with suppress(SourceError):
                first = fetch(moved_to, Origin(home=first.home))
                line = f"names a new address (itunes:new-feed-url); reading {url_for_message(moved_to)}"
                task.lines.append(f"{url_for_message(address)} {line}")
                address = moved_to
                known_addresses |= {address_key(address), address_key(first.url)}
                feed = _read_channel(first)
        pages: list[bytes] = []
        while (
            feed and (url := feed.next_page) and address_key(url) not in known_addresses and len(pages) < _MAXIMUM_PAGES
        ):
            known_addresses.add(address_key(url))
            try:
                page = fetch(url, Origin(home=first.home))
            except SourceError as error:
                task.lines.append(f"page {len(pages) + 2} is not read: {error}")
                break
            pages.append(page.data)
            feed = _read_channel(page)
        type_ = for_message(first.content_type)
        return Source(
            task.name, first.data, "url", first.url, type_, address, group=task.group, pages=tuple(pages), **copy_fields
        )  # fmt: skip

    def _is_default(self, url: str) -> bool:
        """Return whether ``url`` is the address of the default feed, which the built-in snapshot can replace."""
        return address_key(url) == address_key(self.default_feed)

    def _find_copy(self, url: str, origin: Origin) -> Fetched | None:
        """Return the cached copy of the address ``url``, or ``None``.

        A copy from inside the user's network is only for an ``origin`` that may lead there. The copy's size is taken
        from the budget; a copy that does not fit is not used.
        """
        copy = self.cache.read_copy(url)
        with suppress(SourceError):
            if copy and (not copy.home or origin.is_typed or origin.home == copy.home):
                self.budget.take(len(copy.data))
                return copy
        return None

    def _find_replacement(self, task: _Task, error: PodgraphError) -> Source | Fetched | PodgraphError:
        """Return a replacement for a task's address that cannot be read, or the ``error`` if there is none.

        The replacement is the cached copy (of a list: the list as it was fetched), for the default feed the snapshot. A
        line for the user is added to the task. The error gets the task's name and a remedy.
        """
        copy = self._find_copy(task.url, task.origin)
        if not (copy or self._is_default(task.url)):
            remedy = "run it once without --offline, or give the feed's file" if self.offline else error.remedy
            # The same error, with the name of the task.
            PodgraphError.__init__(error, error.problem, source=for_message(task.name), remedy=remedy)
            return error
        from ..sample import SNAPSHOT_DATE  # noqa: PLC0415 - rarely needed

        replacement = f"copy of {copy.fetched_at:%Y-%m-%d}" if copy else f"built-in snapshot of {SNAPSHOT_DATE}"
        reason = "is not asked (--offline)" if self.offline else f"cannot be read ({error.problem})"
        task.add_line(f"{reason}; using the {replacement}")
        stale = "" if self.offline else error.problem
        if not copy:
            return make_sample(task.name, stale)
        if document_type(copy.data) == "list":
            return copy
        login = getattr(error, "code", 0) == 401  # the status "unauthorized"
        return self._read_pages(task, task.url, copy, stale=stale, login=login)


def make_sample(name: str = "sample", stale: str = "") -> Source:
    """Return the built-in snapshot as a source called ``name``.

    ``stale`` is the reason why it replaces the live feed, or "".
    """
    from ..sample import sample_feed  # noqa: PLC0415 - rarely needed

    return Source(name, sample_feed(), "sample", stale=stale)


def _read_channel(page: Fetched) -> Feed | None:
    """Return a page of a feed, parsed without its items, for the links to further pages and to a new address.

    Returns ``None`` for a page without such links, and for one that is not a feed.
    """
    # A quick search for the names of these links; most feeds have none.
    if not re.search(rb"""["'](?:next|prev-archive|next_url)["']|new-feed-url""", page.data):
        return None
    try:
        return parse_feed(_drop_items(page.data), source="", url=page.url, private=False)
    except FeedError:
        return None


def _drop_items(data: bytes) -> bytes:
    """Return a feed in XML without its items (RSS) or entries (Atom); other ``data`` as it is.

    The links to further pages are outside the items, so the rest is enough, and fast to parse.

    >>> _drop_items(b"<rss><title>A</title><item>1</item><item>2</item></rss>")
    b'<rss><title>A</title></rss>'
    """
    first = re.search(rb"<(?:\w+:)?(?:item|entry)\b", data)
    last = max(data.rfind(b"item>"), data.rfind(b"entry>"))  # -1 without any
    return data[: first.start()] + data[data.index(b">", last) + 1 :] if first and last > first.start() else data
