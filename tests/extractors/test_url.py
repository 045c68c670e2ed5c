"""One place takes URLs apart: what it says, as tables, and that nobody else does it."""

import ast
from pathlib import Path

import pytest

from podgraph.extractors.url import (
    address_key,
    host_of,
    is_web,
    join,
    split_scheme,
    split_url,
    without_scheme,
    without_user,
)

ROOT = Path(__file__).parent.parent.parent

PARTS = [  # URL, then what it is in one spelling, host, segments, query, fragment, www
    ("https://x.org", "https://x.org/", "x.org", (), (), "", False),
    ("HTTPS://WWW.X.org:443/a/../b/./c/", "https://x.org/b/c/", "x.org", ("b", "c"), (), "", True),
    ("http://www.x.org:443/?", "http://x.org:443/", "x.org:443", (), (), "", True),
    ("//me:pw@x.org/%7Ea/%2f?b&a=1&utm_source=z#F%20", "https://x.org/~a/%2F?a=1&b", "x.org", ("~a", "%2F"), (("b", ""), ("a", "1")), "F%20", False),
    ("https:\\\\x.org\\a", "https://x.org/a", "x.org", ("a",), (), "", False),
    ("https://www.org/", "https://www.org/", "www.org", (), (), "", False),
    ("https://WWW.Bücher。example./ü", "https://xn--bcher-kva.example/%C3%BC", "xn--bcher-kva.example", ("%C3%BC",), (), "", True),
    ("https://[2001:DB8::1]:8080/a", "https://[2001:db8::1]:8080/a", "[2001:db8::1]:8080", ("a",), (), "", False),
]  # fmt: skip
NO_URLS = [
    *("", "x.org/a", "mailto:a@x.org", "ftp://x.org/", "https://", "https:///a", "https://a b/", "https://x.org:99999999/"),
    *("https://x.org:8o/", "https://[::1", "https://[::1]8/", "https://[zz]/", "https://-x.org/", "https://a..b/"),
]  # fmt: skip
OTHERS = [
    (split_scheme, ("HTTP://x",), ("http", "//x")),
    (split_scheme, ("//x:1",), ("", "//x:1")),
    (is_web, ("hTTps://x",), True),
    (is_web, ("https:x",), False),
    (host_of, ("http://u@X.org:80/a",), "x.org"),
    (host_of, ("x.org",), ""),
    (join, ("https://x.org/a/b?c", "?d"), "https://x.org/a/b?d"),
    (join, ("https://x.org/", "//[/"), "//[/"),
    (without_user, ("https://a:b@c/d@e",), "https://c/d@e"),
    (without_user, ("https://a\\@c/",), "https://a\\@c/"),
    (without_user, ("https://a/?u=https://b:c@d",), "https://a/?u=https://b:c@d"),
    (without_user, ("a@b",), "a@b"),
    (address_key, ("HTTP://Me@X.org/A?B#C",), "http://me@x.org/A?B"),
    (address_key, ("X.org/A#C",), "X.org/A"),
    (without_scheme, ("http//www.x.org/a/",), "x.org/a"),
    (host_of, ("//a:b@WWW.X.org.:8080",), "x.org:8080"),
]


@pytest.mark.parametrize(("url", "text", "host", "segments", "query", "fragment", "www"), PARTS)
def test_the_parts(url, text, host, segments, query, fragment, www):
    parts = split_url(url)
    assert parts.text() == text
    assert (parts.host, parts.segments, parts.query, parts.fragment, parts.www) == (
        host,
        segments,
        query,
        fragment,
        www,
    )
    assert split_url(parts.text()).text() == text


@pytest.mark.parametrize("text", NO_URLS)
def test_what_is_no_web_address(text):
    assert split_url(text) is None


@pytest.mark.parametrize(("function", "arguments", "expected"), OTHERS)
def test_the_other_questions(function, arguments, expected):
    assert function(*arguments) == expected


# --- nobody else --------------------------------------------------------------------------------------------------

SPLITTERS = frozenset(("urlsplit", "urlparse", "urlunsplit", "urlunparse", "urljoin", "urldefrag", "parse_url"))
ELSEWHERE = {  # file: why it takes URLs apart on its own
    "extractors/sources/fetch.py": "requests asks for what the standard library makes of the address, so that is checked",
    "extractors/metadata/credentials.py": "the same of the address of GitHub's API",
    "graph/questions/keys.py": "addresses that a package's own rules made are compared, not understood",
    "graph/questions/moments.py": "which host's player an episode's page is, told of a host that was taken apart",
    "extractors/feeds/private.py": "keys are hidden in every text of a private feed, also in what is no address",
}
CUTS = frozenset(("partition", "rpartition", "split", "rsplit", "find", "rfind", "index", "removeprefix"))


def taken_apart(source):
    """Yield the names by which a file takes URLs apart itself."""
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []
        yield from (name for name in names if name in SPLITTERS)
        if isinstance(node, ast.Attribute) and node.attr in SPLITTERS:
            yield node.attr
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CUTS:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and argument.value in {
                    "://",
                    "//",
                    "www.",
                    "http://",
                    "https://",
                }:
                    yield f'.{node.func.attr}("{argument.value}")'


@pytest.mark.checkout
def test_a_url_is_taken_apart_in_one_place():
    files = [path for room in ("extractors", "graph", "output") for path in (ROOT / room).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix(): sorted(set(taken_apart(path.read_text("utf-8")))) for path in files}
    assert {name for name, ways in found.items() if ways} == {"extractors/url.py", *ELSEWHERE}, found


@pytest.mark.parametrize(
    "source",
    ["from urllib.parse import urlsplit", "import urllib3\nurllib3.util.parse_url(u)", "u.partition('://')[2]", "h.removeprefix('www.')"],
)  # fmt: skip
def test_another_place_would_be_found(source):
    assert list(taken_apart(source))
