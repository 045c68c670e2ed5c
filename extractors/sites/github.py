"""GitHub: repositories and their content, from the many addresses of the same artifact.

The table ``github`` has the paths of github.com, ``mirrors`` other hosts with the same content. Owner and repository
ignore case; paths in a repository do not.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from ..ref import Ref
from ..url import split_url, unescape
from .table import Table, load_table, read_rows
from .tables.github_names import ORGANISATIONS, RESERVED
from .web import make_page, readable

if TYPE_CHECKING:
    from ..ref import Attrs
    from ..url import Url

# The begin of an address as git writes them, up to the repository.
_GIT = re.compile(
    r"\s*(?:git\+|scm:git:)?(?:(?:ssh|git|https?)://)?(?:git@)?(?:ssh\.)?((?:gist\.)?github\.com)"
    r"(?::\d+(?=/))?[:/]",
    re.IGNORECASE,
)
# One or two line numbers, with or without columns.
_LINES = re.compile(r"L(\d{1,9})(?:C\d{1,9})?(?:-L?(\d{1,9})(?:C\d{1,9})?)?(?![\w-])", re.IGNORECASE)
# The end of the name of an archive or a feed: no part of a branch.
_ARCHIVE = re.compile(r"\.(?:zip|tar\.gz|tgz|tar\.bz2|atom)\Z")
# Query parameters of a list; each choice is another list.
_CHOICES = frozenset(
    "assignee author branch creator discussions_q event labels language mentioned milestone name q query since state "
    "until workflow".split()
)


def parse(url: str) -> Ref | None:
    """Return the artifact at a GitHub URL; ``None`` for other sites and for GitHub's pages about itself.

    Understood are github.com, its API, raw, gist and archive hosts, mirrors and viewers of them, and git's own
    spellings (``git@github.com:o/r.git``). ``rev`` of the result is the branch or commit, ``lines`` the line numbers.

    >>> parse("https://www.github.com/PyTorch/PyTorch/pull/130935/files#diff-1").id
    'github:pytorch/pytorch#130935'
    >>> ref = parse("https://github.com/o/r/blob/main/a/b.py#L10-L20")
    >>> ref.id, ref.rev, ref.lines
    ('github:o/r:a/b.py', 'main', 'L10-L20')
    >>> parse("https://github.com/features/actions") is None
    True
    """
    parts = split_url(url)
    if parts is None:
        git = _GIT.match(url)
        parts = split_url(f"https://{git[1]}/{url[git.end() :]}") if git else None
        if parts is None:
            return None
    mirrors = load_table("mirrors")
    if match := None if parts.host == "github.com" else mirrors.match(parts):
        row, groups = match
        # The id of a row is the path at github.com, or at gist.github.com with that host before it.
        segments = [segment for segment in mirrors.fill(row.id, groups).split("/") if segment]
        host = segments.pop(0) if segments[:1] == ["gist.github.com"] else "github.com"
        parts = parts._replace(host=host, segments=tuple(segments))
    return _find_artifact(parts) if parts.host in ("github.com", "gist.github.com") else None


@cache
def _load_github() -> Table:
    """Return the table of the paths of github.com, with its own filters."""
    filters = {
        # The letters by which the templates of the table name the filters.
        "a": lambda sha: sha[:10],  # short enough for a label
        "m": lambda rev: "HEAD" if rev in ("main", "master") else rev,  # the default branch has been renamed
        "n": lambda title: title.replace("%20", "-"),  # of a page of a wiki, for its id
        "g": lambda title: title.replace("-", " "),  # the same, for its label
    }
    return Table(read_rows("github")[0], filters)


def _find_artifact(parts: Url) -> Ref | None:
    """Return the artifact at an address of github.com or gist.github.com, by the table of its paths, or ``None``."""
    table = _load_github()
    match = table.match(parts)
    owner = parts.segments[0] if parts.segments else ""
    # Pages of GitHub itself are not an owner's, except the pages of organisations below /orgs/.
    if match is None or (owner.lower() in RESERVED and (owner, parts.host) != ("orgs", "github.com")):
        return None
    row, groups = match
    kind, id_, label, url = row.kind, *(table.fill(template, groups) for template in (row.id, row.label, row.page))
    login = groups.get("login", "").lower()
    if login in ORGANISATIONS:
        return make_page(f"github.com/{login}")
    if row.id.startswith("web:"):
        return None  # /orgs/ has no persons
    rev = readable(groups.get("rev", ""))
    if kind == "repo":
        rev = _ARCHIVE.sub("", rev)
    elif kind not in ("file", "folder"):
        rev = rev.lower()  # a commit, not a branch
    lines = _find_lines(parts) if kind in ("file", "folder") else ""
    if lines and kind == "folder":  # github.com shows a file under `/tree/` too
        kind, url = "file", url.replace("/tree/", "/blob/", 1)
    if kind == "web":
        choices = sorted((key, value.replace("%20", "+")) for key, value in parts.query if key in _CHOICES and value)
        query = "?" + "&".join(f"{key}={value}" for key, value in choices) if choices else ""
        id_, label, url = id_ + query, readable(label + query), url + query
    return Ref(kind, id_, label.strip(), url, _find_attrs(kind, id_, groups), rev=rev, lines=lines)


def _find_attrs(kind: str, id_: str, groups: dict[str, str]) -> Attrs:
    """Return the attributes of an artifact's node: ``repo``, and its ``number`` or ``path``, each as (name, value).

    Repositories, gists and persons have none.

    Args:
        kind: the kind of the artifact
        id_: its id, such as ``github:o/r#1``
        groups: the values that the pattern of its address found
    """
    if kind in ("repo", "gist", "person"):
        return ()
    repo = ("repo", "/".join(re.split("[/#@:]", id_.removeprefix("github:"))[:2]))
    if number := groups.get("number"):
        return (repo, ("number", int(number)))
    return (repo, ("path", readable(groups["path"]))) if kind in ("file", "folder") else (repo,)


def _find_lines(parts: Url) -> str:
    """Return the line numbers in an address of a file, as ``L5`` or ``L10-L20``; "" without any.

    They are in the fragment, or are a parameter of the query without a value, as source browsers write them.
    """
    for text in (unescape(parts.fragment), *(key for key, value in parts.query if not value)):
        if match := _LINES.match(text):
            first, last = sorted((int(match[1]), int(match[2] or match[1])))
            return f"L{first}" if first == last else f"L{first}-L{last}"
    return ""


@lru_cache(maxsize=4096)
def make_file_ref(repo: str, path: str, *, folder: bool = False) -> Ref:
    """Return the identity of a file or ``folder`` of a repository (``owner/name``), as its links have it."""
    ref = parse(f"https://github.com/{repo}/{'tree' if folder else 'blob'}/main/{path}")
    assert ref is not None
    return ref


def make_issue_ref(repo: str, number: str | int, kind: str = "issue") -> Ref:
    """Return the identity of an issue or a pull request (``kind``: ``issue`` or ``pull``) of ``repo`` (``owner/name``).

    The two share their numbers, so the id is the same; mentions of the same number decide which of the kinds it is.

    >>> make_issue_ref("PyTorch/pytorch", 12).id
    'github:pytorch/pytorch#12'
    """
    name, number = repo.lower(), int(number)
    url = f"https://github.com/{name}/{'pull' if kind == 'pull' else 'issues'}/{number}"
    return Ref(kind, f"github:{name}#{number}", f"{name}#{number}", url, (("repo", name), ("number", number)))
