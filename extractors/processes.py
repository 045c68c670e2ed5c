"""Runs a function over many items in several processes.

The processes are forked, so they share the parent's data without a copy, and return only their results.
Where a system cannot fork or lacks memory, or a process is killed, the parent does the work: the result is the same.
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    _Columns = Sequence[Sequence[object]]

_T = TypeVar("_T")
_works: list[Callable[[int], object]] = []  # the function of a forked process


class Share(Protocol):
    """Runs a function over many items, serially or in worker processes."""

    def __call__(self, work: Callable[..., _T], columns: _Columns, /, *constants: object) -> Generator[_T]:
        """Yield the result of ``work`` for each row of ``columns``, with ``constants`` as its last arguments, in order.

        ``work`` must be a function of a module, and its arguments and results must be picklable. Callers that stop
        early must close the generator.
        """


def processors() -> int:
    """Return how many processes this one may have at work at a time."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def in_processes(work: Callable[..., _T], columns: _Columns, /, *constants: object, jobs: int = 1) -> Generator[_T]:
    """Yield the result of ``work`` for each row of ``columns``, as in ``Share``, computed by ``jobs`` processes.

    Results must be picklable and depend only on the arguments. An exception of ``work`` is raised here.

    >>> [*in_processes(pow, [[1, 2, 3], [2, 2, 2]], 5, jobs=2)]
    [1, 4, 4]
    """
    count, done = len(columns[0]), 0

    def of_row(number: int) -> _T:
        return work(*(column[number] for column in columns), *constants)

    if min(jobs, count) > 1 and sys.platform == "linux":
        from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - few builds are that big

        with suppress(BrokenProcessPool), ExitStack() as stack:
            for result in _run_on_rows(of_row, count, jobs, stack):
                yield cast("_T", result)
                done += 1
    yield from map(of_row, range(done, count))


def _run_on_rows(of_row: Callable[[int], object], count: int, jobs: int, stack: ExitStack) -> Iterable[object]:
    """Have processes work on rows, until ``stack`` ends; nothing comes where the system has no room for them."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    try:  # the function is inherited, and need not be picklable
        pool = ProcessPoolExecutor(min(jobs, count), get_context("fork"), _begin_process, (of_row,))

        def close(error: type[BaseException] | None, *_: object) -> None:
            """Wait for the processes. After an error or an interruption end them: nobody needs their results."""
            for process in list((getattr(pool, "_processes", None) or {}).values()) if error else ():
                process.kill()
            pool.shutdown(cancel_futures=True)

        stack.push(close)
        return pool.map(_run_on_row, range(count))
    except OSError:  # no memory that processes share, no more processes
        return ()


def _run_on_row(number: int) -> object:
    return _works[-1](number)


def _begin_process(of_row: Callable[[int], object]) -> None:
    """Ignore Ctrl-C here: it ends the waiting parent, and the parent's end always ends this process."""
    import signal  # noqa: PLC0415
    from threading import Thread  # noqa: PLC0415

    _works.append(of_row)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the parent is gone, then end this process: a killed parent cannot stop its children."""
    from multiprocessing import parent_process  # noqa: PLC0415

    if parent := parent_process():
        parent.join()
        os._exit(1)
