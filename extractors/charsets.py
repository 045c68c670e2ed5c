"""The charsets of foreign text: Python's codecs for the labels of the WHATWG Encoding Standard.

Some of Python's codecs are not charsets (``punycode``, ``idna``, ``rot13``, ``unicode_escape``), raise unexpected
errors (``undefined``), or depend on the machine (``mbcs``). A label from a feed never selects them.
Source: https://encoding.spec.whatwg.org/#names-and-labels
"""

from __future__ import annotations

import codecs
from functools import lru_cache
from pathlib import Path

_LINES = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()
# A name of a codec or charset -> the codec to use instead, "" for the codec itself.
_NAMES = {name: other for name, _, other in (line.partition(" ") for line in _LINES if not line.startswith("#"))}


@lru_cache(maxsize=256)
def find_codec(label: str, *, ascii_based: bool = False) -> str | None:
    """Return the name of Python's codec for the label of a charset; ``None`` for a label that is not a charset's.

    A label is text such as ``Latin1`` in a header or a declaration. The codec raises only ``UnicodeDecodeError``, and
    no error with ``errors="replace"``.

    Args:
        label: the label, in upper or lower case
        ascii_based: exclude UTF-16, because a declaration that was read as ASCII cannot be in UTF-16

    >>> find_codec("Latin1"), find_codec("x-sjis"), find_codec("utf-16", ascii_based=True), find_codec("rot13")
    ('cp1252', 'cp932', None, None)
    """
    name = label.strip().lower().removeprefix("x-").replace("latin-", "latin")  # as Python and the standard spell them
    try:
        codec = codecs.lookup(_NAMES.get(name) or name).name
    except (LookupError, ValueError):  # ValueError: a label with a NUL
        return None
    codec = _NAMES.get(codec) or codec
    return codec if codec in _NAMES and not (ascii_based and codec.startswith("utf-16")) else None
