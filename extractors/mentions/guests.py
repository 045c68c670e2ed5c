"""Guests and hosts in a title or notes, with the role and affiliation that the words beside their names give.

Evidence is a label (“Guests: …”), a trigger phrase before or behind the name, a title of respect, or the name's place
in a title; ``languages/tables/guests.txt`` has the words. Scripts without capitals need a label or a title of respect.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..languages.trigger_phrases import alternatives, endings, phrases
from .person_names import OFFICES, TITLES, UPPER, is_likely, is_name, name_at_start, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LABELS, BEFORE, BEHIND, LOOSE, OF_HOSTS = map(phrases, ("labels", "before", "behind", "loose", "of hosts"))
IN_TITLES, BEHIND_IN_TITLES, COMPANY, TO_US = map(phrases, ("in titles", "behind in titles", "company", "to us"))
INSTRUMENTAL = endings("instrumental")
# Earlier in a sentence, with an office or a comma before the name: "joined by the author of many books, Ann Example".
REMOTE = frozenset(phrase for phrase in BEFORE if " " in phrase)

_MARKS = " \t*-\u2013\u2022\u00b7@\"'"  # before a name in a list
# A label at the beginning of a line, and the mark behind it.
_LABELLED = re.compile(
    rf"^\W{{0,6}}(?P<label>{alternatives('labels')})(?:[ \t]?[:\uff1a][ \t]*|[ \t]?[\u2013\u2014-][ \t]+|[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
_LIST = re.compile(r"(?:,| &|,? (?:and|und|et|y|e|\u0438|with|mit|avec)) ?\s?")  # between two names of a list
_SENTENCE_END = re.compile(r"[.!?\u2026]\s|[\n;]")
_ZONE_END = re.compile(r"\n|(?<=[^\W\d_]{3})(?<!Prof)[.!?]\s|\Z")  # not behind an initial or "Dr."
# Before the next name of a labelled list: a mark, or a word that goes on.
_ITEM = re.compile(r"[,;/|)\]\u2022]\s*\Z|\s(?:and|&|und|et|y|e|\u0438|with|dr\.|prof\.|von|de)\s*\Z", re.IGNORECASE)
_SEGMENT = re.compile(r"\s*(?:[|\u2013\u2014\u2022\u00b7:\uff1a()\[\]]|\s-{1,3}\s|\s/\s|\s?~\s)\s*")  # of a title
_OPENS = re.compile(r"[|\u2013\u2014\u2022\u00b7:\uff1a()\[\]/~.!?#\d-]\Z")  # behind which a part of a title begins
_WORDS_BEFORE = re.compile(r"[^\W\d_]{2}")  # in a title that is more than a number and a name
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
_RUSSIAN = re.compile("[\u0430-\u044f\u0451]")
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
_OWNER = re.compile(rf"(?P<owner>{_ORG})['\u2019]s[ ]\Z")  # "Bloomberg's Mark Gurman"
_REACH = 120  # characters from a phrase to a name in its sentence
_APPOSITION = re.compile(r",[ ][^\n.!?;:,]{3,80},(?=[ ])")  # behind a name: ", head of clay at Kiln Works,"
_BESIDE = 8  # most characters between a name and the next part of a title
_MOST_WORDS = 4  # in a phrase
_LINES = 8  # of a list under a label


class Guest(NamedTuple):
    """A place with a person's name, and the evidence beside it.

    ``role`` is ``host`` or ``guest``. A name that is not ``sure`` needs more evidence. ``form`` is its position: after
    a ``label``, beside a ``cue``, ``with`` a title, as a ``part`` of one, or as the ``whole`` of one. ``affiliation``
    is an organisation, or empty.
    """

    start: int
    end: int
    name: str
    role: str = "guest"
    sure: bool = False
    form: str = "cue"
    affiliation: str = ""


class _Zone(NamedTuple):
    """A line of names under or behind a label."""

    start: int
    end: int
    role: str
    first: bool  # only the name that it begins with counts


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
    found: dict[int, Guest] = {}
    for guest in (*_find_capitalised(text, title=title), *_find_without_capitals(text, title=title)):
        other = found.get(guest.start)
        if other is None or (guest.sure, guest.end) > (other.sure, other.end):
            found[guest.start] = guest
    return tuple(sorted(found.values()))


def _find_capitalised(text: str, *, title: bool) -> Iterator[Guest]:
    """Yield the names that a label, a phrase or a title announces, and those that go on a list from there."""
    zones = [] if title else list(_find_zones(text))
    last: Guest | None = None  # the name before
    reached = -_REACH  # where the name before ends, with its affiliation
    for start, end, written in names_in(text):
        name = _to_nominative(text, start, written) if _RUSSIAN.search(written) else written
        zone = next((zone for zone in zones if zone.start <= start < zone.end), None)
        before = text[zone.start if zone else start : start].rstrip(_MARKS)
        if zone and (not before.strip() or (not zone.first and _ITEM.search(f"{before} "))):
            role, form, sure = zone.role, "label", True
        else:
            role, form, sure = _read_words_beside(text, start, end, name, title=title)
        if last and start - reached < _BESIDE and _LIST.fullmatch(text, reached, start):
            if not last.form and form and sure and is_likely(last.name):  # "Ann Example and Bo Lind join us"
                yield last._replace(role=role, sure=True, form=form)
            if last.form and not (form and sure):
                by_comma = text[reached:start].strip() == ","
                sure = last.sure and (title or last.form == "label" or not by_comma or is_likely(name))
                role, form = last.role, form or last.form if sure or title else form
        affiliation, reached = _read_affiliation(text, start, end) if form or is_likely(name) else ("", end)
        last = Guest(start, end, name, role, sure or (title and is_likely(name)), form, affiliation)
        if form:
            yield last


def _find_zones(text: str) -> Iterator[_Zone]:
    """Yield the lines of names behind or under the labels of a text."""
    for match in _LABELLED.finditer(text):
        role, at = get_role(match["label"].casefold()), match.end()
        end = text.find("\n", at) if "\n" in text[at:] else len(text)
        if text[at:end].strip():
            stop = _ZONE_END.search(text, at)
            yield _Zone(at, stop.start() if stop else end, role, first=False)
            continue
        lines = text[end + 1 : end + 1 + _LINES * _REACH].split("\n")
        at = end + 1
        for line in lines[: 2 * _LINES]:
            if line.strip() and not name_at_start(line.lstrip(_MARKS)):
                break
            yield _Zone(at, at + len(line), role, first=True)
            at += len(line) + 1


def get_role(phrase: str) -> str:
    """Return the role that a label or phrase announces."""
    return "host" if phrase in OF_HOSTS else "guest"


def _read_words_beside(text: str, start: int, end: int, name: str, *, title: bool) -> tuple[str, str, bool]:
    """Return role, form and certainty of a name by the words beside it; an empty form without evidence."""
    before, behind, likely = _words_before(text, start), _words_behind(text, end), is_likely(name)
    form = _find_form_in_title(text, start, end, before, behind, likely=likely) if title else ""
    if cue := next((phrase for phrase in before if phrase in BEFORE), ""):
        word = text[max(0, start - 30) : start].split()[-1:]
        in_title_case = bool(word) and word[0][0].isupper() and before[0] == word[0].casefold()
        sure = likely or not (title or in_title_case)
        return get_role(cue), (form or "cue") if sure or title else "", sure
    if not likely:
        return "guest", form, False
    if text[end : end + 1] != ",":
        asks = next((phrase for phrase in reversed(behind) if phrase in BEFORE and phrase not in LABELS), "")
        following = text[end : end + 50].casefold().replace(".", " ").split()[len(asks.split()) :][:1]
        if asks and TO_US.isdisjoint(following):
            return "host", form or "cue", True
    clause = _APPOSITION.match(text, end)
    places = {end, _read_affiliation(text, start, end)[1], clause.end() if clause else end}
    if any(phrase in BEHIND for place in places for phrase in _words_behind(text, place)):
        return "guest", form or "cue", True
    office = bool(before) and (before[0] in OFFICES or text[start - 1 - len(before[0])].isupper())
    if office or text[max(0, start - 3) : start].rstrip().endswith(","):
        sentence = _SENTENCE_END.split(text[max(0, start - _REACH) : start])[-1].casefold()
        if any(cue in sentence for cue in REMOTE):
            return "guest", form or "cue", True
    return "guest", form, False


def find_announced_role(text: str, start: int, end: int) -> str:
    """Return the role of a person with a single name, by the phrase beside it, or an empty text.

    >>> find_announced_role("Today, Ann joins me", 7, 10), find_announced_role("I know Ann", 7, 10)
    ('guest', '')
    """
    if cue := next((phrase for phrase in _words_before(text, start) if phrase in BEFORE), ""):
        return get_role(cue)
    return "guest" if any(phrase in BEHIND for phrase in _words_behind(text, end)) else ""


def find_affiliation(text: str, start: int, end: int) -> str:
    """Return the organisation that the words beside the name at a place give, or nothing.

    >>> find_affiliation("Ann Example, head of clay at Kiln Works, is here", 0, 11)
    'Kiln Works'
    """
    return _read_affiliation(text, start, end)[0]


def _find_form_in_title(
    text: str, start: int, end: int, before: Sequence[str], behind: Sequence[str], *, likely: bool
) -> str:
    """Return how a title names a person: ``with`` before the name, as a ``part`` or as the ``whole``, or not ("")."""
    if any(phrase in BEFORE for phrase in before):
        return "with"
    if before and before[0] in IN_TITLES:
        return "" if before[0] in LOOSE and not likely else "with"
    head, tail = text[max(0, start - _BESIDE) : start].rstrip(), text[end : end + _BESIDE]
    if head and not _OPENS.search(head):
        return ""
    if not tail.strip() and not _WORDS_BEFORE.search(text[:start].rpartition(":")[0] or text[:start]):
        return "whole"
    ends = not tail.strip() or _SEGMENT.match(tail) or _LIST.match(tail) or tail.startswith(("'s ", "\u2019s "))
    return "part" if ends or any(phrase in BEHIND_IN_TITLES for phrase in behind) else ""


def _words_before(text: str, start: int) -> list[str]:
    """Return the last words before a place, in small letters: one, two, … of them; honorifics do not count."""
    words = text[max(0, start - 60) : start].casefold().rpartition("\n")[2]
    stripped = words.rstrip(" :,\u00a0\"'\u201c@*(")
    if words and stripped == words:
        return []
    parts = [part.strip('\u201c\u201d"(,;*_') for part in stripped.split()]
    while parts and parts[-1] in TITLES:
        parts.pop()
    if parts and parts[-1] in {"the", "our", "my", "die", "der", "le", "la", "el"}:
        return []
    return [" ".join(parts[-count:]).rstrip(":,") for count in range(1, min(_MOST_WORDS, len(parts)) + 1)]


def _words_behind(text: str, end: int) -> list[str]:
    """Return the first words behind a place, in small letters: one, two, … of them; a login does not count."""
    login = _LOGIN.match(text, end)
    end = login.end() if login else end
    words = text[end : end + 50].partition("\n")[0].casefold()
    parts = [part.strip(",.;:!") for part in words.split()] if words.startswith((" ", ", ")) else []
    return [" ".join(parts[:count]) for count in range(1, min(_MOST_WORDS, len(parts)) + 1)]


def _read_affiliation(text: str, start: int, end: int) -> tuple[str, int]:
    """Return the organisation that the words beside a name give, or nothing, and where the name ends with it."""
    login = _LOGIN.match(text, end)
    owner = _OWNER.search(text, max(0, start - _REACH), start) if text[start - 2 : start] == "s " else None
    if match := _OF.match(text, end) or (login and _OF.match(text, login.end())):
        found = next(filter(None, match.groups()))
        end = match.end() - len(found) + len(found.rstrip(".'\u2019"))
    else:
        found, end = owner["owner"] if owner else "", login.end() if login else end
    name = re.sub(r"['\u2019](?:s?\Z|s .*)", "", found.rstrip(".-"))
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
        yield Guest(*match.span("name"), match["name"], get_role(match["label"]), sure=True)
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
            yield Guest(*match.span("name"), match["name"], sure=True)
