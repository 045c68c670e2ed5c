"""The Python in the documentation passes mypy at its strictest.

A page's blocks are one module, those with a name files beside it. A block that has networkx and not podgraph is left
out: networkx's types are partial.
"""

import os
import re
import subprocess
import sys

import pytest

from tests.test_snippets import BLOCK, PAGES, ROOT

pytestmark = pytest.mark.checkout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a module for each page that has Python, and for each block with a name."""
    path = tmp_path_factory.mktemp("pages")
    for name, page in PAGES.items():
        whole = []
        for above, language, text in BLOCK.findall(page.read_text("utf-8")):
            lines = [line[4:] for line in text.splitlines() if line.startswith((">>> ", "... "))]
            code = "\n".join(lines) + "\n" if language == "pycon" else text
            if language not in ("python", "pycon"):
                continue
            if above.startswith("file: "):
                target = path / above.removeprefix("file: ")
                target.parent.mkdir(exist_ok=True)
                target.write_text(code, "utf-8")
            elif (whole or re.search("(import|from) podgraph", code)) and "import networkx" not in code:
                whole.append(code)
        if whole:
            (path / f"{re.sub(r'[^a-z]', '_', name)}.py").write_text("\n".join(whole), "utf-8")
    assert len([*path.glob("*.py")]) >= 5
    return path


def test_mypy_accepts_the_documentation(folder):
    pytest.importorskip("mypy", reason="no mypy: pip install mypy")
    words = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", os.devnull, "."]
    environment = os.environ | {"MYPYPATH": str(ROOT)}
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
