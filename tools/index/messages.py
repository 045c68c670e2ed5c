"""The texts in the code of a wheel that a program may print: literals of Python and C++ without their placeholders."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from .python_source import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .wheel import Wheel

# Code that repeats the messages of other programs, or prints none of its own.
_OTHERS = ("torch/_numpy/", "torch/_dynamo/polyfills/", "torch/testing/", "torch/utils/benchmark/", "functorch/")
# Adjacent literals of C++.
_LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
# The end of one and the beginning of the next.
_SEAM = re.compile(r'"\s*"')
# Placeholders of printf and str.format.
_PLACEHOLDER = re.compile(r"%[-+#\d.]*[a-zA-Z]|\{[^{}]*\}|\0")


def find_texts(wheel: Wheel) -> Iterator[tuple[str, str]]:
    """Yield (repository path, text) for each literal, and for each part between two placeholders."""
    for path, source in wheel.texts(".py", ".h", ".hpp", ".cuh", ".cpp"):
        if not path.startswith(_OTHERS):
            for text in _of_python(source) if path.endswith(".py") else _of_cpp(source):
                for part in _PLACEHOLDER.split(text.replace("\\n", " ")):
                    yield path, part


def _of_cpp(source: str) -> Iterator[str]:
    for match in _LITERALS.finditer(source):
        yield _SEAM.sub("", match[0])


def _of_python(source: str) -> Iterator[str]:
    """Yield the literals of a module without docstrings; nothing if it does not parse."""
    nodes = list(ast.walk(tree)) if (tree := parse_python(source)) else []
    seen = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:  # the outer expressions come first
        if id(node) not in seen and isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp)):
            yield _text(node, seen)


def _text(node: ast.expr, seen: set[int]) -> str:
    r"""Return the text of an expression, with ``\0`` for each unknown part; add the literals in it to ``seen``."""
    match node:
        case ast.Constant(value=str(text)):
            seen.add(id(node))
            return text
        case ast.JoinedStr(values=values):
            seen.add(id(node))
            return "".join(_text(value, seen) for value in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            seen.add(id(node))
            return _text(left, seen) + _text(right, seen)
        case ast.BinOp(left=left, op=ast.Mod()):
            seen.add(id(node))
            return _text(left, seen)
    return "\0"
