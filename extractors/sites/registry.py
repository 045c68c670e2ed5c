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
    """Return the parser of the addresses of a family of sites (``github``); most questions need few of them.

    It is loaded from the family's module or, without one, from its table in ``tables/``.
    """
    if family in _MODULES:
        parse: Parser = import_module(f"{__package__}.{family}").parse
        return parse
    from .table import load_table  # noqa: PLC0415

    return load_table(family).parse


class _PackageRule(NamedTuple):
    """A rule of an installed package, and its hosts (none: all)."""

    name: str
    parse: Parser
    hosts: tuple[str, ...]


_package_rules: list[_PackageRule] = []


def load_sites() -> None:
    """Load the rules of installed packages (entry points ``podgraph.sites``), for use by ``identify``.

    A rule is ``parse(url) -> Ref | None``. One with the attribute ``hosts`` comes before all built-in rules, for
    URLs of these hosts and their subdomains. One without comes after the built-in rules, before the rule for
    all pages. Several rules are sorted by name. Builds call this, queries never. A rule that
    cannot be loaded is skipped with a warning (``rule_plugins``).
    """
    from ..plugins import SITES, load_plugins  # noqa: PLC0415 - only builds need it

    identify.cache_clear()
    rules = load_plugins(SITES, problem_of_site)
    functions = [(name, rule) for name, rule in rules if callable(rule)]
    _package_rules[:] = [_PackageRule(name, _guard(name, rule), hosts_of(rule)) for name, rule in functions]


def problem_of_site(rule: object) -> str:
    """Return the error in the object of an entry point of ``podgraph.sites``, "" without one."""
    if not callable(rule):
        return "the site rule is not a function"
    hosts = getattr(rule, "hosts", ())
    if isinstance(hosts, (tuple, list)) and all(isinstance(host, str) and _HOST.fullmatch(host) for host in hosts):
        return ""
    return f"the hosts of the site rule are {hosts!r} and not a tuple of names"


def hosts_of(rule: object) -> tuple[str, ...]:
    """Return the normalised hosts of a package's rule; an empty result for a rule without hosts."""
    return tuple(host_of(f"https://{host}") for host in getattr(rule, "hosts", ()))


def _guard(name: str, rule: Callable[[str], object]) -> Parser:
    """Wrap a package's rule: its exceptions, and results that are neither ``Ref`` nor ``None``, count as none."""
    from ..plugins import FAILURES, SITES, call_in_time, complain_of  # noqa: PLC0415

    def parse(url: str) -> Ref | None:
        """Return the result of the package's rule; report its exceptions and wrong results, which count as ``None``."""
        try:
            ref = call_in_time(rule, url)
        except FAILURES as error:
            complain_of(SITES, name, rule, error, url)
            return None
        if ref is None or (isinstance(ref, Ref) and all(isinstance(text, str) and text for text in ref[:3])):
            return ref
        problem = f"gives {type(ref).__name__} and no Ref with kind, id and label"
        complain_of(SITES, name, rule, problem, url)
        return None

    return parse


@lru_cache(maxsize=1024)
def _families_of(host: str) -> list[str]:
    """Return the families of sites that may have a rule for ``host``: a table without its rows has none."""
    from .table import load_table  # noqa: PLC0415

    return [family for family in FAMILIES if family in _MODULES or load_table(family).knows(host)]


@lru_cache(maxsize=8192)  # links recur: in other episodes, and in each step of a build
def identify(url: str) -> tuple[str, Ref] | None:
    """Return the name of the site rule that recognises ``url``, and the rule's reference.

    ``url`` is absolute, http(s) or one of git's own spellings; redirects that contain their target are resolved
    first. The first rule that recognises the URL wins; ``web`` recognises every http(s) URL. Ids and
    labels are always printable text.

    >>> identify("https://github.com/pytorch/pytorch/issues/1#issuecomment-2")[1].id
    'github:pytorch/pytorch#1'
    >>> identify("mailto:someone@example.org") is None
    True
    """
    url = unwrap(url)
    host = host_of(url)
    ends = f".{host}"
    first = [(one.name, one.parse) for one in _package_rules if ends.endswith(tuple(f".{name}" for name in one.hosts))]
    for name, parse in first:
        if ref := _find_printable(parse, url):
            return name, ref
    for family in _families_of(host):
        if family == "web":
            for one in _package_rules:
                if not one.hosts and (ref := _find_printable(one.parse, url)):
                    return one.name, ref
        if ref := _find_printable(find_parser(family), url):
            return family, ref
    return None


def _find_printable(parse: Parser, url: str) -> Ref | None:
    """Return the reference of a rule with a printable label; ``None`` without one or with an id that does not print."""
    ref = parse(url)
    if ref is None or not ref.id.isprintable():
        return None
    if ref.label.isprintable():
        return ref
    label = "".join(char if char.isprintable() else " " for char in ref.label)
    return ref._replace(label=" ".join(label.split()))
