"""The house stays a house: imports run one way, libraries stay in their file, dependencies are declared and used."""

import ast
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.tables import read_rows

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.checkout
ALLOWED = {
    "extractors": set(),
    "graph": {"podgraph.extractors", "podgraph.extractors.errors"},  # errors: the door takes milliseconds of a question
    "output": {"podgraph", "podgraph.extractors", "podgraph.graph"},
}
ONE_FILE = dict(read_rows(__file__, "ONE_FILE"))
# Files and rooms within a room, from the ground up: what stands earlier is imported, never what stands later.
FLOORS = {
    "extractors": """keys errors plugins processes suffixes url printable slugs ref toml_text charsets sites model
        languages notes subjects sample feeds sources transcripts
        plugin_extractors mentions metadata""".split(),
    "graph": """attributes kinds checking words boilerplate metadata topics series related_edges areas
        build corrections enrich questions/keys store_tables store_writer store questions code layout""".split(),
    "output": """json_text terminal config opening files formats/shared page site formats pipeline large notebook
        questions names_of_others library render assistants parser commands cli""".split(),
}
PATHS = [path.relative_to(ROOT).with_suffix("") for room in ALLOWED for path in sorted((ROOT / room).rglob("*.py"))]
FILES = {path.as_posix(): path.parts for path in PATHS}


@cache
def imports(name):
    """Return (parts of the module, names) of every import of a file; the parts of our own begin with the room."""
    own, found = FILES[name], []
    for node in ast.walk(ast.parse((ROOT / f"{name}.py").read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(tuple(one.name.split(".")), ()) for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = own[: len(own) - node.level] if node.level else ()
            found.append(((*above, *filter(None, (node.module or "").split("."))), tuple(x.name for x in node.names)))
    return found


def find_floor(parts):
    """Return the floor of a module: the number of the longest entry that it lies in."""
    spots = ["/".join(parts[1:end]) for end in range(len(parts), 1, -1)]
    return next((FLOORS[parts[0]].index(spot) for spot in spots if spot in FLOORS[parts[0]]), None)


@pytest.mark.parametrize("name", FILES)
def test_imports_run_one_way(name):
    own, here = FILES[name], find_floor(FILES[name])
    assert here is not None or own[1:] == ("__init__",), f"{name} stands on no floor: give it one in FLOORS"
    for parts, names in imports(name):
        if parts[0] == "podgraph" and parts != ("podgraph", "lazy"):
            assert ".".join(parts) in ALLOWED[own[0]], f"{name} imports {'.'.join(parts)}"
        elif parts[0] == own[0] and here is not None:
            there = find_floor(parts if len(parts) > 1 else (*parts, names[0]))
            assert there <= here, f"{name} imports {'.'.join(parts)}, which stands above it"
        else:
            assert parts[0] not in ALLOWED or parts[0] == own[0], f"{name} imports {parts[0]} without podgraph"


def test_no_imports_run_in_a_circle():
    graph = {own: set() for own in FILES.values()}
    for name, own in FILES.items():
        for parts, names in imports(name):
            targets = {parts, (*parts, "__init__"), *((*parts, one) for one in names)}
            graph[own] |= targets & graph.keys() - {own}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("library", ONE_FILE)
def test_a_library_has_one_file(library):
    assert {name for name in FILES if any(parts[0] == library for parts, _ in imports(name))} == ONE_FILE[library]


def test_every_dependency_is_used_and_every_import_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [one for some in project["optional-dependencies"].values() for one in some]
    declared, optional = (
        {one.partition(">")[0].partition("[")[0] for one in some} for some in (project["dependencies"], extras)
    )
    used = {parts[0] for name in FILES for parts, _ in imports(name)} - {"podgraph", *ALLOWED, *sys.stdlib_module_names}
    used = {{"ahocorasick": "pyahocorasick", "Stemmer": "pystemmer"}.get(module, module) for module in used}
    assert used <= declared | optional | {"markupsafe", "IPython", "pydantic"}  # which come with jinja2, pyvis and mcp
    assert declared <= used
