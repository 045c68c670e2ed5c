"""The folder for what is kept between two runs: fetched feeds, the graph of the snapshot."""

from __future__ import annotations

import os
import sys


def cache_folder() -> str:
    """Return ``$PODGRAPH_CACHE_DIR``, else the platform's folder for caches, whole; it need not be there.

    Where there is no such folder (no home, a relative ``$XDG_CACHE_HOME``) it is "", and nothing is kept.
    """
    try:
        if chosen := os.environ.get("PODGRAPH_CACHE_DIR"):
            return os.path.abspath(chosen)  # noqa: PTH100 - pathlib costs as much as an answer
        folder = os.path.join(_of_user(), "podgraph", "feeds")  # noqa: PTH118
    except (OSError, RuntimeError, KeyError):
        return ""
    return folder if os.path.isabs(folder) else ""  # noqa: PTH117


def _of_user() -> str:
    """Return the user's folder for caches; ``platformdirs`` knows it."""
    system: str = sys.platform
    if system.startswith("linux"):  # its rule, told apart: loading it takes longer than most answers
        return os.environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache")  # noqa: PTH111
    import platformdirs  # noqa: PLC0415 - only where its rules are many

    return str(platformdirs.user_cache_path(appauthor=False))
