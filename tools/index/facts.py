"""The curated facts from which an index is built: the files in the folder ``data`` beside this one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


def parse_documented(text: str) -> DocNames:
    r"""Parse the list of documented names: see the head of docs_names.txt.

    >>> names = parse_documented("*\n  torch.abs\n@ nn.html\n  torch.nn\n= torch.abs\n  torch.absolute\n")
    >>> names.pages, names.modules, names.spellings
    ({'torch.abs': 'generated/torch.abs.html'}, {'torch.nn': 'nn.html'}, {'torch.absolute': 'torch.abs'})
    """
    names = DocNames()
    targets = {"@": names.modules, "=": names.spellings, "!": names.removed, "#": names.anchors}
    target, value = names.pages, ""
    for line in text.splitlines():
        if line.startswith("  "):
            for name in line.split():
                target[name] = f"generated/{name}.html" if value == "*" else value
        elif line[:1] in targets and line[1:2] == " " and " " not in line[2:].strip():
            target, value = targets[line[0]], line[2:].strip()
        elif not line.startswith("#"):
            target, value = names.pages, line.strip()
    return names


def parse_paths(text: str) -> frozenset[str]:
    r"""Parse a list of files by folder: see the head of paths_2.6.0.txt.

    >>> sorted(parse_paths("./\n  setup.py\nc10/core/\n  Device.h Storage.h\n"))
    ['c10/core/Device.h', 'c10/core/Storage.h', 'setup.py']
    """
    paths: set[str] = set()
    folder = ""
    for line in text.splitlines():
        if line.startswith("  "):
            paths.update(folder + name for name in line.split())
        elif line and not line.startswith("#"):
            folder = "" if line == "./" else line
    return frozenset(paths)
