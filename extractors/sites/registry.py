"""The site rules in reading order, and what one URL shows by them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .redirects import unwrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..ref import Ref


def _site(name: str) -> tuple[str, Callable[[str], Ref | None]]:
    """Return the rule of the module ``name``, which is loaded when it is first asked.

    Most questions need few of the rules, and loading all takes longer than to answer.
    """
    rule: Callable[[str], Ref | None] | None = None

    def parse(url: str) -> Ref | None:
        nonlocal rule
        if rule is None:
            rule = import_module(f"{__package__}.{name}").parse
        return rule(url)

    return name, parse


SITES: tuple[tuple[str, Callable[[str], Ref | None]], ...] = (
    _site("github"),
    _site("pytorch"),
    _site("forums"),
    _site("papers"),
    _site("videos"),
    _site("questions"),
    _site("packages"),
    _site("docs"),
    _site("blogs"),
    _site("podcasts"),
    _site("social"),
    _site("web"),
)


def identify(url: str) -> tuple[str, Ref] | None:
    """Return the name of the site rule that knows ``url``, and what it says is shown there.

    ``url`` is absolute, http(s) or one of git's own spellings; redirects that name their target are followed
    first. The rules are asked in order, the first that knows wins; ``web`` knows every http(s) URL. Ids and
    labels are printable text, whatever the URL hides.

    >>> identify("https://github.com/pytorch/pytorch/issues/1#issuecomment-2")[1].id
    'github:pytorch/pytorch#1'
    >>> identify("mailto:someone@example.org") is None
    True
    """
    url = unwrap(url)
    for name, parse in SITES:
        ref = parse(url)
        if ref and ref.id.isprintable():
            return name, ref if ref.label.isprintable() else ref._replace(label=_printable(ref.label))
    return None


def _printable(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
