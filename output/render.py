"""An answer as text: a table on a terminal, tab-separated lines in a pipe, JSON, CSV, Markdown, HTML, a playlist."""

from __future__ import annotations

import csv
import io
import json
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.extractors import OutputError, is_web, nearest
from podgraph.graph import listen_at, moments_of, relation_name, role_of

from .json_text import MARK
from .terminal import note, print_heading, print_table, printable_line, without_formula

if TYPE_CHECKING:
    from collections.abc import Iterator

    from podgraph.graph import Answer, Row

    from .library import Graph

SUFFIXES = (".json", ".csv", ".md", ".html")
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


def to_cells(answer: Answer, *, is_terminal: bool) -> tuple[list[str], list[list[str]]]:
    """Return the columns of an answer and its rows as texts; columns without a value on a terminal are left out.

    A cell with several values has a line for each on a terminal, and is joined by "; " elsewhere.
    """
    columns = list(answer.columns)
    has_podcasts = len({podcast for row in answer.rows if (podcast := row.get("podcast"))}) > 1
    if has_podcasts and "title" in columns:
        columns.append("podcast")
    separator = "\n" if is_terminal else "; "
    rows = [
        [separator.join(_list_texts(row, name, is_terminal=is_terminal)) for name in columns] for row in answer.rows
    ]
    if is_terminal:
        filled = [place for place in range(len(columns)) if any(row[place] for row in rows)]
        columns, rows = [columns[place] for place in filled], [[row[place] for place in filled] for row in rows]
    return columns, rows


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
    from .formats.shared.markdown_text import markdown_line, markdown_link  # noqa: PLC0415 - few answers are written

    columns, rows = to_cells(answer, is_terminal=False)
    lines = [f"<!-- {MARK} -->", *([f"**{markdown_line(answer.heading)}**", ""] if answer.heading else [])]
    lines += [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"] if rows else ["Nothing was found."]
    for row, cells in zip(answer.rows, rows, strict=True):
        texts = [
            markdown_link(cell, row.url or "") if name == "title" else markdown_line(cell)
            for name, cell in zip(columns, cells, strict=True)
        ]
        lines.append(f"| {' | '.join(texts)} |")
    return "\n".join([*lines, *("" for _ in answer.notes[:1]), *map(markdown_line, answer.notes), ""])


def to_csv(answer: Answer) -> str:
    """Return an answer as CSV (RFC 4180), with all columns; no cell is a formula of a spreadsheet."""
    names = answer.keys()
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(names)
    for row in answer.rows:
        cells = ("; ".join(_list_texts(row, name, is_terminal=False)) for name in names)
        writer.writerow([without_formula(printable_line(cell)) for cell in cells])
    return stream.getvalue()


def to_html(answer: Answer, title: str) -> str:
    """Return an answer as a page to print: a table, or of a listening order each step with its reason."""
    columns, rows = to_cells(answer, is_terminal=False)
    body = []
    for row, cells in zip(answer.rows, rows, strict=True):
        texts = [
            f'<a href="{escape(row.url)}">{escape(cell)}</a>'
            if name == "title" and is_web(row.url or "")
            else escape(cell)
            for name, cell in zip(columns, cells, strict=True)
        ]
        body.append(f"<tr>{''.join(f'<td>{text}</td>' for text in texts)}</tr>")
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    style = (
        "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
        "td,th{text-align:left;vertical-align:top;padding:.2em .6em}tr{break-inside:avoid}"
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="{MARK}">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body><h1>{escape(title)}</h1>"
        f"<p>{escape(answer.heading)}</p><table><tr>{head}</tr>\n" + "\n".join(body) + "\n</table></body></html>\n"
    )


def check_answer_file(path: str) -> str:
    """Return the suffix of an answer's file. Raises ``OutputError`` for others, and for a file that is not ours."""
    suffix = Path(path).suffix.lower()
    if suffix not in (*SUFFIXES, *PLAYLIST_SUFFIXES):
        known = (*SUFFIXES, *PLAYLIST_SUFFIXES)
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
    from .files import write_text  # noqa: PLC0415 - few answers are written

    suffix = check_answer_file(path)
    title = f"{answer.question} {answer.query}".strip()
    if suffix in PLAYLIST_SUFFIXES:
        from .playlists import write_playlist  # noqa: PLC0415 - few answers are played

        count, left_out = write_playlist(answer, path, title, graph)
        more = f", {left_out} left out whose sound is not known" if left_out else ""
        note(f"wrote {path}: {count} episodes{more}", quiet=quiet)
        return
    text = {
        ".json": lambda: f"{to_json(answer)}\n",
        ".csv": lambda: to_csv(answer),
        ".md": lambda: to_markdown(answer),
        ".html": lambda: to_html(answer, title),
    }[suffix]()
    write_text(path, [text])
    note(f"wrote {path}: {len(answer.rows)} rows", quiet=quiet)


def _list_texts(row: Row, name: str, *, is_terminal: bool) -> list[str]:
    """Return the texts of a cell."""
    value = row.get(name)
    if name == "evidence":
        return _list_quotes(row)
    if value is None or value == "":
        return []
    if name in ("url", "id", "kind", "count"):
        return [str(value)]
    if name == "title":
        return [str(value) + _mark(row)]
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
    return [_flatten(item) for item in value] if isinstance(value, list | tuple) else [_flatten(value)]


def _flatten(value: Any) -> str:
    if isinstance(value, dict):
        return str(value.get("quote") or ", ".join(f"{name}: {item}" for name, item in value.items()))
    return str(value)


def _mark(row: Row) -> str:
    """Return the addition to a title: a person's role, whether the link is boilerplate."""
    if "role" not in row and "boilerplate" not in row:
        return ""
    role = role_of({"role": row.role or "", "affiliation": row.affiliation or ""})
    return "".join(f" ({mark})" for mark in (role, "boilerplate" if row.boilerplate else "") if mark)


def _list_quotes(row: Row) -> list[str]:
    """Return the quotes of a row's evidence, each with its address and moments; else its reasons, else relations."""
    quotes = []
    for item in row.get("evidence", ()):
        quote, url = item.get("quote", ""), item.get("url", "")
        text = quote if not url or url in quote else f"{quote} <{url}>"
        moments = _describe_moments(row, moments_of((item,)))
        quotes.append(f"{text} ({moments})" if text and moments else text or moments)
    reasons = [str(reason) for reason in row.get("reasons", ())]
    return reasons or list(dict.fromkeys(filter(None, quotes))) or [", ".join(row.get("relations", ()))]


def _describe_moments(row: Row, moments: tuple[int, ...]) -> str:
    """Return the moments of a spoken mention, with the address of the recording at the first, if known.

    >>> from podgraph.graph import Row
    >>> _describe_moments(Row(audio_url="https://x.org/a.mp3"), (75, 3723))
    'at 1:15 <https://x.org/a.mp3#t=75>, 1:02:03'
    """
    if not moments:
        return ""
    link = listen_at(row, moments[0])  # type: ignore[arg-type]
    texts = list(_format_clocks(moments[:5]))
    texts[0] += f" <{link}>" if link else ""
    more = f" and {len(moments) - 5} more" if len(moments) > 5 else ""
    return f"at {', '.join(texts)}{more}"


def _format_clocks(moments: tuple[int, ...]) -> Iterator[str]:
    for seconds in moments:
        minutes, rest = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        yield f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
