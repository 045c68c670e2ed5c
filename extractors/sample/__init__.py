"""The built-in snapshot of the PyTorch Developer Podcast, for when there is no network.

``episodes.toml`` is the source that people edit, ``build_feed.py`` turns it into ``feed.xml``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

SNAPSHOT_DATE: Final = "2026-11-20"
"""The day on which the facts were collected; a test keeps it equal to the date in ``episodes.toml``."""


SNAPSHOT_PODCAST: Final = "podcast:pytorch-developer-podcast"
"""The node id of the snapshot's show."""


def sample_references() -> str:
    r"""Return the references of the snapshot's episodes to each other, as lines with tabs.

    A line has the slug of the episode, that of the other one, the relation, and the second at which the host says it;
    for a reference in the notes no second. ``#`` begins a comment.

    >>> "batching\tvmap\tsee_also\t201" in sample_references().splitlines()
    True
    """
    return Path(__path__[0], "references.tsv").read_text("utf-8")


def sample_feed() -> bytes:
    """Return the snapshot as the bytes of an RSS 2.0 feed, in UTF-8.

    >>> sample_feed().count(b"<item>")
    83
    """
    return Path(__path__[0], "feed.xml").read_bytes()


def sample_posts() -> bytes:
    """Return posts on PyTorch from the blog of the podcast's host, as the bytes of a JSON Feed.

    They have facts only, no text of theirs.

    >>> sample_posts().count(b'"date_published"')
    16
    """
    return Path(__path__[0], "posts.json").read_bytes()


def sample_graph() -> str:
    """Return the path of the snapshot's graph, a SQLite database: the result of ``podgraph build sample``.

    ``docs/generate.py`` writes it; a test compares it with the graph that is built.

    >>> sample_graph().rpartition("/")[2]
    'graph.sqlite'
    """
    return f"{__path__[0]}/graph.sqlite"
