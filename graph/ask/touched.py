"""From a file to those who cite what changed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .view import Edge, View


def through_changes(id_: str, view: View) -> Iterator[tuple[Edge, str]]:
    """Yield the citations of the pull requests and commits that changed a file, each with the reason that it gives."""
    for change in view.edges_to(id_):
        if change.relation == "touches":
            node = view.node(change.source) or {}
            name = f"#{node['number']}" if "number" in node else change.source.partition("@")[2][:10]
            title = f" ({node['title']})" if "title" in node else ""
            for edge in view.edges_to(change.source):
                if edge.relation == "cites":
                    yield edge, f"cites {name}{title}, which changed this file"
