"""Guests and hosts in a title or notes, with the role and affiliation that the words beside their names give.

The evidence is a label (“Guests: …”), a trigger phrase before or behind the name, or the name's place in a title; all
names of a list share it. ``languages/tables/guests.txt`` has the words. Names in scripts without capitals need a label
or a title of respect.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..languages.trigger_phrases import alternatives, endings, phrases
from .person_names import OFFICES, TITLES, UPPER, is_likely, is_name, name_at_start, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LABELS, BEFORE, BEHIND, OF_HOSTS = map(phrases, ("labels", "before", "behind", "of hosts"))
TALKS, WITH, AND, LOOSE, ARTICLES = map(phrases, ("talks", "with", "and", "loose", "articles"))
BEHIND_IN_TITLES, BIOGRAPHY, COMPANY = map(phrases, ("behind in titles", "biography", "company"))
INSTRUMENTAL = endings("instrumental")
ASKING = frozenset(phrase for phrase in BEFORE - LABELS if phrase != "join")
# Earlier in a sentence, with an office or a comma before the name: "joined by the author of many books, Ann Example".
REMOTE = frozenset(phrase for phrase in BEFORE if len(phrase) > 4)

_MARKS = " \t*-\u2013\u2022\u00b7@\"'"  # before a name in a list
# The words that begin a line, before a colon, a dash or the end of the line.
_LABEL = re.compile(
    r"\W{0,6}([^:\uff1a\n]{2,60}?)\)?(?:[ \t]?[:\uff1a]|[ \t][\u2013\u2014-][ \t]|[ \t]*$)", re.MULTILINE
)
# Between the names of a list.
_LIST = re.compile(
    rf"(?:,| &|[,;]? (?:{alternatives('and')})) ?\s?(?:(?:{alternatives('articles')}|{alternatives('titles')}) )?",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?\u2026]\s|[\n;]")
_SEGMENT = re.compile(r"\s*(?:[|\u2013\u2014\u2022\u00b7:\uff1a()\[\]]|\s-{1,3}\s|\s/\s|\s?~\s)\s*")  # of a title
_OPENS = re.compile(r"[|\u2013\u2014\u2022\u00b7:\uff1a()\[\]/~.!?#\d-]\Z")  # behind which a part of a title begins
_NO_CAPITALS = re.compile(r"[\u05d0-\u05ea\u3005\u3040-\u30ff\u4e00-\u9fff]")  # Hebrew, Japanese, Chinese
_HAN = r"\u4e00-\u9fff\u3005"
# A name in Chinese characters, in katakana, or in both halves with a space or hiragana behind; a title of respect.
_CJK_PERSON = re.compile(
    rf"(?P<name>[{_HAN}]{{2,6}}|[\u30a0-\u30ff]{{2,12}}|[{_HAN}]{{1,3}}[ \u3000][{_HAN}\u3040-\u309f]{{1,3}}"
    rf"|[{_HAN}]{{1,3}}[\u3040-\u309f]{{2,4}})(?P<title>{alternatives('cjk titles')})?"
)
_CJK_LABEL = re.compile(
    rf"(?P<label>{alternatives('cjk labels')})(?P<mark>[\u306e\u306f\u306b:\uff1a/\uff0f\u3010\u3011\s]{{1,3}})\Z"
)
_CJK_BETWEEN = re.compile(r"[,\u3001\uff0c\u30fb\u3068\uff06&\u548c\u4e0e\u53ca\s]{1,2}|\Z")  # commas, "and", the end
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
    zones = {} if title else _find_zones(text)
    for names in _find_lists(text):
        guests = [_judge_by_words(text, name, zones, title=title) for name in names]
        lead = guests[0] = guests[0] if guests[0].form else _judge_by_sentence(text, guests[0])
        likely = [is_likely(one.name) for one in guests]
        are_likely = title or 2 * sum(likely) >= len(guests)
        if lead.form == "with" and any(likely) and are_likely:
            lead = guests[0] = lead._replace(sure=True)
        for at, one in enumerate(guests[1:], 1):  # a phrase before a list is evidence for all its names
            if one.form and one.sure:
                lead = one
            elif lead.sure and lead.form != "behind" and (are_likely or likely[at] or lead.form == "label"):
                guests[at] = one._replace(role=lead.role, sure=True, form=lead.form)
        for at in range(len(guests) - 1, 0, -1):  # and so is a phrase behind it
            if guests[at].form == "behind" and not guests[at - 1].form and (are_likely or likely[at - 1]):
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


def _find_zones(text: str) -> dict[int, tuple[int, str]]:
    """Return where a label gives names a role, by the beginning of the line: behind it, or at lines under it."""
    zones, at, role = {}, 0, ""
    for line in text.splitlines(keepends=True):
        label = _LABEL.match(line)
        words = label[1].casefold().split() if label else []
        is_last = label and not line[label.end() :].strip()
        cue = _find_phrase(words, LABELS, from_end=True)
        if label and cue and (is_last or cue == " ".join(words)):
            role = get_role(cue)
            zones[at] = (at + label.end(), role)
            role = role if is_last else ""
        elif role and line.strip() and not name_at_start(line.lstrip(_MARKS)):
            role = ""
        elif role:
            zones[at] = (at, role)
        at += len(line)
    return zones


def get_role(phrase: str) -> str:
    """Return the role that a label or phrase announces."""
    return "host" if phrase in OF_HOSTS else "guest"


def _judge_by_words(text: str, one: Guest, zones: dict[int, tuple[int, str]], *, title: bool) -> Guest:
    """Return a name with the role, form and certainty that a label or the words beside it give."""
    start, end = one.start, one.end
    zone, role = zones.get(text.rfind("\n", 0, start) + 1, (start + 1, ""))
    if start >= zone and not text[zone:start].strip(_MARKS):
        return one._replace(role=role, form="label", sure=True)
    likely, before, behind = is_likely(one.name), _words_before(text, start), _words_behind(text, end)
    if cue := _find_phrase(before, BEFORE, from_end=True):
        return one._replace(role=get_role(cue), form="beside", sure=likely or not title)
    if role := _find_role_behind(text, one, behind, title=title) if likely else "":
        return one._replace(role=role, form="behind", sure=True)
    form = _find_form_in_title(text, one, before, behind) if title else ""
    return one._replace(form=form, sure=bool(form) and likely)


def _find_role_behind(text: str, one: Guest, behind: list[str], *, title: bool) -> str:
    """Return the role that the words behind a name give, or nothing."""
    end = one.end
    if text[end : end + 1] != "," and (asks := _find_phrase(behind, ASKING)):
        return "host" if _ASKED.match(text, end + 1 + len(asks)) else "guest"  # "Ann Example talks with Bo Lind"
    clause = _APPOSITION.match(text, end)
    if any(_find_phrase(_words_behind(text, at), BEHIND) for at in (end, one.reach, clause.end() if clause else end)):
        return "guest"
    opens = not title and not text[text.rfind("\n", 0, one.start) + 1 : one.start].strip(_MARKS)
    return "guest" if opens and _find_phrase(behind, BIOGRAPHY) else ""


def _judge_by_sentence(text: str, one: Guest) -> Guest:
    """Return a name with the evidence that a phrase earlier in its sentence gives.

    The word before the name must lead to one: "with", "and", an office, an article, or one with a capital or a mark.
    """
    sentence = _SENTENCE_END.split(text[max(0, one.start - _REACH) : one.start])[-1]
    is_apart = sentence.rstrip().endswith((",", ":", "-", "\u2013", "\u2014"))
    sentence = sentence.strip(" ([@" + _MARKS)
    words = [word.strip(",") for word in sentence.casefold().split()]
    if not words or text[one.start - 1] not in " \u00a0[(@":
        return one
    if words[-1] in WITH and (len(words) == 1 or "\n" not in text[: one.start]):
        return one._replace(form="with", sure=is_likely(one.name))  # in the first line, or as it begins
    if not is_likely(one.name):
        return one
    last = sentence.split()[-1]
    if not WITH.isdisjoint(words[-4:]) and (words[-1] in OFFICES or not TALKS.isdisjoint(words)):
        return one._replace(form="beside", sure=True)  # "talk about clay with Ann Example"
    if words[-1] in OFFICES | ARTICLES | AND or is_apart or last[0].isupper():
        cues = (_find_phrase(words[at : at + _MOST_WORDS], REMOTE) for at in range(len(words) - 1, -1, -1))
        if cue := next(filter(None, cues), ""):
            return one._replace(form="beside", sure=True, role=get_role(cue))
    return one


def _find_phrase(words: Sequence[str], table: frozenset[str], *, from_end: bool = False) -> str:
    """Return the longest phrase of a table that words begin or end with."""
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
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


def find_affiliation(text: str, start: int, end: int) -> str:
    """Return the organisation that the words beside the name at a place give, or nothing.

    >>> find_affiliation("Ann Example, head of clay at Kiln Works, is here", 0, 11)
    'Kiln Works'
    """
    return _read_affiliation(text, start, end)[0]


def _find_form_in_title(text: str, one: Guest, before: list[str], behind: list[str]) -> str:
    """Return how a title names a person: ``with`` before the name, as a ``part``, or not ("")."""
    start, end = one.start, one.end
    if WITH.intersection(before[-1:]) or (LOOSE.intersection(before[-1:]) and is_likely(one.name)):
        return "with"
    head, tail = text[max(0, start - _BESIDE) : start].rstrip(), text[end : end + _BESIDE]
    if head and not _OPENS.search(head):
        return ""
    ends = not tail.strip() or _SEGMENT.match(tail) or _LIST.match(tail) or tail.startswith(("'s ", "\u2019s "))
    return "part" if ends or _find_phrase(behind, BEHIND_IN_TITLES) else ""


def _words_before(text: str, start: int) -> list[str]:
    """Return the last words before a place, in small letters; titles of respect do not count."""
    words = text[max(0, start - 60) : start].casefold().rpartition("\n")[2]
    text_before = words.rstrip(" :,\u00a0\"'\u201c@*([")
    if words and text_before == words:
        return []
    parts = [part.strip('\u201c\u201d"(,;:*_') for part in text_before.split()]
    while parts and parts[-1] in TITLES | ARTICLES:
        parts.pop()
    return parts[-_MOST_WORDS:]


def _words_behind(text: str, end: int) -> list[str]:
    """Return the first words behind a place, in small letters."""
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
    if COMPANY.isdisjoint(_words_before(text, start)[-1:]):
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
    last, role, has_colon = 0, "", False
    for match in _CJK_PERSON.finditer(text):
        start, end = match.span("name")
        if label := _CJK_LABEL.search(text, max(0, start - 16), start):
            role, has_colon = get_role(label["label"]), not set(":\uff1a\u3011").isdisjoint(label["mark"])
        elif text[last:start].isspace() or not _CJK_BETWEEN.fullmatch(text, last, start):
            role = ""
        last = match.end()
        near = text[max(0, start - 12) : end + 16]  # these scripts have short words
        respected = match["title"] and (role or title or _CJK_CUE.search(near))
        labelled = role and has_colon and end - start <= _MOST_WORDS + 1 and _CJK_BETWEEN.match(text, last)
        if (respected or labelled) and not _CJK_NO_NAME.search(match["name"]):
            yield Guest(start, end, match["name"], role or "guest", sure=True, form="label" if role else "beside")
