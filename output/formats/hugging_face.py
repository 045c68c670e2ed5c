"""A data set for the Hugging Face Hub: a folder of Parquet tables, one for each configuration, and a data set card.

The head of the card lists the configurations with their files, columns and types. Its text gives the sources and the
licence: it covers facts, never other people's notes. Rules: https://huggingface.co/docs/hub/datasets-cards.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.graph import kinds_of

from ..files import atomic_folder
from .jsonl import EPISODE, episode_lines
from .parquet import to_parquet, typed_table, write_table
from .shared.citations import graph_title, text_of
from .shared.markdown_text import markdown_line
from .shared.plain import plain_attributes

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from .shared.plain import Graph, Json

MEMBERS = ("README.md", "citations.parquet", "nodes.parquet", "edges.parquet", "episodes.parquet")
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
# How a column's type is called there: https://huggingface.co/docs/datasets/about_dataset_features.
_DTYPES = {"double": "float64", "date32[day]": "date32", "timestamp[us, tz=UTC]": "timestamp[us, tz=UTC]"}
_TEXT = Path(__file__).with_suffix(".md")


def to_hugging_face(graph: Graph) -> str:
    """Return the card of the data set of ``graph``. The tables are those of the formats ``parquet`` and ``jsonl``."""
    return _dataset_card(graph, _tables(graph))


def write_hugging_face(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the data set into the folder ``path``, all or nothing. Raises ``OutputError``."""
    tables = _tables(graph)
    with atomic_folder(Path(path), MEMBERS) as (card, *streams):
        card.write(_dataset_card(graph, tables).encode())
        for stream, table in zip(streams, tables, strict=True):
            write_table(table, stream)


def _tables(graph: Graph) -> tuple[Any, ...]:
    """Return the table of each configuration. All are Parquet: ``datasets`` reads one format in a folder."""
    return (*to_parquet(graph), typed_table(map(json.loads, episode_lines(graph)), EPISODE))


def _dataset_card(graph: Graph, tables: tuple[Any, ...]) -> str:
    """Return the README of the data set: metadata of each table in YAML, then the text for readers."""
    about = plain_attributes(graph.graph)
    title = graph_title(graph)
    rows = sum(table.num_rows for table in tables[:3])
    size = next((name for most, name in _SIZES if rows < most), "1M<n<10M")
    head = ["---", f"pretty_name: {_yaml(title)}", "license: cc0-1.0", "tags:"]
    head += ["- podcast", "- knowledge-graph", "- citations", "size_categories:", f"- {size}", "configs:"]
    for file in MEMBERS[1:]:
        head += [f"- config_name: {_config(file)}", f"  data_files: {file}"]
        head += ["  default: true"] if file == MEMBERS[1] else []
    head.append("dataset_info:")
    for file, table in zip(MEMBERS[1:], tables, strict=True):
        head += [f"- config_name: {_config(file)}", "  features:"]
        for field in table.schema:
            head += _feature(field, "  ")
    noted = any(text_of(attrs, "summary") for _, attrs in graph.nodes(data=True))
    notes = ", and stand here for research, as quotations do" if noted else "; notes are left out here"
    text = _TEXT.read_text("utf-8").format(
        title=markdown_line(title), nodes=len(graph), edges=graph.number_of_edges(),
        kinds=_kinds(graph), generator=markdown_line(str(about.get("generator", "podgraph"))),
        sources=_sources(about.get("sources")),
        notes=notes,
    )  # fmt: skip
    return "\n".join([*head, "---", ""]) + text


def _config(file: str) -> str:
    return file.partition(".")[0]


def _feature(field: Any, indent: str) -> Iterator[str]:
    """Yield the lines of a column: its name and its type, one level deeper for the items of a list."""
    yield f"{indent}- name: {_yaml(field.name)}"
    form = field.type
    if not hasattr(form, "value_type"):
        yield f"{indent}  dtype: {_dtype(form)}"
    elif hasattr(form.value_type, "names"):
        yield f"{indent}  list:"
        for part in form.value_type:
            yield from _feature(part, f"{indent}  ")
    else:
        yield f"{indent}  list: {_dtype(form.value_type)}"


def _dtype(form: object) -> str:
    return _DTYPES.get(str(form), str(form))


def _kinds(graph: Graph) -> str:
    kinds = kinds_of(graph.graph)
    found = {kind for _, attrs in graph.nodes(data=True) if (kind := text_of(attrs, "kind"))}
    return ", ".join(markdown_line(kinds[kind].plural) for kind in kinds.in_order(found))


def _sources(sources: Json) -> str:
    found = sources if isinstance(sources, list) else []
    names = [
        str(item.get("title") or item.get("url") or item.get("source")) for item in found if isinstance(item, dict)
    ]
    return ", ".join(map(markdown_line, dict.fromkeys(names))) or "feeds"


def _yaml(text: str) -> str:
    return json.dumps(text, ensure_ascii=True)
