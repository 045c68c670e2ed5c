"""An answer as text: a table on a terminal, tab-separated lines in a pipe, JSON, CSV, Markdown, HTML."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import is_web

from .cells import list_texts, to_cells
from .json_text import MARK, escape_controls
from .terminal import note, print_table, printable_line, without_formula

if TYPE_CHECKING:
    from podgraph.graph import Answer


def print_answer(answer: Answer, *, as_json: bool = False) -> None:
    """Print an answer on standard output, its notes on standard error."""
    is_terminal = sys.stdout.isatty()
    if as_json:
        print(to_json(answer).encode("utf-8", "replace").decode())
    elif answer.rows:
        columns, rows = to_cells(answer, is_terminal=is_terminal)
        print_table(columns, rows, answer.heading, wide=("title",), below=("evidence", "reasons", "url", "files"))
    for line in answer.notes:
        note(line)
    if 0 < len(answer.rows) < answer.total and answer.question not in {"path", "stats"}:
        note(f"{len(answer.rows)} of {answer.total}; -n 0 for all")
    if is_terminal and any({"date", "duration"} & {*row.get("uncertain", ())} for row in answer.rows):
        note("a date or length with ? is not certain")


def to_json(answer: Answer) -> str:
    """Return an answer as JSON, without control characters for a terminal."""
    try:
        text = json.dumps(answer.to_dict(), ensure_ascii=False, indent=1, allow_nan=False, default=str)
    except ValueError:  # a stranger's number without a word in JSON
        value = json.loads(json.dumps(answer.to_dict(), default=str), parse_constant=str)
        text = json.dumps(value, ensure_ascii=False, indent=1)
    return escape_controls(text)


def to_markdown(answer: Answer) -> str:
    """Return an answer as a table in Markdown; titles are links. Texts of feeds stay texts."""
    from .formats.shared.markdown_text import to_markdown_line, to_markdown_link  # noqa: PLC0415 - few answers are written

    columns, rows = to_cells(answer, is_terminal=False)
    lines = [f"<!-- {MARK} -->", *([f"**{to_markdown_line(answer.heading)}**", ""] if answer.heading else [])]
    lines += [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"] if rows else ["Nothing was found."]
    for row, cells in zip(answer.rows, rows, strict=True):
        texts = [
            to_markdown_link(cell, row.url or "") if name == "title" else to_markdown_line(cell)
            for name, cell in zip(columns, cells, strict=True)
        ]
        lines.append(f"| {' | '.join(texts)} |")
    return "\n".join([*lines, *("" for _ in answer.notes[:1]), *map(to_markdown_line, answer.notes), ""])


def to_csv(answer: Answer) -> str:
    """Return an answer as CSV (RFC 4180), with all columns; no cell is a formula of a spreadsheet."""
    names = answer.keys()
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(names)
    for row in answer.rows:
        cells = ("; ".join(list_texts(row, name, is_terminal=False)) for name in names)
        writer.writerow([without_formula(printable_line(cell)) for cell in cells])
    return stream.getvalue()


def to_html(answer: Answer) -> str:
    """Return an answer as a page to print, with its table; titles are links."""
    columns, rows = to_cells(answer, is_terminal=False)
    links = [row.url if is_web(row.url or "") else "" for row in answer.rows]
    title = f"{answer.question} {answer.query}".strip()
    template = Path(__file__).with_name("answer.html.jinja")
    return render(
        template, title=title, mark=MARK, answer=answer, columns=columns, rows=[*zip(rows, links, strict=True)]
    )


def render(template: Path, **values: object) -> str:
    """Return the text of a template of HTML or XML, with values that are escaped."""
    from jinja2 import Environment  # noqa: PLC0415 - few answers are written

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template.read_text("utf-8")).render(**values)
