"""The short spellings of references: one table for the library, the command and the page's script."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from podgraph.extractors import default_subject

# The lines at the end of a path: `:120`, `:120:3`, `#L10-L20`.
PLACE = r"[:#]L?[0-9]+(?:(?:-L?|:)[0-9]+)?"
# The parts of the table's patterns; one may have those below it inside.
_PARTS = {
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
def spellings() -> tuple[tuple[str, list[str]], ...]:
    """Return the table: rows of a pattern and its possible ids, with those of the default subject's RFCs."""
    text = Path(__file__).with_suffix(".txt").read_text("utf-8")
    for part, pattern in _PARTS.items():
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
    """Return the possible ids of a text without quotes by the first matching row, the likeliest first.

    An id with a ``*`` means the only node whose id has any text there.

    >>> list_ids("pull/12", "Owner/name"), list_ids("pull", "owner/name")
    (['github:owner/name#12', 'github:*#12'], [])
    """
    home = repo.lower()
    for pattern, ids in _compile():
        if match := pattern.fullmatch(text):
            parts = {name: part if name == "path" else part.lower() for name, part in match.groupdict().items()}
            return [id_.format(home=home, owner=home.partition("/")[0], **parts) for id_ in ids]
    return []


@cache
def _compile() -> tuple[tuple[re.Pattern[str], list[str]], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), ids) for pattern, ids in spellings())
