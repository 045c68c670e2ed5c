"""Persons in notes and titles: by a name or handle that a list or the corpus confirms, or as a guest.

Precision first. Two capitalised words, or a word in parentheses, need evidence: the list ``people.txt``, the feed's own
persons, a linked profile, a phrase such as "joins me".
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..languages.trigger_phrases import alternatives
from ..model import Mention
from ..ref import Ref
from ..sites import identify
from ..slugs import slugify
from ..subjects.people import read_people
from .corpus import NameFinder, name_key
from .guests import affiliation, announced_role, find_guests
from .urls import episode_links, page_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Link, Person
    from ..subjects.subject import Subject
    from .corpus import Corpus, KnownPeople
    from .guests import Guest

    _Found = tuple[int, int, Ref, float, str]  # start, end, person, confidence, role

_LOGIN = r"[A-Za-z0-9](?:-?[A-Za-z0-9]){1,38}"
# A login where one is expected: "@login", "(login)", "from login", "by login".
_HANDLE = re.compile(rf"(?P<lead>@|\(@?|(?:from|by) @?)(?P<login>{_LOGIN})(?![\w.-]*\w)(?P<close>\)?)")
# Work of a person: "PRs from", "a proposal by".
_WORK = re.compile(
    r"\b(?:PRs?|requests?|patch(?:es)?|commits?|issues?|diffs?|posts?|notes?|proposals?|RFCs?) (?:(?:from|by) @?)?\Z",
    re.IGNORECASE,
)
# "Ann B. Example (login)": the login, and the name before it.
_PARENTHESES = re.compile(rf" \(@?({_LOGIN})\)")
_BEFORE_LOGIN = re.compile(r"\b[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][\w'\u2019-]+){1,2}\Z")
_LONGEST = 60  # characters of a name
# A profile, or with more behind it something of its owner's.
_OWNER = re.compile(rf"github\.com/(?P<login>{_LOGIN})(?![\w-])(?P<more>/[\w.-])?", re.IGNORECASE)
_SMALL = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")  # a login in small letters
# Why a name does not count.
# The heading of a list of links, on a line of its own.
_HEADING = re.compile(rf"^\W*(?:{alternatives('link headings')})\W*$", re.MULTILINE | re.IGNORECASE)
_MARKS = " \t*-\u2013\u2022\u00b7@\"'"  # before the words of a line
_BEHIND_NAME = 20  # characters behind a name, in the words of a link to the person's page


class Aliases(NamedTuple):
    """The lists of subjects: persons by login, name and short name, all by ``name_key``; and the finder of them."""

    logins: Mapping[str, Ref]
    names: Mapping[str, Ref]
    called: Mapping[str, Ref]
    finder: NameFinder


def find_people(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Yield the persons that an episode's notes and title name, as mentions of method ``alias``.

    Found are guests, persons that the corpus knows, and in an episode about a subject those on the subject's list, by
    name or handle. Nothing inside a URL counts.
    """
    known = corpus.people
    notes, title = episode.notes, episode.title
    aliases = aliases_of(
        tuple(
            subject for subject in corpus.subjects
            if subject in known.listed or subject.concerns(notes, title, repo=corpus.default_repo)
        )
    )  # fmt: skip
    spans = [
        (link.start, link.end)
        for link in episode_links(episode)
        if link.method == "url" or "://" in notes[link.start : link.end] or _is_profile(link, known)
    ]
    show = episode.id.partition(":")[2].partition("/")[0]  # of an id such as episode:kiln/glazes
    yield from _find(notes, "notes", show, known, aliases, spans)
    yield from _find(title, "title", show, known, aliases, ())


def _is_profile(link: Link, known: KnownPeople) -> bool:
    """Return whether a link is the address of a person, and so a mention of that person."""
    found = identify(link.url) if known.profiles else None
    return found is not None and found[1].id in known.profiles


def person_ref(name: str, url: str = "", *, show: str = "", listed: Sequence[Subject] = ()) -> Ref:
    """Return the reference of a person for the name, and perhaps page, that the feed gives.

    The id is ``person:<login>`` where the page is a GitHub profile or the list of one of the subjects ``listed`` knows
    the name; else ``person:<show>/<slug of the name>``.

    >>> from podgraph.extractors import default_subject
    >>> person_ref("Edward Z. Yang", listed=[default_subject()]).id, person_ref("Ann Example", show="kiln").id
    ('person:ezyang', 'person:kiln/ann-example')
    """
    shown = " ".join(name.split())
    profile = identify(url) if "github.com/" in url.lower() else None
    if profile and profile[1].kind == "person":
        return Ref("person", profile[1].id, shown, profile[1].url)
    known = aliases_of(tuple(listed)).names.get(name_key(shown))
    return known or Ref("person", f"person:{show}/{slugify(shown)}" if show else f"person:{slugify(shown)}", shown, url)


def confirmed_logins(feeds: Iterable[Mapping[str, set[str]]]) -> dict[str, set[str]]:
    """Return the logins that surely are a person's, each with the ways in which texts have it (see ``ways_of``).

    A login is sure with a link to its profile, or in two ways, over all feeds together. ``feeds`` has for each feed the
    ways by login.
    """
    ways: dict[str, set[str]] = defaultdict(set)
    for login, seen in (item for feed in feeds for item in feed.items()):
        ways[login] |= seen
    return {login: seen for login, seen in ways.items() if "profile" in seen or len(seen) > 1}


def owners_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield (way, login) for each address at GitHub: a ``profile``, or something of its ``owner``."""
    if "github.com/" not in text.lower():
        return
    for match in _OWNER.finditer(text):
        yield "owner" if match["more"] else "profile", match["login"].lower()


def ways_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield (way, login) for each place where the words around a login show that it is one."""
    yield from owners_in(text)
    for match in _HANDLE.finditer(text) if "from " in text or "by " in text else ():
        if match["lead"][:1] in "fb" and _is_login(match["login"]) and _is_of_work(text, match):
            yield "by", match["login"]
    for _, login in pairs(text):
        if _is_login(login):
            yield "pair", login


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the (name, login) of "Ann B. Example (login)"."""
    for match in _PARENTHESES.finditer(text):
        if name := _BEFORE_LOGIN.search(text, max(0, match.start() - _LONGEST), match.start()):
            yield name[0], match[1]


def _is_login(word: str) -> bool:
    return len(word) > 3 and _SMALL.fullmatch(word) is not None


def _is_of_work(text: str, match: re.Match[str]) -> bool:
    return _WORK.search(text[max(0, match.start() - 12) : match.start("login")]) is not None


def _find(
    text: str, field: str, show: str, known: KnownPeople, aliases: Aliases, spans: Sequence[tuple[int, int]]
) -> Iterator[Mention]:
    """Yield the persons in one field of an episode; where two overlap, the first counts, and of these the longer.

    ``spans`` are the places of links, in which no name counts.
    """
    persons = sorted(
        (
            *_named(text, known, aliases),
            *_handles(text, known, aliases),
            *_announced(text, field, show, known, aliases),
        ),
        key=lambda person: (person[0], -person[1]),
    )
    index = free_from = 0
    for start, end, ref, confidence, role in persons:
        while index < len(spans) and spans[index][1] <= start:
            index += 1
        if start < free_from or (index < len(spans) and spans[index][0] < end):
            continue
        free_from = end
        quote = text[start:end]
        yield Mention(ref, field, start, end, quote, "alias", "people", confidence, relation="mentions", role=role)


def _named(text: str, known: KnownPeople, aliases: Aliases) -> Iterator[_Found]:
    """Yield the persons whom a text calls by a name or login that a list or the corpus knows."""
    for start, end, name in known.finder.places(text):
        yield start, end, known.people[name], 1.0, ""
    for start, end, name in aliases.finder.places(text):
        if ref := aliases.names.get(name):
            yield start, end, ref, 1.0, ""
        elif name in aliases.logins and len(name) > 4:
            yield start, end, aliases.logins[name], 1.0, ""
        elif (ref := aliases.called.get(name)) and (role := announced_role(text, start, end)):
            yield start, end, ref, 0.8, role


def _handles(text: str, known: KnownPeople, aliases: Aliases) -> Iterator[_Found]:
    """Yield the persons whose handles occur in a text where handles are usual."""
    for match in _HANDLE.finditer(text):
        lead, login = match["lead"], match["login"].lower()
        if (lead[0] == "(" and not match["close"]) or (lead[0] in "fb" and not _is_of_work(text, match)):
            continue
        if ref := aliases.logins.get(login):
            yield *match.span("login"), ref, 1.0, ""
        elif (ref := known.people.get(f"@{login}")) and ("@" in lead or not match["login"].isupper()):
            yield *match.span("login"), ref, 0.9, ""
        elif ref := aliases.called.get(login):
            yield *match.span("login"), ref, 0.8, ""


def _announced(text: str, field: str, show: str, known: KnownPeople, aliases: Aliases) -> Iterator[_Found]:
    """Yield the guests whose names are inflected in the text; all guests of an item whose feed was not searched."""
    for start, end, name, _, sure, *_ in find_guests(text, title=field == "title"):
        if known.gathered and name != text[start:end] and (ref := known.people.get(name_key(name))):
            yield start, end, ref, 0.9, ""
        elif sure and not known.gathered:
            yield start, end, aliases.names.get(name_key(name)) or person_ref(name, show=show), 0.9, ""


def with_roles(episode: Episode, mentions: Sequence[Mention], known: KnownPeople) -> tuple[Mention, ...]:
    """Return mentions with the role and affiliation of each person.

    The role is that of the words beside the name. A host of the show is one in each item that names no other host. A
    person whom more than a third of the show's items name needs a role here: boilerplate names persons, too.
    """
    persons = [mention for mention in mentions if _is_of_person(mention)]
    if not persons:
        return tuple(mentions)
    roles: dict[str, set[str]] = defaultdict(set)  # by the person's id
    # A guest and a mention are the same name if they begin or end at the same place.
    persons_at = {(mention.field, edge): mention.ref for mention in persons for edge in (mention.start, mention.end)}
    for field, text in (("title", episode.title), ("notes", episode.notes)):
        links_from = _links_from(text)
        for guest in find_guests(text, title=field == "title"):
            ref = (
                persons_at.get((field, guest.start))
                or persons_at.get((field, guest.end))
                or known.people.get(name_key(guest.name))
            )
            if ref and (field == "title" or guest.form == "label" or not _is_of_other(episode, guest, links_from)):
                roles[ref.id].add(guest.role)
    for mention in persons:
        roles[mention.ref.id] |= {mention.role} - {""}
    hosted = any("host" in stated for stated in roles.values())
    for person in episode.people:
        if (ref := known.people.get(name_key(person.name))) and (role := feed_role(person)) != "mentioned":
            roles[ref.id].add(role)
    changed = (
        _with_role(mention, episode, known, roles[mention.ref.id], hosted=hosted) if _is_of_person(mention) else mention
        for mention in mentions
    )
    return tuple(filter(None, changed))


def feed_role(person: Person) -> str:
    """Return the role of a person whom a feed itself names.

    >>> from podgraph.extractors.model import Person
    >>> [feed_role(Person("Ann Example", role)) for role in ("Co-Host", "guest", "editor")]
    ['host', 'guest', 'mentioned']
    """
    role = person.role.casefold() or "host"
    return next((name for name in ("host", "guest") if name in role), "mentioned")


def _is_of_person(mention: Mention) -> bool:
    return mention.relation == "mentions" and mention.ref.kind == "person"


def _with_role(
    mention: Mention, episode: Episode, known: KnownPeople, stated: set[str], *, hosted: bool
) -> Mention | None:
    """Return the mention of a person with a role: ``host``, ``guest`` or ``mentioned``.

    ``stated`` are the roles that the episode gives the person. With ``hosted``, the episode names its host, so the
    show's known hosts are not assumed. A person in most episodes without a role becomes a plain link, or ``None``
    without a URL.
    """
    text = {"title": episode.title, "notes": episode.notes}.get(mention.field, "")
    is_host = "host" in stated or (mention.ref.id in known.hosts and not hosted)
    role = "host" if is_host else "guest" if stated else "mentioned"
    if role == "mentioned" and mention.ref.id in known.widespread:
        return page_of(mention) if mention.url else None
    return replace(mention, role=role, affiliation=affiliation(text, mention.start, mention.end))


def _links_from(notes: str) -> int:
    """Return where the first heading of links ends."""
    heading = _HEADING.search(notes)
    return heading.end() if heading else len(notes)


def _is_of_other(episode: Episode, guest: Guest, links_from: int) -> bool:
    """Return whether a guest is that of something else: named under a heading of links, or in a line of a link."""
    line = episode.notes.rfind("\n", 0, guest.start) + 1
    while line < guest.start and episode.notes[line] in _MARKS:
        line += 1
    link = next((link for link in episode.links if link.start <= line < link.end), None)
    longer = link is not None and link.end - link.start > guest.end - guest.start + _BEHIND_NAME
    return guest.start > links_from or (link is not None and (guest.start >= link.end or longer))


@lru_cache(maxsize=16)
def aliases_of(subjects: tuple[Subject, ...]) -> Aliases:
    """Return the lists of some subjects; of two persons called alike the one of the earlier subject counts."""
    logins: dict[str, Ref] = {}
    names: dict[str, Ref] = {}
    called: dict[str, Ref] = {}
    for person in (person for subject in reversed(subjects) for person in read_people(subject.file("people.txt"))):
        ref = Ref("person", f"person:{person.login.lower()}", person.names[0], f"https://github.com/{person.login}")
        logins[person.login.lower()] = ref
        names.update(dict.fromkeys(map(name_key, person.names), ref))
        if person.called:
            called[name_key(person.called)] = ref
    return Aliases(logins, names, called, NameFinder((*logins, *names, *called)))
