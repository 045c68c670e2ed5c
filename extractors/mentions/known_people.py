"""Who the feeds speak of: names, profiles and home pages that belong together are one person."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

from ..model import KnownEdge
from ..notes.addresses import without_addresses
from ..ref import Ref
from ..sites import identify
from ..slugs import slugify
from .corpus import KnownPeople
from .guests import find_guests, is_likely, is_name, named_at
from .people import aliases_of, confirmed_logins, pairs, ways_of
from .profiles import is_home_of, is_official, profile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Feed, Person
    from ..subjects.subject import Subject

# What may stand behind the name in the words of a link to someone's page: "on Mastodon", "'s site", "(@ann)".
_BEHIND_NAME = re.compile(
    r"\s*(?:['\u2019]s?\s.{1,30}|(?:on|at|@|auf|sur|en|no|\u0432|\u043d\u0430)\s?\S{1,20}|[(\[@].{1,40}|[,:|\u2013\u2014-].{0,30})?\s*",
    re.IGNORECASE,
)
_OWNED = re.compile(r"([^\W\d_]{2,20})['\u2019]s?\s")  # "Ann's GitHub"
_LEARNT_LEAST, _LEARNT_SHARE = 3, 0.75  # titles of a show that say "with" and a person's name, that all such do
_SLIP = 4  # letters of a word in which one may be wrong
_NAMESAKES = 40  # names with a word in common that are compared
_LETTERS = re.compile(r"[\W\d_]+")  # what is no letter
_ORDER = ("person:", "web:x.com/", "web:linkedin.com/", "web:")  # whose address a person is best found at

_Key = tuple[str, str]


class _Named(NamedTuple):
    """A name; the id and the address of a page that is the person's, or nothing; the login it hangs on, or nothing."""

    name: str
    page: str = ""
    url: str = ""
    login: str = ""


class Said(NamedTuple):
    """What one feed says of persons, whatever is known of other feeds.

    ``ways`` are those in which logins stand in its texts. Of ``named``, what hangs on a login counts if that is
    confirmed; ``doubtful`` are (form, name) of what may be a guest, taken where the feed's titles show that it is;
    ``owned`` are (first name, page, who is named beside it) of "Ann's GitHub"; ``accounts`` may be an organisation's,
    which are called as it is.
    """

    slug: str
    ways: dict[str, set[str]]
    named: list[_Named]
    doubtful: list[tuple[str, str]]
    taken: frozenset[str]
    owned: list[tuple[str, _Named, set[str]]]
    accounts: list[_Named]


class _Show(NamedTuple):
    """The persons of one feed: spellings by name, and the names that its links give to pages."""

    key: str
    slug: str
    names: dict[str, Counter[str]]
    pages: dict[str, Counter[str]]


class AllPeople(NamedTuple):
    """What holds in all feeds: the persons by ``@`` and login, by the id of a profile; subjects whose lists hold."""

    logins: dict[str, Ref]
    profiles: dict[str, Ref]
    listed: list[Subject]

    def beside(self, own: Mapping[str, Ref]) -> KnownPeople:
        """Return them with a feed's ``own``, by name."""
        return KnownPeople({**self.logins, **own}, listed=self.listed, profiles=self.profiles)


def known_people(said: Sequence[Said], listed: Sequence[Subject] = ()) -> tuple[AllPeople, list[dict[str, Ref]]]:
    """Return the persons whom some feeds name, and each feed's own by name, from what each says.

    Names are those of the feed's own persons, of guests and hosts, and of the links to profiles and home pages. Who is
    called alike in one show, or has a profile in common, is one person: ``person:<login>`` where one of the profiles
    is GitHub's, or the list of one of the subjects ``listed`` knows the name, else ``person:<show>/<name>``. A login is
    confirmed by a link to the profile, or by standing in two ways: behind a full name, behind "PRs from", as the owner
    of a repository.
    """
    ways = {login: seen for login, seen in confirmed_logins(one.ways for one in said).items() if not is_official(login)}
    confirmed = list(ways)
    addresses: dict[str, str] = {}
    shows = [_show(str(number), one, ways, addresses) for number, one in enumerate(said)]
    groups = _Groups()
    for show in shows:
        _claim_accounts(show, confirmed, addresses)
        _join(show, groups)
    aliases = aliases_of(tuple(listed))
    members = groups.all()
    refs = {root: _person(keys, shows, addresses, aliases.names) for root, keys in members.items()}
    profiles = {page: refs[root] for root, keys in members.items() for show, page in keys if not show}
    profiles.update((ref.id, ref) for ref in aliases.logins.values())
    logins = {f"@{login}": profiles.get(f"person:{login}") or _account(login) for login in confirmed}
    # An account that is linked and nothing else may be anybody's, and so is a page.
    profiles.update((f"person:{login}", logins[f"@{login}"]) for login, seen in ways.items() if seen & {"by", "pair"})
    own = [{name: refs[groups.root((show.key, name))] for name in show.names} for show in shows]
    handles = ({f"@{ref.id.partition(':')[2]}": ref for ref in names.values() if "/" not in ref.id} for names in own)
    both = [{**by_handle, **names} for by_handle, names in zip(handles, own, strict=True)]
    return AllPeople(logins, profiles, list(listed)), both


def show_slug(feed: Feed) -> str:
    """Return by what the ids of a feed's persons begin: the podcast's slug, for a blog its host."""
    first = feed.episodes[0].id if feed.episodes else ""
    return (feed.id or first).partition(":")[2].partition("/")[0]


def people_said(feed: Feed) -> Said:
    """Return what a feed says of persons."""
    said = Said(show_slug(feed), defaultdict(set), [], [], frozenset(), [], [])
    for person in chain(feed.people, *(episode.people for episode in feed.episodes)):
        said.named.append(_paged(person.name, person.url, own=True))
    sure_titles = 0
    for episode in feed.episodes:
        for text in (episode.notes, *(link.url for link in episode.links)):
            for way, login in ways_of(text):
                said.ways[login].add(way)
        for name, url in _links(episode):
            is_own = is_likely(name) or _LETTERS.sub("", name).casefold() not in _LETTERS.sub("", url).casefold()
            (said.named if is_own else said.accounts).append(_paged(name, url))
        here = {guest.name for guest in find_guests(episode.notes) if guest.sure}
        said.named.extend(map(_Named, here))
        for name, login in pairs(episode.notes):
            if is_name(name):
                said.named.append(_paged(name, f"https://github.com/{login}")._replace(login=login))
        titled = find_guests(episode.title, title=True)
        sure_titles += any(guest.sure and guest.form == "with" for guest in titled)
        beside = here | {guest.name for guest in titled}
        said.owned.extend((first, _paged("", url, own=True), beside) for first, url in _owned(episode))
        said.named.extend(_Named(guest.name) for guest in titled if guest.sure)
        said.doubtful.extend((guest.form, guest.name) for guest in titled if not guest.sure)
    forms = Counter(form for form, _ in said.doubtful)
    learnt = sure_titles >= _LEARNT_LEAST and sure_titles >= _LEARNT_SHARE * (sure_titles + forms["with"])
    last = {name: name.split()[-1].casefold() for form, name in said.doubtful if learnt and form == "with"}
    phrases = _in_small_letters(feed, {*last.values()})
    return said._replace(ways={**said.ways}, taken=frozenset(name for name in last if last[name] not in phrases))


def _show(key: str, said: Said, confirmed: Collection[str], addresses: dict[str, str]) -> _Show:
    """Return the persons of a feed, now that the logins of all feeds are confirmed; notes the ``addresses``."""
    show = _Show(key, said.slug, defaultdict(Counter), defaultdict(Counter))
    for one in said.named:
        if not one.login or one.login in confirmed:
            _add(show, one, addresses)
    for form, name in said.doubtful:
        if name.casefold() in show.names or (form == "with" and name in said.taken):
            _add(show, _Named(name), addresses)
    for first, page, names in said.owned:
        own = [name for name in names if name.casefold().startswith(f"{first.casefold()} ")]
        own = [name for name in own if name.casefold() in show.names]
        if len(own) == 1:
            _add(show, page._replace(name=own[0]), addresses)
    for one in said.accounts:
        if one.name.casefold() in show.names:
            _add(show, one, addresses)
    return show


def _owned(episode: Episode) -> Iterator[tuple[str, str]]:
    """Yield (first name, address) of the links to profiles whose words are "Ann's GitHub" and the like."""
    for link in episode.links:
        match = _OWNED.match(episode.notes, link.start, link.end)
        if match and not link.truncated and profile(link.url):
            yield match[1], link.url


def _in_small_letters(feed: Feed, words: set[str]) -> frozenset[str]:
    """Return those of some words that the feed writes in small letters too, which no name of a person is."""
    pattern = re.compile(rf"(?<=\s)(?:{'|'.join(map(re.escape, sorted(words)))})(?=[\s,.;:!?]|\Z)")
    texts = (text for episode in feed.episodes for text in (episode.title, without_addresses(episode.notes, " ")))
    return frozenset(word for text in texts for word in pattern.findall(text)) if words else frozenset()


def _paged(name: str, url: str, *, own: bool = False) -> _Named:
    """Return a name, and the page that is that person's by its address, or because the feed itself says so."""
    known = identify(url) if url else None
    ref = known[1] if known else None
    if ref and ref.kind != "repo" and (own or profile(url) is not None or is_home_of(ref.id, " ".join(name.split()))):
        return _Named(name, ref.id, ref.url)
    return _Named(name)


def _add(show: _Show, one: _Named, addresses: dict[str, str]) -> None:
    """Note a name, and its page."""
    if name := " ".join(one.name.split()):
        show.names[name.casefold()][name] += 1
        if one.page:
            show.pages[one.page][name.casefold()] += 1
            addresses.setdefault(one.page, one.url)


def _links(episode: Episode) -> Iterator[tuple[str, str]]:
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
    """Return the edges to the persons whom the feed itself names, by the id of the item they are told with.

    The podcast's own are none of an item's: see ``known_hosts``.
    """
    edges: dict[str, list[KnownEdge]] = defaultdict(list)
    hosts = {person.name.casefold() for person in feed.people}
    for episode in feed.episodes:
        item = Ref(episode.kind, episode.id, episode.title)
        for person in episode.people:
            for ref in _refs((person,), known) if person.name.casefold() not in hosts else ():
                reason = f"the feed names its {person.role or 'host'}"
                edges[episode.id].append(KnownEdge(item, ref, "mentions", reasons=(reason,)))
    return {item: tuple(found) for item, found in edges.items()}


def known_hosts(feed: Feed, known: KnownPeople) -> tuple[Ref, ...]:
    """Return the persons whom the feed names as the podcast's; their attribute ``hosts`` holds its id."""
    found = dict.fromkeys(_refs(feed.people, known)) if feed.id else ()
    return tuple(ref._replace(attrs=(*ref.attrs, ("hosts", (feed.id,)))) for ref in found)


def _refs(persons: Iterable[Person], known: KnownPeople) -> Iterator[Ref]:
    for person in persons:
        if ref := known.people.get(" ".join(person.name.split()).casefold()):
            yield ref


def _claim_accounts(show: _Show, logins: Iterable[str], addresses: dict[str, str]) -> None:
    """Give the accounts of GitHub to who has the same handle elsewhere, or whose name it is without its spaces."""
    owners: dict[str, set[str]] = defaultdict(set)
    for page, names in show.pages.items():
        owners[page.rpartition("/")[2].lstrip("@")].add(min(names, key=lambda name: (-names[name], name)))
    for name in show.names:
        owners[_LETTERS.sub("", slugify(name))].add(name)
    for login in logins:
        for name in (
            owners.get(login, ()) if len(owners.get(login, ())) == 1 else owners.get(_LETTERS.sub("", login), ())
        ):
            show.pages[f"person:{login}"][name] += 1
            addresses.setdefault(f"person:{login}", f"https://github.com/{login}")


def _are_alike(one: str, other: str) -> bool:
    """Tell whether two names of a show are one person's: a short form, a name left out, a letter wrong.

    >>> _are_alike("jon dick", "jonathan dick"), _are_alike("ann example", "ann b. example")
    (True, True)
    >>> _are_alike("jon example", "jon exmple"), _are_alike("ann lee", "dan lee")
    (True, False)
    """
    first, second = sorted((one.split(), other.split()), key=len)
    if len(first) < len(second):
        rest = iter(second)
        return all(word in rest for word in first)
    different = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if len(different) != 1:
        return False
    short, long = sorted(different[0], key=len)
    if len(short) > 2 and long.startswith(short) and first[0] != second[0]:
        return True
    return min(len(short), len(long)) > _SLIP and _differ_by_one(short, long)


def _differ_by_one(short: str, long: str) -> bool:
    """Tell whether a letter was left out, put in another's place, or changed places with the next."""
    at = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(long) > len(short):
        return len(long) == len(short) + 1 and short[at:] == long[at + 1 :]
    rest = short[at + 2 :] == long[at + 2 :] and short[at : at + 2] == long[at : at + 2][::-1]
    return rest or short[at + 1 :] == long[at + 1 :]


class _Groups:
    """Keys that belong together (union-find)."""

    def __init__(self) -> None:
        self._over: dict[_Key, _Key] = {}

    def root(self, key: _Key) -> _Key:
        """Return the key that stands for all that belong to ``key``."""
        self._over.setdefault(key, key)
        while self._over[key] != key:
            self._over[key] = self._over[self._over[key]]
            key = self._over[key]
        return key

    def join(self, one: _Key, other: _Key) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        self._over[second] = first

    def all(self) -> dict[_Key, list[_Key]]:
        found: dict[_Key, list[_Key]] = defaultdict(list)
        for key in sorted(self._over):
            found[self.root(key)].append(key)
        return found


def _join(show: _Show, groups: _Groups) -> None:
    """Join the names of a show to the pages that its links give them; a slip of the pen joins no two persons."""
    for name in show.names:
        groups.root((show.key, name))
    for place in (0, -1):
        beside: dict[str, list[str]] = defaultdict(list)
        for name in show.names:
            beside[name.split()[place]].append(name)
        for alike in beside.values():
            for one, other in combinations(alike, 2) if len(alike) <= _NAMESAKES else ():
                if _are_alike(one, other):
                    groups.join((show.key, one), (show.key, other))
    for page, names in show.pages.items():
        ((first, _), *others) = sorted(names.items(), key=lambda item: (-item[1], item[0]))
        groups.join((show.key, first), ("", page))
        for other, _ in others:
            if not set(other.split()).isdisjoint(first.split()):
                groups.join((show.key, other), ("", page))


def _person(
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
