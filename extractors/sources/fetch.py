"""Fetch the bytes at a web address, within limits of size and time, from public hosts only, and only if they changed.

The one file that goes to the network. HTTP's rules are those of RFC 9110 (semantics) and RFC 9111 (caching).
"""

from __future__ import annotations

import http.client
import io
import logging
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.metadata import version
from multiprocessing.pool import ThreadPool
from threading import Semaphore
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urldefrag, urljoin, urlsplit  # as requests does: see _Visit._ask

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.utils import select_proxy

from ..errors import SourceError, without_frames
from ..printable import for_message, url_for_message
from ..url import without_user
from .cache import Cache, Fetched
from .connection import LIMITS, WORLD, Budget, Connector, Limits, World, choose_pause, explain_fault, make_answer_error
from .documents import check_packing, unpack
from .origin import CONTENT, Origin, is_this_machine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_PORTS = {"http": 80, "https": 443}
_HEADERS = {
    "User-Agent": f"podgraph/{version('podgraph')} (knowledge graph of a podcast)",
    "Accept": "application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}
# For rules that need no connection: it would send logins of ~/.netrc, and read the bodies of redirects whole.
_SESSION = requests.Session()

# Its lines for debugging contain paths, and so the keys of private feeds.
logging.getLogger("urllib3.connectionpool").setLevel(logging.INFO)


def fetch_url(
    url: str, *, body: bytes = b"", fields: Mapping[str, str] | None = None, cache: Cache | None = None,
    origin: Origin = CONTENT, limits: Limits = LIMITS, world: World = WORLD, budget: Budget | None = None,
    judge: Callable[[bytes, bytes], str] = lambda _data, _copy: "",
) -> Fetched:  # fmt: skip
    """Return the answer of ``url``; if it is unchanged since the copy in ``cache``, that copy.

    Redirects are followed. Status 429, 500, 502, 503 and 504 and broken connections are tried again, within
    ``limits``, after the time in the server's Retry-After. The rules are those of RFC 9110 and RFC 9111.

    Args:
        url: an http(s) address; its ``#fragment`` is not sent
        body: is posted; empty: the request is a GET
        fields: further header fields; a login (``Authorization``) is sent only to the server of ``url``, over https or
            to this machine
        cache: has the last copy, and gets the new one; ``None``: neither
        origin: where ``url`` comes from, which decides whether it may lead into the user's own network; a redirect
            counts as content
        limits: limits of time and size
        world: clocks, sleep, chance and names
        budget: the received bytes are taken from it; others share it; ``None``: a budget of this fetch's own
        judge: gets the new body and the copy's (empty: none); returns the reason not to cache the new one, or "". The
            answer has this reason as its ``fault``.

    Raises:
        SourceError: with the problem, the address and the remedy
    """
    copy = cache.read_copy(url) if cache else None
    begin = world.monotonic()
    budget = budget or Budget(world)
    start = url.partition("#")[0]
    for attempt in range(1, limits.attempts + 1):
        connector = Connector(world, limits, begin + limits.answer, origin)
        visit = _Visit(start, body, fields or {}, copy, connector, begin + limits.total)
        try:
            budget.take(0)  # raises if the time is over
            answer = visit.fetch(budget.take)
            break
        except SourceError as error:
            pause = choose_pause(error, attempt, world)
            if pause is None or attempt == limits.attempts or world.monotonic() + pause >= begin + limits.answer:
                by_way = "" if visit.url == start else f" (redirected to {url_for_message(visit.url)})"
                # The same error, with the address.
                problem = f"{error.problem}{by_way}"
                SourceError.__init__(error, problem, source=url_for_message(url), remedy=error.remedy)
                raise
        world.sleep(pause)
    fault = "" if answer.from_cache else judge(answer.data, copy.data if copy else b"")
    if cache and not fault:
        cache.store(url, answer)
    return replace(answer, fault=fault)


@dataclass(slots=True)
class _Visit:
    """One attempt to fetch an address: through its redirects to a body.

    ``url`` is the current address; ``body`` and ``fields`` are sent; ``copy`` is the one in the cache; ``deadline`` is
    a moment of the clock ``world.monotonic``.
    """

    url: str
    body: bytes
    fields: Mapping[str, str]
    copy: Fetched | None
    connector: Connector
    deadline: float

    def fetch(self, take: Callable[[int], None]) -> Fetched:
        """Follow the redirects from ``url`` and return the final answer.

        ``take`` is called with the size of each piece of the body, in bytes. Raises ``SourceError`` without an answer.
        """
        addresses = [self.url]
        is_permanent = True  # whether all redirects so far are for good
        while True:
            try:
                with closing(_Adapter()) as adapter, closing(self._ask(adapter)) as reply:
                    location = _SESSION.get_redirect_target(reply)
                    if not location:
                        return replace(self._read(reply, take), has_moved=is_permanent and len(addresses) > 1)
                target = urldefrag(urljoin(self.url, location)).url
                self._check_redirect(target, addresses)
            # The errors of requests are OSErrors, and ValueErrors for addresses; others are not wrapped.
            except (OSError, ValueError, http.client.HTTPException, urllib3.exceptions.HTTPError) as error:
                raise explain_fault(error) from error
            self.connector.origin = Origin(home=self.connector.home)
            is_permanent = is_permanent and reply.status_code in {301, 308}
            addresses.append(target)
            self.url = target

    def _check_redirect(self, target: str, addresses: Sequence[str]) -> None:
        """Raise ``SourceError`` if a redirect from ``url`` must not be followed.

        Forbidden: other schemes than http(s), a body or a login for another server, a circle, more than 10 redirects.

        Args:
            target: the absolute address that the redirect leads to
            addresses: the addresses visited so far, in their order
        """
        problem = ""
        new, old = urlsplit(target), urlsplit(self.url)
        if new.scheme not in _PORTS:
            problem = f"redirects to {for_message(new.scheme)}:, where podgraph does not go"
        elif (self.body or "Authorization" in self.fields) and (new.scheme, new.netloc) != (old.scheme, old.netloc):
            problem = "redirects to another server, where nothing is sent"
        elif target in addresses or len(addresses) > 10:
            problem = f"redirects in a circle or too often, by way of {url_for_message(target)}"
        if problem:
            raise SourceError(problem, remedy="check the address")

    def _ask(self, adapter: _Adapter) -> requests.Response:
        """Send one request to the current address ``url``, and return its answer, with an unread body.

        ``adapter`` opens the connection. The request is conditional if there is a copy: the server may answer that it
        is unchanged (304). Raises ``SourceError`` for addresses that are not allowed, and errors of the network without
        an answer.
        """
        parts = urlsplit(self.url)
        # For some http://a\@b/ leads to a, for others to b; a proxy may be of either mind.
        if parts.scheme not in _PORTS or not parts.hostname or {" ", "\\"} & set(parts.netloc):
            raise SourceError("is not a web address", remedy="give an address that begins with https://")
        if "Authorization" in self.fields and parts.scheme != "https" and not is_this_machine(parts.hostname):
            raise SourceError("is not a secure address, and no login is sent there", remedy="use https://")
        headers = {**_HEADERS, **self.fields}
        if self.copy and self.copy.url == without_user(self.url):
            validators = {"If-None-Match": self.copy.etag, "If-Modified-Since": self.copy.last_modified}
            headers.update({name: value for name, value in validators.items() if value})
        method = "POST" if self.body else "GET"
        request = requests.Request(method, self.url, headers=headers, data=self.body or None).prepare()
        url = request.url or ""
        # The checked address is the requested one: requests splits the address that it prepared in this very way.
        parts = urlsplit(url)
        # The proxies and the certificates that the user's environment names.
        settings: Any = _SESSION.merge_environment_settings(url, {}, True, None, None)
        if is_this_machine(parts.hostname or ""):
            settings["proxies"] = {}  # a proxy's loopback is not ours
        if select_proxy(url, settings["proxies"]):
            self.connector.check_behind_proxy(parts.hostname or "", parts.port or _PORTS[parts.scheme])
        wait = (self.connector.limits.connect, min(self.connector.limits.read, self.connector.get_time_left()))
        adapter.connector = self.connector
        return adapter.send(request, timeout=wait, **settings)

    def _read(self, reply: requests.Response, take: Callable[[int], None]) -> Fetched:
        """Return the result of an answer that is not a redirect: the new body, or the copy if the body is unchanged.

        ``reply`` is the answer. ``take`` is called with the size of each piece, in bytes. Raises ``SourceError`` for
        statuses such as 404.
        """
        now, home = self.connector.world.now(), self.connector.home
        if reply.status_code == 304 and self.copy:
            take(len(self.copy.data))
            return replace(self.copy, fetched_at=now, from_cache=True, home=home, fields=reply.headers)
        if reply.status_code not in {200, 203}:
            raise make_answer_error(reply.status_code, reply.headers)
        type_, etag, last_modified = (reply.headers.get(name, "") for name in ("Content-Type", "ETag", "Last-Modified"))
        data = self._read_body(reply, take)
        return Fetched(data, without_user(self.url), type_, etag, last_modified, now, home=home, fields=reply.headers)

    def _read_body(self, reply: requests.Response, take: Callable[[int], None]) -> bytes:
        """Return the decompressed body of an answer; ``take`` is called with the size of each piece, in bytes.

        The deadline moves with each chunk, so a large body that arrives fast enough is never cut off. Raises
        ``SourceError`` for a body that is too large, damaged or empty.
        """
        limits = self.connector.limits
        self.connector.deadline = self.deadline
        with io.BytesIO() as content:
            for chunk in reply.iter_content(16384):
                take(len(chunk))
                if content.tell() + len(chunk) > limits.body:
                    raise SourceError(f"is larger than {limits.body / 1e6:,.6g} MB", remedy="give a smaller feed")
                content.write(chunk)
                check_packing(content.tell(), self.connector.received_bytes)
                self.connector.get_time_left()  # raises after the deadline
                self.connector.deadline = self.deadline + content.tell() / limits.rate
            data = content.getvalue()
        if not data:
            raise SourceError("is empty", remedy="check the address")
        # A body that is itself a gzip file.
        return unpack(data, limits.body, take)


class _Adapter(HTTPAdapter):
    """Opens connections through a ``Connector``, for one request. urllib3 has no option for that."""

    connector: Connector

    def get_connection_with_tls_context(self, *arguments: Any, **options: Any) -> Any:
        """Return a pool of connections, each opened by the connector and read within its deadline.

        requests calls this once for each request; ``arguments`` and ``options`` are those of ``HTTPAdapter``'s method.
        """
        pool: Any = super().get_connection_with_tls_context(*arguments, **options)
        connector = self.connector
        # urllib3 calls the first to connect, and the second to read the reply.
        methods = {
            "_new_conn": lambda end: connector.open(end.host, end.port, proxy=end.proxy is not None),
            "response_class": connector.read_reply,
        }
        pool.ConnectionCls = type("Connection", (pool.ConnectionCls,), methods)
        return pool


def run_side_by_side(
    tasks: Sequence[_Task], run: Callable[[_Task], _Result], *, get_host: Callable[[_Task], str], per_host: int = 2,
    done: Callable[[int, int], None] = lambda _count, _total: None,
) -> list[_Result | SourceError]:  # fmt: skip
    """Run downloads in at most 16 threads; return the result, or the ``SourceError``, of each task in their order.

    Another exception of a task is raised here. The threads are daemons: an interrupt ends the wait at once.

    Args:
        tasks: the inputs, such as addresses
        run: does one task, and returns its result
        get_host: returns the name of the server that a task asks
        per_host: at most so many tasks ask one server at once
        done: is called in this thread after each task, with the numbers of finished and of all tasks

    >>> run_side_by_side([3, 1, 2], lambda n: n * n, get_host=str)
    [9, 1, 4]
    """
    gates = {get_host(task): Semaphore(per_host) for task in tasks}

    def run_when_free(task: _Task) -> _Result | SourceError:
        """Do a task as soon as its server has fewer than ``per_host`` others; return its result or its error."""
        with gates[get_host(task)]:
            try:
                return run(task)
            except SourceError as error:
                without_frames(error)
                return error

    results: list[_Result | SourceError] = []
    with ThreadPool(min(16, len(tasks)) or 1) as pool:
        for result in pool.imap(run_when_free, tasks):
            results.append(result)
            done(len(results), len(tasks))
    return results
