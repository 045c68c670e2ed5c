"""podgraph: the knowledge graph of a podcast and everything it cites.

>>> import podgraph
>>> graph = podgraph.sample()  # or podgraph.open("podgraph.sqlite"), podgraph.build("https://…/feed.xml")
>>> graph.cites("#130935")["title"]
['Compiler collectives']
"""

__version__ = "0.3.0"

from .extractors.errors import (
    FeedError,
    GraphError,
    NotFoundError,
    OutputError,
    PodgraphError,
    QueryError,
    SourceError,
    nearest,
)
from .graph.questions.answer import Answer, Row
from .output.library import Graph, Page, build, from_networkx, merge, open, sample

__all__ = [
    "Answer",
    "FeedError",
    "Graph",
    "GraphError",
    "NotFoundError",
    "OutputError",
    "Page",
    "PodgraphError",
    "QueryError",
    "Row",
    "SourceError",
    "build",
    "from_networkx",
    "merge",
    "open",
    "sample",
]


def __getattr__(name: str) -> object:
    others = {"load": open, "read": open, "connect": open, "from_feed": build, "parse": build}
    if name in others:
        return others[name]
    raise AttributeError(f"module 'podgraph' has no attribute {name!r}; {nearest(name, __all__) or ', '.join(__all__)}")
