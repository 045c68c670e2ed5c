"""The properties (YAML front matter) of a note: ours are separated from the user's, so an export keeps the user's.

Obsidian rewrites properties in its own way, so a property is all the lines from its key to the next key
(YAML 1.2, 8.2.2: the keys of a block mapping begin at one column).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from podgraph.graph import PLACES, RELATIONS

# The contract's properties of our notes, needed when a note's kind is no longer in the graph.
ATTRIBUTES = frozenset(
    "podgraph_id aliases tags moment kind label url title date duration number season guid podcast audio_url summary "
    "truncated_links uncertain explicit image author description count area derived repo path language module "
    "state current_url status community rank".split()
).union(PLACES, RELATIONS)
# A key of a block mapping, quoted in one way or the other or bare, up to its colon.
_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'-][^:]*?|-[^\s:][^:]*?)\s*:(?=\s|\Z)""")
_FENCE = "---"


def user_properties(note: str, ours: Collection[str]) -> list[str]:
    r"""Return the lines of a note's properties, without those whose lower-case keys are in ``ours``.

    Comments belong to the property below them; a note without front matter has no properties.

    >>> user_properties('---\nkind: "x"\n# mine\nrating: 5\nread:\n  - twice\n---\n# Title\n', {"kind"})
    ['# mine', 'rating: 5', 'read:', '  - twice']
    """
    lines = [line.removesuffix("\r") for line in note.split("\n")]
    if lines[0] != _FENCE or _FENCE not in lines[1:]:
        return []
    kept: list[str] = []
    comments: list[str] = []
    mine = False
    for line in lines[1 : lines.index(_FENCE, 1)]:
        if line.startswith("#") or not line.strip():
            comments.append(line)
            continue
        if match := _KEY.match(line):
            mine = _plain(match[1]) not in ours
        if mine:
            kept += [*comments, line]
        comments = []
    return kept


def with_properties(note: str, lines: list[str]) -> str:
    r"""Return a note of ours with more lines at the end of its front matter.

    >>> with_properties('---\nkind: "x"\n---\n# Title\n', ["rating: 5"])
    '---\nkind: "x"\nrating: 5\n---\n# Title\n'
    """
    head, fence, rest = note.partition(f"\n{_FENCE}\n")
    return "\n".join([head, *lines]) + fence + rest


def property_keys(note: str) -> set[str]:
    """Return the keys of the properties of a note, in lower case."""
    head = note.partition(f"\n{_FENCE}\n")[0]
    return {_plain(match[1]) for line in head.split("\n") if (match := _KEY.match(line))}


def _plain(key: str) -> str:
    """Return a key without its quotes, in lower case, because Obsidian ignores case."""
    if key.startswith('"'):
        try:
            key = str(json.loads(key))
        except ValueError:
            key = key[1:-1]
    elif key.startswith("'"):
        key = key[1:-1].replace("''", "'")
    return key.strip().lower()
