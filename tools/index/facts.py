"""The curated facts from which an index is built: the files in the folder ``data`` beside this one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_HERE = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class DocNames:
    """Documented names: ``pages`` name to page, ``modules`` module to page, ``anchors`` name to anchor.

    ``spellings`` maps another dotted name of the same object to the documented one; ``removed`` maps a name to
    the page that held it until it was taken down.
    """

    pages: dict[str, str] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    spellings: dict[str, str] = field(default_factory=dict)
    removed: dict[str, str] = field(default_factory=dict)
    anchors: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything curated: names (names.toml), concepts, pages, documented names, paths of an older tree."""

    names: dict[str, Any]
    concepts: list[dict[str, Any]]
    pages: dict[str, Any]
    documented: DocNames
    old_paths: frozenset[str]
    old_version: str = "2.6.0"


def read_facts() -> Facts:
    """Read the fact files."""
    names, concepts, pages = (
        tomllib.loads((_HERE / f"{name}.toml").read_text("utf-8")) for name in ("names", "concepts", "pages")
    )
    documented = parse_documented((_HERE / "docs_names.txt").read_text("utf-8"))
    old_paths = parse_paths((_HERE / "paths_2.6.0.txt").read_text("utf-8"))
    return Facts(names, concepts["concept"], pages, documented, old_paths)


def _read_groups(text: str) -> Iterator[tuple[str, str]]:
    """Yield (head, name) of the indented names of a list, each with the line before its group."""
    head = ""
    for line in text.splitlines():
        if line.startswith("  "):
            yield from ((head, name) for name in line.split())
        else:
            head = line


def parse_documented(text: str) -> DocNames:
    r"""Parse the list of documented names: see the head of docs_names.txt.

    >>> names = parse_documented("*\n  torch.abs\n@ nn.html\n  torch.nn\n= torch.abs\n  torch.absolute\n")
    >>> names.pages, names.modules, names.spellings
    ({'torch.abs': 'generated/torch.abs.html'}, {'torch.nn': 'nn.html'}, {'torch.absolute': 'torch.abs'})
    """
    names = DocNames()
    targets = {"@": names.modules, "=": names.spellings, "!": names.removed, "#": names.anchors}
    for head, name in _read_groups(text):
        mark, _, value = head.rpartition(" ")
        targets.get(mark, names.pages)[name] = f"generated/{name}.html" if value == "*" else value
    return names


def parse_paths(text: str) -> frozenset[str]:
    r"""Parse a list of files by folder: see the head of paths_2.6.0.txt.

    >>> sorted(parse_paths("./\n  setup.py\nc10/core/\n  Device.h Storage.h\n"))
    ['c10/core/Device.h', 'c10/core/Storage.h', 'setup.py']
    """
    return frozenset(folder.removeprefix("./") + name for folder, name in _read_groups(text))
