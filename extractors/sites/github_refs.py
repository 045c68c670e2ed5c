"""The boundary between a git ref and a path, in an address that joins both with slashes.

Only the repository knows its branches; this module knows the common forms of refs with slashes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Beginnings of paths with a recognisable ref, and the number of the ref's segments.
_FORMS = (
    # a default branch, a version, a commit
    (re.compile(r"(?:main|master|HEAD|develop|nightly|gh-pages|v?\d[\w.-]*|[0-9a-f]{40})(?:/|\Z)"), 1),
    # a branch of ghstack: gh/<user>/<number>/head
    (re.compile(r"gh/[^/]*/\d+/(?:head|base|orig|next)(?:/|\Z)"), 4),
    # a pull request as git names it
    (re.compile(r"refs/pull/\d+/(?:head|merge)(?:/|\Z)"), 4),
    # the same in short
    (re.compile(r"pull/\d+/(?:head|merge)(?:/|\Z)"), 3),
    # the last commit that passed all tests
    (re.compile(r"viable/strict(?:/|\Z)"), 2),
    # a user's branch, or Dependabot's
    (re.compile(r"(?:users?|dependabot)/[^/]*/[^/]"), 3),
    # branches by their purpose
    (re.compile(r"(?:releases?|feat|features?|bugfix|hotfix)/[^/]"), 2),
)
_PYTORCH = """
.ci .circleci .devcontainer .github .jenkins .vscode android aten benchmarks binaries c10 caffe2 cmake docker
docs functorch ios modules mypy_plugins scripts test third_party tools torch torchgen
"""
# Folders at the root of a repository: a branch such as `someone/fix/2` ends before them.
_ROOTS = {"pytorch/pytorch": frozenset(_PYTORCH.split())}

Segments = tuple[str, ...]


def split_ref(name: str, segments: Sequence[str], *, with_path: bool = False) -> tuple[Segments, Segments]:
    """Split the segments after ``/blob/`` or ``/tree/`` into those of the ref and those of the path.

    ``name`` is ``owner/repo`` in lower case; ``with_path`` requires a path, as for a file.

    >>> split_ref("o/r", ["refs", "heads", "gh", "someone", "12", "head", "a", "b.py"])
    (('gh', 'someone', '12', 'head'), ('a', 'b.py'))
    >>> split_ref("o/r", ["main"])
    (('main',), ())
    >>> split_ref("o/r", ["release", "1.9"]), split_ref("o/r", ["release", "a.md"], with_path=True)
    ((('release', '1.9'), ()), (('release',), ('a.md',)))
    """
    parts = tuple(segments)
    if len(parts) > 2 and parts[0] == "refs" and parts[1] in {"heads", "tags", "remotes"}:
        parts = parts[3:] if parts[1] == "remotes" and len(parts) > 3 else parts[2:]
    size = _ref_size(name, parts)
    if with_path and size >= len(parts):
        size = 1
    return parts[:size], parts[size:]


def _ref_size(name: str, parts: Segments) -> int:
    """Return how many segments a branch or tag takes, since its name may contain slashes."""
    path = "/".join(parts)
    for form, size in _FORMS:
        if form.match(path):
            return size
    roots = _ROOTS.get(name, ())
    return max(1, next((index for index, part in enumerate(parts[:5]) if part in roots), 1))
