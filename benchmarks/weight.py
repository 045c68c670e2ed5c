"""What the product weighs: lines of code by room, now and at a commit; megabytes by dependency and extra.

    python benchmarks/weight.py lines [COMMIT]     product code, in the files that git knows
    python benchmarks/weight.py megabytes          what is installed here, by what asks for it

A dependency's own weight is what would go with it: itself, and what nothing else needs. Megabytes are millions of bytes
of the files that its installer noted, the bytecode that pip compiles among them; podgraph itself is not counted. `du`
says more, for it counts whole blocks of the disk.
"""

import re
import subprocess
import sys
import tomllib
from collections import Counter, deque
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
CODE = (".py", ".pyi", ".js", ".css", ".html")
ROOMS = ("podgraph", "extractors", "graph", "output")
EXTRAS = ("parquet", "dask", "index", "mcp", "docs", "test")


def lines(commit):
    """Return the lines of code of each room, and of each folder in it, at a commit ("" for what lies here)."""
    names = git("ls-tree", "-r", "--name-only", commit).splitlines() if commit else git("ls-files").splitlines()
    counts = Counter()
    for name in names:
        parts = Path(name).parts
        if name.endswith(CODE) and parts[0] in ROOMS and not (ROOT / name).is_symlink():
            text = git("show", f"{commit}:{name}") if commit else (ROOT / name).read_text("utf-8")
            found = text.count("\n")
            counts[parts[0]] += found
            counts["all"] += found
            if len(parts) > 2:
                counts["/".join(parts[:2])] += found
    return counts


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True).stdout


def needs(name, extras=()):
    """Return the names of what a distribution needs here, with its extras."""
    try:
        wanted = map(Requirement, distribution(name).requires or ())
        return [
            one for one in wanted if any(not one.marker or one.marker.evaluate({"extra": e}) for e in ("", *extras))
        ]
    except PackageNotFoundError:
        return []


def closure(start):
    """Return all distributions that some requirements bring."""
    found, waiting = set(), deque((one.name, tuple(one.extras)) for one in start)
    while waiting:
        name, extras = waiting.popleft()
        key = (re.sub(r"[-_.]+", "-", name).lower(), extras)
        if key not in found:
            found.add(key)
            waiting.extend((one.name, tuple(one.extras)) for one in needs(name, extras))
    return {name for name, _ in found}


def size(name):
    """Return the megabytes of a distribution's files."""
    try:
        files = distribution(name).files or ()
    except PackageNotFoundError:
        return 0.0
    return sum(path.stat().st_size for one in files if (path := Path(one.locate())).is_file()) / 1e6


def megabytes():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    own = list(map(Requirement, project["dependencies"]))
    base = closure(own)
    print(f"| dependency | MB alone | MB that would go |\n| --- | --- | --- |\n| all of them | | {total(base):.0f} |")
    rows = [(total(base - closure([other for other in own if other is not one])), one.name) for one in own]
    for goes, name in sorted(rows, reverse=True):
        print(f"| {name} | {size(name):.1f} | {goes:.1f} |")
    print("\n| extra | MB more |\n| --- | --- |")
    for extra in EXTRAS:
        print(f"| {extra} | {total(closure(map(Requirement, project['optional-dependencies'][extra])) - base):.0f} |")


def total(names):
    return sum(map(size, names))


def main(what="lines", commit=""):
    if what == "megabytes":
        megabytes()
        return
    before, now = lines(commit) if commit else Counter(), lines("")
    print(f"| room | {commit or ''} | now |\n| --- | --- | --- |")
    for room in sorted({*before, *now}, key=lambda one: (one != "all", one)):
        print(f"| {room} | {before[room] if commit else ''} | {now[room]} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
