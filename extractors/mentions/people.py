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
from .known_people import person_ref, read_aliases
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

    Found are guests, persons that the corpus knows, and in an episode about a subject those on the subject's list, by
    name or handle. Nothing inside a URL counts.
    """
    known, notes = corpus.people, episode.notes
    subjects = (
        subject
        for subject in corpus.subjects
        if subject in known.subjects or subject.concerns(notes, episode.title, repo=corpus.default_repo)
    )
    aliases = read_aliases(tuple(subjects))
    spans = []
    for link in list_links(episode):
        page = identify(link.url) if known.profiles else None
        is_profile = page is not None and page[1].id in (known.profiles or {})
        if is_profile or link.method == "url" or "://" in notes[link.start : link.end]:
            spans.append((link.start, link.end))
    show = episode.id.partition(":")[2].partition("/")[0]  # of an id such as episode:kiln/glazes
    for field, text, barred in (("notes", notes, spans), ("title", episode.title, [])):
        places = [*_find_names(text, known, aliases), *_find_announced(text, field, show, known, aliases)]
        index = free_from = 0
        for start, end, ref, confidence, role in sorted(places, key=lambda place: (place[0], -place[1])):
            while index < len(barred) and barred[index][1] <= start:
                index += 1
            if start >= free_from and not (index < len(barred) and barred[index][0] < end):
                free_from = end
                quote = text[start:end]
                yield Mention(
                    ref, field, start, end, quote, "alias", "people", confidence, relation="mentions", role=role
                )


def _find_names(text: str, known: KnownPeople, aliases: Aliases) -> Iterator[_Place]:
    """Yield the persons whom a text calls by a name or login that a list or the corpus knows."""
    for start, end, name in known.finder.places(text):
        yield start, end, known.people[name], 1.0, ""
    for start, end, name in aliases.finder.places(text):
        ref = aliases.names.get(name) or (aliases.logins.get(name) if len(name) > _SHORT else None)
        if ref:
            yield start, end, ref, 1.0, ""
        elif ref := aliases.logins.get(name) or aliases.short_names.get(name):
            role = find_announced_role(text, start, end) if name in aliases.short_names else ""
            if role or text[start - 1 : start] in {"@", "("}:
                yield start, end, ref, 0.8, role


def _find_announced(text: str, field: str, show: str, known: KnownPeople, aliases: Aliases) -> Iterator[_Place]:
    """Yield the guests whose names are inflected in the text; all guests of an item whose feed was not searched."""
    for guest in find_guests(text, title=field == "title"):
        key = name_key(guest.name)
        if known.profiles is None:
            if guest.sure:
                yield guest.start, guest.end, aliases.names.get(key) or person_ref(guest.name, show=show), 0.9, ""
        elif guest.name != text[guest.start : guest.end] and (ref := known.people.get(key)):
            yield guest.start, guest.end, ref, 0.9, ""


def add_roles(episode: Episode, mentions: Sequence[Mention], known: KnownPeople) -> tuple[Mention, ...]:
    """Return mentions with the role and affiliation of each person.

    The role is that of the words beside the name. A host of the show is one in each item that names no other host. A
    person whom more than a third of the show's items name needs a role here: boilerplate names persons, too.
    """
    if not any(map(_is_of_person, mentions)):
        return tuple(mentions)
    roles = _find_roles(episode, mentions, known)
    is_hosted = any("host" in stated for stated in roles.values())
    for person in episode.people:
        if (ref := known.people.get(name_key(person.name))) and (role := feed_role(person)) != "mentioned":
            roles[ref.id].add(role)
    changed = []
    for mention in mentions:
        if not _is_of_person(mention):
            changed.append(mention)
            continue
        id_, stated = mention.ref.id, roles[mention.ref.id]
        is_host = "host" in stated or (id_ in known.hosts and not is_hosted)
        role = "host" if is_host else "guest" if stated else "mentioned"
        if role != "mentioned" or id_ not in known.widespread:
            text = {"title": episode.title, "notes": episode.notes}.get(mention.field, "")
            organisation = find_affiliation(text, mention.start, mention.end)
            changed.append(replace(mention, role=role, affiliation=organisation))
        elif mention.url:
            changed.append(to_page(mention))
    return tuple(changed)


def _is_of_person(mention: Mention) -> bool:
    return mention.relation == "mentions" and mention.ref.kind == "person"


def _find_roles(episode: Episode, mentions: Sequence[Mention], known: KnownPeople) -> dict[str, set[str]]:
    """Return the roles that the words of an episode give to each person, by the person's id."""
    roles: dict[str, set[str]] = defaultdict(set)
    refs: dict[tuple[str, int], Ref] = {}  # a guest and a mention are one name if they begin or end at one place
    for mention in filter(_is_of_person, mentions):
        refs[mention.field, mention.start] = refs[mention.field, mention.end] = mention.ref
        roles[mention.ref.id] |= {mention.role} - {""}
    heading = _HEADING.search(episode.notes)
    links_from = heading.end() if heading else len(episode.notes)
    for field, text in (("title", episode.title), ("notes", episode.notes)):
        for guest in find_guests(text, title=field == "title"):
            ref = (
                refs.get((field, guest.start)) or refs.get((field, guest.end)) or known.people.get(name_key(guest.name))
            )
            if ref and (field == "title" or guest.form == "label" or not _is_of_other(episode, guest, links_from)):
                roles[ref.id].add(guest.role)
    hosts = known.hosts.intersection(id_ for id_, stated in roles.items() if stated)
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
