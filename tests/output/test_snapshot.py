"""The snapshot's graph ships with the package."""

import podgraph
from podgraph.extractors import sample_graph
from podgraph.graph import saved_places
from podgraph.graph.questions.view import View
from podgraph.output import pipeline


def test_the_shipped_graph_is_the_one_of_a_build():
    shipped = View.open(sample_graph()).to_networkx()
    assert saved_places(pipeline.snapshot_graph()) == saved_places(shipped)


def test_the_library_needs_no_networkx_for_it():
    assert len(podgraph.sample().networkx()) == len(podgraph.sample())
