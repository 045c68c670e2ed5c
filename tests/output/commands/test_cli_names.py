"""What a name means to `show`, and what `build` says of links that say two things: at the command."""

import json

import pytest

from podgraph.output.cli import main

FEED = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Kiln Talk</title>
<itunes:author>Ann Example</itunes:author><item><title>Ash</title><guid>a</guid>
<enclosure url="https://kiln.example/a.mp3" type="audio/mpeg"/><description><![CDATA[<p>Ash, as in
<a href="https://x.example/one">{words}</a>.</p>]]></description></item></channel></rss>"""


@pytest.fixture
def build(tmp_path, capsys):
    def run(words="the book"):
        feed, graph = tmp_path / "feed.xml", tmp_path / "graph.json"
        feed.write_text(FEED.format(words=words), "utf-8")
        assert main(["build", str(feed), "--offline", "-o", str(graph)]) == 0
        return graph, capsys.readouterr().err

    return run


@pytest.mark.parametrize("name", ["Kiln Talk", "kiln talk", "podcast:kiln-talk"])
def test_a_podcast_answers_to_its_title(name, build, capsys):
    graph, _ = build()
    assert main(["show", name, "-g", str(graph), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "podcast:kiln-talk"


def test_a_host_is_a_node_that_names_the_podcast(build, capsys):
    graph, _ = build()
    assert main(["show", "Ann Example", "-g", str(graph), "--json", "--fields", "all"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["kind"], shown["hosts"]) == ("person", ["podcast:kiln-talk"])


@pytest.mark.parametrize(
    ("words", "told"), [("the book", False), ("https://x.example/one", False), ("https://y.example/two", True)]
)
def test_a_link_that_says_two_things_is_told(words, told, build):
    assert ("1 link with another URL in the words than behind them" in build(words)[1]) == told
