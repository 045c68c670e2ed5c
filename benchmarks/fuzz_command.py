"""Run the whole command on mutated files for some time, a process each, and keep what broke it.

    python benchmarks/fuzz_command.py --seconds 600 [--seed 7] [--keep FOLDER] [KIND ...]
    python benchmarks/fuzz_command.py --case feeds:7:123

POSIX only; needs the test requirements. A case breaks when the status is not 0, 1 or 2, when an error is not one line,
when something is written though the status is 2, when controls or direction marks are printed, when what says
``--json`` prints no JSON, or when it takes more than 20 s of processor or 1 GB. Exits 1 when one did.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

SECONDS, MEGABYTES = 20, 1000
STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FIXTURES = ROOT / "tests" / "extractors" / "fixtures"
QUESTIONS = [
    words.split(" ")
    for words in (
        "cites vmap|cites pytorch/pytorch#130935 --json|show topic:vmap --json --fields all|show vmap|"
        "related vmap --json|where torch/_functorch/vmap.py|search vmap --json|search strides|list episodes|"
        "list topics --json|list artifacts|related vmap|order|order strides --json|path vmap functorch|"
        "path strides vmap --json|stats|stats --json|stats --links|review torch/_functorch/vmap.py|why strides vmap|"
        "list podcasts|list people|export out.gexf|export out.bib|export out.html|export out.md|export out.csv|"
        "export out.dot|export out.ttl|export out.graphml|export out.cypher|export out.sqlite|export out.cyjs|"
        "export out.jsonld|export out.svg|export out.json|page g.json -o out.html|diff g.json g.json|"
        "look-up g.json --offline"
    ).split("|")
]
ODD = (None, 0, -1, 1.5, True, "", "x", [], [1], {}, {"a": 1}, ["x"], 10**30, [None], [[]], "\x1b[2J", "\u202e",
       "\ud800", 1e308, -0.0, "9" * 5000, "2021-13-45", "http://[::1", "a" * 70_000)  # fmt: skip
TOKENS = {
    "xml": "<item>|</item>|</|]]>|<![CDATA[|<!DOCTYPE a [<!ENTITY b 'c'>]>|&#x0;|&b;|&#xD800;|&amp;|<?x|<!--|-->|"
    "<a b='|'>|\"|<title>|</title>|<description>|<pubDate>|<link>|<content:encoded>|<itunes:duration>|encoding='utf-7'|"
    "xmlns:x='y'|<x:y>|\x00|\x1b[2J|\u202e|http://|mailto:|<enclosure url='|<svg><math><title>|<table><a>|<script>|"
    "</script>",
    "notes": "<a href='|<a href=\"|</a>|<p>|<br>|<ul><li>|<svg>|<math>|<template>|<table><td><a>|<select>|<noscript>|"
    "<!--|-->|<![CDATA[|]]>|&lt;|&#|&#x110000;|&nbsp|<plaintext>|<textarea>|<title>|https://|http://a@b:99999/|//|ftp:|"
    "#|%|%zz|%00|[|](|)|`|*|_|…|...|.|torch.|::|@|\u202e|\u200b|\u00ad|\ufdd0|\u0130|ẞ|👩‍👩‍👧|e\u0301|github.com/|"
    "/pull/|/blob/|#L|PR |a/b#|arXiv:|doi:10.|youtu.be/|PEP |<style>|<b>|</b>|<font>|<frameset>|<body>",
    "url": "http|https|://|:|//|/|\\|?|#|@|%|%2F|%00|%ff|[|]|::1|..|.|github.com|pytorch.org|docs.|arxiv.org|doi.org|"
    "youtu.be|/pull/|/issues/|/blob/|/tree/|/commit/|/abs/|/watch?v=|/t/|#L1-L|#issuecomment-|9999999999999999999|xn--|"
    "。|：|／|é|\u0661|\u202e|\x00|\n|\t| |torch.|::|<|>|(|)|*|_|'|\"|;|,|&amp;|=|+|~|!|$|^|`|{|}|🚀|ß|\u212a|\ud800|"
    "www.|gist.|raw.|user:pw@|:80|:99999",
    "cues": "-->|00:00:01,000|99:99:99.999|1:00|-1:00:00|WEBVTT|NOTE|STYLE|REGION|<v |</v>|<c>|{\\an8}|\n\n|\n|\t|"
    "start|end|text|"
    'start\tend\ttext|{|}|[|]|"segments"|"words"|"startTime"|1e999|NaN|null|-0|<text start="|<p t="|<tt>|&gt;|\x00|'
    '\ufeff|chapters|"title"|"version"|999999999999999999|٣:١٢|：',
    "toml": "[|]|[[|]]|=|\"|'|'''|\"\"\"|\n|{|}|,|.|#|1|1e999|nan|-inf|true|1979-05-27|a|\\u0000|\\UD8000000|\x00|"
    "[a.b]|a.b.c=1|[corrections]|boilerplate|same|rename|merge|relate|sources|formats|graph|logo|accent|title|"
    "/etc/passwd|../..|label|aliases|weak|parent|id|extends|files|pages|subject|topics|[[topics]]",
}  # fmt: skip


def spoilt(data: bytes, chance: Random, words: list[bytes], other: bytes = b"") -> bytes:
    """Return data with some bytes gone, doubled, changed, or with words and pieces of another file in between."""
    for _ in range(chance.choice((1, 1, 2, 4, 12))):
        at = chance.randrange(len(data) + 1)
        size = chance.choice((1, 3, 20, 300, 3000))
        way = chance.randrange(7)
        if way == 0:
            data = data[:at] + data[at + size :]
        elif way == 1:
            data = data[:at] + data[at : at + size] * chance.choice((2, 2, 40)) + data[at + size :]
        elif way == 2:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif way == 3 and other:
            start = chance.randrange(len(other))
            data = data[:at] + other[start : start + size] + data[at:]
        elif way == 4:
            data = data[:at] + data[at:].replace(b"1", chance.choice((b"0", b"-1", b"9" * 30)), 1)
        elif words:
            data = data[:at] + b"".join(chance.choices(words, k=chance.choice((1, 1, 3)))) + data[at:]
    return data[:300_000]


def tokens(name: str) -> list[bytes]:
    return [word.encode("utf-8", "surrogatepass") for word in TOKENS[name].split("|") if word]


def soup(chance: Random, name: str, most: int) -> str:
    """Return words in no order, now and then one of them many times."""
    words = [word for word in TOKENS[name].split("|") if word]
    made = chance.choices([*words, "a", "Ann Lee", "vmap", " ", "1"], k=chance.randrange(1, most))
    if chance.random() < 0.2:
        made.insert(0, chance.choice(words) * chance.choice((50, 3000)))
    return "".join(made)


def odd(chance: Random) -> object:
    """Return one of the odd values, a list or dict of its own."""
    return json.loads(json.dumps(chance.choice(ODD)))


def changed(data: object, chance: Random) -> object:
    """Return JSON data with some places gone, doubled, or of another type."""
    data = json.loads(json.dumps(data))
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = data
        while isinstance(place, dict | list) and place:
            key = chance.choice([*place] if isinstance(place, dict) else range(len(place)))
            inner = place[key]
            if isinstance(inner, dict | list) and inner and chance.random() < 0.9:
                place = inner
                continue
            way = chance.random()
            if way < 0.25:
                del place[key]
            elif way < 0.35 and isinstance(place, list):
                place.append(inner)
            elif way < 0.45 and isinstance(place, dict):
                place[chance.choice(["x", "id", "kind", "label", "url", "key", "weight", "date"])] = odd(chance)
            else:
                place[key] = odd(chance)
            break
    return data


class Seeds:
    """What is mutated: made once, in a folder."""

    def __init__(self, folder: Path) -> None:
        from podgraph.output.formats import write_graph
        from tests.extractors.metadata.histories import History
        from tests.extractors.transcripts.test_read import TEXTS
        from tests.output.graphs import contract_graph
        from tests.reliability.hostile import HOSTILE
        from tools.index.tests.test_build import FACTS, FILES, build_index, make_wheel

        self.folder = folder
        graph = contract_graph()
        graph.graph["generator"] = "podgraph 0"
        for suffix in ("json", "sqlite", "graphml", "gexf"):
            write_graph(graph, folder / f"g.{suffix}")
        self.graph = json.loads((folder / "g.json").read_bytes())
        self.feeds = [path.read_bytes() for path in sorted((FIXTURES / "feeds").iterdir()) if path.suffix != ".toml"]
        small = [one.data() for one in HOSTILE if not callable(one.make)]
        self.feeds += [data for data in small if len(data) < 20_000]
        self.sound = (FIXTURES / "feeds" / "rss20_podcast.xml").read_bytes()
        self.notes = [path.read_bytes() for path in sorted((FIXTURES / "notes").glob("*.toml"))]
        said = (text if isinstance(text, str | bytes) else json.dumps(text) for text, _ in TEXTS.values())
        self.cues = [text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass") for text in said]
        self.urls = re.findall(r"https?://\S+", "".join(
            path.read_text("utf-8") for path in (ROOT / "tests/extractors/sites/spellings").glob("*.txt")
        ))  # fmt: skip
        settings = (ROOT / "docs" / "settings.md").read_text("utf-8")
        self.settings = re.search(r"```toml\n(.*?)```", settings, re.DOTALL)[1].encode()
        self.vocabulary = (ROOT / "extractors/subjects/pytorch/topics.toml").read_bytes()[:6000]
        make_wheel(folder / "torch-9.1.0-py3-none-any.whl", FILES)
        self.index = build_index(folder / "torch-9.1.0-py3-none-any.whl", FACTS)[0]
        history = History()
        first = history.commit("Add vmap (#7)", "torch/vmap.py=one", "README.md=r")
        second = history.commit("Move it\n\nFixes #3", "torch/vmap.py>torch/func/vmap.py", parent=first)
        history.commit("Revert (#7)", "-README.md", parent=second)
        history.write(folder / "clone")
        self.clone = folder / "clone"


def _feed(notes: str) -> bytes:
    body = notes.replace("]]>", "]]]]><![CDATA[>")
    return (
        '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" '
        'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>F</title><item><title>One</title>'
        f"<guid>1</guid><itunes:duration>60</itunes:duration><description><![CDATA[{body}]]></description></item></channel></rss>"
    ).encode("utf-8", "surrogatepass")


def feeds(chance: Random, seeds: Seeds) -> list[str]:
    data = spoilt(chance.choice(seeds.feeds), chance, tokens("xml"), chance.choice(seeds.feeds))
    if chance.random() < 0.1:
        data = data.decode("utf-8", "replace").encode(
            chance.choice(("utf-16", "utf-32-be", "utf-7", "cp1252")), "replace"
        )
    if chance.random() < 0.05:
        data = spoilt(gzip.compress(data), chance, [])
    Path("feed.xml").write_bytes(data)
    return ["build", "feed.xml", "-o", chance.choice(("out.json", "out.html", "out.md", "out.sqlite", "out.csv"))]


def notes(chance: Random, seeds: Seeds) -> list[str]:
    if chance.random() < 0.5:
        text = soup(chance, "notes", 300)
    else:
        text = spoilt(chance.choice(seeds.notes), chance, tokens("notes")).decode("utf-8", "replace")
    Path("feed.xml").write_bytes(_feed(text))
    return ["build", "feed.xml", "-o", chance.choice(("out.json", "out.html", "out.md", "out.bib"))]


def urls(chance: Random, seeds: Seeds) -> list[str]:
    def one() -> str:
        url = chance.choice(seeds.urls).encode()
        if chance.random() < 0.3:
            return soup(chance, "url", 20)
        return spoilt(url, chance, tokens("url"), chance.choice(seeds.urls).encode())[:5000].decode(
            "utf-8", "surrogateescape"
        )

    if chance.random() < 0.5:
        Path("feed.xml").write_bytes(_feed("\n".join(f"{one()} <a href='{one()}'>x</a>" for _ in range(40))))
        return ["build", "feed.xml", "-o", "out.json"]
    text = one().replace("\0", "") or "x"
    return [
        chance.choice(("cites", "show", "where", "search", "review", "related", "order")),
        "-g",
        "sample",
        "--",
        text,
    ]


def _on(question: list[str], name: str) -> list[str]:
    words = [name if word == "g.json" else word for word in question]
    return words if name in words else [*words, "-g", name]


def graphs(chance: Random, seeds: Seeds) -> list[str]:
    text = json.dumps(changed(seeds.graph, chance))
    if chance.random() < 0.5:
        data = json.loads(text)
        try:
            about, rows, edges = (data[name] for name in ("graph", "nodes", "edges"))
            lists = (",\n".join(map(json.dumps, part)) for part in (rows, edges))
            shape = '{{"directed": true, "multigraph": true,\n"graph": {},\n"nodes": [\n{}\n],\n"edges": [\n{}\n]}}\n'
            text = shape.format(json.dumps(about), *lists)
        except (KeyError, TypeError):
            pass
    raw = text.encode()
    if chance.random() < 0.2:
        raw = spoilt(
            raw, chance, [b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\ud800", b"NaN", b"1e999", b"null", b"\xff"]
        )
    name = chance.choice(("g.json", "g.json", "g.json.gz"))
    Path(name).write_bytes(gzip.compress(raw) if name.endswith("gz") else raw)
    return _on(chance.choice(QUESTIONS), name)


def databases(chance: Random, seeds: Seeds) -> list[str]:
    shutil.copy(seeds.folder / "g.sqlite", "g.sqlite")
    if chance.random() < 0.5:
        Path("g.sqlite").write_bytes(
            spoilt(Path("g.sqlite").read_bytes(), chance, [b"\0", b"\xff" * 9, b"SQLite format 3"])
        )
    else:
        with closing(sqlite3.connect("g.sqlite")) as base:
            base.execute("PRAGMA foreign_keys = OFF")
            tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for _ in range(chance.choice((1, 2, 4))):
                table, columns = chance.choice(tables), []
                with contextlib.suppress(sqlite3.Error):  # of a virtual table whose own tables were changed
                    columns = [row[1] for row in base.execute(f'PRAGMA table_info("{table}")')]
                column = chance.choice(columns) if columns else "rowid"
                odd = chance.choice(("NULL", "1", "-1", "1.5", "''", "'x'", "x'ff'", "zeroblob(100000)", "9e999",
                                     "'[1'", "'{}'", "'{\"a\":1}'", "char(27)||'[2J'", "'2021-13-45'",
                                     "cast(x'ff' as text)", "rowid"))  # fmt: skip
                statement = chance.choice((
                    'UPDATE "{t}" SET "{c}" = {o} WHERE rowid % 3 = {n}', 'UPDATE "{t}" SET "{c}" = {o}',
                    'DELETE FROM "{t}" WHERE rowid % 2 = 0', 'DROP TABLE "{t}"', 'ALTER TABLE "{t}" DROP COLUMN "{c}"',
                    'ALTER TABLE "{t}" RENAME COLUMN "{c}" TO z', 'INSERT INTO "{t}" SELECT * FROM "{t}"',
                    'ALTER TABLE "{t}" RENAME TO z', "PRAGMA user_version = {n}", "PRAGMA application_id = {n}",
                    ('DROP TABLE "{t}"; CREATE VIEW "{t}" AS WITH RECURSIVE c(a) AS '
                     '(SELECT 1 UNION ALL SELECT a FROM c) SELECT * FROM c'),
                ))  # fmt: skip
                try:
                    base.executescript(statement.format(t=table, c=column, o=odd, n=chance.randrange(3)))
                except sqlite3.Error:
                    continue
            base.commit()
    return _on(chance.choice(QUESTIONS), "g.sqlite")


def markup(chance: Random, seeds: Seeds) -> list[str]:
    suffix = chance.choice((".graphml", ".gexf"))
    data = (seeds.folder / f"g{suffix}").read_bytes()
    data = spoilt(
        data, chance, [*tokens("xml"), b"<node/>", b"<edge/>", b' id="n0"', b'key="d1"', b"<data>", b"<attvalue/>"]
    )
    packed = chance.random() < 0.2
    name = f"g{suffix}.gz" if packed else f"g{suffix}"
    Path(name).write_bytes(gzip.compress(data) if packed else data)
    return _on(chance.choice(QUESTIONS), name)


def transcripts(chance: Random, seeds: Seeds) -> list[str]:
    Path("feed.xml").write_bytes(_feed("vmap and torch.compile"))
    Path("said").mkdir()
    for number in range(2):
        data = spoilt(chance.choice(seeds.cues), chance, tokens("cues"), chance.choice(seeds.cues))
        if chance.random() < 0.2:
            data = soup(chance, "cues", 400).encode("utf-8", "surrogatepass")
        suffix = chance.choice(("srt", "vtt", "json", "tsv", "txt", "xml", "html", "chapters.json"))
        Path("said", f"{'1' if number else 'One'}.{suffix}").write_bytes(data)
    return ["build", "feed.xml", "--transcripts", "said", "-o", "out.json"]


def lists(chance: Random, seeds: Seeds) -> list[str]:
    Path("feed.xml").write_bytes(seeds.sound)
    opml = b"""<?xml version="1.0"?><opml version="2.0"><head><title>L</title></head><body><outline text="G">
<outline type="rss" text="F" xmlUrl="feed.xml" category="/a,/b"/></outline><outline type="include" url="l.opml"/>
<outline type="rss" xmlUrl="https://a.example/f"/><outline xmlUrl="file:///etc/passwd"/></body></opml>"""
    Path("l.opml").write_bytes(
        spoilt(opml, chance, [*tokens("xml"), b"<outline>", b"xmlUrl='feed.xml'", b"../", b"l.opml"])
    )
    return ["build", "l.opml", "--offline", "-o", "out.json"]


def settings(chance: Random, seeds: Seeds) -> list[str]:
    Path("feed.xml").write_bytes(seeds.sound)
    Path("podgraph.toml").write_bytes(spoilt(seeds.settings, chance, tokens("toml"), seeds.vocabulary))
    if chance.random() < 0.3:
        Path("podgraph.toml").write_text(soup(chance, "toml", 60), "utf-8")
    return chance.choice((["build", "feed.xml", "-o", "out.json"], ["list", "episodes", "-g", "sample"], ["stats"],
                          ["build", "feed.xml", "-o", "out.html"]))  # fmt: skip


def vocabularies(chance: Random, seeds: Seeds) -> list[str]:
    Path("feed.xml").write_bytes(seeds.sound)
    Path("v.toml").write_bytes(spoilt(seeds.vocabulary, chance, tokens("toml"), seeds.settings))
    return ["build", "feed.xml", "--vocabulary", "v.toml", "-o", "out.json"]


def indexes(chance: Random, seeds: Seeds) -> list[str]:
    Path("feed.xml").write_bytes(
        _feed("torch.vmap, at::dim and https://github.com/pytorch/pytorch/blob/main/torch/_apis.py")
    )
    Path("p.idx").write_bytes(spoilt(seeds.index, chance, [b"\0", b"\xff\xff", b"\n"]))
    return ["build", "feed.xml", "--index", "p.idx", "-o", "out.json"]


def clones(chance: Random, seeds: Seeds) -> list[str]:
    shutil.copytree(seeds.clone, "clone")
    files = [path for path in sorted(Path("clone/.git").rglob("*")) if path.is_file() and "hooks" not in path.parts]
    for path in chance.sample(files, k=chance.choice((1, 1, 3))):
        path.chmod(0o600)
        path.write_bytes(
            spoilt(path.read_bytes(), chance, [b"\0", b"\xff" * 4, b"ref: ", b"PACK", b"[core]\n", b"include"])
        )
    Path("feed.xml").write_bytes(
        _feed("https://github.com/o/r/pull/7 https://github.com/o/r/blob/main/torch/vmap.py o/r#3")
    )
    return ["build", "feed.xml", "--checkout", "o/r=clone", "-o", "out.json"]


def assistants(chance: Random, seeds: Seeds) -> list[str]:
    calls: list[object] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "cites", "arguments": {"ref": "vmap"}}},
    ]  # fmt: skip
    Path("stdin").write_text(
        "\n".join(json.dumps(changed(call, chance) if chance.random() < 0.4 else call) for call in calls)
    )
    return ["mcp", "-g", "sample"]


KINDS: dict[str, Callable[[Random, Seeds], list[str]]] = {
    made.__name__: made
    for made in (feeds, notes, urls, graphs, databases, markup, transcripts, lists, settings, vocabularies,
                 indexes, clones, assistants)
}  # fmt: skip


def _warm(seeds: Seeds) -> None:
    """Load in this process what the others need, so that each begins with it."""
    import mcp.server.stdio  # noqa: F401 - half a second

    from podgraph.output.cli import main

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        Path("feed.xml").write_bytes(seeds.sound)
        outputs = [word for name in ("json", "html", "md", "sqlite", "csv", "bib") for word in ("-o", f"out.{name}")]
        main(["build", "feed.xml", "--offline", *outputs])
        for suffix in ("json", "sqlite", "graphml", "gexf"):
            for words in QUESTIONS:
                with contextlib.suppress(SystemExit):
                    main(_on(words, str(seeds.folder / f"g.{suffix}")))


def _child(words: list[str]) -> None:
    from podgraph.output.cli import main

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 2))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    signal.alarm(SECONDS * 30)  # of the wall: what waits for something, on a busy machine too
    for number, name, mode in ((0, "stdin", os.O_RDONLY), (1, "stdout", os.O_WRONLY), (2, "stderr", os.O_WRONLY)):
        os.dup2(os.open(name, mode | os.O_CREAT, 0o600), number)
    try:
        status = main(words)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 99
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def run(words: list[str]) -> tuple[int, str, str, int, float]:
    """Run the command in a process of its own, here; return status, what was printed, megabytes and seconds of CPU."""
    if not (process := os.fork()):
        try:
            _child(words)
        finally:
            os._exit(98)
    _, ended, used = os.wait4(process, 0)
    out, err = (Path(name).read_bytes().decode("utf-8", "replace") for name in ("stdout", "stderr"))
    return os.waitstatus_to_exitcode(ended), out, err, used.ru_maxrss // 1024, used.ru_utime + used.ru_stime


def fault(words: list[str], status: int, out: str, err: str, megabytes: int) -> str:
    """Return what is wrong with how it ended, or nothing."""
    if status not in (0, 1, 2):
        return f"status {status}"
    if "Traceback" in err or "should not happen" in err:
        return "a fault of ours"
    if megabytes > MEGABYTES:
        return f"{megabytes} MB"
    if words[0] != "mcp" and (found := STEERS.search(out + err)):  # which speaks to programs
        return f"prints {found[0]!r}"
    if status == 2:
        if err.count("\n") != 1 or not err.startswith("podgraph: "):
            return "no single line"
        if list(Path().glob("out.*")):
            return "written, with status 2"
    if "--json" in words and status == 0:
        try:
            json.loads(out)
        except ValueError:
            return "no JSON"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-broke"))
    parser.add_argument("--case", default="", help="one case again, as it was named")
    wanted = parser.parse_args()
    keep = wanted.keep.absolute()
    kinds = wanted.kinds or [*KINDS]
    tried, slowest, broke = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0.0), 0
    with tempfile.TemporaryDirectory(prefix="podgraph-fuzz") as scratch:
        home = Path(scratch, "home")
        home.mkdir()
        os.environ.update(
            HOME=str(home), XDG_CONFIG_HOME=str(home), PODGRAPH_CACHE_DIR=str(home / "cache"), COLUMNS="100"
        )
        os.environ.pop("PODGRAPH_GRAPH", None)
        made = Path(scratch, "seeds")
        made.mkdir()
        seeds = Seeds(made)
        os.chdir(home)
        _warm(seeds)
        begin, number = time.monotonic(), 0
        while time.monotonic() - begin < wanted.seconds:
            case = wanted.case or f"{kinds[number % len(kinds)]}:{wanted.seed}:{number // len(kinds)}"
            kind = case.partition(":")[0]
            folder = Path(scratch, "case")
            folder.mkdir()
            os.chdir(folder)
            words = [*KINDS[kind](random.Random(case), seeds), "--no-progress"]
            words.insert(1, "-q")
            if "--" in words:
                words.remove("--no-progress")
            *ended, seconds = run(words)
            slowest[kind] = max(slowest[kind], seconds)
            tried[kind] += 1
            number += 1
            wrong = fault(words, *ended)
            if wrong or wanted.case:
                print(f"{case}: {wrong}: {words} -> {ended[0]} {ended[2][-300:]!r}", flush=True)
                broke += bool(wrong)
                shutil.copytree(folder, keep / case.replace(":", "-"), dirs_exist_ok=True, symlinks=True)
                if "ours" in wrong:
                    print(run([words[0], "--debug", *words[1:]])[2][-2500:], flush=True)
            os.chdir(scratch)
            shutil.rmtree(folder)
            if wanted.case:
                break
            if number % 1000 == 0:
                print(f"{time.monotonic() - begin:.0f} s, {number} cases, {broke} broke", flush=True)
    for kind in kinds:
        print(f"{kind:14}{tried[kind]:7} cases, the slowest {slowest[kind]:.1f} s")
    print(f"{number} cases, {broke} broke")
    return int(broke > 0)


if __name__ == "__main__":
    sys.exit(main())
