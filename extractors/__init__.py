"""Everything outside becomes facts: bytes, then episodes, then mentions.

Its public names stand in ``__init__.pyi``.
"""

from podgraph.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
