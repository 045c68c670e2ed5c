"""PyTorch is data: of the code only the subject, the sites and the sample know of it, beside examples in texts for readers."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.checkout
WORD = re.compile(r"(?i)pytorch|ezyang|simplecast")
AT_HOME = ("extractors/subjects/pytorch/", "extractors/sites/", "extractors/sample/")
# The line that says which folder is the default, and the help of `build`.
ALLOWED = ["from .pytorch import SUBJECT", "none: the live PyTorch Developer Podcast"]
# Docstrings, comments, and constants and arguments of the command with examples
EXAMPLES = re.compile(
    r'"""(?s:.*?)"""|#.*|^(?:EXAMPLES|_EPILOG|COMMANDS)\b[^=\n]*= (?s:.*?)^[)}\]"].*$|(?:help|epilog|description)=.*',
    re.MULTILINE,
)


def test_no_file_has_the_words():
    lines = []
    for path in (
        path for room in ("extractors", "graph", "output", "podgraph") for path in sorted((ROOT / room).rglob("*.*"))
    ):
        name = path.relative_to(ROOT).as_posix()
        is_ours = path.suffix in {".py", ".js", ".html", ".json", ".css"} and "podgraph/" not in name
        if is_ours and not name.startswith(AT_HOME):
            text = path.read_text("utf-8")
            text = EXAMPLES.sub("", text) if path.suffix == ".py" else text
            lines += [line.strip() for line in text.splitlines() if WORD.search(line)]
    assert [line for line in lines if not any(allowed in line for allowed in ALLOWED)] == []
