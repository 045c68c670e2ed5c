"""What a Python module defines and where, read from its syntax tree; nothing is imported.

``scan_python`` reads one file. ``Package`` holds all files of a package and follows ``from .x import y`` from a
public spelling (``torch.vmap``) to the place of its definition.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
_MAX_DOTS = 9


@dataclass(frozen=True, slots=True)
class Definition:
    """A named thing in a source file: ``name`` is where it is defined, ``line`` counts from 1.

    ``kind`` is ``class``, ``function``, ``method`` or ``variable``.
    """

    name: str
    kind: str
    path: str
    line: int


@dataclass(slots=True)
class Module:
    """A module: its definitions by local name (``Class.method`` for methods), its imports, its classes' bases.

    ``imports`` maps a local name to (module, name), the name empty for a module; ``stars`` are the modules of
    ``from x import *``; ``docstrings`` are the names that ``add_docstr`` documents, with their lines.
    """

    name: str
    path: str
    package: bool
    definitions: dict[str, Definition] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    bases: dict[str, list[str]] = field(default_factory=dict)
    docstrings: dict[str, int] = field(default_factory=dict)


def scan_python(source: bytes, *, name: str, path: str) -> Module | None:
    r"""Return what the module called ``name`` at repository path ``path`` defines, or ``None`` if it does not parse.

    >>> module = scan_python(b"class Box:\n    def open(self): ...", name="shop.box", path="shop/box.py")
    >>> [(d.name, d.kind, d.line) for d in module.definitions.values()]
    [('shop.box.Box', 'class', 1), ('shop.box.Box.open', 'method', 2)]
    """
    tree = parse_python(source)
    if tree is None:
        return None
    module = Module(name, path, package=path.endswith("__init__.py"))
    for statement in _list_statements(tree.body):
        _read_statement(module, statement)
    return module


def parse_python(source: bytes | str) -> ast.Module | None:
    """Return the syntax tree of a module, or ``None`` if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about `1or 2` are for its authors
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last: nested deeper than the parser goes
        return None


def _list_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module body, those under ``if``, ``try`` and ``with`` included."""
    for statement in body:
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            for name in ("body", "handlers", "orelse", "finalbody"):
                for child in getattr(statement, name, ()):
                    yield from _list_statements(child.body if isinstance(child, ast.ExceptHandler) else [child])
        else:
            yield statement


def _read_statement(module: Module, statement: ast.stmt) -> None:
    match statement:
        case ast.ClassDef(name=owner, bases=bases):
            module.bases.setdefault(owner, [name for base in bases if (name := dotted(base))])
            _add(module, owner, "class", statement.lineno)
            for member in statement.body:
                _read_definition(module, member, f"{owner}.", "method")
        case ast.ImportFrom() | ast.Import():
            _read_import(module, statement)
        case ast.Expr(value=ast.Call() as call):
            _read_docstring(module, call)
        case _:
            _read_definition(module, statement, "", "function")
    if isinstance(statement, ast.Assign):  # `Storage = FloatStorage` is another name of one thing
        other = dotted(statement.value)
        for target in statement.targets:
            if isinstance(target, ast.Name) and other and other != target.id and "." not in other:
                module.imports.setdefault(target.id, (module.name, other))


def _read_definition(module: Module, statement: ast.stmt, prefix: str, kind: str) -> None:
    match statement:
        case (
            ast.FunctionDef(name=name, decorator_list=decorators)
            | ast.AsyncFunctionDef(name=name, decorator_list=decorators)
        ):
            if not any(dotted(decorator).endswith("overload") for decorator in decorators):  # only a signature
                _add(module, prefix + name, kind, statement.lineno)
        case ast.AnnAssign(target=ast.Name(id=local)):
            _add(module, prefix + local, "variable", statement.lineno)
        case ast.Assign(targets=targets):
            for target in targets:
                if isinstance(target, ast.Name):
                    _add(module, prefix + target.id, "variable", target.lineno)


def _add(module: Module, local: str, kind: str, line: int) -> None:
    """Keep the first definition of a name, but let a class or function replace a variable.

    ``if TYPE_CHECKING: …`` and fallbacks under ``except ImportError`` define names twice.
    """
    known = module.definitions.get(local)
    if known is None or (known.kind == "variable" and kind != "variable"):
        module.definitions[local] = Definition(f"{module.name}.{local}", kind, module.path, line)


def _read_import(module: Module, statement: ast.ImportFrom | ast.Import) -> None:
    if isinstance(statement, ast.Import):
        found = {alias.asname: (alias.name, "") for alias in statement.names if alias.asname}
        module.imports = found | module.imports
        return
    source = statement.module or ""
    if statement.level:
        parts = module.name.split(".")
        keep = len(parts) - statement.level + (1 if module.package else 0)
        source = ".".join([*parts[:keep], *([source] if source else [])])
    for alias in statement.names:
        if alias.name == "*":
            module.stars.append(source)
        else:
            module.imports.setdefault(alias.asname or alias.name, (source, alias.name))


def _read_docstring(module: Module, call: ast.Call) -> None:
    """Read ``add_docstr(torch.abs, …)`` and ``add_docstr_all("abs", …)``: where the doc of a C function stands."""
    called = dotted(call.func).rpartition(".")[2]
    if not called.lstrip("_").startswith("add_") or not call.args:
        return
    first = call.args[0]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        module.docstrings.setdefault(first.value, first.lineno)
    elif name := dotted(first):
        module.docstrings.setdefault(name, first.lineno)


def dotted(node: ast.expr) -> str:
    """Return the dotted name an expression spells, or the empty string.

    >>> dotted(ast.parse("a.b.c", mode="eval").body)
    'a.b.c'
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        parts.append(node.id)
        return ".".join(reversed(parts))
    return ""


class Package:
    """All modules of a distribution, by dotted name."""

    def __init__(self, modules: Iterable[Module]) -> None:
        self.modules = {module.name: module for module in modules}
        self._known: dict[str, Definition | None] = {}

    def resolve(self, name: str) -> Definition | None:
        """Return the definition that a public dotted name leads to, through imports and base classes.

        A module gives ``None``; so does a name that only exists at run time.
        """
        if name in self._known:
            return self._known[name]
        if name.count(".") > _MAX_DOTS:  # a package that rebinds its module's name: a.b -> a.b.b -> a.b.b.b …
            return None
        self._known[name] = None  # modules that import each other would go in circles
        self._known[name] = found = self._look_up(name)
        return found

    def _look_up(self, name: str) -> Definition | None:
        head, tail = name, ""
        while head:
            module = self.modules.get(head)
            if module is not None and tail:
                found = self._in_module(module, tail)
                if found is not None:
                    return found
            head, _, last = head.rpartition(".")
            tail = f"{last}.{tail}" if tail else last
        return None

    def _in_module(self, module: Module, local: str) -> Definition | None:
        found = module.definitions.get(local)
        if found is not None and (found.kind != "variable" or local not in module.imports):
            return found
        first, _, rest = local.partition(".")
        owner = module.definitions.get(first)
        if rest and owner is not None and owner.kind == "class":
            return self._inherited(module, first, rest)
        targets = [".".join(filter(None, (*module.imports[first], rest)))] if first in module.imports else []
        if f"{module.name}.{first}" not in self.modules:
            targets += (f"{source}.{local}" for source in module.stars if source in self.modules)
        resolved = (self.resolve(target) for target in targets)
        return next((one for one in resolved if one is not None), found)

    def _inherited(self, module: Module, name: str, member: str) -> Definition | None:
        for base in module.bases.get(name, ()):
            owner = self.resolve(f"{module.name}.{base}") or self.resolve(base)
            if owner is not None and owner.kind == "class":
                found = self.resolve(f"{owner.name}.{member}")
                if found is not None:
                    return found
        return None
