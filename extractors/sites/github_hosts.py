"""Other hosts with the content of github.com: each form of their addresses, and the path at github.com."""

from __future__ import annotations

from .table import Row, Table, query

GISTS = "gist.github.com"  # the first segment of a translated path that does not exist on github.com itself

_REPO = "(?P<o>[^/]+)/(?P<r>[^/]+)"
_REPO_REF = "(?P<o>[^/]+)/(?P<r>[^/@]+)(?:@(?P<ref>[^/]*))?"
_PATH = "(?P<path>.+)"
_API = f"/repos/{_REPO}"
# A file at a ref, the folder without a path, the repository without either. A ref in a query is one segment.
_BLOB = "{o}/{r}/blob/{ref:f}/{path} | {o}/{r}/blob/HEAD/{path} | {o}/{r}/tree/{ref:f} | {o}/{r}"
_RAW = "raw.githubusercontent.com raw.github.com rawgit.com cdn.rawgit.com raw.githack.com rawcdn.githack.com"
_NOTEBOOKS = "colab.research.google.com nbviewer.org nbviewer.jupyter.org nbviewer.ipython.org"
_BINDER = f"/v2/gh/{_REPO}/(?P<ref>[^/?]+)(?:/[^?]*)?"


def _row(hosts: str, pattern: str, path: str) -> Row:
    return Row(hosts, pattern, "", path)


HOSTS = Table((
    _row("redirect.github.com togithub.com github.dev github1s.com codespaces.new codeload.github.com", f"/{_PATH}",
         "{path}"),
    _row(_RAW, rf"/wiki/{_REPO}/(?P<page>[^/]+?)(?:\.md)?(?:/.*)?", "{o}/{r}/wiki/{page}"),
    _row(_RAW, f"/{_REPO}(?:/{_PATH})?", "{o}/{r}/raw/{path} | {o}/{r}"),
    _row("media.githubusercontent.com", f"/media/{_REPO}/{_PATH}", "{o}/{r}/raw/{path}"),
    _row("patch-diff.githubusercontent.com", f"/raw/{_PATH}", "{path}"),
    _row("gist.github.com gist.githubusercontent.com", f"/{_PATH}", GISTS + "/{path}"),
    _row("api.github.com", rf"{_API}(?:/(?:readme|zipball|tarball)(?:/.*)?)?", "{o}/{r}"),
    _row("api.github.com", rf"{_API}/commits/(?P<sha>[^/]+)(?:/.*)?", "{o}/{r}/commit/{sha}"),
    _row("api.github.com", rf"{_API}/git/commits/(?P<sha>[^/]+)", "{o}/{r}/commit/{sha}"),
    _row("api.github.com", rf"{_API}/contents(?:/(?P<path>[^?]+))?{query('ref', '(?P<ref>[^&]+)')}", _BLOB),
    _row("api.github.com", rf"{_API}/contents(?:/{_PATH})?", _BLOB),
    _row("api.github.com", rf"{_API}/(?:git/trees|branches)/(?P<ref>[^/]+)", "{o}/{r}/tree/{ref}"),
    _row("api.github.com", rf"{_API}/releases/tags/(?P<tag>[^/]+)", "{o}/{r}/releases/tag/{tag}"),
    # not one comment of an issue that is not named
    _row("api.github.com", rf"{_API}/(?!(?:issues|pulls)/comments(?:/|\Z))"
         r"(?P<path>(?:actions|compare|discussions|issues|pulls|releases)(?:/.*)?)", "{o}/{r}/{path}"),
    _row("api.github.com", "/(?:users|orgs)/(?P<path>[^/]+)", "{path}"),
    _row("api.github.com", f"/gists/{_PATH}", GISTS + "/{path}"),
    _row("cdn.jsdelivr.net", rf"/gh/{_REPO_REF}(?:/{_PATH})?", _BLOB),
    _row(f"vscode.dev insiders.vscode.dev {_NOTEBOOKS}", f"/github/{_PATH}", "{path}"),
    _row(_NOTEBOOKS, f"/gist/{_PATH}", GISTS + "/{path}"),
    _row("mybinder.org", _BINDER + query("(?:file|lab)path", "(?P<path>[^&]+)"), _BLOB.replace("{path}", "{path:d}")),
    _row("mybinder.org", _BINDER, _BLOB),
    _row("mybinder.org", f"/v2/gist/{_PATH}", GISTS + "/{path}"),
    _row("hud.pytorch.org", "/pr/(?P<n>[^/]+)", "pytorch/pytorch/pull/{n}"),
    _row("hud.pytorch.org", f"/pr/{_REPO}/(?P<n>[^/]+)", "{o}/{r}/pull/{n}"),
    _row("hud.pytorch.org", f"/{_REPO}/(?P<path>(?:pull|commit)/[^/]+)(?:/.*)?", "{o}/{r}/{path}"),
    _row("reviewable.io app.graphite.dev graphite.dev", rf"/(?:reviews|github/pr)/{_REPO}/(?P<n>[^/]+)(?:/.*)?",
         "{o}/{r}/pull/{n}"),
    _row("sourcegraph.com", rf"/github\.com/{_REPO_REF}/-/(?P<word>blob|tree)(?:/(?P<path>.+))?",
         "{o}/{r}/{word}/{ref}/{path} | {o}/{r}/{word}/HEAD/{path}"),
    _row("sourcegraph.com", rf"/github\.com/{_REPO_REF}", "{o}/{r}"),
), {
    "f": lambda ref: ref.replace("/", "%2F").replace("?", "%3F"),
    "d": lambda path: path.replace("%2F", "/").replace("?", "%3F"),
})  # fmt: skip
