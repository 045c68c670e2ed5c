"""Facts become the graph, and questions are answered on it.

Pure: no network, no clock, no files.

Its public names stand in ``__init__.pyi``.
"""

from podgraph.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
