"""Words as search compares them; the page's script does the same, with the same tables."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

# The endings removed by stemming: the longest with a vowel and three letters left. A stem is always a beginning.
SUFFIXES = (
    "izations ization ations ation ators ator ments ment ities ings ions ing ion ity ies ers ed er es ly s e y".split()
)
KEPT_ENDS = ("ss", "us", "is")  # no plural
# Words of asking, without information about the subject: search ignores them beside other words.
ASKING = frozenset(Path(__file__).with_name("asking.txt").read_text("utf-8").split())

WORD = re.compile(r"[^\W_]+")  # letters and digits of any script
_MARKS = re.compile("[\u0300-\u036f]")  # accents taken off their letters by normalisation
_VOWEL = re.compile("[aeiouy]|[^a-z]")
# between the parts of an identifier: `Tensor|Iterator`, `CUDA|Graph`
_PARTS = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def fold(text: str) -> str:
    """Return a text as search compares it: in lower case, without accents.

    >>> fold("Straße Café")
    'strasse cafe'
    """
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", text)).lower().replace("ß", "ss")


def stem(word: str) -> str:
    """Return the stem of a folded word (see ``fold``): the beginning that its other forms have, too.

    >>> [stem(word) for word in ("fusion", "fuse", "libraries", "library", "mapping", "string", "class", "cuda")]
    ['fus', 'fus', 'librar', 'librar', 'map', 'string', 'class', 'cuda']
    """
    for suffix in SUFFIXES:
        root = word[: len(word) - len(suffix)]
        if len(root) >= 3 and word.endswith(suffix) and _VOWEL.search(root):
            if suffix == "s" and word.endswith(KEPT_ENDS):
                return word
            # The doubled letter of "mapping" is single in "map".
            return root[:-1] if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz" else root
    return word


def words_of(text: str) -> list[str]:
    """Return the words of a text, each folded (see ``fold``).

    >>> words_of("Straße, torch.vmap")
    ['strasse', 'torch', 'vmap']
    """
    return WORD.findall(fold(text))


def list_subject_stems(text: str) -> list[str]:
    """Return the stems of the words of a text. Words of asking, such as "how", count only if there are no others.

    >>> list_subject_stems("how do the memory formats work"), list_subject_stems("about")
    (['memor', 'format'], ['about'])
    """
    words = words_of(text)
    return list(map(stem, [word for word in words if word not in ASKING] or words))


def with_parts(text: str) -> str:
    """Return a text, and after it, if it has identifiers of several words, the same text with their words apart.

    >>> with_parts("TensorIterator"), with_parts("Strides")
    ('TensorIterator Tensor Iterator', 'Strides')
    """
    parts = _PARTS.sub(" ", text)
    return text if parts == text else f"{text} {parts}"
