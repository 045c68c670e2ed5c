"""An answer as text: a table on a terminal, tab-separated lines in a pipe, JSON, CSV, Markdown, HTML, a playlist."""

from __future__ import annotations

import csv
import io
import json
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import OutputError, is_web, nearest

from .cells import list_texts, to_cells
from .json_text import MARK
from .terminal import note, print_heading, print_table, printable_line, without_formula

if TYPE_CHECKING:
    from podgraph.graph import Answer

    from .library import Graph

PLAYLIST_SUFFIXES = (".m3u8", ".rss")
_BELOW = frozenset(("evidence", "reasons", "url", "files"))  # columns with lines of their own where a row is too wide


def print_answer(answer: Answer, *, as_json: bool = False, quiet: bool = False) -> int:
    """Print an answer on standard output, its notes on standard error; return the exit status: 0 found, 1 nothing."""
    is_terminal = sys.stdout.isatty()
    if as_json:
        print(to_json(answer).encode("utf-8", "replace").decode())
    elif answer.rows:
        if is_terminal and answer.heading:
            print_heading(answer.heading)
        columns, rows = to_cells(answer, is_terminal=is_terminal)
        wide = [place for place, name in enumerate(columns) if name in _BELOW or name == "title"]
        below = [place for place, name in enumerate(columns) if name in _BELOW]
        print_table(columns, rows, wide=wide, below=below)
    for line in answer.notes:
        note(line, quiet=quiet)
    if 0 < len(answer.rows) < answer.total and answer.question not in {"path", "stats"}:
        note(f"{len(answer.rows)} of {answer.total}; -n 0 for all", quiet=quiet)
    if is_terminal and any({"date", "duration"} & {*row.get("uncertain", ())} for row in answer.rows):
        note("a date or length with ? is not certain", quiet=quiet)
    return 0 if answer.rows else 1


def to_json(answer: Answer) -> str:
    """Return an answer as JSON, without control characters for a terminal."""
    from .json_text import escaped  # noqa: PLC0415 - tables do without

    try:
        text = json.dumps(answer.to_dict(), ensure_ascii=False, indent=1, allow_nan=False, default=str)
    except ValueError:  # a stranger's number without a word in JSON
        value = json.loads(json.dumps(answer.to_dict(), default=str), parse_constant=str)
        text = json.dumps(value, ensure_ascii=False, indent=1)
    return escaped(text)


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
    title = _make_title(answer)
    columns, rows = to_cells(answer, is_terminal=False)
    style = (
        "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
        "td,th{text-align:left;vertical-align:top;padding:.2em .6em}tr{break-inside:avoid}"
    )
    lines = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="{MARK}">',
        f"<title>{escape(title)}</title><style>{style}</style></head><body><h1>{escape(title)}</h1>",
        f"<p>{escape(answer.heading)}</p><table><tr><th>{'<th>'.join(map(escape, columns))}</tr>",
    ]
    for row, cells in zip(answer.rows, map(list, rows), strict=True):
        texts = list(map(escape, cells))
        if "title" in columns and is_web(row.url or ""):
            place = columns.index("title")
            texts[place] = f'<a href="{escape(row.url)}">{texts[place]}</a>'
        lines.append(f"<tr><td>{'<td>'.join(texts)}</tr>")
    return "\n".join([*lines, "</table></body></html>", ""])


_WRITERS = {".json": lambda answer: f"{to_json(answer)}\n", ".csv": to_csv, ".md": to_markdown, ".html": to_html}


def check_answer_file(path: str) -> str:
    """Return the suffix of an answer's file. Raises ``OutputError`` for others, and for a file that is not ours."""
    suffix, known = Path(path).suffix.lower(), (*_WRITERS, *PLAYLIST_SUFFIXES)
    if suffix not in known:
        remedy = nearest(suffix, known) or f"call it {', '.join(f'*{one}' for one in known)}"
        raise OutputError("is not a file for an answer", source=path, remedy=remedy)
    if Path(path).is_file():
        try:
            with Path(path).open("rb") as stream:
                head = stream.read(4096)
        except OSError as error:
            raise OutputError(f"cannot be read ({error.strerror})", source=path) from error
        ours = {".json": b'"question":', ".csv": b"id"}.get(suffix, MARK.encode())
        if head.strip() and ours not in head:
            raise OutputError("is there, and podgraph did not write it", source=path, remedy="give another name")
    return suffix


def write_answer(answer: Answer, path: str, graph: Graph, *, quiet: bool = False) -> None:
    """Write an answer to a file in the form of its suffix, all or nothing. Raises ``OutputError``."""
    suffix = check_answer_file(path)
    if suffix in PLAYLIST_SUFFIXES:
        from .playlists import write_playlist  # noqa: PLC0415 - few answers are played

        count, left_out = write_playlist(answer, path, _make_title(answer), graph)
        more = f", {left_out} left out whose sound is not known" if left_out else ""
        note(f"wrote {path}: {count} episodes{more}", quiet=quiet)
        return
    from .files import write_text  # noqa: PLC0415 - few answers are written

    write_text(path, [_WRITERS[suffix](answer)])
    note(f"wrote {path}: {len(answer.rows)} rows", quiet=quiet)


def _make_title(answer: Answer) -> str:
    return f"{answer.question} {answer.query}".strip()
