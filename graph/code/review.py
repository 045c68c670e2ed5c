"""The episodes explaining a whole change: one list for all its files."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from podgraph.extractors import QueryError

from ..questions.answer import Answer, Row
from ..questions.days import newest_first
from ..questions.resolve import resolve_reference
from ..questions.view import home_of
from ..questions.which import ALL
from .changes import Change, changes_in
from .leads import STRONG, Leads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from podgraph.extractors import Index

    from ..questions.view import View
    from ..questions.which import Which
    from .leads import Led

_PER_FILE = 3  # episodes for each file
_WORTH = 0.4  # of the best weight for a file: episodes with less only touch it
_DAMPING = 1.5  # each further file counts less: a whole folder weighs no more than a citation of one file in it
_REASONS = 3
_FILES = 5  # of each in JSON
# `#12`, `owner/name#12`, the address of a pull request
_PULL = re.compile(r"(?:[\w.-]+/[\w.-]+)?#\d{1,9}|(?:https?://)?(?:www\.)?github\.com/[\w.-]+/[\w.-]+/pull/\d+\S*")


def review_change(
    view: View, paths: str | Iterable[str | Change], *, index: Index | None, which: Which = ALL
) -> Answer:
    """Answer with the episodes that explain a change, each with its files: ``paths``, or a text for ``changes_in``.

    Each file counts for the episodes found for it by ``Leads``, further files of a kind less: an episode naming
    one file outweighs an episode near many. A pull request (``#12``, its address) means its files in
    the graph. ``which`` selects episodes. Raises ``QueryError`` for a pull request without known files.
    """
    listed = changes_in(paths) if isinstance(paths, str) else paths
    unresolved = (one if isinstance(one, Change) else Change(one) for one in listed)
    changes = {change.path: change for one in unresolved for change in _of_pull(one, view)}
    leads = Leads(view, index, "" if index else home_of(view))
    explained: dict[str, list[tuple[str, Row]]] = defaultdict(list)  # episode -> paths, each with its row
    unexplained = 0
    untold: Counter[str] = Counter()
    for change in changes.values():
        led = _led(change, leads)
        untold.update(led.untold)
        episodes, _ = which._replace(reverse=False, limit=0).of(led.episodes, view)
        unexplained += not episodes
        for row in episodes[:_PER_FILE]:
            if row["weight"] >= _WORTH * episodes[0]["weight"]:
                explained[row["id"]].append((change.path, row))
    found = newest_first(map(_join_files, explained.values()), view)
    rows, total = which.of(sorted(found, key=lambda row: (row.level != STRONG, -row["weight"])), view)
    notes = []
    if unexplained:
        topics = sorted(untold.items(), key=lambda item: (-item[1], item[0]))
        about = ", ".join(f"{topic} ({count} files)" for topic, count in topics[:3])
        rest = f"; there is none about {about}" if about else ""
        notes.append(f"no episode explains {unexplained} of {len(changes)} files{rest}")
    columns = ("level", "count", "title", "files", "reasons", "url")
    return Answer("review", "", columns, tuple(rows), total, notes=tuple(notes))


def _of_pull(change: Change, view: View) -> list[Change]:
    """Return the files of a pull request named in place of a file; else the change itself."""
    if not _PULL.fullmatch(change.path):
        return [change]
    files = [path for id_ in resolve_reference(change.path, view).nodes for path in files_of(id_, view)]
    if not files:
        remedy = "build with --look-up or --checkout, or give its diff: `gh pr diff NUMBER | podgraph review`"
        raise QueryError(f"the files of {change.path} are not known", remedy=remedy)
    return list(map(Change, files))


def files_of(id_: str, view: View) -> list[str]:
    """Return the paths of the files changed in a pull request or commit, as far as the graph knows them."""
    nodes = (view.node(edge.target) or {} for edge in view.edges_from(id_, "touches"))
    return [path for node in nodes if (path := str(node.get("path", "")))]


def _led(change: Change, leads: Leads) -> Led:
    """Return where a file leads; of a moved one, from where it is better known."""
    led = leads.of(change.path)
    if change.former:
        former = leads.of(change.former)
        if former.episodes and (not led.episodes or former.episodes[0]["weight"] > led.episodes[0]["weight"]):
            return former
    return led


def _join_files(of_files: list[tuple[str, Row]]) -> Row:
    """Return the row of an episode explaining some files, each with its own row; the best explained file first."""
    of_files.sort(key=lambda item: (-item[1]["weight"], item[0]))
    _, best = of_files[0]
    weight = sum(row["weight"] / place**_DAMPING for place, (_, row) in enumerate(of_files, 1))
    reasons = list(dict.fromkeys(row["reasons"][0] for _, row in of_files))[:_REASONS]
    row = Row(best, weight=round(weight, 4), count=len(of_files), reasons=reasons)
    row["files"] = [path for path, _ in of_files[:_FILES]]
    del row["step"]
    return row
