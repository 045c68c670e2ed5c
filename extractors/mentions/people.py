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

from ..model import KnownEdge, Mention
from ..ref import Ref
from ..sites import identify
from ..sites.profiles import is_profile, rank_profile
from ..sites.tables.github_names import ORGANISATIONS
from ..slugs import slugify
from ..subjects.lists import read_people
from .corpus import KnownPeople, NameFinder, name_key
from .guests import MARKS, find_announced_role, find_guests, read_affiliation
from .patterns import MASK, mask_spans, read_patterns, skip_overlaps
from .person_names import find_person_names, is_likely, name_at_start
from .urls import list_links, to_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..model import Episode, Feed, Link, Person
    from ..subjects.subject import Subject
    from .corpus import Corpus
    from .guests import Guest

    _Key = tuple[int, str]  # the number of a show and the key of a name, or -1 and the id of a page

_PATTERNS = read_patterns("persons")
_MINIMUM_SHARES = {"with": 0.8, "part": 0.3}  # of the names in such a place that have sure evidence
_MINIMUM_ITEMS = 12  # with fewer items, a third has no meaning
_MAXIMUM_SHARE = 1 / 3  # of a show's items with the name of a person who is not a host
_MINIMUM_HOST_SHARE, _MINIMUM_HOST_ITEMS = 0.05, 2  # items that announce a person as the host
_SHORT_LOGIN = 4  # letters of a login that may be a word
_MORE_WORDS = 20  # characters behind a name, in the words of a link to the person's page


class PersonName(NamedTuple):
    """A name, and the id and address of a page that is the person's, or nothing."""

    name: str
    page: str = ""
    url: str = ""


class ShowPeople(NamedTuple):
    """The persons of one feed, without the facts of other feeds.

    ``slug`` begins the ids of its persons. ``hosts`` and ``widespread`` are keys of names: the show's hosts, and
    persons in more than a third of its items.
    """

    slug: str
    names: list[PersonName]
    hosts: frozenset[str]
    widespread: frozenset[str]


def find_show_people(feed: Feed) -> ShowPeople:
    """Return the persons of a feed: from its own data, links to profiles, and guests named in titles and notes."""
    names: list[PersonName] = []
    for person in chain(feed.people, *(episode.people for episode in feed.episodes)):
        site = identify(person.url) if person.url else None
        page = (site.ref.id, site.ref.url) if site and site.ref.kind != "repo" else ("", "")
        names.append(PersonName(" ".join(person.name.split()), *page))
    names += chain.from_iterable(map(_find_links, feed.episodes))
    guests = [(episode.id, guest) for episode in feed.episodes for _, guest in _list_guests(episode)]
    names += _judge([guest for _, guest in guests], {name_key(entry.name) for entry in names})
    names += [*_match_accounts(feed, names)]
    keys = {name_key(entry.name) for entry in names} - {""}
    finder, counts = NameFinder(keys), Counter[str]()
    for episode in feed.episodes:
        counts.update({key for _, _, key in finder.places(f"{episode.title}\n{episode.notes}")})
    item_count = len(feed.episodes)
    maximum = _MAXIMUM_SHARE * item_count if item_count >= _MINIMUM_ITEMS else item_count
    widespread = frozenset(key for key, count in counts.items() if count > maximum)
    slug = (feed.id or "".join(episode.id for episode in feed.episodes[:1])).partition(":")[2].partition("/")[0]
    return ShowPeople(slug, names, frozenset(_find_hosts(feed, guests) & keys), widespread)


def _match_accounts(feed: Feed, names: Sequence[PersonName]) -> Iterator[PersonName]:
    """Yield the persons of ``names`` whose handle or name is the login of an account at GitHub that the notes link."""
    owners: dict[str, str] = {}
    for name, page, _ in names:
        owners |= dict.fromkeys((slugify(name).replace("-", ""), page.rpartition("/")[2].strip("@-")), name)
    texts = (text for one in feed.episodes for text in (one.notes, *(link.url for link in one.links)))
    logins = {match["login"].lower() for text in texts for match in _PATTERNS["account"].finditer(text)}
    for login in sorted(logins - ORGANISATIONS):
        if owner := owners.get(login.replace("-", "")):
            yield PersonName(owner, f"person:{login}", f"https://github.com/{login}")


def _list_guests(episode: Episode) -> list[tuple[str, Guest]]:
    """Return (field, guest) for the guests whom the title and the notes of an episode announce."""
    in_title, in_notes = find_guests(episode.title, title=True), find_guests(episode.notes, title=False)
    return [*(("title", guest) for guest in in_title), *(("notes", guest) for guest in in_notes)]


def _judge(guests: Sequence[Guest], certain_keys: set[str]) -> Iterator[PersonName]:
    """Yield the guests who are persons, by all that the show has of them; ``certain_keys`` have other evidence.

    A name counts with sure evidence anywhere in the show. A place in titles is as trustworthy as the other names there.
    """
    sure = certain_keys | {name_key(one.name) for one in guests if one.sure and one.form != "part"}
    for form, minimum in _MINIMUM_SHARES.items():
        keys = {name_key(one.name) for one in guests if one.form == form and (one.sure or form == "with")}
        if len(keys & sure) >= max(minimum * len(keys), 1):
            sure |= keys
    return (PersonName(one.name) for one in guests if name_key(one.name) in sure)


def _find_hosts(feed: Feed, guests: Sequence[tuple[str, Guest]]) -> set[str]:
    """Return the keys of names of a show's hosts: of its data, of its description, or announced in several items.

    ``guests`` are pairs of an item's id and a guest.
    """
    hosts = {name_key(person.name) for person in feed.people}
    about = find_person_names(f"{feed.title}. {feed.description}. {feed.author}")
    hosts |= {name_key(one.name) for one in about if is_likely(one.name)}
    announced = {(name_key(one.name), id_) for id_, one in guests if one.sure and one.role == "host"}
    counts = Counter(key for key, _ in announced)
    minimum = max(_MINIMUM_HOST_ITEMS, _MINIMUM_HOST_SHARE * len(feed.episodes))
    return hosts | {key for key, count in counts.items() if count >= minimum}


def _find_links(episode: Episode) -> Iterator[PersonName]:
    """Yield the persons whose names are the words of links to their profiles and home pages."""
    for link in episode.links:
        words = episode.notes[link.start : link.end]
        name = name_at_start(words) if 5 <= len(words) <= 60 and not link.truncated and " " in words.strip() else ""
        site = identify(link.url) if name else None
        if site is None or not _PATTERNS["behind name"].fullmatch(words, words.find(name) + len(name)):
            continue
        is_account = is_profile(site.ref.id)
        letters, address = (_PATTERNS["other than letters"].sub("", text).casefold() for text in (name, site.ref.url))
        has_name = any(len(word) > 2 and word in address for word in re.findall(r"[a-z]+", name.casefold()))
        is_home = has_name and _PATTERNS["home"].fullmatch(site.ref.id)
        if (is_account and letters not in address) or (is_likely(name) and (is_account or is_home)):
            yield PersonName(" ".join(name.split()), site.ref.id, site.ref.url)


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
        aliases[login] = Alias(ref, is_certain=len(login) > _SHORT_LOGIN)
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
        for name, page, url in show.names:
            key = number, name_key(name)
            spellings[key][name] += 1
            addresses.setdefault(page, url)
            same.add_edges_from([(key, (-1, page))] if page else ())
    same.add_nodes_from(spellings)
    refs_of: list[dict[str, Ref]] = [{} for _ in shows]
    profiles: dict[str, Ref] = {}
    for group in sorted(map(sorted, networkx.connected_components(same))):
        pages = [page for number, page in group if number < 0]
        keys = [key for key in group if key[0] >= 0]
        counts = sum((spellings[key] for key in keys), Counter[str]())
        ref = next((aliases[name].person for _, name in keys if name in aliases), None)
        ref = ref or _make_person(shows[keys[0][0]].slug, counts, pages, addresses)
        profiles.update(dict.fromkeys(pages, ref))
        for number, name in keys:
            refs_of[number][name] = ref
    profiles.update((alias.person.id, alias.person) for alias in aliases.values())
    people: list[KnownPeople] = []
    for show, refs in zip(shows, refs_of, strict=True):
        hosts, widespread = (frozenset(refs[name].id for name in names) for names in (show.hosts, show.widespread))
        people.append(KnownPeople(refs, subjects, profiles, hosts, widespread))
    return people


def _make_person(show: str, counts: Counter[str], pages: list[str], addresses: Mapping[str, str]) -> Ref:
    """Return a person, called by the commonest of the spellings in ``counts``, found at the pages.

    ``show`` is the show's slug; ``addresses`` are those of pages by id.
    """
    pages.sort(key=rank_profile)
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


def list_roles(episode: Episode, feed: Feed, people: KnownPeople) -> Iterator[KnownEdge]:
    """Yield the edges from an episode to the persons whom the feed itself gives to it.

    The persons of the whole podcast are left out: see ``list_hosts``.
    """
    hosts = {person.name.casefold() for person in feed.people}
    for person in episode.people:
        ref = people.people.get(name_key(person.name))
        if ref and person.name.casefold() not in hosts:
            item = Ref(episode.kind, episode.id, episode.title)
            reason, role = f"the feed names its {person.role or 'host'}", feed_role(person)
            yield KnownEdge(item, ref, "mentions", (("role", role),), (reason,))


def list_hosts(feed: Feed, people: KnownPeople) -> tuple[Ref, ...]:
    """Return the show's hosts, whose attribute ``hosts`` has the podcast's id."""
    hosts = {ref.id: ref for ref in people.people.values() if ref.id in people.hosts} if feed.id else {}
    return tuple(ref._replace(attrs=(*ref.attrs, ("hosts", (feed.id,)))) for ref in hosts.values())


def find_people(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Yield the persons that an episode's notes and title name, as mentions of method ``alias``.

    These are persons that the corpus knows, and in an episode about a subject those on the subject's list, by name or
    handle. Nothing inside a URL or a link to a person's page counts.
    """
    people, notes, title, repo = corpus.people, episode.notes, episode.title, corpus.default_repo
    subjects = tuple(one for one in corpus.subjects if one in people.subjects or one.concerns(notes, title, repo=repo))

    def is_masked(link: Link) -> bool:
        page = identify(link.url) if people.profiles else None
        is_of_person = page is not None and page.ref.id in people.profiles
        return is_of_person or link.method == "url" or "://" in notes[link.start : link.end]

    links = filter(is_masked, list_links(episode))
    texts = {"notes": mask_spans(notes, ((link.start, link.end) for link in links)), "title": title}
    for field, text in texts.items():
        yield from skip_overlaps(_find_names(episode, field, text, people, subjects))


def _find_names(
    episode: Episode, field: str, text: str, people: KnownPeople, subjects: tuple[Subject, ...]
) -> Iterator[Mention]:
    """Yield the persons whom ``text``, a field with masked links, names: those of the corpus and of the subjects.

    A short login or a first name needs a sign: a phrase beside it, "@" or a bracket before it.
    """

    def make_mention(start: int, end: int, person: Ref, confidence: float = 1.0, role: str = "") -> Mention:
        words = text[start:end]
        return Mention(person, field, start, end, words, "alias", "people", confidence, relation="mentions", role=role)

    for start, end, name in people.finder.places(text):
        yield make_mention(start, end, people.people[name])
    aliases, finder = _read_aliases(subjects)
    for start, end, name in finder.places(text):
        alias = aliases[name]
        role = find_announced_role(text, start, end) if alias.is_first_name else ""
        if alias.is_certain or role or text[start - 1 : start] in {"@", "("}:
            yield make_mention(start, end, alias.person, 1.0 if alias.is_certain else 0.8, role)
    for guest_field, guest in _list_guests(episode):
        words, ref = text[guest.start : guest.end], people.people.get(name_key(guest.name))
        # A Russian name that is not in the nominative.
        if guest_field == field and ref and words != guest.name and MASK not in words:
            yield make_mention(guest.start, guest.end, ref, 0.9)


def add_roles(episode: Episode, mentions: Sequence[Mention], people: KnownPeople) -> Iterator[Mention]:
    """Yield mentions with the role and affiliation of each person.

    The role is that of the words beside the name. A host of the show is one in each item that names no other host. A
    person whom more than a third of the show's items name needs a role here: boilerplate names persons, too.
    """
    roles = _find_roles(episode, mentions, people)
    is_hosted = any("host" in names for names in roles.values())
    for person in episode.people:
        if (ref := people.people.get(name_key(person.name))) and (role := feed_role(person)) != "mentioned":
            roles[ref.id].add(role)
    for mention in mentions:
        id_ = mention.ref.id
        is_host = "host" in roles[id_] or (id_ in people.hosts and not is_hosted)
        role = "host" if is_host else "guest" if roles[id_] else "mentioned"
        if not _is_of_person(mention):
            yield mention
        elif role != "mentioned" or id_ not in people.widespread:
            text = {"title": episode.title, "notes": episode.notes}.get(mention.field, "")
            organisation, _ = read_affiliation(text, mention.start, mention.end)
            yield replace(mention, role=role, affiliation=organisation)
        elif mention.url:
            yield to_page(mention)


def _is_of_person(mention: Mention) -> bool:
    return mention.relation == "mentions" and mention.ref.kind == "person"


def _find_roles(episode: Episode, mentions: Sequence[Mention], people: KnownPeople) -> dict[str, set[str]]:
    """Return the roles that the words of an episode give to each person, by the person's id."""
    roles: dict[str, set[str]] = defaultdict(set)
    for mention in filter(_is_of_person, mentions):
        roles[mention.ref.id] |= {mention.role} - {""}
    heading = _PATTERNS["link heading"].search(episode.notes)
    links_from = heading.end() if heading else len(episode.notes)
    for field, guest in _list_guests(episode):
        ref = people.people.get(name_key(guest.name))
        if ref and (field == "title" or guest.form == "label" or not _is_of_other(episode, guest, links_from)):
            roles[ref.id].add(guest.role)
    return roles


def _is_of_other(episode: Episode, guest: Guest, links_from: int) -> bool:
    """Return whether a guest is that of something else: named under a heading of links, or in a line of a link.

    ``links_from`` is the place of that heading in the notes, or their end.
    """
    words_before = episode.notes[: guest.start].rpartition("\n")[2].lstrip(MARKS)
    line = guest.start - len(words_before)  # where the words of the line begin
    link = next((link for link in episode.links if link.start <= line < link.end), None)
    is_longer = link is not None and link.end - link.start > guest.end - guest.start + _MORE_WORDS
    return guest.start > links_from or (link is not None and (guest.start >= link.end or is_longer))
