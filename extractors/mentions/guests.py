"""The guests and hosts that a title or notes name, by the words beside the name (``languages/tables/guests.txt``).

Names are looked for first, as runs of capitalised words; then it is asked what stands beside them. So the time grows
with the length of the text, however long the tables are. Scripts without capitals need a label or a title of respect.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..feeds.bylines import PARTICLES, is_person
from ..languages.trigger_phrases import alternatives, endings, phrases

if TYPE_CHECKING:
    from collections.abc import Iterator

LABELS, BEFORE, BEHIND, ROLES, SMALL = map(phrases, ("labels", "before", "behind", "roles", "small"))
NO_NAMES, TITLES, REMOTE, LOOSE = map(phrases, ("no names", "titles", "remote", "loose"))
IN_TITLES, BEHIND_IN_TITLES, COMPANY = map(phrases, ("in titles", "behind in titles", "company"))
INSTRUMENTAL = endings("instrumental")

_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0100-\u017e\u0386-\u03ab\u0400-\u042f\u0490\u1e00-\u1eff"
# A capitalised word, with the dots, apostrophes and hyphens inside it: "C.", "O'Brien", "Jean-Luc".
_REST = r"[^\W\d_]*(?:['\u2019-][^\W\d_]+)*\.?"
_CAPITALISED = rf"[{_UPPER}]{_REST}"
_BETWEEN = "|".join(sorted(PARTICLES))
# Two such words and more, with "de la" and "van der" between them. What may not stand before them is looked at behind
# the first capital: a search leaps from capital to capital.
_RUN = re.compile(
    rf"[{_UPPER}](?<![\w'\u2019.@/#-].){_REST}"
    rf"(?:[ \u00a0]{{1,2}}(?:(?:{_BETWEEN})[ \u00a0]){{0,3}}{_CAPITALISED})+(?!\w)"
)
_WORD = re.compile(r"[^\s\u00a0]+")
_TECHNICAL = re.compile(r"[a-z][A-Z]|[A-Z]{2}|\d|[^\W\d_]\.[^\W\d_]")  # what no name of a person has: fooBar, CUDA, 2
# The capital inside McCall, MacLeod, DeVito.
_INNER_CAPITAL = re.compile(r"\b(?:Mc|Mac|De|Di|Du|La|Le|Van|Fitz|O['\u2019]|D['\u2019])(?=[A-Z])")
# Between two names of a list.
_LIST = re.compile(r"(?:,| &|,? (?:and|und|et|y|e|\u0438|with|mit|avec)) ?\s?")
_SENTENCE_END = re.compile(r"[.!?\u2026]\s|[\n;]")
# A label at the begin of a line: "Guests:", "Host - ", or a line of its own.
_LABEL = re.compile(
    r"[^\w\n]{0,6}([^\W\d_][^\n:\uff1a]{0,28}?)[ \t]?(?:[:\uff1a][ \t]*|[\u2013\u2014-][ \t]+|$)", re.MULTILINE
)
# What parts of a title stand between.
_SEGMENT = re.compile(r"\s*(?:[|\u2013\u2014\u2022\u00b7:\uff1a()\[\]]|\s-{1,3}\s|\s/\s|\s?~\s)\s*")
_OPENS = re.compile(r"[|\u2013\u2014\u2022\u00b7:\uff1a()\[\]/~.!?#\d-]\Z")  # behind which a part of a title begins
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\u3005]")
_HAN = r"\u4e00-\u9fff\u3005"
_CJK_TITLES = alternatives("cjk titles")
# A name in Chinese characters, in katakana, or in both halves with a space or hiragana behind.
_CJK_NAME = (
    rf"(?:[{_HAN}]{{2,6}}|[\u30a0-\u30ff]{{2,12}}|[{_HAN}]{{1,3}}[ \u3000][{_HAN}\u3040-\u309f]{{1,3}}"
    rf"|[{_HAN}]{{1,3}}[\u3040-\u309f]{{2,4}})"
)
_CJK_BETWEEN = r"[,\u3001\uff0c\u30fb\u3068\uff06&\u548c\u4e0e\u53ca]"  # commas, middle dots, "and"
# A label, a particle or colon, and names with or without titles.
_CJK_LABELLED = re.compile(
    rf"(?:{alternatives('cjk labels')})[\u306e\u306f\u306b:\uff1a/\uff0f\u3010\u3011\s]{{1,3}}"
    rf"(?P<names>{_CJK_NAME}(?:{_CJK_TITLES})?(?:{_CJK_BETWEEN}{{1,2}}{_CJK_NAME}(?:{_CJK_TITLES})?){{0,5}})"
)
_CJK_ONE = re.compile(rf"(?P<name>{_CJK_NAME}?)(?P<title>{_CJK_TITLES})?(?:{_CJK_BETWEEN}{{1,2}}|\s|\Z)")
# A name and its title.
_CJK_RESPECTED = re.compile(rf"(?P<name>{_CJK_NAME})(?P<title>{_CJK_TITLES})")
_CJK_NO_NAMES = phrases("cjk no names")
_CJK_CUE = re.compile(alternatives("cjk cues"))
_HEBREW = re.compile("[\u05d0-\u05ea]")
_HEBREW_WORD = r"[\u05d0-\u05ea'\"\u05f3\u05f4-]{2,}"
# A label or preposition, and two words.
_HEBREW_GUEST = re.compile(
    rf"(?<![\u05d0-\u05ea])(?:{alternatives('hebrew before')})(?::\s*|\s+)(?P<name>{_HEBREW_WORD} {_HEBREW_WORD})"
)
_ACCENTS = re.compile("(?<=[a-z])[\u0300-\u036f]+")  # on Latin letters
_LOGIN = re.compile(r" \(@?[\w.@-]{2,40}\)")  # behind a name
_REACH = 120  # how far in its sentence a cue is from a name: "joined by the author of many books, Ann Example"
_BESIDE = 8  # characters that may stand between a name and the next part of a title
_MOST_WORDS = 4  # in a cue
_LONGEST = 5  # words of a name
_LINES = 8  # of a list under a label
_RUSSIAN = re.compile("[\u0430-\u044f\u0451]")


class Guest(NamedTuple):
    """A place that names someone; ``name`` is how the person is called, ``sure`` whether no more proof is needed.

    ``form`` says by what: ``with`` (or its like before a name in a title), ``part`` of a title, or another ``cue``.
    """

    start: int
    end: int
    name: str
    sure: bool
    form: str = "cue"


class _Run(NamedTuple):
    """A run of capitalised words: the places of its words."""

    words: tuple[tuple[int, int], ...]


@lru_cache(maxsize=1)
def given_names() -> frozenset[str]:
    """Return names that persons are commonly given, in small letters."""
    lines = (Path(__file__).parents[1] / "languages" / "tables" / "given_names.txt").read_text("utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())


@lru_cache(maxsize=4096)
def is_name(name: str) -> bool:
    """Tell whether words can be the name of a person, and are none that things and organisations are called by.

    >>> [is_name(name) for name in ("Ann Example", "Anna de la Cruz", "Machine Learning", "Ann", "Visual Basic")]
    [True, True, False, False, False]
    """
    words = name.casefold().split()
    if not NO_NAMES.isdisjoint(words) or not SMALL.isdisjoint(set(words) - PARTICLES):
        return False
    return is_person(name) and not _TECHNICAL.search(_INNER_CAPITAL.sub("", name)) and words[0] != words[-1]


def is_likely(name: str) -> bool:
    """Tell whether a name begins as names of persons do: with one that persons are given, or an initial."""
    first = name.split(maxsplit=1)[0].casefold()
    parts = (first, *first.split("-"))
    if any(part in given_names() for part in parts) or (len(first) == 2 and first[1] == "."):
        return True
    return not name.isascii() and any(
        _ACCENTS.sub("", unicodedata.normalize("NFD", part)) in given_names() for part in parts
    )


def find_guests(text: str, *, title: bool = False) -> list[Guest]:
    """Find whom ``text`` names as a guest or host, in order of place.

    ``title``: it is one, where "with" and "by" tell of guests, and whole parts of it may be names; these are not sure
    unless they begin with a given name.

    >>> [(guest.name, guest.sure) for guest in find_guests("Clay, with Ann Example and Bo Lind", title=True)]
    [('Ann Example', True), ('Bo Lind', True)]
    >>> [(guest.name, guest.sure) for guest in find_guests("Building with Example Ware", title=True)]
    [('Example Ware', False)]
    """
    found: dict[int, Guest] = {}
    for guest in (*_labelled(text), *_in_sentences(text, title=title), *_without_capitals(text, title=title)):
        known = found.get(guest.start)
        if known is None or (guest.sure, guest.end) > (known.sure, known.end):
            found[guest.start] = guest
    return sorted(found.values())


def _labelled(text: str) -> Iterator[Guest]:
    """Find the names behind a label ("Guests: …"), or in the lines under one."""
    starts = accumulate((len(line) + 1 for line in text.split("\n")), initial=0)
    for match in filter(None, (_LABEL.match(text, start) for start in starts)):
        if match[1].casefold().strip() not in LABELS:
            continue
        end = text.find("\n", match.end())
        end = len(text) if end < 0 else end
        if text[match.end() : end].strip():
            yield from _items(text, match.end(), end)
        elif match.end() == end:
            yield from _lines(text, end)


def _lines(text: str, at: int) -> Iterator[Guest]:
    """Find the names that the lines from ``at`` on begin with, as long as they do."""
    for _ in range(_LINES):
        while text.startswith("\n", at):
            at += 1
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        found = list(_items(text, at, end))
        if not found:
            return
        yield found[0]
        at = end


def _items(text: str, start: int, end: int) -> Iterator[Guest]:
    """Find the names of a list: what stands behind each is passed over."""
    for run in _runs(text, start, end):
        at = run.words[0][0]
        before = text[max(start, at - 12) : at]
        begins = not before.strip(" \t*-\u2013\u2022\u00b7@\"'") or _begins_item(before)
        if begins and len(run.words) <= _LONGEST and (guest := _guest(text, run)) is not None:
            yield guest._replace(sure=True)


def _begins_item(before: str) -> bool:
    stripped = before.rstrip()
    return stripped.endswith((",", ";", "/", "|", ")", "]", "\u2022")) or stripped.casefold().endswith(
        (" and", " &", " und", " et", " y", " e", " \u0438", " with", " dr.", " prof.", " von", " de")
    )


def _in_sentences(text: str, *, title: bool) -> Iterator[Guest]:
    """Find the names that a cue stands beside, and those that go on a list from there."""
    last = (-1, False)  # where the name before ended, and whether it was sure
    sure_before = False
    for run in _runs(text, 0, len(text)):
        guest = _guest(text, run)
        if guest is None:
            continue
        sure = _is_cued(text, guest, title=title)
        form = _form_in_title(text, guest) if title else ""
        listed = last[0] >= 0 and guest.start - last[0] < 8 and _LIST.fullmatch(text, last[0], guest.start) is not None
        if listed and (sure_before or last[1]):
            by_comma = text[last[0] : guest.start].strip() == ","
            sure = sure or (sure_before and (title or not by_comma or is_likely(guest.name)))
            form = form or ("with" if title else "")
        if sure or form:
            name = _nominative(text, guest) if _RUSSIAN.search(guest.name) else guest.name
            sure = sure or is_likely(name)
            yield Guest(guest.start, guest.end, name, sure, form or "cue")
            last, sure_before = (guest.end, True), sure


def _is_cued(text: str, guest: Guest, *, title: bool) -> bool:
    """Tell whether the words right beside a name, or a cue before it in its sentence, tell of a guest or host."""
    before = _words_before(text, guest.start)
    if any(phrase in BEFORE for phrase in before):
        word = text[max(0, guest.start - 30) : guest.start].split()[-1:]
        in_title_case = bool(word) and word[0][0].isupper() and before[0] == word[0].casefold()
        return is_likely(guest.name) or not (title or in_title_case)
    if is_likely(guest.name) and any(phrase in BEHIND for phrase in _words_behind(text, guest.end)):
        return True
    role = bool(before) and before[0] in ROLES
    if not role and not (is_likely(guest.name) and text[max(0, guest.start - 3) : guest.start].rstrip().endswith(",")):
        return False
    sentence = text[max(0, guest.start - _REACH) : guest.start]
    ends = [match.end() for match in _SENTENCE_END.finditer(sentence)]
    sentence = sentence[ends[-1] :].casefold() if ends else sentence.casefold()
    return any(cue in sentence for cue in REMOTE)


def _form_in_title(text: str, guest: Guest) -> str:
    """Return how a title names someone: ``with`` before the name, as a ``part`` of it, or not ("")."""
    before = _words_before(text, guest.start)
    if any(phrase in BEFORE for phrase in before):
        return "with"
    if before and before[0] in IN_TITLES:
        return "" if before[0] in LOOSE and not is_likely(guest.name) else "with"
    head, tail = text[max(0, guest.start - _BESIDE) : guest.start].rstrip(), text[guest.end : guest.end + _BESIDE]
    if head and not _OPENS.search(head):
        return ""
    ends = not tail.strip() or _SEGMENT.match(tail) is not None or _LIST.match(tail) is not None
    possessive = tail.startswith(("'s ", "\u2019s "))
    behind = any(phrase in BEHIND_IN_TITLES for phrase in _words_behind(text, guest.end))
    return "part" if ends or possessive or behind else ""


def _words_before(text: str, start: int) -> list[str]:
    """Return the last words before a place, in small letters: one, two, … of them; honorifics do not count."""
    words = text[max(0, start - 60) : start].casefold()
    words = words.rpartition("\n")[2]
    stripped = words.rstrip(" :,\u00a0\"'\u201c@*(")
    if words and stripped == words and words[-1] != "\n" and not words.endswith((" ", "\u00a0")):
        return []
    parts = [part.strip('\u201c\u201d"(,;*_') for part in stripped.split()]
    while parts and parts[-1] in TITLES:
        parts.pop()
    if parts and parts[-1] in {"the", "our", "my", "die", "der", "le", "la", "el"}:
        return []
    return [" ".join(parts[-count:]).rstrip(":,") for count in range(1, min(_MOST_WORDS, len(parts)) + 1)]


def _words_behind(text: str, end: int) -> list[str]:
    login = _LOGIN.match(text, end)
    end = login.end() if login else end
    words = text[end : end + 50].partition("\n")[0].casefold()
    if not words.startswith((" ", ", ")):
        return []
    parts = [part.strip(",.;:!") for part in words.split()]
    return [" ".join(parts[:count]) for count in range(1, min(_MOST_WORDS, len(parts)) + 1)]


def _runs(text: str, start: int, end: int) -> Iterator[_Run]:
    """Yield the runs of capitalised words in a part of a text, cut at words that no name goes on with."""
    for match in _RUN.finditer(text, start, end):
        words: list[tuple[int, int]] = []
        for word in _WORD.finditer(text, *match.span()):
            small = word[0].casefold()
            ends = len(small) > 2 and small.endswith((".", "'s", "\u2019s"))
            if small in ROLES and len(words) != 1:
                ends = True
            elif small not in TITLES and (small.rstrip(".") not in SMALL or len(small) < 3 or small in PARTICLES):
                words.append((word.start(), word.end() - small.endswith(".") * ends))
            else:
                ends = True
            if ends and words:
                yield _Run(tuple(words))
                words = []
        if words:
            yield _Run(tuple(words))


def _guest(text: str, run: _Run) -> Guest | None:
    """Return the person that a run of capitalised words names: the whole of it, or from a given name on."""
    words = list(run.words)
    while words and text[slice(*words[-1])].casefold() in PARTICLES:
        words.pop()
    if len(words) < 2:
        return None
    starts = [0] if len(words) <= _LONGEST else []
    if len(words) > 2:
        names = [text[start:end].casefold() for start, end in words]
        given = [
            at for at in range(len(words) - 1)
            if names[at].partition("-")[0] in given_names() and text[words[at][0]].isupper()
        ]  # fmt: skip
        starts = given[:1] + starts if given and given[0] <= len(words) - 2 else starts
    for at in starts:
        begin, end = words[at][0], words[-1][1]
        name = " ".join(text[begin:end].split()).rstrip("'\u2019-")
        for possessive in ("'s", "\u2019s"):
            name, end = (name[:-2], end - 2) if name.endswith(possessive) else (name, end)
        if len(words) - at <= _LONGEST and is_name(name):
            return Guest(begin, end, name, sure=False)
    return None


def _nominative(text: str, guest: Guest) -> str:
    """Return a Russian name as a person is called, where the preposition of company stands before it."""
    before = _words_before(text, guest.start)
    if not before or before[0] not in COMPANY:
        return guest.name
    return " ".join(map(_called, guest.name.split()))


def _called(word: str) -> str:
    return next((word.removesuffix(end) + form for end, form in INSTRUMENTAL if word.endswith(end)), word)


def _without_capitals(text: str, *, title: bool) -> Iterator[Guest]:
    """Find names in scripts that have no capitals: behind a label, before a title of respect."""
    if not text.isascii() and _CJK.search(text):
        yield from _cjk(text, title=title)
    if not text.isascii() and _HEBREW.search(text):
        for match in _HEBREW_GUEST.finditer(text):
            yield Guest(*match.span("name"), match["name"], sure=True)


def _cjk(text: str, *, title: bool) -> Iterator[Guest]:
    for match in _CJK_LABELLED.finditer(text):
        at, end = match.span("names")
        colon = not {":", "\uff1a", "\u3011"}.isdisjoint(text[match.start() : at])
        while at < end and (one := _CJK_ONE.match(text, at, end)) is not None and one.end() > at:
            if (
                one["name"]
                and _names_someone(one["name"])
                and (one["title"] or (colon and len(one["name"]) <= _MOST_WORDS + 1))
            ):
                yield Guest(*one.span("name"), one["name"], sure=True)
            at = one.end()
    for match in _CJK_RESPECTED.finditer(text):
        near = text[max(0, match.start() - 12) : match.end() + 16]
        if _names_someone(match["name"]) and (title or _CJK_CUE.search(near)):
            yield Guest(*match.span("name"), match["name"], sure=True)


def _names_someone(name: str) -> bool:
    return not any(word in name for word in _CJK_NO_NAMES)


def named_at(words: str) -> str:
    """Return the name of a person that words begin with, as it stands there, or nothing.

    >>> named_at("Ann Example on Mastodon"), named_at("The Example Book")
    ('Ann Example', '')
    """
    for run in _runs(words, 0, len(words)):
        guest = _guest(words, run)
        return words[guest.start : guest.end] if guest is not None and not words[: guest.start].strip(" @\"'(") else ""
    match = _CJK_RESPECTED.match(words)
    return match["name"] if match else ""
