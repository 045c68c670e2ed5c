"""The step between the indexes and the graph: clones, GitHub and the pages, as the user wants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..sources.budget import Budget, budget_beside
from ..sources.cache import Cache, default_cache
from ..sources.connection import WORLD, World
from .asked import Found, OfRepo, by_repository, path_of, pull_of
from .checkout import Checkout, find_checkout, look_into
from .credentials import Login, api_address, find_login

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..ref import Ref


@dataclass(frozen=True, slots=True)
class Wanted:
    """The requested look-ups: the local clones, and the address of GitHub's API ("": not used).

    ``titles`` reads the pages themselves; ``offline``: only cached results of earlier look-ups.
    """

    checkouts: tuple[Checkout, ...] = ()
    github: str = ""
    login: Login = field(default_factory=Login)
    titles: bool = False
    offline: bool = False


def want(checkouts: Sequence[str] = (), *, github: bool = False, titles: bool = False, offline: bool = False) -> Wanted:
    """Return the look-ups for the options of a command.

    Raises ``SourceError`` for a folder that is not a clone, an invalid address of the API, and an invalid token.
    """
    clones = tuple(find_checkout(given) for given in checkouts)
    if not (github or offline):
        return Wanted(clones, titles=titles)
    api = api_address()
    login = Login() if offline else find_login(api)
    return Wanted(clones, api, login, titles or offline, offline)


def look_further(
    refs: Iterable[Ref],
    wanted: Wanted,
    *,
    cache: Cache | None = None,
    world: World = WORLD,
    budget: Budget | None = None,
    notify: Callable[[str], None] = lambda _: None,
) -> Found:
    """Return the results of clones, GitHub and the pages for a graph's artifacts (``refs``, each id once).

    ``notify`` gets lines for the user; missing or failing parts never end the work. All requests share the ``budget``.
    """
    cache = cache or default_cache()
    budget = budget or budget_beside(world)
    things = list(refs)
    people = {ref.label.casefold(): ref for ref in things if ref.kind == "person"}
    repositories = by_repository(things)
    found = Found()
    for checkout in wanted.checkouts:
        asked = repositories.get(checkout.repo, OfRepo(checkout.repo))
        found += look_into(checkout, asked, cache=cache.share("clones"), people=people, notify=notify)
    if wanted.github:
        from .github import GitHub  # noqa: PLC0415 - a clone needs no network, which is slow to load
        from .github_api import Api  # noqa: PLC0415

        answers = cache.share("github")
        api = Api(wanted.github, wanted.login, cache=answers, world=world, budget=budget, notify=notify)
        told = {fact.id for fact in found.facts if "/" in fact.id.partition(":")[2] and fact.id.count(":") > 1}
        found += GitHub(api, answers, notify).look_up(repositories.values(), answered=told, offline=wanted.offline)
    if wanted.titles:
        from .titles import Titles  # noqa: PLC0415

        titles = Titles(cache=cache.share("pages"), world=world, budget=budget, notify=notify)
        found += titles.look_up(things, offline=wanted.offline)
    return found


def find_pull_files(repo: str, number: int, wanted: Wanted, *, notify: Callable[[str], None]) -> list[str]:
    """Return the first files of a pull request, from clones or GitHub; empty where they do not know it."""
    found = look_further([pull_of(repo, number)], wanted, notify=notify)
    return list(dict.fromkeys(path_of(edge.target) for edge in found.edges if edge.relation == "touches"))
