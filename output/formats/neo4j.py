"""A folder for Neo4j's bulk import: ``nodes.csv``, ``relationships.csv`` and how to load them.

A text that a spreadsheet would take for a formula gets an apostrophe in front, as in the CSV pair: these files are
opened there, too. Rules: https://neo4j.com/docs/operations-manual/current/import/.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from ..files import atomic_folder
from .csv_pair import safe_cell
from .shared.flatten import Column, Flat, clean_text, flatten, scalar_text
from .shared.plain import unique_names

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from .shared.flatten import Row
    from .shared.plain import Graph

MEMBERS = ("nodes.csv", "relationships.csv", "README.txt")
# What is between the words of a label or a type.
_WORD = re.compile(r"[^A-Za-z0-9]+")
_LONGEST = 100  # of a label or a type; databases have limits of their own
_README = """\
Load this folder into an empty Neo4j database, from within it:

neo4j-admin database import full --overwrite-destination --multiline-fields=true \\
  --nodes=nodes.csv --relationships=relationships.csv neo4j

Every node has the label Entity and one for its kind; a relationship's type is its relation.
"""


def to_neo4j(graph: Graph) -> dict[str, str]:
    r"""Return the files of the import by name.

    >>> import networkx
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("topic:vmap", kind="topic", rank=0.5)
    >>> to_neo4j(graph)["nodes.csv"].split("\n")[:2]
    ['id:ID,:LABEL,kind,rank:double', '"topic:vmap",Entity;Topic,"topic",0.5']
    """
    return {name: "".join(lines) for name, lines in _files(graph).items()}


def write_neo4j(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the files into the folder ``path``, all or nothing. Raises ``OutputError``."""
    with atomic_folder(Path(path), MEMBERS) as streams:
        for stream, lines in zip(streams, _files(graph).values(), strict=True):
            stream.writelines(line.encode() for line in lines)


def kind_label(kind: object) -> str:
    """Return the label of a node of that kind.

    >>> kind_label("episode"), kind_label("a`b c")
    ('Episode', 'ABC')
    """
    text = kind if isinstance(kind, str) else ""
    words = "".join(word[:1].upper() + word[1:] for word in _WORD.split(text))[:_LONGEST]
    return words if words and not words[0].isdigit() else f"Kind{words}"


def relation_types(relations: list[str]) -> dict[str, str]:
    """Return the relationship type of each of the relations; no two share one.

    >>> relation_types(["part of", "part_of"])
    {'part of': 'PART_OF', 'part_of': 'PART_OF~2'}
    """
    types = unique_names(tuple(_WORD.sub("_", relation).upper()[:_LONGEST] for relation in relations))
    return dict(zip(relations, types, strict=True))


def _files(graph: Graph) -> dict[str, Iterable[str]]:
    flat = flatten(graph, lists=True)
    return dict(zip(MEMBERS, (_nodes(flat), _relationships(flat), [_README]), strict=True))


def _nodes(flat: Flat) -> Iterator[str]:
    lists = _list_columns((attrs for _, attrs in flat.graph.nodes(data=True)), flat.node_columns)
    yield f"id:ID,:LABEL{_header(flat.node_columns, lists)}\n"
    kind = next((place for place, column in enumerate(flat.node_columns) if column.name == "kind"), None)
    for node, row in flat.nodes():
        label = kind_label(row[kind]) if kind is not None else "Kind"
        yield f"{safe_cell(node)},Entity;{label}{_cells(row, flat.node_columns, lists)}\n"


def _relationships(flat: Flat) -> Iterator[str]:
    types = relation_types(flat.relations())
    lists = _list_columns((attrs for _, _, attrs in flat.graph.edges(data=True)), flat.edge_columns)
    yield f":START_ID,:END_ID,:TYPE{_header(flat.edge_columns, lists)}\n"
    for source, target, relation, row in flat.edges():
        ends = f"{safe_cell(source)},{safe_cell(target)},{types[relation]}"
        yield f"{ends}{_cells(row, flat.edge_columns, lists)}\n"


def _list_columns(rows: Iterable[Mapping[str, object]], columns: tuple[Column, ...]) -> set[str]:
    """Return the columns that can be arrays: an array's items cannot hold the character between them."""
    lists = {column.key: column.name for column in columns if column.type == "list"}
    for attrs in rows:
        for key in [
            key for key in lists if isinstance(found := attrs.get(key), list) and any(";" in item for item in found)
        ]:
            del lists[key]
    return set(lists.values())


def _header(columns: tuple[Column, ...], lists: set[str]) -> str:
    forms = {"long": ":long", "double": ":double", "boolean": ":boolean"}
    return "".join(
        f",{column.name}{':string[]' if column.name in lists else forms.get(column.type, '')}" for column in columns
    )


def _cells(row: Row, columns: tuple[Column, ...], lists: set[str]) -> str:
    cells = []
    for value, column in zip(row, columns, strict=True):
        joined = clean_text(";".join(value)) if isinstance(value, list) and column.name in lists else value
        cells.append("," + safe_cell(scalar_text(joined) if isinstance(joined, list) else joined))
    return "".join(cells)
