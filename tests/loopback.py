"""A web server on 127.0.0.1 whose every answer is scripted, byte by byte.

    with Loopback() as server:
        server.on("/feed", reply(503), reply(200, b"<rss/>"))   # a 503 once, then the feed
        fetch_url(server.url("/feed"), origin=TYPED)

A script is the bytes of an answer, or a function that gets the ``Call`` and does what it likes with it.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any, Self

from podgraph.extractors.sources.connection import World


@dataclass
class Call:
    """A request, and the connection to answer it on."""

    method: str
    target: str
    headers: dict[str, str]
    connection: socket.socket
    stopped: threading.Event
    body: bytes = b""

    def send(self, *pieces: bytes) -> None:
        for piece in pieces:
            self.connection.sendall(piece)

    def hold(self) -> None:
        """Say nothing more until the client has gone away."""
        self.connection.settimeout(60)
        while not self.stopped.is_set() and self.connection.recv(1024):
            pass

    def forever(self, piece: bytes) -> None:
        """Send ``piece`` again and again until the client has gone away."""
        while not self.stopped.is_set():
            self.connection.sendall(piece)

    def reset(self) -> None:
        """Break the connection instead of closing it (the client sees ECONNRESET)."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


Script = bytes | Callable[[Call], None]


def head(status: int = 200, version: str = "1.1", **fields: str | int) -> bytes:
    """Return the head of an answer; ``Content_Length=3`` becomes the field ``Content-Length: 3``."""
    phrase = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "What"
    lines = [f"HTTP/{version} {status} {phrase}", *(f"{k.replace('_', '-')}: {v}" for k, v in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def reply(status: int = 200, body: bytes = b"", **fields: str | int) -> bytes:
    """Return a whole answer with the right Content-Length."""
    return head(status, **({"Content_Length": len(body)} | fields)) + body


def read_answers(answers: list[Any], scripts: dict[str, Script]) -> list[Script]:
    """Return the scripts of a table's answers: the name of one of ``scripts``, or the arguments of ``reply``."""
    return [
        scripts[answer] if isinstance(answer, str) else reply(**{**answer, "body": answer.get("body", "").encode()})
        for answer in answers
    ]


def chunked(*pieces: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    """Return a body in chunks (RFC 9112, 7.1)."""
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + end


@contextlib.contextmanager
def refusing_port() -> Iterator[int]:
    """Give a port of 127.0.0.1 where nobody listens, and nobody else can meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@dataclass
class Loopback:
    """The server; ``calls`` are the requests it got. ``tls`` makes it speak HTTPS, ``host`` is where it listens."""

    tls: ssl.SSLContext | None = None
    calls: list[Call] = field(default_factory=list)
    routes: dict[str, list[Script]] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)
    host: str = "127.0.0.1"

    def __enter__(self) -> Self:
        self.listener = socket.create_server((self.host, 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        with contextlib.suppress(OSError):  # wakes accept()
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        self.listener.close()

    def url(self, target: str = "/", host: str = "127.0.0.1") -> str:
        return f"http{'s' if self.tls else ''}://{host}:{self.port}{target}"

    def on(self, target: str, *scripts: Script) -> Loopback:
        """Answer requests for ``target`` with one script after the other; the last one stays."""
        self.routes[target] = list(scripts)
        return self

    @property
    def targets(self) -> list[str]:
        return [call.target for call in self.calls]

    def _accept(self) -> None:
        while not self.stopped.is_set():
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.ExitStack() as stack:
            stack.callback(connection.close)
            stack.enter_context(contextlib.suppress(OSError, ValueError))
            connection.settimeout(60)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
                stack.callback(connection.close)
            request = b""
            while b"\r\n\r\n" not in request:
                piece = connection.recv(65536)
                if not piece:
                    return
                request += piece
                if request.startswith(b"\x16"):  # a TLS handshake
                    connection.sendall(reply(400))
                    return
            first, *lines = request.decode("latin-1").partition("\r\n\r\n")[0].split("\r\n")
            method, target, _ = first.split(" ")
            fields = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
            body = request.partition(b"\r\n\r\n")[2]
            while len(body) < int(fields.get("content-length", 0)):
                body += connection.recv(65536)
            call = Call(method, target, fields, connection, self.stopped, body)
            self.calls.append(call)
            scripts = self.routes.get(target) or self.routes.get("*") or [reply(404)]
            script = scripts.pop(0) if len(scripts) > 1 else scripts[0]
            if callable(script):
                script(call)
            else:
                call.send(script)
            # Closing with unread input would reset the connection and lose what was sent.
            if connection.fileno() >= 0 and not isinstance(connection, ssl.SSLSocket):
                connection.shutdown(socket.SHUT_WR)


class Clock:
    """Time that passes only by sleeping, and by ``tick`` seconds with every look at the clock; it is 2026-11-20 12:00."""

    def __init__(self, tick: float = 0) -> None:
        self.seconds, self.tick = 0.0, tick
        self.slept: list[float] = []

    def monotonic(self) -> float:
        self.seconds += self.tick
        return self.seconds

    def now(self) -> datetime:
        return datetime(2026, 11, 20, 12, tzinfo=UTC) + timedelta(seconds=self.seconds)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    def world(self, resolve: Any = socket.getaddrinfo) -> World:
        return World(self.monotonic, self.now, self.sleep, lambda: 0.5, resolve)
