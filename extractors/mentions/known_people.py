"""The persons of all feeds: names, profiles and home pages that belong together are one person."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..ref import Ref
from ..sites import identify
from ..slugs import slugify
from ..subjects.lists import read_people
from .corpus import KnownPeople, NameFinder, name_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


def person_ref(name: str, url: str = "", *, show: str = "", listed: Sequence[Subject] = ()) -> Ref:
    """Return the reference of a person for the name, and perhaps page, that the feed gives.

    The id is ``person:<login>`` where the page is a GitHub profile or the list of one of the subjects ``listed`` knows
    the name; else ``person:<show>/<slug of the name>``.

    >>> from podgraph.extractors import default_subject
    >>> person_ref("Edward Z. Yang", listed=[default_subject()]).id, person_ref("Ann Example", show="kiln").id
    ('person:ezyang', 'person:kiln/ann-example')
    """
    label = " ".join(name.split())
    profile = identify(url) if "github.com/" in url.lower() else None
    if profile and profile[1].kind == "person":
        return Ref("person", profile[1].id, label, profile[1].url)
    known = read_aliases(tuple(listed)).names.get(name_key(label))
    return known or Ref("person", f"person:{show}/{slugify(label)}" if show else f"person:{slugify(label)}", label, url)


def join_people(shows: Sequence[ShowPeople], listed: Sequence[Subject] = ()) -> list[KnownPeople]:
    """Return the persons whom each feed knows: its own by name, and those of all feeds by profile.

    Persons of one name in one show, or with a profile in common, are one: ``person:<login>`` where one of the profiles
    is GitHub's, or the list of one of the subjects ``listed`` has the name, else ``person:<show>/<name>``.
    """
    addresses: dict[str, str] = {}
    spellings: dict[_Key, Counter[str]] = defaultdict(Counter)
    for number, show in enumerate(shows):
        addresses.update((f"person:{login}", f"https://github.com/{login}") for login in show.accounts)
        for name, page, url in show.names:
            if key := name_key(name):
                spellings[number, key][name] += 1
                addresses.setdefault(page, url)
    aliases = read_aliases(tuple(listed))
    own: list[dict[str, Ref]] = [{} for _ in shows]
    profiles: dict[str, Ref] = {}
    for keys in _group_keys(shows):
        ref = _make_person(keys, shows, spellings, addresses, aliases.names)
        for number, name in keys:
            (profiles if number < 0 else own[number])[name] = ref
    profiles.update((ref.id, ref) for ref in aliases.logins.values())
    known = []
    for show, names in zip(shows, own, strict=True):
        hosts, widespread = (
            frozenset(names[name].id for name in some if name in names) for some in (show.hosts, show.widespread)
        )
        known.append(KnownPeople(names, subjects=listed, profiles=profiles, hosts=hosts, widespread=widespread))
    return known


def _group_keys(shows: Sequence[ShowPeople]) -> Iterable[list[_Key]]:
    """Return the names and pages that belong together: those of one person."""
    parents: dict[_Key, _Key] = {}

    def find_root(key: _Key) -> _Key:
        while parents.setdefault(key, key) != key:
            key = parents[key]
        return key

    for number, show in enumerate(shows):
        for name in show.names:
            find_root((number, name_key(name.name)))
        for page, names in _find_pages(show).items():
            first = min(names, key=lambda name: (-names[name], name))
            for other in names:
                if not set(other.split()).isdisjoint(first.split()):
                    low, high = sorted((find_root((number, other)), find_root((-1, page))))
                    parents[high] = low
    groups: dict[_Key, list[_Key]] = defaultdict(list)
    for key in sorted(parents):
        groups[find_root(key)].append(key)
    return groups.values()


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
        if len(same := owners.get(login) or owners.get(login.replace("-", ""), set())) == 1:
            pages[f"person:{login}"][min(same)] += 1
    return pages


def _make_person(
    keys: Sequence[_Key],
    shows: Sequence[ShowPeople],
    spellings: Mapping[_Key, Counter[str]],
    addresses: Mapping[str, str],
    listed: Mapping[str, Ref],
) -> Ref:
    """Return the person of a group: called by the commonest spelling, found at the profiles."""
    counts: Counter[str] = Counter()
    for key in keys:
        if key[0] >= 0 and key[1] in listed:
            return listed[key[1]]
        counts.update(spellings.get(key, {}))
    pages = sorted(page for number, page in keys if number < 0)
    pages.sort(key=lambda page: next((at for at, start in enumerate(_ORDER) if page.startswith(start)), len(_ORDER)))
    label = min(counts, key=lambda name: (-counts[name], name))
    login = next((page for page in pages if page.startswith("person:")), "")
    home = next(shows[number].slug for number, _ in keys if number >= 0)
    urls = tuple(addresses[page] for page in pages)
    others = tuple(sorted(set(counts) - {label}))
    attrs = ((("names", others),) if others else ()) + ((("profiles", urls),) if urls else ())
    return Ref("person", login or f"person:{home}/{slugify(label)}", label, urls[0] if urls else "", attrs)
