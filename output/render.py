"""An answer as text: a table on a terminal, tab-separated lines in a pipe, JSON, CSV, Markdown or HTML."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.extractors import is_web
from podgraph.graph import LazyRows, listen_at, moments_of, relation_name, role_of

from .json_text import MARK, escape_controls
from .terminal import note, print_table, printable_line, without_formula

if TYPE_CHECKING:
    from podgraph.graph import Answer, Row

_TEXT_COLUMNS = frozenset(("url", "id", "kind", "title"))  # their cells are one text, shown as it is


def print_answer(answer: Answer, *, as_json: bool = False) -> None:
    """Print an answer on standard output: as a table, or as JSON with ``as_json``.

    Print its notes on standard error.
    """
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
    """Return an answer as a text in JSON. Control characters that a terminal obeys are escaped."""
    try:
        text = json.dumps(answer.to_dict(), ensure_ascii=False, indent=1, allow_nan=False, default=str)
    except ValueError:  # a graph of another program has a number such as NaN, which JSON lacks
        value = json.loads(json.dumps(answer.to_dict(), default=str), parse_constant=str)
        text = json.dumps(value, ensure_ascii=False, indent=1)
    return escape_controls(text)


def to_markdown(answer: Answer) -> str:
    """Return an answer as a table in Markdown, with titles as links. Markup in the texts of feeds has no effect."""
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
    return "\n".join([*lines, *([""] if answer.notes else []), *map(to_markdown_line, answer.notes), ""])


def to_csv(answer: Answer) -> str:
    """Return an answer as CSV (RFC 4180) with all columns.

    A text that a spreadsheet would take for a formula is escaped.
    """
    names = answer.keys()
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(names)
    for row in answer.rows:
        cells = ("; ".join(list_texts(row, name, is_terminal=False)) for name in names)
        writer.writerow([without_formula(printable_line(cell)) for cell in cells])
    return stream.getvalue()


def to_html(answer: Answer) -> str:
    """Return an answer as an HTML page for printing: a table with the titles as links."""
    columns, rows = to_cells(answer, is_terminal=False)
    links = [row.url if is_web(row.url or "") else "" for row in answer.rows]
    title = f"{answer.question} {answer.query}".strip()
    template = Path(__file__).with_name("answer.html.jinja")
    return render(
        template, title=title, mark=MARK, answer=answer, columns=columns, rows=[*zip(rows, links, strict=True)]
    )


def render(template: Path, **values: object) -> str:
    """Return the text of a Jinja template for HTML or XML; ``values`` are its variables, which are escaped."""
    from jinja2 import Environment  # noqa: PLC0415 - few answers are written

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template.read_text("utf-8")).render(**values)


def to_cells(answer: Answer, *, is_terminal: bool) -> tuple[list[str], list[list[str]]]:
    """Return the names of an answer's columns, and its rows as texts.

    On a terminal, columns without a value are left out, and a cell with several values has a line for each. Elsewhere,
    the values are joined by "; ". If the rows are of several podcasts, there is a column for the podcast.
    """
    columns = list(answer.columns)
    table = answer.rows.table if isinstance(answer.rows, LazyRows) else answer.rows
    has_podcasts = len({podcast for row in table if (podcast := row.get("podcast"))}) > 1
    if has_podcasts and "title" in columns:
        columns.append("podcast")
    separator = "\n" if is_terminal else "; "
    rows = []
    for row in table:
        is_plain = "role" not in row and "boilerplate" not in row  # nothing to add to its title
        rows.append([
            str(row.get(name) or "") if name in _TEXT_COLUMNS and (is_plain or name != "title")
            else separator.join(list_texts(row, name, is_terminal=is_terminal)) for name in columns
        ])  # fmt: skip
    if is_terminal:
        places = [place for place in range(len(columns)) if any(row[place] for row in rows)]
        columns, rows = [columns[place] for place in places], [[row[place] for place in places] for row in rows]
    return columns, rows


def list_texts(row: Row, name: str, *, is_terminal: bool) -> list[str]:
    """Return the value of a row in the column ``name`` as texts, one for each element of a list; [] if it is missing.

    On a terminal (``is_terminal``), values have units, and a "?" if they are uncertain.
    """
    value = row.get(name)
    if name == "evidence":
        return _list_quotes(row)
    if value is None or value == "":
        return []
    if name in ("url", "id", "kind", "count"):
        return [str(value)]
    if name == "title":
        return [str(value) + _describe_title(row)]
    if name == "date":
        return [f"{value}?" if is_terminal and "date" in row.get("uncertain", ()) else str(value)]
    if name == "duration" and isinstance(value, int | float):
        minutes = str(max(1, round(value / 60)))
        doubt = "?" if "duration" in row.get("uncertain", ()) else ""
        return [f"{minutes}{doubt} min" if is_terminal else minutes]
    if name == "relation" and is_terminal:
        return [relation_name(str(value), backwards=bool(row.get("backwards")))]
    if name == "reasons" and row.get("time") is not None:
        return [*map(str, value), _describe_moments(row, (int(row["time"]),))]
    return [_value_to_text(item) for item in value] if isinstance(value, list | tuple) else [_value_to_text(value)]


def _value_to_text(value: Any) -> str:
    """Return a value as text: a piece of evidence as its quote, another dict as "name: value, …"."""
    if isinstance(value, dict):
        return str(value.get("quote") or ", ".join(f"{name}: {item}" for name, item in value.items()))
    return str(value)


def _describe_title(row: Row) -> str:
    """Return the addition to a row's title: a person's role, and whether the link is boilerplate; "" for most rows.

    >>> from podgraph.graph import Row
    >>> _describe_title(Row(role="guest", boilerplate=True)), _describe_title(Row(title="vmap"))
    (' (guest) (boilerplate)', '')
    """
    if "role" not in row and "boilerplate" not in row:
        return ""
    role = role_of({"role": row.role or "", "affiliation": row.affiliation or ""})
    return "".join(f" ({mark})" for mark in (role, "boilerplate" if row.boilerplate else "") if mark)


def _list_quotes(row: Row) -> list[str]:
    """Return the texts for the evidence of a row: its reasons, else the quotes, else the relations.

    A quote comes with its address, and with its moments in the recording.
    """
    quotes = []
    for item in row.get("evidence", ()):
        quote, url = item.get("quote", ""), item.get("url", "")
        text = quote if not url or url in quote else f"{quote} <{url}>"
        moments = _describe_moments(row, moments_of((item,)))
        quotes.append(f"{text} ({moments})" if text and moments else text or moments)
    reasons = [str(reason) for reason in row.get("reasons", ())]
    return reasons or list(dict.fromkeys(filter(None, quotes))) or [", ".join(row.get("relations", ()))]


def _describe_moments(row: Row, moments: tuple[int, ...]) -> str:
    """Return the times of a spoken mention as text, with the address that plays the recording from the first one.

    ``moments`` are seconds; of more than five, the rest are counted.

    >>> from podgraph.graph import Row
    >>> _describe_moments(Row(audio_url="https://x.org/a.mp3"), (75, 3723))
    'at 1:15 <https://x.org/a.mp3#t=75>, 1:02:03'
    """
    if not moments:
        return ""
    link = listen_at(row, moments[0])
    clocks = [f"{second // 3600}:{second // 60 % 60:02}:{second % 60:02}" for second in moments[:5]]
    texts = [clock.removeprefix("0:").removeprefix("0") for clock in clocks]
    texts[0] += f" <{link}>" if link else ""
    more = f" and {len(moments) - 5} more" if len(moments) > 5 else ""
    return f"at {', '.join(texts)}{more}"
