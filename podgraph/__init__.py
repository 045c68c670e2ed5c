"""podgraph: the knowledge graph of a podcast and everything it cites.

>>> import podgraph
>>> graph = podgraph.sample()  # or podgraph.open("podgraph.sqlite"), podgraph.build("https://…/feed.xml")
>>> graph.cites("#130935")["title"]
['Compiler collectives']

Its public names stand in ``__init__.pyi`` and are loaded when first asked for.
"""

from podgraph.lazy import lazy_exports

__version__ = "0.2.0"
__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
