"""Mutation testing: small faults are put into a room one by one, and its fast tests must see each.

    python benchmarks/mutants.py [ROOM …] [-n 300] [--seed 1] [--time 60]

Prints the survivors, each with file, line, change and, where `data/mutants.tsv` explains it, why it makes no difference
or none that a test should hold. Leaves with 1 when one is not explained. The tests are collected once,
and run in a forked process a mutant, whose code is put into the loaded module: no file is touched. POSIX only.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib
import os
import random
import signal
import sys
import time
import types
from pathlib import Path

import pytest
from _pytest.main import pytest_runtestloop as run_tests

ROOT = Path(__file__).resolve().parent.parent
EXPLAINED = ROOT / "benchmarks/data/mutants.tsv"
SHARED = (
    "test_formats_text test_flatten test_json_view test_sqlite_view test_formats_structure test_formats_roundtrip "
    "test_formats_vault test_formats"
)
# room -> the tests that must see a fault in it
ROOMS = {
    "extractors/notes": ["tests/extractors/notes", "tests/extractors/mentions/test_urls.py"],
    "extractors/sites": ["tests/extractors/sites"],
    "graph/ask": [
        "tests/graph/ask", "tests/answers", "tests/output/test_answers_as_json.py", "tests/output/commands/test_cli.py",
        "tests/output/commands/test_cli_where.py", "tests/output/commands/test_cli_why.py",
    ],
    "output/formats/shared": [f"tests/output/formats/{name}.py" for name in SHARED.split()],
}  # fmt: skip
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd,
}  # fmt: skip


def faults(node):
    """Yield (what is changed, the changed node) for one node."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield "compare", ast.Compare(node.left, [SWAPS[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield "and/or", ast.BoolOp(SWAPS[type(node.op)](), node.values)
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPS and not isinstance(node.left, ast.Constant):
        yield "operator", ast.BinOp(node.left, SWAPS[type(node.op)](), node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "no not", node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant", ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield "constant", ast.Constant(node.value + 1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield "constant", ast.Constant("~" + node.value)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        changed = copy.copy(node)
        changed.test = ast.UnaryOp(ast.Not(), node.test)
        yield "condition", changed
    elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "return", ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Continue | ast.Break):
        yield "loop", ast.Break() if isinstance(node, ast.Continue) else ast.Continue()
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield "left out", ast.Pass()


def places(tree):
    """Yield (parent, field, index, node) of what may be changed: no docstring, no annotation, no import."""
    waiting = [tree]
    while waiting:
        parent = waiting.pop()
        for field, value in ast.iter_fields(parent):
            if field in {"annotation", "returns", "decorator_list", "type_params"}:
                continue
            for index, node in enumerate(value if isinstance(value, list) else [value]):
                is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
                if not isinstance(node, ast.AST) or is_text or is_typing or isinstance(node, ast.JoinedStr):
                    continue
                if isinstance(node, ast.stmt | ast.expr):
                    yield parent, field, index if isinstance(value, list) else None, node
                waiting.append(node)


def mutants(path):
    """Yield (line, key, function that makes the code) for each fault of a file; the key outlives other changes."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    for number, (_, _, _, node) in enumerate(places(ast.parse(text))):
        for what, _ in faults(node):
            key = (str(path.relative_to(ROOT)), lines[node.lineno - 1].strip(), f"{what}: {ast.unparse(node)[:60]!r}")
            yield node.lineno, key, lambda number=number: changed(text, path, number)


def changed(text, path, number):
    """Return the code of a file with one fault."""
    tree = ast.parse(text)
    parent, field, index, node = list(places(tree))[number]
    fault = ast.copy_location(next(faults(node))[1], node)
    if index is None:
        setattr(parent, field, fault)
    else:
        getattr(parent, field)[index] = fault
    return compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)


def put(module, code):
    """Put other code into a module that is loaded: functions and methods get new bodies, other values give way."""
    fresh = {name: module.__dict__[name] for name in ("__name__", "__file__", "__package__", "__spec__")}
    exec(code, fresh)  # our own code, with a fault
    swap(module.__dict__, fresh)


def swap(old, new):
    for name, value in list(new.items()):
        before = old.get(name)
        if name.startswith("__") and name.endswith("__") and not callable(value):
            continue
        if isinstance(before, type) and isinstance(value, type):
            if before.__module__ == value.__module__:
                swap(before.__dict__, value.__dict__)
            continue
        ours, theirs = body(before), body(value)
        if ours is not None and theirs is not None:
            if ours.__module__ == theirs.__module__ and len(ours.__code__.co_freevars) == len(
                theirs.__code__.co_freevars
            ):
                ours.__code__, ours.__defaults__ = theirs.__code__, theirs.__defaults__
                ours.__kwdefaults__ = theirs.__kwdefaults__
                getattr(before, "cache_clear", int)()
        elif isinstance(before, dict) and isinstance(value, dict):
            before.clear()
            before.update(value)
        elif isinstance(old, dict) and type(before) is type(value) and not isinstance(value, types.ModuleType):
            old[name] = value


def body(value):
    """Return the function in what a name stands for, if there is one."""
    for name in ("fget", "func", "__func__", "__wrapped__"):
        value = getattr(value, name, None) or value
    return value if isinstance(value, types.FunctionType) else None


class Plugin:
    """Runs the tests that pytest has collected in forked processes, one for each mutant."""

    def __init__(self, room, chosen, seconds, explained):
        self.room, self.chosen, self.seconds, self.explained = room, chosen, seconds, explained
        self.lived, self.fine = [], False

    def pytest_runtestloop(self, session):
        begun = time.monotonic()
        self.fine = self.survives(session, None, None, 3600)
        seconds = self.seconds or int(3 * (time.monotonic() - begun)) + 10
        for path, line, key, make in self.chosen if self.fine else ():
            if self.survives(session, path, make, seconds):
                self.lived.append(key)
                why = self.explained.get(key, "NOT EXPLAINED")
                print(f"{key[0]}:{line}: {key[1]}\t{key[2]}\t{why}", flush=True)
        return True

    def survives(self, session, path, make, seconds):
        """Tell whether the tests pass with a fault; a time limit, or a crash, is a failure."""
        sys.stdout.flush()
        child = os.fork()
        if child:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        signal.alarm(seconds)
        silence, status = os.open(os.devnull, os.O_RDWR), 1
        for stream in range(3):
            os.dup2(silence, stream)
        with contextlib.suppress(BaseException):
            if path:
                name = f"podgraph.{path.relative_to(ROOT).with_suffix('').as_posix().replace('/', '.')}"
                put(importlib.import_module(name.removesuffix(".__init__")), make())
            run_tests(session)
            status = int(session.testsfailed > 0)
        os._exit(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", choices=[*ROOMS, []], metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("-n", type=int, default=300, help="mutants a room (default: 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", type=int, default=0, help="seconds for a mutant (0: thrice those without a fault)")
    options = parser.parse_args()
    os.chdir(ROOT)
    rows = (line.split("\t") for line in EXPLAINED.read_text("utf-8").splitlines() if line and line[0] != "#")
    explained = {tuple(row[:3]): row[3] for row in rows}
    bad = 0
    for room in options.rooms or ROOMS:
        known = [(path, *mutant) for path in sorted((ROOT / room).glob("*.py")) for mutant in mutants(path)]
        chosen = random.Random(options.seed).sample(known, min(options.n, len(known)))
        plugin = Plugin(room, chosen, options.time, explained)
        words = ["-q", "-x", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", *ROOMS[room]]
        pytest.main([*words, "--no-header", "--no-summary"], plugins=[plugin])
        if not plugin.fine:
            print(f"{room}: its tests fail without a fault")
            return 2
        unknown = sum(key not in explained for key in plugin.lived)
        bad += unknown
        print(
            f"{room}: {len(chosen)} of {len(known)} mutants, {len(chosen) - len(plugin.lived)} killed, "
            f"{len(plugin.lived)} survived, {unknown} of them not explained",
            flush=True,
        )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
