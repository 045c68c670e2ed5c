"""The question ``explain``: the episodes about a path, a name of code, a change, or a pasted text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from podgraph.extractors import subject_index

from ..questions.answer import Answer, Row, build_row, format_count
from ..questions.days import ALL, Selection
from ..questions.resolve import subject_of, suggest_name
from ..words import ASKING
from .changes import explain_change, is_diff, parse_changes
from .places import Place, Places
from .texts import PastedText, is_reference

if TYPE_CHECKING:
    from podgraph.extractors import Index, Location

    from ..questions.view import View

_MAXIMUM_NEAREST = 3  # episodes shown if none is about a name
_CODE, _DOCS = ("symbol", "file", "folder"), ("docs", "tutorial")
# Kind of a place -> the relation of a name to this place.
_RELATIONS = {**dict.fromkeys(_CODE, "defined_in"), **dict.fromkeys(_DOCS, "documented_at")}


def explain(view: View, texts: Sequence[str], *, index: Index | None, selection: Selection = ALL) -> Answer:
    """Answer with the episodes that explain ``texts`` (joined by spaces), the best first.

    A diff, a list of paths, and several paths are read as a change of files. A single word is a path or a name if the
    graph or ``index`` knows it. Everything else is a pasted text. The heading names the chosen reading. ``index`` has
    the code of the graph's subject (``None``: unknown); ``selection`` limits the episodes.
    """
    places = Places(view, index)
    text = " ".join(texts)
    if all(map(places.find_path, text.split())):  # several paths: one a line
        text = "\n".join(text.split())
    lines = text.strip("\0 \r\n").splitlines()
    if is_diff(text) or (lines and "\0" in text) or (len(lines) > 1 and _are_file_names(lines, places)):
        return explain_change(view, parse_changes(text), places.explainer, selection)
    for name in _list_names(lines) if not is_reference(text) else ():
        place = places.find(name)
        if place.path or place.places or place.explanation.episodes:
            return _answer_name(view, name, place, selection)
    rows, total = selection.select(PastedText(text, view, index, places).explain(), view)
    notes = []
    if not rows:
        remedy = suggest_name(text, view) if len(lines) == 1 else ""
        notes.append(f"nothing in the text is known; {remedy or '`podgraph search` finds by words'}")
        if subject_of(view) is None:
            notes.append("the graph is about no project whose code is known: only its own names were asked")
    heading = f"this text of {format_count(len(lines), 'line')} is explained by {format_count(total, 'episode')}:"
    return Answer("explain", text, ("date", "title", "reasons", "url"), tuple(rows), total, heading, notes=tuple(notes))


def _list_names(lines: Sequence[str]) -> list[str]:
    """Return the names that a text of one line may be: the line, and the line without question words.

    ["what is vmap?"] gives ["what is vmap?", "vmap"]. Several ``lines`` are not a name, so they give [].
    """
    if len(lines) != 1:
        return []
    words = lines[0].split()
    subject = " ".join(word for word in words if word.lower().strip("?!.,") not in ASKING).rstrip("?!.")
    return list(dict.fromkeys(name for name in (" ".join(words), subject) if name))


def _are_file_names(lines: Sequence[str], places: Places) -> bool:
    """Return whether lines are a list of files, as ``git diff --name-only`` or ``--name-status`` prints it.

    Each line ends with a name without spaces (or in quotes), and at least one of the names is a path. ``places`` knows
    which names are paths.
    """
    names = [line.rpartition("\t")[2].strip() for line in lines if line.strip()]
    return all(" " not in name or name[0] == '"' for name in names) and any(map(places.find_path, names))


def _answer_name(view: View, query: str, place: Place, selection: Selection) -> Answer:
    """Answer with the places of a name or path, then the episodes about it, or the nearest ones if there are none.

    ``query`` is the name as the user wrote it. ``place`` is where the name is defined, with the episodes. ``selection``
    limits the episodes.
    """
    episodes, total = selection.select(place.explanation.episodes, view)
    nearest, _ = selection.select(place.explanation.nearest, view)
    rows = [_build_place_row(location) for location in _select_places(place.places, is_whole=not selection.limit)]
    for row in episodes or nearest[:_MAXIMUM_NEAREST]:
        del row["step"]
        rows.append(Row(row, relation="about" if episodes else "near"))
    notes = [f"{query!r} {place.absent}"] if place.absent else []
    if not episodes:
        about = f" ({', '.join(place.explanation.missing_topics)})" if place.explanation.missing_topics else ""
        notes.append(f"no episode is about {query!r}{about}" + ("; these are nearest" if nearest else ""))
    kind = next((view.kinds[location.kind].singular for location in place.places), "path" if place.path else "name")
    heading = f"{query} ({kind}) is explained by {format_count(total, 'episode')}:"
    columns = ("relation", "date", "title", "reasons", "url")
    return Answer("explain", query, columns, tuple(rows), total, heading, notes=tuple(notes))


def _select_places(places: Sequence[Location], *, is_whole: bool) -> list[Location]:
    """Return the first of ``places`` where a name is defined and the first where it is documented, else the first.

    With ``is_whole``, return all its places; those inside of other symbols come last.
    """
    if is_whole:
        return sorted(places, key=lambda place: place.inside)
    first = (next((place for place in places if place.kind in kinds), None) for kinds in (_CODE, _DOCS))
    return [place for place in first if place] or [*places[:1]]


def _build_place_row(place: Location) -> Row:
    """Return the row of a place: its title with the path, its relation to the name, its line and address."""
    title = place.label if place.path in ("", place.label) else f"{place.label} ({place.path})"
    relation = _RELATIONS.get(place.kind, place.kind)
    values = {"kind": place.kind, "line": place.line or None, "path": place.path, "url": place.url}
    return build_row(place.id, values, title=title, relation=relation, reasons=[place.reason])


def find_code_index(view: View) -> Index | None:
    """Return the index of the code of a graph's subject (PyTorch, say); ``None`` without a subject or index."""
    return subject_index(subject) if (subject := subject_of(view)) else None
