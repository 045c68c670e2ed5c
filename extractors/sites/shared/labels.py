"""Names for people, made of the readable part of a URL."""

from __future__ import annotations

from ...url import unescape


def slug_to_words(slug: str) -> str:
    """Return a slug as words: hyphens and underscores become spaces, escapes become their characters.

    >>> slug_to_words("torch-deploy-the-build"), slug_to_words("caf%C3%A9_au-lait"), slug_to_words("-")
    ('torch deploy the build', 'café au lait', '')
    """
    return " ".join(unescape(slug).replace("-", " ").replace("_", " ").split())
