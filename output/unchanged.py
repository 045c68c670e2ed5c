"""Whether a build would write the existing files again: a digest of its inputs and outputs, in one of the files."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import podgraph
from podgraph.extractors import plugins_installed, plugins_wanted

from .files import write_atomically
from .formats import targets as files_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from podgraph.extractors import Sources

    from .formats import Format

# The formats whose file can hold the digest: the end of such a file, and the text before and after the digest.
_HOLDERS = {"json": (b"}\n", b',\n"build": "', b'"}\n'), "html": (b"</html>", b"</html>\n<!-- build: ", b" -->\n")}
# Arguments without an effect on the files; the sources and outputs are hashed themselves.
_WITHOUT_EFFECT = frozenset(
    "command whole_parser source output jobs open force fresh quiet verbose no_progress debug config_used"
    .split()
)  # fmt: skip
_METADATA = (".dist-info", ".egg-info")  # folders of installed distributions, called by name and version
_FILES = ("vocabulary", "index", "logo", "css", "templates", "transcripts")  # arguments naming files or folders to read


class Stamp(NamedTuple):
    """The digest of a build's inputs, its files, and the file with the digest of all, with its ``_HOLDERS``."""

    inputs: bytes
    files: tuple[Path, ...]
    holder: Path
    marks: tuple[bytes, bytes, bytes]

    def is_in_place(self) -> bool:
        """Return whether the files are those of a build with these inputs, byte for byte."""
        end, before, after = self.marks
        if not all(file.is_file() for file in self.files):
            return False
        body, mark, digest = _read(self.holder).rpartition(before)
        return bool(mark) and digest == self._digest(body + end) + after

    def put(self) -> None:
        """Write the digest into its file, unless another build of the same files wrote one meanwhile.

        Raises ``OutputError``; then the file is whole, without a digest.
        """
        end, before, after = self.marks
        if not all(file.is_file() for file in self.files):
            return
        data = _read(self.holder)
        if data.endswith(end) and before not in data:  # ``after`` contains the end again
            write_atomically(self.holder, (data.removesuffix(end), before, self._digest(data), after))

    def _digest(self, held: bytes) -> bytes:
        found = hashlib.sha256(self.inputs)
        for file in self.files:
            found.update(hashlib.sha256(held if file == self.holder else _read(file)).digest())
        return found.hexdigest().encode()


def stamp_of(
    arguments: argparse.Namespace, sources: Sources, targets: Sequence[tuple[Path, Format, object]]
) -> Stamp | None:
    """Return the stamp of a build; ``None`` where equal inputs may give another graph, or no file can hold it.

    It is so with plug-ins, look-ups and pipes, and where a source could not be read or an earlier copy stands in.
    """
    asked = arguments.checkout or arguments.github or arguments.titles or arguments.archive
    looked_up = asked or arguments.offline
    unsure = sources.failures or any(source.stale for source in sources.read)
    plugins = plugins_wanted() and plugins_installed()
    beside = files_beside(arguments)
    piped = not all(path.is_file() or path.is_dir() for path in beside)
    holders = [(path, _HOLDERS[item.name]) for path, item, _ in targets if item.name in _HOLDERS]
    holders = [(path, marks) for path, marks in holders if path.suffix.lower() != ".gz"]
    fetched = arguments.fetch_transcripts or arguments.chapters
    if looked_up or fetched or unsure or plugins or piped or not holders:
        return None
    files = tuple(file for path, item, _ in targets for file in files_of(path, item))
    holder, marks = min(holders, key=lambda one: one[1] != _HOLDERS["json"])
    return Stamp(_inputs(arguments, sources, beside), files, holder, marks)


def _inputs(arguments: argparse.Namespace, sources: Sources, beside: Sequence[Path]) -> bytes:
    return digest_of_sources(sources, digest_of_options(arguments, beside))


def digest_of_options(arguments: argparse.Namespace, beside: Sequence[Path] = ()) -> bytes:
    """Return a digest of this program, of the options of a build, and of the files and folders ``beside`` them."""
    program = Path(podgraph.__file__).parent
    given = sorted((name, value) for name, value in vars(arguments).items() if name not in _WITHOUT_EFFECT)
    found = hashlib.sha256(repr((podgraph.__version__, sys.version, _installed(), given)).encode("utf-8", "replace"))
    for name, data in (one for path in (program, *beside) for one in _contents(path, linked=path == program)):
        found.update(repr((name, hashlib.sha256(data).digest())).encode("utf-8", "replace"))
    return found.digest()


def digest_of_sources(sources: Sources, options: bytes) -> bytes:
    """Return a digest of the bytes and origins of sources, and of ``options``."""
    found = hashlib.sha256(options)
    for one in sources.read:
        where = (one.source, one.kind, one.url, one.asked, one.content_type, one.group, one.login)
        found.update(repr((where, hashlib.sha256(one.data).digest())).encode("utf-8", "replace"))
    return found.digest()


def files_beside(arguments: argparse.Namespace) -> list[Path]:
    """Return the files and folders that the options of a build name."""
    named = [getattr(arguments, name) for name in _FILES]
    return [Path(path) for value in named if value for path in (value if isinstance(value, list) else [value])]


def _contents(path: Path, *, linked: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of a file, or of all files in a folder but compiled ones."""
    if path.is_file():
        yield path.name, _read(path)
    for folder, folders, names in os.walk(path, followlinks=linked):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for file in (Path(folder, name) for name in sorted(names)):
            yield str(file.relative_to(path)), _read(file)


def _read(path: Path) -> bytes:
    """Return the content of a file, empty for an unreadable one: its reader reports the error."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError:
        return b""


def _installed() -> list[str]:
    """Return the name and version of each installed distribution."""
    folders = [Path(name) for name in dict.fromkeys(sys.path) if name and os.access(name, os.R_OK | os.X_OK)]
    return sorted(
        one.name for folder in folders if folder.is_dir() for one in folder.iterdir() if one.suffix in _METADATA
    )
