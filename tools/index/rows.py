"""The rows of an index: every name of a wheel with its place and its page.

Python names are given their shortest public spelling: what is defined as ``torch._functorch.apis.vmap`` and
documented as ``torch.func.vmap`` is ``torch.vmap``, and the others lead there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from podgraph.extractors.subjects.index.symbols import Row, last_part

from .cpp_source import find_declarations
from .python_source import Package, scan_python

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .cpp_source import Declaration
    from .facts import Facts
    from .python_source import Definition, Module
    from .wheel import Wheel

# The name of an operator: "- func: add.Tensor(".
_OPERATOR = re.compile(r"^- func: ([A-Za-z_]\w*)(?:\.\w+)?\(", re.MULTILINE)
# The name of an environment variable, in quotes.
_ENVIRONMENT = re.compile(r"[\"']((?:TORCH[A-Z]*|PYTORCH|AOT[A-Z]*|ATEN|INDUCTOR|KINETO)_[A-Z0-9_]+)[\"']")
# What stands near it where it is asked for.
_ASKS_ENVIRONMENT = re.compile(r"environ|getenv|env_name|_ENV|getCvar|\benv\b", re.IGNORECASE)
# The macros that are meant for others.
_MACRO_FAMILY = re.compile(
    r"(?:AT|ATEN|C10|TORCH|STD_TORCH|STABLE_TORCH|DEFINE|DECLARE|HANDLE|REGISTER|CUDA|TENSOR|CAFFE2)_\w+"
)
_OPERATORS = "aten/src/ATen/native/native_functions.yaml"
_DTYPES = "torch/headeronly/core/ScalarType.h"
# Private to their authors: names in them are no names of PyTorch.
_INNER_NAMESPACES = frozenset("detail details internal _internal impl llvm guts generated strong fmt".split())
_NO_FUNCTIONS_FROM = (
    "torch/testing/",
    "torch/_native/",
    "torch/utils/benchmark/",
    "torch/onnx/_internal/",
    "torch/_vendor/",
)


@dataclass(slots=True)
class Harvest:
    """What a wheel gives: rows by name, other spellings, the names that some are defined under, what was dropped."""

    rows: dict[str, Row] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)


def collect(wheel: Wheel, facts: Facts) -> Harvest:
    """Return the rows and other spellings of everything in ``wheel``, each place checked against its file."""
    harvest = Harvest()
    package = Package(_modules(wheel))
    operators = _operator_lines(wheel)
    _python_rows(harvest, package, operators, facts)
    _cpp_rows(harvest, wheel)
    for name, line in operators.items():
        _add(harvest, Row(f"aten::{name}", "operator", _OPERATORS, line))
    for name, path, line in _environment(wheel):
        _add(harvest, Row(name, "environment", path, line))
    _curated_rows(harvest, wheel, package, facts)
    _check(harvest, wheel)
    return harvest


def _add(harvest: Harvest, row: Row) -> None:
    harvest.rows.setdefault(row.name, row)


def _modules(wheel: Wheel) -> Iterator[Module]:
    for path in wheel.members:
        if path.endswith(".py"):
            name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            module = scan_python(wheel.read(path), name=name, path=path)
            if module is not None:
                yield module


def _operator_lines(wheel: Wheel) -> dict[str, int]:
    """Return the first line of every operator in native_functions.yaml."""
    lines: dict[str, int] = {}
    if _OPERATORS in wheel.members:
        text = wheel.read(_OPERATORS).decode("utf-8", "replace")
        line = at = 0
        for match in _OPERATOR.finditer(text):
            line += text.count("\n", at, match.start())
            at = match.start()
            lines.setdefault(match[1], line + 1)
    return lines


def _python_rows(harvest: Harvest, package: Package, operators: dict[str, int], facts: Facts) -> None:
    spellings = _spellings(package, facts)
    canonical = {home: min(names, key=_rank(home, facts)) for home, names in spellings.items()}
    for home, names in spellings.items():
        harvest.aliases |= dict.fromkeys(names - {canonical[home]}, canonical[home])
    _documented_rows(harvest, package, operators, facts, canonical)
    for home, names in spellings.items():
        listed = names & facts.documented.pages.keys()
        if listed:
            name = min(listed, key=_rank(home, facts))
            definition = package.resolve(name)
            assert definition is not None
            short = canonical[home]
            anchor = facts.documented.anchors.get(name, name)
            harvest.homes[short] = home
            harvest.rows[short] = Row(
                short, definition.kind, definition.path, definition.line, facts.documented.pages[name], anchor
            )
    for other, name in facts.documented.spellings.items():
        harvest.aliases.setdefault(other, harvest.aliases.get(name, name))
    _undocumented_rows(harvest, package, canonical)


def _undocumented_rows(harvest: Harvest, package: Package, canonical: dict[str, str]) -> None:
    """Add what the modules define and the documentation does not list, as far as it is wanted."""
    shown = {row.name for row in harvest.rows.values() if row.kind == "class"}
    for module in package.modules.values():
        for local, definition in module.definitions.items():
            short = canonical.get(definition.name) or _short_member(definition.name, package, canonical)
            if short not in harvest.rows and _wanted(local, definition, short, shown):
                harvest.rows[short] = Row(short, definition.kind, definition.path, definition.line)
                harvest.homes[short] = definition.name


def _documented_rows(
    harvest: Harvest, package: Package, operators: dict[str, int], facts: Facts, canonical: dict[str, str]
) -> None:
    """Add the documented names that are no Python class or function: methods, operators, C functions, variables."""
    docstrings = {
        _docstring_name(module, name): (module.path, line)
        for module in package.modules.values()
        for name, line in module.docstrings.items()
    }
    for name, page in facts.documented.pages.items():
        definition = package.resolve(name)
        if definition is None or definition.kind not in {"class", "function"}:
            short = _short_member(name, package, canonical)
            place = _place(name, definition, operators, docstrings)
            anchor = facts.documented.anchors.get(name, name)
            _add(harvest, Row(short, _kind(name, definition, package), *place, page, anchor))
            if short != name:
                harvest.aliases.setdefault(name, short)


def _spellings(package: Package, facts: Facts) -> dict[str, set[str]]:  # noqa: C901
    """Return, for the name every class and function is defined under, all its spellings."""
    found: dict[str, set[str]] = {}

    def note(name: str) -> None:
        definition = package.resolve(name)
        if definition is not None and definition.kind in {"class", "function"}:
            found.setdefault(definition.name, {definition.name}).add(name)

    for module in package.modules.values():
        for definition in module.definitions.values():
            if definition.kind in {"class", "function"}:
                found.setdefault(definition.name, {definition.name})
        if module.package and "._" not in f".{module.name}":
            for local in module.imports:
                if not local.startswith("_"):
                    note(f"{module.name}.{local}")
    for name in facts.documented.pages:
        note(name)
    for other, name in facts.documented.spellings.items():
        target = package.resolve(name)
        if target is not None and target.kind in {"class", "function"}:
            found[target.name].add(other)
    return found


def _rank(home: str, facts: Facts) -> Callable[[str], tuple[object, ...]]:
    """Order the spellings of what is defined as ``home``.

    Its own last name before another, torch's before its shims', public before private, short before deep, where it
    is defined before where it is shown too, documented before not.
    """

    def rank(name: str) -> tuple[object, ...]:
        return (
            last_part(name) != last_part(home),
            not name.startswith("torch."),
            "._" in name,
            name.count("."),
            name != home,
            name not in facts.documented.pages,
            len(name),
            name,
        )

    return rank


def _short_member(name: str, package: Package, canonical: dict[str, str]) -> str:
    """Return ``name`` with its class in the shortest spelling, if it is a member of a class."""
    owner, _, member = name.rpartition(".")
    definition = package.resolve(owner) if owner else None
    if definition is not None and definition.kind == "class":
        return f"{canonical[definition.name]}.{member}"
    return name


def _docstring_name(module: Module, name: str) -> str:
    """``add_docstr_all("abs", …)`` in _tensor_docs.py speaks of ``torch.Tensor.abs``."""
    return name if "." in name or module.name != "torch._tensor_docs" else f"torch.Tensor.{name}"


def _place(
    name: str, definition: Definition | None, operators: dict[str, int], docstrings: dict[str, tuple[str, int]]
) -> tuple[str, int]:
    """Return path and line of what is no class or function: a method, an operator, a C function, a variable."""
    if definition is not None and definition.kind != "variable":
        return definition.path, definition.line
    owner, _, last = name.rpartition(".")
    if owner in {"torch", "torch.Tensor"} and last in operators:
        return _OPERATORS, operators[last]
    if definition is not None:
        return definition.path, definition.line
    return docstrings.get(name, ("", 0))


def _kind(name: str, definition: Definition | None, package: Package) -> str:
    if definition is not None:
        return definition.kind
    owner, _, last = name.rpartition(".")
    parent = package.resolve(owner)
    if parent is not None and parent.kind == "class":
        return "method"
    return "class" if last[:1].isupper() else "function"


def _wanted(local: str, definition: Definition, short: str, shown: set[str]) -> bool:
    """Choose what of the undocumented gets a row."""
    if definition.kind == "class":
        return True
    if definition.kind == "function":
        return not definition.path.startswith(_NO_FUNCTIONS_FROM)
    if definition.kind == "method":
        return short.rpartition(".")[0] in shown
    return definition.path.endswith("/config.py") and "." not in local and not local.startswith("_")


def _cpp_rows(harvest: Harvest, wheel: Wheel) -> None:
    found = list(_declarations(wheel))
    for path, one, scope, last in found:
        if one.kind == "macro" and _MACRO_FAMILY.match(last) and not last.endswith(("_H", "_H_", "_")):
            _add(harvest, Row(last, "macro", path, one.line))
        elif one.kind in {"class", "function"} and _is_public(scope, last, one.kind):
            _add(harvest, Row(one.name, f"c++ {one.kind}", path, one.line))
    for path, one, scope, last in found:
        if one.kind == "specialisation" and _is_public(scope, last, "class") and not one.name.startswith("std::"):
            _add(harvest, Row(one.name, "c++ class", path, one.line))
    for path, one, _, last in found:
        if one.kind == "namespace" and last.lower() in _names_of(path):
            _add(harvest, Row(one.name, "namespace", path, one.line))
    _alias_rows(harvest, {one.name: (scope, one.target) for _, one, scope, _ in found if one.kind == "alias"})


def _alias_rows(harvest: Harvest, aliases: dict[str, tuple[str, str]]) -> None:
    """Note what ``using X = c10::X`` names anew: name to (scope, target)."""
    for name, (scope, target) in aliases.items():
        known = next((full for full in (target, f"{scope}::{target}") if full in harvest.rows), "")
        if known and name not in harvest.rows:
            harvest.aliases.setdefault(name, known)


def _declarations(wheel: Wheel) -> Iterator[tuple[str, Declaration, str, str]]:
    """Yield (path, declaration, its scope, its last name) of the headers that count."""
    for path, text in wheel.texts(".h", ".hpp", ".cuh"):
        if path.startswith(("aten/", "c10/", "torch/")) and not path.startswith("aten/src/ATen/native/transformers/"):
            folder, _, name = path.rpartition("/")
            if not folder.endswith("/templates") or name == "TensorBody.h":
                for one in find_declarations(text):
                    scope, _, last = one.name.rpartition("::")
                    yield path, one, scope, last


def _names_of(path: str) -> tuple[str, str]:
    """Return what a file and its folder are called, in small letters and without suffix."""
    folder, _, name = path.rpartition("/")
    return name.partition(".")[0].lower(), folder.rpartition("/")[2].lower()


def _is_public(scope: str, last: str, kind: str) -> bool:
    """Choose the C++ names people speak of: not the details, nor what has no namespace but the Python bindings."""
    if not scope:
        return last == "python_error" or (last.startswith("THP") and (kind == "class" or "_" in last))
    return last[0] != "_" and not _INNER_NAMESPACES.intersection(scope.split("::"))


def _environment(wheel: Wheel) -> Iterator[tuple[str, str, int]]:
    for path, text in wheel.texts(".py", ".h", ".hpp"):
        if path.startswith(("torch/testing/", "torch/utils/hipify/")):
            continue
        for match in _ENVIRONMENT.finditer(text):
            start = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            around = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : end]
            if _ASKS_ENVIRONMENT.search(around):
                yield match[1], path, text.count("\n", 0, match.start()) + 1


def _curated_rows(harvest: Harvest, wheel: Wheel, package: Package, facts: Facts) -> None:
    _symbol_rows(harvest, wheel, facts)
    for name, scalar in facts.names["dtypes"].items():
        line = _find_line(wheel, _DTYPES, f", {scalar}) /*")
        place = (_DTYPES if line else "", line, "tensor_attributes.html", "torch.dtype")
        _add(harvest, Row(f"torch.{name}", "variable", *place))
    for name in facts.names["variables"]:
        definition = package.resolve(name)
        if definition is not None:
            _add(harvest, Row(name, definition.kind, definition.path, definition.line))
    for name, page in facts.names["docs"].items():
        row = harvest.rows.get(name)
        if row is not None and not row.page:
            harvest.rows[name] = row._replace(page=page)
    _removed_rows(harvest, package, facts)


def _symbol_rows(harvest: Harvest, wheel: Wheel, facts: Facts) -> None:
    """Add the names that are given by hand, in the place of what was found under them."""
    for entry in facts.names["symbols"]:
        known = harvest.rows.get(entry["name"])
        path, line = (known.path, known.line) if known else ("", 0)
        if "path" in entry:
            path, line = entry["path"], _find_line(wheel, entry["path"], entry["find"])
        page = entry.get("docs", "")
        harvest.aliases.pop(entry["name"], None)
        harvest.rows[entry["name"]] = Row(entry["name"], entry["kind"], path if line else "", line, page)


def _removed_rows(harvest: Harvest, package: Package, facts: Facts) -> None:
    """Add the names that are gone, with the page they had, and those that are called otherwise now."""
    for name, page in facts.documented.removed.items():
        if name not in harvest.rows and name not in package.modules and package.resolve(name) is None:
            harvest.rows[name] = Row(name, "removed", page=page)
    for name, current in facts.names["renamed"].items():
        row = harvest.rows.get(name)
        if row is None or row.kind == "removed":
            harvest.rows[name] = Row(name, "removed", page=row.page if row else "", anchor=current)


def _find_line(wheel: Wheel, path: str, text: str) -> int:
    """Return the line of a file that holds a text, 0 when there is none."""
    if path not in wheel.members:
        return 0
    lines = wheel.read(path).decode("utf-8", "replace").split("\n")
    return next((number for number, line in enumerate(lines, 1) if text in line), 0)


def _check(harvest: Harvest, wheel: Wheel) -> None:
    """Take the place away from every row whose line does not hold the name it defines."""
    by_path: dict[str, list[Row]] = {}
    for row in harvest.rows.values():
        if row.path:
            by_path.setdefault(row.path, []).append(row)
    for path, rows in by_path.items():
        lines = wheel.read(path).decode("utf-8", "replace").split("\n")
        for row in rows:
            if not _defines(lines[row.line - 1], row, harvest.homes.get(row.name, row.name)):
                harvest.dropped.append(f"{row.name}: {path}:{row.line} does not define it")
                harvest.rows[row.name] = row._replace(path="", line=0)


def _defines(line: str, row: Row, home: str) -> bool:
    """Tell whether a line holds the name it defines: the row's, or the private one behind it."""
    if row.path == _DTYPES and row.kind == "variable":
        return line.lstrip().startswith("_(")
    names = (re.escape(last_part(name)) for name in (row.name, home))
    return re.search(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", line) is not None
