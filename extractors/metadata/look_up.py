"""The step between the references and the graph: facts from clones, GitHub and the pages, as the user wants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..sources.cache import Cache, default_cache
from ..sources.connection import WORLD, Budget, World, make_budget_of_extras
from .artifacts import Metadata, RepositoryArtifacts, group_by_repository
from .checkout import Checkout, find_checkout, read_checkout
from .credentials import Login, find_api_address, find_login

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ..ref import Ref


@dataclass(frozen=True, slots=True)
class LookUps:
    """The requested look-ups.

    ``checkouts`` are local clones. ``github`` is the address of GitHub's API; if it is "", neither GitHub nor the cited
    pages are asked. With ``offline`` only the stored answers of earlier look-ups are used.
    """

    checkouts: tuple[Checkout, ...] = ()
    github: str = ""
    login: Login = field(default_factory=Login)
    offline: bool = False


def choose_look_ups(checkouts: Sequence[str] = (), *, online: bool = False, offline: bool = False) -> LookUps:
    """Return the look-ups that the options of a command request.

    Args:
        checkouts: local clones, each as ``DIR`` or ``owner/name=DIR``
        online: ask GitHub and the cited pages
        offline: use the stored answers of GitHub and the pages

    Raises:
        SourceError: a folder is not a clone, the address of the API is invalid, or a variable has an invalid token
    """
    clones = tuple(find_checkout(text) for text in checkouts)
    if not (online or offline):
        return LookUps(clones)
    api = find_api_address()
    return LookUps(clones, api, Login() if offline else find_login(api), offline=offline)


def look_up_metadata(
    refs: Iterable[Ref], look_ups: LookUps, *, cache: Cache | None = None, world: World = WORLD,
    budget: Budget | None = None, notify: Callable[[str], None] = lambda _: None,
) -> Metadata:  # fmt: skip
    """Return titles, states, authors and files of cited artifacts, from clones, GitHub and the pages.

    Missing or failing parts never end the work; they are reported.

    Args:
        refs: the artifacts and persons of a graph, each id once
        look_ups: the requested look-ups
        cache: has the stored answers, and gets the new ones; ``None``: the user's cache
        world: clocks, sleep, chance and names
        budget: all requests share it; ``None``: half the bytes of the feeds, and ten minutes
        notify: is called with lines for the user
    """
    cache = cache or default_cache()
    budget = budget or make_budget_of_extras(world)
    artifacts = list(refs)
    people = {ref.label.casefold(): ref for ref in artifacts if ref.kind == "person"}
    repositories = group_by_repository(artifacts)
    results = Metadata()
    for checkout in look_ups.checkouts:
        own_artifacts = repositories.get(checkout.repo, RepositoryArtifacts(checkout.repo))
        results += read_checkout(checkout, own_artifacts, people=people, notify=notify)
    if look_ups.github:
        from .github import GitHub  # noqa: PLC0415 - a clone needs no network, which is slow to load
        from .github_api import Api  # noqa: PLC0415
        from .titles import Titles  # noqa: PLC0415

        api = Api(look_ups.github, look_ups.login, world=world, budget=budget)
        # The clones have the states of these files and folders: their ids have a path behind a colon.
        path_ids = {fact.id for fact in results.facts if ":" in fact.id.removeprefix("github:")}
        github = GitHub(api, cache.share("github"), notify)
        results += github.look_up(repositories.values(), skip=path_ids, offline=look_ups.offline)
        titles = Titles(cache=cache.share("pages"), world=world, budget=budget, notify=notify)
        results += titles.look_up(artifacts, offline=look_ups.offline)
    return results
