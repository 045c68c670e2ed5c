"""A change of several files: reading it from a diff or a list of names, and finding the episodes that explain it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..questions.answer import Answer, Row, format_count
from ..questions.days import ALL, Selection, newest_first
from .leads import STRONG, Explainer, Explanation

if TYPE_CHECKING:
    from ..questions.view import View

# a line of `git diff --name-status`: a letter, for renames and copies with their likeness; or of `--numstat`
_STATUS_LINE = re.compile(r"(?:[ACDMRTUX]\d{0,3}|(?:\d+|-)\t(?:\d+|-))\t(.+)")
# the header with the new path of a file, for a diff that is cut off
_NEW_PATH = re.compile(r"^\+\+\+ ([^\t\n]+)", re.MULTILINE)
_DIFF_HEADER = re.compile(r"^(?:diff --git |--- .*\n\+\+\+ )", re.MULTILINE)
_SIDE = re.compile(r"[abciow12]/")  # ahead of a path: `a/`, `b/`, and those of Git's setting `diff.mnemonicPrefix`
_MAXIMUM_PER_FILE = 3  # episodes
_MINIMUM_SHARE = 0.4  # of the best weight for a file: episodes with less only touch it
# The weight for the n-th best file is divided by n to this power: a citation weighs more than many files nearby.
_DAMPING_POWER = 1.5
_MAXIMUM_REASONS, _MAXIMUM_FILES = 3, 5  # in a row


class Change(NamedTuple):
    """A changed file: its path, and its ``former`` path if it was renamed (else "")."""

    path: str
    former: str = ""


def is_diff(text: str) -> bool:
    """Return whether a text has the headers of a unified diff."""
    return _DIFF_HEADER.search(text.replace("\r\n", "\n")) is not None


def parse_changes(text: str) -> list[Change]:
    r"""Return the changed files in a text, each once, in the order of the text; [] for an empty text.

    A text is a unified diff (of Git with renames, binaries and quoted names, or of ``diff -u``), or the output of ``git
    diff`` with ``--name-only``, ``--name-status`` or ``--numstat``, also with ``-z``. Any other text is read as one
    path a line.

    >>> parse_changes("diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n--- x\n+++ y\n")
    [Change(path='x.py', former='')]
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    changes: dict[str, Change] = {}
    for change in _parse_diff(text) if is_diff(text) else _parse_names(text):
        if change.path:
            changes.setdefault(change.path, change)
    return list(changes.values())


def _parse_diff(text: str) -> Iterator[Change]:
    """Yield the files of a unified diff, which may be cut off. A file without a path has the path ""."""
    from unidiff.errors import UnidiffParseError  # noqa: PLC0415 - few questions are diffs
    from unidiff.patch import PatchSet  # noqa: PLC0415

    try:
        patches = PatchSet(text.splitlines(keepends=True), metadata_only=True)
    except UnidiffParseError:  # cut off, or changed by hand
        yield from (Change(_to_path(name)) for name in _NEW_PATH.findall(text))
        return
    for patch in patches:
        # The path of an added or deleted file is /dev/null on one side.
        sides = [_to_path(side) for side in (patch.target_file, patch.source_file) if side != "/dev/null"]
        yield Change(sides[0], "" if sides[-1] == sides[0] else sides[-1]) if sides else Change("")


def _parse_names(text: str) -> Iterator[Change]:
    r"""Yield the files in a list: each line is a path, or a line of ``git diff --name-status`` or ``--numstat``.

    "R100\told.py\tnew.py" is a renamed file. With ``-z``, Git ends lines by a zero byte.
    """
    for line in text.split("\0" if "\0" in text else "\n"):  # no other mark ends a line: paths may hold them
        if status := _STATUS_LINE.fullmatch(line):
            former, _, path = status[1].partition("\t")
            yield Change(_unquote(path), _unquote(former)) if path else Change(_unquote(former))
        else:
            yield Change(_unquote(line.strip()).replace("\\", "/").removeprefix("./"))


def _to_path(name: str) -> str:
    """Return the path of a file from a header of a diff: without quotes, and without ``a/`` or ``b/``.

    >>> _to_path("b/src/engine.cpp"), _to_path("src/engine.cpp")
    ('src/engine.cpp', 'src/engine.cpp')
    """
    path = _unquote(name.strip())
    # "a/" has two characters.
    return path[2:] if _SIDE.match(path) else path


def _unquote(name: str) -> str:
    r"""Return a path without Git's quotes, which are around paths with control characters, quotes or other than ASCII.

    >>> _unquote(r'"caf\303\251 \"au lait\".py"'), _unquote("plain.py")
    ('café "au lait".py', 'plain.py')
    """
    if not (len(name) > 1 and name[0] == name[-1] == '"'):
        return name
    try:  # Git's escapes are Python's: of control characters, and of bytes in octal digits
        return name[1:-1].encode().decode("unicode_escape").encode("latin-1").decode("utf-8", "replace")
    except UnicodeError:
        return name


def explain_change(view: View, changes: Sequence[Change], explainer: Explainer, selection: Selection = ALL) -> Answer:
    """Answer with the episodes that explain changed files, the best first, each with the files that it explains.

    ``explainer`` finds the episodes for each file. An episode's weight is the sum over its files; each further file
    counts less, so that an episode naming one file outweighs an episode near many. ``selection`` limits the episodes. A
    note counts the files without an episode, by topic.
    """
    paths: dict[str, list[tuple[str, Row]]] = defaultdict(list)  # episode -> (path, row of the episode for this file)
    missing = 0
    topics: Counter[str] = Counter()
    for change in changes:
        explanation = _explain_file(change, explainer)
        topics.update(explanation.missing_topics)
        episodes, _ = selection._replace(limit=0).select(explanation.episodes, view)
        missing += not episodes
        for row in episodes[:_MAXIMUM_PER_FILE]:
            if row["weight"] >= _MINIMUM_SHARE * episodes[0]["weight"]:
                paths[row["id"]].append((change.path, row))
    joint_rows = newest_first(map(_join_files, paths.values()), view)
    rows, total = selection.select(sorted(joint_rows, key=lambda row: (row.level != STRONG, -row["weight"])), view)
    notes = []
    if missing:
        about = ", ".join(f"{topic} ({format_count(count, 'file')})" for topic, count in topics.most_common(3))
        rest = f"; there is none about {about}" if about else ""
        notes.append(f"no episode explains {missing} of {format_count(len(changes), 'file')}{rest}")
    columns = ("level", "count", "title", "files", "reasons", "url")
    heading = f"this change of {format_count(len(changes), 'file')} is explained by {format_count(total, 'episode')}:"
    return Answer("explain", "", columns, tuple(rows), total, heading, notes=tuple(notes))


def _explain_file(change: Change, explainer: Explainer) -> Explanation:
    """Return the episodes for a changed file; for a renamed one, those of its path that has the better best episode.

    ``explainer`` finds the episodes of a path.
    """
    explanations = [explainer.explain_path(path) for path in change if path]
    return max(explanations, key=lambda result: result.episodes[0]["weight"] if result.episodes else 0.0)


def _join_files(rows_by_path: list[tuple[str, Row]]) -> Row:
    """Return one row for an episode that explains several changed files, with their paths in ``files``, and ``count``.

    ``rows_by_path`` are (path, row of the episode for this file). The best explained file comes first.
    """
    rows_by_path.sort(key=lambda path_and_row: (-path_and_row[1]["weight"], path_and_row[0]))
    _, best = rows_by_path[0]
    weight = sum(row["weight"] / place**_DAMPING_POWER for place, (_, row) in enumerate(rows_by_path, 1))
    reasons = list(dict.fromkeys(row["reasons"][0] for _, row in rows_by_path))[:_MAXIMUM_REASONS]
    row = Row(best, weight=round(weight, 4), count=len(rows_by_path), reasons=reasons)
    row["files"] = [path for path, _ in rows_by_path[:_MAXIMUM_FILES]]
    del row["step"]  # of one file; not a part of the answer
    return row
