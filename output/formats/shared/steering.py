"""Texts without the characters that XML, a terminal or the direction of a line cannot bear."""

from __future__ import annotations

import re

# DEL and the C1 controls; then embeddings, overrides, isolates and their ends, because they affect the rest of a line.
# LRM, RLM and ALM affect only their neighbours, and are part of the spelling.
STEERING = "".join(map(chr, (*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
# Not allowed in XML 1.0 (2.2): control characters, lone surrogates, noncharacters.
_BAD = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff{STEERING}]")


def clean_text(text: str) -> str:
    r"""Return a text that XML, a terminal and UTF-8 can hold.

    Control characters become their pictures (U+2400 and up), noncharacters and halves of characters U+FFFD. Characters
    that steer a terminal or turn the direction of a line are left out.

    >>> clean_text("a\0b\tc" + chr(0x202E)) == "a" + chr(0x2400) + "b\tc"
    True
    """
    if _BAD.search(text) is None:
        return text
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _BAD.sub(_replace, whole)


def _replace(match: re.Match[str]) -> str:
    if match[0] in STEERING:
        return ""
    return chr(0x2400 + ord(match[0])) if match[0] < " " else "\ufffd"
