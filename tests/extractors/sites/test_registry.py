"""What a URL shows, by all site rules together: the tables under ``tables/``.

A group is ``kind id``; the URLs that spell it follow, one a line and indented; behind two spaces stands what else
a URL says: ``L10-L20`` the lines, ``@main`` the branch, tag or commit, ``t=75`` the second of a recording.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from podgraph.extractors.sites import FAMILIES, identify
from podgraph.extractors.sites.registry import find_parser
from podgraph.graph import KINDS, RELATIONS
from tests.tables import read_rows

TABLES = Path(__file__).parent / "tables"
CITED = {name for name, kind in KINDS.items() if kind.groups & RELATIONS["cites"].targets}


def rows():
    for table in sorted(TABLES.glob("*.txt")):
        kind = id_ = ""
        for line in table.read_text("utf-8").splitlines():
            if line.startswith(" "):
                url, _, rest = line.strip().partition("  ")
                yield table.stem, url, (kind, id_, *said(rest))
            elif line and not line.startswith("#"):
                kind, _, id_ = line.partition(" ")


def said(text):
    """Return (lines, rev, time)."""
    words = text.split()
    return tuple(
        next((word.removeprefix(mark) for word in words if word.startswith(begin)), "")
        for mark, begin in (("", "L"), ("@", "@"), ("t=", "t="))
    )


ROWS = list(rows())
URLS = [url for _, url, _ in ROWS]


@pytest.mark.parametrize(("url", "expected"), [row[1:] for row in ROWS])
def test_an_address_and_its_canonical_link(url, expected):
    _, ref = identify(url)
    assert (ref.kind, ref.id, ref.lines, ref.rev, ref.time) == expected
    assert ref.kind in CITED
    assert ref.label.strip()
    assert (ref.id + ref.label).isprintable()
    if ref.kind in {"pull", "issue", "file", "folder", "commit", "wiki", "release", "compare", "discussion"}:
        repo = dict(ref.attrs)["repo"]
        assert ref.id.startswith(f"github:{repo}")
        assert repo == repo.lower()
    assert ref.url.startswith(("https://", "http://"))
    _, again = identify(ref.url)
    assert (again.kind, again.id, again.url) == (ref.kind, ref.id, ref.url)


@pytest.mark.parametrize("url", [url for table, url, _ in ROWS if table == "no_repository"])
def test_no_repository_is_seen_where_there_is_none(url):
    _, ref = identify(url)
    assert not ref.id.startswith(("github:", "gist:", "person:"))


@pytest.mark.parametrize("text", read_rows(__file__, "test_what_is_no_address_is_nothing"))
def test_what_is_no_address_is_nothing(text):
    assert identify(text) is None


@pytest.mark.parametrize(("url", "name"), read_rows(__file__, "test_the_rule_that_knew_is_named"))
def test_the_rule_that_knew_is_named(url, name):
    assert identify(url)[0] == name


def test_a_question_mark_in_a_title_stays_escaped_in_its_link():
    link = "https://en.wikipedia.org/wiki/What%3F"
    assert {identify(url)[1].url for url in (link, "https://en.wikipedia.org/w/index.php?title=What?")} == {link}


def test_what_a_label_cannot_print_is_one_space():
    _, ref = identify("https://pytorch.org/docs/stable/a%0A%0Ab.html")
    assert ref.label == "pytorch: a b"


# --- any text ---------------------------------------------------------------------------------------------------

PIECES = sorted({piece for url in URLS for piece in url.replace("?", "/").replace("#", "/").split("/")})
HOSTILE = ["", ".", "..", "%", "%2F", "%00", "%FF", "…", "\x00", "\ud800", " ", "[", "é", "@", "9" * 5000, "-" * 200]


@st.composite
def mutated(draw):
    """A known URL with a few places overwritten, cut or doubled."""
    url = draw(st.sampled_from(URLS))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(url)))
        end = draw(st.integers(start, min(len(url), start + 6)))
        middle = draw(st.sampled_from(HOSTILE) | st.sampled_from(PIECES) | st.text(max_size=3))
        url = url[:start] + middle + url[end:]
    return url


composed = st.builds(
    lambda host, pieces, tail: f"https://{host}/{'/'.join(pieces)}{tail}",
    st.sampled_from(sorted({url.split("/")[2] for url in URLS if url.count("/") > 1})),
    st.lists(st.sampled_from(PIECES) | st.sampled_from(HOSTILE), max_size=7),
    st.sampled_from(
        ["", "?", "?q=x", "?url=https%3A%2F%2Fgithub.com%2Fo%2Fr", "#L1-L2", "#\x00", "?id=9", "?issue=a|b|1"]
    ),
)


@pytest.mark.parametrize("family", FAMILIES)
@given(text=st.text() | mutated() | composed)
@example(text="https://[")
@example(text="//")
@example(text="git@github.com:")
def test_a_rule_answers_any_text(family, text):
    ref = find_parser(family)(text)
    assert ref is None or ref.kind in CITED


@given(text=mutated() | composed)
def test_the_canonical_link_of_anything_shows_the_same(text):
    found = identify(text.replace("\ud800", ""))  # no text that was ever UTF-8 holds half a character
    if found:
        again = identify(found[1].url)
        assert again is not None
        assert again[1].id == found[1].id
        assert again[1].url == found[1].url


@given(text=mutated() | composed)
def test_ids_are_lines_of_printable_text(text):
    found = identify(text)
    assert found is None or (found[1].id.isprintable() and found[1].label.isprintable())


def test_the_rules_load_nothing_heavy():
    code = "import sys, podgraph.extractors.sites as s; s.identify('https://example.org/'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"networkx", "requests", "feedparser", "lxml", "tldextract", "idna", "tomllib"} & set(loaded)
