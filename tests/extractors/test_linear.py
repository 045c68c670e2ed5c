"""Extraction grows with the length of its input and no faster, whatever the input: measured in work, not in seconds.

Work is what does not depend on the machine: lines of Python run, calls into C, and the characters that regular
expressions pass over (from where a search starts to where it ends). What one search costs by itself is bounded
by how its pattern is written.
"""

import re
import sys
from types import SimpleNamespace

import pytest

from podgraph.extractors.mentions import extraction, urls
from podgraph.extractors.model import Episode, Feed
from podgraph.extractors.notes import links, text
from podgraph.extractors.sites import identify
from podgraph.extractors.suffixes import public_suffix
from podgraph.extractors.url import split_url

ROOMS = ("podgraph.extractors.mentions.", "podgraph.extractors.notes.")
MODULES = [module for name, module in sys.modules.items() if name.startswith(ROOMS)]
PATTERNS = re.Pattern
OWN_TITLE = "stacks and heaps"  # of another episode of the show
SIZE = 3000
RATIO = 2.2

# Each takes a number of characters and returns about so many.
SHAPES = {
    "words": lambda n: "some words in a row " * (n // 20),
    "one word": lambda n: "a" * n,
    "one line of digits": lambda n: "1" * n,
    "nested divs": lambda n: "<div>" * (n // 11) + "x" + "</div>" * (n // 11),
    "nested lists": lambda n: "<ul><li>" * (n // 8),
    "unclosed tags": lambda n: "<p class=x " * (n // 11),
    "open angles": lambda n: "<" * n,
    "open tag names": lambda n: "<a" * (n // 2),
    "one open tag": lambda n: "<a " + "b " * (n // 2),
    "unclosed double quotes": lambda n: '<a href="' * (n // 9),
    "unclosed single quotes": lambda n: "<a href='x\" " * (n // 12),
    "quotes of both kinds": lambda n: "<a b=\"'<a b='\"" * (n // 14),
    "blank attributes": lambda n: "<a" + " " * n + ">",
    "equal signs": lambda n: "<a " + "= " * (n // 2) + ">",
    "many attributes": lambda n: "<a " + "b=c " * (n // 4) + "href=https://x.example>",
    "comments": lambda n: "<!--" * (n // 4),
    "scripts": lambda n: "<script>" * (n // 8),
    "unknown closed elements": lambda n: "<x-y></x-z>" * (n // 11),
    "links": lambda n: "<a href='https://x.example/a'>https://x.example/a</a> " * (n // 53),
    "links with other words": lambda n: "<a href='https://x.example/a'>https://y.example/b</a> " * (n // 53),
    "unclosed links": lambda n: "<a href='https://x.example/a'>x " * (n // 32),
    "one link of many URLs": lambda n: "<a href='https://x.example/a'>" + "https://y.example/b " * (n // 20) + "</a>",
    "entities": lambda n: "&amp;" * (n // 5),
    "broken entities": lambda n: "&amp" * (n // 4),
    "ampersands": lambda n: "&" * n,
    "escaped tags": lambda n: "&lt;p&gt;" * (n // 9),
    "escaped escapes": lambda n: "&amp;lt;a " * (n // 10),
    "schemes": lambda n: "https://" * (n // 8),
    "schemes without slashes": lambda n: "https:" * (n // 6),
    "glued URLs": lambda n: "https://x.example/a" * (n // 19),
    "URLs in a query": lambda n: "https://x.example/?u=" * (n // 21),
    "one long URL": lambda n: "https://x.example/" + "a" * n,
    "slashes": lambda n: "/" * n,
    "slashed schemes": lambda n: "https:" + "/" * n,
    "dots": lambda n: "." * n,
    "dotted letters": lambda n: "a." * (n // 2),
    "dotted foreign letters": lambda n: "a.bc中" * (n // 5),
    "hosts": lambda n: "example.com " * (n // 12),
    "glued hosts": lambda n: "example.com中" * (n // 12),
    "dots behind a URL": lambda n: "https://x.example/a" + "." * n,
    "ellipses": lambda n: "https://x.example/a..." * (n // 22),
    "ellipsis characters": lambda n: "https://x.example/" + "…" * n,
    "elided": lambda n: "https://x.example/" + "a…" * (n // 2),
    "elided segments": lambda n: "https://x.example/" + "…/" * (n // 2),
    "colons": lambda n: "https://x.example/" + ":" * n,
    "colons and slashes": lambda n: "https://x.example/" + "://" * (n // 3),
    "ports": lambda n: "x.example:1234" * (n // 14),
    "hyphens": lambda n: "a-" * (n // 2) + ".com",
    "open brackets": lambda n: "https://x.example/" + "(" * n,
    "closed brackets": lambda n: "(https://x.example/" + ")" * n,
    "brackets that open and close": lambda n: "https://x.example/" + "()" * (n // 2),
    "brackets that do not match": lambda n: "https://x.example/" + "([)]" * (n // 4),
    "bracketed URLs": lambda n: "(https://x.example/a) " * (n // 22),
    "unclosed bracketed URLs": lambda n: "(https://x.example/a " * (n // 21),
    "foreign brackets": lambda n: "https://x.example/" + "「」" * (n // 2),
    "quotes behind a URL": lambda n: "https://x.example/a" + "'" * n,
    "semicolons": lambda n: "https://x.example/?a&b;" + "&b;" * (n // 3),
    "commas": lambda n: "https://x.example/," * (n // 19),
    "placeholders": lambda n: "https://x.example/<a-b>" * (n // 23),
    "emphasis": lambda n: "**https://x.example/a** " * (n // 24),
    "underscores": lambda n: "_https://x.example/" + "_" * n,
    "stars": lambda n: "*https://x.example/" + "*a" * (n // 2),
    "markdown": lambda n: "[a](https://x.example/a)" * (n // 24),
    "markdown brackets": lambda n: "[" * (n // 2) + "](" * (n // 4),
    "foreign path": lambda n: "https://x.example/" + "日本" * (n // 2),
    "zero-width": lambda n: "https://x.example/" + "a\u200b" * (n // 2),
    "joiners": lambda n: "\u200d" * n,
    "spaces": lambda n: " " * n,
    "lines": lambda n: "\n" * n,
    "lines of links": lambda n: "https://x.example/a\n" * (n // 20),
    "at signs": lambda n: "https://a@" * (n // 10),
    "user names": lambda n: "https://" + "a:" * (n // 2) + "@x.example",
    "numbers": lambda n: "#1234 " * (n // 6),
    "lists of numbers": lambda n: "PRs #1234" + ", #1234" * (n // 7),
    "words and numbers": lambda n: "PR 1234 " * (n // 8),
    "repositories": lambda n: "owner/repo#12 " * (n // 14),
    "half repositories": lambda n: "owner/" * (n // 6),
    "long repositories": lambda n: "a-" * (n // 4) + "/" + "b." * (n // 4) + "#1",
    "proposals": lambda n: "PEPs 8" + ", 484" * (n // 5),
    "papers": lambda n: "arXiv:1706.03762 doi:10.1145/1.(2) " * (n // 35),
    "names": lambda n: "Mike Ruberry and Ann Example (annex) join me. " * (n // 46),
    "capitals": lambda n: "Ann " * (n // 4),
    "guests": lambda n: "joined by " * (n // 10),
    "dotted names": lambda n: "torch.nn." * (n // 9),
    "names with colons": lambda n: "at::native::" * (n // 12),
    "unknown dotted names": lambda n: "torch.zzz" + ".zzz" * (n // 4),
    "names with slashes": lambda n: "torch.save/load/" * (n // 16),
    "paths": lambda n: "aten/src/ATen/" * (n // 14),
    "classes": lambda n: "TensorIterator Tensor& ShapeEnv() Tensor/Storage " * (n // 48),
    "snakes": lambda n: "torch_function __torch_dispatch__ c_" * (n // 36),
    "phrases": lambda n: "tensor iterator dispatch key " * (n // 29),
    "topics": lambda n: "autograd, CUDA graphs and dispatchers " * (n // 38),
    "announced titles": lambda n: "the previous episode on stacks and heaps " * (n // 41),
    "announcements": lambda n: "see also the previous episode " * (n // 30),
    "handles": lambda n: "(mcarilli) @albanD PRs from annex " * (n // 34),
}


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

            def search(self, string, *bounds):
                return self._run("search", string, *bounds)

            def match(self, string, *bounds):
                return self._run("match", string, *bounds)

            def fullmatch(self, string, *bounds):
                return self._run("fullmatch", string, *bounds)

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
                    monkeypatch.setattr(module, name, {key: self.pattern(one) for key, one in value.items()})
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


def read(markup):
    """Do all that this room does with an episode's notes: in a show, and in one about code, where they are its title, too."""
    for cache in (public_suffix, split_url, identify, urls.list_links):
        cache.cache_clear()
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
    once, twice = (meter.run(read, SHAPES[shape](size)) for size in (SIZE, 2 * SIZE))
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
