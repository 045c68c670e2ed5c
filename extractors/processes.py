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
        """Yield the result of ``work`` for each row of ``columns``, in their order.

        Args:
            work: a function of a module; its arguments and results must be picklable
            columns: the arguments of ``work`` that differ: for each argument the list of its values, all of one length
            constants: the last arguments of ``work``, the same for each row

        Callers that stop early must close the generator.
        """


def processors() -> int:
    """Return how many processors this process may use; 1 on systems where podgraph starts no other processes."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def in_processes(work: Callable[..., _T], columns: _Columns, /, *constants: object, jobs: int = 1) -> Generator[_T]:
    """Yield the result of ``work`` for each row of ``columns``, in order, computed by ``jobs`` processes.

    An exception of ``work`` is raised here. Where processes cannot be started, or one is killed, this process does the
    rest of the work.

    Args:
        work: a function; its results must be picklable, and depend only on its arguments
        columns: the arguments of ``work`` that differ: for each argument the list of its values, all of one length
        constants: the last arguments of ``work``, the same for each row
        jobs: the number of processes

    >>> [*in_processes(pow, [[1, 2, 3], [2, 2, 2]], 5, jobs=2)]
    [1, 4, 4]
    """
    count, done = len(columns[0]), 0

    def work_on_row(number: int) -> _T:
        """Return the result of ``work`` for one row of the columns."""
        return work(*(column[number] for column in columns), *constants)

    if min(jobs, count) > 1 and sys.platform == "linux":
        from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - few builds are that big

        with suppress(BrokenProcessPool), ExitStack() as stack:
            for result in _run_on_rows(work_on_row, count, jobs, stack):
                yield cast("_T", result)
                done += 1
    yield from map(work_on_row, range(done, count))


def _run_on_rows(work_on_row: Callable[[int], object], count: int, jobs: int, stack: ExitStack) -> Iterable[object]:
    """Return the results of the function ``work_on_row`` for the rows 0 to ``count - 1``, in order.

    ``jobs`` processes compute them; they end when ``stack`` is closed. Where the system cannot start processes, the
    result is empty.
    """
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    try:  # the function is inherited, and need not be picklable
        pool = ProcessPoolExecutor(min(jobs, count), get_context("fork"), _begin_process, (work_on_row,))

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
    """Return the result for the row ``number``, in a forked process.

    Only a function of a module can be sent there; the work itself is inherited.
    """
    return _works[-1](number)


def _begin_process(work_on_row: Callable[[int], object]) -> None:
    """Prepare a forked process: store its function ``work_on_row``, and let it end with the parent.

    Ctrl-C is ignored here: it ends the waiting parent, and the parent's end always ends this process.
    """
    import signal  # noqa: PLC0415
    from threading import Thread  # noqa: PLC0415

    _works.append(work_on_row)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the parent process is gone, then end this process: a killed parent cannot stop its children."""
    from multiprocessing import parent_process  # noqa: PLC0415

    if parent := parent_process():
        parent.join()
        os._exit(1)
