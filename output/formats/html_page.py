"""The interactive page as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..files import write_text
from ..page.page import to_html

if TYPE_CHECKING:
    import os
    from typing import Unpack

    from ..page.host import PageOptions
    from .shared.plain import Graph

__all__ = ["to_html", "write_html"]


def write_html(graph: Graph, path: str | os.PathLike[str], **options: Unpack[PageOptions]) -> None:
    """Write the page of ``graph`` to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, [to_html(graph, **options)])
