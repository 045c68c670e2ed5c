"""Before anything is built: the rooms must be there under the package's name."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOMS = ("extractors", "graph", "output")


class RoomsAreThere(BuildHookInterface):
    """Ends a build from a checkout in which the symbolic links are plain files, as Git leaves them on Windows."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - the interface of hatchling
        """Say in one line what to do, where a package without its code would be built."""
        if not all(Path(self.root, "podgraph", room).is_dir() for room in ROOMS):
            sys.exit(
                "podgraph/: this checkout has no symbolic links; turn on Windows' Developer Mode, then run "
                "`git config core.symlinks true` and `git checkout -f -- podgraph`, and install again"
            )
