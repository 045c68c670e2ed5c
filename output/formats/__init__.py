"""The graph as other programs read it: one module a format, chosen by suffix."""

from .registry import (
    FORMATS,
    Format,
    check_targets,
    format_named,
    format_of,
    formats,
    read_graph,
    targets,
    write_graph,
)

__all__ = [
    "FORMATS",
    "Format",
    "check_targets",
    "format_named",
    "format_of",
    "formats",
    "read_graph",
    "targets",
    "write_graph",
]
