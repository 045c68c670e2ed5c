"""The English of code and documentation stays plain: private phrases per 1,000 words have limits.

Limits of the documentation are fixed. Those of the code are a ratchet: the measured values of the day named below, rounded
up. Lower them when the code improves, and never raise them.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

pytestmark = pytest.mark.checkout
ROOT = Path(__file__).parent.parent
ROOMS = ("extractors", "graph", "output", "podgraph")
# Words, and pairs of words, that we avoid -> at most so many per 1,000 words: in the code, in the documentation.
# Measured on 2026-11-27: 1.82, 0.12, 0.45, 0.20, 10.6 in the code; the documentation has wider limits.
LIMITS = {
    "what whatever who whoever whose": (2, 6),
    "tell tells told telling say says said": (0.3, 3),
    "is_none are_none of_none that_none none_of is_no": (0.45, 0.75),
    "stand stands stood lie lies lay": (0.25, 0.75),
    "which that": (12, 24),
}
CODE_BLOCK = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
WORD = re.compile(r"[A-Za-z']+")


def code():
    """Yield the docstrings and comments of the packages, without their examples."""
    for path in (file for room in ROOMS for file in (ROOT / room).rglob("*.py")):
        if any(part.is_symlink() for part in path.parents if part.is_relative_to(ROOT)):
            continue
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (ast.get_docstring(node) or "").splitlines()
                yield " ".join(line for line in lines if not line.lstrip().startswith((">>>", "...")))
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        yield from (token.string for token in tokens if token.type == tokenize.COMMENT)


def documentation():
    """Yield the texts of the Markdown files for users, without code. The changelog is a record and left out."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")]
    yield from (CODE_BLOCK.sub(" ", path.read_text("utf-8")) for path in pages if "made" not in path.parts)


def rates(texts):
    """Return how often the phrases of each row occur per 1,000 words."""
    found, total = Counter(), 0
    for text in texts:
        words = [word.lower() for word in WORD.findall(text)]
        total += len(words)
        found.update(words)
        found.update(f"{one}_{other}" for one, other in pairwise(words))
    return {phrases: 1000 * sum(found[one] for one in phrases.split()) / (total or 1) for phrases in LIMITS}


@pytest.mark.parametrize(("texts", "column"), [(code, 0), (documentation, 1)])
def test_private_phrases_are_rare(texts, column):
    found = rates(texts())
    over = {name: round(rate, 2) for name, rate in found.items() if rate > LIMITS[name][column]}
    assert not over, over
