"""The step between the references and the graph: facts from clones, GitHub and the pages, as the user wants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..sources.cache import Cache, default_cache
from ..sources.connection import WORLD, Budget, World, make_budget_of_extras
from .artifacts import Metadata, RepositoryArtifacts, group_by_repository
from .checkout import Checkout, find_checkout, look_into
from .credentials import Login, find_api_address, find_login

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..ref import Ref


@dataclass(frozen=True, slots=True)
class LookUps:
    """The requested look-ups: the local clones, and the address of GitHub's API ("": neither GitHub nor the pages).

    ``offline``: only stored answers of earlier look-ups.
    """

    checkouts: tuple[Checkout, ...] = ()
    github: str = ""
    login: Login = field(default_factory=Login)
    offline: bool = False


def choose_look_ups(checkouts: Sequence[str] = (), *, online: bool = False, offline: bool = False) -> LookUps:
    """Return the look-ups for the options of a command: ``online`` asks GitHub and the cited pages.

    Raises ``SourceError`` for a folder that is not a clone, an invalid address of the API, and an invalid token.
    """
    clones = tuple(find_checkout(text) for text in checkouts)
    if not (online or offline):
        return LookUps(clones)
    api = find_api_address()
    return LookUps(clones, api, Login() if offline else find_login(api), offline=offline)


def look_up_metadata(
    refs: Iterable[Ref],
    look_ups: LookUps,
    *,
    cache: Cache | None = None,
    world: World = WORLD,
    budget: Budget | None = None,
    notify: Callable[[str], None] = lambda _: None,
) -> Metadata:
    """Return the results of clones, GitHub and the pages for a graph's artifacts (``refs``, each id once).

    ``notify`` gets lines for the user; missing or failing parts never end the work. All requests share the ``budget``.
    """
    cache = cache or default_cache()
    budget = budget or make_budget_of_extras(world)
    artifacts = list(refs)
    people = {ref.label.casefold(): ref for ref in artifacts if ref.kind == "person"}
    repositories = group_by_repository(artifacts)
    results = Metadata()
    for checkout in look_ups.checkouts:
        own_artifacts = repositories.get(checkout.repo, RepositoryArtifacts(checkout.repo))
        results += look_into(checkout, own_artifacts, people=people, notify=notify)
    if look_ups.github:
        from .github import GitHub  # noqa: PLC0415 - a clone needs no network, which is slow to load
        from .github_api import Api  # noqa: PLC0415
        from .titles import Titles  # noqa: PLC0415

        api = Api(look_ups.github, look_ups.login, world=world, budget=budget)
        paths = {fact.id for fact in results.facts if ":" in fact.id.removeprefix("github:")}
        github = GitHub(api, cache.share("github"), notify)
        results += github.look_up(repositories.values(), skip=paths, offline=look_ups.offline)
        titles = Titles(cache=cache.share("pages"), world=world, budget=budget, notify=notify)
        results += titles.look_up(artifacts, offline=look_ups.offline)
    return results
