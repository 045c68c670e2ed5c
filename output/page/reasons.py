"""Reasons and names of areas in the language of the page, by the templates of its strings."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

_AND = " and "
_PARTS = {"n": r"\d+", "reason": "“.+"}  # of a template; the others are any text


def make_translator(templates: Mapping[str, str], names: Container[str]) -> Callable[[str], str]:
    """Return a function that translates a reason, or the name of an area.

    ``templates`` has the English templates, the first that fits counts, each with its translation. A part ``{list}``
    gets the language's “and”, but not within one of ``names``; ``{reason}`` is translated as well. A text without a
    template stays as it is.
    """
    patterns = [(_build_pattern(english), own) for english, own in templates.items()]

    @cache
    def translate(text: str) -> str:
        for pattern, own in patterns:
            if match := pattern.fullmatch(text):
                parts = match.groupdict()
                if "list" in parts:
                    parts["list"] = _translate_list(parts["list"], names, templates.get(_AND, _AND))
                if "reason" in parts:
                    parts["reason"] = translate(parts["reason"])
                return own.format_map(parts)
        return text

    return translate


def _translate_list(text: str, names: Container[str], word: str) -> str:
    """Return a list of names with ``word`` in place of “and”, but not within a name."""
    if text in names:
        return text
    for match in re.finditer(_AND, text):
        if text[match.end() :] in names:
            return f"{text[: match.start()]}{word}{text[match.end() :]}"
    return text


def _build_pattern(template: str) -> re.Pattern[str]:
    parts = re.sub(r"\\{(\w+)\\}", lambda part: f"(?P<{part[1]}>{_PARTS.get(part[1], '.+')})", re.escape(template))
    return re.compile(parts, re.DOTALL)
