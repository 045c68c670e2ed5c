"""Guests and hosts in a title or notes, with the role and affiliation that the words beside their names give.

The evidence is a label (“Guests: …”), a trigger phrase before or behind the name, or the name's place in a title; all
names of a list share it. ``languages/tables/guests.txt`` has the words. Names in scripts without capitals need a label
or a title of respect.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ..languages.trigger_phrases import alternatives, endings, phrases
from .person_names import OFFICES, TITLES, UPPER, is_likely, is_name, name_at_start, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LABELS, BEFORE, BEHIND, OF_HOSTS = map(phrases, ("labels", "before", "behind", "of hosts"))
TALKS, WITH, AND, LOOSE, ARTICLES = map(phrases, ("talks", "with", "and", "loose", "articles"))
BEHIND_IN_TITLES, BIOGRAPHY, COMPANY = map(phrases, ("behind in titles", "biography", "company"))
INSTRUMENTAL = endings("instrumental")
# Earlier in a sentence, with an office or a comma before the name: "joined by the author of many books, Ann Example".
REMOTE = tuple(phrase for phrase in BEFORE if len(phrase) > 4)

_MARKS = " \t*-\u2013\u2022\u00b7@\"'"  # before a name in a list
# A label at the beginning of a line, and the mark behind it; or one with a colon at the end of a line, over a list.
_LABELLED = re.compile(
    rf"^\W{{0,6}}(?P<label>{alternatives('labels')})(?:[ \t]?[:\uff1a][ \t]*|[ \t]?[\u2013\u2014-][ \t]+|[ \t]*$)"
    rf"|\b(?P<last>{alternatives('labels')})\)?:[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_LIST = re.compile(rf"\b(?P<label>{alternatives('labels')})\)?:[ \t]*$", re.MULTILINE | re.IGNORECASE)  # at its end
_LIST = re.compile(
    rf"(?: (?:team|group|project|show|podcast))?(?:,| &|[,;]? (?:{alternatives('and')})) ?\s?"
    rf"(?:(?:{alternatives('articles')}) )?(?:[{UPPER}]\w+['\u2019]s )?"
)  # between names
_SENTENCE_END = re.compile(r"[.!?\u2026]\s|[\n;]")
_ZONE_END = re.compile(r"\n|(?<=[^\W\d_]{3})(?<!Prof)[.!?]\s|\Z")  # not behind an initial or "Dr."
# Before the next name of a labelled list: a mark, or a word that goes on.
_ITEM = re.compile(rf"[,;/|)\]\u2022]\s*\Z|\s(?:{alternatives('and')}|dr\.|prof\.|von|de)\s*\Z", re.IGNORECASE)
_SUBTITLE = re.compile(r"[^\n]+(?<![.!?:\u2026,;])\s*\n\s*\n")  # a first line of the notes that is no sentence
_SEGMENT = re.compile(r"\s*(?:[|\u2013\u2014\u2022\u00b7:\uff1a()\[\]]|\s-{1,3}\s|\s/\s|\s?~\s)\s*")  # of a title
_OPENS = re.compile(r"[|\u2013\u2014\u2022\u00b7:\uff1a()\[\]/~.!?#\d-]\Z")  # behind which a part of a title begins
_NO_CAPITALS = re.compile(r"[\u05d0-\u05ea\u3005\u3040-\u30ff\u4e00-\u9fff]")  # Hebrew, Japanese, Chinese
_HAN = r"\u4e00-\u9fff\u3005"
_CJK_TITLES = alternatives("cjk titles")
# A name in Chinese characters, in katakana, or in both halves with a space or hiragana behind.
_CJK_NAME = (
    rf"(?:[{_HAN}]{{2,6}}|[\u30a0-\u30ff]{{2,12}}|[{_HAN}]{{1,3}}[ \u3000][{_HAN}\u3040-\u309f]{{1,3}}"
    rf"|[{_HAN}]{{1,3}}[\u3040-\u309f]{{2,4}})"
)
_CJK_BETWEEN = r"[,\u3001\uff0c\u30fb\u3068\uff06&\u548c\u4e0e\u53ca]"  # commas, middle dots, "and"
# A label, a particle or colon, and names with or without titles of respect.
_CJK_LABELLED = re.compile(
    rf"(?P<label>{alternatives('cjk labels')})(?P<mark>[\u306e\u306f\u306b:\uff1a/\uff0f\u3010\u3011\s]{{1,3}})"
    rf"(?P<names>{_CJK_NAME}(?:{_CJK_TITLES})?(?:{_CJK_BETWEEN}{{1,2}}{_CJK_NAME}(?:{_CJK_TITLES})?){{0,5}})"
)
_CJK_ONE = re.compile(rf"(?P<name>{_CJK_NAME}?)(?P<title>{_CJK_TITLES})?(?:{_CJK_BETWEEN}{{1,2}}|\s|\Z)")
_CJK_RESPECTED = re.compile(rf"(?P<name>{_CJK_NAME})(?:{_CJK_TITLES})")
_CJK_NO_NAME = re.compile(alternatives("cjk no names"))
_CJK_CUE = re.compile(alternatives("cjk cues"))
_HEBREW_WORD = r"[\u05d0-\u05ea'\"\u05f3\u05f4-]{2,}"
# A label or preposition, and two words.
_HEBREW_GUEST = re.compile(
    rf"(?<![\u05d0-\u05ea])(?P<label>{alternatives('hebrew before')})(?::\s*|\s+)"
    rf"(?P<name>{_HEBREW_WORD} {_HEBREW_WORD})"
)
_LOGIN = re.compile(r" \(@?[\w.@-]{2,40}\)")  # behind a name
# An organisation: up to four capitalised words, with "&" and "of" between them.
_ORG = rf"[{UPPER}0-9][\w+&.\u2019'-]+(?:(?: (?:&|of|for|f\u00fcr|de))? [{UPPER}][\w+&.\u2019'-]*){{0,3}}"
_ARTICLE = r"(?:(?:the|der|dem|den|la|le|el|l['\u2019])\s?)?"
# "from Vercel"; "(Kiln Works)"; ", CEO of Supabase", ", engineer at Meta".
_OF = re.compile(
    rf"(?:[ \u00a0](?:{alternatives('of')})[ \u00a0]{_ARTICLE}(?P<plain>{_ORG})"
    rf"|[ \u00a0]\((?:{alternatives('of')})?[ ]?(?P<bracket>{_ORG})\)"
    rf"|,[ ](?:[^\n.,;:()]{{0,60}}?[ ](?:{alternatives('at')})"
    rf"|[^\n.;:()]{{0,60}}?\b(?:{alternatives('offices')})[ ](?:{alternatives('of')}))[ ]{_ARTICLE}(?P<office>{_ORG}))"
)
_ASKED = re.compile(rf"(?: [^\W\d_]+){{0,6}}?,? [{UPPER}](?:\.|[^\W\d_]+) [{UPPER}][^\W\d_]")  # a name follows
_BRACKETS = re.compile(r"\]? ?\([^()\n]{2,80}\)")  # behind a name in a list
_OWNER = re.compile(rf"(?P<owner>{_ORG})['\u2019]s[ ]\Z")  # "Bloomberg's Mark Gurman"
_REACH = 120  # characters from a phrase to a name in its sentence
_APPOSITION = re.compile(r",[ ][^\n.!?;:,]{3,80},(?=[ ])")  # behind a name: ", head of clay at Kiln Works,"
_BESIDE = 8  # most characters between a name and the next part of a title
_MOST_WORDS = 4  # in a phrase
_LINES = 16  # of a list under a label


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
    guests: dict[int, Guest] = {}
    for guest in (*_find_capitalised(text, title=title), *_find_without_capitals(text, title=title)):
        other = guests.get(guest.start)
        if other is None or (guest.sure, guest.end) > (other.sure, other.end):
            guests[guest.start] = guest
    return tuple(sorted(guests.values()))


def _find_capitalised(text: str, *, title: bool) -> Iterator[Guest]:
    """Yield the names that a label, a phrase or a title announces, with the other names of their lists."""
    zones = {} if title else _find_zones(text)
    for names in _find_lists(text):
        guests = [_judge_by_words(text, name, zones, title=title) for name in names]
        if not guests[0].form and (cue := _find_remote_phrase(text, guests[0])):
            guests[0] = guests[0]._replace(**cue)
        lead, are_likely = guests[0], 2 * sum(is_likely(one.name) for one in guests) > len(guests)
        gaps = (text[one.reach : other.start] for one, other in pairwise(guests))
        by_and = [False, *(not AND.isdisjoint(gap.casefold().split()) for gap in gaps)]
        for at, one in enumerate(guests[1:], 1):  # a phrase before a list is evidence for all its names
            if one.form and one.sure:
                lead = one
            elif lead.sure and lead.form != "behind":
                sure = title or are_likely or lead.form == "label" or by_and[at] or is_likely(one.name)
                if sure or title:
                    guests[at] = one._replace(role=lead.role, sure=sure, form=lead.form)
        for at in range(len(guests) - 1, 0, -1):  # and so is a phrase behind it
            sure = are_likely or by_and[at] or is_likely(guests[at - 1].name)
            if guests[at].form == "behind" and not guests[at - 1].form and sure:
                guests[at - 1] = guests[at - 1]._replace(role=guests[at].role, sure=True, form="behind")
        yield from (guest for guest in guests if guest.form)


def _find_lists(text: str) -> Iterator[list[Guest]]:
    """Yield the names of a text, those that commas and “and” join together."""
    names: list[Guest] = []
    for start, end, name in names_in(text):
        if names and start < names[-1].reach:
            continue  # within an affiliation
        affiliation, reach = _read_affiliation(text, start, end)
        if names and not _LIST.fullmatch(text, names[-1].reach, start):
            yield names
            names = []
        names.append(Guest(start, end, _to_nominative(text, start, name), affiliation=affiliation, reach=reach))
    if names:
        yield names


def _find_zones(text: str) -> dict[int, tuple[range, str]]:
    """Return the places for names behind or under the labels, and their role, by where the line begins."""
    zones = {}
    for match in _LABELLED.finditer(text):
        at, role = match.end(), get_role((match["label"] or match["last"]).casefold())
        stop = _ZONE_END.search(text, at)
        if stop and stop.start() > at:
            zones[text.rfind("\n", 0, at) + 1] = (range(at, stop.start()), role)
            continue
        for line in text[at + 1 : at + _LINES * _REACH].split("\n")[:_LINES]:
            at += 1
            if line.strip() and not name_at_start(line.lstrip(_MARKS)):
                break
            zones[at] = (range(at, at + len(line) - len(line.lstrip(_MARKS)) + 1), role)
            at += len(line)
    return zones


def get_role(phrase: str) -> str:
    """Return the role that a label or phrase announces."""
    return "host" if phrase in OF_HOSTS else "guest"


def _judge_by_words(text: str, one: Guest, zones: dict[int, tuple[range, str]], *, title: bool) -> Guest:
    """Return a name with the role, form and certainty that a label or the words beside it give."""
    start, end = one.start, one.end
    zone, role = zones.get(text.rfind("\n", 0, start) + 1, (range(0), ""))
    if start in zone and ((words := text[zone.start : start].rstrip(_MARKS)) == "" or _ITEM.search(f"{words} ")):
        return one._replace(role=role, form="label", sure=True)
    likely, before, behind = is_likely(one.name), _words_before(text, start), _words_behind(text, end)
    if cue := _find_phrase(before[::-1], BEFORE, from_end=True):
        word = text[max(0, start - 30) : start].split()[-1:]
        in_title_case = bool(word) and word[0][0].isupper() and before[0] == word[0].casefold()
        sure = likely or not (title or in_title_case)
        return one._replace(role=get_role(cue), form="beside" if sure or title else "", sure=sure)
    form = _find_form_in_title(text, one, before, behind) if title else ""
    if likely and not form and WITH.intersection(before[:1]) and _SUBTITLE.match(text) and "\n" not in text[:start]:
        form = "with"
    if not likely:
        return one._replace(form=form)
    if text[end : end + 1] != "," and (asks := _find_phrase(behind, BEFORE - LABELS)):
        is_host = _ASKED.match(text, end + 1 + len(asks))  # "Ann Example talks with Bo Lind"
        return one._replace(role="host" if is_host else "guest", form="behind", sure=True)
    clause = _APPOSITION.match(text, end)
    for place in (end, one.reach, clause.end() if clause else end):
        if _find_phrase(_words_behind(text, place), BEHIND):
            return one._replace(form="behind", sure=True)
    opens = not text[text.rfind("\n", 0, start) + 1 : start].strip(_MARKS)
    work = text[one.reach : one.reach + 40].partition("\n")[0].strip(" :,-\u2013\u2014").casefold().split()[:1]
    if opens and not title and (_find_phrase(behind, BIOGRAPHY) or not OFFICES.isdisjoint(work)):
        return one._replace(form="behind", sure=True)
    return one._replace(form=form, sure=bool(form))


def _find_remote_phrase(text: str, one: Guest) -> dict[str, Any]:
    """Return the evidence that a phrase earlier in the sentence gives for a name, or nothing.

    The word before the name must lead to one: "with", an office, an article, or one with a capital or a comma.
    """
    sentence = _SENTENCE_END.split(text[max(0, one.start - _REACH) : one.start])[-1].strip(" ([@" + _MARKS)
    words = [word.strip(",") for word in sentence.casefold().split()]
    if not words or text[one.start - 1] not in " \u00a0[(@":
        return {}
    likely, last = is_likely(one.name), sentence.split()[-1]
    if words[-1] in WITH and len(words) == 1:
        return {"form": "with", "sure": likely}  # a line that begins "With Ann Example"
    if likely and not WITH.isdisjoint(words[-4:]) and not TALKS.isdisjoint(words):
        return {"form": "beside", "sure": True}  # "talk about clay with Ann Example"
    line = f" {' '.join(words)} "
    if likely and (words[-1] in OFFICES | ARTICLES or last.endswith(",") or last[0].isupper()):
        cue = max(REMOTE, key=lambda phrase: (line.rfind(f" {phrase} "), len(phrase)))
        return {"form": "beside", "sure": True, "role": get_role(cue)} if f" {cue} " in line else {}
    return {}


def _find_phrase(words: Sequence[str], table: frozenset[str], *, from_end: bool = False) -> str:
    """Return the longest phrase of a table that words begin or end with."""
    for count in range(_MOST_WORDS, 0, -1):
        phrase = " ".join(words[-count:] if from_end else words[:count])
        if len(words) >= count and phrase in table:
            return phrase
    return ""


def find_announced_role(text: str, start: int, end: int) -> str:
    """Return the role of a person with a single name, by the phrase beside it, or an empty text.

    >>> find_announced_role("Today, Ann joins me", 7, 10), find_announced_role("I know Ann", 7, 10)
    ('guest', '')
    """
    if cue := _find_phrase(_words_before(text, start)[::-1], BEFORE, from_end=True):
        return get_role(cue)
    return "guest" if _find_phrase(_words_behind(text, end), BEHIND) else ""


def find_affiliation(text: str, start: int, end: int) -> str:
    """Return the organisation that the words beside the name at a place give, or nothing.

    >>> find_affiliation("Ann Example, head of clay at Kiln Works, is here", 0, 11)
    'Kiln Works'
    """
    return _read_affiliation(text, start, end)[0]


def _find_form_in_title(text: str, one: Guest, before: list[str], behind: list[str]) -> str:
    """Return how a title names a person: ``with`` before the name, as a ``part``, or not ("")."""
    start, end = one.start, one.end
    if WITH.intersection(before[:1]) or (LOOSE.intersection(before[:1]) and is_likely(one.name)):
        return "with"
    head, tail = text[max(0, start - _BESIDE) : start].rstrip(), text[end : end + _BESIDE]
    if head and not _OPENS.search(head):
        return ""
    ends = not tail.strip() or _SEGMENT.match(tail) or _LIST.match(tail) or tail.startswith(("'s ", "\u2019s "))
    return "part" if ends or _find_phrase(behind, BEHIND_IN_TITLES) else ""


def _words_before(text: str, start: int) -> list[str]:
    """Return the last words before a place, in small letters, the last first; titles of respect do not count."""
    words = text[max(0, start - 60) : start].casefold().rpartition("\n")[2]
    text_before = words.rstrip(" :,\u00a0\"'\u201c@*([")
    if words and text_before == words:
        return []
    parts = [part.strip('\u201c\u201d"(,;:*_') for part in text_before.split()]
    while parts and parts[-1] in TITLES | ARTICLES:
        parts.pop()
    return parts[-_MOST_WORDS:][::-1]


def _words_behind(text: str, end: int) -> list[str]:
    """Return the first words behind a place, in small letters; a login does not count."""
    login = _LOGIN.match(text, end)
    end = login.end() if login else end
    words = text[end : end + 50].partition("\n")[0].casefold()
    parts = [part.strip(",.;:!") for part in words.split()] if words.startswith((" ", ", ")) else []
    return parts[parts[:1] == [""] :]


def _read_affiliation(text: str, start: int, end: int) -> tuple[str, int]:
    """Return the organisation that the words beside a name give, or nothing, and where the name ends with it."""
    login = _LOGIN.match(text, end)
    owner = _OWNER.search(text, max(0, start - _REACH), start) if text[start - 2 : start] == "s " else None
    if match := _OF.match(text, end) or (login and _OF.match(text, login.end())):
        organisation = next(filter(None, match.groups()))
        end = match.end() - len(organisation) + len(organisation.rstrip(".'\u2019"))
    else:
        brackets = _BRACKETS.match(text, end)
        organisation, end = owner["owner"] if owner else "", brackets.end() if brackets else end
    name = re.sub(r"['\u2019](?:s?\Z|s .*)", "", organisation.rstrip(".-"))
    return "" if name and is_likely(name) and is_name(name) else name, end


def _to_nominative(text: str, start: int, name: str) -> str:
    """Return a Russian name in the nominative, where the preposition of company precedes it."""
    if COMPANY.isdisjoint(_words_before(text, start)[:1]):
        return name
    for word in name.split():
        ending = next(((end, form) for end, form in INSTRUMENTAL if word.endswith(end)), ("", ""))
        name = name.replace(word, word.removesuffix(ending[0]) + ending[1], 1)
    return name


def _find_without_capitals(text: str, *, title: bool) -> Iterator[Guest]:
    """Yield names in Hebrew, Chinese and Japanese: behind a label, or before a title of respect.

    Behind a Chinese or Japanese label without a colon, a name needs a title of respect. In notes, a title of respect
    needs a phrase beside it that announces a guest.
    """
    if not _NO_CAPITALS.search(text):
        return
    for match in _HEBREW_GUEST.finditer(text):
        yield Guest(*match.span("name"), match["name"], get_role(match["label"]), sure=True, form="beside")
    for match in _CJK_LABELLED.finditer(text):
        has_colon = not {":", "\uff1a", "\u3011"}.isdisjoint(match["mark"])  # the bracket U+3011 closes a label
        for person in _CJK_ONE.finditer(text, *match.span("names")):
            name = person["name"]
            likely = person["title"] or (has_colon and len(name) <= _MOST_WORDS + 1)
            if name and likely and not _CJK_NO_NAME.search(name):
                yield Guest(*person.span("name"), name, get_role(match["label"]), sure=True, form="label")
    for match in _CJK_RESPECTED.finditer(text):
        near = text[max(0, match.start() - 12) : match.end() + 16]  # these scripts have short words
        if (title or _CJK_CUE.search(near)) and not _CJK_NO_NAME.search(match["name"]):
            yield Guest(*match.span("name"), match["name"], sure=True, form="beside")
