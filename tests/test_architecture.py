"""The house stays a house: imports run one way, libraries stay in their file, the lists agree with what is there."""

import ast
import sys
import tomllib
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.checkout
ROOMS = ("extractors", "graph", "output")
ALLOWED = {
    "extractors": set(),
    "graph": {"podgraph.extractors", "podgraph.extractors.errors"},  # errors: the door takes milliseconds of a question
    "output": {"podgraph", "podgraph.extractors", "podgraph.graph"},
}
ONE_FILE = {
    "feedparser": {"extractors/feeds/xml_feed.py", "extractors/metadata/titles.py"},
    "requests": {"extractors/sources/fetch.py"},
    "ahocorasick": {"extractors/languages/phrase_finder.py", "extractors/notes/word_table.py"},
    "lxml": {
        "extractors/feeds/xml_feed.py",
        "extractors/metadata/titles.py",
        "extractors/notes/tokens.py",
        "extractors/sources/documents.py",
    },
    "tldextract": {"extractors/suffixes.py"},
    "stopwordsiso": {"extractors/languages/language.py"},
    "Stemmer": {"extractors/languages/language.py"},
    "budoux": {"extractors/languages/language.py"},
    "pyvis": {"output/notebook.py", "output/library.py"},
    "rich": {"output/terminal.py"},
    "mcp": {"output/assistants.py"},
}
MOST_IN_A_FOLDER = 20  # modules besides its door: more is a room of its own

# Files and rooms within a room, from the ground up: what stands earlier is imported, never what stands later.
FLOORS = {
    "extractors": """
        keys errors plugins processes suffixes url printable slugs ref toml_text charsets sites model
        languages notes subjects sample feeds sources transcripts mentions metadata
    """.split(),
    "graph": """
        attributes kinds checking words boilerplate topics series related_edges areas
        metadata build corrections enrich questions/keys store_tables store_writer store
        questions code layout
    """.split(),
    "output": """
        json_text terminal config opening files formats/shared page site formats
        pipeline notebook pasted questions library playlists cells render assistants parser commands cli
    """.split(),
}


def sources():
    return [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


@cache
def imports(path):
    """Return (level, module, names) of every import of a file, also of those inside functions."""
    return tuple(_imports(path))


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield 0, name.name, ()
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", tuple(name.name for name in node.names)


def name(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", sources(), ids=name)
def test_imports_run_one_way_and_through_the_door(path):
    room = path.relative_to(ROOT).parts[0]
    depth = len(path.relative_to(ROOT).parts) - 1
    for level, module, _ in imports(path):
        if level:
            assert level <= depth, f"{name(path)} climbs out of its room"
        else:
            assert module.partition(".")[0] not in ROOMS, f"{name(path)} imports {module} without podgraph"
        if module.startswith("podgraph") and module != "podgraph.lazy":
            assert module in ALLOWED[room], f"{name(path)} imports {module}"


def floor(room, parts):
    """Return the floor on which a module of a room stands: the number of the longest entry that it lies in."""
    spots = ["/".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((FLOORS[room].index(spot) for spot in spots if spot in FLOORS[room]), None)


@pytest.mark.parametrize("path", sources(), ids=name)
def test_imports_inside_a_room_run_down(path):
    room, *own = path.relative_to(ROOT).with_suffix("").parts
    if own == ["__init__"]:
        return
    here = floor(room, own)
    assert here is not None, f"{name(path)} stands on no floor: give it one in FLOORS"
    for level, module, names in imports(path):
        if level:
            target = [*own[: len(own) - level], *filter(None, module.split("."))]
            there = floor(room, target or list(names))
            assert there <= here, f"{name(path)} imports {'.'.join(target)}, which stands above it"


@pytest.mark.parametrize("library", ONE_FILE)
def test_a_library_has_one_file(library):
    users = {name(path) for path in sources() for _, module, _ in imports(path) if module.partition(".")[0] == library}
    assert users == ONE_FILE[library]


DOORS = (".extractors", ".graph", ".output.formats")


def folder(room):
    return ROOT / f"podgraph{room}".replace(".", "/")


@pytest.mark.parametrize("room", DOORS)
def test_the_door_opens_what_it_lists(room):
    stub = ast.parse((folder(room) / "__init__.pyi").read_text("utf-8"))
    names = [alias.asname for node in ast.walk(stub) if isinstance(node, ast.ImportFrom) for alias in node.names]
    module = import_module(f"podgraph{room}")
    assert dir(module) == module.__all__ == sorted(names)
    for public in module.__all__:
        assert getattr(module, public) is not None
    # Importing a module of a public name would put it in the place of what the room's door hands out.
    modules = {path.stem for path in folder(room).iterdir() if path.suffix == ".py" or path.is_dir()}
    assert not modules & set(module.__all__)


def test_no_module_shadows_the_standard_library():
    top = {path.stem for path in sources() if path.stem != "__init__"}
    assert not top & {"html", "http", "json", "csv", "types", "queue", "email", "select", "token", "code"}


def test_no_imports_run_in_a_circle():
    """Inside the rooms, those for types included; the doors, which load what is asked for, are left out."""
    modules = {path.relative_to(ROOT).with_suffix("").parts: path for path in sources()}
    graph = {
        own: {
            target
            for level, module, names in imports(path) if level
            for base in [(*own[: len(own) - level], *filter(None, module.split(".")))]
            for target in [*((*base, one) for one in names), base, (*base, "__init__")]
            if target in modules and target != own
        }
        for own, path in modules.items()
    }  # fmt: skip
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(".".join(own) for own in error.args[1]))


def test_no_folder_is_crowded():
    modules = Counter(path.parent for path in sources() if path.stem != "__init__")
    assert {path.relative_to(ROOT).as_posix(): n for path, n in modules.items() if n > MOST_IN_A_FOLDER} == {}


def test_every_dependency_is_used_and_every_import_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {dependency.partition(">")[0].partition("[")[0] for dependency in project["dependencies"]}
    extras = {
        dependency.partition(">")[0].partition("[")[0]
        for dependencies in project["optional-dependencies"].values()
        for dependency in dependencies
    }
    used = {
        module.partition(".")[0]
        for path in sources()
        for level, module, _ in imports(path)
        if not level and module.partition(".")[0] not in ("podgraph", *sys.stdlib_module_names)
    }
    used = {{"ahocorasick": "pyahocorasick", "Stemmer": "pystemmer"}.get(module, module) for module in used}
    assert used <= declared | extras | {"markupsafe", "IPython", "pydantic"}  # which come with jinja2, pyvis and mcp
    assert declared <= used


@cache
def _names_of(path):
    """Return the names that the top level of a file binds. Nothing is imported."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))) if path.exists() else ():
        if isinstance(node, ast.ImportFrom | ast.Import):
            names |= {one.asname or one.name for one in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _holds(module, name):
    """Return whether a module, or a folder of modules, has a name."""
    here = ROOT.joinpath(*module.split("."))
    files = [here / "__init__.py", here / "__init__.pyi"] if here.is_dir() else [here.with_suffix(".py")]
    return any(name in _names_of(file) for file in files) or (here / name).is_dir() or (here / f"{name}.py").exists()


def test_tests_import_what_exists():
    """A module of tests with a wrong import would be skipped: doctests allow absent libraries."""
    missing = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("podgraph"):
                missing += [(path.name, one.name) for one in node.names if not _holds(node.module, one.name)]
    assert not missing
