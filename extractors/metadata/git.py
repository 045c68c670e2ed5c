"""Runs the ``git`` command on a local clone: never the network, never a program from the clone.

A clone's own configuration can name programs to run (signatures, filters, hooks); all these settings are switched off.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from ..errors import SourceError
from ..printable import for_message

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

_SAFE = (
    *("--no-pager", "--no-optional-locks", "--no-replace-objects"),
    *("-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "core.quotePath=false"),
    *("-c", "protocol.allow=never", "-c", "log.mailmap=false", "-c", "core.commitGraph=true"),
    # Frees the parts of packs after reading: a long history costs time, not memory.
    *("-c", "core.packedGitLimit=32m", "-c", "core.packedGitWindowSize=1m", "-c", "core.deltaBaseCacheLimit=16m"),
)
# No fetching for partial clones, no prompts on the terminal, messages in English.
_ENVIRONMENT = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
# Variables that would select another repository than the given one, as in a hook.
_ELSEWHERE = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE"),
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_EXTERNAL_DIFF", "GIT_CEILING_DIRECTORIES", "GIT_TRACE"),
)
_PIECE = 1 << 18
_PATIENCE = 30.0  # seconds for a command with a short answer: a clone may have a pipe in the place of a file


class GitError(SourceError):
    """The ``git`` command is missing, or refuses."""


@dataclass(frozen=True, slots=True)
class Git:
    """The ``git`` command in one folder."""

    folder: str

    def line(self, *words: str) -> str:
        """Return the first line that a command prints within 30 seconds; "" when it fails or prints none."""
        try:
            return self.text(*words, brief=True).partition("\n")[0].strip()
        except GitError:
            return ""

    def text(self, *words: str, given: bytes = b"", brief: bool = False) -> str:
        """Return all that a command prints; ``given`` is its input.

        Raises ``GitError`` when it fails, and for a ``brief`` command after 30 seconds.
        """
        with closing(self.pieces(*words, given=given, brief=brief)) as pieces:
            return b"".join(pieces).decode("utf-8", "replace")

    def records(self, *words: str, given: bytes = b"") -> Generator[bytes, None, None]:
        """Yield the NUL-separated parts of a command's output, as they arrive. Raises ``GitError`` as ``text`` does."""
        rest = b""
        with closing(self.pieces(*words, given=given)) as pieces:
            for piece in pieces:
                *whole, rest = (rest + piece).split(b"\0")
                yield from whole
        if rest:
            yield rest

    def pieces(self, *words: str, given: bytes = b"", brief: bool = False) -> Generator[bytes, None, None]:
        """Yield a command's output, piece by piece; closing the generator early stops the command."""
        environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE} | _ENVIRONMENT
        with _file(given) as source, tempfile.TemporaryFile() as said:
            try:
                process = subprocess.Popen(  # noqa: S603 - no shell, and every word is ours or an object's name
                    ["git", "-C", self.folder, *_SAFE, *words],  # noqa: S607 - the user's own git
                    stdin=source, stdout=subprocess.PIPE, stderr=said, env=environment,
                )  # fmt: skip
            except OSError as error:
                raise GitError("the command git cannot be run", source=self.folder, remedy="install git") from error
            assert process.stdout is not None
            limit = threading.Timer(_PATIENCE, process.kill)
            if brief:
                limit.start()
            with process.stdout as output:
                try:
                    while piece := output.read1(_PIECE):  # type: ignore[attr-defined]  # a BufferedReader
                        yield piece
                except BaseException:
                    process.kill()
                    raise
                finally:
                    status = process.wait() if process.returncode is None else process.returncode
                    limit.cancel()
            if brief and status == -signal.SIGKILL:
                raise GitError("git does not answer; it may wait for a pipe in the clone", source=self.folder)
            if status:
                said.seek(0)
                why = said.read(2000).decode("utf-8", "replace").strip().partition("\n")[0]
                raise GitError(f"git says: {for_message(why) or status}", source=self.folder)


@contextmanager
def _file(data: bytes) -> Iterator[IO[bytes]]:
    """Give input as a file: a pipe would have to be filled while the output is read."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file
