"""The work on feeds shared by the workers of a Dask cluster: processes of this machine, or of many.

Dask sends the work to the workers and the results back, spills to disk when memory is short, and repeats the work of
a dead worker: https://distributed.dask.org. Needs distributed, from the extra ``dask``.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import signal
import sys
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar, cast

from podgraph import __version__
from podgraph.extractors import PodgraphError, plugins_installed, plugins_wanted, processors

from ..pipeline import shared_by

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from distributed import Client, Future, LocalCluster

    from podgraph.extractors import Share

_T = TypeVar("_T")
_DEATHS = 10  # of workers of this machine at work on one feed, before it is given up
_PATIENCE = 30  # seconds until a scheduler answers, and has a worker
_LOOK = 1  # seconds without a result until it is looked whether there are workers, and again
_TOLD = 30  # checks in a row without a worker, before a warning
_GIVEN_UP = 300  # and until the build ends


@contextmanager
def sharing(jobs: int, scheduler: str = "", notify: Callable[[str], None] = lambda _: None) -> Iterator[Share]:
    """Yield the function for distributing work on feeds: to processes here, or to the workers of a ``scheduler``.

    The other arguments and the errors are those of ``on_cluster``.
    """
    if not scheduler:
        yield shared_by(jobs)
        return
    if plugins_wanted() and plugins_installed():
        remedy = "add --no-plugins, or build without --scheduler"
        raise PodgraphError("does not take installed packages along", source="--scheduler", remedy=remedy)
    with on_cluster(scheduler, jobs, notify) as share:
        yield share


@contextmanager
def on_cluster(scheduler: str, jobs: int = 0, notify: Callable[[str], None] = lambda _: None) -> Iterator[Share]:
    """Yield a function for distributing work on feeds to the workers of a cluster.

    ``scheduler`` is an address (``tcp://host:8786``), or ``local`` for a cluster of ``jobs`` processes (0: one for each
    processor) that ends with the block. Workers need the same podgraph and Python. ``notify`` gets one
    line when all workers are gone. Raises ``PodgraphError`` without a scheduler or worker, and during the work
    when the scheduler ends or the workers stay away or die repeatedly; what workers wrote to the folder stays.
    """
    try:
        import dask  # noqa: PLC0415 - an extra
        import distributed  # noqa: PLC0415
    except ImportError as error:
        remedy = "pip install 'podgraph[dask]'"
        raise PodgraphError("needs distributed", source="--scheduler", remedy=remedy) from error
    source = f"--scheduler {scheduler}"
    for name in ("distributed", "distributed.client"):  # the latter has a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a build's own error gives the cause
    settings = {
        "distributed.admin.large-graph-warning-threshold": "1GB",
        "distributed.admin.low-level-log-length": 0,  # else the last 1,000 messages are kept, with the feeds in them
        "distributed.scheduler.allowed-failures": _DEATHS,
        "logging.distributed": "critical",
    }
    lost = (
        distributed.scheduler.KilledWorker, distributed.CancelledError, asyncio.CancelledError,
        distributed.comm.core.CommClosedError, _NoWorkersError,
    )  # fmt: skip
    with _closed_whole() as stack:
        stack.enter_context(dask.config.set(settings))
        try:
            least = 1
            if scheduler == "local":
                spill = stack.enter_context(TemporaryDirectory(prefix="podgraph-", ignore_cleanup_errors=True))
                stack.enter_context(dask.config.set({"temporary-directory": spill}))  # the scheduler's, too
                least = jobs or processors()
                _start_tracker()
                with _interrupts_held():
                    address = stack.enter_context(distributed.LocalCluster(
                        n_workers=0, threads_per_worker=1, memory_limit=1 / least, host="127.0.0.1",
                        dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL,
                    ))  # fmt: skip
                address.sync(_start, address, least)  # from here on, every interruption closes it
                address.adapt(minimum=least, maximum=least)  # else a worker dying as it starts is not begun again
            else:
                address = scheduler
                asyncio.run(_check_answer(address))
            client = stack.enter_context(distributed.Client(address, timeout=_PATIENCE))
            client.wait_for_workers(1, timeout=_PATIENCE)
            _check_versions(client, source)
        except (OSError, RuntimeError, *lost) as error:  # RuntimeError: processes cannot be started
            remedy = "are it and its workers there? (dask scheduler, dask worker)"
            raise _failed(source, "cannot be used", error, remedy) from error

        def share(
            work: Callable[..., _T], columns: Sequence[Sequence[object]], /, *known: object
        ) -> Generator[_T, None, None]:
            """Yield the results of the work on the cluster. A lost cluster raises ``PodgraphError``."""
            try:
                yield from _shared(client, work, columns, known, lambda line: notify(f"{source}: {line}"))
            except lost as error:
                if client.status != "running" or isinstance(error, distributed.comm.core.CommClosedError):
                    problem, remedy = "is gone, finished parts stay", "start it again, or build with --jobs"
                else:
                    problem = "lost its workers, finished parts stay"
                    remedy = "give them more memory, or build with --jobs"
                raise _failed(source, problem, error, remedy) from error

        yield share


def _failed(source: str, problem: str, error: BaseException, remedy: str) -> PodgraphError:
    why = str(error).partition("\n")[0].partition(". ")[0].rpartition("reason: ")[2].rstrip(".")
    return PodgraphError(f"{problem} ({why or type(error).__name__})", source=source, remedy=remedy)


class _NoWorkersError(Exception):
    """No worker was there for too long."""


async def _check_answer(address: str) -> None:
    """Raise ``OSError`` when no scheduler answers: a client would wait for its first message forever."""
    from distributed import Security  # noqa: PLC0415 - an extra
    from distributed.core import rpc  # noqa: PLC0415

    try:
        async with asyncio.timeout(_PATIENCE):
            async with rpc(
                address, timeout=_PATIENCE, connection_args=Security().get_connection_args("client")
            ) as scheduler:
                await scheduler.identity()
    except TimeoutError as error:
        raise OSError(f"no answer in {_PATIENCE} s") from error
    except OSError:
        raise
    except Exception as error:  # the words of another program are taken for sizes, and for anything
        raise OSError("what answers there is no Dask scheduler") from error


async def _start(cluster: LocalCluster, count: int) -> None:
    """Start the processes of a cluster. An interrupt waits until all are started, and can be ended."""

    async def start() -> None:
        cluster.scale(count)
        await cluster

    await asyncio.shield(start())


@contextmanager
def _closed_whole() -> Iterator[ExitStack]:
    """Give a stack whose closing no second Ctrl-C can interrupt, so that no processes and files are left."""
    stack = ExitStack()
    try:
        yield stack
    finally:
        with _interrupts_held():
            stack.close()


def _start_tracker() -> None:
    """Start the tracker of semaphores here; started by a thread, it would receive interrupts."""
    if hasattr(signal, "pthread_sigmask"):
        from multiprocessing import resource_tracker  # noqa: PLC0415 - not everywhere

        resource_tracker.ensure_running()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C until the end; threads and processes started here never receive it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _shared(
    client: Client, work: Callable[..., _T], columns: Sequence[Sequence[object]], known: Sequence[object],
    notify: Callable[[str], None],
) -> Iterator[_T]:  # fmt: skip
    """Yield the result of ``work`` for each row, in order."""
    # As a task, the shared data is computed again when all workers with it died; scattered data would be lost.
    packed = [client.submit(pickle.loads, pickle.dumps(one), pure=False) for one in known]
    rows = [pickle.dumps(row) for row in zip(*columns, strict=True)]
    futures = [client.submit(_of_row, work, row, *packed, pure=False) for row in rows]
    try:
        for future in futures:
            yield _result(client, future, notify)
            future.release()
    finally:
        client.cancel(futures)


def _result(client: Client, future: Future[_T], notify: Callable[[str], None]) -> _T:
    """Return the result of a task. Waits for workers if there are none, but not forever."""
    looks = 0
    while looks < _GIVEN_UP:
        try:
            return future.result(timeout=_LOOK)
        except TimeoutError:
            if future.status == "error":
                raise
            looks = 0 if client.nthreads() else looks + 1
        if looks == _TOLD:
            notify(f"has no worker; waiting for one, {_LOOK * (_GIVEN_UP - _TOLD)} s more")
    raise _NoWorkersError(f"none for {_LOOK * _GIVEN_UP} s")


def _of_row(work: Callable[..., _T], row: bytes, /, *known: object) -> _T:
    """Do the work on a row. The row is pickled, so Dask does not inspect it."""
    return work(*cast("tuple[object, ...]", pickle.loads(row)), *known)  # noqa: S301 - packed above


def version() -> str:
    """Return the versions of podgraph and Python: results are only the same for equal versions.

    >>> version().partition(" on ")[0] == f"podgraph {__version__}"
    True
    """
    return f"podgraph {__version__} on Python {sys.version_info.major}.{sys.version_info.minor}"


def _check_versions(client: Client, source: str) -> None:
    """Raise ``PodgraphError`` where a worker has no podgraph, or another one, or another Python."""
    for worker, found in client.run(version, on_error="return", callback_timeout=_PATIENCE).items():
        if found != version():
            there = found if isinstance(found, str) else "no podgraph"
            raise PodgraphError(f"{worker} has {there}", source=source, remedy=f"install {version()} there")
