"""Made repositories: a history is written as `git fast-import` reads it, so thousands of commits take a moment."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = 1_600_000_000  # of the first commit; each one is a minute later
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C",
}  # fmt: skip


def git(folder: Path, *words: str, given: bytes = b"") -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *words], input=given, capture_output=True, check=True, env=ENVIRONMENT
    )
    return done.stdout.decode("utf-8", "surrogateescape")


@dataclass
class History:
    """A history in the making; ``commit`` returns the mark of a commit, to be its parent or to be merged."""

    lines: list[bytes] = field(default_factory=list)
    count: int = 0

    def commit(
        self,
        message: str | bytes,
        *changes: str,
        author: str = "Ann Example <ann@example.org>",
        branch: str = "main",
        parent: int = 0,
        merged: int = 0,
    ) -> int:
        """Add a commit: ``path=content`` writes a file, ``-path`` removes one, ``old>new`` renames it."""
        self.count += 1
        text = message.encode() if isinstance(message, str) else message
        when = f"{CLOCK + 60 * self.count} +0000"
        head = f"commit refs/heads/{branch}\nmark :{self.count}\nauthor {author} {when}\ncommitter {author} {when}\n"
        self.lines += [head.encode(), b"data %d\n" % len(text), text, b"\n"]
        if parent:
            self.lines.append(f"from :{parent}\n".encode())
        if merged:
            self.lines.append(f"merge :{merged}\n".encode())
        for change in changes:
            self.lines.append(_change(change))
        return self.count

    def write(self, folder: Path, *, origin: str = "https://github.com/o/r.git", bare: bool = False) -> list[str]:
        """Make the repository; return the names of its commits by mark ("" at 0)."""
        folder.mkdir(parents=True)
        git(folder, "init", "-q", "-b", "main", *(["--bare"] if bare else []))
        marks = folder.parent / f"{folder.name}.marks"
        git(folder, "fast-import", "--quiet", f"--export-marks={marks}", given=b"".join(self.lines))
        if origin:
            git(folder, "remote", "add", "origin", origin)
        names = [""] * (self.count + 1)
        for line in marks.read_text().splitlines():
            mark, sha = line.split()
            names[int(mark[1:])] = sha
        return names


def _change(change: str) -> bytes:
    if change.startswith("-"):
        return f'D "{change[1:]}"\n'.encode()
    old, sign, new = change.partition(">")
    if sign and "=" not in old:
        return f'R "{old}" "{new}"\n'.encode()
    path, _, content = change.partition("=")
    data = content.encode()
    return b'M 100644 inline "%s"\ndata %d\n%s\n' % (path.encode(), len(data), data)
