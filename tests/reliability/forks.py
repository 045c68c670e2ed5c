"""Run the command many times, each time in a process of its own, without paying for the start each time.

A server process loads everything once; every run is a fork of it that has its own folder, environment, streams, limits
and fate: it may be killed, or interrupted, when it makes its n-th call. As moments are counted in calls and not in
seconds, and sets have one order, a run dies at the same place on every machine.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

MEMORY = 1_000_000_000
SECONDS = 20


@dataclass(frozen=True)
class Run:
    """What to run, where, and what happens to it.

    ``words`` are the command's arguments; ``closed`` the numbers of standard streams it does not get; ``limits`` are
    resources by name (``RLIMIT_…``) and their most; ``signal`` comes with the ``moment``-th call; ``measure`` counts the calls.
    """

    words: list[str]
    folder: str
    environment: dict[str, str] = field(default_factory=dict)
    closed: list[int] = field(default_factory=list)
    limits: dict[str, int] = field(default_factory=dict)
    signal: int = 0
    moment: int = 0
    measure: bool = False


@dataclass(frozen=True)
class Ran:
    """What came of it: the exit status (negative: the signal that ended it) and what was printed.

    ``hung`` says that it took too long, ``cpu`` how long in seconds; ``calls`` is how many calls there were,
    ``writing`` the first and the last of them in the files' module.
    """

    status: int
    out: str
    err: str
    hung: bool
    cpu: float
    calls: int = 0
    writing: tuple[int, int] = (0, 0)

    @property
    def lines(self) -> list[str]:
        """Return what was said on standard error."""
        return self.err.splitlines()


class Forks:
    """The server, from the outside: a context manager whose ``run`` does one run, ``together`` several at once."""

    def __enter__(self) -> Self:
        here = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PODGRAPH_CACHE_DIR": os.devnull, "PYTHONHASHSEED": "0"}
        self._server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=here, text=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._server.communicate()

    def run(self, *words: str, folder: Path, **more: Any) -> Ran:
        """Run the command with ``words`` in ``folder``."""
        return self.together(Run(list(words), str(folder), **more))[0]

    def together(self, *runs: Run) -> list[Ran]:
        """Do several runs at the same time."""
        if self._server.poll() is not None:  # whatever ended it: the next test is not to blame
            self.__exit__()
            self.__enter__()
        print(json.dumps([asdict(run) for run in runs]), file=self._server.stdin, flush=True)
        answer = self._server.stdout.readline()
        assert answer, f"the server ended with {self._server.wait()}"
        return [Ran(**ran) for ran in json.loads(answer)]


def serve() -> None:
    """Load what every build needs, then do what comes on standard input, line by line."""
    import gc

    from podgraph.output.cli import main

    with tempfile.TemporaryDirectory() as folder:
        for words in (["build", "sample", "-q", "-o", f"{folder}/g.json", "-o", f"{folder}/g.html"], ["stats"]):
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                main(words)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would ignore it
    for line in sys.stdin:
        with tempfile.TemporaryDirectory() as folder:
            begun = []
            for number, run in enumerate(json.loads(line)):
                pid = os.fork()
                if not pid:
                    status = 99
                    try:
                        status = run_forked(Run(**run), f"{folder}/{number}")
                    finally:
                        os._exit(status)
                begun.append(pid)
            print(json.dumps([wait_for(pid, f"{folder}/{number}") for number, pid in enumerate(begun)]), flush=True)


def wait_for(pid: int, base: str) -> dict[str, Any]:
    begin, hung = time.monotonic(), False
    while not (ended := os.wait4(pid, os.WNOHANG))[0]:
        if time.monotonic() - begin > 6 * SECONDS:
            hung = True
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)
    _, code, used = ended
    measured = Path(f"{base}.calls")
    return {
        "status": os.waitstatus_to_exitcode(code),
        "out": Path(f"{base}.out").read_text("utf-8"),
        "err": Path(f"{base}.err").read_text("utf-8"),
        "hung": hung or (code in {signal.SIGXCPU, signal.SIGKILL} and used.ru_utime > SECONDS - 1),
        "cpu": round(used.ru_utime + used.ru_stime, 3),
        **(json.loads(measured.read_text()) if measured.exists() else {}),
    }


def run_forked(run: Run, base: str) -> int:
    """Become what the run asks for; return the exit status as the interpreter would."""
    import resource
    import traceback

    from podgraph.output.cli import main

    calls, writing = 0, []

    def watch(frame: Any, _event: str, _argument: object) -> None:
        nonlocal calls
        calls += 1
        if run.measure and frame.f_code.co_filename.endswith("output/files.py"):
            writing[1:] = [calls] if writing else [calls, calls]
        if calls == run.moment:
            sys.setprofile(None)
            signal.raise_signal(run.signal)

    for number, name in enumerate((os.devnull, f"{base}.out", f"{base}.err")):
        opened = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY)
        os.dup2(opened, number)
        os.close(opened)
    for number in run.closed:
        os.close(number)
    streams = [None if n in run.closed else open(n, "w" if n else "r", closefd=False) for n in range(3)]  # noqa: SIM115
    sys.stdin, sys.stdout, sys.stderr = streams  # type: ignore[assignment]
    os.chdir(run.folder)
    os.environ.update(run.environment)
    for name, most in {"RLIMIT_DATA": MEMORY, "RLIMIT_CPU": SECONDS, **run.limits}.items():
        resource.setrlimit(getattr(resource, name), (most, most))
    sys.argv = ["podgraph", *run.words]
    if run.measure or run.moment:
        sys.setprofile(watch)
    try:
        status = main()
    except SystemExit as leave:
        status = leave.code if isinstance(leave.code, int) else 1
    except BaseException:  # noqa: BLE001 - what the interpreter would do with it
        traceback.print_exc()
        status = 1
    sys.setprofile(None)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except (OSError, ValueError):
            status = 120  # what the interpreter says then
    if run.measure:
        Path(f"{base}.calls").write_text(json.dumps({"calls": calls, "writing": writing}))
    return status


if __name__ == "__main__":
    serve()
