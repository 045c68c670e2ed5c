"""The persons of all feeds: names, profiles and home pages that belong together are one person."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..model import KnownEdge
from ..ref import Ref
from ..sites import identify
from ..slugs import slugify
from .corpus import KnownPeople, NameFinder, name_key
from .guests import find_guests, is_likely, is_name, named_at, names_in
from .people import aliases_of, confirmed_logins, feed_role, owners_in, pairs, ways_of
from .profiles import is_home_of, is_official, profile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Feed
    from ..subjects.subject import Subject
    from .guests import Guest

# Words after the name in a link to a person's page: "on Mastodon", "'s site", "(@ann)".
_BEHIND_NAME = re.compile(
    r"\s*(?:['\u2019]s?\s.{1,30}|(?:on|at|@|auf|sur|en|no|\u0432|\u043d\u0430)\s?\S{1,20}|[(\[@].{1,40}|[,:|\u2013\u2014-].{0,30})?\s*",
    re.IGNORECASE,
)
_WHOLE_SHARE = 0.3  # of a show's titles are persons' names
_FEW = 12  # items: with fewer, a third has no meaning
_MOST_SHARE = 1 / 3  # most of a show's items with the name of a person who is not a host
_HOST_SHARE, _HOST_LEAST = 0.05, 2  # items that announce a person as the host
_FIRST_SHARE = 0.25  # least items with the first name of a host: a person named in full somewhere who is not a guest
_LETTERS = re.compile(r"[\W\d_]+")  # all but letters
_ORDER = ("person:", "web:x.com/", "web:linkedin.com/", "web:")  # addresses of a person, the best first

_Key = tuple[str, str]


class _Named(NamedTuple):
    """A name; the id and address of a page that is the person's, and the login that the name depends on, or nothing."""

    name: str
    page: str = ""
    url: str = ""
    login: str = ""


class Said(NamedTuple):
    """The persons of one feed, without the facts of other feeds.

    ``ways`` are the forms in which its texts have logins. A name of ``named`` that depends on a login counts if the
    login is confirmed. ``hosts``
    and ``widespread`` are keys of names: the show's hosts, and persons in more than a third of its items.
    """

    slug: str
    ways: dict[str, set[str]]
    named: list[_Named]
    hosts: frozenset[str]
    widespread: frozenset[str]


class _Show(NamedTuple):
    """The persons of one feed: spellings by name, and the names that its links give to pages."""

    key: str
    slug: str
    names: dict[str, Counter[str]]
    pages: dict[str, Counter[str]]


class OwnPeople(NamedTuple):
    """A feed's own persons by name, and the ids of its hosts and of persons whom many items name."""

    people: dict[str, Ref]
    hosts: frozenset[str]
    widespread: frozenset[str]


class AllPeople(NamedTuple):
    """The persons of all feeds: by ``@`` and login, by the id of a profile; and the subjects whose lists apply."""

    logins: dict[str, Ref]
    profiles: dict[str, Ref]
    listed: list[Subject]

    def beside(self, own: OwnPeople) -> KnownPeople:
        """Return them with a feed's own."""
        return KnownPeople(
            {**self.logins, **own.people}, listed=self.listed, profiles=self.profiles,
            hosts=own.hosts, widespread=own.widespread,
        )  # fmt: skip


def known_people(said: Sequence[Said], listed: Sequence[Subject] = ()) -> tuple[AllPeople, list[OwnPeople]]:
    """Return the persons of some feeds, and each feed's own by name.

    Persons of one name in one show, or with a profile in common, are one: ``person:<login>`` where one of the profiles
    is GitHub's, or the list of one of the subjects ``listed`` has the name, else ``person:<show>/<name>``. A login is
    confirmed by a link to the profile, or by two ways: behind a full name, behind "PRs from", as a repository's owner.
    """
    ways = {login: seen for login, seen in confirmed_logins(one.ways for one in said).items() if not is_official(login)}
    confirmed = list(ways)
    addresses: dict[str, str] = {}
    shows = [_collect_show(str(number), one, ways, addresses) for number, one in enumerate(said)]
    groups = _Groups()
    for show in shows:
        _claim_accounts(show, confirmed, addresses)
        _join(show, groups)
    aliases = aliases_of(tuple(listed))
    members = groups.all()
    refs = {root: _make_person(keys, shows, addresses, aliases.names) for root, keys in members.items()}
    profiles = {page: refs[root] for root, keys in members.items() for show, page in keys if not show}
    profiles.update((ref.id, ref) for ref in aliases.logins.values())
    logins = {f"@{login}": profiles.get(f"person:{login}") or _account(login) for login in confirmed}
    # An account that is only linked may be anybody's, and so is a page.
    profiles.update((f"person:{login}", logins[f"@{login}"]) for login, seen in ways.items() if seen & {"by", "pair"})
    return AllPeople(logins, profiles, list(listed)), [
        _collect_own(show, one, {name: refs[groups.root((show.key, name))] for name in show.names}, logins)
        for show, one in zip(shows, said, strict=True)
    ]


def _collect_own(show: _Show, said: Said, names: dict[str, Ref], logins: Mapping[str, Ref]) -> OwnPeople:
    """Return the persons of one feed: ``names`` are its own by key, ``logins`` the confirmed accounts of all feeds."""
    handles = {f"@{ref.id.partition(':')[2]}": ref for ref in names.values() if "/" not in ref.id}
    many = {*map(names.get, said.widespread), *map(logins.get, said.widespread)}
    ids = [frozenset(ref.id for ref in some if ref) for some in ([*map(names.get, said.hosts)], many)]
    return OwnPeople({**handles, **names}, ids[0], ids[1])


def show_slug(feed: Feed) -> str:
    """Return the beginning of the ids of a feed's persons: the podcast's slug, for a blog its host."""
    first = feed.episodes[0].id if feed.episodes else ""
    return (feed.id or first).partition(":")[2].partition("/")[0]


def people_said(feed: Feed) -> Said:
    """Return the persons of a feed: from its own data, links to profiles, and guests named in titles and notes."""
    ways: dict[str, set[str]] = defaultdict(set)  # how the feed shows that a login is one, by login
    linking: Counter[str] = Counter()  # items by the login of a linked profile
    persons = chain(feed.people, *(item.people for item in feed.episodes))
    named = [_name_with_page(person.name, person.url, own=True) for person in persons]
    accounts: list[_Named] = []  # names that only repeat the address; they count if other evidence has them too
    guests: list[tuple[int, Guest]] = []  # with the number of the item
    own_login = _LETTERS.sub("", feed.title.casefold())
    for number, episode in enumerate(feed.episodes):
        logins = {*ways_of(episode.notes), *chain.from_iterable(owners_in(link.url) for link in episode.links)}
        for way, login in logins:
            if _LETTERS.sub("", login) != own_login:
                ways[login].add(way)
        linking.update({login for _, login in logins})
        for name, url in _find_links(episode):
            is_new = is_likely(name) or _LETTERS.sub("", name).casefold() not in _LETTERS.sub("", url).casefold()
            (named if is_new else accounts).append(_name_with_page(name, url))
        for name, login in pairs(episode.notes):
            if is_name(name):
                named.append(_name_with_page(name, f"https://github.com/{login}")._replace(login=login.lower()))
        guests += ((number, guest) for guest in find_guests(episode.title, title=True))
        guests += ((number, guest) for guest in find_guests(episode.notes))
    judge = _Judge(feed, guests, {name_key(entry.name) for entry in named if not entry.login})
    named += (_Named(guest.name) for _, guest in guests if judge.is_person(guest))
    keys = {name_key(entry.name) for entry in named if not entry.login} - {""}
    named += (entry for entry in accounts if name_key(entry.name) in keys)
    hosts, widespread = judge.spread({key: {key.split()[0]} if " " in key else set() for key in keys})
    if len(feed.episodes) >= _FEW:
        widespread |= {f"@{login}" for login, items in linking.items() if items > _MOST_SHARE * len(feed.episodes)}
    return Said(show_slug(feed), {**ways}, named, hosts, widespread)


class _Judge:
    """Decides for a whole show which names are persons', and which of these are the hosts'.

    ``claims`` are the guests of all items, with the number of the item. ``given`` are the keys of names that the feed
    or its links give to persons.
    """

    def __init__(self, feed: Feed, claims: Sequence[tuple[int, Guest]], given: set[str]) -> None:
        self._feed, self._claims = feed, claims
        self._sure = given | {name_key(one.name) for _, one in claims if one.sure and one.form != "whole"}
        titled = sum(guest.form == "whole" and guest.sure for _, guest in claims)
        self._whole = titled > _WHOLE_SHARE * len(feed.episodes)

    def is_person(self, guest: Guest) -> bool:
        """Return whether a name is a person's, by all that the show has of it."""
        key = name_key(guest.name)
        return key in self._sure or self._is_title(guest)

    def _is_title(self, guest: Guest) -> bool:
        """Return whether a title is a person's name: if those of the show are, or some notes have the last word."""
        last = guest.name.split()[-1]
        if guest.form != "whole" or not guest.sure or self._whole:
            return guest.form == "whole" and guest.sure
        return not self._is_written(last.casefold()) and self._items(last) > 0

    @cached_property
    def _words(self) -> frozenset[str]:
        """The words of the show, as written; its table of words is made later, and perhaps in another process."""
        texts = (text for episode in self._feed.episodes for text in (episode.title, episode.notes))
        return frozenset(word for text in texts for word in text.split())

    def _is_written(self, word: str) -> bool:
        return any(f"{word}{mark}" in self._words for mark in ("", ",", ".", ":"))

    def _items(self, name: str) -> int:
        return sum(name in episode.notes for episode in self._feed.episodes)

    def spread(self, called: Mapping[str, set[str]]) -> tuple[frozenset[str], frozenset[str]]:
        """Return keys of names: those of the show's hosts, and those that more than a third of its items have.

        ``called`` are the persons, by the key of the name, with the first names that they go by.
        """
        items, finder = len(self._feed.episodes), NameFinder([*called, *chain.from_iterable(called.values())])
        found = [_find_called(finder, f"{one.title}\n{one.notes}") for one in self._feed.episodes]
        spread = Counter(chain.from_iterable(found))
        about = f"{self._feed.title}. {self._feed.description}. {self._feed.author}"
        hosts = {name_key(person.name) for person in self._feed.people}
        hosts |= {name_key(name) for _, _, name in names_in(about) if is_likely(name)} & called.keys()
        announced = Counter(
            claim[:2] for claim in {(name_key(one.name), one.role, item) for item, one in self._claims if one.sure}
        )
        hosts |= {key for key in called if announced[key, "host"] >= max(_HOST_LEAST, _HOST_SHARE * items)}
        known = {key for key in called if spread[key] >= _HOST_LEAST and not announced[key, "guest"]}
        hosts |= {key for key in known if any(spread[first] > _FIRST_SHARE * items for first in called[key])}
        widespread = {name for name in called if items >= _FEW and spread[name] > _MOST_SHARE * items}
        hosts |= {name for name in widespread if announced[name, "guest"] > _MOST_SHARE * items}
        return frozenset(hosts), frozenset(widespread)


def _find_called(finder: NameFinder, text: str) -> set[str]:
    """Return the names in a text, and the first names alone in a text without the full name."""
    found = {
        (name, " " in name)
        for _, end, name in finder.places(text)
        if " " in name or not text[end + 1 : end + 2].isupper()
    }
    full = {name.split()[0] for name, is_full in found if is_full}
    return {name for name, is_full in found if is_full or name not in full}


def _collect_show(key: str, said: Said, confirmed: Collection[str], addresses: dict[str, str]) -> _Show:
    """Return the persons of a feed, counting only logins that are ``confirmed`` by all feeds.

    Adds the address of each page to ``addresses``.
    """
    show = _Show(key, said.slug, defaultdict(Counter), defaultdict(Counter))
    for one in said.named:
        if not one.login or one.login in confirmed:
            _add(show, one, addresses)
    return show


def _name_with_page(name: str, url: str, *, own: bool = False) -> _Named:
    """Return a name, and the page that belongs to that person by its address or by the feed's own statement."""
    known = identify(url) if url else None
    ref = known[1] if known else None
    if ref and ref.kind != "repo" and (own or profile(url) is not None or is_home_of(ref.id, " ".join(name.split()))):
        return _Named(name, ref.id, ref.url)
    return _Named(name)


def _add(show: _Show, one: _Named, addresses: dict[str, str]) -> None:
    """Note a name, and its page."""
    if name := " ".join(one.name.split()):
        show.names[name_key(name)][name] += 1
        if one.page:
            show.pages[one.page][name_key(name)] += 1
            addresses.setdefault(one.page, one.url)


def _find_links(episode: Episode) -> Iterator[tuple[str, str]]:
    """Yield (name, address) of the links to profiles and home pages behind a person's name."""
    for link in episode.links:
        words = episode.notes[link.start : link.end]
        if 5 <= len(words) <= 60 and not link.truncated and " " in words.strip() and (name := named_at(words)):
            known = identify(link.url)
            if known is None or not _BEHIND_NAME.fullmatch(words, words.find(name) + len(name)):
                continue
            account = known[1].id.rpartition("/")[2].rpartition(":")[2]
            if (profile(link.url) and not is_official(account)) or (is_likely(name) and is_home_of(known[1].id, name)):
                yield name, link.url


def known_roles(feed: Feed, known: KnownPeople) -> dict[str, tuple[KnownEdge, ...]]:
    """Return the edges to the persons whom the feed itself gives to its items, by the item's id.

    The podcast's own are on no item's list: see ``known_hosts``.
    """
    edges: dict[str, list[KnownEdge]] = defaultdict(list)
    hosts = {person.name.casefold() for person in feed.people}
    for episode in feed.episodes:
        item = Ref(episode.kind, episode.id, episode.title)
        for person in episode.people:
            ref = known.people.get(name_key(person.name))
            if ref and person.name.casefold() not in hosts:
                reason, role = f"the feed names its {person.role or 'host'}", feed_role(person)
                edges[episode.id].append(KnownEdge(item, ref, "mentions", (("role", role),), (reason,)))
    return {item: tuple(found) for item, found in edges.items()}


def known_hosts(feed: Feed, known: KnownPeople) -> tuple[Ref, ...]:
    """Return the show's hosts, whose attribute ``hosts`` has the podcast's id."""
    found = {ref.id: ref for ref in known.people.values() if ref.id in known.hosts} if feed.id else {}
    return tuple(ref._replace(attrs=(*ref.attrs, ("hosts", (feed.id,)))) for ref in found.values())


def _claim_accounts(show: _Show, logins: Iterable[str], addresses: dict[str, str]) -> None:
    """Assign the accounts of GitHub to persons with the same handle elsewhere, or with that name without its spaces."""
    owners: dict[str, set[str]] = defaultdict(set)
    for page, names in show.pages.items():
        owners[page.rpartition("/")[2].lstrip("@")].add(min(names, key=lambda name: (-names[name], name)))
    for name in show.names:
        owners[_LETTERS.sub("", slugify(name))].add(name)
    for login in logins:
        same = owners.get(login, set())
        for name in same if len(same) == 1 else owners.get(_LETTERS.sub("", login), set()):
            show.pages[f"person:{login}"][name] += 1
            addresses.setdefault(f"person:{login}", f"https://github.com/{login}")


class _Groups:
    """Keys that belong together (union-find)."""

    def __init__(self) -> None:
        self._over: dict[_Key, _Key] = {}

    def root(self, key: _Key) -> _Key:
        """Return the key that represents all keys of the group of ``key``."""
        self._over.setdefault(key, key)
        while self._over[key] != key:
            self._over[key] = self._over[self._over[key]]
            key = self._over[key]
        return key

    def join(self, one: _Key, other: _Key) -> None:
        """Join the groups of two keys; the smaller key represents both, whatever the order of the calls."""
        first, second = sorted((self.root(one), self.root(other)))
        self._over[second] = first

    def all(self) -> dict[_Key, list[_Key]]:
        """Return the keys of each group by the key that represents it."""
        found: dict[_Key, list[_Key]] = defaultdict(list)
        for key in sorted(self._over):
            found[self.root(key)].append(key)
        return found


def _join(show: _Show, groups: _Groups) -> None:
    """Join the names of a show to the pages that its links give them."""
    for name in show.names:
        groups.root((show.key, name))
    for page, names in show.pages.items():
        ((first, _), *others) = sorted(names.items(), key=lambda item: (-item[1], item[0]))
        groups.join((show.key, first), ("", page))
        for other, _ in others:
            if not set(other.split()).isdisjoint(first.split()):
                groups.join((show.key, other), ("", page))


def _make_person(
    members: Sequence[_Key], shows: Sequence[_Show], addresses: Mapping[str, str], listed: Mapping[str, Ref]
) -> Ref:
    """Return the person of a group: called by the commonest spelling, found at the profiles."""
    spellings: Counter[str] = Counter()
    for key, name in members:
        if name in listed:
            return listed[name]
        if key:
            spellings.update(shows[int(key)].names[name])
    pages = sorted((page for key, page in members if not key), key=_by_site)
    label = min(spellings, key=lambda name: (-spellings[name], name))
    login = next((page for page in pages if page.startswith("person:")), "")
    home = next(shows[int(key)].slug for key, _ in members if key)
    urls = tuple(addresses[page] for page in pages)
    others = tuple(sorted(set(spellings) - {label}))
    attrs = ((("names", others),) if others else ()) + ((("profiles", urls),) if urls else ())
    return Ref("person", login or f"person:{home}/{slugify(label)}", label, urls[0] if urls else "", attrs)


def _by_site(page: str) -> tuple[int, str]:
    return next((place for place, start in enumerate(_ORDER) if page.startswith(start)), len(_ORDER)), page


def _account(login: str) -> Ref:
    return Ref("person", f"person:{login}", login, f"https://github.com/{login}")
