"""``podgraph plugins``: the plug-ins of installed packages, and their problems."""

from __future__ import annotations

import sys
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from podgraph.extractors import (
    PLUGIN_GROUPS,
    PodgraphError,
    Subject,
    find_plugins,
    hosts_of,
    identify,
    load_sites,
    problem_of_function,
    problem_of_site,
    problem_of_subject,
    with_scheme,
)

from ..formats import FORMATS, Format, problem_of_format
from ..plugin_kinds import kinds_in, problem_of_kinds
from ..terminal import note, print_json, print_table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from podgraph.extractors import Plugin

EXAMPLES = """examples:
  podgraph plugins
  podgraph plugins https://arxiv.org/abs/1905.12322     the site rule that answers this address
  podgraph plugins --strict        2 when one is broken: for tests of a package
  podgraph build --no-plugins      a build without them

Packages bring plug-ins by entry points of the groups podgraph.extractors, podgraph.sites, podgraph.subjects,
podgraph.kinds and podgraph.formats. Piped: what, name, distribution, version, what it brings, problem, where."""


class _Group(NamedTuple):
    """The check of a group's entry points, and the description of one for the terminal."""

    problem_of: Callable[[object], str]
    brings: Callable[[object], str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("url", metavar="URL", nargs="?", default="", help="print which site rule answers this address")
    parser.add_argument("--strict", action="store_true", help="one that is broken is an error (status 2)")
    parser.add_argument("--json", action="store_true", help="JSON for programs")


def run(arguments: argparse.Namespace) -> int:
    """List the plug-ins, or print the rule of an address. Return 1 without any, 2 for a broken one (``--strict``)."""
    if arguments.url:
        return _print_rule(arguments)
    found = list(_installed())
    if arguments.json:
        print_json([{name: value for name, value in _fields(plugin).items() if value} for plugin in found])
    elif found:
        _print(found)
    else:
        note("no package brings anything for podgraph", quiet=arguments.quiet)
    broken = [plugin for plugin in found if plugin.problem]
    if broken and arguments.strict:
        raise PodgraphError(broken[0].problem, source=broken[0].source, remedy="update or uninstall its package")
    return 0 if found else 1


def _print_rule(arguments: argparse.Namespace) -> int:
    """Print the rule for an address, and its kind, id and label. Return 1 without a rule."""
    load_sites()
    known = identify(with_scheme(arguments.url))
    if known is None:
        note(f"no site rule answers {arguments.url!r}; give an http(s) address", quiet=arguments.quiet)
        return 1
    rule, ref = known
    row = {"rule": rule, "kind": ref.kind, "id": ref.id, "label": ref.label}
    if arguments.json:
        print_json(row)
    else:
        print_table([*row], [[*row.values()]], wide=(2, 3))
    return 0


def _groups() -> dict[str, _Group]:
    """Return how each group is read. Taken names are gathered over its entry points."""
    taken = {suffix for item in FORMATS for suffix in (*item.endings, item.name)}
    kinds: set[str] = set()
    return {
        "podgraph.extractors": _Group(problem_of_function("extractor"), _summary),
        "podgraph.sites": _Group(problem_of_site, _of_site),
        "podgraph.subjects": _Group(problem_of_subject, _of_subject),
        "podgraph.kinds": _Group(lambda brought: problem_of_kinds(brought, kinds), _of_kinds),
        "podgraph.formats": _Group(lambda brought: problem_of_format(brought, taken), _of_format),
    }


def _installed() -> Iterator[Plugin]:
    for name, group in _groups().items():
        yield from find_plugins(name, group.problem_of)


def _print(found: list[Plugin]) -> None:
    shown = itemgetter("what", "name", "distribution", "version", "brings", "problem", "at")
    rows = [shown(_fields(plugin)) for plugin in found]
    headers = ("what", "name", "package", "version", "brings", "problem", "where")
    print_table(headers, rows, wide=(4, 5, 6), spare=(6,), below=(4, 5) if sys.stdout.isatty() else ())


def _fields(plugin: Plugin) -> dict[str, str]:
    names = ("group", "name", "at", "distribution", "version")
    known = {"what": PLUGIN_GROUPS[plugin.group]} | {name: str(getattr(plugin, name)) for name in names}
    return {**known, "brings": _brings(plugin), "problem": plugin.problem}


def _brings(plugin: Plugin) -> str:
    return "" if plugin.problem else _groups()[plugin.group].brings(plugin.brought)


def _summary(brought: object) -> str:
    """Return the first line of a function's docstring."""
    return (getattr(brought, "__doc__", "") or "").strip().partition("\n")[0]


def _of_site(brought: object) -> str:
    """Return the same of a site rule, and when it is asked."""
    hosts = hosts_of(brought)
    turn = f"first for {', '.join(hosts)}" if hosts else "after the built-in rules"
    return f"{_summary(brought)} ({turn})".lstrip()


def _of_subject(brought: object) -> str:
    return f"{brought.name} ({brought.repo})" if isinstance(brought, Subject) else ""


def _of_kinds(brought: object) -> str:
    return ", ".join(kind.name for kind in kinds_in(brought))


def _of_format(brought: object) -> str:
    return f"{' '.join(brought.suffixes)} {brought.description}" if isinstance(brought, Format) else ""
