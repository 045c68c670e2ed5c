"""Questions that the library, the command and the page are all asked; a line more is a question more.

``SHOW_refs.tsv``: what a person pastes, and the id it means. ``SHOW_spellings.tsv``: spellings of references, and the id
of what is cited; no id where nothing cites it. ``SHOW_searches.tsv``: words, and the id that comes first
where a person has judged that. ``SHOW_typos.tsv``: a title with a slip of one letter, and the id that comes first or
second. ``SHOW_paths.tsv``: two ids.
``SHOW_explained.tsv``: what a person pastes, and the ends of the ids of episodes that may come first, none for others' texts.
"""

from functools import cache
from pathlib import Path

from podgraph.extractors import parse_feed
from podgraph.output.pipeline import graph_of, snapshot_graph

HERE = Path(__file__).parent
SHOWS = {
    "snapshot": snapshot_graph,
    "kiln": lambda: graph_of([parse_feed(HERE.joinpath("kiln.xml").read_bytes(), source="kiln.xml")]),
}


@cache
def graph(show):
    """Return the graph of a show."""
    return SHOWS[show]()


def table(show, name):
    """Return the rows of a table of questions, as lists of two."""
    path = HERE / f"{show}_{name}.tsv"
    return [line.split("\t") for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def questions(name):
    """Return (show, question, answer or "") for every row of that name."""
    return [(show, *row) for show in SHOWS for row in table(show, name)]
