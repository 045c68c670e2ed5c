"""The persons of all feeds: names, profiles and home pages that belong together are one person."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..ref import Ref
from ..slugs import slugify
from ..subjects.lists import read_people
from .corpus import KnownPeople, NameFinder, name_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..subjects.subject import Subject
    from .show_people import ShowPeople

    _Key = tuple[int, str]  # the number of a show and the key of a name, or -1 and the id of a page

_ORDER = ("person:", "web:x.com/", "web:linkedin.com/", "web:")  # addresses of a person, the best first


class Aliases(NamedTuple):
    """The lists of subjects: persons by login, name and short name, all by ``name_key``; and the finder of them."""

    logins: Mapping[str, Ref]
    names: Mapping[str, Ref]
    short_names: Mapping[str, Ref]
    finder: NameFinder


@lru_cache(maxsize=16)
def read_aliases(subjects: tuple[Subject, ...]) -> Aliases:
    """Return the lists of some subjects; of two persons called alike the one of the earlier subject counts."""
    logins: dict[str, Ref] = {}
    names: dict[str, Ref] = {}
    short_names: dict[str, Ref] = {}
    for person in (person for subject in reversed(subjects) for person in read_people(subject)):
        ref = Ref("person", f"person:{person.login.lower()}", person.names[0], f"https://github.com/{person.login}")
        logins[person.login.lower()] = ref
        names.update(dict.fromkeys(map(name_key, person.names), ref))
        if person.first_name:
            short_names[name_key(person.first_name)] = ref
    return Aliases(logins, names, short_names, NameFinder((*logins, *names, *short_names)))


def join_people(shows: Sequence[ShowPeople], subjects: Sequence[Subject] = ()) -> list[KnownPeople]:
    """Return the persons whom each feed knows: its own by name, and those of all feeds by profile.

    Persons of one name in one show, or with a profile in common, are one: ``person:<login>`` where one of the profiles
    is GitHub's, or the list of one of the ``subjects`` has the name, else ``person:<show>/<name>``.
    """
    import networkx  # noqa: PLC0415 - takes longer to load than many commands to run

    aliases = read_aliases(tuple(subjects))
    addresses: dict[str, str] = {}
    spellings: dict[_Key, Counter[str]] = defaultdict(Counter)
    same: networkx.Graph[_Key] = networkx.Graph()  # edges join a name and a page of one person
    for number, show in enumerate(shows):
        addresses.update((f"person:{login}", f"https://github.com/{login}") for login in show.accounts)
        for name, page, url in show.names:
            spellings[number, name_key(name)][name] += 1
            addresses.setdefault(page, url)
        for page, names in _find_pages(show).items():
            first = min(names, key=lambda name: (-names[name], name)).split()
            same.add_edges_from(
                ((number, name), (-1, page)) for name in names if not set(first).isdisjoint(name.split())
            )
    same.add_nodes_from(spellings)
    own: list[dict[str, Ref]] = [{} for _ in shows]
    profiles: dict[str, Ref] = {}
    for group in sorted(map(sorted, networkx.connected_components(same))):
        pages = [page for number, page in group if number < 0]
        keys = [key for key in group if key[0] >= 0]
        counts = sum((spellings[key] for key in keys), Counter[str]())
        ref = next((aliases.names[name] for _, name in keys if name in aliases.names), None)
        ref = ref or _make_person(shows[keys[0][0]].slug, counts, pages, addresses)
        profiles.update(dict.fromkeys(pages, ref))
        for number, name in keys:
            own[number][name] = ref
    profiles.update((ref.id, ref) for ref in aliases.logins.values())
    people = []
    for show, refs in zip(shows, own, strict=True):
        hosts, widespread = (
            frozenset(refs[name].id for name in keys) for keys in (show.hosts & refs.keys(), show.widespread)
        )
        people.append(KnownPeople(refs, subjects, profiles, hosts, widespread))
    return people


def _find_pages(show: ShowPeople) -> dict[str, Counter[str]]:
    """Return the keys of names by page: an account belongs to the person with its handle or name, if there is one."""
    pages: dict[str, Counter[str]] = defaultdict(Counter)
    owners: dict[str, set[str]] = defaultdict(set)
    for name, page, _ in show.names:
        key = name_key(name)
        owners[slugify(key).replace("-", "")].add(key)
        if page:
            pages[page][key] += 1
            owners[page.rpartition("/")[2].lstrip("@")].add(key)
    for login in sorted(show.accounts):
        if len(names := owners.get(login) or owners.get(login.replace("-", ""), set())) == 1:
            pages[f"person:{login}"][min(names)] += 1
    return pages


def _make_person(show: str, counts: Counter[str], pages: list[str], addresses: Mapping[str, str]) -> Ref:
    """Return a person, called by the commonest of the spellings in ``counts``, found at the pages."""
    pages.sort(key=lambda page: next((at for at, start in enumerate(_ORDER) if page.startswith(start)), len(_ORDER)))
    label = min(counts, key=lambda name: (-counts[name], name))
    id_ = next((page for page in pages if page.startswith("person:")), f"person:{show}/{slugify(label)}")
    urls = tuple(addresses[page] for page in pages)
    others = tuple(sorted(counts.keys() - {label}))
    attrs = ((("names", others),) if others else ()) + ((("profiles", urls),) if urls else ())
    return Ref("person", id_, label, urls[0] if urls else "", attrs)
