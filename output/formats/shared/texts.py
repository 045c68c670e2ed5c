"""Making the texts of feeds fit for files: clean, escaped for XML, as links, as names of files."""

from __future__ import annotations

import re
from hashlib import blake2s
from xml.sax.saxutils import escape

XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
# DEL and the C1 controls; then embeddings, overrides, isolates and their ends, because they affect the rest of a line.
# LRM, RLM and ALM affect only their neighbours, and are part of the spelling.
STEERING = "".join(map(chr, (*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
# Not allowed in XML 1.0 (2.2): control characters, lone surrogates, noncharacters.
_FORBIDDEN = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff{STEERING}]")
_PICTURES = {number: 0x2400 + number for number in range(32) if chr(number) not in "\t\n\r"}
_REPLACEMENTS = dict.fromkeys(map(ord, STEERING)) | dict.fromkeys((0xFFFE, 0xFFFF), 0xFFFD) | _PICTURES


def clean_text(text: str) -> str:
    r"""Return a text that XML, a terminal and UTF-8 can contain.

    A control character becomes its picture (U+2400 and up), a noncharacter or half of a character becomes U+FFFD.
    Characters that control a terminal or turn the writing direction are left out.

    >>> clean_text("a\0b\tc" + chr(0x202E)) == "a" + chr(0x2400) + "b\tc"
    True
    """
    if _FORBIDDEN.search(text) is None:
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return whole.translate(_REPLACEMENTS)


# XML 1.0 (2.11, 3.3.3) changes white space; some readers take U+2028 for a line end, as XML 1.1 does.
_IN_TEXT = {"\r": "&#13;", "\u2028": "&#8232;"}
_IN_ATTRIBUTE = {'"': "&quot;", "\t": "&#9;", "\n": "&#10;", **_IN_TEXT}


def escape_text(text: str) -> str:
    r"""Return a text escaped for the content of an XML element.

    >>> escape_text("a<b\r")
    'a&lt;b&#13;'
    """
    return escape(text, _IN_TEXT)


def escape_attribute(text: str) -> str:
    r"""Return a text escaped for an XML attribute in double quotes.

    >>> escape_attribute('a"b\n')
    'a&quot;b&#10;'
    """
    return escape(text, _IN_ATTRIBUTE)


# An http(s) address without white space, quotes, angle brackets and unprintable characters.
_WEB = re.compile(r"https?://[^\s\x00-\x20<>\"\x7f-\x9f\ud800-\udfff]+", re.IGNORECASE)


def to_web_link(value: object) -> str:
    """Return a value unchanged if it is an http(s) address that is safe as a link, else "".

    >>> to_web_link("https://x.org/a"), to_web_link("javascript:alert(1)"), to_web_link(None)
    ('https://x.org/a', '', '')
    """
    return value if isinstance(value, str) and _WEB.fullmatch(value) else ""


# An id that is a valid file name except for its colon.
_PLAIN_ID = re.compile(r"[a-z]+:[a-z0-9]+(?:-[a-z0-9]+)*")
# An end that looks like the digest in a slug.
_LIKE_DIGEST = re.compile(r".*-[0-9a-f]{8}")
# The characters between the words of a slug.
_BETWEEN_WORDS = re.compile(r"[^a-z0-9]+")
_MAXIMUM_SLUG_LENGTH = 80


def slug(node: str) -> str:
    """Return a file name for a node id: small letters, digits and single hyphens. Different ids have different names.

    An id with other characters gets a digest at its end. So ids that differ only in case, or only in ``/`` and ``-``,
    have different names on every file system.

    >>> slug("topic:vmap"), slug("symbol:torch.Tensor")
    ('topic-vmap', 'symbol-torch-tensor-de043bc3')
    """
    name = _BETWEEN_WORDS.sub("-", node.lower()).strip("-")[:_MAXIMUM_SLUG_LENGTH].strip("-")
    if _PLAIN_ID.fullmatch(node) and len(node) <= _MAXIMUM_SLUG_LENGTH and not _LIKE_DIGEST.fullmatch(node):
        return name
    digest = blake2s(node.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{name}-{digest}" if name else digest
