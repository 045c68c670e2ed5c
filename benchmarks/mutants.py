"""Mutation testing: small faults in a copy of the code, one by one; the fast tests of the room must see each.

    python benchmarks/mutants.py [FOLDER …] [-n 100] [--seed 1]

Chooses N faults by chance over the Python files of the folders (graph and output unless given). Prints a line for each
fault, and how many the tests saw. The tests of a file are the examples in its docstrings, those in the folder of
`tests` that mirrors its own folder, those of `tests/answers`, and the golden files of `tests/output`. With `--all`, the
slow tests of the whole room run too, and those of library and command, on the faults that the fast ones do not see.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = ["tests/answers", "tests/output/test_golden.py"]
SLOW_TESTS = ["tests/output/test_library.py", "tests/output/test_command.py"]  # besides those of the room
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd,
}  # fmt: skip


def make_fault(node: ast.AST) -> ast.AST | None:
    """Return a node with one fault, or ``None`` for a node without a fault to make."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        return ast.Compare(node.left, [SWAPS[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(SWAPS[type(node.op)](), node.values)
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPS and not isinstance(node.left, ast.Constant):
        return ast.BinOp(node.left, SWAPS[type(node.op)](), node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return ast.Constant(not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return ast.Constant(node.value + 1)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        return ast.Constant(f"~{node.value}")
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        changed = copy.copy(node)
        changed.test = ast.UnaryOp(ast.Not(), node.test)
        return changed
    if isinstance(node, ast.Return) and getattr(node.value, "value", node.value):
        return ast.Return(ast.Constant(None))
    if isinstance(node, ast.Continue | ast.Break):
        return ast.Break() if isinstance(node, ast.Continue) else ast.Continue()
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    return ast.Pass() if is_call or isinstance(node, ast.AugAssign | ast.Raise) else None


def list_places(tree: ast.AST) -> list[tuple[ast.AST, str, int | None]]:
    """Return parent, field and index of each node that may get a fault.

    Annotations, docstrings, parts of f-strings and the wording of errors may not.
    """
    places = []
    waiting = [tree]
    while waiting:
        parent = waiting.pop()
        for field, value in ast.iter_fields(parent):
            if field in {"annotation", "returns", "decorator_list", "type_params"}:
                continue
            for index, node in enumerate(value if isinstance(value, list) else [value]):
                is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
                if is_text or is_typing or not isinstance(node, ast.AST) or isinstance(node, ast.JoinedStr):
                    continue
                places.append((parent, field, index if isinstance(value, list) else None))
                if not isinstance(node, ast.Raise):
                    waiting.append(node)
    return places


def put_fault(text: str, number: int) -> tuple[str, str]:
    """Return a file's text with the fault ``number`` (an index into ``list_places``), and a description of it.

    Both are "" where the place has no fault.
    """
    tree = ast.parse(text)
    parent, field, index = list_places(tree)[number]
    node = getattr(parent, field) if index is None else getattr(parent, field)[index]
    fault = make_fault(node)
    if fault is None:
        return "", ""
    if index is None:
        setattr(parent, field, fault)
    else:
        getattr(parent, field)[index] = fault
    new_text = ast.unparse(ast.fix_missing_locations(tree))
    line = text.splitlines()[node.lineno - 1].strip()
    return new_text, f"{node.lineno}: {line}\t{ast.unparse(node)[:60]!r} -> {ast.unparse(fault)[:60]!r}"


def tests_of(path: Path) -> str:
    """Return the folder with the tests of a file, the nearest that there is."""
    folder = "tests" / path.parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return folder.as_posix()


def do_tests_fail(scratch: Path, *tests: str, is_fast: bool = True) -> bool:
    """Return whether one of ``tests`` (files and folders) fails, or does not end, in the copy of the code."""
    environment = {**os.environ, "PYTHONPATH": str(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
    # Tests of speed are left out: on a busy computer they would see every fault.
    options = "-x -q -o timeout=100 -p no:cacheprovider -p no:randomly --deselect tests/output/test_costs.py".split()
    options += ["-m", "fast"] if is_fast else []
    words = [sys.executable, "-m", "pytest", *options, *tests]
    try:
        done = subprocess.run(words, cwd=scratch, env=environment, capture_output=True, timeout=900, check=False)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> None:
    """Try some faults, and print those that no test sees."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=["graph", "output"], metavar="FOLDER")
    parser.add_argument("-n", type=int, default=100, help="number of faults (100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="try the slow tests of the room, too")
    arguments = parser.parse_args()
    places = []
    for folder in arguments.folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            count = len(list_places(ast.parse(path.read_text("utf-8"))))
            places += [(path.relative_to(ROOT), number) for number in range(count)]
    random.Random(arguments.seed).shuffle(places)
    results: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        ignored = shutil.ignore_patterns(".venv", "node_modules", "__pycache__", ".*_cache")
        scratch = shutil.copytree(ROOT, Path(name, "copy"), symlinks=True, ignore=ignored)
        for room in {Path(folder).parts[0] for folder in arguments.folders if arguments.all}:
            if do_tests_fail(scratch, f"tests/{room}", *SLOW_TESTS, is_fast=False):
                raise SystemExit(f"tests/{room}: its slow tests fail without a fault")
        sound_folders = set()
        for path, number in places:
            text = (ROOT / path).read_text("utf-8")
            new_text, description = put_fault(text, number)
            if not new_text:
                continue
            folder, room = tests_of(path), f"tests/{path.parts[0]}"
            tests = [*TESTS, folder] if folder == room else [folder, *TESTS]  # those first that take less time
            tests.append(f"podgraph/{path.as_posix()}")
            if folder not in sound_folders and do_tests_fail(scratch, *tests):
                raise SystemExit(f"{folder}: its tests fail without a fault")
            sound_folders.add(folder)
            (scratch / path).write_text(new_text, "utf-8")
            result = "seen" if do_tests_fail(scratch, *tests) else "NOT SEEN"
            if result == "NOT SEEN" and arguments.all and do_tests_fail(scratch, room, *SLOW_TESTS, is_fast=False):
                result = "seen by slow tests"
            (scratch / path).write_text(text, "utf-8")
            results[result] += 1
            print(f"{result}\t{path}:{description}", flush=True)
            if results.total() == arguments.n:
                break
    print(f"seed {arguments.seed}: {results.total() - results['NOT SEEN']} of {results.total()} faults seen")


if __name__ == "__main__":
    main()
