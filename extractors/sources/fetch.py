"""Fetch the bytes at a web address, within limits of size and time, from public hosts only, and only if they changed.

The one file that goes to the network. HTTP's rules are those of RFC 9110 (semantics) and RFC 9111 (caching).
"""

from __future__ import annotations

import hashlib
import http.client
import io
import logging
import os
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache as once
from http import HTTPStatus
from importlib import metadata
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin, urlsplit  # as requests does: see _Visit._ask

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.utils import get_environ_proxies, prepend_scheme_if_needed, select_proxy
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from ..errors import SourceError, without_frames
from ..printable import for_message, url_for_message
from ..url import host_of, without_user
from .addresses import is_this_machine
from .budget import Budget
from .cache import Cache, Fetched
from .connection import LIMITS, WORLD, Connector, Limits, TimedReader, World
from .failures import AnswerError, explain, explain_answer, find_pause
from .origin import CONTENT, Origin
from .side_by_side import side_by_side
from .unpack import unpack

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Mapping, Sequence

_PORTS = {"http": 80, "https": 443}
_SENT_ON = frozenset({307, 308})  # redirects that keep the method and the body

# Its lines for debugging contain paths, and so the keys of private feeds.
logging.getLogger("urllib3.connectionpool").setLevel(logging.INFO)


@dataclass(frozen=True, slots=True)
class Question:
    """The request to an address where it is more than a plain GET: a body to post, header fields.

    ``private`` fields (a login) go only to the origin of the address, over https or to this machine. A request with
    private fields does not follow a redirect to another origin. Its ``repr`` hides them.
    """

    body: bytes = b""
    fields: Mapping[str, str] = field(default_factory=dict)
    private: Mapping[str, str] = field(default_factory=dict, repr=False)

    def key(self, url: str) -> str:
        """Return the cache key of the answer: the address, and a hash of the body."""
        return f"{url} {hashlib.sha256(self.body).hexdigest()}" if self.body else url


_PLAIN = Question()


def fetch_url(
    url: str,
    *,
    question: Question = _PLAIN,
    cache: Cache | None = None,
    origin: Origin = CONTENT,
    limits: Limits = LIMITS,
    world: World = WORLD,
    keep: Callable[[bytes], bool] = bool,
    budget: Budget | None = None,
) -> Fetched:
    """Return the answer of ``url``; if it is unchanged since the copy in ``cache``, that copy.

    ``origin`` is where the address comes from, and decides whether it may lead to this machine or its network; a
    redirect counts as content. ``keep`` decides whether a body is worth a place in the cache. ``question`` is the
    request beyond a plain GET. The bytes of the body are taken from the ``budget``, which others share.

    Status 429, 500, 502, 503 and 504 and broken connections are tried again, within ``limits``, after the time in
    Retry-After. Raises ``SourceError`` with the problem, the address and the remedy.
    """
    key = question.key(url)
    copy = cache.newest(key) if cache else None
    begin = world.monotonic()
    budget = budget or Budget(world)
    attempt = 0
    while True:
        attempt += 1
        visit = _Visit(url, question, copy, Connector(world, limits, begin + limits.answer, origin), begin)
        try:
            with budget.share() as take:
                fetched = visit.fetch(take)
            break
        except SourceError as error:
            pause = find_pause(error, attempt, world.chance(), world.now(), posted=bool(question.body))
            is_over = attempt >= limits.attempts or world.monotonic() + (pause or 0) >= begin + limits.answer
            if pause is None or is_over:
                raise _add_address(error, url, visit.url) from error
            world.sleep(pause)
    if cache and (fetched.from_cache or keep(fetched.data)):
        cache.store(key, fetched)
    return fetched


class _Visit:
    """One way through the redirects of an address to its body."""

    def __init__(self, url: str, question: Question, copy: Fetched | None, connector: Connector, begin: float) -> None:
        self.url = urldefrag(url).url
        self.question = question
        self.origin = _find_origin(self.url)
        self.copy = copy
        self.connector = connector
        self.limits = connector.limits
        self.until = begin + connector.limits.total
        self.home: tuple[str, int] | None = None  # the host and port of the last request, if they are not public

    def fetch(self, take: Callable[[int], None]) -> Fetched:
        """Follow the redirects and return the final answer; raise ``SourceError`` without one."""
        addresses = [self.url]
        moved_to = ""
        is_for_good = True
        with closing(HTTPAdapter(max_retries=0)) as adapter:
            while True:
                is_answered = False
                try:
                    with closing(self._ask(adapter)) as reply:
                        target = self._find_target(reply)
                        if not target:
                            is_answered = reply.status_code == HTTPStatus.OK
                            fetched = self._read(reply, take)
                            break
                # The errors of requests are OSErrors, and ValueErrors for addresses; others are not wrapped.
                except (OSError, ValueError, http.client.HTTPException, urllib3.exceptions.HTTPError) as error:
                    raise explain(error, answered=is_answered) from error
                self._check_redirect(target, reply.status_code, addresses)
                self.connector.origin = Origin(home=self.home)
                is_for_good = is_for_good and reply.status_code in {301, 308}
                moved_to = target if is_for_good else moved_to
                addresses.append(target)
                self.url = target
        if moved_to:
            notice = f"has moved for good to {url_for_message(moved_to)}; use that address"
            fetched = replace(fetched, notices=(notice,))
        return fetched

    def _check_redirect(self, target: str, status: int, addresses: Sequence[str]) -> None:
        """Raise ``SourceError`` where the request must not be sent on to the target."""
        remedy = "check the address"
        if urlsplit(target).scheme not in _PORTS:
            scheme = for_message(urlsplit(target).scheme)
            raise SourceError(f"redirects to {scheme}:, where podgraph does not go", remedy=remedy)
        if self.question.private and _find_origin(target) != self.origin:
            raise SourceError("redirects to another server, where nothing is sent", remedy=remedy)
        if self.question.body and status not in _SENT_ON:
            raise SourceError("redirects without saying that the question may follow", remedy=remedy)
        if target in addresses or len(addresses) > self.limits.redirects:
            way = "in a circle" if target in addresses else f"more than {self.limits.redirects} times"
            raise SourceError(f"redirects {way}, by way of {url_for_message(target)}", remedy="tell its owner")

    def _ask(self, adapter: HTTPAdapter) -> requests.Response:
        """Send one request to the current address and return its answer, with an unread body.

        Raises ``SourceError`` for addresses that are not allowed, and errors of the network without an answer.
        """
        parts = urlsplit(self.url)
        # For some http://a\@b/ leads to a, for others to b; a proxy may be of either mind.
        if parts.scheme not in _PORTS or not parts.hostname or {" ", "\\"} & set(parts.netloc):
            raise SourceError("is not a web address", remedy="give an address that begins with https://")
        # Not through a session: it would add logins from ~/.netrc and read the bodies of redirects whole.
        method = "POST" if self.question.body else "GET"
        request = requests.Request(method, self.url, headers=self._make_headers(), data=self.question.body or None)
        prepared = request.prepare()
        url = prepared.url or ""
        # The checked address is the requested one: requests splits the address that it prepared in this very way.
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
        pools = _make_pools(self.connector)
        adapter.poolmanager.pool_classes_by_scheme = pools
        # A proxy's loopback is not ours.
        proxies = {} if is_this_machine(host) else get_environ_proxies(url)
        if proxy := select_proxy(url, proxies):
            self.connector.check_behind_proxy(host, port)
            if not proxy.lower().startswith("socks"):
                address = prepend_scheme_if_needed(proxy, "http")  # type: ignore[no-untyped-call]
                adapter.proxy_manager_for(address).pool_classes_by_scheme = pools
        names = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR")
        authorities = next(filter(None, map(os.environ.get, names)), True)
        wait = (self.limits.connect, min(self.limits.read, self.connector.left()))
        reply = adapter.send(prepared, stream=True, timeout=wait, verify=authorities, proxies=proxies)
        end = host.lower(), port
        self.home = end if end in self.connector.reached else None
        return reply

    def _make_headers(self) -> dict[str, str]:
        """Return the request's header fields: with the login for its own server, and the cached copy's validators."""
        headers = {
            "User-Agent": _make_user_agent(),
            "Accept": "application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5",
            "Accept-Encoding": "gzip, deflate",
            **self.question.fields,
        }
        if self.question.private:
            parts = urlsplit(self.url)
            is_safe = parts.scheme == "https" or is_this_machine(parts.hostname or "")
            if not is_safe or _find_origin(self.url) != self.origin:
                raise SourceError("is not a secure address, and no login is sent there", remedy="use https://")
            headers.update(self.question.private)
        if self.copy and self.copy.url == without_user(self.url):
            validators = {"If-None-Match": self.copy.etag, "If-Modified-Since": self.copy.last_modified}
            headers.update({name: value for name, value in validators.items() if value})
        return headers

    def _find_target(self, reply: requests.Response) -> str:
        """Return the target of a redirect, or an empty text for other answers."""
        location = reply.headers.get("Location", "").strip()
        if reply.status_code not in {301, 302, 303, 307, 308} or not location:
            return ""
        # Header fields arrive as Latin-1; an address beyond ASCII is in UTF-8 all the same.
        location = location.encode("latin-1", "replace").decode("utf-8", "replace")
        return urldefrag(urljoin(self.url, location)).url

    def _read(self, reply: requests.Response, take: Callable[[int], None]) -> Fetched:
        """Return the result of an answer that is not a redirect: the new body, or the copy if the body is unchanged.

        Raises for every other status, for instance 404.
        """
        status, now = reply.status_code, self.connector.world.now()
        if status == HTTPStatus.NOT_MODIFIED and self.copy:
            take(len(self.copy.data))
            return replace(self.copy, fetched_at=now, from_cache=True, home=self.home, fields=reply.headers)
        if status not in {HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION}:
            raise explain_answer(status, reply.headers, now)
        return Fetched(
            data=self._read_body(reply, take),
            url=without_user(self.url),
            content_type=reply.headers.get("Content-Type", ""),
            etag=reply.headers.get("ETag", ""),
            last_modified=reply.headers.get("Last-Modified", ""),
            fetched_at=now,
            home=self.home,
            fields=reply.headers,
        )

    def _read_body(self, reply: requests.Response, take: Callable[[int], None]) -> bytes:
        """Return the decompressed body of an answer.

        The deadline moves with each chunk, so a large body that arrives fast enough is never cut off. Raises
        ``SourceError`` for a body that is too large, damaged or empty.
        """
        self.connector.until = self.until
        length = reply.headers.get("Content-Length", "")
        expected = int(length) if length.isdecimal() and "Transfer-Encoding" not in reply.headers else 0
        too_large = f"is larger than {self.limits.wire / 1e6:,.6g} MB"
        if expected > self.limits.wire:
            raise SourceError(too_large, remedy="if it is a feed, tell its owner")
        with io.BytesIO() as body:
            for chunk in reply.raw.stream(16384, decode_content=False):
                if body.tell() + len(chunk) > self.limits.wire:
                    raise SourceError(too_large, remedy="if it is a feed, tell its owner")
                body.write(chunk)
                self.connector.left()
                self.connector.until = self.until + body.tell() / self.limits.rate
            data = body.getvalue()
        if len(data) < expected:
            raise SourceError("is cut off or damaged on its way", remedy="try again")  # urllib3 1 does not report it
        if not data:
            raise SourceError("is empty", remedy="check the address")
        # Some servers send a charset as the coding; only names of compressions count.
        codings = [name.strip().lower() for name in reply.headers.get("Content-Encoding", "").split(",")]
        if other := {"br", "zstd", "compress", "x-compress"}.intersection(codings):
            problem = f"is compressed with {min(other)!r}, which podgraph does not read"
            raise SourceError(problem, remedy="tell its owner")
        take(len(data))
        data = unpack(data, self.limits.body, take, "deflate" if "deflate" in codings else "")
        return unpack(data, self.limits.body, take)  # a file that is gzip may be sent with gzip as well


def _make_pools(connector: Connector) -> dict[str, type[HTTPConnectionPool]]:
    """Return urllib3's connection pools by scheme, which open connections with ``connector`` and keep to its deadline.

    urllib3 has no option for either, so subclasses of its connections and of ``http.client``'s reply do it.
    """

    class Reply(http.client.HTTPResponse):
        def __init__(self, connection: socket.socket, debuglevel: int = 0, method: str | None = None) -> None:
            super().__init__(connection, debuglevel, method)
            self.fp = io.BufferedReader(TimedReader(self.fp.detach(), connection, connector))

    class Opener:
        host: str
        port: int
        proxy: object
        response_class = Reply

        def _new_conn(self) -> socket.socket:
            return connector.open(self.host, self.port, proxy=self.proxy is not None)

    kinds = {"http": (HTTPConnectionPool, HTTPConnection), "https": (HTTPSConnectionPool, HTTPSConnection)}
    return {
        scheme: type("Pool", (pool,), {"ConnectionCls": type("Connection", (Opener, connection), {})})
        for scheme, (pool, connection) in kinds.items()
    }


def _add_address(error: SourceError, asked: str, url: str) -> SourceError:
    """Return an error that names the asked address, and the reached ``url`` if a redirect led elsewhere."""
    by_way = "" if url == urldefrag(asked).url else f" (redirected to {url_for_message(url)})"
    placed = type(error)(f"{error.problem}{by_way}", source=url_for_message(asked), remedy=error.remedy)
    if isinstance(placed, AnswerError) and isinstance(error, AnswerError):
        placed.code, placed.fields = error.code, error.fields
    return placed


def _find_origin(url: str) -> tuple[str, str, int | None]:
    """Return scheme, host and port of an address: the origin that a login belongs to (RFC 6454)."""
    try:
        parts = urlsplit(url)
        scheme = parts.scheme.lower()
        return scheme, (parts.hostname or "").lower(), parts.port or _PORTS.get(scheme)
    except ValueError:
        return "", "", None


@once
def _make_user_agent() -> str:
    return f"podgraph/{metadata.version('podgraph')} (knowledge graph of a podcast)"


@dataclass(frozen=True, slots=True)
class Ask:
    """One address to fetch: see ``fetch_url`` for the fields."""

    url: str
    origin: Origin = CONTENT
    limits: Limits = LIMITS


def fetch_many(
    asks: Sequence[Ask],
    *,
    cache: Cache | None = None,
    world: World = WORLD,
    keep: Callable[[bytes], bool] = bool,
    budget: Budget | None = None,
    done: Callable[[int, int], None] = lambda _finished, _total: None,
) -> list[Fetched | SourceError]:
    """Return the answer of each address, in order: its bytes, or the error that stopped it.

    Eight are fetched at once, two of one host. ``done`` gets the numbers of finished and of all addresses; the other
    arguments are those of ``fetch_url``.
    """

    def fetch(ask: Ask) -> Fetched | SourceError:
        """Return the answer of one address, or its error: one failure does not stop the others."""
        try:
            return fetch_url(
                ask.url, cache=cache, origin=ask.origin, limits=ask.limits, world=world, keep=keep, budget=budget
            )
        except SourceError as error:
            without_frames(error)
            return error

    return side_by_side(asks, fetch, party=lambda ask: host_of(ask.url), done=done)
