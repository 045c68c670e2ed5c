"""The files of a change, from the output of ``git diff`` and similar programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# `@@ -12,3 +12,5 @@`: how many lines of the old and of the new file follow
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
# a line of `git diff --name-status`: a letter, for renames and copies with their likeness; then tabs
_STATUS = re.compile(r"[ACDMRTUX]\d{0,3}\t(.+)")
# a line of `git diff --numstat`
_COUNTED = re.compile(r"(?:\d+|-)\t(?:\d+|-)\t(.+)")
# the side of a diff ahead of a path: `a/`, `b/`, and those of `diff.mnemonicPrefix`
_SIDE = re.compile(r"[abciow12]/")
# in a path quoted by Git: the escape of a character, or of a byte in octal digits
_ESCAPE = re.compile(r'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPED = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_NONE = "/dev/null"
_HEADERS = ("diff --git ", "--- ", "+++ ", "Index: ")
# the beginnings of lines with a path below `diff --git`; of a rename the later name counts
_FORMER = ("rename from ", "copy from ")
_LATER = ("rename to ", "copy to ")


class Change(NamedTuple):
    """A changed file, and its former path if it was renamed."""

    path: str
    former: str = ""


def changes_in(text: str) -> list[Change]:
    r"""Return the files in a text, each once, in its order; empty for an empty text.

    A text is a unified diff (of Git with renames, binaries and quoted names, or of ``diff -u``), the output of
    ``git diff`` with ``--name-only``, ``--name-status`` or ``--numstat``, also with ``-z``; else a path a line.

    >>> changes_in("diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n--- x\n+++ y\n")
    [Change(path='x.py', former='')]
    """
    text = text.removeprefix("\ufeff")
    parts = text.split("\0") if "\0" in text else text.split("\n")  # no other mark ends a line: paths may hold them
    lines = [line.removesuffix("\r") for line in parts]
    is_diff = any(
        line.startswith(_HEADERS[0]) or (line.startswith("+++ ") and before.startswith("--- "))
        for before, line in zip(["", *lines], lines, strict=False)
    )
    found: dict[str, Change] = {}
    for change in _of_diff(lines) if is_diff else _of_names(lines):
        if change.path:
            found.setdefault(change.path, change)
    return list(found.values())


def _of_names(lines: list[str]) -> Iterator[Change]:
    for line in lines:
        if known := _STATUS.fullmatch(line) or _COUNTED.fullmatch(line):
            former, _, path = known[1].partition("\t")
            yield Change(_unquoted(path), _unquoted(former)) if path else Change(_unquoted(former))
        elif name := line.strip():
            yield Change(_plain(_unquoted(name)))


def _of_diff(lines: list[str]) -> Iterator[Change]:
    """Yield the files of a unified diff. Lines inside a hunk are always text."""
    header = former = path = ""
    old = new = 0
    for line in lines:
        if old > 0 or new > 0:
            old -= line[:1] in ("-", " ", "")
            new -= line[:1] in ("+", " ", "")
        elif hunk := _HUNK.match(line):
            old, new = (int(count) if count else 1 for count in hunk.groups())
        elif line.startswith("diff --git "):
            yield _change(header, former, path)
            header, former, path = line.removeprefix("diff --git "), "", ""
        elif line.startswith("--- "):
            if path and not header:
                yield _change(header, former, path)
                path = ""
            former = _name(line[4:])
        elif line.startswith("+++ "):
            path = _name(line[4:])
        elif line.startswith((*_FORMER, *_LATER)):
            name = _unquoted(line.split(" ", 2)[2])
            former, path = (name, path) if line.startswith(_FORMER) else (former, name)
    yield _change(header, former, path)


def _change(header: str, former: str, path: str) -> Change:
    """Return the file of some lines: its later name, else its former one, else those of ``diff --git``."""
    sides = [name for name in (path, former) if name and name != _NONE]
    if not sides and header:
        sides = [_of_header(header)]
    if not sides:
        return Change("")
    return Change(sides[0], sides[1] if len(sides) > 1 and sides[1] != sides[0] else "")


def _of_header(header: str) -> str:
    r"""Return the path of ``a/PATH b/PATH``, twice the same where nothing else names it.

    >>> _of_header("a/my file b/my file"), _of_header(r'"a/\303\244" "b/\303\244"')
    ('my file', 'ä')
    """
    return _sideless(_unquoted(header[: len(header) // 2]))


def _name(text: str) -> str:
    """Return the path of a ``---`` or ``+++`` line, without the time put behind it by ``diff -u``."""
    name = _unquoted(text.partition("\t")[0].strip())
    return name if name == _NONE else _sideless(name)


def _sideless(name: str) -> str:
    return name[2:] if _SIDE.match(name) else name


def _plain(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./")


def _unquoted(name: str) -> str:
    r"""Return a path without Git's quotes: Git quotes paths with controls, quotes or other than ASCII.

    >>> _unquoted(r'"caf\303\251 \"au lait\".py"'), _unquoted("plain.py")
    ('café "au lait".py', 'plain.py')
    """
    if not (len(name) > 1 and name[0] == name[-1] == '"'):
        return name
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 8)) if found[1].isdigit() else _of_letter(found[1]), name[1:-1])
    try:
        return plain.encode("latin-1").decode("utf-8", "replace")
    except UnicodeEncodeError:  # core.quotePath is off: characters beyond ASCII are not quoted
        return plain


def _of_letter(letter: str) -> str:
    return _ESCAPED.get(letter, letter)
