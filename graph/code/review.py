"""The episodes explaining a whole change: one list for all its files."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import QueryError

from ..questions.answer import Answer, build_row
from ..questions.days import newest_first
from ..questions.resolve import resolve_reference
from ..questions.view import home_of
from ..questions.which import ALL
from .changes import Change, changes_in
from .leads import STRONG, Leads, level_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from podgraph.extractors import Index

    from ..attributes import NodeAttributes
    from ..questions.view import View
    from ..questions.which import First, Which
    from .leads import Explanation, Led

_PER_FILE = 3  # episodes for each file
_WORTH = 0.4  # of the best weight for a file: episodes with less only touch it
_DAMPING = 1.5  # each further file counts less: a whole folder weighs no more than a citation of one file in it
_REASONS = 3
_FILES = 5  # of each in JSON
# `#12`, `owner/name#12`, the address of a pull request
_PULL = re.compile(r"(?:[\w.-]+/[\w.-]+)?#\d{1,9}|(?:https?://)?(?:www\.)?github\.com/[\w.-]+/[\w.-]+/pull/\d+\S*")
# the id of one
_PULL_ID = re.compile(r"github:([^/]+/[^/#]+)#(\d+)")


class Reviewed(NamedTuple):
    """An episode or post explaining files of a change: its weight, the files, the best explained first, and reasons.

    ``level`` is ``strong`` if it explains one of them, ``similar`` if it only touches them.
    """

    id: str
    attributes: NodeAttributes
    weight: float
    level: str
    files: tuple[str, ...]
    reasons: tuple[str, ...]


class Review(NamedTuple):
    """The files of a change, the episodes explaining them, the best first, and the files without an episode.

    ``untold`` are the topics of these files, each with its number of files.
    """

    files: tuple[str, ...]
    episodes: First[Reviewed]
    unexplained: tuple[str, ...]
    untold: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """The number of episodes and posts explaining a file of the change."""
        return self.episodes.total


def review(paths: str | Iterable[str | Change], view: View, index: Index | None, which: Which = ALL) -> Review:
    """Return the episodes explaining a change: ``paths``, or a text for ``changes_in``.

    Each file counts for the episodes found for it by ``Leads``, further files of a kind less: an episode naming
    one file outweighs an episode near many. A pull request (``#12``, its address) means its files in
    the graph. ``which`` selects episodes. Raises ``QueryError`` for a pull request without known files.
    """
    given = changes_in(paths) if isinstance(paths, str) else paths
    unresolved = (one if isinstance(one, Change) else Change(one) for one in given)
    changes = {change.path: change for one in unresolved for change in _of_pull(one, view)}
    leads = Leads(view, index, "" if index else home_of(view))
    weights: dict[str, list[tuple[float, str, Explanation]]] = defaultdict(list)
    unexplained: list[str] = []
    untold: dict[str, int] = defaultdict(int)
    for change in changes.values():
        led = _led(change, leads)
        for topic in led.untold:
            untold[topic] += 1
        episodes = which._replace(reverse=False, limit=0).of(led.episodes, view)
        if not episodes:
            unexplained.append(change.path)
        for one in episodes[:_PER_FILE]:
            if one.weight >= _WORTH * episodes[0].weight:
                weights[one.id].append((one.weight, change.path, one))
    found = [_reviewed(id_, of_files) for id_, of_files in weights.items()]
    ranked = sorted(newest_first(found, view), key=lambda one: (one.level != STRONG, -one.weight))
    topics = sorted(untold.items(), key=lambda item: (-item[1], item[0]))
    return Review(tuple(changes), which.of(ranked, view), tuple(unexplained), tuple(topics))


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


def pull_request(text: str, view: View) -> tuple[str, int] | None:
    """Return the repository and number of a pull request whose files the graph does not know, else ``None``."""
    if not _PULL.fullmatch(text.strip()):
        return None
    found = _PULL_ID.fullmatch(resolve_reference(text.strip(), view).id)
    return (found[1], int(found[2])) if found and not files_of(found[0], view) else None


def _led(change: Change, leads: Leads) -> Led:
    """Return where a file leads; of a moved one, from where it is better known."""
    led = leads.of(change.path)
    if change.former:
        former = leads.of(change.former)
        if former.episodes and (not led.episodes or former.episodes[0].weight > led.episodes[0].weight):
            return former
    return led


def _reviewed(id_: str, of_files: list[tuple[float, str, Explanation]]) -> Reviewed:
    of_files.sort(key=lambda item: (-item[0], item[1]))
    weight = sum(weight / place**_DAMPING for place, (weight, _, _) in enumerate(of_files, 1))
    reasons = dict.fromkeys(one.reasons[0] for _, _, one in of_files)
    files = tuple(path for _, path, _ in of_files)
    level = level_of(of_files[0][0])
    return Reviewed(id_, of_files[0][2].attributes, round(weight, 4), level, files, tuple(reasons)[:_REASONS])


def review_change(
    view: View, paths: str | Iterable[str | Change], *, index: Index | None, which: Which = ALL
) -> Answer:
    """Answer with the episodes that explain the files of a change, each with these files; see ``review``."""
    found = review(paths, view, index, which)
    rows = [
        build_row(
            one.id,
            one.attributes,
            weight=one.weight,
            level=one.level,
            count=len(one.files),
            files=list(one.files[:_FILES]),
            reasons=list(one.reasons),
        )
        for one in found.episodes
    ]
    notes = []
    if found.unexplained:
        about = ", ".join(f"{topic} ({count} files)" for topic, count in found.untold[:3])
        rest = f"; there is none about {about}" if about else ""
        notes.append(f"no episode explains {len(found.unexplained)} of {len(found.files)} files{rest}")
    columns = ("level", "count", "title", "files", "reasons", "url")
    return Answer("review", "", columns, tuple(rows), found.total, notes=tuple(notes))
