"""GitHub: repositories and their content, from the many addresses of the same artifact.

The paths are those in links of github.com's own pages; the table ``mirrors`` lists other hosts with the same
content. Owner and repository ignore case; paths in a repository do not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..ref import Ref
from ..url import split_url, unescape
from .github_refs import split_ref
from .table import load_table
from .tables.github_names import ORGANISATIONS, is_login, is_repo, is_repo_path
from .web import page, readable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..url import Url

# The begin of an address as git writes them, up to the repository.
_GIT = re.compile(
    r"\s*(?:git\+|scm:git:)?(?:(?:ssh|git|https?)://)?(?:git@)?(?:ssh\.)?((?:gist\.)?github\.com)"
    r"(?::\d+(?=/))?[:/]",
    re.IGNORECASE,
)
# A commit's name, whole or short.
_SHA = re.compile(r"[0-9A-Fa-f]{7,40}")
# The number of a gist, new and old.
_GIST = re.compile(r"[0-9A-Fa-f]{20,40}|\d{1,9}")
# One or two line numbers, with or without columns.
_LINES = re.compile(r"L(\d{1,9})(?:C\d{1,9})?(?:-L?(\d{1,9})(?:C\d{1,9})?)?(?![\w-])", re.IGNORECASE)
# Suffixes of a page's patch view.
_PATCH = re.compile(r"\.(?:atom|diff|patch)\Z")
# The end of an archive's name.
_ARCHIVE = re.compile(r"\.(?:zip|tar\.gz|tgz|tar\.bz2)\Z")
# Tabs of an account's page.
_ACCOUNT_FILE = re.compile(r"\.(?:png|keys|gpg|atom)\Z")
# Query parameters that filter a list, and so make it another list.
_CHOICES = """
assignee author branch creator discussions_q event labels language mentioned milestone name q query since
state until workflow
"""
_CHOICE = frozenset(_CHOICES.split())


def parse(url: str) -> Ref | None:
    """Identify the artifact at a GitHub URL; ``None`` for other sites and for GitHub's pages about itself.

    Understands github.com, its API, raw, gist and archive hosts, mirrors and viewers of them, and git's own
    spellings (``git@github.com:o/r.git``). The branch and the line numbers come as ``rev`` and ``lines``.

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
    if parts.host == "github.com":
        return _identify(parts.segments, parts)
    mirrors = load_table("mirrors")
    found = mirrors.match(parts)
    if found is None:
        return None
    row, groups = found
    path = mirrors.fill(row.id, groups).split("/")
    return _identify([segment for segment in path if segment], parts)


def _identify(path: Sequence[str], parts: Url) -> Ref | None:
    """Return the artifact at a path of github.com, or ``None``.

    A community discussion counts as one of the repository ``community/community``, a wiki's repository as the wiki.
    """
    match path:
        case [host, *rest] if host == "gist.github.com":
            return _gist(rest)
        case ["orgs", "community", "discussions", *rest]:
            return _identify(("community", "community", "discussions", *rest), parts)
        case ["orgs", name] if name.lower() in ORGANISATIONS:
            return _account(name)
        case [name] | [name, "followers" | "following"]:
            return _account(_ACCOUNT_FILE.sub("", name))
        case [owner, repo, *rest] if is_login(owner):
            repo, _, rev = repo.partition("@")
            if repo.endswith((".wiki", ".wiki.git")):
                repo, rest = repo.removesuffix(".git").removesuffix(".wiki"), ["wiki", *rest]
            repo = repo.removesuffix(".git")
            if not is_repo(repo):
                return None
            name = f"{owner}/{repo}".lower()
            return _repo(name, "/".join([rev, *rest])) if rev else _page(name, rest, parts)
    return None


def _account(login: str) -> Ref | None:
    """Return an account at GitHub: an organisation is a page, everybody else a person."""
    name = login.lower()
    if name in ORGANISATIONS:
        return page(f"github.com/{name}")
    return Ref("person", f"person:{name}", name, f"https://github.com/{name}") if is_login(name) else None


def _gist(path: Sequence[str]) -> Ref | None:
    """Return the gist at a path: ``<owner>/<number>``, ``<number>.git``, ``<number>/raw/<commit>/<file>``."""
    for index, segment in enumerate(path[:2]):
        name = segment.removesuffix(".git").removesuffix(".js").removesuffix(".json")
        if _GIST.fullmatch(name):
            rest = [part for part in path[index + 1 :] if part != "raw"]
            rev = rest[0].lower() if rest and _SHA.fullmatch(rest[0]) else ""
            name = name.lower()
            return Ref("gist", f"gist:{name}", f"gist {name[:8]}", f"https://gist.github.com/{name}", rev=rev)
    return None


def _page(name: str, rest: Sequence[str], parts: Url) -> Ref:  # noqa: C901
    """Identify the artifact at the path ``rest`` in the repository ``name``."""
    match rest:
        case []:
            return _repo(name)
        case [("pull" | "pulls" | "issues") as word, text, *tail] if number := _number(text):
            kind = "issue" if word == "issues" else "pull"
            rev = tail[1] if len(tail) > 1 and tail[0] == "commits" and _SHA.fullmatch(tail[1]) else ""
            return _numbered(kind, name, number, rev.lower())
        case ["commit", sha, *_] if _SHA.fullmatch(sha := _PATCH.sub("", sha)):
            return _commit(name, sha)
        case ["commits", sha] if len(sha) == 40 and _SHA.fullmatch(sha):
            return _commit(name, sha)
        case ["tree" | "find" | "blob" | "raw" | "blame" | "edit" | "commits", *ref] if not is_repo_path("/".join(ref)):
            return _list(name, rest, parts)
        case ["commits", *ref] if not any(parts.get(key) for key in ("author", "since", "until")):
            ref = [*ref[:-1], ref[-1].removesuffix(".atom")] if ref else []
            return _at("file", name, split_ref(name, ref), parts)
        case ["tree" | "find", *ref] if ref:
            return _at("folder", name, split_ref(name, ref), parts)
        case ["blob" | "raw" | "blame" | "edit", *ref] if ref:
            return _at("file", name, split_ref(name, ref, with_path=True), parts)
        case ["archive" | "zipball" | "tarball" | "zip" | "tar.gz" | "legacy.zip" | "legacy.tar.gz", *ref] if ref:
            return _repo(name, _ARCHIVE.sub("", "/".join(split_ref(name, ref)[0])))
        case ["releases", "tag" | "edit" | "expanded_assets", *tag] if tag:
            return _release(name, tag)
        case ["releases", "download", *tag, _] if tag:
            return _release(name, tag)
        case ["wiki", *pages]:
            return _wiki(name, pages)
        case ["compare", *spec] if spec:
            raw = _PATCH.sub("", "/".join(spec))
            return _part("compare", name, f"compare/{readable(raw)}", f"compare/{raw}", f"{name} {readable(raw)}")
        case ["discussions", text, *_] if number := _number(text):
            path = f"discussions/{number}"
            url = f"https://github.com/{name}/{path}"
            attrs = (("repo", name), ("number", number))
            return Ref("discussion", f"github:{name}/{path}", f"{name}/{path}", url, attrs)
    return _list(name, rest, parts)


def _repo(name: str, rev: str = "") -> Ref:
    return Ref("repo", f"github:{name}", name, f"https://github.com/{name}", rev=readable(rev))


def _numbered(kind: str, name: str, number: int, rev: str = "") -> Ref:
    path = "issues" if kind == "issue" else "pull"
    label = f"{name}#{number}"
    attrs = (("repo", name), ("number", number))
    return Ref(kind, f"github:{label}", label, f"https://github.com/{name}/{path}/{number}", attrs, rev=rev)


def _commit(name: str, sha: str) -> Ref:
    sha = sha.lower()
    url = f"https://github.com/{name}/commit/{sha}"
    return Ref("commit", f"github:{name}@{sha}", f"{name}@{sha[:10]}", url, (("repo", name),))


def _at(kind: str, name: str, place: tuple[Sequence[str], Sequence[str]], parts: Url) -> Ref:
    """Identify a file or folder, or the whole repository, at a ref and a path."""
    rev, raw_path = place
    path = readable("/".join(raw_path)).strip("/")
    if not path:
        return _repo(name, "/".join(rev))
    lines = _lines(parts)
    if lines:
        kind = "file"  # github.com shows a file under `/tree/` too
    here = "HEAD" if rev in (("main",), ("master",)) else "/".join(rev)  # the default branch has been renamed
    url = f"https://github.com/{name}/{'tree' if kind == 'folder' else 'blob'}/{here}/{'/'.join(raw_path)}"
    attrs = (("repo", name), ("path", path))
    label = f"{name}:{path}"
    return Ref(kind, f"github:{label}", label, url, attrs, rev=readable("/".join(rev)), lines=lines)


def _lines(parts: Url) -> str:
    """Return ``L10-L20`` or ``L5`` of a fragment, or of a query as source browsers write it."""
    for text in (unescape(parts.fragment), *(key for key, value in parts.query if not value)):
        if text and (match := _LINES.match(text)):
            first, last = sorted((int(match[1]), int(match[2] or match[1])))
            return f"L{first}" if first == last else f"L{first}-L{last}"
    return ""


def _release(name: str, tag: Sequence[str]) -> Ref:
    raw = "/".join(tag)
    return _part("release", name, f"releases/{readable(raw)}", f"releases/tag/{raw}", f"{name} {readable(raw)}")


def _wiki(name: str, pages: Sequence[str]) -> Ref:
    """Return a page of a wiki, whose address has a hyphen for each space in the title."""
    title = readable(pages[0].replace("%20", "-")) if pages else "Home"
    path = "wiki" if title == "Home" else f"wiki/{pages[0].replace('%20', '-')}"
    return _part("wiki", name, f"wiki/{title}", path, f"{name} wiki: {title.replace('-', ' ')}")


def _part(kind: str, name: str, tail: str, path: str, label: str) -> Ref:
    return Ref(kind, f"github:{name}/{tail}", label.strip(), f"https://github.com/{name}/{path}", (("repo", name),))


def _list(name: str, rest: Sequence[str], parts: Url) -> Ref:
    """Identify a page about the repository that has no kind of its own: a list, a run, a setting."""
    match unescape(parts.get("issue")).split("|"):  # an issue opened beside the list
        case [owner, repo, number] if is_login(owner) and is_repo(repo) and _number(number):
            return _numbered("issue", f"{owner}/{repo}".lower(), _number(number))
    path = "/".join(rest).removesuffix(".atom")
    chosen = sorted((key, value.replace("%20", "+")) for key, value in parts.query if key in _CHOICE and value)
    query = "?" + "&".join(f"{key}={value}" for key, value in chosen) if chosen else ""
    return _part("web", name, readable(path) + query, path + query, f"{name}/{readable(path + query)}")


def _number(text: str) -> int:
    """Return the number of an issue or pull request, or 0."""
    digits = _PATCH.sub("", text.partition("%23")[0])
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 10 else 0
