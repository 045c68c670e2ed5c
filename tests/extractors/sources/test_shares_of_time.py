"""How long each address of a name is waited for: with clocks and sockets that are made up, so that nothing waits."""

from __future__ import annotations

import socket
from types import SimpleNamespace

import pytest

from podgraph.extractors import SourceError
from podgraph.extractors.sources import connection
from podgraph.extractors.sources.connection import Limits, World
from podgraph.extractors.sources.fetch import fetch_url
from podgraph.extractors.sources.origin import TYPED

SILENT, REFUSED = "silent", "refused"
WAITS = [
    # what the addresses of a name do, seconds for a connection, seconds until the answer, how long each is waited for
    ([SILENT], 6, 20, [6]),
    ([SILENT], 6, 4, [4]),
    # Of what is left for a connection each gets its part, and the last one all of it.
    ([SILENT, SILENT], 6, 20, [3, 6]),
    ([SILENT, SILENT, SILENT], 6, 20, [2, 3, 6]),
    ([SILENT, SILENT, SILENT, SILENT], 6, 60, [1.5, 2, 3, 6]),
    # The deadline of the whole is kept: the parts are parts of what is left until then.
    ([SILENT, SILENT, SILENT], 6, 6, [2, 2, 2]),
    ([SILENT, SILENT, SILENT], 6, 9, [2, 3, 4]),
    ([SILENT, SILENT], 10, 5, [2.5, 2.5]),
    # One that refuses at once leaves its part to the others.
    ([REFUSED, SILENT], 6, 6, [3, 6]),
    ([REFUSED, REFUSED, SILENT], 6, 5, [5 / 3, 2.5, 5]),
    ([SILENT, REFUSED, SILENT], 6, 6, [2, 2, 4]),
]


@pytest.fixture
def waited(monkeypatch):
    """Fetch from a name with such addresses; return the longest wait that each was given, in order."""
    for name in ("http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)

    def run(addresses, connect, answer):
        seconds = 1000.0
        waits = []

        class Socket:
            def __init__(self, *_):
                pass

            def settimeout(self, timeout):
                self.timeout = timeout

            def connect(self, address):
                nonlocal seconds
                waits.append(self.timeout)
                if addresses[address[1]] == REFUSED:
                    raise ConnectionRefusedError
                seconds += self.timeout
                raise TimeoutError

            def close(self):
                pass

        def resolve(*_, **__):
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", n)) for n in range(len(addresses))]

        monkeypatch.setattr(connection, "socket", SimpleNamespace(**(vars(socket) | {"socket": Socket})))
        world = World(monotonic=lambda: seconds, sleep=lambda _: None, resolve=resolve)
        limits = Limits(connect=connect, answer=answer, attempts=1)
        with pytest.raises(SourceError):
            fetch_url("http://many.example/f", origin=TYPED, limits=limits, world=world)
        return waits

    return run


@pytest.mark.parametrize(("addresses", "connect", "answer", "seconds"), WAITS)
def test_each_address_gets_its_share_of_the_time(waited, addresses, connect, answer, seconds):
    assert waited(addresses, connect, answer) == pytest.approx(seconds)
