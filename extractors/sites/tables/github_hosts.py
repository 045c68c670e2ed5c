"""Other hosts with the content of github.com: each translates its address into a path of github.com."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...url import Url

    Path = Sequence[str]

GISTS = "gist.github.com"  # the first segment of a translated path that does not exist on github.com itself


def _same(parts: Url) -> Path:
    return parts.segments


def _behind(*prefix: str) -> Callable[[Url], Path]:
    """Return the translation of a host that puts ``prefix`` before github.com's own path."""
    size = len(prefix)
    return lambda parts: parts.segments[size:] if parts.segments[:size] == prefix else ()


def _raw(parts: Url) -> Path:
    match parts.segments:
        case ["wiki", owner, repo, page, *_]:
            return (owner, repo, "wiki", page.removesuffix(".md"))
        case [owner, repo]:
            return (owner, repo)
        case [owner, repo, *rest]:
            return (owner, repo, "raw", *rest)
    return ()


def _media(parts: Url) -> Path:
    match parts.segments:
        case ["media", owner, repo, *rest] if rest:
            return (owner, repo, "raw", *rest)
    return ()


def _gist(parts: Url) -> Path:
    return (GISTS, *parts.segments)


def _api(parts: Url) -> Path:
    match parts.segments:
        case ["repos", owner, repo, *rest]:
            return _api_of_repo(owner, repo, rest, parts)
        case ["users" | "orgs", name]:
            return (name,)
        case ["gists", name, *rest]:
            return (GISTS, name, *rest)
    return ()


def _api_of_repo(owner: str, repo: str, rest: Path, parts: Url) -> Path:
    """Return the path of the page for an address of the REST API below ``/repos/<owner>/<repo>``."""
    match rest:
        case [] | ["readme" | "zipball" | "tarball", *_]:
            return (owner, repo)
        case ["commits", sha, *_] | ["git", "commits", sha]:
            return (owner, repo, "commit", sha)
        case ["contents", *path]:
            return _blob(owner, repo, parts.get("ref"), path)
        case ["git", "trees", ref] | ["branches", ref]:
            return (owner, repo, "tree", ref)
        case ["releases", "tags", tag]:
            return (owner, repo, "releases", "tag", tag)
        case ["issues" | "pulls", "comments", *_]:  # one comment of an issue that is not named
            return ()
        case ["actions" | "compare" | "discussions" | "issues" | "pulls" | "releases", *_]:
            return (owner, repo, *rest)
    return ()


def _blob(owner: str, repo: str, ref: str, path: Path) -> Path:
    """Return the path of a file at a ref, of the folder without a path, of the repository without either."""
    # A ref in the query is one segment, even with slashes.
    ref = ref.replace("/", "%2F").replace("?", "%3F")
    if path:
        return (owner, repo, "blob", ref or "HEAD", *path)
    return (owner, repo, "tree", ref) if ref else (owner, repo)


def _jsdelivr(parts: Url) -> Path:
    match parts.segments:
        case ["gh", owner, repo, *path]:
            repo, _, ref = repo.partition("@")
            return _blob(owner, repo, ref, path)
    return ()


def _colab(parts: Url) -> Path:
    match parts.segments:
        case ["github", *path]:
            return path
        case ["gist", *path]:
            return (GISTS, *path)
    return ()


def _binder(parts: Url) -> Path:
    """Return the path of a notebook at mybinder.org, whose query names the file in the repository."""
    match parts.segments:
        case ["v2", "gh", owner, repo, ref, *_]:
            path = (parts.get("filepath") or parts.get("labpath")).replace("%2F", "/").replace("?", "%3F")
            return _blob(owner, repo, ref, [part for part in path.split("/") if part])
        case ["v2", "gist", *path]:
            return (GISTS, *path)
    return ()


def _hud(parts: Url) -> Path:
    match parts.segments:
        case ["pr", number]:
            return ("pytorch", "pytorch", "pull", number)
        case ["pr", owner, repo, number]:
            return (owner, repo, "pull", number)
        case [owner, repo, ("pull" | "commit") as word, what, *_]:
            return (owner, repo, word, what)
    return ()


def _review(parts: Url) -> Path:
    match parts.segments:
        case ["reviews", owner, repo, number, *_] | ["github", "pr", owner, repo, number, *_]:
            return (owner, repo, "pull", number)
    return ()


def _sourcegraph(parts: Url) -> Path:
    match parts.segments:
        case ["github.com", owner, repo, "-", ("blob" | "tree") as word, *path]:
            repo, _, ref = repo.partition("@")
            return (owner, repo, word, ref or "HEAD", *path)
        case ["github.com", owner, repo]:
            return (owner, repo.partition("@")[0])
    return ()


HOSTS: dict[str, Callable[[Url], Path]] = {
    **dict.fromkeys(("redirect.github.com", "github.dev", "github1s.com"), _same),
    **dict.fromkeys(("codespaces.new", "codeload.github.com"), _same),
    **dict.fromkeys(("raw.githubusercontent.com", "raw.github.com", "rawgit.com", "cdn.rawgit.com"), _raw),
    **dict.fromkeys(("raw.githack.com", "rawcdn.githack.com"), _raw),
    "media.githubusercontent.com": _media,
    "patch-diff.githubusercontent.com": _behind("raw"),
    **dict.fromkeys(("gist.github.com", "gist.githubusercontent.com"), _gist),
    "api.github.com": _api,
    "cdn.jsdelivr.net": _jsdelivr,
    **dict.fromkeys(("vscode.dev", "insiders.vscode.dev"), _behind("github")),
    **dict.fromkeys(("colab.research.google.com", "nbviewer.org", "nbviewer.jupyter.org"), _colab),
    "nbviewer.ipython.org": _colab,
    "mybinder.org": _binder,
    "hud.pytorch.org": _hud,
    **dict.fromkeys(("reviewable.io", "app.graphite.dev", "graphite.dev"), _review),
    "sourcegraph.com": _sourcegraph,
}
