"""The table ``[corrections]`` of a file of defaults, as the graph takes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from podgraph.extractors import PodgraphError
from podgraph.graph import Corrections

_NAMES = ("boilerplate", "not_boilerplate", "no_person", "drop")  # lists of names
GROUPS = {"same": 2, "relate": 2, "unrelate": 2, "before": 2}  # lists of lists of names, of two and more
TABLES = ("rename", "merge")  # tables of names
KEYS = (*_NAMES, *GROUPS, *TABLES)
_FORMER = {"furniture": "boilerplate", "not_furniture": "not_boilerplate"}  # names of keys before schema 2


def read_corrections(tables: Iterable[tuple[str, Mapping[str, object]]]) -> Corrections:
    """Return the corrections of some files, each as (path, table); ``PodgraphError`` names the wrong key."""
    corrections = Corrections()
    for path, table in tables:
        for written, value in table.items():
            key = _FORMER.get(written, written)
            if key not in KEYS:
                raise PodgraphError(f"there is no correction {key!r}", source=path, remedy=f"one of {', '.join(KEYS)}")
            earlier: tuple[object, ...] = getattr(corrections, key)
            corrections = corrections._replace(**{key: (*earlier, *_checked_value(key, value, path))})  # type: ignore[arg-type]
    return corrections


def _checked_value(key: str, value: object, path: str) -> tuple[object, ...]:
    """Return the value of a correction as a tuple: of pairs, of names, or of groups of names.

    Raises ``PodgraphError`` for a value of another form.
    """
    if key in TABLES:
        if isinstance(value, dict) and all(isinstance(name, str) and name for name in value.values()):
            return tuple(value.items())
        raise _wrong(key, 'a table: {"one" = "other"}', path)
    if key in _NAMES:
        return _names(key, value, path)
    if not isinstance(value, list):
        raise _wrong(key, 'a list of lists: [["one", "other"]]', path)
    groups = tuple(_names(key, group, path) for group in value)
    is_short = any(len(group) < GROUPS[key] for group in groups)
    if is_short or (key != "same" and any(len(group) != GROUPS[key] for group in groups)):
        raise _wrong(key, 'a list of lists: [["one", "other"]]', path)
    return groups


def _names(key: str, value: object, path: str) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(name, str) and name for name in value):
        return tuple(value)
    raise _wrong(key, 'a list of names: ["one", "other"]', path)


def _wrong(key: str, wanted: str, path: str) -> PodgraphError:
    return PodgraphError(f"the correction {key} has to be {wanted}", source=path, remedy="mend it")
