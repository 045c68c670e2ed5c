"""The graph as other programs read it: one module a format, chosen by suffix.

The public names are loaded when first asked for, so that a question about a saved graph loads no more than its
own reader.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .node_link import read_node_link as read_node_link
    from .registry import FORMATS as FORMATS
    from .registry import Format as Format
    from .registry import format_named as format_named
    from .registry import format_of as format_of
    from .registry import formats as formats
    from .sqlite_view import SqliteView as SqliteView
    from .writing import check_targets as check_targets
    from .writing import read_graph as read_graph
    from .writing import targets as targets
    from .writing import write_graph as write_graph

_HOME = {
    "FORMATS": "registry",
    "Format": "registry",
    "SqliteView": "sqlite_view",
    "check_targets": "writing",
    "format_named": "registry",
    "format_of": "registry",
    "formats": "registry",
    "read_graph": "writing",
    "read_node_link": "node_link",
    "targets": "writing",
    "write_graph": "writing",
}

__all__ = sorted(_HOME)  # noqa: PLE0605 - one list, not two


def __getattr__(name: str) -> object:
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value
