"""The list of everything public, ``tests/public.json``, is up to date: what a change does to users shows in its diff."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.checkout
def test_the_list_of_everything_public_is_up_to_date():
    pytest.importorskip("mcp", reason="no mcp: pip install 'podgraph[mcp]'")
    words = [sys.executable, str(Path(__file__).with_name("public.py")), "--check"]
    checked = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (checked.stdout.strip(), checked.returncode) == ("", 0), (
        f"python tests/public.py writes it\n{checked.stderr}"
    )
