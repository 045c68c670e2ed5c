"""The graph as other programs read it: one module a format, chosen by suffix.

Its public names stand in ``__init__.pyi``.
"""

from podgraph.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
