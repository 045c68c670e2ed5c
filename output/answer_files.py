"""Answers as files to take along: Markdown, CSV, JSON, a printable hand-out of a listening order, a list of links."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podgraph.extractors import OutputError, is_web
from podgraph.graph import label_of

from .answers import table
from .files import is_standard_output, output_errors, write_text
from .formats.csv_pair import safe_cell
from .formats.shared.markdown_text import markdown_line, markdown_link
from .json_text import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from podgraph.graph import View

    from .answers import Answer, Item

_MARK = "made by podgraph"  # recognises our own files
_HEAD = 4096  # bytes in which the mark is
_READ_WITH = ("docs", "tutorial", "paper", "blog")  # kinds to read with an episode
_MOST_READ = 3
# How a file of each kind begins, where podgraph wrote it.
_OURS = {
    ".md": re.compile(rf"\A<!-- {_MARK}"),
    ".html": re.compile(f'<meta name="generator" content="{_MARK}'),
    ".csv": re.compile(r'\A(?:"[a-z_]+",)*"[a-z_]+"\r?\n'),
    ".json": re.compile(r"\A[\[{]\s*(?:\{\s*)?\"(?:query|found|kinds|source|files|statuses|added)\""),
    ".txt": re.compile(r"\Ahttps?://"),
}


def answer_suffixes(question: str) -> tuple[str, ...]:
    """Return the possible suffixes of an answer's file."""
    more = {"order": (".html",), "list": (".txt",)}
    return (".md", ".csv", ".json", *more.get(question, ()))


def check_answer_file(path: str, question: str) -> bool:
    """Return whether a path is one of an answer; ``OutputError`` for a file of another program."""
    suffix = Path(path).suffix.lower()
    if is_standard_output(path) or suffix not in answer_suffixes(question):
        return False
    if Path(path).is_file():
        with output_errors(path), Path(path).open("rb") as stream:
            head = stream.read(_HEAD).decode("utf-8", "replace")
        if head.strip() and not _OURS[suffix].search(head):
            raise OutputError("is there, and podgraph did not write it", source=path, remedy="give another name")
    return True


def write_answer(path: str, title: str, answers: Sequence[Answer[Any, Any]], view: View, fields: str = "") -> None:
    """Write answers to one question in the form of the path's suffix. ``fields`` are those of CSV and JSON."""
    forms: dict[str, Callable[[], Iterator[str]]] = {
        ".md": lambda: _markdown(title, answers),
        ".csv": lambda: _csv(answers, fields),
        ".json": lambda: _json(answers, fields),
        ".html": lambda: _hand_out(title, answers, view),
        ".txt": lambda: _links(answers),
    }
    write_text(path, forms[Path(path).suffix.lower()]())


def _markdown(title: str, answers: Sequence[Answer[Any, Any]]) -> Iterator[str]:
    """Yield the answers as tables in Markdown. The title of a row is the link, or its label without a title."""
    yield f"<!-- {_MARK} -->\n# {markdown_line(title)}\n"
    for answer in answers:
        headers, rows = table(answer, 200)
        if len(answers) > 1:
            yield f"\n## {markdown_line(str(answer.query))}\n"
        yield f"\n| {' | '.join(headers)} |\n|{' --- |' * len(headers)}\n" if rows else "\nNothing was found.\n"
        for row, cells in zip(answer, rows, strict=True):
            url = row.get("url", "") if isinstance(row, dict) else ""
            link_column = "title" if "title" in headers and cells[headers.index("title")] else "label"
            linked_cells = [
                markdown_link(cell, url) if name == link_column else markdown_line(cell)
                for name, cell in zip(headers, cells, strict=True)
            ]
            yield f"| {' | '.join(linked_cells)} |\n"


def _csv(answers: Sequence[Answer[Any, Any]], fields: str) -> Iterator[str]:
    """Yield a line a row; lists are joined by "; ", evidence by its quotes; no cell is a formula."""
    has_several = len(answers) > 1
    rows = [
        ({"query": answer.query} if has_several else {}) | row for answer in answers for row in answer.to_dicts(fields)
    ]
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["id"]
    yield f"{','.join(map(safe_cell, names))}\n"
    for row in rows:
        yield f"{','.join(safe_cell(_flat(row.get(name, ''))) for name in names)}\n"


def _flat(value: Any) -> Any:
    if isinstance(value, dict):
        return value.get("quote") or "; ".join(f"{name}: {one}" for name, one in value.items())
    return "; ".join(str(_flat(one)) for one in value) if isinstance(value, list | tuple) else value


def _json(answers: Sequence[Answer[Any, Any]], fields: str) -> Iterator[str]:
    told = [answer.to_dict(fields) for answer in answers]
    yield escaped(json.dumps(told if len(told) > 1 else told[0], ensure_ascii=False, indent=1)) + "\n"


def _links(answers: Sequence[Answer[Any, Any]]) -> Iterator[str]:
    urls = (str(row.get("url", "")) for answer in answers for row in answer)
    yield from (f"{url}\n" for url in dict.fromkeys(urls) if is_web(url))


def _hand_out(title: str, answers: Sequence[Answer[Any, Any]], view: View) -> Iterator[str]:
    """Yield a page to print: each step with its title, its minutes, its reason, and pages to read with it."""
    steps = [step for answer in answers for step in answer]
    minutes = sum(step.duration or 0 for step in steps) // 60
    yield (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="{_MARK}">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>"
        f"<p>{len(steps)} episodes{f', {minutes} minutes' * bool(minutes)}</p><ol>\n"
    )
    for step in steps:
        length = f" <small>{step.duration // 60} min</small>" if step.duration else ""
        read = "; ".join(_read_with(step, view))
        yield (
            f"<li><h2>{_linked(step.title, step.url)}{length}</h2><p>{escape(_sentence(step.reason))}</p>"
            f"{f'<p>Read with it: {read}</p>' * bool(read)}</li>\n"
        )
    yield "</ol></body></html>\n"


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}h2{font-size:1em;margin:0}"
    "p{margin:.2em 0}li{margin:0 0 1em;break-inside:avoid}small{font-weight:normal}a{color:inherit}"
)


def _read_with(step: Item, view: View) -> Iterator[str]:
    """Yield links to pages cited by an episode: docs, tutorials, papers, posts; boilerplate left out."""
    found = 0
    for edge in view.edges_from(step.id, "cites"):
        node = view.node(edge.target) or {}
        if node.get("kind") in _READ_WITH and not edge.attributes.get("boilerplate") and found < _MOST_READ:
            found += 1
            yield _linked(label_of(edge.target, view), node.get("url", ""))


def _linked(text: str, url: str) -> str:
    return f'<a href="{escape(url)}">{escape(text)}</a>' if is_web(url) else escape(text)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""
