"""The interactive page as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..files import write_text
from ..page.page import to_html

if TYPE_CHECKING:
    import os

    from .shared.plain import Graph

__all__ = ["to_html", "write_html"]


def write_html(graph: Graph, path: str | os.PathLike[str], *, title: str = "") -> None:
    """Write the page of ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, [to_html(graph, title=title)])
