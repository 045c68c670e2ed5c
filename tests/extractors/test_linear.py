"""Extraction grows with the length of its input and no faster, whatever the input: measured in work, not in seconds.

Work is what does not depend on the machine: lines of Python run, calls into C, and the characters that regular
expressions pass over (from where a search starts to where it ends). What one search costs by itself is bounded
by how its pattern is written.
"""

import re
import sys
from functools import partialmethod
from types import SimpleNamespace

import pytest

from podgraph.extractors.mentions import extraction, urls
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes import links, text
from tests.extractors import link_tables as tables

ROOMS = ("podgraph.extractors.mentions.", "podgraph.extractors.notes.")
MODULES = [module for name, module in sys.modules.items() if name.startswith(ROOMS)]
PATTERNS = re.Pattern
OWN_TITLE = "stacks and heaps"  # of another episode of the show
SIZE = 3000
RATIO = 2.2

# Each is a list of parts; one in a list is repeated, the whole has about the number of characters that is asked for.
SHAPES = tables.cases("shapes.json")


def fill(shape, size):
    count = size // sum(isinstance(part, list) for part in shape)
    return "".join(part if isinstance(part, str) else part[0] * (count // len(part[0])) for part in shape)


class CountedPatterns(dict):
    """The patterns of a table, counted by a meter from their first use; other texts there are parts of patterns."""

    def __init__(self, meter, patterns):
        self.meter, self.patterns = meter, patterns

    def __missing__(self, name):
        self[name] = self.meter.pattern(self.patterns[name])
        return self[name]


class Meter:
    """Counts the work of a function."""

    def __init__(self):
        self.steps = 0

    def pattern(self, compiled):
        meter = self

        class Counted:
            def __getattr__(self, name):
                return getattr(compiled, name)

            def _run(self, name, string, *bounds):
                match = getattr(compiled, name)(string, *bounds)
                start = bounds[0] if bounds else 0
                end = bounds[1] if len(bounds) > 1 else len(string)
                # Where a match fails at its place, how far it looked is not known; it is bounded by the pattern.
                meter.steps += (match.end() if match else end if name == "search" else start) - start + 1
                return match

            search = partialmethod(_run, "search")
            match = partialmethod(_run, "match")
            fullmatch = partialmethod(_run, "fullmatch")

            def finditer(self, string, *bounds):
                meter.steps += (bounds[1] if len(bounds) > 1 else len(string)) - (bounds[0] if bounds else 0)
                return compiled.finditer(string, *bounds)

            def _whole(self, name, string, *rest):
                meter.steps += len(string)
                return getattr(compiled, name)(*rest)

            def sub(self, replacement, string, count=0):
                return self._whole("sub", string, replacement, string, count)

            def split(self, string, maxsplit=0):
                return self._whole("split", string, string, maxsplit)

            def findall(self, string):
                return self._whole("findall", string, string)

        return Counted()

    def install(self, monkeypatch):
        for module in MODULES:
            for name, value in list(vars(module).items()):
                if isinstance(value, PATTERNS):
                    monkeypatch.setattr(module, name, self.pattern(value))
                if name == "_PATTERNS":
                    monkeypatch.setattr(module, name, CountedPatterns(self, value))
            if "re" in vars(module):
                own = SimpleNamespace(
                    **{name: getattr(re, name) for name in ("escape", "sub", "split", "IGNORECASE", "Match", "Pattern")}
                )
                own.compile = lambda pattern, flags=0: self.pattern(re.compile(pattern, flags))
                monkeypatch.setattr(module, "re", own)

    def run(self, function, *arguments):
        self.steps = 0

        def trace(frame, event, argument):
            self.steps += 1
            return trace

        def profile(frame, event, argument):
            self.steps += 1

        before = sys.gettrace(), sys.getprofile()
        sys.settrace(trace)
        sys.setprofile(profile)
        try:
            function(*arguments)
        finally:
            sys.settrace(before[0])
            sys.setprofile(before[1])
        return self.steps


def clear_caches():
    """Forget texts and addresses. The caches of tables and indexes are smaller, but for that of an episode's links."""
    urls.list_links.cache_clear()
    for module in [module for name, module in sys.modules.items() if name.startswith("podgraph.extractors.")]:
        for value in vars(module).values():
            if hasattr(value, "cache_parameters") and (value.cache_parameters()["maxsize"] or 0) >= 1000:
                value.cache_clear()


def read(markup):
    """Do all that this room does with an episode's notes: in a show, and in one about code, where they are its title, too."""
    clear_caches()
    notes, found = text.to_text(markup, "https://feed.example/")
    own = Episode("episode:p/e", "episode", "podcast:p", "", notes, found, url="https://feed.example/e")
    other = Episode("episode:p/other", "episode", "podcast:p", OWN_TITLE)
    titled = Episode("episode:q/e", "episode", "podcast:q", notes, notes)
    show = Feed("feed.xml", "podcast", "podcast:p", "P", (own, other))
    about_code = Feed("code.xml", "podcast", "podcast:q", "Q", (titled,), default_repo="pytorch/pytorch")
    extraction.extract([show, about_code])


@pytest.fixture
def meter(monkeypatch):
    meter = Meter()
    meter.install(monkeypatch)
    read("Some https://x.example/a, example.com, (albanD), torch.vmap <b>words</b>")  # what is loaded once
    return meter


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_input_is_twice_the_work(meter, shape):
    once, twice = (meter.run(read, fill(SHAPES[shape], size)) for size in (SIZE, 2 * SIZE))
    assert twice <= RATIO * once


def test_the_meter_sees_what_is_not_linear(monkeypatch):
    meter = Meter()
    monkeypatch.setattr(links, "_ANCHOR", re.compile("x"))
    meter.install(monkeypatch)

    def search_again_and_again(string):
        for at in range(0, len(string), 10):
            links._ANCHOR.search(string, at)

    def nested(string):
        for _ in string:
            for _ in string:
                pass

    assert meter.run(search_again_and_again, "a" * 2000) > 3 * meter.run(search_again_and_again, "a" * 1000)
    assert meter.run(nested, "a" * 200) > 3 * meter.run(nested, "a" * 100)
