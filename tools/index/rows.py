"""The rows of an index: every name of a wheel with its place and its page.

Python names are given their shortest public spelling: what is defined as ``torch._functorch.apis.vmap`` and
documented as ``torch.func.vmap`` is ``torch.vmap``, and the others lead there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from podgraph.extractors.subjects.index.paths import group_by
from podgraph.extractors.subjects.index.symbols import Row, last_part, module_of

from .cpp_source import find_declarations
from .python_source import Package, scan_python

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .cpp_source import Declaration
    from .facts import Facts
    from .wheel import Wheel

# The name of an operator: "- func: add.Tensor(".
_OPERATOR = re.compile(r"- func: ([A-Za-z_]\w*)(?:\.\w+)?\(")
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
    "torch/testing/", "torch/_native/", "torch/utils/benchmark/", "torch/onnx/_internal/", "torch/_vendor/",
)  # fmt: skip
_KINDS = ("class", "function")


class Harvest:
    """Everything in a wheel: ``rows`` by name, ``aliases`` to names, and a line for each place that was ``dropped``."""

    def __init__(self, wheel: Wheel, facts: Facts) -> None:
        """Collect the rows; each place is checked against its file."""
        self._wheel, self._facts = wheel, facts
        self.rows: dict[str, Row] = {}
        self.aliases: dict[str, str] = {}
        self.dropped: list[str] = []
        self._homes: dict[str, str] = {}  # the names that some are defined under
        self._canonical: dict[str, str] = {}  # their shortest public spellings
        paths = [path for path in wheel.members if path.endswith(".py")]
        modules = (scan_python(wheel.read(path), name=module_of(path), path=path) for path in paths)
        self._package = Package(module for module in modules if module is not None)
        self._operators = _find_operators(wheel)
        self._add_python()
        self._add_cpp()
        for name, line in self._operators.items():
            self._add(Row(f"aten::{name}", "operator", _OPERATORS, line))
        for name, path, line in _find_environment(wheel):
            self._add(Row(name, "environment", path, line))
        self._add_curated()
        self._add_removed()
        self._check()

    def _add(self, row: Row) -> None:
        self.rows.setdefault(row.name, row)

    def _add_python(self) -> None:
        documented = self._facts.documented
        spellings = self._list_spellings()
        for home, names in spellings.items():
            short = self._canonical[home] = min(names, key=self._rank(home))
            self.aliases |= dict.fromkeys(names - {short}, short)
        self._add_documented()
        for home, names in spellings.items():
            if listed := names & documented.pages.keys():
                name, short = min(listed, key=self._rank(home)), self._canonical[home]
                definition = self._package.resolve(name)
                assert definition is not None
                page, anchor = documented.pages[name], documented.anchors.get(name, name)
                self.rows[short] = Row(short, definition.kind, definition.path, definition.line, page, anchor)
                self._homes[short] = home
        for other, name in documented.spellings.items():
            self.aliases.setdefault(other, self.aliases.get(name, name))
        self._add_undocumented()

    def _list_spellings(self) -> dict[str, set[str]]:
        """Return, for the name every class and function is defined under, all its spellings."""
        modules = self._package.modules.values()
        found: dict[str, set[str]] = {}
        for one in (one for module in modules for one in module.definitions.values()):
            if one.kind in _KINDS:
                found[one.name] = {one.name}
        spellings = [(name, name) for name in self._facts.documented.pages]
        for module in modules:
            if module.package and "._" not in f".{module.name}":
                names = (f"{module.name}.{local}" for local in module.imports if not local.startswith("_"))
                spellings += ((name, name) for name in names)
        for spelling, name in (*spellings, *self._facts.documented.spellings.items()):
            definition = self._package.resolve(name)
            if definition is not None and definition.kind in _KINDS:
                found.setdefault(definition.name, {definition.name}).add(spelling)
        return found

    def _rank(self, home: str) -> Callable[[str], tuple[object, ...]]:
        """Order the spellings of a definition, whose name in its module is ``home``.

        Its own last name before another, torch's before its shims', public before private, short before deep, where it
        is defined before where it is shown too, documented before not.
        """
        pages = self._facts.documented.pages
        return lambda name: (
            last_part(name) != last_part(home), not name.startswith("torch."), "._" in name, name.count("."),
            name != home, name not in pages, len(name), name,
        )  # fmt: skip

    def _add_documented(self) -> None:
        """Add the documented names that are no Python class or function: methods, operators, C functions, variables."""
        docstrings = {}
        for module in self._package.modules.values():
            for name, line in module.docstrings.items():
                # `add_docstr_all("abs", …)` in _tensor_docs.py is about `torch.Tensor.abs`
                is_method = module.name == "torch._tensor_docs" and "." not in name
                docstrings[f"torch.Tensor.{name}" if is_method else name] = (module.path, line)
        for name, page in self._facts.documented.pages.items():
            definition = self._package.resolve(name)
            if definition is not None and definition.kind in _KINDS:
                continue
            short = self._shorten_member(name)
            owner, _, last = name.rpartition(".")
            parent = self._package.resolve(owner)
            kind, place = "class" if last[:1].isupper() else "function", docstrings.get(name, ("", 0))
            if definition is not None:
                kind, place = definition.kind, (definition.path, definition.line)
            elif parent is not None and parent.kind == "class":
                kind = "method"
            is_operator = owner in {"torch", "torch.Tensor"} and last in self._operators
            if is_operator and (definition is None or kind == "variable"):
                place = _OPERATORS, self._operators[last]
            self._add(Row(short, kind, *place, page, self._facts.documented.anchors.get(name, name)))
            if short != name:
                self.aliases.setdefault(name, short)

    def _add_undocumented(self) -> None:
        """Add what the modules define and the documentation does not list, as far as people speak of it."""
        classes = {row.name for row in self.rows.values() if row.kind == "class"}
        for module in self._package.modules.values():
            for local, definition in module.definitions.items():
                short = self._canonical.get(definition.name) or self._shorten_member(definition.name)
                match definition.kind:
                    case "class":
                        is_wanted = True
                    case "function":
                        is_wanted = not definition.path.startswith(_NO_FUNCTIONS_FROM)
                    case "method":
                        is_wanted = short.rpartition(".")[0] in classes
                    case _:
                        is_wanted = definition.path.endswith("/config.py") and "." not in local and local[0] != "_"
                if is_wanted and short not in self.rows:
                    self.rows[short] = Row(short, definition.kind, definition.path, definition.line)
                    self._homes[short] = definition.name

    def _shorten_member(self, name: str) -> str:
        """Return ``name`` with its class in the shortest spelling, if it is a member of a class."""
        owner, _, member = name.rpartition(".")
        definition = self._package.resolve(owner) if owner else None
        is_member = definition is not None and definition.kind == "class"
        return f"{self._canonical[definition.name]}.{member}" if definition and is_member else name

    def _add_cpp(self) -> None:  # noqa: C901 - a loop for each kind of declaration
        found = [(path, one, *one.name.rpartition("::")[::2]) for path, one in _find_declarations(self._wheel)]
        for path, one, scope, last in found:
            if one.kind == "macro" and _MACRO_FAMILY.match(last) and not last.endswith(("_H", "_H_", "_")):
                self._add(Row(last, "macro", path, one.line))
            elif one.kind in _KINDS and _is_public(scope, last, one.kind):
                self._add(Row(one.name, f"c++ {one.kind}", path, one.line))
        for path, one, scope, last in found:
            if one.kind == "specialisation" and _is_public(scope, last, "class") and not one.name.startswith("std::"):
                self._add(Row(one.name, "c++ class", path, one.line))
        for path, one, _, last in found:
            folder, _, name = path.lower().rpartition("/")
            if one.kind == "namespace" and last.lower() in {name.partition(".")[0], folder.rpartition("/")[2]}:
                self._add(Row(one.name, "namespace", path, one.line))
        for _, one, scope, _ in found:
            if one.kind == "alias" and one.name not in self.rows:  # `using X = c10::X`
                targets = (full for full in (one.target, f"{scope}::{one.target}") if full in self.rows)
                if known := next(targets, ""):
                    self.aliases.setdefault(one.name, known)

    def _add_curated(self) -> None:
        """Add the names that are given by hand, in the place of what was found under them."""
        names = self._facts.names
        for entry in names["symbols"]:
            known = self.rows.get(entry["name"])
            path, line = (known.path, known.line) if known else ("", 0)
            if "path" in entry:
                path, line = entry["path"], self._find_line(entry["path"], entry["find"])
            self.aliases.pop(entry["name"], None)
            self.rows[entry["name"]] = Row(
                entry["name"], entry["kind"], path if line else "", line, entry.get("docs", "")
            )
        for name, scalar in names["dtypes"].items():
            line = self._find_line(_DTYPES, f", {scalar}) /*")
            place = (_DTYPES if line else "", line, "tensor_attributes.html", "torch.dtype")
            self._add(Row(f"torch.{name}", "variable", *place))
        for name in names["variables"]:
            if definition := self._package.resolve(name):
                self._add(Row(name, definition.kind, definition.path, definition.line))
        for name, page in names["docs"].items():
            if name in self.rows and not self.rows[name].page:
                self.rows[name] = self.rows[name]._replace(page=page)

    def _add_removed(self) -> None:
        """Add the names that are gone, with the page they had, and those that are called otherwise now."""
        for name, page in self._facts.documented.removed.items():
            if name not in self.rows and name not in self._package.modules and self._package.resolve(name) is None:
                self.rows[name] = Row(name, "removed", page=page)
        for name, current in self._facts.names["renamed"].items():
            row = self.rows.get(name, Row(name, "removed"))
            if row.kind == "removed":
                self.rows[name] = row._replace(anchor=current)

    def _find_line(self, path: str, text: str) -> int:
        """Return the line of a file that holds a text, 0 when there is none."""
        lines = self._wheel.read_lines(path) if path in self._wheel.members else []
        return next((number for number, line in enumerate(lines, 1) if text in line), 0)

    def _check(self) -> None:
        """Take the place away from every row whose line does not hold the name it defines."""
        for path, rows in group_by(lambda row: row.path, filter(lambda row: row.path, self.rows.values())).items():
            lines = self._wheel.read_lines(path)
            for row in rows:
                names = {re.escape(last_part(name)) for name in (row.name, self._homes.get(row.name, row.name))}
                pattern = rf"(?<!\w)(?:{'|'.join(names)})(?!\w)"
                if path == _DTYPES and row.kind == "variable":
                    pattern = r"\A\s*_\("
                if not re.search(pattern, lines[row.line - 1]):
                    self.dropped.append(f"{row.name}: {path}:{row.line} does not define it")
                    self.rows[row.name] = row._replace(path="", line=0)


def _find_operators(wheel: Wheel) -> dict[str, int]:
    """Return the first line of every operator in native_functions.yaml."""
    found: dict[str, int] = {}
    for number, line in enumerate(wheel.read_lines(_OPERATORS) if _OPERATORS in wheel.members else [], 1):
        if match := _OPERATOR.match(line):
            found.setdefault(match[1], number)
    return found


def _find_declarations(wheel: Wheel) -> Iterator[tuple[str, Declaration]]:
    """Yield (path, declaration) of the headers that count."""
    for path, text in wheel.texts(".h", ".hpp", ".cuh"):
        if path.startswith(("aten/", "c10/", "torch/")) and not path.startswith("aten/src/ATen/native/transformers/"):
            folder, _, name = path.rpartition("/")
            if not folder.endswith("/templates") or name == "TensorBody.h":
                yield from ((path, one) for one in find_declarations(text))


def _is_public(scope: str, last: str, kind: str) -> bool:
    """Choose the C++ names people speak of: not the details, nor what has no namespace but the Python bindings."""
    if not scope:
        return last == "python_error" or (last.startswith("THP") and (kind == "class" or "_" in last))
    return last[0] != "_" and not _INNER_NAMESPACES.intersection(scope.split("::"))


def _find_environment(wheel: Wheel) -> Iterator[tuple[str, str, int]]:
    for path, text in wheel.texts(".py", ".h", ".hpp"):
        if path.startswith(("torch/testing/", "torch/utils/hipify/")):
            continue
        for match in _ENVIRONMENT.finditer(text):
            start = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            around = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : end]
            if _ASKS_ENVIRONMENT.search(around):
                yield match[1], path, text.count("\n", 0, match.start()) + 1
