"""The snapshot's graph ships with the package, and its places are used for that graph alone."""

import pytest

import podgraph
from podgraph.extractors import sample_graph
from podgraph.graph import saved_places
from podgraph.graph.questions.view import View
from podgraph.output import pipeline

EPISODE = "episode:pytorch-developer-podcast/vmap"


@pytest.fixture
def shipped():
    return View.open(sample_graph()).to_networkx()


def test_the_snapshot_is_not_laid_out(shipped, monkeypatch):
    monkeypatch.delattr("podgraph.graph.layout.places.place")
    monkeypatch.delattr("podgraph.graph.layout.atlas._ties")
    assert saved_places(pipeline.snapshot_graph()) == saved_places(shipped)
    assert len(saved_places(shipped)[EPISODE]) == 7


def test_the_library_needs_no_networkx_for_it():
    assert len(podgraph.sample().networkx()) == len(podgraph.sample())
