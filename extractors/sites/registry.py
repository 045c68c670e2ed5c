"""The site rules in their order, and the identification of a URL by them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from typing import NamedTuple, TypeAlias

from ..ref import Ref
from ..url import host_of
from .redirects import unwrap

Parser: TypeAlias = Callable[[str], Ref | None]

# The families of sites in their order: a module with a function `parse`, or else a table of this name.
FAMILIES = tuple("github forums papers videos questions packages docs blogs podcasts social web".split())
_MODULES = frozenset(("github", "papers", "docs", "blogs", "web"))
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*")  # without scheme, port and path


@cache
def find_parser(family: str) -> Parser:
    """Return the function that parses the addresses of a family of sites (``github``, ``papers``, …).

    It is loaded from the family's module, or from its table in ``tables/``. Families are loaded one by one, because
    most questions need few of them.
    """
    if family in _MODULES:
        parse: Parser = import_module(f"{__package__}.{family}").parse
        return parse
    from .table import load_table  # noqa: PLC0415

    return load_table(family).parse


class Identity(NamedTuple):
    """The artifact at an address: the name of the ``site`` rule that recognises the address, and the reference."""

    site: str
    ref: Ref


class _PackageRule(NamedTuple):
    """The site rule of an installed package, and its hosts (empty: all hosts)."""

    name: str
    parse: Parser
    hosts: tuple[str, ...]


_package_rules: list[_PackageRule] = []


def load_sites() -> None:
    """Load the site rules of installed packages (entry points ``podgraph.sites``), for use by ``identify``.

    A rule is a function ``parse(url) -> Ref | None``. One with the attribute ``hosts`` comes before all built-in rules,
    for URLs of these hosts and their subdomains. One without comes after the built-in rules, before the rule for all
    pages. Several rules are sorted by name. Builds call this, queries never. A rule that cannot be loaded is skipped
    with a warning.
    """
    from ..plugins import SITES, load_plugins  # noqa: PLC0415 - only builds need it

    identify.cache_clear()
    rules = load_plugins(SITES, find_site_problem)
    functions = [(name, rule) for name, rule in rules if callable(rule)]
    _package_rules[:] = [_PackageRule(name, _make_safe(name, rule), hosts_of(rule)) for name, rule in functions]


def find_site_problem(rule: object) -> str:
    """Return the problem of a site rule that a package has registered, "" if it is valid.

    A valid rule is a function; its attribute ``hosts``, if it has one, is a tuple of names such as ``example.org``.
    """
    if not callable(rule):
        return "the site rule is not a function"
    hosts = getattr(rule, "hosts", ())
    if isinstance(hosts, (tuple, list)) and all(isinstance(host, str) and _HOST.fullmatch(host) for host in hosts):
        return ""
    return f"the hosts of the site rule are {hosts!r} and not a tuple of names"


def hosts_of(rule: object) -> tuple[str, ...]:
    """Return the hosts of a package's site rule; empty for a rule without hosts.

    They are in lower-case ASCII and without ``www.``, as ``Url.host`` is.
    """
    return tuple(host_of(f"https://{host}") for host in getattr(rule, "hosts", ()))


def _make_safe(name: str, rule: Callable[[str], object]) -> Parser:
    """Return a parser that calls a package's rule and never fails.

    Exceptions, results that are neither ``Ref`` nor ``None``, and calls that take too long are reported as warnings,
    and count as ``None``. ``name`` is the rule's name in warnings.
    """
    from ..plugins import FAILURES, SITES, call_in_time, report_fault  # noqa: PLC0415

    def parse(url: str) -> Ref | None:
        """Return the reference that the package's rule gives for a URL, or ``None``."""
        try:
            ref = call_in_time(rule, url)
        except FAILURES as error:
            report_fault(SITES, name, rule, error, url)
            return None
        # The first three fields are required: kind, id and label.
        if ref is None or (isinstance(ref, Ref) and all(isinstance(text, str) and text for text in ref[:3])):
            return ref
        problem = f"gives {type(ref).__name__} and no Ref with kind, id and label"
        report_fault(SITES, name, rule, problem, url)
        return None

    return parse


@lru_cache(maxsize=1024)
def _list_families(host: str) -> list[str]:
    """Return the families of sites that may have a rule for ``host``: those with code, and tables with rows for it."""
    from .table import load_table  # noqa: PLC0415

    return [family for family in FAMILIES if family in _MODULES or load_table(family).has_host(host)]


@lru_cache(maxsize=8192)  # links recur: in other episodes, and in each step of a build
def identify(url: str) -> Identity | None:
    """Return the artifact at ``url``, and the name of the site rule that recognises the URL.

    ``url`` is absolute: http(s), or one of git's own spellings (``git@github.com:o/r.git``); others give ``None``.
    Redirects that contain their target are resolved first. The first rule that recognises the URL counts; ``web``
    recognises every http(s) URL. Ids and labels are always printable text.

    >>> identity = identify("https://github.com/pytorch/pytorch/issues/1#issuecomment-2")
    >>> identity.site, identity.ref.id
    ('github', 'github:pytorch/pytorch#1')
    >>> identify("mailto:someone@example.org") is None
    True
    """
    url = unwrap(url)
    host = host_of(url)
    for rule in _package_rules:
        # No host ends with an empty tuple: a rule without hosts comes later.
        is_of_host = f".{host}".endswith(tuple(f".{name}" for name in rule.hosts))
        if is_of_host and (ref := _parse_printable(rule.parse, url)):
            return Identity(rule.name, ref)
    for family in _list_families(host):
        if family == "web":
            for rule in _package_rules:
                if not rule.hosts and (ref := _parse_printable(rule.parse, url)):
                    return Identity(rule.name, ref)
        if ref := _parse_printable(find_parser(family), url):
            return Identity(family, ref)
    return None


def _parse_printable(parse: Parser, url: str) -> Ref | None:
    """Return the reference that ``parse`` gives for a URL, with a printable label; ``None`` if it gives none.

    Characters of the label that do not print become spaces; a reference with an id that does not print is ``None``,
    too.
    """
    ref = parse(url)
    if ref is None or not ref.id.isprintable():
        return None
    if ref.label.isprintable():
        return ref
    label = "".join(char if char.isprintable() else " " for char in ref.label)
    return ref._replace(label=" ".join(label.split()))
