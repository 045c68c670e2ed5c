"""PyTorch is data: what is known of it stands with the subject, the sites and the snapshot, and nowhere else."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.checkout
WORDS = re.compile(r"pytorch|ezyang|simplecast", re.IGNORECASE)
AT_HOME = ("extractors/subjects/pytorch/", "extractors/sites/", "extractors/sample/")
# One line of the generic machinery says which folder is the first.
FIRST = {"extractors/subjects/default.py": ["pytorch"]}
# Texts of commands that show how they are used: assigned to these names, or given as these arguments.
EXAMPLES = frozenset(("EXAMPLES", "_EPILOG", "COMMANDS"))
HELP = frozenset(("help", "epilog", "description"))


def product(*suffixes):
    paths = (
        path for room in ("extractors", "graph", "output", "podgraph") for path in sorted((ROOT / room).rglob("*"))
    )
    files = {path.resolve().relative_to(ROOT.resolve()).as_posix(): path for path in paths if path.suffix in suffixes}
    return [name for name in files if not name.startswith(AT_HOME) and "__pycache__" not in name]


def exempt(tree):
    """Yield the nodes of docstrings (with their doctests) and of the help and the examples of commands."""
    for node in ast.walk(tree):
        if isinstance(
            node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Assign, ast.AnnAssign)
        ):
            body = getattr(node, "body", [])
            for this in body:  # also the text below an attribute
                if isinstance(this, ast.Expr) and isinstance(this.value, ast.Constant):
                    yield this
        if isinstance(node, ast.keyword) and node.arg in HELP:
            yield node
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else ()
        )
        if any(isinstance(target, ast.Name) and target.id in EXAMPLES for target in targets):
            yield node


def said(source):
    """Return what a Python file says of the words: names, texts and comments, but not what is exempt."""
    tree = ast.parse(source)
    passed_over = {id(inner) for node in exempt(tree) for inner in ast.walk(node)}
    texts = []
    for node in ast.walk(tree):
        if id(node) not in passed_over:
            values = (value for _, value in ast.iter_fields(node))
            flat = (item for value in values for item in (value if isinstance(value, list) else [value]))
            texts += [str(item) for item in flat if isinstance(item, (str, bytes))]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    texts += [token.string for token in tokens if token.type == tokenize.COMMENT]
    return [text for text in texts if WORDS.search(text)]


@pytest.mark.parametrize("name", product(".py"))
def test_no_python_file_says_them(name):
    assert said((ROOT / name).read_text("utf-8")) == FIRST.get(name, [])


@pytest.mark.parametrize("name", product(".js", ".html", ".json", ".css"))
def test_no_other_file_says_them(name):
    assert not WORDS.findall((ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize(("source", "words"), [
    ('X = "PyTorch"', ["PyTorch"]), ('x = f"a{1} pytorch"', [" pytorch"]), ("def is_pytorch(): ...", ["is_pytorch"]), ("x = 1  # of PyTorch", ["# of PyTorch"]),
    ("import pytorch", ["pytorch"]), ("from .pytorch import x", ["pytorch"]), ('x = b"ezyang"', ["b'ezyang'"]), ('print(Simplecast="x")', ["Simplecast"]),
    ('"""PyTorch"""', []), ('def f():\n    """PyTorch\n\n    >>> "pytorch"\n    """', []), ('X = 1\n"""PyTorch"""', []), ('add("x", help="PyTorch")', []),
    ('EXAMPLES = """pytorch"""', []), ('def f(help="pytorch"): ...', ["pytorch"]), ('_OTHERS = """pytorch"""', ["pytorch"]),
])  # fmt: skip
def test_what_counts_as_saying_them(source, words):
    assert said(source) == words
