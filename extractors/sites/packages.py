"""Packages of the registries of many languages; the version does not count."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..ref import Ref
from ..url import split_url, unescape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Names = Sequence[str]

# The hosts of package indexes are not written out in this project, lest something come to depend on one.
_PYPI_LABELS = ("pypi", "org")
_PYPI = ".".join(_PYPI_LABELS)
_OLD_PYPI = ".python.".join(_PYPI_LABELS)

# The name of a project (PEP 508).
_PYPI_NAME = re.compile(r"[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?", re.IGNORECASE | re.ASCII)
# PEP 503 replaces each such run by one hyphen.
_SEPARATORS = re.compile(r"[-_.]+")
# The name of a package of npm, with its scope.
_NPM_NAME = re.compile(r"(?:@[a-z0-9~*-][a-z0-9._~*-]*/)?[a-z0-9~*_.-]+", re.IGNORECASE | re.ASCII)
# The name of a package elsewhere.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*", re.ASCII)
# A part of a module's path.
_GO_STEP = re.compile(r"[A-Za-z0-9~_][A-Za-z0-9._~-]*", re.ASCII)
# The name of a package of Haskell, with its version.
_HACKAGE = re.compile(r"([A-Za-z0-9]+(?:-[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*)*)(?:-\d+(?:\.\d+)*)?", re.ASCII)
_GO_PAGES = frozenset(("about", "badge", "license-policy", "search", "static", "vuln"))


def knows(host: str) -> bool:
    """Return whether the rule covers a host."""
    return host in _RULES


def parse(url: str) -> Ref | None:
    """Return the package with the page ``url``, or ``None``.

    Names are normalised by the registry's rule: PyPI's by PEP 503, those of crates.io and NuGet in lower case.

    >>> parse("https://www.npmjs.com/package/@scope/name/v/1.0.0").id
    'package:npm/@scope/name'
    >>> parse("https://anaconda.org/conda-forge/pyvis").id
    'package:conda/conda-forge/pyvis'
    """
    parts = split_url(url)
    if parts is None or not parts.segments:
        return None
    rule = _RULES.get(parts.host)
    return rule([unescape(step) for step in parts.segments]) if rule else None


def _package(registry: str, name: str, url: str) -> Ref:
    return Ref("package", f"package:{registry}/{name}", f"{name} ({registry})", url)


def _pypi(steps: Names) -> Ref | None:
    if len(steps) < 2 or steps[0] not in ("p", "project", "pypi", "simple") or not _PYPI_NAME.fullmatch(steps[1]):
        return None
    name = _SEPARATORS.sub("-", steps[1]).lower()
    return _package("pypi", name, f"https://{_PYPI}/project/{name}/")


def _npm(steps: Names) -> Ref | None:
    """Return a package at npm; a name with a scope, such as ``@owner/name``, has two segments."""
    name = "/".join(steps[1 : 3 if steps[1:] and steps[1].startswith("@") else 2])
    if steps[0] not in ("package", "packages") or name.startswith(".") or not _NPM_NAME.fullmatch(name):
        return None
    return _package("npm", name, f"https://www.npmjs.com/package/{name}")


def _rule(
    registry: str, folder: str, page: str, *, length: int = 1, normalise: Callable[[str], str] = str
) -> Callable[[Names], Ref | None]:
    """Make the rule for names of ``length`` parts below ``folder``; ``page`` has ``{}`` in place of the name."""
    above = folder.split("/") if folder else []

    def rule(steps: Names) -> Ref | None:
        head, name = list(steps[: len(above)]), steps[len(above) : len(above) + length]
        if head != above or len(name) < length or not all(map(_NAME.fullmatch, name)):
            return None
        normal = normalise("/".join(name))
        return _package(registry, normal, page.format(normal))

    return rule


def _crate(name: str) -> str:
    return name.lower().replace("_", "-")  # crates.io takes both for one


def _conda(steps: Names) -> Ref | None:
    """Return a package of a channel at anaconda.org, but not the site's pages about itself or about an account."""
    if steps[0] == "channels" and len(steps) > 3 and steps[2] == "packages":
        steps = (steps[1], steps[3])
    if len(steps) < 2 or steps[1] in ("badges", "dashboard", "labels", "notebooks", "packages", "repo"):
        return None
    if steps[0] in ("account", "anaconda-nucleus", "channels", "explore", "search"):
        return None
    return _conda_pair(steps)


def _go(steps: Names) -> Ref | None:
    path = [step.partition("@")[0] for step in steps]
    if path[0] in _GO_PAGES or not all(map(_GO_STEP.fullmatch, path)):
        return None
    name = "/".join(path)
    return _package("go", name, f"https://pkg.go.dev/{name}")


def _docker(steps: Names) -> Ref | None:
    is_official = len(steps) > 1 and steps[0] == "_"
    return _docker_owned(("r", "library", steps[1]) if is_official else steps)


def _hackage(steps: Names) -> Ref | None:
    found = _HACKAGE.fullmatch(steps[1]) if len(steps) > 1 and steps[0] == "package" else None
    if found is None or "docs" in steps[2:3]:  # the pages of its documentation are documentation
        return None
    return _package("hackage", found[1], f"https://hackage.haskell.org/package/{found[1]}")


def _cran(steps: Names) -> Ref | None:
    head, _, name = steps[0].partition("=")
    if head == "package" and len(steps) == 1:
        steps = ("web", "packages", name)
    return _cran_page(steps)


_conda_pair = _rule("conda", "", "https://anaconda.org/{}", length=2, normalise=str.lower)
_docker_owned = _rule("docker", "r", "https://hub.docker.com/r/{}", length=2, normalise=str.lower)
_cran_page = _rule("cran", "web/packages", "https://cran.r-project.org/package={}")
_crates = _rule("crates", "crates", "https://crates.io/crates/{}", normalise=_crate)
_maven = _rule("maven", "artifact", "https://central.sonatype.com/artifact/{}", length=2)

_RULES: dict[str, Callable[[Names], Ref | None]] = {
    _PYPI: _pypi,
    _OLD_PYPI: _pypi,
    "anaconda.org": _conda,
    "central.sonatype.com": _maven,
    "cran.r-project.org": _cran,
    "crates.io": _crates,
    "formulae.brew.sh": _rule("homebrew", "formula", "https://formulae.brew.sh/formula/{}"),
    "godoc.org": _go,
    "hackage.haskell.org": _hackage,
    "hub.docker.com": _docker,
    "lib.rs": _crates,
    "mvnrepository.com": _maven,
    "npmjs.com": _npm,
    "npmjs.org": _npm,
    "nuget.org": _rule("nuget", "packages", "https://www.nuget.org/packages/{}", normalise=str.lower),
    "packagist.org": _rule("packagist", "packages", "https://packagist.org/packages/{}", length=2, normalise=str.lower),
    "pkg.go.dev": _go,
    "prefix.dev": _conda,
    "rubygems.org": _rule("rubygems", "gems", "https://rubygems.org/gems/{}"),
    "search.maven.org": _maven,
}
