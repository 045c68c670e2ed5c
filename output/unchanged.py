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

    from .config import Config
    from .formats import Format

# The formats whose file can hold the digest: the end of such a file, and the text before and after the digest.
_HOLDERS = {"json": (b"}\n", b',\n"build": "', b'"}\n'), "html": (b"</html>", b"</html>\n<!-- build: ", b" -->\n")}
# Arguments without an effect on the files; the sources and outputs are hashed themselves.
_WITHOUT_EFFECT = frozenset("command run source output jobs open force quiet verbose debug".split())
_METADATA = (".dist-info", ".egg-info")  # folders of installed distributions, called by name and version
_FILES = ("vocabulary", "index", "logo", "css", "templates")  # settings naming files or folders to read


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


def find_stamp(
    arguments: argparse.Namespace, config: Config, sources: Sources, targets: Sequence[tuple[Path, Format, object]]
) -> Stamp | None:
    """Return the stamp of a build; ``None`` where equal inputs may give another graph, or no file can hold it.

    It is so with plug-ins, look-ups and pipes, and where a source could not be read or an earlier copy stands in.
    """
    is_looked_up = arguments.checkout or arguments.look_up or arguments.offline or "feed" in arguments.transcripts
    is_unsure = sources.failures or any(source.stale for source in sources.read)
    is_piped = any(source.source == "-" for source in sources.read)
    files = tuple(file for path, item, _ in targets for file in files_of(path, item))
    holder = next(((path, _HOLDERS[item.name]) for path, item, _ in targets if item.name in _HOLDERS), None)
    has_plugins = plugins_wanted() and plugins_installed()
    if (
        is_looked_up
        or is_unsure
        or is_piped
        or has_plugins
        or holder is None
        or any(not item.suffixes[0].startswith(".") for _, item, _ in targets)
    ):
        return None
    beside = [Path(str(path)) for name in _FILES if (path := config.values.get(name))] + [
        *map(Path, arguments.transcripts)
    ]
    return Stamp(_digest_inputs(arguments, config, sources, beside), files, *holder)


def _digest_inputs(arguments: argparse.Namespace, config: Config, sources: Sources, beside: Sequence[Path]) -> bytes:
    """Return a digest of this program, and of the options, settings, sources and further files of a build."""
    program = Path(podgraph.__file__).parent
    options = sorted((name, value) for name, value in vars(arguments).items() if name not in _WITHOUT_EFFECT)
    settings = (sorted(config.values.items()), config.corrections)
    head = (podgraph.__version__, sys.version, _list_installed(), options, settings)
    digest = hashlib.sha256(repr(head).encode("utf-8", "replace"))
    for path in (program, *beside):
        for name, data in _read_contents(path, linked=path == program):
            digest.update(repr((name, hashlib.sha256(data).digest())).encode("utf-8", "replace"))
    for one in sources.read:
        origin = (one.source, one.kind, one.url, one.asked, one.content_type, one.group, one.login)
        digest.update(
            repr((origin, hashlib.sha256(b"".join((one.data, *one.pages))).digest())).encode("utf-8", "replace")
        )
    return digest.digest()


def _read_contents(path: Path, *, linked: bool) -> Iterator[tuple[str, bytes]]:
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


def _list_installed() -> list[str]:
    """Return the name and version of each installed distribution."""
    folders = [Path(name) for name in dict.fromkeys(sys.path) if name and os.access(name, os.R_OK | os.X_OK)]
    return sorted(
        one.name for folder in folders if folder.is_dir() for one in folder.iterdir() if one.suffix in _METADATA
    )
