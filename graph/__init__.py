"""Facts become the graph, and questions are answered on it.

Pure: no network, no clock, no files but one without a name, for a graph too large for memory.

Its public names stand in ``__init__.pyi``.
"""

from podgraph.lazy import open_door

__getattr__, __dir__, __all__ = open_door(__name__, __file__)
