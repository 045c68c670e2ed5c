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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.text import Text

# Control characters and marks turning the writing direction; a table, for a pattern of them is slow to compile.
_CONTROL = dict.fromkeys([
    *range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF,
]) | {ord("\t"): " ", ord("\n"): " "}  # fmt: skip
# A text taken for a formula by a spreadsheet.
# An apostrophe is guarded too, to keep two different texts different.
_FORMULA = re.compile(r"'*\s*[=+\-@\uff0b\uff0d\uff1d\uff20\t\r\n]")
_LEAST_WIDTH = 8  # of a wrapping column
_OF_A_KERNEL = "JPY_PARENT_PID"  # set by Jupyter for each program started in a cell: its terminal is a notebook too
_ADDRESS = ("https://", "http://")  # schemes of links on a terminal
# white space
_BLANK = re.compile(r"\s+")


def printable_line(text: str) -> str:
    r"""Return foreign text on one line, without control characters and marks turning the writing direction.

    >>> printable_line("a\x1b[31mb\n c")
    'a[31mb c'
    """
    return _BLANK.sub(" ", text.translate(_CONTROL))


class _Closed(io.TextIOBase):
    """Replacement for a closed standard output: writing fails, as in other commands."""

    def write(self, _text: str, /) -> int:
        raise OSError(errno.EBADF, "it is closed")

    def fileno(self) -> int:
        return 1


def ready_streams() -> None:
    """Make standard output and error write UTF-8 whatever the locale, and never fail on a character.

    Where one of the three standard streams is closed, nothing else may get its number: a library writing
    to "standard error" would write into the graph.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = _Closed()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="replace")


def note(message: str, *, quiet: bool = False) -> None:
    """Print one line for the person on standard error, unless ``quiet``. Where nobody reads it, it is dropped."""
    if not quiet and sys.stderr is not None:
        with suppress(OSError, ValueError):
            from podgraph.extractors import without_keys  # noqa: PLC0415 - most answers have no notes

            print(f"podgraph: {without_keys(printable_line(message))}", file=sys.stderr)


def format_count(count: int, word: str) -> str:
    """Return a count with its word in singular or plural.

    >>> format_count(1, "edge"), format_count(3, "edge")
    ('1 edge', '3 edges')
    """
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def print_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    wide: Sequence[int] = (),
    spare: Sequence[int] = (),
    below: Sequence[int] = (),
    piped: Sequence[int] = (),
) -> None:
    """Print rows of text under ``headers``: aligned on a terminal, tab-separated and bare in a pipe.

    ``wide`` are the indexes of wrapping columns; the others keep their width where there is room.
    On a terminal too narrow for all, ``spare`` are left out, from the left. If this is not enough,
    ``below`` are columns with lines of their own under the rest, to keep a URL whole.
    Where not even the rest fits, rows are lines wrapped by the terminal. Empty columns are left
    out too. ``piped`` is the order of the columns in a pipe, if it differs. A cell may have several lines on a
    terminal; in a pipe they are joined by a space.
    """
    if not sys.stdout.isatty():
        guarded = _guard()
        for row in rows:
            cells = [row[index] for index in piped if index < len(row)] or row
            print("\t".join(guarded(printable_line(cell)) for cell in cells))
        return
    _Table(headers, rows, wide).print(spare, below)


def _guard() -> Callable[[str], str]:
    """Return the function for cells of the output: a file may be opened in a spreadsheet, a pipe leads to a program."""
    with suppress(OSError, ValueError):  # no standard output, or one of a test
        if stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode):
            return without_formula
    return str


def without_formula(text: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


class _Table:
    """A table for a terminal: the lines of each cell, and the columns left to be shown."""

    def __init__(self, headers: Sequence[str], rows: Sequence[Sequence[str]], wide: Sequence[int]) -> None:
        """Measure the columns. Those without any content are left out. ``wide`` columns may be broken over lines."""
        from rich.console import Console  # noqa: PLC0415 - only terminals need it

        self._headers, self._wide = headers, wide
        self._console = Console(highlight=False)
        self._rows = [[[printable_line(line) for line in cell.split("\n")] for cell in row] for row in rows]
        columns = range(len(headers))
        self._columns = [index for index in columns if any(row[index] for row in rows)] or list(columns)
        self._widths = [max(len(header), *self._lengths(index)) + 3 for index, header in enumerate(headers)]

    def _lengths(self, column: int) -> list[int]:
        return [len(line) for row in self._rows for line in row[column]] or [0]

    def _is_too_wide(self, width: Callable[[int], int] | None = None) -> bool:
        """Return whether the columns, at their own or another ``width``, have no room. The last has no margin."""
        return sum(map(width or self._widths.__getitem__, self._columns)) > self._console.width + 1

    def print(self, spare: Sequence[int], below: Sequence[int]) -> None:
        """Print it as far as there is room: without the spare columns, in blocks, as lines, or as a table."""
        for index in spare:
            self._leave_out(index)
        if below and self._rows and self._is_too_wide():
            head = [index for index in self._columns if index not in below]
            _print_blocks(self._headers, self._rows, head, below, self._console.width)
        elif self._is_too_wide(self._least):
            self._print_lines()
        else:
            self._print_aligned()

    def _leave_out(self, column: int) -> None:
        if column in self._columns and self._is_too_wide():
            self._columns.remove(column)

    def _print_lines(self) -> None:
        for row in self._rows:
            print(" · ".join(" ".join(row[index]) for index in self._columns if any(row[index])))

    def _least(self, column: int) -> int:
        return _LEAST_WIDTH if column in self._wide else self._widths[column]

    @staticmethod
    def _cell(lines: Sequence[str]) -> Text:
        """Return a cell with each address as a link, also where it is broken over lines."""
        from rich.style import Style  # noqa: PLC0415 - only terminals need it
        from rich.text import Text  # noqa: PLC0415

        styled = ((line, Style(link=line)) if _is_address(line) and _has_links() else line for line in lines)
        return Text("\n").join(Text.assemble(line) for line in styled)

    def _print_aligned(self) -> None:
        """Print the rows in columns. The ``wide`` ones are as narrow as the window demands."""
        from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - only terminals need it
        from rich.table import Table  # noqa: PLC0415

        table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", show_header=any(self._headers))
        for index in self._columns:
            whole = index not in self._wide and len(self._columns) > 1
            table.add_column(self._headers[index], overflow="fold", no_wrap=whole)
        for row in self._rows:
            table.add_row(*(self._cell(row[index]) for index in self._columns))
        self._console.print(table)


def _print_blocks(
    headers: Sequence[str],
    rows: Sequence[Sequence[Sequence[str]]],
    head: Sequence[int],
    below: Sequence[int],
    width: int,
) -> None:
    """Print each row as a line of its ``head``, and the columns ``below`` under it by their names."""
    widths = {index: max(len(" ".join(row[index])) for row in rows) for index in head[:-1]}
    indent = 4 + max(len(headers[index]) for index in below)
    print()
    for row in rows:
        print(_bold("  ".join(" ".join(row[index]).ljust(widths.get(index, 0)) for index in head).rstrip()))
        for index in below:
            name = f"  {headers[index]}".ljust(indent)
            for line in row[index]:
                print(f"{name}{line}")
                name = " " * indent
    print()


def print_heading(text: str) -> None:
    """Print a line of its own above a table; bold on a terminal, nothing special in a pipe."""
    print(_bold(printable_line(text)))


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if _has_styles() else text


def _has_styles() -> bool:
    """Return whether bold may be printed: not where ``NO_COLOR`` is set; where ``FORCE_COLOR`` is, also in a pipe."""
    wanted = os.environ.get("FORCE_COLOR") or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")
    return bool(wanted) and not os.environ.get("NO_COLOR")


def _has_links() -> bool:
    """Return whether addresses may be links (the control sequence OSC 8): on a terminal with any sequences."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _is_address(line: str) -> bool:
    return line.startswith(_ADDRESS) and " " not in line


def _linked(line: str) -> str:
    """Return a line as a link where it is an address: the same on the screen, and it can be opened."""
    return f"\x1b]8;;{line}\x1b\\{line}\x1b]8;;\x1b\\" if _is_address(line) and _has_links() else line


def in_cell() -> bool:
    """Return whether Python itself runs in a cell of a notebook: its standard error is then one of ipykernel's."""
    return type(sys.stderr).__module__.partition(".")[0] == "ipykernel"


class _Line:
    """A line of progress in a notebook, rewritten a few times for each step."""

    def __init__(self) -> None:
        self._said = ""

    def show(self, what: str, done: int, total: int) -> None:
        """Write how far it is, in tenths: each line ever written stays in the notebook's file."""
        said = f"{what} {10 * done // total * 10} %" if total else what
        if said != self._said:
            self._write(f"\r{said.ljust(len(self._said))}")
            self._said = said

    def end(self) -> None:
        """End the line."""
        if self._said:
            self._write("\n")

    @staticmethod
    def _write(text: str) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


@contextmanager
def progress(*, wanted: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Show the progress of long work on standard error, if it is a terminal or a notebook, and if ``wanted``.

    Yields a function of (task, steps done, number of steps; 0: unknown). A notebook has one
    line, because it keeps all output and has no cursor to move up.
    """
    if not wanted or sys.stderr is None or not (in_cell() or sys.stderr.isatty()):
        yield lambda _what, _done, _total: None
        return
    if in_cell() or _OF_A_KERNEL in os.environ:
        line = _Line()
        yield line.show
        line.end()
        return
    from rich.console import Console  # noqa: PLC0415 - only terminals need it
    from rich.progress import MofNCompleteColumn, Progress, TaskID  # noqa: PLC0415

    tasks: dict[str, TaskID] = {}
    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                for earlier in tasks.values():
                    bar.update(earlier, visible=False)
                tasks[what] = bar.add_task(what, total=total or None)
            bar.update(tasks[what], completed=done, total=total or None)

        yield show
