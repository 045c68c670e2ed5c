"""The public names of the package and its three rooms are loaded when they are first used.

A question on a saved graph takes a tenth of a second because it imports only what it needs. Each public name stands
once, in the ``__init__.pyi`` beside its ``__init__.py``: type checkers read that file, and so does this module.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def lazy_exports(package: str, path: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Make ``__getattr__``, ``__dir__`` and ``__all__`` of a package from the stub beside its ``__init__.py``.

    ``package`` is its ``__name__``, ``path`` its ``__file__``. The stub has a line ``from .module import name as name``
    for each public name; other lines are for type checkers only.
    """
    homes: dict[str, str] = {}
    for line in Path(path).with_suffix(".pyi").read_text("utf-8").splitlines():
        words = line.split()
        if len(words) == 6 and words[0] == "from" and words[3] == words[5]:
            homes[words[3]] = words[1]
    names = sorted(homes)

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(homes[name], package), name)
        vars(import_module(package))[name] = value
        return value

    return load, lambda: names, names
