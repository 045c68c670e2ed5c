"""The short spellings of references, such as ``PR 12``.

The library, the command and the page's script share the table ``spellings.txt``.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from podgraph.extractors import default_subject

# The lines at the end of a path: `:120`, `:120:3`, `#L10-L20`.
PLACE = r"[:#]L?[0-9]+(?:(?:-L?|:)[0-9]+)?"
# Abbreviation in the patterns of the table -> regular expression. One may contain others that are below it in this
# dict, so they are replaced in this order.
_ABBREVIATIONS = {
    "<REST>": r"(?:[^A-Za-z0-9_-].*)?",
    "<HUB>": r"<AT>github\.com/(?P<repo><LOGIN>/[A-Za-z0-9_.-]+?)(?:\.git)?",
    "<AT>": r"(?:(?:https?:)?//)?(?:www\.)?",
    "<WORD>": "(?:PR|pull(?:[ -]request)?|issue)s?",
    "<PLACE>": PLACE,
    "<REPO>": r"(?P<repo><LOGIN>/[A-Za-z0-9_.-]+)",
    "<LOGIN>": "[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}",
    "<N>": r"(?P<n>[1-9][0-9]{0,8})",
}


@cache
def read_spellings() -> tuple[tuple[str, list[str]], ...]:
    """Return the rows of ``spellings.txt``, a table of short spellings: (pattern of a spelling, ids it may mean).

    An id has the pattern's groups as ``{n}``, to be filled in; one that ends in ``*`` means the node whose id begins
    like this. If the default subject has its own numbered proposals (RFCs), the last row is for these.
    """
    text = Path(__file__).with_suffix(".txt").read_text("utf-8")
    for part, pattern in _ABBREVIATIONS.items():
        text = text.replace(part, pattern)
    lines = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    table = [(pattern, ids) for pattern, *ids in lines]
    if own := default_subject().proposals:
        # A subject's own RFCs begin with a zero, the IETF's never do.
        number = rf"RFC[\s-]?(?P<n>0[0-9]{{{own.digits - 1}}})"
        table.append((number, [f"{own.id_prefix}{{n}}", f"{own.file_prefix}{{n}}*"]))
    return tuple(table)


def strip_quotes(text: str) -> str:
    """Return a pasted text without the quotes, angle brackets and blanks around it.

    >>> strip_quotes(" <https://example.org/> "), strip_quotes("`torch.vmap`")
    ('https://example.org/', 'torch.vmap')
    """
    return text.strip().strip("<>\"'`").strip()


def list_ids(text: str, repo: str) -> list[str]:
    """Return the ids that a short reference may mean, the likeliest first, by the first row that matches it.

    ``text`` has no quotes around it; ``repo`` (owner/name) is the repository of a bare number. An id with a ``*`` means
    the only node whose id has any text in this place.

    >>> list_ids("pull/12", "Owner/name"), list_ids("pull", "owner/name")
    (['github:owner/name#12', 'github:*#12'], [])
    """
    home = repo.lower()
    for pattern, ids in _compile_spellings():
        if match := pattern.fullmatch(text):
            parts = {name: part if name == "path" else part.lower() for name, part in match.groupdict().items()}
            return [id_.format(home=home, owner=home.partition("/")[0], **parts) for id_ in ids]
    return []


@cache
def _compile_spellings() -> tuple[tuple[re.Pattern[str], list[str]], ...]:
    """Return the rows of ``read_spellings`` with compiled patterns, which ignore case."""
    return tuple((re.compile(pattern, re.IGNORECASE), ids) for pattern, ids in read_spellings())
