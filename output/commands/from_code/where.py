"""``podgraph where NAME|PATH``: the code, its docs, and the episodes about it."""

from __future__ import annotations

import re
import sys
from textwrap import shorten
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError, nearest
from podgraph.graph import subject_of, title_of

from ...terminal import note, print_heading, print_table, printable_line
from ..shared.arguments import given
from ..shared.asked import questions
from ..shared.playlists import answered
from ..shared.saved import open_saved
from ..shared.wording import counted, moment, note_total

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from podgraph.extractors import Location
    from podgraph.graph import Explanation, Where

    from ...library import Graph

EXAMPLES = """examples:
  podgraph where TensorIterator
  podgraph where torch/_dynamo/variables/base.py:120
  git diff --name-only | podgraph where -    (`podgraph review` gives one list for them all)

A file leads as far as an episode is: itself, its symbols, its topics, its folder, its subsystem; each answer says how.
Where no episode is about it the nearest are named, and the status is 1.
Piped: kind, what, why, address, date of the episode; for several questions (or -) the question comes first."""
# the repository and version in the address of a file of one version
_VERSION = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/([0-9a-f]{8})[0-9a-f]{32}/")
# the separators of a qualified name
_LAST = re.compile(r"[.:]")
_MOST = 5
_MOST_PLACES = 8
_WIDE = 68  # letters of a place
_INDENT = "    "  # before an address: more room for it in 80 columns
_MOST_OF_SEVERAL = 2  # episodes to each of several questions


def run(arguments: argparse.Namespace) -> int:
    """Answer, one after the other; 1 when nothing is known of any of them."""
    queries = _queries(arguments)
    graph = open_saved(arguments)
    several = len(queries) > 1 or "-" in arguments.name
    most = arguments.n or (_MOST_OF_SEVERAL if several else _MOST)
    told = [graph.where(**given(arguments, "where") | {"name": query, "n": most}) for query in queries]
    answers = [one.raw for one in told]
    if not answered(arguments, told, graph.view, f"about {', '.join(queries)}", several=several):
        if several and not arguments.symbols:
            _print_short(answers, most)
        else:
            for answer in answers:
                _print_answer(answer, most, several=several)
        if several:
            shown = sum(len(answer.episodes) for answer in answers)
            note_total(shown, sum(answer.total for answer in answers), "match", "matches", quiet=arguments.quiet)
        for answer in answers:
            _note(answer, graph, most, several=several, quiet=arguments.quiet)
    if not any(answers) and subject_of(graph.view) is None:
        note("the graph is about no project whose code is known: only its own names were asked", quiet=arguments.quiet)
    return 0 if any(answers) else 1


def _print_answer(answer: Where, most: int, *, several: bool) -> None:
    if sys.stdout.isatty():
        _print(answer, most, several=several)
    else:
        print_table((), list(_tab_rows(answer, most, (answer.query,) if several else ())))


def _note(answer: Where, graph: Graph, most: int, *, several: bool, quiet: bool) -> None:
    """Report on standard error an absent path, a path without episodes, and the number of episodes left out."""
    absent = _absent(answer)
    if absent and (answer or answer.nearest):
        note(f"{answer.query!r} {absent}", quiet=quiet)
    if not answer and not answer.nearest:
        what = "no episode is about" if answer.places else "nothing is known of"
        hits = graph.search(answer.query, 3) if not (several or absent) else ()
        similar = [node for node in hits if nearest(answer.query, [node.title, node.label])]
        meant = f"did you mean {similar[0].title!r}?" if similar else "`podgraph search` finds by words"
        note(f"{what} {answer.query!r}" + (f": it {absent}" if absent else f"; {meant}"), quiet=quiet)
    elif not answer:
        about = f" ({', '.join(answer.untold)})" if answer.untold else ""
        note(f"no episode is about {answer.query!r}{about}; these are nearest", quiet=quiet)
    elif not several and (more := answer.total - most) > 0:
        note(f"{more} more talk about {answer.query}: -n {answer.total}", quiet=quiet)


def _absent(answer: Where) -> str:
    """Return the words for a path that the indexed tree lacks, with the tree's name; "" for other questions."""
    if answer.absent is None:
        return ""
    repo, commit, certain = answer.absent
    return f"is absent from {repo if certain else f'the known files of {repo}'} at {commit[:8]}"


def _shown(answer: Where, most: int) -> Sequence[Explanation]:
    return answer.episodes[:most] or answer.nearest[:most]


def _print_short(answers: Iterable[Where], most: int) -> None:
    """Print a few lines for each of several answers; in a pipe also the one intended place."""
    person = sys.stdout.isatty()
    for answer in answers:
        rows = [_episode_cells(item, near=not answer) for item in _shown(answer, most)]
        if person:
            print_heading(answer.query)
            near = "" if answer else "near: "
            lines = [f"{date or '-':<10}  {near}{what}: {why.partition('; ')[0]}" for _, what, why, _, date in rows]
            for line in lines or ["no episode"]:
                print(f"  {printable_line(line)}")
            continue
        place = next((place for place in answer.places if place.kind in ("symbol", "file", "folder")), None)
        print_table((), [(answer.query, *row) for row in (*rows, *([(*_line(place), "")] if place else ()))])


def _queries(arguments: argparse.Namespace) -> list[str]:
    """Return the names to look for, each once."""
    words = (word.strip() for word in questions(arguments.name, quiet=arguments.quiet))
    found = list(dict.fromkeys(filter(None, words)))
    if not found and "-" not in arguments.name:
        raise QueryError("nothing was asked", remedy="give a symbol or a path")
    return found


def _print(answer: Where, most: int, *, several: bool) -> None:
    """Print the answer for a person: the best episodes with a reason, the others as one line, then the places."""
    if several:
        print_heading(answer.query)
    shown = _shown(answer, most)
    first = [one for one in shown if one.level == "strong"] or shown[:1]
    for one in first:
        kind, what, why, page, date = _episode_cells(one, near=not answer)
        marks = "" if kind == "episode" else f" ({kind})"
        title, reason = what + marks, why.partition("; ")[0]
        lines = (f"{title}: {reason}",) if len(title) + len(reason) < _WIDE - 2 else (title, reason)
        for lead, line in zip((date or "-", ""), lines, strict=False):  # only the first line has the date
            print(f"{lead:<10}  {printable_line(line)}")
        print(f"{_INDENT}{printable_line(page)}")
    if also := [_dated(one) for one in shown if one not in first]:
        print(printable_line(f"also touches it: {', '.join(also)}"))
    if answer.places:
        version = next(filter(None, (_VERSION.match(place.url) for place in answer.places)), None)
        if version:
            print_heading(f"in {version[1]} at {version[2]}, and its docs:")
        rows = _grouped(answer)
        for kind, what, _, at in rows[:_MOST_PLACES]:
            *path, last = at.split("\n")
            place, address = (path, last) if "://" in last else ([last], "")
            print(f"{kind:<10}  {shorten(printable_line('  '.join((what, *place))), _WIDE, placeholder=' …')}")
            if address:  # whole, in a line of its own
                print(f"{_INDENT}{printable_line(address)}")
        if (more := len(rows) - _MOST_PLACES) > 0:
            print(f"and {counted(more, 'more place')} (--json has all)")


def _dated(one: Explanation) -> str:
    year = str(one.attributes.get("date", ""))[:4]
    return title_of(one.attributes) + (f" ({year})" if year else "")


def _tab_rows(answer: Where, most: int, leading: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the rows for a pipe: one for each episode and each place, and one for the names left out.

    Each row begins with the cells ``leading``.
    """
    for item in _shown(answer, most):
        yield (*leading, *_episode_cells(item, near=not answer))
    for place in answer.places:
        yield (*leading, *_line(place), "")
    if more := answer.symbols - sum(place.inside for place in answer.places):
        yield (*leading, "symbol", f"{counted(more, 'more name')}", "--symbols has all", "", "")


def _line(place: Location) -> tuple[str, str, str, str]:
    line = f":{place.line}" if place.line else ""
    by_name = place.path and place.label != place.path
    what = f"{place.label} ({place.path}{line})" if by_name else f"{place.label}{line}"
    return place.kind, what, place.reason, place.url


def _episode_cells(item: Explanation, *, near: bool = False) -> tuple[str, str, str, str, str]:
    """Return kind, title, reasons, page and day of an episode. ``near`` marks one about a neighbouring topic."""
    kind = "episode" if item.attributes.get("kind") == "episode" else "post"
    said = () if item.time is None else (f"said {moment(item.attributes, (item.time,))}",)
    return (
        f"near {kind}" if near else kind,
        title_of(item.attributes),
        "; ".join((*item.reasons[:3], *said)),
        item.attributes.get("url", "") or item.id,
        str(item.attributes.get("date", ""))[:10],
    )


def _grouped(answer: Where) -> list[tuple[str, str, str, str]]:
    """Return the rows for a terminal: paths in place of addresses, and one row for all names defined in a file.

    A file or page already in the row of a symbol or topic has no row of its own.
    """
    places = answer.places
    named = {_page(place) for place in places if place.kind in ("symbol", "topic")}
    files = {place.path: place.reason for place in places if place.kind == "file"}
    inside = _by_file(place for place in places if place.inside)
    more = answer.symbols - sum(map(len, inside.values()))
    rows = []
    for place in places:
        names = inside.get(place.path) if place.inside or place.kind == "file" else None
        if names is None and (place.kind in ("symbol", "folder", "topic") or _page(place) not in named):
            rows.append(_place_row(place))
        elif names and place is names[0]:  # one row for all names; it also gives the file
            rows.append(_file(place.path, files.get(place.path, ""), names, more))
            more = 0
    return rows


def _page(place: Location) -> str:
    """Return the address of a place without its line or anchor."""
    return place.url.partition("#")[0]


def _by_file(places: Iterable[Location]) -> dict[str, list[Location]]:
    found: dict[str, list[Location]] = {}
    for place in places:
        found.setdefault(place.path, []).append(place)
    return found


def _file(path: str, reason: str, names: Sequence[Location], more: int) -> tuple[str, str, str, str]:
    """Return the row of a file and of the names defined in it. ``more`` are left out."""
    short = [f"{_LAST.split(name.label)[-1]}:{name.line}" for name in names]
    rest = f" and {more} more (--symbols)" if more else ""
    why = "; ".join(filter(None, (reason, f"defines {counted(len(short) + more, 'name')}")))
    return "file", path, why, ", ".join(short) + rest


def _place_row(place: Location) -> tuple[str, str, str, str]:
    """Return (kind, name, reason, path or address) of a place."""
    at = f"{place.path}:{place.line}" if place.line else place.path
    if place.kind == "topic":
        return "topic", place.label, place.reason, "\n".join(filter(None, (at, place.url)))
    if place.label == place.path:
        return place.kind, at, place.reason, ""
    return place.kind, place.label, place.reason, at or place.url
