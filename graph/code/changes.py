"""A change of several files: read from a diff or a list of names, and the episodes explaining it as one list."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..questions.answer import Answer, Row
from ..questions.days import ALL, Selection, newest_first
from .leads import STRONG, Leads, Led

if TYPE_CHECKING:
    from ..questions.view import View

# a line of `git diff --name-status`: a letter, for renames and copies with their likeness; or of `--numstat`
_STATUS = re.compile(r"(?:[ACDMRTUX]\d{0,3}|(?:\d+|-)\t(?:\d+|-))\t(.+)")
# a header with a path, of a diff that is cut off
_HEADER = re.compile(r"^\+\+\+ ([^\t\n]+)", re.MULTILINE)
_IS_DIFF = re.compile(r"^(?:diff --git |--- .*\n\+\+\+ )", re.MULTILINE)
_SIDE = re.compile(r"[abciow12]/")  # ahead of a path: `a/`, `b/`, and those of `diff.mnemonicPrefix`
_PER_FILE = 3  # episodes for each file
_WORTH = 0.4  # of the best weight for a file: episodes with less only touch it
_DAMPING = 1.5  # each further file counts less: a whole folder weighs no more than a citation of one file in it
_REASONS, _FILES = 3, 5


class Change(NamedTuple):
    """A changed file, and its former path if it was renamed."""

    path: str
    former: str = ""


def is_diff(text: str) -> bool:
    """Return whether a text has the headers of a unified diff."""
    return _IS_DIFF.search(text.replace("\r\n", "\n")) is not None


def parse_changes(text: str) -> list[Change]:
    r"""Return the files in a text, each once, in its order; empty for an empty text.

    A text is a unified diff (of Git with renames, binaries and quoted names, or of ``diff -u``), the output of
    ``git diff`` with ``--name-only``, ``--name-status`` or ``--numstat``, also with ``-z``; else a path a line.

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
    from unidiff.errors import UnidiffParseError  # noqa: PLC0415 - few questions are diffs
    from unidiff.patch import PatchSet  # noqa: PLC0415

    try:
        patches = PatchSet(text.splitlines(keepends=True), metadata_only=True)
    except UnidiffParseError:  # cut off, or changed by hand
        yield from (Change(_to_path(name)) for name in _HEADER.findall(text))
        return
    for patch in patches:
        sides = [_to_path(side) for side in (patch.target_file, patch.source_file) if side != "/dev/null"]
        yield Change(sides[0], "" if sides[-1] == sides[0] else sides[-1]) if sides else Change("")


def _parse_names(text: str) -> Iterator[Change]:
    for line in text.split("\0" if "\0" in text else "\n"):  # no other mark ends a line: paths may hold them
        if status := _STATUS.fullmatch(line):
            former, _, path = status[1].partition("\t")
            yield Change(_unquote(path), _unquote(former)) if path else Change(_unquote(former))
        else:
            yield Change(_unquote(line.strip()).replace("\\", "/").removeprefix("./"))


def _to_path(name: str) -> str:
    """Return the path of a side of a diff."""
    path = _unquote(name.strip())
    return path[2:] if _SIDE.match(path) else path


def _unquote(name: str) -> str:
    r"""Return a path without Git's quotes: Git quotes paths with controls, quotes or other than ASCII.

    >>> _unquote(r'"caf\303\251 \"au lait\".py"'), _unquote("plain.py")
    ('café "au lait".py', 'plain.py')
    """
    if not (len(name) > 1 and name[0] == name[-1] == '"'):
        return name
    try:  # Git's escapes are Python's: of control characters, and of bytes in octal digits
        return name[1:-1].encode().decode("unicode_escape").encode("latin-1").decode("utf-8", "replace")
    except UnicodeError:
        return name


def explain_change(view: View, changes: Sequence[Change], leads: Leads, selection: Selection = ALL) -> Answer:
    """Answer with the episodes that explain a change, each with its files.

    Each file counts for the episodes found for it by ``Leads``, further files of a kind less: an episode naming
    one file outweighs an episode near many.
    """
    paths: dict[str, list[tuple[str, Row]]] = defaultdict(list)  # episode -> paths, each with its row
    missing = 0
    topics: Counter[str] = Counter()
    for change in changes:
        led = _follow(change, leads)
        topics.update(led.missing_topics)
        episodes, _ = selection._replace(limit=0).select(led.episodes, view)
        missing += not episodes
        for row in episodes[:_PER_FILE]:
            if row["weight"] >= _WORTH * episodes[0]["weight"]:
                paths[row["id"]].append((change.path, row))
    joint_rows = newest_first(map(_join_files, paths.values()), view)
    rows, total = selection.select(sorted(joint_rows, key=lambda row: (row.level != STRONG, -row["weight"])), view)
    notes = []
    if missing:
        about = ", ".join(f"{topic} ({count} files)" for topic, count in topics.most_common(3))
        rest = f"; there is none about {about}" if about else ""
        notes.append(f"no episode explains {missing} of {len(changes)} files{rest}")
    columns = ("level", "count", "title", "files", "reasons", "url")
    heading = f"this change of {len(changes)} files is explained by {total} episodes:"
    return Answer("explain", "", columns, tuple(rows), total, heading, notes=tuple(notes))


def _follow(change: Change, leads: Leads) -> Led:
    """Return where a file leads; of a moved one, from where it is better known."""
    leds = [leads.of(path) for path in change if path]
    return max(leds, key=lambda led: led.episodes[0]["weight"] if led.episodes else 0.0)


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
