"""The site rules in reading order, and what one URL shows by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import github, podcasts, social, web
from .redirects import unwrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..model import Ref

SITES: tuple[tuple[str, Callable[[str], Ref | None]], ...] = (
    ("github", github.parse),
    ("podcasts", podcasts.parse),
    ("social", social.parse),
    ("web", web.parse),
)


def identify(url: str) -> tuple[str, Ref] | None:
    """Return the name of the site rule that knows ``url``, and what it says is shown there.

    ``url`` is absolute, http(s) or one of git's own spellings; redirects that name their target are followed
    first. The rules are asked in order, the first that knows wins; ``web`` knows every http(s) URL.

    >>> identify("https://github.com/pytorch/pytorch/issues/1#issuecomment-2")[1].id
    'github:pytorch/pytorch#1'
    >>> identify("mailto:someone@example.org") is None
    True
    """
    url = unwrap(url)
    for name, parse in SITES:
        if ref := parse(url):
            return name, ref
    return None
