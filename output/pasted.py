"""The words of a question that name files or are pasted: a text, a diff, a reference that the shell took apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError
from podgraph.graph import changes_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from podgraph.graph import Change


def join_phrase(words: list[str]) -> list[str]:
    """Return references with one that the shell took apart joined: ``PR 130935``."""
    kinds = ("pr", "pull", "issue", "gh", "pep", "rfc", "nep")
    if len(words) == 2 and words[0].lower() in kinds and words[1].lstrip("#").isdigit():
        return [" ".join(words)]
    return words


def read_words(words: Sequence[str], example: str) -> str:
    """Return a pasted text; a single word that names an existing file is read.

    Raises ``QueryError`` for a missing file with the suffix of a text.
    """
    if len(words) == 1 and "\n" not in words[0] and len(words[0]) < 1000:
        path = Path(words[0])
        if path.is_file():
            from podgraph.extractors import decode, read_file  # noqa: PLC0415 - these load what a fetch needs

            return decode(read_file(path))
        if path.suffix in (".txt", ".log", ".diff", ".patch"):
            raise QueryError("there is no such file", source=words[0], remedy=f"for example `{example}`")
    return " ".join(words)


def find_changes(words: Iterable[str]) -> list[Change]:
    """Return the changed files of a diff, of a file with one, or of a list of names.

    Raises ``QueryError`` for a missing file with a diff, and for a word that can only be a branch.
    """
    changes: dict[str, Change] = {}
    for word in words:
        text = read_words([word], "podgraph review change.diff")
        is_name = text == word and not any(letter in word for letter in "./#:\n")
        if is_name and not word.isdecimal():
            raise QueryError(f"no file is called {word!r}", remedy=f"for a branch: `git diff {word} | podgraph review`")
        for change in changes_in(f"#{word}" if word.isdecimal() else text):
            changes.setdefault(change.path, change)
    return list(changes.values())
