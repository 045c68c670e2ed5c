"""Names for people, made of the readable part of a URL."""

from __future__ import annotations

from ..url import unescape


def words(slug: str) -> str:
    """Return a slug as words: hyphens, underscores and escapes become what they stand for.

    >>> words("torch-deploy-the-build"), words("caf%C3%A9_au-lait"), words("-")
    ('torch deploy the build', 'café au lait', '')
    """
    return " ".join(unescape(slug).replace("-", " ").replace("_", " ").split())
