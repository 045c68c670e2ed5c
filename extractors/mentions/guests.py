"""Names of persons in a title or notes, with the role and affiliation that the words beside them give.

A name is a run of capitalised words. Evidence is a label (“Guests: …”), a trigger phrase before or behind the name, or
its place in a title; ``languages/tables/guests.txt`` has the words. Scripts without capitals need a label or a title of
respect.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..feeds.bylines import PARTICLES, is_person
from ..languages.phrase_finder import automaton, folded
from ..languages.trigger_phrases import alternatives, endings, phrases

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..languages.phrase_finder import Automaton

LABELS, BEFORE, BEHIND, OFFICES, SMALL = map(phrases, ("labels", "before", "behind", "roles", "small"))
NO_NAMES, TITLES, LOOSE, OF_HOSTS = map(phrases, ("no names", "titles", "loose", "of hosts"))
IN_TITLES, BEHIND_IN_TITLES, COMPANY, TO_US = map(phrases, ("in titles", "behind in titles", "company", "to us"))
INSTRUMENTAL = endings("instrumental")
# Earlier in a sentence, with an office or a comma before the name: "joined by the author of many books, Ann Example".
REMOTE = frozenset(phrase for phrase in BEFORE if " " in phrase)

_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u017e\u0386-\u03ab\u0400-\u042f\u0490\u1e00-\u1eff"
# A capitalised word, with the dots, apostrophes and hyphens inside it: "C.", "O'Brien", "Jean-Luc".
_REST = r"[^\W\d_]*(?:['\u2019-][^\W\d_]+)*\.?"
_BETWEEN = "|".join(sorted(PARTICLES))
# Two such words or more, with "de la" and "van der" between them. The look behind the first capital comes after it:
# the search then leaps from capital to capital.
_RUN = re.compile(
    rf"[{_UPPER}](?<![\w'\u2019.@/#-].){_REST}"
    rf"(?:[ \u00a0]{{1,2}}(?:(?:{_BETWEEN})[ \u00a0]){{0,3}}[{_UPPER}]{_REST})+(?!\w)"
)
_WORD = re.compile(r"[^\s\u00a0]+")
_TECHNICAL = re.compile(r"[a-z][A-Z]|[A-Z]{2}|\d|[^\W\d_]\.[^\W\d_]")  # in no person's name: fooBar, CUDA, 2
# The capital inside McCall, MacLeod, DeVito.
_INNER_CAPITAL = re.compile(r"\b(?:Mc|Mac|De|Di|Du|La|Le|Van|Fitz|O['\u2019]|D['\u2019])(?=[A-Z])")
_LIST = re.compile(r"(?:,| &|,? (?:and|und|et|y|e|\u0438|with|mit|avec)) ?\s?")  # between two names of a list
_SENTENCE_END = re.compile(r"[.!?\u2026]\s|[\n;]")
_ZONE_END = re.compile(r"(?<=[^\W\d_]{3})(?<!Prof)[.!?]\s")  # not behind an initial or "Dr."
_AFTER_LABEL = re.compile(r"[ \t]?(?:[:\uff1a][ \t]*|[\u2013\u2014-][ \t]+|$)", re.MULTILINE)
# Before the next name of a labelled list: a mark, or a word that goes on.
_ITEM = re.compile(r"[,;/|)\]\u2022]\s*\Z|\s(?:and|&|und|et|y|e|\u0438|with|dr\.|prof\.|von|de)\s*\Z", re.IGNORECASE)
# Separators between the parts of a title.
_SEGMENT = re.compile(r"\s*(?:[|\u2013\u2014\u2022\u00b7:\uff1a()\[\]]|\s-{1,3}\s|\s/\s|\s?~\s)\s*")
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
    rf"(?P<label>{alternatives('cjk labels')})[\u306e\u306f\u306b:\uff1a/\uff0f\u3010\u3011\s]{{1,3}}"
    rf"(?P<names>{_CJK_NAME}(?:{_CJK_TITLES})?(?:{_CJK_BETWEEN}{{1,2}}{_CJK_NAME}(?:{_CJK_TITLES})?){{0,5}})"
)
_CJK_ONE = re.compile(rf"(?P<name>{_CJK_NAME}?)(?P<title>{_CJK_TITLES})?(?:{_CJK_BETWEEN}{{1,2}}|\s|\Z)")
_CJK_RESPECTED = re.compile(rf"(?P<name>{_CJK_NAME})(?P<title>{_CJK_TITLES})")  # a name and its title of respect
_CJK_NO_NAMES = phrases("cjk no names")
_CJK_CUE = re.compile(alternatives("cjk cues"))
_HEBREW_WORD = r"[\u05d0-\u05ea'\"\u05f3\u05f4-]{2,}"
# A label or preposition, and two words.
_HEBREW_GUEST = re.compile(
    rf"(?<![\u05d0-\u05ea])(?P<label>{alternatives('hebrew before')})(?::\s*|\s+)"
    rf"(?P<name>{_HEBREW_WORD} {_HEBREW_WORD})"
)
_ACCENTS = re.compile("(?<=[a-z])[\u0300-\u036f]+")  # on Latin letters
_CUTS = frozenset(("de", "del", "von"))  # after a full name: a place of origin follows
_AND = frozenset(("e", "y"))  # between two persons, or within a name: "Ortega y Gasset"
_RUSSIAN = re.compile("[\u0430-\u044f\u0451]")
_LOGIN = re.compile(r" \(@?[\w.@-]{2,40}\)")  # behind a name
# An organisation: up to four capitalised words, with "&" and "of" between them.
_ORG = rf"[{_UPPER}0-9][\w+&.\u2019'-]+(?:(?: (?:&|of|for|f\u00fcr|de))? [{_UPPER}][\w+&.\u2019'-]*){{0,3}}"
_ARTICLE = r"(?:(?:the|der|dem|den|la|le|el|l['\u2019])\s?)?"
_OFFICES = alternatives("offices")
# "from Vercel"; "(Kiln Works)"; ", CEO of Supabase", ", engineer at Meta"; ", Canonical's VP of Engineering".
_OF = re.compile(
    rf"(?:[ \u00a0](?:{alternatives('of')})[ \u00a0]{_ARTICLE}(?P<plain>{_ORG})"
    rf"|[ \u00a0]\((?:{alternatives('of')})?[ ]?(?P<bracket>{_ORG})\)"
    rf"|,[ ](?P<owner>{_ORG})['\u2019]s[ ](?=(?:[\w-]+[ ]){{0,2}}(?i:{alternatives('roles')}|{_OFFICES})\b)"
    rf"|,[ ](?:[^\n.,;:()]{{0,60}}?[ ](?:{alternatives('at')})"
    rf"|[^\n.;:()]{{0,60}}?\b(?:{_OFFICES})[ ](?:{alternatives('of')}))[ ]{_ARTICLE}(?P<office>{_ORG}))"
)
# "Bloomberg's Mark Gurman".
_OWNER = re.compile(rf"(?P<owner>{_ORG})['\u2019]s[ ](?:(?i:{alternatives('roles')})[ ]){{0,2}}\Z")
_REACH = 120  # characters from a phrase to a name in its sentence
# Behind a name: ", head of clay at Kiln Works,".
_APPOSITION = re.compile(r",[ ][^\n.!?;:,]{3,80},(?=[ ])")
_BESIDE = 8  # most characters between a name and the next part of a title
_MOST_WORDS = 4  # in a phrase
_LONGEST = 5  # words of a name
_LINES = 8  # of a list under a label
_CACHED = 1 << 12  # texts: the names of a show's items are asked for twice


class Guest(NamedTuple):
    """A place with a person's name, and the evidence beside it.

    ``name`` is the person's, ``role`` ``host`` or ``guest``. A name that is not ``sure`` needs more evidence. ``form``
    is its position: after a ``label``, beside a ``cue``, ``with`` a title, as a ``part`` of one, or as the ``whole`` of
    one. ``affiliation`` is an organisation, or empty.
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


@lru_cache(maxsize=1)
def given_names() -> frozenset[str]:
    """Return names that persons are commonly given, in small letters."""
    lines = (Path(__file__).parents[1] / "languages" / "tables" / "given_names.txt").read_text("utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())


@lru_cache(maxsize=_CACHED)
def is_name(name: str) -> bool:
    """Return whether words can be a person's name, and have no word that things and organisations are called by.

    >>> [is_name(name) for name in ("Ann Example", "Anna de la Cruz", "Machine Learning", "Ann", "Visual Basic")]
    [True, True, False, False, False]
    """
    words = name.casefold().split()
    if not NO_NAMES.isdisjoint(words) or not SMALL.isdisjoint(set(words) - PARTICLES):
        return False
    return is_person(name) and not _TECHNICAL.search(_INNER_CAPITAL.sub("", name)) and words[0] != words[-1]


@lru_cache(maxsize=_CACHED)
def is_likely(name: str) -> bool:
    """Return whether a name begins with a given name or an initial."""
    first = name.split(maxsplit=1)[0].casefold()
    parts = (first, *first.split("-"))
    if any(part in given_names() for part in parts) or (len(first) == 2 and first[1] == "."):
        return True
    return not name.isascii() and any(
        _ACCENTS.sub("", unicodedata.normalize("NFD", part)) in given_names() for part in parts
    )


def find_guests(text: str, *, title: bool = False) -> tuple[Guest, ...]:
    """Return the persons whom ``text`` names as guests or hosts, in order of place.

    In a ``title`` the words “with” and “by” and whole parts are evidence, too; such a name is sure if it begins with a
    given name.

    >>> [(guest.name, guest.sure) for guest in find_guests("Clay, with Ann Example and Bo Lind", title=True)]
    [('Ann Example', True), ('Bo Lind', True)]
    >>> [(guest.name, guest.affiliation) for guest in find_guests("We talk with Ann Example of Kiln Works.")]
    [('Ann Example', 'Kiln Works')]
    """
    return _find_persons(text, title)


@lru_cache(maxsize=_CACHED)
def _find_persons(text: str, title: bool) -> tuple[Guest, ...]:
    """Return the persons named in a text; of two at one place, the sure one or the longer one counts."""
    found: dict[int, Guest] = {}
    for guest in (*_find_capitalised(text, title=title), *_find_without_capitals(text, title=title)):
        known = found.get(guest.start)
        if known is None or (guest.sure, guest.end) > (known.sure, known.end):
            found[guest.start] = guest
    return tuple(sorted(found.values()))


def _find_capitalised(text: str, *, title: bool) -> Iterator[Guest]:
    """Yield the names that a label, a phrase or a title announces, and those that go on a list from there."""
    hits = [] if title else list(_hits(text))
    if not title and not hits:
        return
    zones = _zones(text, hits)
    places = sorted(place for place, length in hits if text[place : place + length].lower() in _cues())
    last: Guest | None = None  # the name before, if there is evidence for it
    waiting: list[Guest] = []  # names without, of a list that goes on: "Ann Example and Bo Lind join us"
    reached = -_REACH  # where the name before ends, with its affiliation

    def near(start: int, end: int) -> bool:
        """Return whether a place is close to a phrase, to the previous name with evidence, or in a line of names."""
        at = bisect_left(places, start - _REACH)
        beside = (last and start - reached < _REACH) or (at < len(places) and places[at] < end + _REACH)
        return beside or any(zone.start <= start < zone.end for zone in zones)

    for start, end, written in names_in(text, None if title else near):
        role, form, sure = "guest", "", False
        name = _nominative(text, start, written) if _RUSSIAN.search(written) else written
        zone = next((zone for zone in zones if zone.start <= start < zone.end), None)
        before = text[zone.start if zone else start : start].rstrip(" \t*-\u2013\u2022\u00b7@\"'")
        if zone and (not before.strip() or (not zone.first and _ITEM.search(f"{before} "))):
            role, form, sure = zone.role, "label", True
        if not sure:
            role, form, sure = _cue(text, start, end, name, title=title)
        listed = start - reached < _BESIDE and _LIST.fullmatch(text, reached, start) is not None
        if last is not None and listed and not (form and sure):
            by_comma = text[reached:start].strip() == ","
            sure = last.sure and (title or last.form == "label" or not by_comma or is_likely(name))
            role, form = last.role, form or last.form if sure or title else form
        affiliation, after = _affiliation(text, start, end) if form or is_likely(name) else ("", end)
        guest = Guest(start, end, name, role, sure or (title and is_likely(name)), form, affiliation)
        waiting = waiting if listed else []
        if form:
            yield from (
                one._replace(role=role, sure=True, form=form) for one in waiting if sure and is_likely(one.name)
            )
            yield guest
        waiting = [] if form else [*waiting, guest]
        last, reached = (guest if form else None), after


@lru_cache(maxsize=1)
def _phrases() -> Automaton[int]:
    """Return the finder of labels and of phrases beside names, with the length of each."""
    return automaton({phrase: len(phrase) for phrase in LABELS | _cues()})


def _hits(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and length of the labels and phrases in a text."""
    for last, length in _phrases().iter(folded(text)):
        if not text[last + 1 : last + 2].isalnum() and (last < length or not text[last - length].isalnum()):
            yield last + 1 - length, length


@lru_cache(maxsize=1)
def _cues() -> frozenset[str]:
    return BEFORE | BEHIND


def _zones(text: str, hits: Sequence[tuple[int, int]]) -> list[_Zone]:
    """Return the lines of names behind or under the labels at some places."""
    zones = []
    for start, length in hits:
        line = text.rfind("\n", max(0, start - 7), start) + 1
        if (line == 0 and start > 6) or (line < start and re.search(r"\w", text[line:start])):
            continue
        label = text[start : start + length].casefold()
        if label not in LABELS or not (colon := _AFTER_LABEL.match(text, start + length)):
            continue
        at, end = colon.end(), _line_end(text, colon.end())
        role = _role(label)
        if text[at:end].strip():
            sentence = _ZONE_END.search(text, at, end)
            zones.append(_Zone(at, sentence.start() if sentence else end, role, first=False))
            continue
        for _ in range(_LINES if at == end else 0):
            at = end + len(text[end:]) - len(text[end:].lstrip("\n")) if end < len(text) else end
            end = _line_end(text, at)
            if not named_at(text[at:end].lstrip(" \t*-\u2013\u2022\u00b7@\"'")):
                break
            zones.append(_Zone(at, end, role, first=True))
    return zones


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _role(phrase: str) -> str:
    """Return the role that a phrase announces."""
    return "host" if phrase in OF_HOSTS else "guest"


def _cue(text: str, start: int, end: int, name: str, *, title: bool) -> tuple[str, str, bool]:
    """Return role, form and certainty of a name by the words beside it; an empty form without evidence."""
    before, behind, likely = _words_before(text, start), _words_behind(text, end), is_likely(name)
    form = _form_in_title(text, start, end, before, behind, likely=likely) if title else ""
    if cue := next((phrase for phrase in before if phrase in BEFORE), ""):
        word = text[max(0, start - 30) : start].split()[-1:]
        in_title_case = bool(word) and word[0][0].isupper() and before[0] == word[0].casefold()
        sure = likely or not (title or in_title_case)
        return _role(cue), (form or "cue") if sure or title else "", sure
    if likely and text[end : end + 1] != ",":
        asks = next((phrase for phrase in reversed(behind) if phrase in BEFORE and phrase not in LABELS), "")
        if asks and not TO_US.intersection(
            text[end : end + 50].casefold().replace(".", " ").split()[len(asks.split()) :][:1]
        ):
            return "host", form or "cue", True
    if likely:
        clause = _APPOSITION.match(text, end)
        places = {end, _affiliation(text, start, end)[1], clause.end() if clause else end}
        if any(phrase in BEHIND for place in places for phrase in _words_behind(text, place)):
            return "guest", form or "cue", True
    office = bool(before) and (before[0] in OFFICES or (likely and text[start - 1 - len(before[0])].isupper()))
    if office or (likely and text[max(0, start - 3) : start].rstrip().endswith(",")):
        sentence = text[max(0, start - _REACH) : start]
        ends = [match.end() for match in _SENTENCE_END.finditer(sentence)]
        sentence = sentence[ends[-1] if ends else 0 :].casefold()
        if any(cue in sentence for cue in REMOTE):
            return "guest", form or "cue", True
    return "guest", form, False


def announced_role(text: str, start: int, end: int) -> str:
    """Return the role of a person with a single name, by the phrase beside it, or an empty text.

    >>> announced_role("Today, Ann joins me", 7, 10), announced_role("I know Ann", 7, 10)
    ('guest', '')
    """
    cue = next((phrase for phrase in _words_before(text, start) if phrase in BEFORE), "")
    if cue:
        return _role(cue)
    return "guest" if any(phrase in BEHIND for phrase in _words_behind(text, end)) else ""


def affiliation(text: str, start: int, end: int) -> str:
    """Return the organisation that the words beside the name at a place give, or nothing.

    >>> affiliation("Ann Example, head of clay at Kiln Works, is here", 0, 11)
    'Kiln Works'
    """
    return _affiliation(text, start, end)[0] if text else ""


def _form_in_title(
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
    ends = not tail.strip() or _SEGMENT.match(tail) is not None or _LIST.match(tail) is not None
    possessive = tail.startswith(("'s ", "\u2019s "))
    return "part" if ends or possessive or any(phrase in BEHIND_IN_TITLES for phrase in behind) else ""


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
    if not words.startswith((" ", ", ")):
        return []
    parts = [part.strip(",.;:!") for part in words.split()]
    return [" ".join(parts[:count]) for count in range(1, min(_MOST_WORDS, len(parts)) + 1)]


def _affiliation(text: str, start: int, end: int) -> tuple[str, int]:
    """Return the organisation that the words beside a name give, or nothing, and where it ends."""
    login = _LOGIN.match(text, end)
    if match := _OF.match(text, end) or (login and _OF.match(text, login.end())):
        found = next(filter(None, match.groups()))
        return _organisation(found), match.end() - len(found) + len(found.rstrip(".'\u2019"))
    before = text[max(0, start - _REACH) : start].rpartition("\n")[2]
    owner = _OWNER.search(before) if "s " in before[-30:] else None
    return (_organisation(owner["owner"]) if owner else ""), (login.end() if login else end)


def _organisation(found: str) -> str:
    """Return an organisation as it is called: without a possessive, and not the name of a person."""
    name = re.sub(r"['\u2019]s?\Z", "", found.split("'s ", maxsplit=1)[0].split("\u2019s ", maxsplit=1)[0].rstrip(".-"))
    return "" if is_likely(name) and is_name(name) else name


def names_in(text: str, near: Callable[[int, int], bool] | None = None) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and words of the names in a text that are ``near`` enough to something (none given: of all)."""
    for match in _RUN.finditer(text):
        if near is not None and not near(*match.span()):
            continue
        for words in _cut_runs(text, *match.span()):
            if found := _choose_name(text, words):
                yield found


def _cut_runs(text: str, start: int, end: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the places of capitalised words, cut at words that no name goes on with."""
    words: list[tuple[int, int]] = []
    for word in _WORD.finditer(text, start, end):
        small = word[0].casefold()
        if len(words) > 2 and text[slice(*words[-1])] in _AND and is_likely(word[0]):
            yield words
            words = []
        ends = len(small) > 2 and small.endswith((".", "'s", "\u2019s"))
        if small in OFFICES and len(words) != 1:
            ends = True
        elif small in _CUTS and len(words) > 1 and (small == "von" or not is_likely(text[slice(*words[-1])])):
            ends = small == "von" or text[word.end() + 1 : word.end() + 2].isupper()  # not before "de la Torre"
            if not ends:
                words.append(word.span())
        elif small not in TITLES and (small.rstrip(".") not in SMALL or len(small) < 3 or small in PARTICLES):
            words.append((word.start(), word.end() - small.endswith(".") * ends))
        else:
            ends = True
        if ends and words:
            yield words
            words = []
    if words:
        yield words


def _choose_name(text: str, words: list[tuple[int, int]]) -> tuple[int, int, str] | None:
    """Return (begin, end, name) in a run of capitalised words: from a likely given name on, else the whole run.

    Particles at the end of ``words`` are removed from the list.
    """
    while words and text[slice(*words[-1])].casefold() in PARTICLES:
        words.pop()
    if len(words) < 2:
        return None
    starts = [0] if len(words) <= _LONGEST else []
    if len(words) > 2:
        at = next((at for at, word in enumerate(words[:-1]) if is_likely(text[slice(*word)])), -1)
        starts = [at, *starts] if at >= 0 and text[words[at][0]].isupper() else starts
    for at in starts:
        begin, end = words[at][0], words[-1][1]
        name = " ".join(text[begin:end].split()).rstrip("'\u2019-")
        for possessive in ("'s", "\u2019s"):
            name, end = (name[:-2], end - 2) if name.endswith(possessive) else (name, end)
        if len(words) - at <= _LONGEST and is_name(name):
            return begin, end, name
    return None


def _nominative(text: str, start: int, name: str) -> str:
    """Return a Russian name in the nominative, where the preposition of company precedes it."""
    before = _words_before(text, start)
    if not before or before[0] not in COMPANY:
        return name
    return " ".join(
        next((word.removesuffix(end) + form for end, form in INSTRUMENTAL if word.endswith(end)), word)
        for word in name.split()
    )


def _find_without_capitals(text: str, *, title: bool) -> Iterator[Guest]:
    """Yield names in scripts that have no capitals: behind a label, before a title of respect."""
    if text.isascii() or not _NO_CAPITALS.search(text):
        return
    yield from _find_cjk(text, title=title)
    for match in _HEBREW_GUEST.finditer(text):
        yield Guest(*match.span("name"), match["name"], _role(match["label"]), sure=True)


def _find_cjk(text: str, *, title: bool) -> Iterator[Guest]:
    """Yield guests in Chinese and Japanese: the names after a label such as "guest:", and before a title of respect.

    Behind a label without a colon, a name needs a title of respect. In notes, a title of respect needs a phrase beside
    it that announces a guest.
    """
    for match in _CJK_LABELLED.finditer(text):
        at, end = match.span("names")
        # The bracket U+3011 closes a label, as a colon does.
        colon = not {":", "\uff1a", "\u3011"}.isdisjoint(text[match.start() : at])
        while at < end:
            person = _CJK_ONE.match(text, at, end)
            if person is None or person.end() == at:
                break
            name = person["name"]
            likely = person["title"] or (colon and len(name) <= _MOST_WORDS + 1)
            if name and likely and not any(word in name for word in _CJK_NO_NAMES):
                yield Guest(*person.span("name"), name, _role(match["label"]), sure=True, form="label")
            at = person.end()
    for match in _CJK_RESPECTED.finditer(text):
        near = text[max(0, match.start() - 12) : match.end() + 16]  # these scripts have short words
        if (title or _CJK_CUE.search(near)) and not any(word in match["name"] for word in _CJK_NO_NAMES):
            yield Guest(*match.span("name"), match["name"], sure=True)


def named_at(words: str) -> str:
    """Return the name of a person that words begin with, as written, or nothing.

    >>> named_at("Ann Example on Mastodon"), named_at("The Example Book")
    ('Ann Example', '')
    """
    at = len(words) - len(words.lstrip(" @\"'("))
    if run := _RUN.match(words, at):
        found = _choose_name(words, next(_cut_runs(words, *run.span()), []))
        return words[found[0] : found[1]] if found and found[0] == at else ""
    match = _CJK_RESPECTED.match(words)
    return match["name"] if match else ""
