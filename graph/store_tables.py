"""The tables of the graph at rest: their version, their columns, and words as the full-text index takes them."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from .words import WORD

APPLICATION_ID = 0x706F6467  # "podg"
VERSION = 5  # of the tables
_BYTES = "zzxq"  # before the bytes of a word that SQLite may split

# Columns of the tables. Other attributes, and values of another type, are JSON in `attributes`; a list is JSON.
NODE_COLUMNS = (
    "kind label title url date podcast type guid audio_url area repo path author state status community summary "
    "number season duration rank x y aliases names"
).split()
EVIDENCE_COLUMNS = "url field start end quote method extractor confidence ref lines time".split()


def to_index_terms(text: str) -> str:
    """Return a folded text as the full-text index takes it: with SQLite's own words, or with ``to_index_term`` each."""
    is_plain = text.isascii() and _BYTES not in text
    return text if is_plain else " ".join(map(to_index_term, WORD.findall(text)))


@lru_cache(1 << 16)  # words recur in all notes
def to_index_term(word: str) -> str:
    """Return a word as the full-text index has it: itself, or its bytes where SQLite may not know its letters.

    Any SQLite knows the letters of Unicode 3.2.

    >>> to_index_term("vmap"), from_index_term(to_index_term("\U00010d00"))
    ('vmap', '\U00010d00')
    """
    is_plain = word.isascii() or all(unicodedata.ucd_3_2_0.category(letter)[0] in "LN" for letter in word)
    return word if is_plain and not word.startswith(_BYTES) else _BYTES + word.encode("utf-8", "surrogatepass").hex()


def from_index_term(term: str) -> str:
    """Return the word of a term of the full-text index."""
    if not term.startswith(_BYTES):
        return term
    return bytes.fromhex(term.removeprefix(_BYTES)).decode("utf-8", "replace")
