"""One server that forks, for all tests here."""

import os

import pytest


@pytest.fixture(scope="session")
def forks():
    if not hasattr(os, "fork"):
        pytest.skip("no fork: run on Linux or macOS")
    from tests.reliability.forks import Forks

    with Forks() as running:
        yield running
