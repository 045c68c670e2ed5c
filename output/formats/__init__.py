"""Writers for the formats of other programs: one module for each format, chosen by the file's suffix.

``__init__.pyi`` lists the public names.
"""

from podgraph.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
