"""Settings of Sphinx: ``sphinx-build -W -n -b html docs build/docs``, without a network.

``reference.py`` writes the pages generated from the code into ``docs/made/``, which Git ignores.
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
html_search_scorer = str(HERE / "search_scorer.js")
exclude_patterns = ["template"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header"]  # the repository's own pages begin at any level

reference.write(HERE / "made")
