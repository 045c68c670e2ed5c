"""The words of a question that name files, and references that the shell took apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable


def join_phrase(words: list[str]) -> list[str]:
    """Return references with one that the shell took apart joined: ``PR 130935``."""
    kinds = ("pr", "pull", "issue", "gh", "pep", "rfc", "nep")
    if len(words) == 2 and words[0].lower() in kinds and words[1].lstrip("#").isdigit():
        return [" ".join(words)]
    return words


def read_word(word: str, is_code: Callable[[str], bool]) -> str:
    """Return the text of the file that a word names; other words, and paths of the known code, stay unchanged.

    Raises ``QueryError`` for a missing file with the suffix of a text.
    """
    path = Path(word)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):  # too long for a name, or with a zero byte
        return word
    if " " in word.strip() and not is_file:
        return word
    if is_file and not is_code(word):
        from podgraph.extractors import decode, read_file  # noqa: PLC0415 - these load what a fetch needs

        return decode(read_file(path))
    if path.suffix in (".txt", ".log", ".diff", ".patch") and not is_code(word):
        raise QueryError("there is no such file", source=word, remedy="for example `podgraph explain traceback.txt`")
    return word
