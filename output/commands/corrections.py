"""Reading the table ``[corrections]`` of ``podgraph.toml``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from podgraph.extractors import PodgraphError
from podgraph.graph import Corrections

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GROUPS = ("same", "relate", "unrelate", "before")  # corrections that are lists of lists of names, of two and more
TABLES = ("rename", "merge")  # corrections that are tables of names; the others are lists of names


def read_corrections(tables: Iterable[tuple[str, Mapping[str, object]]]) -> Corrections:
    """Return the corrections of all ``tables``, which are (path of the settings file, table).

    Raises ``PodgraphError`` for an unknown key, and for a value of another form than the key's.
    """
    corrections: dict[str, Any] = dict.fromkeys(Corrections._fields, ())
    for path, table in tables:
        for key, value in table.items():
            if key not in corrections:
                remedy = f"one of {', '.join(corrections)}"
                raise PodgraphError(f"there is no correction {key!r}", source=path, remedy=remedy)
            # The form of the value, for the message; the corrections in it; whether it has this form.
            form = 'a list of names: ["one", "other"]'
            entries: Any = value if isinstance(value, list) else None
            is_right = _is_names(value)
            if key in TABLES:
                form = 'a table: {"one" = "other"}'
                entries = value.items() if isinstance(value, dict) else ()
                is_right = isinstance(value, dict) and _is_names([*value.values()])
            elif key in GROUPS:
                form = 'a list of lists: [["one", "other"]]'
                maximum = 2 if key != "same" else 10_000  # names in a group
                is_right = isinstance(value, list) and all(
                    _is_names(names) and 2 <= len(names) <= maximum for names in value
                )
                entries = map(tuple, value) if is_right and isinstance(value, list) else ()
            if not is_right:
                raise PodgraphError(f"the correction {key} has to be {form}", source=path, remedy="mend it")
            corrections[key] += tuple(entries)
    return Corrections(**corrections)


def _is_names(value: object) -> bool:
    """Return whether a value is a list of texts that are not empty."""
    return isinstance(value, list) and all(isinstance(name, str) and name for name in value)
