"""Titles full of escape sequences change nothing in a terminal, whatever command prints them."""

from __future__ import annotations

import io
import re
import sys

import pytest

from podgraph.output.cli import main
from podgraph.output.terminal import print_table, warn
from tests.output.running import Terminal
from tests.reliability.hostile import ESC
from tests.tables import read_table

# What a terminal obeys, C0 and C1 (ECMA-48), and what turns the direction (UAX 9). Line feeds are ours.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# What podgraph itself writes: styles, links, and the bar of progress.
STYLE = re.compile(r"\x1b\[[0-9;]*m|\x1b]8;[^;\x1b]*;[^\x1b]*\x1b\\|\r|\x1b\[\?25[lh]|\x1b\[(?:2K|1A)")
EVIL = f"{ESC}\u202e\u2066\u200f\r\nvmap\x9d0;x\x07"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("terminal")
    escaped = "".join(f"&#{ord(c)};" if c > "\x7f" or c == "\x1b" else c for c in ESC if c != "\x07")
    evil = f"{escaped}\u202e\u2066\u200f vmap"
    item = (
        f"<item><title>{evil} {{n}}</title><itunes:episode>{{n}}</itunes:episode><guid>{evil}{{n}}</guid><author>{evil}</author>"
        f"<pubDate>{evil}</pubDate><podcast:person role='guest'>{evil}</podcast:person><category>{evil}</category>"
        f"<description>{evil} https://github.com/a/b/pull/1 &lt;a href='https://github.com/a/b/pull/1'&gt;{evil}&lt;/a&gt;"
        f" torch.vmap {evil}</description></item>"
    )
    (here / "feed.xml").write_text(
        '<rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">'
        f"<channel><title>{evil}</title>{item.format(n=1)}{item.format(n=2)}</channel></rss>",
        "utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        assert main(["build", "feed.xml", "-q", "-o", "g.json"]) == 0
    return here


@pytest.mark.parametrize("kind", ["pipe", "terminal", "narrow"])
@pytest.mark.parametrize("question", [row[0] for row in read_table(__file__, "questions.txt")])
def test_nothing_speaks_to_the_terminal(folder, monkeypatch, question, kind):
    words = [word.replace("E", EVIL) for word in question.split()]
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PODGRAPH_GRAPH", "g.json")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "24" if kind == "narrow" else "120")
    out, err = (io.StringIO(), io.StringIO()) if kind == "pipe" else (Terminal(), Terminal())
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    try:
        status = main(words)
    except SystemExit as leave:
        status = leave.code
    assert status in {0, 1, 2}
    printed = out.getvalue() + err.getvalue()
    assert printed
    assert not OBEYED.search(STYLE.sub("", out.getvalue() + err.getvalue()))
    assert "should not happen" not in printed
    if kind == "pipe":
        assert not OBEYED.search(out.getvalue()), "no colours in a pipe"


@pytest.mark.parametrize("write", [warn, lambda text: print_table(("a",), [(text,)], text)])
def test_what_prints_cleans(capsys, write):
    write(EVIL)
    out, err = capsys.readouterr()
    assert not OBEYED.search(out + err)
    assert (out + err).count("\n") == 1


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_json_that_is_written_may_be_shown(folder, tmp_path, suffix):
    path = tmp_path / f"x.{suffix}"
    assert main(["export", str(path), "-q", "-g", str(folder / "g.json")]) == 0
    text = path.read_text("utf-8")
    assert "\\u202e" in text
    assert not OBEYED.search(text)
