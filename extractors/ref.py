"""The identity of a cited thing.

Apart from the other values, and a named tuple: a question about one URL loads this and no machinery for classes.
"""

from __future__ import annotations

from typing import NamedTuple

Attrs = tuple[tuple[str, str | int | tuple[str, ...]], ...]


class Ref(NamedTuple):
    """The identity of a cited artifact, common to all its spellings.

    ``attrs`` become attributes of its node. ``rev``, ``lines`` and ``time`` are the place inside the artifact
    (a git branch or sha, ``L10-L20``, seconds into a recording); they stay with the
    evidence and are not part of the identity, so comparisons ignore them.

    >>> Ref("pull", "github:o/r#1", "o/r#1") == Ref("pull", "github:o/r#1", "o/r#1", lines="L3")
    True
    """

    kind: str
    id: str
    label: str
    url: str = ""
    attrs: Attrs = ()
    rev: str = ""
    lines: str = ""
    time: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ref) and self[:5] == other[:5]  # kind to attrs: the identity

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:5])
