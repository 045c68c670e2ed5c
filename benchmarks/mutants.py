"""Mutation testing: small faults are put into a room one by one, and its fast tests must see each.

    python benchmarks/mutants.py [ROOM …] [-n 300] [--seed 1] [--only FILE[:LINE]] [--log FILE]

Prints the survivors, each with file, line, change and, where `data/mutants.tsv` explains it, why it makes no difference
or none that a test should hold. Leaves with 1 when one is not explained. The tests run once in this process, with code
that notes its lines, to learn which each runs; then a fault is put into the loaded modules of a forked process, and the
tests that run its line follow, those of quick files first, until one fails. No file is touched. What a log names as
killed is not tried again: a run that broke off goes on, and after new tests only the survivors are tried. POSIX only.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import gc
import importlib
import os
import signal
import sys
import time
import types
from collections import Counter
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.test_architecture import FLOORS, floor

ROOT = Path(__file__).resolve().parent.parent
EXPLAINED = ROOT / "benchmarks/data/mutants.tsv"
SHARED = "test_formats_text test_rows test_formats_structure test_formats_vault test_formats"
# room -> the tests that must see a fault in it
ROOMS = {
    "extractors/notes": ["tests/extractors/notes", "tests/extractors/mentions/test_urls.py"],
    "extractors/mentions": ["tests/extractors/mentions"],
    "extractors/sites": ["tests/extractors/sites"],
    "graph/questions": [
        "tests/graph/questions", "tests/graph/test_boilerplate.py", "tests/answers", "tests/output/test_command.py",
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
    elif isinstance(node, ast.Return) and getattr(node.value, "value", node.value):  # of what is false nothing is made
        yield "return", ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Continue | ast.Break):
        yield "loop", ast.Break() if isinstance(node, ast.Continue) else ast.Continue()
    elif isinstance(node, ast.AugAssign | ast.Raise) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield "left out", ast.Pass()


def places(tree):
    """Yield (parent, field, index, node, in how many functions, lines of its statement) of what may be changed.

    That is no docstring, annotation or wording of an error. Of a compound statement the lines are those of its head.
    """
    waiting = [(tree, 0, range(0))]
    while waiting:
        parent, depth, span = waiting.pop()
        for field, value in ast.iter_fields(parent):
            if field in {"annotation", "returns", "decorator_list", "type_params"}:
                continue
            for index, node in enumerate(value if isinstance(value, list) else [value]):
                is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
                if isinstance(node, ast.Assign):
                    is_typing = ast.unparse(node).startswith(
                        ("__all__ = ", f"{ast.unparse(node.targets[0])} = TypeVar(")
                    )
                if not isinstance(node, ast.AST) or is_text or is_typing or isinstance(node, ast.JoinedStr):
                    continue
                within = depth + (field == "body" and isinstance(parent, ast.FunctionDef))
                lines = span
                if isinstance(node, ast.stmt):
                    body = getattr(node, "body", None)
                    lines = range(node.lineno, body[0].lineno if body else node.end_lineno + 1)
                if isinstance(node, ast.stmt | ast.expr):
                    yield parent, field, index if isinstance(value, list) else None, node, within, lines
                if not isinstance(node, ast.Raise):  # how an error is worded is no behaviour
                    waiting.append((node, within, lines))


@dataclass
class Mutant:
    """A fault: its file and line, the lines of its statement, in how many functions that stands, and its code."""

    path: Path
    line: int
    lines: range
    depth: int
    key: tuple[str, str, str]  # file, text of the line, change: they outlive changes of other lines
    again: int  # the first, second … of that key
    make: partial[types.CodeType]


def mutants(path):
    """Yield each fault of a file."""
    text = path.read_text("utf-8")
    texts, again = text.splitlines(), Counter()
    for number, (_, _, _, node, depth, lines) in enumerate(places(ast.parse(text))):
        for what, _ in faults(node):
            key = (str(path.relative_to(ROOT)), texts[node.lineno - 1].strip(), f"{what}: {ast.unparse(node)[:60]!r}")
            again[key] += 1
            yield Mutant(path, node.lineno, lines, depth, key, again[key], partial(changed, text, path, number))


def changed(text, path, number):
    """Return the code of a file with one fault."""
    tree = ast.parse(text)
    parent, field, index, node, _, _ = list(places(tree))[number]
    fault = ast.copy_location(next(faults(node))[1], node)
    if index is None:
        setattr(parent, field, fault)
    else:
        getattr(parent, field)[index] = fault
    return compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True)


def note_lines(path):
    """Have the functions of a file note the line of each statement that runs: in a dict; and what its import runs."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in list(ast.walk(tree)):
        for field in ("body", "orelse", "finalbody") if not isinstance(node, ast.Module | ast.ClassDef) else ():
            if isinstance(statements := getattr(node, field, None), list):
                noted = ([*ast.parse(f"__seen__[{one.lineno}] = True").body, one] for one in statements)
                setattr(node, field, [*chain.from_iterable(noted)])
    module = importlib.import_module(name_of(path))
    module.__seen__ = {}
    whole = compile(tree, str(path), "exec", dont_inherit=True)
    at_import = made_of(whole, module)["__seen__"]
    bodies = {(code.co_qualname, code.co_firstlineno): code for code in codes_in(whole)}
    for function in gc.get_objects():  # also those that a function made and a table holds
        if isinstance(function, types.FunctionType) and function.__globals__ is module.__dict__:
            before = function.__code__
            after = bodies.get((before.co_qualname, before.co_firstlineno), before)
            if before.co_name != "<lambda>" and before.co_freevars == after.co_freevars:
                function.__code__ = after
    return module.__seen__, at_import


def codes_in(code):
    """Yield a code and all codes in it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from codes_in(inner)


def made_of(code, module):
    """Return what the code of a module makes, other than the module itself."""
    fresh = {name: module.__dict__[name] for name in ("__name__", "__file__", "__package__", "__spec__")}
    fresh["__seen__"] = {}
    exec(code, fresh)  # our own code, with a fault
    return fresh


def put(mutant, *, values):
    """Put the code of a mutant into its module: functions get new bodies, other ``values`` give way if need be."""
    module = importlib.import_module(name_of(mutant.path))
    swap(module.__dict__, made_of(mutant.make(), module), values=values)


def name_of(path):
    """Return the name of the module in a file of a room."""
    return f"podgraph.{path.relative_to(ROOT).with_suffix('').as_posix().replace('/', '.')}".removesuffix(".__init__")


def swap(old, new, *, values):
    for name, value in list(new.items()):
        before = old.get(name)
        if name.startswith("__") and name.endswith("__") and not callable(value):
            continue
        if isinstance(before, type) and isinstance(value, type):
            if before.__module__ == value.__module__:
                swap(before.__dict__, value.__dict__, values=values)
            continue
        ours, theirs = body(before), body(value)
        if ours is not None and theirs is not None:
            if ours.__module__ == theirs.__module__ and len(ours.__code__.co_freevars) == len(
                theirs.__code__.co_freevars
            ):
                ours.__code__ = theirs.__code__
                if values:
                    ours.__defaults__, ours.__kwdefaults__ = theirs.__defaults__, theirs.__kwdefaults__
        elif not values or not isinstance(old, dict) or type(before) is not type(value):
            continue
        elif isinstance(before, dict | set):
            before.clear()
            before.update(value)
        elif not isinstance(value, types.ModuleType):
            for module in list(sys.modules.values()):  # who imported it by its name has the new one, too
                if getattr(module, "__dict__", {}).get(name) is before:
                    module.__dict__[name] = value


def body(value):
    """Return the function in what a name stands for, if there is one; not of a method of one object, as that is new."""
    if isinstance(value, types.MethodType):
        return None
    for name in ("fget", "func", "__func__", "__wrapped__"):
        value = getattr(value, name, None) or value
    return value if isinstance(value, types.FunctionType) else None


def forget(room):
    """Empty the caches of the product that a fault in a room reaches: it is not used on the floors below it."""
    lowest = height(room.split("/"))
    for name, module in list(sys.modules.items()):
        if name.startswith("podgraph.") and height(name.split(".")[1:]) >= lowest:
            for clear in caches(name, len(vars(module))):
                clear()


@cache
def caches(name, _size):
    """Return what empties each cache of a module, which has grown when its size has."""
    values = list(vars(sys.modules[name]).values())
    return [value.cache_clear for value in values if callable(getattr(value, "cache_clear", None))]


def height(parts):
    """Return how high a folder or module stands in the house."""
    room, *own = parts
    return (list(FLOORS).index(room), floor(room, own) or 0) if room in FLOORS else (-1, 0)


class Plugin:
    """Runs the tests that pytest has collected: once, to learn what each reaches, and in a forked process a mutant."""

    def __init__(self, room, chosen, explained, log):
        self.room, self.chosen, self.explained, self.log = room, chosen, explained, log
        self.lived, self.fine = [], False
        self.seconds, self.reach = {}, {}  # of a test's number; of a file, of a file and line: the tests' numbers

    def pytest_collection_modifyitems(self, items):
        from tests.conftest import is_slow  # here, as pytest has to see first what it loads

        items[:] = [item for item in items if not is_slow(item)]

    def pytest_runtestloop(self, session):
        self.learn(session)
        self.fine = not session.testsfailed
        gc.collect()
        gc.freeze()
        done = set(self.log.read_text("utf-8").splitlines()) if self.log and self.log.exists() else set()
        for mutant in self.chosen if self.fine else ():
            line = "\t".join([*mutant.key, str(mutant.again), "killed"])
            numbers = self.numbers(session, mutant)
            if numbers and line in done:
                continue
            if not numbers or self.survives(session, mutant, numbers):
                self.lived.append(mutant.key)
                why = self.explained.get(mutant.key, "NOT EXPLAINED" if numbers else "NOT EXPLAINED: no test runs it")
                print(f"{mutant.key[0]}:{mutant.line}: {mutant.key[1]}\t{mutant.key[2]}\t{why}", flush=True)
            elif self.log:
                with self.log.open("a", encoding="utf-8") as file:
                    file.write(line + "\n")
        return True

    def learn(self, session):
        """Run all tests and keep which ran which lines of the room, and for how long."""
        noted = {path: note_lines(path) for path in (ROOT / self.room).glob("*.py")}
        self.at_import = {(path, line) for path, (_, lines) in noted.items() for line in lines}
        seen = {path: lines for path, (lines, _) in noted.items()}
        following = [*session.items[1:], session]
        for number, (item, after) in enumerate(zip(session.items, following, strict=True)):
            for lines in seen.values():
                lines.clear()
            forget(self.room)
            begun = time.process_time()
            run(session, item, after)
            self.seconds[number] = time.process_time() - begun
            for path, lines in seen.items():
                for place in [path, *((path, line) for line in lines)] if lines else ():
                    self.reach.setdefault(place, set()).add(number)

    def numbers(self, session, mutant):
        """Return the numbers of the tests that run a line of a fault, those of quick files first."""
        places = [mutant.path] if self.is_import(mutant) else [(mutant.path, line) for line in mutant.lines]
        numbers = set().union(*(self.reach.get(place, ()) for place in places))
        cost = Counter()  # of the tests of a file, which share what is slow to set up
        for number in numbers:
            cost[session.items[number].path] += self.seconds[number]
        return sorted(numbers, key=lambda number: (cost[session.items[number].path], number))

    def is_import(self, mutant):
        """Tell whether a fault is in what runs when its module is imported."""
        return not mutant.depth or any((mutant.path, line) in self.at_import for line in mutant.lines)

    def survives(self, session, mutant, numbers):
        """Tell whether the tests pass with a fault; a time limit, or a crash, is a failure."""
        sys.stdout.flush()
        child = os.fork()
        if child:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        # processor time, as a busy machine is no fault; and an end to waiting for ever
        signal.setitimer(signal.ITIMER_PROF, 10 + 3 * sum(self.seconds[number] for number in numbers))
        signal.alarm(900)
        silence, status = os.open(os.devnull, os.O_RDWR), 1
        for stream in range(3):
            os.dup2(silence, stream)
        with contextlib.suppress(BaseException):
            # other values give way if the fault is where they are made, or in a function that another made
            put(mutant, values=mutant.depth > 1 or self.is_import(mutant))
            forget(self.room)
            items = [session.items[number] for number in numbers]
            for item, after in zip(items, [*items[1:], session], strict=True):
                run(session, item, after)
                if session.testsfailed:
                    break
            status = int(session.testsfailed > 0)
        os._exit(status)


def run(session, item, after):
    """Run a test; what it shares with the one that follows, or with the whole session, stays."""
    session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", choices=[*ROOMS, []], metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("-n", type=int, default=300, help="mutants a room (default: 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="FILE[:LINE]", help="all mutants of a file, or of one of its lines")
    parser.add_argument("--log", type=Path, help="a file of those that are killed, which are not tried again")
    parser.add_argument("--tests", nargs="+", help="these instead of all tests of the room, which is quick with --only")
    options = parser.parse_args()
    os.chdir(ROOT)
    rows = (line.split("\t") for line in EXPLAINED.read_text("utf-8").splitlines() if line and line[0] != "#")
    explained = {tuple(row[:3]): row[3] for row in rows}
    bad = 0
    for room in options.rooms or ROOMS:
        known = [mutant for path in sorted((ROOT / room).glob("*.py")) for mutant in mutants(path)]
        if options.only:
            chosen = [m for m in known if options.only in {m.key[0], f"{m.key[0]}:{m.line}"}]
        else:  # by a hash: a fault that comes or goes leaves the others chosen
            chosen = sorted(known, key=lambda m: sha256(repr((options.seed, m.key, m.again)).encode()).digest())
            chosen = chosen[: options.n]
        plugin = Plugin(room, chosen, explained, options.log)
        words = [
            "-q",
            "-s",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *(options.tests or [*ROOMS[room], f"podgraph/{room}"]),
        ]
        pytest.main([*words, "--no-header", "--no-summary"], plugins=[plugin])
        if not plugin.fine:
            print(f"{room}: its tests fail without a fault")
            return 2
        keys = {mutant.key for mutant in known}
        for key in explained:
            if str(Path(key[0]).parent) == room and key not in keys:
                print("explained, but there is no such fault:", *key, sep="\t")
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
