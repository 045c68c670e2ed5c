"""CSL-JSON, for Zotero, Pandoc and citeproc: the same references as in BibTeX.

Rules: https://github.com/citation-style-language/schema, csl-data.json.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..files import write_text
from ..json_text import escaped
from .shared.references import Reference, find_references

if TYPE_CHECKING:
    import os

    from .shared.plain import Graph

_TYPES = {
    "episode": "broadcast",
    "paper": "article",
    "blog": "post-weblog",
    "video": "motion_picture",
    **dict.fromkeys(("discussion", "forum", "question"), "post"),
}


def to_csl(graph: Graph) -> str:
    """Return the references as a CSL-JSON list, sorted by id.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("paper:doi/10.1/x", kind="paper", label="X")
    >>> json.loads(to_csl(graph))
    [{'id': 'paper-doi-10-1-x-208ac004', 'type': 'article', 'title': 'X', 'DOI': '10.1/x'}]
    """
    return escaped(json.dumps([_item(item) for item in find_references(graph)], ensure_ascii=False, indent=1)) + "\n"


def write_csl(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the references to the file ``path``, all or nothing. Raises ``OutputError``."""
    write_text(path, [to_csl(graph)])


def _item(item: Reference) -> dict[str, object]:
    """Return a reference as an item of CSL-JSON, without fields whose value is unknown."""
    fields: dict[str, object] = {"id": item.key, "type": _TYPES.get(item.kind, "webpage"), "title": item.title}
    if item.author:
        fields["author"] = [{"literal": name} for name in item.authors or (item.author,)]
    if item.date:
        fields["issued"] = {"date-parts": [[item.date.year, item.date.month, item.date.day]]}
    if item.kind != "paper":
        fields["genre"] = "Podcast episode" if item.kind == "episode" else item.what[:1].upper() + item.what[1:]
    if item.series:
        fields["container-title"] = item.series
    if item.state:
        fields["status"] = item.state
    if item.number is not None:
        fields["number"] = str(item.number)
    if item.arxiv:
        fields |= {"publisher": "arXiv", "number": f"arXiv:{item.arxiv}"}
    links = (("DOI", item.doi), ("URL", item.url), ("archive_location", item.archived))
    return fields | {name: value for name, value in links if value}
