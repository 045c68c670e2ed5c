"""What is made ready when it is first asked for: the public names of the rooms, regular expressions, named tuples.

And the names of ``typing`` that questions need while they run: to load it takes a third as long as Python to start.

A question about a saved graph costs milliseconds because nothing is imported that it does not need. Each name of a
door stands once, in the ``__init__.pyi`` beside its ``__init__.py``: type checkers read that file, and so does this.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Pattern
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - handed on
    from typing import Protocol as Protocol  # noqa: PLC0414
    from typing import TypedDict as TypedDict  # noqa: PLC0414
    from typing import cast as cast  # noqa: PLC0414
    from typing import overload as overload  # noqa: PLC0414


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


class _Regex:
    """A regular expression that is compiled when one of its methods is first asked for."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name[:2] == "__":  # what copies and pickles ask of an object
            raise AttributeError(name)
        from re import compile as compiled  # noqa: PLC0415 - where it is needed, it is loaded

        found = compiled(self.pattern, self._flags)
        # From now on as fast as the compiled one: what an object has itself is not looked for here.
        for method in ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "flags"):
            self.__dict__[method] = getattr(found, method)
        return getattr(found, name)


def regex(pattern: str, flags: int = 0) -> Pattern[str]:
    """Return what ``re.compile`` does, compiled at the first use.

    A question uses few of the expressions of the modules that it loads, and to compile them all takes longer than to
    answer it.

    >>> regex("a+").fullmatch("aa") is not None, regex("[0-9]").pattern
    (True, '[0-9]')
    """
    if not TYPE_CHECKING:
        return _Regex(pattern, flags)
    import re  # noqa: PLC0415 - for type checkers

    return re.compile(pattern, flags)


if not TYPE_CHECKING:
    Protocol = object

    def cast(_type: object, value: object) -> object:
        """Return the value, as ``typing.cast`` does."""
        return value

    def overload(function: object) -> object:
        """Return the function, which the next of its name replaces: as ``typing.overload`` does."""
        return function

    class TypedDict(dict):
        """``typing.TypedDict``: its ``__annotations__`` are its own and those it inherits; made, it is a plain one."""

        def __init_subclass__(cls, *, total: bool = True) -> None:
            bases = [getattr(base, "__annotations__", {}) for base in reversed(cls.__mro__)]
            cls.__annotations__ = {name: type_ for known in bases for name, type_ in known.items()}

        def __new__(cls, *known: object, **more: object) -> dict:
            """Return a plain dictionary."""
            return dict(*known, **more)

    class _Fields(type):
        """Makes a named tuple of what stands in the body of a class."""

        def __new__(cls, name: str, _bases: tuple[type, ...], body: dict[str, object]) -> type:
            from collections import namedtuple  # noqa: PLC0415 - `import podgraph` needs none of it

            fields = body["__annotations__"]
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])  # noqa: PYI024
            for key in body.keys() - fields.keys() - {"__module__", "__qualname__"}:
                setattr(made, key, body[key])
            return made

    class NamedTuple:
        """``typing.NamedTuple`` in a module whose annotations are texts: of these, that one compiles each.

        The first ``compile`` of a process takes Python as long as a quarter of its own start.
        """

        def __mro_entries__(self, _bases: tuple[object, ...]) -> tuple[type, ...]:
            return (type.__new__(_Fields, "NamedTuple", (), {}),)

    NamedTuple = NamedTuple()
