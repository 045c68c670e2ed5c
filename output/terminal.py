"""Terminal output: tables, notices, progress. Only this file imports rich.

A terminal gets aligned tables; a pipe gets one line a row with tabs between the columns and no header, as
in ``gh``. Titles and notes are other people's text: their control characters never reach a terminal.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from podgraph.extractors import without_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from rich.console import Console


def printable_line(text: str) -> str:
    r"""Return a text from a feed on one line, without control characters and marks that turn the writing direction.

    >>> printable_line("a\x1b[31mb\n c")
    'a[31mb c'
    """
    if text.isprintable() and "  " not in text:
        return text
    controls = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
    return re.sub(r"\s+", " ", re.sub(controls, "", text))


class _ClosedOutput(io.TextIOBase):
    """Replacement for a closed standard output. Writing to it fails, as in other commands."""

    def write(self, _text: str, /) -> int:
        """Raise ``OSError``, as writing to a closed file does."""
        raise OSError(errno.EBADF, "it is closed")


def prepare_streams() -> None:
    """Make standard output and error write UTF-8 whatever the locale, with "?" for a character that cannot be written.

    If one of the three standard streams is closed, open the null device in its place. Otherwise the next opened file
    would get its number, and a library that writes to "standard error" would write into the graph.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or _ClosedOutput()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def warn(message: str) -> None:
    """Print a line ("podgraph: …") on standard error; if it is closed, do nothing.

    Keys of private feeds are removed.
    """
    if sys.stderr is not None:
        STATUS_LINE.write("")
        with suppress(OSError, ValueError):
            print(f"podgraph: {without_keys(printable_line(message))}", file=sys.stderr)


def note(message: str) -> None:
    """Print a line on standard error as ``warn`` does, unless the command is quiet (``-q``)."""
    if not STATUS_LINE.is_quiet:
        warn(message)


def format_count(count: int, word: str) -> str:
    """Return a count with its word in singular or plural.

    >>> format_count(1, "edge"), format_count(3, "edge")
    ('1 edge', '3 edges')
    """
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def print_table(
    headers: Sequence[str], rows: Sequence[Sequence[str]], heading: str = "", *,
    wide: Collection[str] = (), below: Collection[str] = (),
) -> None:  # fmt: skip
    """Print rows of text under ``headers``: aligned on a terminal, tab-separated without headers in a pipe.

    ``heading`` is a line above the table, only on a terminal. ``wide`` and ``below`` are headers of columns that wrap;
    the others keep their width where there is room. On a terminal too narrow for all, each column of ``below`` is
    printed on lines of its own under the rest, to keep a URL whole. A cell may have several lines on a terminal; in a
    pipe they are joined by a space.
    """
    if not sys.stdout.isatty():
        guard: Callable[[str], str] = str  # a program reads the text as it is; a spreadsheet may open a file
        with suppress(OSError, ValueError):  # no standard output, or one of a test
            guard = without_formula if stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode) else str
        sys.stdout.writelines("\t".join([guard(printable_line(cell)) for cell in row]) + "\n" for row in rows)
        return
    from rich import box, console, table, text  # noqa: PLC0415 - only terminals need it

    screen = console.Console(highlight=False)
    if heading:
        screen.print(text.Text(printable_line(heading), "bold"), soft_wrap=True)
    grid = table.Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold", show_header=any(headers))
    for header in headers:
        grid.add_column(header, overflow="fold", no_wrap=header not in (*wide, *below) and len(headers) > 1)
    for row in rows:
        grid.add_row(*(text.Text("\n".join(map(printable_line, cell.split("\n")))) for cell in row))
    # The width that the table would have on a terminal without a limit.
    natural_width = screen.measure(grid, options=screen.options.update(width=10_000)).maximum
    if not any(header in below for header in headers) or natural_width <= screen.width:
        screen.print(grid)
    else:
        _print_records(screen, headers, rows, below)


def _print_records(
    screen: Console, headers: Sequence[str], rows: Sequence[Sequence[str]], below: Collection[str]
) -> None:
    """Print each of ``rows`` on several lines of a terminal that is too narrow for a table.

    The first line has the cells of most columns; the columns ``below`` are on lines of their own under it, each with
    its header.
    """
    widths = [max(len(printable_line(cell)) for cell in column) for column in zip(*rows, strict=True)]
    indent = 4 + max(len(header) for header in headers if header in below)
    for row in rows:
        cells = list(zip(headers, row, widths, strict=True))
        head = "  ".join(f"{printable_line(cell):{width}}" for header, cell, width in cells if header not in below)
        screen.print(head.rstrip(), style="bold", soft_wrap=True, markup=False, emoji=False)
        for header, cell, _ in cells:
            name = f"  {header}"
            for line in cell.split("\n") if header in below and cell else ():
                screen.print(f"{name:{indent}}{printable_line(line)}", soft_wrap=True, markup=False, emoji=False)
                name = ""


def without_formula(text: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would take it for a formula, else unchanged.

    Such a formula in a feed could run commands on the computer of a reader.
    """
    # An apostrophe is guarded too, to keep two different texts different.
    return f"'{text}" if re.match(r"'*\s*[=+\-@\uff0b\uff0d\uff1d\uff20\t\r\n]", text) else text


class _StatusLine:
    """The progress line on standard error, which is rewritten in place.

    ``is_quiet`` suppresses the line, and the notes of the command, too.
    """

    is_quiet = True  # until a command begins: the library prints nothing
    text = ""

    def show(self, task: str, done: int, total: int) -> None:
        """Write the progress of a task: ``done`` of ``total`` steps (0: unknown), rounded to 10 %.

        A notebook keeps each version of the line, so there are few.
        """
        text = f"{task} {10 * done // total * 10} %" if total else task
        if text != self.text:
            self.write(text)

    def write(self, text: str) -> None:
        """Replace the text of the line on the terminal; "" clears it."""
        if text or self.text:
            with suppress(OSError, ValueError):
                sys.stderr.write(f"\r{text.ljust(len(self.text))}" + "\r" * (not text))
                sys.stderr.flush()
        self.text = text


STATUS_LINE = _StatusLine()


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show the progress of long work on standard error while a ``with`` block runs.

    It is shown for a command on a terminal, and for the library in a notebook. Yields a function to call with the
    progress: (task, steps done, number of steps; 0: unknown).
    """
    is_in_cell = type(sys.stderr).__module__.partition(".")[0] == "ipykernel"  # a cell of a notebook
    is_shown = is_in_cell or (not STATUS_LINE.is_quiet and sys.stderr is not None and sys.stderr.isatty())
    yield STATUS_LINE.show if is_shown else lambda _task, _done, _total: None
    STATUS_LINE.write("")
