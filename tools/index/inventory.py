"""Sphinx inventories (``objects.inv``), read with sphobjinv: names of a documentation to their pages.

The format is Sphinx's own, version 2: https://sphobjinv.readthedocs.io/en/stable/syntax.html
"""

from __future__ import annotations

import sphobjinv

from podgraph.extractors.errors import SourceError

# C++ names have mangled anchors and overloads; labels and terms are no names of code.
_ROLES = frozenset(("attribute", "class", "data", "decorator", "exception", "function", "method", "module", "property"))


def parse_inventory(data: bytes, *, source: str) -> dict[str, str]:
    """Return the Python names of an inventory, sorted, each to its page and anchor (``generated/x.html#x``).

    Raises ``SourceError`` when ``data`` is no inventory.
    """
    try:
        inventory = sphobjinv.Inventory(zlib=data) if data.startswith(b"# Sphinx") else None
    except Exception as error:  # its errors have no common root
        raise SourceError(
            f"is a damaged inventory ({error})", source=source, remedy="fetch objects.inv anew"
        ) from error
    if inventory is None:
        raise SourceError("is not a Sphinx inventory", source=source, remedy="give the project's objects.inv")
    found = {}
    for item in inventory.objects:
        if item.domain == "py" and item.role in _ROLES:
            found[item.name] = item.uri_expanded
    return dict(sorted(found.items()))
