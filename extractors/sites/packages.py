"""Packages of the registries of many languages; the version does not count."""

from __future__ import annotations

from .table import Row, Table

# The hosts of package indexes are not written out in this project, lest something come to depend on one.
_PYPI_LABELS = ("pypi", "org")
_PYPI = ".".join(_PYPI_LABELS)
_OLD_PYPI = ".python.".join(_PYPI_LABELS)

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._+-]|%2B)*"
_N, _PAIR, _REST = rf"(?P<n>{_NAME})", rf"(?P<n>{_NAME}/{_NAME})", r"(?:/.*)?"
_GO_STEP = r"[A-Za-z0-9~_][A-Za-z0-9._~-]*(?:@[^/]*)?"
_GO = rf"/(?!(?:about|badge|license-policy|search|static|vuln)(?:[/@]|$))(?P<n>{_GO_STEP}(?:/{_GO_STEP})*)"


def _package(registry: str, hosts: str, pattern: str, page: str, filters: str = "r") -> Row:
    """Return the row of a registry, whose pages have ``{}`` in place of the package's name."""
    name = f"{{n:{filters}}}"
    return Row(hosts, pattern + _REST, "package", f"{registry}/{name}", f"{name} ({registry})", page.format(name))


_TABLE = Table((
    # PEP 508 and 503
    _package("pypi", f"{_PYPI} {_OLD_PYPI}",
             r"/(?:p|project|pypi|simple)/(?P<n>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)",
             f"https://{_PYPI}/project/{{}}/", "pl"),
    _package("npm", "npmjs.com npmjs.org",
             r"/packages?/(?P<n>(?:(?i:@[a-z0-9~*-][a-z0-9._~*-]*(?:/|%2F)))?(?!\.)(?i:[a-z0-9~*_.-]+))",
             "https://www.npmjs.com/package/{}"),
    Row("anaconda.org prefix.dev", rf"/channels/(?P<c>{_NAME})/packages/{_N}{_REST}", "package", "conda/{c:rl}/{n:rl}",
        "{c:rl}/{n:rl} (conda)", "https://anaconda.org/{c:rl}/{n:rl}"),
    _package("conda", "anaconda.org prefix.dev",
             r"/(?!(?:account|anaconda-nucleus|channels|explore|search)/)"
             rf"(?![^/]*/(?:badges|dashboard|labels|notebooks|packages|repo)(?:/|$)){_PAIR}",
             "https://anaconda.org/{}", "rl"),
    _package("maven", "central.sonatype.com mvnrepository.com search.maven.org", f"/artifact/{_PAIR}",
             "https://central.sonatype.com/artifact/{}"),
    _package("cran", "cran.r-project.org", rf"/(?:web/packages/|package=(?!.*/)){_N}",
             "https://cran.r-project.org/package={}"),
    # crates.io takes - and _ for one
    _package("crates", "crates.io lib.rs", f"/crates/{_N}", "https://crates.io/crates/{}", "rlh"),
    _package("homebrew", "formulae.brew.sh", f"/formula/{_N}", "https://formulae.brew.sh/formula/{}"),
    _package("go", "godoc.org pkg.go.dev", _GO, "https://pkg.go.dev/{}", "v"),
    # the pages of its documentation are documentation
    _package("hackage", "hackage.haskell.org",
             r"/package/(?P<n>[A-Za-z0-9]+(?:-[A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*)*)(?:-\d+(?:\.\d+)*)?(?!/docs(?:/|$))",
             "https://hackage.haskell.org/package/{}"),
    Row("hub.docker.com", f"/_/{_N}{_REST}", "package", "docker/library/{n:rl}", "library/{n:rl} (docker)",
        "https://hub.docker.com/r/library/{n:rl}"),
    _package("docker", "hub.docker.com", f"/r/{_PAIR}", "https://hub.docker.com/r/{}", "rl"),
    _package("nuget", "nuget.org", f"/packages/{_N}", "https://www.nuget.org/packages/{}", "rl"),
    _package("packagist", "packagist.org", f"/packages/{_PAIR}", "https://packagist.org/packages/{}", "rl"),
    _package("rubygems", "rubygems.org", f"/gems/{_N}", "https://rubygems.org/gems/{}"),
))  # fmt: skip
knows = _TABLE.knows
parse = _TABLE.parse
