"""Reads sources and extracts facts: bytes, then episodes, then mentions.

``__init__.pyi`` lists the public names.
"""

from podgraph.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
