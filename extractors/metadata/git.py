"""Runs the ``git`` command on a local clone: never the network, never a program from the clone.

A clone's own configuration can name programs to run (signatures, filters, hooks); all these settings are switched off.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import contextmanager
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
)
# No fetching for partial clones, no prompts on the terminal, messages in English.
_ENVIRONMENT = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
_PIECE = 1 << 18  # bytes that are read at once
_SECONDS = 30.0  # for a command with a short answer: a clone may have a pipe in the place of a file, and never answer


class GitError(SourceError):
    """The ``git`` command is missing, or refuses."""


@dataclass(frozen=True, slots=True)
class Git:
    """The ``git`` command in one folder."""

    folder: str

    @contextmanager
    def run(self, *words: str, stdin: bytes = b"", seconds: float | None = None) -> Iterator[IO[bytes]]:
        """Run ``git WORDS`` in the folder, and give its output as an open file: a context manager.

        The output is on disk, so a long history costs time, not memory.

        Args:
            words: the words of the command
            stdin: the input of the command
            seconds: the maximum time; ``None``: no limit

        Raises:
            GitError: git is missing, the command fails, or it takes too long
        """
        # Git's variables may select another repository than the requested one (in a hook), or name programs.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _ENVIRONMENT
        problem, remedy = "", "name the folder of a clone"
        with tempfile.TemporaryFile() as output:
            try:
                process = subprocess.run(  # noqa: S603 - no shell, and every word is ours or an object's name
                    ["git", "-C", self.folder, *_SAFE, *words],  # noqa: S607 - the user's own git
                    input=stdin, stdout=output, stderr=subprocess.PIPE, env=environment, timeout=seconds, check=False,
                )  # fmt: skip
                reason = process.stderr[:2000].decode("utf-8", "replace").strip().partition("\n")[0]
                problem = f"git says: {for_message(reason) or process.returncode}" if process.returncode else ""
            except OSError:
                problem, remedy = "the command git cannot be run", "install git"
            except subprocess.TimeoutExpired:
                problem = "git does not answer; it may wait for a pipe in the clone"
            if problem:
                raise GitError(problem, source=for_message(self.folder), remedy=remedy)
            output.seek(0)
            yield output

    def check(self) -> None:
        """Raise ``GitError`` if the folder is not a clone."""
        with self.run("rev-parse", "--git-dir", seconds=_SECONDS):
            pass

    def read_line(self, *words: str) -> str:
        """Return the first line that ``git WORDS`` prints within 30 seconds; "" if it fails or prints none."""
        try:
            with self.run(*words, seconds=_SECONDS) as output:
                return output.readline().decode("utf-8", "replace").strip()
        except GitError:
            return ""

    def read_records(self, *words: str, stdin: bytes = b"", separator: bytes = b"\0") -> Generator[bytes, None, None]:
        r"""Yield the parts of the output of ``git WORDS`` between separators; an empty part at its end is left out.

        Args:
            words: the words of the command
            stdin: the input of the command
            separator: one byte: by default NUL, for commands with ``-z``

        Raises:
            GitError: as ``run`` does
        """
        rest = b""
        with self.run(*words, stdin=stdin) as output:
            while piece := output.read(_PIECE):
                *parts, rest = (rest + piece).split(separator)
                yield from parts
        if rest:
            yield rest
