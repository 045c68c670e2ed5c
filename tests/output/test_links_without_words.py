"""A link without words has its address as evidence."""

import json
from pathlib import Path

from tests.output.running import run

# Notes -> the quote of the link to /pull/5
NOTES = {
    '<p>Hello <a href="https://github.com/o/r/pull/5"></a> world.</p>': "https://github.com/o/r/pull/5",
    'Hello<a href="https://github.com/o/r/pull/5"> </a>world': "https://github.com/o/r/pull/5",
    '<a href="https://github.com/o/r/pull/5"></a>': "https://github.com/o/r/pull/5",
    '<p>One</p><p><a href="https://github.com/o/r/pull/5"><img src="a.png"/></a></p><p>Two</p>': "https://github.com/o/r/pull/5",
    '<p>One <a href="https://github.com/o/r/pull/5"><img src="a.png" alt=" "/></a></p>': "https://github.com/o/r/pull/5",
    '<p>One <a href="https://github.com/o/r/pull/5"><img src="a.png" alt="A loom"/></a></p>': "A loom",
    '<p><a href="https://github.com/o/r/pull/5"><p></a></p><a href="https://github.com/o/r/pull/6">x</a>': "https://github.com/o/r/pull/5",
}  # fmt: skip


def test_no_quote_is_empty(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = []
    for notes, quote in NOTES.items():
        Path("feed.xml").write_text(
            "<rss version='2.0'><channel><title>S</title><item><title>One</title><guid>1</guid><enclosure "
            f"url='https://x.example/1.mp3' type='audio/mpeg'/><description><![CDATA[{notes}]]></description></item></channel></rss>",
            "utf-8",
        )
        assert run(capsys, "build", "feed.xml", "--offline", "-q", "-o", "one.json")[0] == 0
        graph = json.loads(Path("one.json").read_text("utf-8"))
        text = next(node["summary"] for node in graph["nodes"] if node["kind"] == "episode")
        found = [one for edge in graph["edges"] for one in edge.get("evidence", ()) if edge["target"] == "github:o/r#5"]
        if [one["quote"] for one in found] != [quote] or text[found[0]["start"] : found[0]["end"]] != quote:
            wrong.append(f"{notes}: {found} in {text!r}")
    assert not wrong, "\n".join(wrong)
