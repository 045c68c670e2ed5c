"""Slugs: the readable part of an id, made of a title."""

from __future__ import annotations

import re
import unicodedata

_LONGEST = 120
# Letters that Unicode does not take apart (NFKD), as they are written without them.
_FOLDS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d",
     "Ð": "D", "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "\u0131": "i", "ħ": "h", "Ħ": "H"}
)  # fmt: skip
# Apostrophes, and the dot or comma inside a number.
_SILENT = re.compile("['`\u00b4\u02bc\u2018\u2019]|(?<=[0-9])[.,](?=[0-9])")


def slugify(text: str) -> str:
    """Return ``text`` in lower-case letters and digits of any script, joined by single hyphens.

    Accents on Latin letters go, apostrophes and the dot inside a number are not heard; the result is empty
    when nothing is left.

    >>> [slugify(text) for text in ("C++ frontend", "__torch_fn__", "PyTorch 2.0", "Let's café", "学習")]
    ['c-frontend', 'torch-fn', 'pytorch-20', 'lets-cafe', '学習']
    """
    text = text[: 4 * _LONGEST]
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_FOLDS))
        text = re.sub("(?<=[A-Za-z])[\u0300-\u036f]+", "", text)  # accents and other marks on Latin letters
        text = _separate_words(_SILENT.sub("", unicodedata.normalize("NFC", text)))
        slug = "-".join(text.lower().split())
    else:
        slug = re.sub(r"[^a-z0-9]+", "-", _SILENT.sub("", text.lower())).strip("-")
    if len(slug) > _LONGEST:
        slug = slug[:_LONGEST].rpartition("-")[0] or slug[:_LONGEST]
    return slug


def _separate_words(text: str) -> str:
    """Put spaces between words, counting as part of a word the marks that many scripts write vowels with."""
    chars = [" "]
    for c in text:
        of_word = c.isalnum() or (unicodedata.category(c) in {"Mn", "Mc"} and chars[-1] > "\u02ff" and c < "\ufe00")
        chars.append(c if of_word else " ")
    return "".join(chars)
