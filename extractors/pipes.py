"""Opens named pipes (FIFOs) with a time limit: for a pipe without a writer ``open`` would wait forever."""

from __future__ import annotations

import errno
import os
import stat
from time import monotonic, sleep

PATIENCE = 5.0
"""The seconds that the other end of a pipe has to come."""


def patient(path: str, flags: int) -> int:
    """Open a file; for use as the ``opener`` of ``open``.

    Raises ``OSError`` as ``open`` does, and for a pipe without a process at its other end after ``PATIENCE`` seconds.
    A process at the other end may take any time to write.
    """
    if not stat.S_ISFIFO(os.stat(path).st_mode):  # noqa: PTH116 - with flags, as open has them
        return os.open(path, flags)
    opened = _open_to_write(path, flags) if flags & os.O_WRONLY else _open_to_read(path, flags)
    os.set_blocking(opened, True)
    return opened


def _open_to_read(path: str, flags: int) -> int:
    """Return the descriptor of a pipe to read from. Raise ``TimeoutError`` if no process opens its other end in time.

    Without ``O_NONBLOCK``, ``open`` would wait forever.
    """
    import select  # noqa: PLC0415 - few files are pipes

    opened = os.open(path, flags | os.O_NONBLOCK)
    try:
        coming = select.poll()
        coming.register(opened, select.POLLIN)
        if not coming.poll(PATIENCE * 1000):
            os.read(opened, 1)  # raises BlockingIOError when a slow writer is connected
            raise TimeoutError(errno.ETIMEDOUT, "nobody writes to this pipe", path)
    except BlockingIOError:
        return opened
    except BaseException:
        os.close(opened)
        raise
    return opened


def _open_to_write(path: str, flags: int) -> int:
    """Return the descriptor of a pipe to write to. Raise ``TimeoutError`` if no process reads from it in time.

    Opening it fails with ``ENXIO`` while there is no reader, and no event announces one, so it polls.
    """
    until = monotonic() + PATIENCE
    while True:
        try:
            return os.open(path, flags | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if monotonic() > until:
                raise TimeoutError(errno.ETIMEDOUT, "nobody reads from this pipe", path) from error
            sleep(0.05)
