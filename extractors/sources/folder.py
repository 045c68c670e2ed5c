"""The folder for fetched feeds, which are kept between two runs."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> str:
    """Return the absolute path of ``$PODGRAPH_CACHE_DIR``, else of the platform's folder for caches.

    The folder need not exist. Without one (no home, a relative ``$XDG_CACHE_HOME``) it is "", and nothing is kept.
    """
    import platformdirs  # noqa: PLC0415 - a question needs no cache

    try:
        if chosen := os.environ.get("PODGRAPH_CACHE_DIR"):
            return str(Path(chosen).absolute())
        folder = platformdirs.user_cache_path(appauthor=False) / "podgraph" / "feeds"
    except (OSError, RuntimeError, KeyError):
        return ""
    return str(folder) if folder.is_absolute() else ""
