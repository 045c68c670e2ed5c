"""Guests and hosts in a title or notes, with the role and affiliation that the words beside their names give.

The evidence is a label (“Guests: …”), a trigger phrase before or behind the name, or the name's place in a title; all
names of a list share it. ``languages/tables/guests.txt`` has the words. Names in scripts without capitals need a label
or a title of respect.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..languages.trigger_phrases import endings, phrases
from .patterns import read_patterns
from .person_names import OFFICES, TITLES, find_person_names, is_likely, is_name, name_at_start

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PATTERNS = read_patterns("persons")
LABELS, BEFORE, BEHIND, OF_HOSTS = map(phrases, ("labels", "before", "behind", "of hosts"))
BEHIND_IN_TITLES, BIOGRAPHY = map(phrases, ("behind in titles", "biography"))
TALKS, WITH, AND, LOOSE, ARTICLES = map(phrases, ("talks", "with", "and", "loose", "articles"))
COMPANY, NOMINATIVES = phrases("company"), dict(endings("instrumental"))  # of Russian: "with", and ends of names
_INSTRUMENTAL = re.compile(rf"(?:{'|'.join(NOMINATIVES)})\b")
ASKING = BEFORE - LABELS - {"join"}
# Earlier in a sentence, with an office or a comma before the name: "joined by the author of many books, Ann Example".
REMOTE = frozenset(phrase for phrase in BEFORE if len(phrase) > 4)
MARKS = " \t*-\u2013\u2022\u00b7@\"'"  # before a name in a list
_PUNCTUATION = "\u201c\u201d\"'(),;:*_[@\u00a0"  # beside a word
_OPENING = " \t*[(@\"'\u00a0"  # before a name in a sentence
_STOPS = ",:-\u2013\u2014"  # at the end of a part of a sentence
_REACH = 120  # characters from a phrase to a name in its sentence
_MAXIMUM_PHRASE = 4  # words
_SEPARATOR_REACH = 8  # characters between a name and the next part of a title


class Guest(NamedTuple):
    """A place with a person's name, and the evidence beside it.

    ``role`` is ``host`` or ``guest``. A name that is not ``sure`` needs more evidence. ``form`` is its position: after
    a ``label``, ``beside`` a phrase, behind ``with``, before a phrase (``behind``), or as a ``part`` of a title.
    ``affiliation`` is an organisation, or empty; ``reach`` is where the name ends with it.
    """

    start: int
    end: int
    name: str
    role: str = "guest"
    sure: bool = False
    form: str = ""
    affiliation: str = ""
    reach: int = 0


@lru_cache(maxsize=4096)
def find_guests(text: str, *, title: bool = False) -> tuple[Guest, ...]:
    """Return the persons whom ``text`` names as guests or hosts, in order of place.

    In a ``title`` the words “with” and “by” and whole parts are evidence, too; such a name is sure if it begins with a
    given name.

    >>> [(guest.name, guest.sure) for guest in find_guests("Clay, with Ann Example and Bo Lind", title=True)]
    [('Ann Example', True), ('Bo Lind', True)]
    >>> [(guest.name, guest.affiliation) for guest in find_guests("We talk with Ann Example of Kiln Works.")]
    [('Ann Example', 'Kiln Works')]
    """
    return tuple(sorted((*_find_capitalised(text, title=title), *_find_without_capitals(text, title=title))))


def _find_capitalised(text: str, *, title: bool) -> Iterator[Guest]:
    """Yield the names that a label, a phrase or a title announces, with the other names of their lists."""
    label_roles = {} if title else _find_label_roles(text)
    for names in _find_lists(text):
        guests = [_judge(text, one, label_roles.get(one.start, ""), title=title) for one in names]
        if not guests[0].form:
            guests[0] = _judge_by_sentence(text, guests[0])
        likely_count = sum(is_likely(one.name) for one in guests)
        are_likely = title or 2 * likely_count >= len(guests)
        if guests[0].form == "with" and likely_count and are_likely:
            guests[0] = guests[0]._replace(sure=True)
        # A phrase before a list is evidence for all its names, and so is one behind it.
        steps = [(at, at - 1) for at in range(1, len(guests))] + [(at - 1, at) for at in range(len(guests) - 1, 0, -1)]
        for at, neighbour in steps:
            lead, one = guests[neighbour], guests[at]
            is_behind = lead.form == "behind"
            is_trusted = are_likely or lead.form == "label" or is_likely(one.name)
            if lead.sure and not one.sure and is_behind == (at < neighbour) and is_trusted:
                guests[at] = one._replace(role=lead.role, sure=True, form=lead.form)
        yield from (guest for guest in guests if guest.form)


def _find_lists(text: str) -> Iterator[list[Guest]]:
    """Yield the names of a text, those that commas and “and” join together."""
    names: list[Guest] = []
    for start, end, name in find_person_names(text):
        if names and start < names[-1].reach:
            continue  # within an affiliation
        if names and not _PATTERNS["between"].fullmatch(text, names[-1].reach, start):
            yield names
            names = []
        has_company = COMPANY.intersection(_words_before(text, start)[-1:])
        nominative = _INSTRUMENTAL.sub(lambda ending: NOMINATIVES[ending[0]], name) if has_company else name
        affiliation, reach = read_affiliation(text, start, end)
        names.append(Guest(start, end, nominative, affiliation=affiliation, reach=reach))
    if names:
        yield names


def _find_label_roles(text: str) -> dict[int, str]:
    """Return the roles that labels give, by the places where names can begin: behind a label, or in lines under it."""
    roles, role, at = {}, "", 0
    for line in text.splitlines(keepends=True):
        match = _PATTERNS["label"].match(line)
        words = match["label"].casefold().split() if match else []
        cue = _find_phrase(words, LABELS, from_end=True)
        rest = line[match.end() :] if match and cue else line
        is_label = cue and (not rest.strip() or cue == " ".join(words))
        if is_label:
            role = get_role(cue)
        elif role and line.strip() and not name_at_start(line.lstrip(MARKS)):
            role = ""
        names = (rest if is_label else line).lstrip(MARKS)
        roles[at + len(line) - len(names)] = role
        if is_label and names.strip():
            role = ""  # the names are in this line, not under it
        at += len(line)
    return roles


def get_role(phrase: str) -> str:
    """Return the role that a label or phrase announces."""
    return "host" if phrase in OF_HOSTS else "guest"


def _judge(text: str, one: Guest, label_role: str, *, title: bool) -> Guest:
    """Return a name with the role, form and certainty that a label or the words beside it give."""
    if label_role:
        return one._replace(role=label_role, form="label", sure=True)
    likely, before, behind = is_likely(one.name), _words_before(text, one.start), _words_behind(text, one.end)
    if cue := _find_phrase(before, BEFORE, from_end=True):
        return one._replace(role=get_role(cue), form="beside", sure=likely or not title)
    if likely and text[one.end : one.end + 1] != "," and (cue := _find_phrase(behind, ASKING)):
        asks_guest = _PATTERNS["asked"].match(text, one.end + 1 + len(cue))
        return one._replace(role="host" if asks_guest else "guest", form="behind", sure=True)
    apposition = _PATTERNS["apposition"].match(text, one.end)
    ends = one.end, one.reach, apposition.end() if apposition else one.end
    opens = not title and not text[text.rfind("\n", 0, one.start) + 1 : one.start].strip(MARKS)
    is_guest = any(_find_phrase(_words_behind(text, end), BEHIND) for end in ends)
    if likely and (is_guest or (opens and _find_phrase(behind, BIOGRAPHY))):
        return one._replace(form="behind", sure=True)
    form = _find_form_in_title(text, one, before, behind) if title else ""
    return one._replace(form=form, sure=bool(form) and likely)


def _judge_by_sentence(text: str, one: Guest) -> Guest:
    """Return a name with the evidence that a phrase earlier in its sentence gives.

    The word before the name must lead to one: "with", "and", an office, an article, or one with a capital or a mark.
    """
    sentence = _PATTERNS["sentence end"].split(text[max(0, one.start - _REACH) : one.start])[-1].rstrip(_OPENING)
    words = _list_words(sentence)
    if not words:
        return one
    likely = is_likely(one.name)
    if words[-1] in WITH and (len(words) == 1 or "\n" not in text[: one.start]):
        return one._replace(form="with", sure=likely)  # in the first line, or as it begins
    if likely and WITH.intersection(words[-4:]) and (words[-1] in OFFICES or TALKS.intersection(words)):
        return one._replace(form="beside", sure=True)  # "talk about clay with Ann Example"
    leads = words[-1] in OFFICES | ARTICLES | AND or sentence[-1] in _STOPS or sentence.split()[-1][0].isupper()
    for at in range(len(words) - 1, -1, -1) if likely and leads else ():
        if cue := _find_phrase(words[at : at + _MAXIMUM_PHRASE], REMOTE):
            return one._replace(form="beside", sure=True, role=get_role(cue))
    return one


def _find_phrase(words: Sequence[str], table: frozenset[str], *, from_end: bool = False) -> str:
    """Return the longest phrase of a table that words begin or end with, or nothing."""
    for count in range(min(_MAXIMUM_PHRASE, len(words)), 0, -1):
        phrase = " ".join(words[-count:] if from_end else words[:count])
        if phrase in table:
            return phrase
    return ""


def find_announced_role(text: str, start: int, end: int) -> str:
    """Return the role of a person with a single name, by the phrase beside it, or an empty text.

    >>> find_announced_role("Today, Ann joins me", 7, 10), find_announced_role("I know Ann", 7, 10)
    ('guest', '')
    """
    if cue := _find_phrase(_words_before(text, start), BEFORE, from_end=True):
        return get_role(cue)
    return "guest" if _find_phrase(_words_behind(text, end), BEHIND) else ""


def _find_form_in_title(text: str, one: Guest, before: Sequence[str], behind: Sequence[str]) -> str:
    """Return how a title names a person: ``with`` before the name, as a ``part``, or not ("")."""
    if WITH.intersection(before[-1:]) or (LOOSE.intersection(before[-1:]) and is_likely(one.name)):
        return "with"
    head, tail = text[max(0, one.start - _SEPARATOR_REACH) : one.start], text[one.end : one.end + _SEPARATOR_REACH]
    begins = not head.strip() or _PATTERNS["part start"].search(head)
    ends = not tail.strip() or _PATTERNS["part end"].match(tail) or _PATTERNS["between"].match(tail)
    return "part" if begins and (ends or _find_phrase(behind, BEHIND_IN_TITLES)) else ""


def _list_words(text: str) -> list[str]:
    """Return the words of a text in small letters, without the punctuation beside them."""
    return [*filter(None, (word.strip(_PUNCTUATION) for word in text.casefold().split()))]


def _words_before(text: str, start: int) -> list[str]:
    """Return the last words of the line before a place, in small letters; titles of respect do not count."""
    words = _list_words(text[max(0, start - 60) : start].rpartition("\n")[2])
    while words and words[-1] in TITLES | ARTICLES:
        words.pop()
    return words[-_MAXIMUM_PHRASE:]


def _words_behind(text: str, end: int) -> list[str]:
    """Return the first words behind a place in its sentence, in small letters, if a space or comma is between."""
    behind = _PATTERNS["sentence end"].split(text[end : end + 50])[0].rstrip(".!?")
    return _list_words(behind) if behind.startswith((" ", ", ")) else []


def read_affiliation(text: str, start: int, end: int) -> tuple[str, int]:
    """Return the organisation that the words beside a name give, or nothing, and where the name ends with it.

    >>> read_affiliation("Ann Example, head of clay at Kiln Works, is here", 0, 11)
    ('Kiln Works', 39)
    """
    owner = _PATTERNS["owner"].search(text, max(0, start - _REACH), start) if text[start - 2 : start] == "s " else None
    if match := _PATTERNS["affiliation"].match(text, end):
        organisation = next(filter(None, match.groups()))
        end = match.end() - len(organisation) + len(organisation.rstrip(".'\u2019"))
    else:
        brackets = _PATTERNS["brackets"].match(text, end)
        organisation, end = owner["owner"] if owner else "", brackets.end() if brackets else end
    name = _PATTERNS["possessive"].sub("", organisation.rstrip(".-"))
    return "" if name and is_likely(name) and is_name(name) else name, end


def _find_without_capitals(text: str, *, title: bool) -> Iterator[Guest]:
    """Yield names in Hebrew, Chinese and Japanese: behind a label, or before a title of respect.

    In notes, a title of respect needs a phrase beside it that announces a guest.
    """
    for match in _PATTERNS["hebrew guest"].finditer(text):
        yield Guest(*match.span("name"), match["name"], get_role(match["label"]), sure=True, form="beside")
    for match in _PATTERNS["eastern name"].finditer(text):
        start, end = match.span("name")
        label = _PATTERNS["eastern label"].search(text, max(0, start - 40), start)
        is_announced = title or label or _PATTERNS["eastern cue"].search(text, max(0, start - 12), end + 16)
        is_person = is_announced if match["title"] else label and _PATTERNS["eastern end"].match(text, end)
        if is_person and not _PATTERNS["no eastern name"].search(match["name"]):
            role, form = (get_role(label["label"]), "label") if label else ("guest", "beside")
            yield Guest(start, end, match["name"], role, sure=True, form=form)
