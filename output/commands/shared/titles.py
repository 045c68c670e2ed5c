"""The pages of a graph that bear a title: PyTorch's docs and tutorials, whose titles the index knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podgraph.extractors import identify, read_index

if TYPE_CHECKING:
    from podgraph.graph import View


def titled(title: str, view: View) -> tuple[str, ...]:
    """Return the ids of the docs and tutorial pages of a graph that are called ``title``, whatever its case."""
    index = read_index()
    wanted = " ".join(title.casefold().split())
    urls = [index.page_url(page) for page, name in index.docs.items() if name.casefold() == wanted]
    urls += [index.tutorials_base + page for page, name in index.tutorials.items() if name.casefold() == wanted]
    known = [identify(url) for url in urls]
    return tuple(dict.fromkeys(found[1].id for found in known if found and view.node(found[1].id) is not None))
