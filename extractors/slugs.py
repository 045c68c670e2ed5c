"""Slugs: the readable part of an id, made of a title."""

from __future__ import annotations

import re
import unicodedata

_MAXIMUM_LENGTH = 120  # characters of a slug
# Letters that Unicode does not take apart (NFKD), as they are written without them.
_FOLDS = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d",
     "Ð": "D", "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "\u0131": "i", "ħ": "h", "Ħ": "H"}
)  # fmt: skip
# Apostrophes, and the dot or comma inside a number.
_SILENT = re.compile("['`\u00b4\u02bc\u2018\u2019]|(?<=[0-9])[.,](?=[0-9])")


def slugify(text: str) -> str:
    """Return ``text`` as a slug: words in lower case, of letters and digits of any script, joined by hyphens.

    Accents on Latin letters, apostrophes and the dot inside a number are removed. A slug has at most 120 characters,
    and ends with a whole word. It is empty if no letter or digit is left.

    >>> [slugify(text) for text in ("C++ frontend", "__torch_fn__", "PyTorch 2.0", "Let's café", "学習")]
    ['c-frontend', 'torch-fn', 'pytorch-20', 'lets-cafe', '学習']
    """
    text = text[: 4 * _MAXIMUM_LENGTH]  # the rest cannot be in the slug; a longer text only costs time
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_FOLDS))
        text = re.sub("(?<=[A-Za-z])[\u0300-\u036f]+", "", text)  # accents and other marks on Latin letters
        text = _separate_words(_SILENT.sub("", unicodedata.normalize("NFC", text)))
        slug = "-".join(text.lower().split())
    else:
        slug = re.sub(r"[^a-z0-9]+", "-", _SILENT.sub("", text.lower())).strip("-")
    if len(slug) > _MAXIMUM_LENGTH:
        slug = slug[:_MAXIMUM_LENGTH].rpartition("-")[0] or slug[:_MAXIMUM_LENGTH]
    return slug


def _separate_words(text: str) -> str:
    """Return a text with spaces in place of all characters but letters, digits and vowel signs.

    Many scripts write vowels as marks; such a mark belongs to the word before it.
    """
    chars = [" "]  # something before the first character
    for char in text:
        is_mark = unicodedata.category(char) in {"Mn", "Mc"} and char < "\ufe00"
        chars.append(char if char.isalnum() or (is_mark and chars[-1] > "\u02ff") else " ")
    return "".join(chars)
