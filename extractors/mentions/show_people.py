"""The persons of one feed: the judge that decides for the whole show which names are persons' and whose it hosts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..model import KnownEdge
from ..ref import Ref
from ..sites import identify
from ..sites.tables import read_table
from ..sites.tables.github_names import ORGANISATIONS
from .corpus import NameFinder, name_key
from .guests import find_guests
from .person_names import is_likely, name_at_start, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..model import Episode, Feed, Person
    from .corpus import KnownPeople
    from .guests import Guest

_ACCOUNT = re.compile(r"github\.com/(?P<login>[A-Za-z0-9-]{2,39})(?![\w-]|/[\w.-])", re.IGNORECASE)
# Words after the name in a link to a person's page: "on Mastodon", "'s site", "(@ann)".
_BEHIND_NAME = re.compile(
    r"\s*(?:['\u2019]s?\s.{1,30}|(?:on|at|@|auf|sur|en|no|\u0432|\u043d\u0430)\s?\S{1,20}|[(\[@].{1,40}|[,:|\u2013\u2014-].{0,30})?\s*",
    re.IGNORECASE,
)
_LEAST_SHARES = {"with": 0.8, "part": 0.3}  # of the names in such a place that have sure evidence
_FEW = 12  # items: with fewer, a third has no meaning
_MOST_SHARE = 1 / 3  # most of a show's items with the name of a person who is not a host
_HOST_SHARE, _HOST_LEAST = 0.05, 2  # items that announce a person as the host
_FIRST_SHARE = 0.25  # least items with the first name of a host: a person named in full somewhere who is not a guest
_LETTERS = re.compile(r"[\W\d_]+")  # all but letters
_TABLE = read_table("profiles")
_HOSTS, _PAGES, _OFFICIAL, _ENDS = ("|".join(map(re.escape, chain(*rows))) for rows in _TABLE.values())
# The id of a page: "person:ann", "web:x.com/ann", "web:linkedin.com/in/ann", "web:social.example/@ann".
_PROFILE = re.compile(
    rf"person:.+|web:(?:{_HOSTS})/(?!(?:{_PAGES})(?:[/?#]|\Z))[^/?#]+|web:linkedin\.com/in/[^/?#]+"
    r"|web:bsky\.app/profile/[^/?#]+|web:(?!(?:m\.)?youtube\.com/|tiktok\.com/)[^/]+/(?:@[^/?#]+|users/[^/?#]+)"
)
_HOME = re.compile(r"web:(?P<host>[^/?#]+)(?:/~(?P<user>[\w-]+))?")  # a page without a path, or a user's
_OFFICIAL_NAME = re.compile(rf"(?:^|[-_.])(?:{_OFFICIAL})(?:$|[-_.])|(?:{_ENDS})$")


class PersonName(NamedTuple):
    """A name, and the id and address of a page that is the person's, or nothing."""

    name: str
    page: str = ""
    url: str = ""


class ShowPeople(NamedTuple):
    """The persons of one feed, without the facts of other feeds.

    ``slug`` begins the ids of its persons. ``accounts`` are the linked logins of GitHub. ``hosts`` and ``widespread``
    are keys of names: the show's hosts, and persons in more than a third of its items.
    """

    slug: str
    names: list[PersonName]
    accounts: frozenset[str]
    hosts: frozenset[str]
    widespread: frozenset[str]


def find_show_people(feed: Feed) -> ShowPeople:
    """Return the persons of a feed: from its own data, links to profiles, and guests named in titles and notes."""
    first = feed.episodes[0].id if feed.episodes else ""
    slug = (feed.id or first).partition(":")[2].partition("/")[0]
    names: list[PersonName] = []
    for person in chain(feed.people, *(item.people for item in feed.episodes)):
        site = identify(person.url) if person.url else None
        page = (site[1].id, site[1].url) if site and site[1].kind != "repo" else ("", "")
        names.append(PersonName(" ".join(person.name.split()), *page))
    own_login = _LETTERS.sub("", feed.title.casefold())
    repeats: list[PersonName] = []  # names that only repeat the address; they count if other evidence has them too
    logins: set[str] = set()
    guests: list[tuple[int, Guest]] = []  # with the number of the item
    for number, episode in enumerate(feed.episodes):
        for text in (episode.notes, *(link.url for link in episode.links)):
            logins.update(match["login"].lower() for match in _ACCOUNT.finditer(text))
        for one in _find_links(episode):
            is_new = _LETTERS.sub("", one.name).casefold() not in _LETTERS.sub("", one.url).casefold()
            (names if is_new or is_likely(one.name) else repeats).append(one)
        guests += ((number, guest) for guest in find_guests(episode.title, title=True))
        guests += ((number, guest) for guest in find_guests(episode.notes))
    names += _judge(feed, guests, {name_key(entry.name) for entry in names})
    names = [entry for entry in names if entry.name]
    keys = {name_key(entry.name) for entry in names}
    names += (entry for entry in repeats if name_key(entry.name) in keys)
    hosts, widespread = _find_hosts(feed, guests, keys)
    logins = {login for login in logins if not _is_official(login) and _LETTERS.sub("", login) != own_login}
    return ShowPeople(slug, names, frozenset(logins), frozenset(hosts), frozenset(widespread))


def _judge(feed: Feed, guests: Sequence[tuple[int, Guest]], certain_keys: set[str]) -> Iterator[PersonName]:
    """Yield the guests who are persons, by all that the show has of them; ``certain_keys`` have other evidence.

    A name counts with sure evidence anywhere in the show. A place in titles is as trustworthy as the other names there.
    """
    sure = certain_keys | {name_key(one.name) for _, one in guests if one.sure and one.form != "part"}
    is_trusted = {}
    for form, least in _LEAST_SHARES.items():
        names = {name_key(one.name) for _, one in guests if one.form == form and (one.sure or form == "with")}
        is_trusted[form] = len(names & sure) >= max(least * len(names), 1)
    for number, guest in guests:
        # Guests are called by their first names, subjects are not.
        first_name = rf"\b{re.escape(guest.name.split()[0])}\b(?! [A-Z])"
        is_well_placed = is_trusted.get(guest.form) and (guest.sure or guest.form == "with")
        is_called = guest.sure and re.search(first_name, feed.episodes[number].notes)
        if name_key(guest.name) in sure or is_well_placed or is_called:
            yield PersonName(guest.name)


def _find_hosts(feed: Feed, guests: Sequence[tuple[int, Guest]], keys: set[str]) -> tuple[set[str], set[str]]:
    """Return the names of the show's hosts, and the names that more than a third of its items have."""
    items = len(feed.episodes)
    first_names = {key: key.split()[0] for key in keys if " " in key}
    finder = NameFinder([*keys, *first_names.values()])
    spread: Counter[str] = Counter()
    for episode in feed.episodes:
        text = f"{episode.title}\n{episode.notes}"
        places = {(name, text[end + 1 : end + 2].isupper()) for _, end, name in finder.places(text)}
        full = {name for name, _ in places if name in keys}
        # A first name counts in a text without the full name, and not before another capitalised word.
        alone = {name for name, before_capital in places if not before_capital} - full
        spread.update(full | (alone - {first_names.get(name, "") for name in full}))
    signs = {
        (name_key(one.name), one.role, item)
        for item, one in guests
        if one.sure and (one.role == "host" or one.form != "behind")
    }
    role_counts = Counter((name, role) for name, role, _ in signs)
    about = f"{feed.title}. {feed.description}. {feed.author}"
    hosts = {name_key(person.name) for person in feed.people}
    hosts |= {name_key(name) for _, _, name in names_in(about) if is_likely(name)} & keys
    widespread = {key for key in keys if items >= _FEW and spread[key] > _MOST_SHARE * items}
    for key in keys:
        is_regular = spread[key] >= _HOST_LEAST and not role_counts[key, "guest"]
        by_first_name = is_regular and spread[first_names.get(key, "")] > _FIRST_SHARE * items
        if by_first_name or role_counts[key, "host"] >= max(_HOST_LEAST, _HOST_SHARE * items):
            hosts.add(key)
    return hosts, widespread


def _find_links(episode: Episode) -> Iterator[PersonName]:
    """Yield the persons whose names are the words of links to their profiles and home pages."""
    for link in episode.links:
        words = episode.notes[link.start : link.end]
        name = name_at_start(words) if 5 <= len(words) <= 60 and not link.truncated and " " in words.strip() else ""
        site = identify(link.url) if name else None
        if site and _BEHIND_NAME.fullmatch(words, words.find(name) + len(name)):
            ref = site[1]
            is_account = find_profile(link.url) and not _is_official(ref.id.rpartition("/")[2].rpartition(":")[2])
            if is_account or (is_likely(name) and is_home_of(ref.id, name)):
                yield PersonName(" ".join(name.split()), ref.id, ref.url)


def feed_role(person: Person) -> str:
    """Return the role of a person whom a feed itself names.

    >>> from podgraph.extractors.model import Person
    >>> [feed_role(Person("Ann Example", role)) for role in ("Co-Host", "guest", "editor")]
    ['host', 'guest', 'mentioned']
    """
    role = person.role.casefold() or "host"
    return next((name for name in ("host", "guest") if name in role), "mentioned")


def list_roles(feed: Feed, people: KnownPeople) -> dict[str, tuple[KnownEdge, ...]]:
    """Return the edges to the persons whom the feed itself gives to its items, by the item's id.

    The podcast's own are on no item's list: see ``list_hosts``.
    """
    edges: dict[str, list[KnownEdge]] = defaultdict(list)
    hosts = {person.name.casefold() for person in feed.people}
    for episode in feed.episodes:
        item = Ref(episode.kind, episode.id, episode.title)
        for person in episode.people:
            ref = people.people.get(name_key(person.name))
            if ref and person.name.casefold() not in hosts:
                reason, role = f"the feed names its {person.role or 'host'}", feed_role(person)
                edges[episode.id].append(KnownEdge(item, ref, "mentions", (("role", role),), (reason,)))
    return {item: tuple(roles) for item, roles in edges.items()}


def list_hosts(feed: Feed, people: KnownPeople) -> tuple[Ref, ...]:
    """Return the show's hosts, whose attribute ``hosts`` has the podcast's id."""
    hosts = {ref.id: ref for ref in people.people.values() if ref.id in people.hosts} if feed.id else {}
    return tuple(ref._replace(attrs=(*ref.attrs, ("hosts", (feed.id,)))) for ref in hosts.values())


def find_profile(url: str) -> Ref | None:
    """Return the page that ``url`` leads to if it is somebody's profile.

    >>> [bool(find_profile(url)) for url in ("https://x.com/ann", "https://social.example/@ann", "https://x.com/ann/status/1")]
    [True, True, False]
    """
    site = identify(url)
    return site[1] if site and _PROFILE.fullmatch(site[1].id) else None


def is_home_of(page: str, name: str) -> bool:
    """Return whether a page, by its id, is a home page with a word of ``name`` in its address.

    >>> is_home_of("web:annexample.dev", "Ann Example"), is_home_of("web:kiln.example", "Ann Example")
    (True, False)
    """
    home = _HOME.fullmatch(page)
    if home is None:
        return False
    address = re.sub(r"[^a-z]", "", f"{home['host'].rpartition('.')[0]}{home['user'] or ''}".lower())
    return any(len(word) > 2 and word in address for word in re.findall(r"[a-z]+", name.casefold()))


def _is_official(account: str) -> bool:
    """Return whether an account is called as organisations, projects and shows are, and no person is."""
    return account in ORGANISATIONS or _OFFICIAL_NAME.search(account) is not None
