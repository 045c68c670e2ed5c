"""How the documentation is built: ``sphinx-build -W -n -b html docs build/docs``, without a network.

What is made from the code (``reference.py``) is written into ``docs/made/`` before the pages are read, and not in git.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import reference  # noqa: E402 - the paths above first

from podgraph import __version__  # noqa: E402 - see above

project, author, release = "podgraph", "The podgraph founders", __version__
copyright = author  # noqa: A001 - Sphinx asks for this name
extensions = ["myst_parser"]
html_theme = "furo"
html_title = f"podgraph {__version__}"
html_copy_source = html_show_sphinx = False
exclude_patterns = ["*.template.md"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header"]  # the repository's own pages begin at any level

reference.write(HERE / "made")
