"""The persons of feeds, and their mentions in notes and titles: by a name or handle that the feed or a list confirms.

Precision first. Two capitalised words, or a word in parentheses, need evidence: the list ``people.txt``, the feed's own
persons, a linked profile, a phrase such as "joins me". A judge decides for the whole show which names are persons' and
who hosts it. Names, profiles and home pages that belong together are one person.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..languages.trigger_phrases import alternatives
from ..model import KnownEdge, Mention
from ..ref import Ref
from ..sites import identify
from ..sites.tables import read_table
from ..sites.tables.github_names import ORGANISATIONS
from ..slugs import slugify
from ..subjects.lists import read_people
from .corpus import KnownPeople, NameFinder, name_key
from .guests import find_affiliation, find_announced_role, find_guests
from .person_names import find_person_names, is_likely, name_at_start
from .urls import list_links, to_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..model import Episode, Feed, Person
    from ..subjects.subject import Subject
    from .corpus import Corpus
    from .guests import Guest

    _Key = tuple[int, str]  # the number of a show and the key of a name, or -1 and the id of a page
    _Place = tuple[int, int, Ref, float, str]  # start, end, person, confidence, role

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
_LETTERS = re.compile(r"[\W\d_]+")  # all but letters
_HOSTS, _PAGES = ("|".join(map(re.escape, chain(*rows))) for rows in read_table("profiles").values())
# The id of a page: "person:ann", "web:x.com/ann", "web:linkedin.com/in/ann", "web:social.example/@ann".
_PROFILE = re.compile(
    rf"person:.+|web:(?:{_HOSTS})/(?!(?:{_PAGES})(?:[/?#]|\Z))[^/?#]+|web:linkedin\.com/in/[^/?#]+"
    r"|web:bsky\.app/profile/[^/?#]+|web:(?!(?:m\.)?youtube\.com/|tiktok\.com/)[^/]+/(?:@[^/?#]+|users/[^/?#]+)"
)
_HOME = re.compile(r"web:(?P<host>[^/?#]+)\.[^./?#]+(?:/~(?P<user>[\w-]+))?")  # a page without a path, or a user's
_ORDER = ("person:", "web:x.com/", "web:linkedin.com/", "web:")  # addresses of a person, the best first
# The heading of a list of links, on a line of its own.
_HEADING = re.compile(rf"^\W*(?:{alternatives('link headings')})\W*$", re.MULTILINE | re.IGNORECASE)
_MARKS = " \t*-\u2013\u2022\u00b7@\"'"  # before the words of a line
_SHORT = 4  # letters of a login that may be a word
_MORE_WORDS = 20  # characters behind a name, in the words of a link to the person's page


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
    names: list[PersonName] = []
    for person in chain(feed.people, *(item.people for item in feed.episodes)):
        site = identify(person.url) if person.url else None
        page = (site[1].id, site[1].url) if site and site[1].kind != "repo" else ("", "")
        names.append(PersonName(" ".join(person.name.split()), *page))
    logins: set[str] = set()
    guests: list[tuple[Episode, Guest]] = []
    for episode in feed.episodes:
        for text in (episode.notes, *(link.url for link in episode.links)):
            logins.update(match["login"].lower() for match in _ACCOUNT.finditer(text))
        names += _find_links(episode)
        # The calls are spelt as those of ``find_people`` are, for the cache to have their results.
        guests += ((episode, guest) for guest in find_guests(episode.title, title=True))
        guests += ((episode, guest) for guest in find_guests(episode.notes, title=False))
    names += _judge([guest for _, guest in guests], {name_key(entry.name) for entry in names})
    keys = {name_key(entry.name) for entry in names} - {""}
    own_login = _LETTERS.sub("", feed.title.casefold())
    logins = {login for login in logins - ORGANISATIONS if _LETTERS.sub("", login) != own_login}
    finder, spread = NameFinder(keys), Counter[str]()
    for episode in feed.episodes:
        spread.update({key for _, _, key in finder.places(f"{episode.title}\n{episode.notes}")})
    items = len(feed.episodes)
    widespread = {key for key, count in spread.items() if items >= _FEW and count > _MOST_SHARE * items}
    hosts = _find_hosts(feed, guests) & keys
    slug = (feed.id or first).partition(":")[2].partition("/")[0]
    return ShowPeople(slug, [*filter(None, names)], frozenset(logins), frozenset(hosts), frozenset(widespread))


def _judge(guests: Sequence[Guest], certain_keys: set[str]) -> Iterator[PersonName]:
    """Yield the guests who are persons, by all that the show has of them; ``certain_keys`` have other evidence.

    A name counts with sure evidence anywhere in the show. A place in titles is as trustworthy as the other names there.
    """
    sure = certain_keys | {name_key(one.name) for one in guests if one.sure and one.form != "part"}
    for form, least in _LEAST_SHARES.items():
        names = {name_key(one.name) for one in guests if one.form == form and (one.sure or form == "with")}
        if len(names & sure) >= max(least * len(names), 1):
            sure |= names
    return (PersonName(one.name) for one in guests if name_key(one.name) in sure)


def _find_hosts(feed: Feed, guests: Sequence[tuple[Episode, Guest]]) -> set[str]:
    """Return the keys of names of a show's hosts: of its data, of its description, or announced in several items."""
    about = f"{feed.title}. {feed.description}. {feed.author}"
    hosts = {name_key(person.name) for person in feed.people}
    hosts |= {name_key(one.name) for one in find_person_names(about) if is_likely(one.name)}
    announced = {(name_key(one.name), item.id) for item, one in guests if one.sure and one.role == "host"}
    counts = Counter(key for key, _ in announced)
    return hosts | {key for key in counts if counts[key] >= max(_HOST_LEAST, _HOST_SHARE * len(feed.episodes))}


def _find_links(episode: Episode) -> Iterator[PersonName]:
    """Yield the persons whose names are the words of links to their profiles and home pages."""
    for link in episode.links:
        words = episode.notes[link.start : link.end]
        name = name_at_start(words) if 5 <= len(words) <= 60 and not link.truncated and " " in words.strip() else ""
        site = identify(link.url) if name else None
        if site is None or not _BEHIND_NAME.fullmatch(words, words.find(name) + len(name)):
            continue
        ref = site[1]
        repeats_address = _LETTERS.sub("", name).casefold() in _LETTERS.sub("", ref.url).casefold()
        is_account = _PROFILE.fullmatch(ref.id) and ref.id.removeprefix("person:") not in ORGANISATIONS
        if (is_likely(name) and is_home_of(ref.id, name)) or (is_account and (is_likely(name) or not repeats_address)):
            yield PersonName(" ".join(name.split()), ref.id, ref.url)


def is_home_of(page: str, name: str) -> bool:
    """Return whether a page, by its id, is a home page with a word of ``name`` in its address.

    >>> is_home_of("web:annexample.dev", "Ann Example"), is_home_of("web:kiln.example", "Ann Example")
    (True, False)
    """
    home = _HOME.fullmatch(page)
    address = _LETTERS.sub("", "".join(filter(None, home.groups())).lower()) if home else ""
    return any(len(word) > 2 and word in address for word in re.findall(r"[a-z]+", name.casefold()))


class Alias(NamedTuple):
    """A person on a subject's list, by a name that is certain, or a short login or first name that needs a sign."""

    person: Ref
    is_certain: bool
    is_first_name: bool = False


@lru_cache(maxsize=16)
def _read_aliases(subjects: tuple[Subject, ...]) -> tuple[Mapping[str, Alias], NameFinder]:
    """Return the lists of some subjects by ``name_key``; of two persons called alike the earlier subject's counts."""
    aliases: dict[str, Alias] = {}
    for person in (person for subject in reversed(subjects) for person in read_people(subject)):
        login = person.login.lower()
        ref = Ref("person", f"person:{login}", person.names[0], f"https://github.com/{person.login}")
        aliases[name_key(person.first_name)] = Alias(ref, is_certain=False, is_first_name=True)
        aliases[login] = Alias(ref, is_certain=len(login) > _SHORT)
        aliases.update((name_key(name), Alias(ref, is_certain=True)) for name in person.names)
    return aliases, NameFinder(aliases)


def join_people(shows: Sequence[ShowPeople], subjects: Sequence[Subject] = ()) -> list[KnownPeople]:
    """Return the persons whom each feed knows: its own by name, and those of all feeds by profile.

    Persons of one name in one show, or with a profile in common, are one: ``person:<login>`` where one of the profiles
    is GitHub's, or the list of one of the ``subjects`` has the name, else ``person:<show>/<name>``.
    """
    import networkx  # noqa: PLC0415 - takes longer to load than many commands to run

    aliases, _ = _read_aliases(tuple(subjects))
    addresses: dict[str, str] = {}
    spellings: dict[_Key, Counter[str]] = defaultdict(Counter)
    same: networkx.Graph[_Key] = networkx.Graph()  # edges join a name and a page of one person
    for number, show in enumerate(shows):
        addresses.update((f"person:{login}", f"https://github.com/{login}") for login in show.accounts)
        for name, page, url in show.names:
            spellings[number, name_key(name)][name] += 1
            addresses.setdefault(page, url)
        same.add_edges_from(((number, name), (-1, page)) for name, page in _match_pages(show))
    same.add_nodes_from(spellings)
    people: list[KnownPeople] = []
    own: list[dict[str, Ref]] = [{} for _ in shows]
    profiles: dict[str, Ref] = {}
    for group in sorted(map(sorted, networkx.connected_components(same))):
        pages = [page for number, page in group if number < 0]
        keys = [key for key in group if key[0] >= 0]
        counts = sum((spellings[key] for key in keys), Counter[str]())
        ref = next((aliases[name].person for _, name in keys if name in aliases), None)
        ref = ref or _make_person(shows[keys[0][0]].slug, counts, pages, addresses)
        profiles.update(dict.fromkeys(pages, ref))
        for number, name in keys:
            own[number][name] = ref
    profiles.update((alias.person.id, alias.person) for alias in aliases.values())
    for show, refs in zip(shows, own, strict=True):
        hosts, widespread = (frozenset(refs[name].id for name in keys) for keys in (show.hosts, show.widespread))
        people.append(KnownPeople(refs, subjects, profiles, hosts, widespread))
    return people


def _match_pages(show: ShowPeople) -> Iterator[tuple[str, str]]:
    """Yield (key of a name, id of a page); an account belongs to the one person with its handle or name."""
    owners: dict[str, set[str]] = defaultdict(set)
    for name, page, _ in show.names:
        key = name_key(name)
        owners[slugify(key).replace("-", "")].add(key)
        if page:
            yield key, page
            owners[page.rpartition("/")[2].lstrip("@").replace("-", "")].add(key)
    for login in show.accounts:
        if len(names := owners[login.replace("-", "")]) == 1:
            yield min(names), f"person:{login}"


def _make_person(show: str, counts: Counter[str], pages: list[str], addresses: Mapping[str, str]) -> Ref:
    """Return a person, called by the commonest of the spellings in ``counts``, found at the pages."""
    pages.sort(key=lambda page: next((at for at, start in enumerate(_ORDER) if page.startswith(start)), len(_ORDER)))
    label = min(counts, key=lambda name: (-counts[name], name))
    id_ = next((page for page in pages if page.startswith("person:")), f"person:{show}/{slugify(label)}")
    urls = tuple(addresses[page] for page in pages)
    attrs = ("names", tuple(sorted(counts.keys() - {label}))), ("profiles", urls)
    return Ref("person", id_, label, urls[0] if urls else "", tuple(attr for attr in attrs if attr[1]))


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


def find_people(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Yield the persons that an episode's notes and title name, as mentions of method ``alias``.

    Found are persons that the corpus knows, and in an episode about a subject those on the subject's list, by name or
    handle. Nothing inside a URL or a link to a person's page counts.
    """
    people, notes = corpus.people, episode.notes
    subjects = tuple(
        subject
        for subject in corpus.subjects
        if subject in people.subjects or subject.concerns(notes, episode.title, repo=corpus.default_repo)
    )
    visible = list(notes)
    for link in list_links(episode):
        page = identify(link.url) if people.profiles else None
        is_profile = page is not None and page[1].id in people.profiles
        if is_profile or link.method == "url" or "://" in notes[link.start : link.end]:
            visible[link.start : link.end] = "\0" * (link.end - link.start)
    for field, text, visible_text in (("notes", notes, "".join(visible)), ("title", episode.title, episode.title)):
        free_from = 0
        places = _find_names(text, visible_text, people, subjects, is_title=field == "title")
        for start, end, ref, confidence, role in sorted(places, key=lambda place: (place[0], -place[1])):
            if start >= free_from:
                free_from = end
                quote = text[start:end]
                yield Mention(
                    ref, field, start, end, quote, "alias", "people", confidence, relation="mentions", role=role
                )


def _find_names(
    text: str, visible: str, people: KnownPeople, subjects: tuple[Subject, ...], *, is_title: bool
) -> Iterator[_Place]:
    """Yield the persons in the ``visible`` parts of a text, by a name or login that a list or the corpus has."""
    for start, end, name in people.finder.places(visible):
        yield start, end, people.people[name], 1.0, ""
    aliases, finder = _read_aliases(subjects)
    for start, end, name in finder.places(visible):
        alias = aliases[name]
        role = find_announced_role(text, start, end) if alias.is_first_name else ""
        if alias.is_certain or role or text[start - 1 : start] in {"@", "("}:
            yield start, end, alias.person, 1.0 if alias.is_certain else 0.8, role
    for guest in find_guests(text, title=is_title):
        is_inflected = guest.name != visible[guest.start : guest.end] == text[guest.start : guest.end]
        if is_inflected and (ref := people.people.get(name_key(guest.name))):
            yield guest.start, guest.end, ref, 0.9, ""


def add_roles(episode: Episode, mentions: Sequence[Mention], people: KnownPeople) -> tuple[Mention, ...]:
    """Return mentions with the role and affiliation of each person.

    The role is that of the words beside the name. A host of the show is one in each item that names no other host. A
    person whom more than a third of the show's items name needs a role here: boilerplate names persons, too.
    """
    persons = [*filter(_is_of_person, mentions)]
    if not persons:
        return tuple(mentions)
    roles = _find_roles(episode, persons, people)
    is_hosted = any("host" in names for names in roles.values())
    for person in episode.people:
        if (ref := people.people.get(name_key(person.name))) and (role := feed_role(person)) != "mentioned":
            roles[ref.id].add(role)
    results = []
    for mention in mentions:
        id_ = mention.ref.id
        is_host = "host" in roles[id_] or (id_ in people.hosts and not is_hosted)
        role = "host" if is_host else "guest" if roles[id_] else "mentioned"
        if not _is_of_person(mention):
            results.append(mention)
        elif role != "mentioned" or id_ not in people.widespread:
            text = {"title": episode.title, "notes": episode.notes}.get(mention.field, "")
            organisation = find_affiliation(text, mention.start, mention.end)
            results.append(replace(mention, role=role, affiliation=organisation))
        elif mention.url:
            results.append(to_page(mention))
    return tuple(results)


def _is_of_person(mention: Mention) -> bool:
    return mention.relation == "mentions" and mention.ref.kind == "person"


def _find_roles(episode: Episode, persons: Sequence[Mention], people: KnownPeople) -> dict[str, set[str]]:
    """Return the roles that the words of an episode give to each person, by the person's id."""
    roles: dict[str, set[str]] = defaultdict(set)
    refs: dict[tuple[str, int], Ref] = {}  # a guest and a mention are one name if they begin or end at one place
    for mention in persons:
        refs[mention.field, mention.start] = refs[mention.field, mention.end] = mention.ref
        roles[mention.ref.id] |= {mention.role} - {""}
    heading = _HEADING.search(episode.notes)
    links_from = heading.end() if heading else len(episode.notes)
    for field, text in (("title", episode.title), ("notes", episode.notes)):
        for guest in find_guests(text, title=field == "title"):
            ref = refs.get((field, guest.start)) or refs.get((field, guest.end))
            ref = ref or people.people.get(name_key(guest.name))
            if ref and (field == "title" or guest.form == "label" or not _is_of_other(episode, guest, links_from)):
                roles[ref.id].add(guest.role)
    return roles


def _is_of_other(episode: Episode, guest: Guest, links_from: int) -> bool:
    """Return whether a guest is that of something else: named under a heading of links, or in a line of a link."""
    line = episode.notes.rfind("\n", 0, guest.start) + 1
    while line < guest.start and episode.notes[line] in _MARKS:
        line += 1
    link = next((link for link in episode.links if link.start <= line < link.end), None)
    longer = link is not None and link.end - link.start > guest.end - guest.start + _MORE_WORDS
    return guest.start > links_from or (link is not None and (guest.start >= link.end or longer))
