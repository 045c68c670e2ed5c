"""The doors of the rooms: public names that are loaded when first asked for.

A question about a saved graph costs milliseconds because nothing is imported that it does not need. Each name of a
door stands once, in the ``__init__.pyi`` beside its ``__init__.py``: type checkers read that file, and so does this.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # `typing` would be most of what `import podgraph` costs
if TYPE_CHECKING:
    from collections.abc import Callable


def open_door(package: str, path: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Make ``__getattr__``, ``__dir__`` and ``__all__`` of a package from the stub beside its ``__init__.py``.

    ``package`` is its ``__name__``, ``path`` its ``__file__``. The stub has a line ``from .module import name as name``
    for each public name; other lines are for type checkers only.
    """
    homes: dict[str, str] = {}
    with open(f"{path.removesuffix('.py')}.pyi", encoding="utf-8") as stub:  # noqa: PTH123 - pathlib costs as much as an answer
        for line in stub:
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
