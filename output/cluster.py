"""The work on feeds shared by the workers of a Dask cluster: processes of this machine, or of many.

Dask brings the work to the workers and the answers back, puts on disk what a worker cannot hold, and gives the work of
one that died to another: https://distributed.dask.org. Needs distributed, which comes with the extra ``dask``.
"""

from __future__ import annotations

import logging
import pickle
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar, cast

from podgraph import __version__
from podgraph.extractors import PodgraphError, processors

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from distributed import Client, Future

    from podgraph.extractors import Share

_T = TypeVar("_T")
_DEATHS = 10  # of workers of this machine at work on one feed, before it is given up
_PATIENCE = 30  # seconds until a scheduler answers, and has a worker
_AHEAD = 4  # rows that wait for each thread of a worker: what is under way is bounded, whatever there is to do
_WAITING = 4  # times as many that are done may wait for one before them
_SCHEMES = ("tcp", "tls", "ucx", "ws", "wss")


@contextmanager
def on_cluster(scheduler: str, jobs: int = 0) -> Iterator[Share]:
    """Give who has the workers of a cluster do the work on feeds.

    ``scheduler`` is the address of one (``tcp://host:8786``), or ``local`` for one with ``jobs`` processes (0: as many
    as processors) that ends with the block. Its workers need the same podgraph. Raises ``PodgraphError`` where there
    is none, and from the work where its workers die again and again; what a part of them found is then of no use.
    """
    if scheduler != "local" and not scheduler.startswith(tuple(f"{scheme}://" for scheme in _SCHEMES)):
        raise PodgraphError(
            "is no scheduler", source=f"--scheduler {scheduler}", remedy="say local, or its address: tcp://HOST:8786"
        )
    try:
        import dask  # noqa: PLC0415 - an extra
        import distributed  # noqa: PLC0415
    except ImportError as error:
        remedy = "pip install 'podgraph[dask]'"
        raise PodgraphError("needs distributed", source="--scheduler", remedy=remedy) from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what ends a build is said by its error
    settings = {
        "distributed.admin.large-graph-warning-threshold": "1GB",
        "distributed.admin.low-level-log-length": 0,  # else the last 1,000 messages are kept, with the feeds in them
        "distributed.scheduler.allowed-failures": _DEATHS,
        "logging.distributed": "critical",
    }
    lost = (distributed.scheduler.KilledWorker, distributed.CancelledError, distributed.comm.core.CommClosedError)
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(settings))
        try:
            if scheduler == "local":
                spill = stack.enter_context(TemporaryDirectory(prefix="podgraph-", ignore_cleanup_errors=True))
                count = jobs or processors()
                address = stack.enter_context(distributed.LocalCluster(
                    n_workers=count, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0",
                    local_directory=spill, silence_logs=logging.CRITICAL,
                ))  # fmt: skip
                address.adapt(minimum=count, maximum=count)  # else one that dies as it starts is not begun again
            else:
                address = scheduler
            client = stack.enter_context(distributed.Client(address, timeout=_PATIENCE))
            client.wait_for_workers(1, timeout=_PATIENCE)
            _check_versions(client, scheduler)
        except (OSError, RuntimeError, *lost) as error:  # RuntimeError: processes cannot be started
            remedy = "are it and its workers there? (dask scheduler, dask worker)"
            raise _failed(scheduler, "cannot be used", error, remedy) from error

        def share(
            work: Callable[..., _T], columns: Sequence[Sequence[object]], /, *known: object
        ) -> Generator[_T, None, None]:
            try:
                with client.as_current():
                    yield from _shared(client, work, columns, known)
            except lost as error:
                remedy = "give them more memory, or build with --jobs"
                raise _failed(scheduler, "lost its workers, nothing is written", error, remedy) from error

        yield share


def _failed(scheduler: str, problem: str, error: Exception, remedy: str) -> PodgraphError:
    why = str(error).partition("\n")[0].partition(". ")[0]
    return PodgraphError(f"{problem} ({why or type(error).__name__})", source=f"--scheduler {scheduler}", remedy=remedy)


def _shared(
    client: Client, work: Callable[..., _T], columns: Sequence[Sequence[object]], known: Sequence[object]
) -> Iterator[_T]:
    """Yield what ``work`` gives for each row, in order; only some rows are on their way, or wait for their turn."""
    from distributed import as_completed  # noqa: PLC0415 - an extra

    # As work of its own, what is known is made again where all died that had it; handed out, it would be lost.
    packed = [client.submit(pickle.loads, pickle.dumps(one), pure=False) for one in known]
    rows = enumerate(zip(*columns, strict=True))
    found: dict[int, _T] = {}
    places: dict[Future[_T], int] = {}
    done = as_completed()
    ahead = _AHEAD * max(1, sum(client.nthreads().values()))
    for turn in range(len(columns[0])):
        while turn not in found:
            while len(places) < ahead and len(found) < _WAITING * ahead and (row := next(rows, None)):
                future = client.submit(_of_row, work, pickle.dumps(row[1]), *packed, pure=False)
                places[future] = row[0]
                done.add(future)
            future = next(done)
            found[places.pop(future)] = future.result()
        yield found.pop(turn)


def _of_row(work: Callable[..., _T], row: bytes, /, *known: object) -> _T:
    """Do the work on a row, which is packed so that Dask need not look through it."""
    return work(*cast("tuple[object, ...]", pickle.loads(row)), *known)  # noqa: S301 - packed above


def version() -> str:
    """Return the version of podgraph where this runs."""
    return __version__


def _check_versions(client: Client, scheduler: str) -> None:
    """Raise ``PodgraphError`` where a worker has no podgraph, or another one."""
    for worker, found in client.run(version, on_error="return").items():
        if found != __version__:
            there = f"podgraph {found}" if isinstance(found, str) else "no podgraph"
            remedy = f"install podgraph {__version__} there"
            raise PodgraphError(f"{worker} has {there}", source=f"--scheduler {scheduler}", remedy=remedy)
