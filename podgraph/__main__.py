"""``python -m podgraph``: the command."""

import sys

from podgraph.output.cli import main

sys.exit(main())
