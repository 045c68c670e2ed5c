"""PyTorch is data: only the subject, the sites and the sample know of it, beside examples in docstrings and help texts."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.checkout
WORDS = re.compile(r"pytorch|ezyang|simplecast", re.IGNORECASE)
AT_HOME = ("extractors/subjects/pytorch/", "extractors/sites/", "extractors/sample/")
# One line of the generic machinery says which folder is the first.
FIRST = {"extractors/subjects/default.py": ["pytorch"]}
EXAMPLES = frozenset(("EXAMPLES", "_EPILOG", "COMMANDS"))  # constants with examples of the command
HELP = frozenset(("help", "epilog", "description"))


def list_files(*suffixes):
    rooms = ("extractors", "graph", "output", "podgraph")
    paths = (path for room in rooms for path in sorted((ROOT / room).rglob("*")) if path.suffix in suffixes)
    names = dict.fromkeys(path.resolve().relative_to(ROOT.resolve()).as_posix() for path in paths)
    return [name for name in names if not name.startswith(AT_HOME)]


def is_example(node):
    if isinstance(node, ast.keyword):
        return node.arg in HELP
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return any(isinstance(target, ast.Name) and target.id in EXAMPLES for target in targets)


def find_words(source):
    """Return the names and texts of a Python file with the words, without docstrings and examples."""
    tree = ast.parse(source)
    exempt = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) or is_example(node)]
    texts = {
        id(inner) for node in exempt for inner in ast.walk(node)
        if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant)
    }  # fmt: skip
    found = []
    for node in (one for one in ast.walk(tree) if id(one) not in texts):
        found += [value for _, value in ast.iter_fields(node) if isinstance(value, str) and WORDS.search(value)]
    return found


def test_no_python_file_has_the_words():
    found = {name: find_words((ROOT / name).read_text("utf-8")) for name in list_files(".py")}
    found |= {
        name: WORDS.findall((ROOT / name).read_text("utf-8")) for name in list_files(".js", ".html", ".json", ".css")
    }
    assert {name: words for name, words in found.items() if words} == FIRST
