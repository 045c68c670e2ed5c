"""Persons in notes and titles: by a name or handle that a list or the corpus confirms, or as a guest.

Precision first. Two capitalised words, or a word in parentheses, need evidence: the list ``people.txt``, the feed's own
persons, a linked profile, a phrase such as "joins me".
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from ..languages.trigger_phrases import alternatives
from ..model import Mention
from ..sites import identify
from .corpus import name_key
from .guests import find_affiliation, find_announced_role, find_guests
from .known_people import read_aliases
from .show_people import feed_role
from .urls import list_links, to_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..model import Episode
    from ..ref import Ref
    from .corpus import Corpus, KnownPeople
    from .guests import Guest
    from .known_people import Aliases

    _Place = tuple[int, int, Ref, float, str]  # start, end, person, confidence, role

# The heading of a list of links, on a line of its own.
_HEADING = re.compile(rf"^\W*(?:{alternatives('link headings')})\W*$", re.MULTILINE | re.IGNORECASE)
_MARKS = " \t*-\u2013\u2022\u00b7@\"'"  # before the words of a line
_SHORT = 4  # letters of a login that may be a word
_BEHIND_NAME = 20  # characters behind a name, in the words of a link to the person's page


def find_people(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Yield the persons that an episode's notes and title name, as mentions of method ``alias``.

    Found are persons that the corpus knows, and in an episode about a subject those on the subject's list, by name or
    handle. Nothing inside a URL or a link to a person's page counts.
    """
    people, notes = corpus.people, episode.notes
    subjects = (
        subject
        for subject in corpus.subjects
        if subject in people.subjects or subject.concerns(notes, episode.title, repo=corpus.default_repo)
    )
    aliases = read_aliases(tuple(subjects))
    visible = list(notes)
    for link in list_links(episode):
        page = identify(link.url) if people.profiles else None
        is_profile = page is not None and page[1].id in people.profiles
        if is_profile or link.method == "url" or "://" in notes[link.start : link.end]:
            visible[link.start : link.end] = "\0" * (link.end - link.start)
    for field, text, visible_text in (("notes", notes, "".join(visible)), ("title", episode.title, episode.title)):
        free_from = 0
        places = _find_names(text, visible_text, people, aliases, is_title=field == "title")
        for start, end, ref, confidence, role in sorted(places, key=lambda place: (place[0], -place[1])):
            if start >= free_from:
                free_from = end
                quote = text[start:end]
                yield Mention(
                    ref, field, start, end, quote, "alias", "people", confidence, relation="mentions", role=role
                )


def _find_names(text: str, visible: str, people: KnownPeople, aliases: Aliases, *, is_title: bool) -> Iterator[_Place]:
    """Yield the persons in the ``visible`` parts of a text, by a name or login that a list or the corpus has."""
    for start, end, name in people.finder.places(visible):
        yield start, end, people.people[name], 1.0, ""
    for start, end, name in aliases.finder.places(visible):
        ref = aliases.names.get(name) or (aliases.logins.get(name) if len(name) > _SHORT else None)
        if ref:
            yield start, end, ref, 1.0, ""
        elif ref := aliases.logins.get(name) or aliases.short_names.get(name):
            role = find_announced_role(text, start, end) if name in aliases.short_names else ""
            if role or text[start - 1 : start] in {"@", "("}:
                yield start, end, ref, 0.8, role
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
    hosts = [host for host in people.hosts if roles.get(host)]
    if not any("host" in roles[host] for host in hosts):  # "a talk with" the host has another guest
        roles.update((host, {"host"}) for host in hosts)
    return roles


def _is_of_other(episode: Episode, guest: Guest, links_from: int) -> bool:
    """Return whether a guest is that of something else: named under a heading of links, or in a line of a link."""
    line = episode.notes.rfind("\n", 0, guest.start) + 1
    while line < guest.start and episode.notes[line] in _MARKS:
        line += 1
    link = next((link for link in episode.links if link.start <= line < link.end), None)
    longer = link is not None and link.end - link.start > guest.end - guest.start + _BEHIND_NAME
    return guest.start > links_from or (link is not None and (guest.start >= link.end or longer))
