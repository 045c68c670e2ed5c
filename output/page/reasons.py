"""Reasons and names of areas in the language of the page, by the templates of its strings."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from .content import Row

_AND = " and "
_PARTS = {"n": r"\d+", "reason": "“.+"}  # of a template; the others are any text


def translate(templates: Mapping[str, str], facts: Row, nodes: Sequence[Row], edges: Sequence[Row]) -> None:
    """Put the reasons and the names of areas of a page's facts, nodes and edges into its language, in place.

    ``templates`` has the English templates, the first that fits counts, each with its translation. A part ``{list}``
    gets the language's “and”, and ``{reason}`` is translated as well. A text without a template stays as it is.
    """
    names = {row[name] for row in nodes for name in ("label", "title") if name in row}
    patterns = [(_build_pattern(english), own) for english, own in templates.items()]

    @cache
    def translate_text(text: str) -> str:
        for pattern, own in patterns:
            if found := pattern.fullmatch(text):
                parts = found.groupdict()
                changed = {name: change(parts[name]) for name, change in changes.items() if name in parts}
                return own.format_map({**parts, **changed})
        return text

    changes: dict[str, Callable[[str], str]] = {
        "list": lambda text: _translate_list(text, names, templates.get(_AND, _AND)),
        "reason": translate_text,
    }
    for row in (*facts.get("areas", ()), *facts.get("start", ())):
        row["name"] = translate_text(row["name"])
    for route in facts.get("start", ()):
        route["steps"] = [(node, translate_text(reason)) for node, reason in route["steps"]]
    for row in (*nodes, *edges):
        row |= {
            name: [translate_text(reason) for reason in row[name]] for name in ("because", "reasons") if name in row
        }
        if "community" in row:
            row["community"] = translate_text(row["community"])


def _translate_list(text: str, names: Container[str], word: str) -> str:
    """Return a list of names with ``word`` in place of “and”, but not within a name."""
    if text in names:
        return text
    for found in re.finditer(_AND, text):
        if text[found.end() :] in names:
            return f"{text[: found.start()]}{word}{text[found.end() :]}"
    return text


def _build_pattern(template: str) -> re.Pattern[str]:
    parts = re.sub(r"\\{(\w+)\\}", lambda part: f"(?P<{part[1]}>{_PARTS.get(part[1], '.+')})", re.escape(template))
    return re.compile(parts, re.DOTALL)
