"""The site rules in their order, and the identification of a URL by them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from ..ref import Ref
from ..url import host_of, split_url
from .redirects import unwrap

_modules: dict[str, ModuleType] = {}
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*")  # without scheme, port and path


def _site(name: str) -> tuple[str, Callable[[str], Ref | None]]:
    """Return the rule of the module ``name``, which is loaded when it is first asked.

    Most questions need few of the rules, and loading all takes longer than to answer.
    """

    def parse(url: str) -> Ref | None:
        if name not in _modules:
            _modules[name] = import_module(f"{__package__}.{name}")
            _rules.cache_clear()  # which hosts it knows can be asked from now on
        rule: Callable[[str], Ref | None] = _modules[name].parse
        return rule(url)

    return name, parse


SITES: tuple[tuple[str, Callable[[str], Ref | None]], ...] = (
    _site("github"),
    _site("pytorch"),
    _site("forums"),
    _site("papers"),
    _site("videos"),
    _site("questions"),
    _site("packages"),
    _site("docs"),
    _site("blogs"),
    _site("podcasts"),
    _site("social"),
    _site("web"),
)


class _Installed(NamedTuple):
    """A rule of an installed package, and the hosts that it is for (none: all)."""

    name: str
    parse: Callable[[str], Ref | None]
    hosts: tuple[str, ...]


_installed: list[_Installed] = []


def load_sites() -> None:
    """Load the rules of installed packages (entry points ``podgraph.sites``), for use by ``identify``.

    A rule is ``parse(url) -> Ref | None``. One with the attribute ``hosts`` comes before all built-in rules, for
    URLs of these hosts and their subdomains. One without comes after the built-in rules, before the rule for
    all pages. Several rules are sorted by name. Builds call this, queries never. A rule that
    cannot be loaded is skipped with a warning (``rule_plugins``).
    """
    from ..plugins import SITES as GROUP  # noqa: PLC0415 - only builds need it
    from ..plugins import load_plugins  # noqa: PLC0415

    identify.cache_clear()
    _rules.cache_clear()
    loaded = ((plugin.name, plugin.brought) for plugin in load_plugins(GROUP, problem_of_site))
    _installed[:] = [_Installed(name, _guarded(name, rule), hosts_of(rule)) for name, rule in loaded if callable(rule)]


def problem_of_site(brought: object) -> str:
    """Return the error in the object of an entry point of ``podgraph.sites``, "" without one."""
    if not callable(brought):
        return "the site rule is not a function"
    hosts = getattr(brought, "hosts", ())
    if isinstance(hosts, (tuple, list)) and all(isinstance(host, str) and _HOST.fullmatch(host) for host in hosts):
        return ""
    return f"the hosts of the site rule are {hosts!r} and not a tuple of names"


def hosts_of(rule: object) -> tuple[str, ...]:
    """Return the normalised hosts of a package's rule; an empty result for a rule without hosts."""
    return tuple(host_of(f"https://{host}") for host in getattr(rule, "hosts", ()))


def _guarded(name: str, rule: Callable[[str], object]) -> Callable[[str], Ref | None]:
    """Wrap a package's rule: its exceptions, and results that are neither ``Ref`` nor ``None``, count as none."""
    from ..plugins import FAILURES, PLUGIN_GROUPS, at_work, complain_of, function_source  # noqa: PLC0415 - only builds need it
    from ..plugins import SITES as GROUP  # noqa: PLC0415

    source = function_source(name, rule)

    def parse(url: str) -> Ref | None:
        """Return the result of the package's rule; report its exceptions and wrong results, which count as ``None``."""
        try:
            with at_work(source, f"is at work on {url}"):
                ref = rule(url)
        except FAILURES as error:
            complain_of(PLUGIN_GROUPS[GROUP], name, rule, error, url)
            return None
        if ref is None:
            return None
        if not isinstance(ref, Ref) or not all(isinstance(text, str) and text for text in ref[:3]):
            complain_of(
                PLUGIN_GROUPS[GROUP], name, rule, f"gives {type(ref).__name__} and no Ref with kind, id and label", url
            )
            return None
        return ref

    return parse


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
    parts = split_url(url)
    for name, parse in _rules(parts.host if parts else ""):
        ref = parse(url)
        if ref and ref.id.isprintable():
            return name, ref if ref.label.isprintable() else ref._replace(label=_printable(ref.label))
    return None


@lru_cache(maxsize=4096)
def _rules(host: str) -> list[tuple[str, Callable[[str], Ref | None]]]:
    """Return the rules in order, without the loaded ones whose ``knows`` rejects ``host``.

    Rules that are not loaded yet stay: loading one only to reject it would gain nothing.
    """
    loaded = [(name, parse, _modules.get(name)) for name, parse in SITES]
    rules = [
        (name, getattr(module, "parse", parse)) for name, parse, module in loaded
        if not host or (knows := getattr(module, "knows", None)) is None or knows(host)
    ]  # fmt: skip
    first = [one[:2] for one in _installed if f".{host}".endswith(tuple(f".{name}" for name in one.hosts))]
    return [*first, *rules[:-1], *(one[:2] for one in _installed if not one.hosts), rules[-1]]


def _printable(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
