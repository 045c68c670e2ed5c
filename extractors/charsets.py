"""The charsets of foreign text: Python's codecs for the labels of the WHATWG Encoding Standard.

Some of Python's codecs are not charsets (``punycode``, ``idna``, ``rot13``, ``unicode_escape``), raise unexpected
errors (``undefined``), or depend on the machine (``mbcs``). A label from a feed never selects them.
Source: https://encoding.spec.whatwg.org/#names-and-labels
"""

from __future__ import annotations

import codecs
from functools import lru_cache

# The codecs for labels, by Python's names of them.
_CODECS = frozenset(
    "utf-8 cp866 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 "
    "iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman mac-cyrillic cp874 cp1250 cp1251 cp1252 cp1253 cp1254 "
    "cp1255 cp1256 cp1257 cp1258 gb18030 big5hkscs euc_jp iso2022_jp cp932 cp949 utf-16-be utf-16-le".split()
)
# Labels unknown to Python, and larger sets: in practice, a label means the largest one (Latin-1 is Windows-1252).
_BETTER_NAMES = {
    "windows-31j": "cp932", "windows-874": "cp874", "windows-949": "cp949", "iso-8859-8-i": "hebrew",
    "koi": "koi8-r", "mac": "macintosh", "unicode": "utf-16",
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "hz": "", "big5": "big5hkscs", "euc_kr": "cp949", "johab": "",
    "shift_jis": "cp932", "utf-16": "utf-16-le",
}  # fmt: skip


@lru_cache(maxsize=256)
def codec_of(label: str, *, ascii_based: bool = False) -> str | None:
    """Return Python's codec for a charset's label, ``None`` for other labels.

    ``ascii_based`` excludes UTF-16, because a declaration read as ASCII cannot be in UTF-16. The codec
    raises only ``UnicodeDecodeError``, and no error with ``errors="replace"``.

    >>> codec_of("Latin1"), codec_of("x-sjis"), codec_of("utf-16", ascii_based=True), codec_of("rot13")
    ('cp1252', 'cp932', None, None)
    """
    name = label.strip().lower().removeprefix("x-").replace("latin-", "latin")
    try:
        codec = codecs.lookup(_BETTER_NAMES.get(name, name)).name
    except (LookupError, ValueError):  # ValueError: a label with a NUL
        return None
    codec = _BETTER_NAMES.get(codec, codec)
    return codec if codec in _CODECS and not (ascii_based and codec.startswith("utf-16")) else None
