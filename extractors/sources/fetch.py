"""Fetch the bytes at a web address, within limits of size and time, from public hosts only, and only if they changed.

The one file that goes to the network. HTTP's rules are those of RFC 9110 (semantics) and RFC 9111 (caching).
"""

from __future__ import annotations

import hashlib
import http.client
import io
import logging
import os
import re
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
from requests.utils import select_proxy
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from ..errors import SourceError
from ..keys import without_keys
from ..printable import for_message, url_for_message
from ..url import without_user
from .addresses import is_this_machine
from .budget import Budget
from .cache import Cache, Fetched, checked_again
from .connection import LIMITS, WORLD, Connector, Limits, TimedReader, World
from .failures import AgainError, AnswerError, answer_failure, explained
from .origin import CONTENT, Origin
from .unpack import CODINGS, PackedError, capped, gunzip, join, unpacked

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator, Mapping

_ACCEPT = "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5"
# requests' errors are OSErrors, and ValueErrors for addresses; below it, some come through as they are.
_FAILURES = (OSError, ValueError, http.client.HTTPException, urllib3.exceptions.HTTPError)
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_INTERIM = frozenset({102, 103})  # Processing, Early Hints
_MOST_INTERIM = 10
_PORTS = {"http": 80, "https": 443}
_FOR_GOOD = frozenset({301, 308})
# An entity tag or a date that a field of a header can hold.
_VALIDATOR = re.compile(r"[\x21-\x7e\x80-\xff](?:[ \x21-\x7e\x80-\xff]{0,998}[\x21-\x7e\x80-\xff])?")
_SENT_ON = frozenset({307, 308})  # redirects that keep the method and the body
_TELL = "if it is a feed, tell its owner"
# A Content-Length.
_LENGTH = re.compile(r"[0-9]{1,15}")


def _hide_keys(record: logging.LogRecord) -> bool:
    """Hide the keys in the paths that urllib3 logs for debugging."""
    args = record.args if isinstance(record.args, tuple) else ()
    host = "//host"  # a path alone may be of this machine
    hidden = (without_keys(f"{host}{arg}").removeprefix(host) if str(arg).startswith("/") else arg for arg in args)
    record.args = tuple(hidden) if args else record.args
    return True


logging.getLogger("urllib3.connectionpool").addFilter(_hide_keys)


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


_LOOK = Question()


def fetch_url(
    url: str,
    *,
    question: Question = _LOOK,
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

    Status 429, 502, 503 and 504 and broken connections are tried again, within ``limits``, after the time in
    Retry-After; status 500 once, if no body was posted. Raises ``SourceError`` with the problem, the address and the
    remedy.
    """
    key = question.key(url)
    copy = cache.newest(key) if cache else None
    begin = world.monotonic()
    connector = Connector(world, begin + limits.answer, limits.connect, limits.read)
    attempt = 0
    budget = budget or Budget(world)
    while True:
        attempt += 1
        connector.until, connector.origin = begin + limits.answer, origin
        visit = _Visit(url, copy, connector, limits, begin + limits.total, question)
        try:
            with budget.share() as take:
                visit.take = take
                fetched = visit.fetch()
            break
        except AgainError as again:
            pause = again.pause(attempt, world.chance())
            most = again.attempts(limits.attempts, posted=bool(question.body))
            if attempt >= most or world.monotonic() + pause >= begin + limits.answer:
                raise _add_address(again.error, url, visit.url) from again
            world.sleep(pause)
        except SourceError as error:
            raise _add_address(error, url, visit.url) from error
    if cache and (fetched.from_cache or keep(fetched.data)):
        cache.store(key, fetched)
    return fetched


class _Visit:
    """One way through the redirects of an address to its body."""

    def __init__(
        self, url: str, copy: Fetched | None, connector: Connector, limits: Limits, until: float, question: Question
    ) -> None:
        self.url = urldefrag(url).url
        self.question = question
        self.origin = _origin(self.url)
        self.copy = copy
        self.connector = connector
        self.limits = limits
        self.until = until  # the deadline of the whole visit
        self.answered = False  # whether the head of a final answer has arrived
        self.asked = ("", 0)  # the host and port of the last request
        self.take: Callable[[int], None] = lambda _: None

    def fetch(self) -> Fetched:
        """Follow the redirects and return the final answer.

        Raises ``AgainError`` for failures that may pass, ``SourceError`` for the others.
        """
        seen = {self.url}
        moved = ""
        for_good = True
        with closing(_Adapter(self.connector)) as adapter, requests.Session() as session:
            while True:
                try:
                    reply = self._ask(adapter, session)
                    with closing(reply):
                        target = self._target(reply)
                        if not target:
                            fetched = self._take(reply)
                            break
                except _FAILURES as error:
                    raise explained(error, answered=self.answered) from error
                self._check_way(target, reply.status_code)
                self.connector.origin = Origin(home=self._home())
                if target in seen:
                    raise SourceError(
                        f"redirects in a circle, by way of {url_for_message(target)}", remedy="tell its owner"
                    )
                if len(seen) > self.limits.redirects:
                    raise SourceError(f"redirects more than {self.limits.redirects} times", remedy="tell its owner")
                for_good = for_good and reply.status_code in _FOR_GOOD
                moved = target if for_good else moved
                seen.add(target)
                self.url = target
        if moved:
            notice = f"has moved for good to {url_for_message(moved)}; use that address"
            fetched = replace(fetched, notices=(notice,))
        return fetched

    def _check_way(self, target: str, status: int) -> None:
        """Raise ``SourceError`` where the request must not be sent on to the target."""
        if self.question.private and _origin(target) != self.origin:
            raise SourceError("redirects to another server, where nothing is sent", remedy="check the address")
        if self.question.body and status not in _SENT_ON:
            raise SourceError("redirects without saying that the question may follow", remedy="check the address")

    def _home(self) -> tuple[str, int] | None:
        """Return the host and port that were asked, if a connection there was not to a public one."""
        return self.asked if self.asked in self.connector.reached else None

    def _ask(self, adapter: _Adapter, session: requests.Session) -> requests.Response:
        """Send one request to the current address and return its answer, with an unread body.

        Raises ``SourceError`` for addresses that are not allowed, and one of ``_FAILURES`` without an answer.
        """
        parts = urlsplit(self.url)
        if parts.scheme not in _PORTS or not parts.hostname or " " in parts.hostname:
            raise SourceError("is not a web address", remedy="give an address that begins with https://")
        if "\\" in parts.netloc:
            # For some http://a\@b/ leads to a, for others to b; a proxy may be of either mind.
            raise SourceError("has a backslash in its host", remedy="check how it is written")
        # Not through the session: it would add logins from ~/.netrc and read the bodies of redirects whole.
        method = "POST" if self.question.body else "GET"
        request = requests.Request(method, self.url, headers=self._headers(), data=self.question.body or None).prepare()
        url = request.url or ""
        # The checked address is the requested one: requests splits the address that it prepared in this very way.
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
        self.asked = host.lower(), port
        settings = session.merge_environment_settings(url, {}, None, None, None)
        # A proxy's loopback is not ours.
        proxies = {} if is_this_machine(host) else settings["proxies"]
        if select_proxy(url, proxies):
            self.connector.check_behind_proxy(host, port)
        verify = _authorities() if settings["verify"] in {True, None} else settings["verify"]
        wait = (self.limits.connect, min(self.limits.read, self.connector.left()))
        return adapter.send(request, stream=True, timeout=wait, verify=verify, proxies=proxies)

    def _headers(self) -> dict[str, str]:
        """Return the request's header fields: with the login for its own server, and the cached copy's validators."""
        headers = {"User-Agent": _user_agent(), "Accept": _ACCEPT, "Accept-Encoding": CODINGS, **self.question.fields}
        if self.question.private:
            parts = urlsplit(self.url)
            if _origin(self.url) != self.origin or (
                parts.scheme != "https" and not is_this_machine(parts.hostname or "")
            ):
                raise SourceError("is not a secure address, and no login is sent there", remedy="use https://")
            headers.update(self.question.private)
        if self.copy and self.copy.url == without_user(self.url):
            validators = {"If-None-Match": self.copy.etag, "If-Modified-Since": self.copy.last_modified}
            headers.update({name: value for name, value in validators.items() if value})
        return headers

    def _target(self, reply: requests.Response) -> str:
        """Return the target of a redirect, or an empty text for other answers."""
        location = reply.headers.get("Location", "").strip()
        if reply.status_code not in _REDIRECTS or not location:
            return ""
        # Header fields arrive as Latin-1; an address beyond ASCII is in UTF-8 all the same.
        location = location.encode("latin-1", "replace").decode("utf-8", "replace")
        target = urldefrag(urljoin(self.url, location)).url
        scheme = urlsplit(target).scheme.lower()
        if scheme not in _PORTS:
            raise SourceError(
                f"redirects to {for_message(scheme)}:, where podgraph does not go", remedy="check the address"
            )
        return target

    def _take(self, reply: requests.Response) -> Fetched:
        """Return the result of an answer that is not a redirect: the new body, or the copy if the body is unchanged.

        Raises for every other status, for instance 404.
        """
        status = reply.status_code
        if status == HTTPStatus.NOT_MODIFIED and self.copy:
            self.take(len(self.copy.data))
            again = checked_again(self.copy, self.connector.world.now())
            return replace(again, home=self._home(), fields=reply.headers)
        if status not in {HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION}:
            raise answer_failure(status, reply.headers, self.connector.world.now())
        self.answered = True
        self.connector.until = self.until
        return Fetched(
            data=self._body(reply),
            url=without_user(self.url),
            content_type=reply.headers.get("Content-Type", ""),
            etag=_validator(reply.headers.get("ETag", "")),
            last_modified=_validator(reply.headers.get("Last-Modified", "")),
            fetched_at=self.connector.world.now(),
            home=self._home(),
            fields=reply.headers,
        )

    def _body(self, reply: requests.Response) -> bytes:
        """Return the decompressed body of an answer.

        The deadline moves with each chunk, so a large body that arrives fast enough is never cut off. Raises
        ``SourceError`` for a body that is too large, damaged or empty.
        """
        wire = 0

        def counted() -> Iterator[bytes]:
            """Yield the bytes as sent, count them, and extend the deadline by the time they need at the lowest rate."""
            nonlocal wire
            for chunk in reply.raw.stream(16384, decode_content=False):
                self.connector.left()
                wire += len(chunk)
                self.connector.until = self.until + wire / self.limits.rate
                yield chunk

        length = reply.headers.get("Content-Length", "")
        expected = int(length) if _LENGTH.fullmatch(length) and "Transfer-Encoding" not in reply.headers else None
        if expected is not None and expected > self.limits.wire:
            raise SourceError(f"is larger than {self.limits.wire / 1e6:,.6g} MB", remedy=_TELL)
        try:
            chunks = unpacked(
                capped(counted(), self.limits.wire), reply.headers.get("Content-Encoding", ""), self.limits.body
            )
            data = gunzip(join(chunks, self.take), self.limits.body, self.take)
        except PackedError as error:
            raise SourceError(str(error), remedy=_TELL) from error
        if expected is not None and wire < expected:
            raise SourceError("is cut off or damaged on its way", remedy="try again")  # urllib3 1 does not say so
        if not data:
            raise SourceError("is empty", remedy="check the address")
        return data


class _Adapter(HTTPAdapter):
    """requests' way to urllib3, with our own connections."""

    def __init__(self, connector: Connector) -> None:
        self._pools = _make_pools(connector)
        super().__init__(max_retries=0)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **named: object) -> None:
        """Make the pools for direct connections."""
        super().init_poolmanager(connections, maxsize, block, **named)
        self.poolmanager.pool_classes_by_scheme = self._pools

    def proxy_manager_for(self, proxy: str, **named: object) -> urllib3.ProxyManager:
        """Make the pools for connections through a proxy; a SOCKS proxy's make their own."""
        manager: urllib3.ProxyManager = super().proxy_manager_for(proxy, **named)
        if not proxy.lower().startswith("socks"):
            manager.pool_classes_by_scheme = self._pools
        return manager


def _make_pools(connector: Connector) -> dict[str, type[HTTPConnectionPool]]:
    """Return urllib3's connection pools by scheme, which open connections with ``connector`` and keep to its deadline.

    urllib3 has no option for either, so subclasses of its connections and of ``http.client``'s reply do it.
    """

    class Reply(http.client.HTTPResponse):
        def __init__(self, connection: socket.socket, debuglevel: int = 0, method: str | None = None) -> None:
            super().__init__(connection, debuglevel, method)
            self.fp = io.BufferedReader(TimedReader(self.fp.detach(), connection, connector))

        def _read_status(self) -> tuple[str, int, str]:
            """Return the first final status line (RFC 9110, 15.2); http.client itself skips 100 only."""
            for _ in range(_MOST_INTERIM):
                line: tuple[str, int, str] = super()._read_status()  # type: ignore[misc]
                if line[1] not in _INTERIM:
                    return line
                http.client.parse_headers(self.fp)
            raise http.client.HTTPException("too many interim answers")

    class Plain(HTTPConnection):
        response_class = Reply

        def _new_conn(self) -> socket.socket:
            return connector.open(self.host, self.port, proxy=self.proxy is not None)

    class Secure(HTTPSConnection):
        response_class = Reply

        def _new_conn(self) -> socket.socket:
            return connector.open(self.host, self.port, proxy=self.proxy is not None)

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


def _authorities() -> str | bool:
    """Return the certificates of the authorities to trust: the user's, or those that requests brings."""
    return os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR") or True


def _add_address(error: SourceError, asked: str, reached: str) -> SourceError:
    """Return an error that names the asked address, and the reached one if a redirect led elsewhere."""
    by_way = "" if reached == urldefrag(asked).url else f" (redirected to {url_for_message(reached)})"
    placed = type(error)(f"{error.problem}{by_way}", source=url_for_message(asked), remedy=error.remedy)
    if isinstance(placed, AnswerError) and isinstance(error, AnswerError):
        placed.code, placed.fields = error.code, error.fields
    return placed


def _origin(url: str) -> tuple[str, str, int | None]:
    """Return scheme, host and port of an address: the origin that a login belongs to (RFC 6454)."""
    try:
        parts = urlsplit(url)
        scheme = parts.scheme.lower()
        return scheme, (parts.hostname or "").lower(), parts.port or _PORTS.get(scheme)
    except ValueError:
        return "", "", None


def _validator(value: str) -> str:
    """Return a validator that can be sent back as it is, or nothing."""
    return value if _VALIDATOR.fullmatch(value) else ""


@once
def _user_agent() -> str:
    return f"podgraph/{metadata.version('podgraph')} (knowledge graph of a podcast)"
