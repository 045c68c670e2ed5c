"""Series topics by the command, and the keys of language tables."""

import json

import pytest

from podgraph.extractors import SourceError
from podgraph.extractors.languages import language as languages
from podgraph.output.cli import main

ITEM = "<item><title>{title}</title><guid>{number}</guid><description>{title}.</description></item>"

# Language tag, title of the items with N in the place of the number, label of the series' topic.
SERIES = (
    ("en", "Sourdough, part N", "Sourdough"),
    ("en", "Sourdough (Part N)", "Sourdough"),
    ("en", "Sourdough episode N", "Sourdough"),
    ("en", "Sourdough #N", "Sourdough"),
    ("nl", "Fietspaden aflevering N", "Fietspaden"),
    ("nl", "Fietspaden episode N", "Fietspaden"),
    ("nl", "Fietspaden, deel N", "Fietspaden"),
    ("de", "Radwege Folge N", "Radwege"),
    ("de", "Radwege, Teil N", "Radwege"),
    ("fr", "Levain, épisode N", "Levain"),
    ("es", "Masa madre, capítulo N", "Masa madre"),
)


def labels(tmp_path, language, pattern):
    """Return the labels of the topics of a made show in which a third of the items are of one series."""
    others = [
        "Owls at night",
        "A meadow",
        "Rivers",
        "Hedges",
        "Old oaks",
        "Moss",
        "Ferns",
        "Herons",
        "Foxes",
        "Beetles",
    ]
    titles = [pattern.replace("N", str(number)) for number in range(1, 6)] + others
    feed = tmp_path / "feed.xml"
    items = "".join(ITEM.format(title=title, number=number) for number, title in enumerate(titles))
    head = f"<title>Made</title><language>{language}</language>"
    feed.write_text(f"<rss version='2.0'><channel>{head}{items}</channel></rss>", "utf-8")
    graph = tmp_path / "graph.json"
    assert main(["build", str(feed), "-q", "--as", "episodes", "--force", "-o", str(graph)]) == 0
    nodes = json.loads(graph.read_text("utf-8"))["nodes"]
    return {node["label"] for node in nodes if node["kind"] == "topic"}


def test_a_series_is_called_without_the_number_and_its_word(tmp_path):
    wrong = []
    for language, pattern, label in SERIES:
        found = labels(tmp_path, language, pattern)
        starts = {name for name in found if name.startswith(label)}
        if starts != {label}:
            wrong.append((language, pattern, starts))
    assert not wrong


def test_every_language_table_has_known_keys():
    codes = sorted(path.stem for path in languages.TABLES.glob("*.toml"))
    assert {"de", "en", "nl"} <= set(codes)
    assert [languages.language(code).code for code in codes] == codes


def test_an_unknown_key_of_a_language_table_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "xq.toml").write_text('numberring = "part"\n', "utf-8")
    monkeypatch.setattr(languages, "TABLES", tmp_path)
    with pytest.raises(SourceError, match=r"xq\.toml: has an unknown key 'numberring'; use one of .*numbering"):
        languages.language("xq")
