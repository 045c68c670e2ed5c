"""One server that forks and one that is scripted, for all tests here; and time that passes by itself."""

import os
import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.loopback import Loopback


class Clock:
    """Time that passes by sleeping (at once), and by ``tick`` seconds with every look at it."""

    def __init__(self, tick):
        self.ahead, self.tick, self.slept = 0.0, tick, 0.0
        self.start = time.monotonic()

    def monotonic(self):
        self.ahead += self.tick
        return (time.monotonic() - self.start if self.tick else 0.0) + self.ahead

    def now(self):
        return datetime(2026, 11, 20, 12, tzinfo=UTC) + timedelta(seconds=self.slept)

    def sleep(self, seconds):
        self.ahead += seconds
        self.slept += seconds


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "GH_TOKEN", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with Loopback() as running:
        yield running


@pytest.fixture(scope="session")
def forks():
    if not hasattr(os, "fork"):
        pytest.skip("no fork: run on Linux or macOS")
    from tests.reliability.forks import Forks

    with Forks() as running:
        yield running
