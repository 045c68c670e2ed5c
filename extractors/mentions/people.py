"""The persons that notes name: by a name or handle that a list or the rest of the corpus confirms, or as a guest.

Precision first. A pair of capitalised words is no person, and a word in parentheses no handle, unless something
else says so: the list ``people.txt``, the feed's own persons, a profile that is linked, "joins me".
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..languages.phrase_finder import beginnings, runs_of_letters
from ..model import Mention
from ..ref import Ref
from ..sites import identify
from ..slugs import slugify
from ..subjects.people import read_people
from .guests import find_guests, is_name
from .urls import episode_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Link
    from ..subjects.subject import Subject
    from .corpus import Corpus, DropHere, KnownPeople

_LOGIN = r"[A-Za-z0-9](?:-?[A-Za-z0-9]){1,38}"
# A word of letters and digits, with the hyphens inside it.
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:-[^\W_]+)*")
_NAME = r"[A-Z][\w.'\u2019-]*(?: [A-Z][\w.'\u2019-]*){0,3}"
# Who joins, is a guest, is talked with.
_GUEST = re.compile(
    rf"(?P<joins>\b{_NAME})(?: \(@?{_LOGIN}\))? (?:joins|joined) (?:me|us)\b"
    rf"|\b(?:joined (?:today )?by|[Gg]uests?(?: today)? (?:is|are)|[Gg]uests?:|[Ii]nterview(?:s|ed|ing)?(?: with)?"
    rf"|[Cc]onversation with|[Qq]uestions with) (?P<with>{_NAME})"
)
_GUEST_WORDS = (" join", "uest", "nterview", "onversation with", "stions with")
# "from login", "by login".
_BY = re.compile(rf"\b(?:from|by) @?(?P<login>{_LOGIN})(?![\w.-]*\w)")
# What one makes: "PRs from", "a proposal by".
_WORK = re.compile(
    r"\b(?:PRs?|requests?|patch(?:es)?|commits?|issues?|diffs?|posts?|notes?|proposals?|RFCs?) (?:(?:from|by) @?)?\Z",
    re.IGNORECASE,
)
# "Ann B. Example (login)".
_PAIR = re.compile(rf"\b[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][\w'\u2019-]+){{1,2}} \(@?(?P<login>{_LOGIN})\)")
# A profile, or with more behind it something of its owner's.
_OWNER = re.compile(rf"github\.com/(?P<login>{_LOGIN})(?![\w-])(?P<more>/[\w.-])?", re.IGNORECASE)
_LONGEST = 60  # characters of a name
_HANDLE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")  # a login in small letters
# Why a name counts for nothing, in words for those who ask.
_WITHIN, _INSIDE = "stands within a longer name", "stands in a link, which is read as a whole"
_SENTENCE_END = re.compile(r"(?<=\w\w)\. ")  # behind a word, not behind an initial


class Aliases(NamedTuple):
    """The lists of subjects, by what may stand in a text; keys are case-folded."""

    logins: Mapping[str, Ref]
    names: Mapping[str, Ref]
    called: Mapping[str, Ref]
    words: frozenset[str]
    begins: frozenset[str]


def find_people(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the persons that an episode's notes and title name.

    Yields ``Mention`` values of relation ``mentions`` and method ``alias``: for names and handles that the
    corpus knows or, in what is about a subject, its list; and for guests who join. Nothing inside a URL counts.
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
    show = episode.id.partition(":")[2].partition("/")[0]
    yield from _find(notes, "notes", show, known, aliases, spans, corpus.drop_in("notes"))
    yield from _find(title, "title", show, known, aliases, (), corpus.drop_in("title"))


def _is_profile(link: Link, known: KnownPeople) -> bool:
    """Tell whether a link is the address of a person, who is then named by it."""
    found = identify(link.url) if known.profiles else None
    return found is not None and found[1].id in known.profiles


def person_ref(name: str, url: str = "", *, show: str = "", listed: Sequence[Subject] = ()) -> Ref:
    """Return the reference of a person of whom the feed gives the name and perhaps a page.

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
    known = aliases_of(tuple(listed)).names.get(shown.casefold())
    return known or Ref("person", f"person:{show}/{slugify(shown)}" if show else f"person:{slugify(shown)}", shown, url)


def confirmed_logins(feeds: Iterable[Mapping[str, set[str]]]) -> dict[str, set[str]]:
    """Return the logins whose profile is linked, or that stand in two ways in some feeds, and the ways they stand in.

    ``feeds`` are, of each feed, the ways by login (``ways_of``).
    """
    ways: dict[str, set[str]] = defaultdict(set)
    for login, seen in (item for feed in feeds for item in feed.items()):
        ways[login] |= seen
    return {login: seen for login, seen in ways.items() if "profile" in seen or len(seen) > 1}


def ways_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield (way, login) for each place in which a login stands in one of the ways that tell of one."""
    if "github.com/" in text:
        for match in _OWNER.finditer(text):
            yield "owner" if match["more"] else "profile", match["login"].lower()
    for match in _BY.finditer(text) if "from " in text or "by " in text else ():
        if _is_login(match["login"]) and _WORK.search(text[max(0, match.start() - 12) : match.start()]):
            yield "by", match["login"]
    for match in _PAIR.finditer(text) if "(" in text else ():
        if _is_login(match["login"]):
            yield "pair", match["login"]


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the (name, login) of "Ann B. Example (login)"."""
    for match in _PAIR.finditer(text) if "(" in text else ():
        yield match[0].rpartition(" (")[0], match["login"].lower()


def _is_login(word: str) -> bool:
    return len(word) > 3 and _HANDLE.fullmatch(word) is not None


def _find(
    text: str,
    field: str,
    show: str,
    known: KnownPeople,
    aliases: Aliases,
    spans: Sequence[tuple[int, int]],
    drop: DropHere | None,
) -> Iterator[Mention]:
    found = sorted(
        (
            *_named(text, known, aliases, drop),
            *_unspaced(text, known),
            *_guests(text, aliases, drop),
            *(() if known.gathered else _new(text, field, show, aliases)),
        ),
        key=lambda person: (person[0], -person[1]),
    )
    index = free_from = 0
    for start, end, ref, confidence in found:
        while index < len(spans) and spans[index][1] <= start:
            index += 1
        if start < free_from or (index < len(spans) and spans[index][0] < end):
            if drop:
                drop(start, end, _WITHIN if start < free_from else _INSIDE)
            continue
        free_from = end
        yield Mention(ref, field, start, end, text[start:end], "alias", "people", confidence, relation="mentions")


def _named(
    text: str, known: KnownPeople, aliases: Aliases, drop: DropHere | None
) -> Iterator[tuple[int, int, Ref, float]]:
    """Find the names and handles that a list or the corpus knows; yields (start, end, person, confidence)."""
    if not (aliases.begins or known.begins):
        return
    if text.isascii():  # a cheaper look first, at what words begin with
        begins = set(runs_of_letters(text.lower()).split())
        if aliases.begins.isdisjoint(begins) and known.begins.isdisjoint(begins):
            return
    words = _WORD.findall(text.casefold())
    if aliases.words.isdisjoint(words) and known.words.isdisjoint(words):
        return
    places = list(_WORD.finditer(text))
    for index, match in enumerate(places):
        word, start = match[0].casefold(), match.start()
        if word in aliases.words or word in known.words:
            yield from _handle(text, match.span(), word, known, aliases, drop)
            for last in (later.end() for later in reversed(places[index + 1 : index + 4])):
                name = " ".join(text[start:last].split()).casefold() if last - start < _LONGEST else ""
                if ref := aliases.names.get(name) or known.people.get(name):
                    yield start, last, ref, 1.0
                    break


def _handle(
    text: str, place: tuple[int, int], word: str, known: KnownPeople, aliases: Aliases, drop: DropHere | None
) -> Iterator[tuple[int, int, Ref, float]]:
    """Find the person whose handle the word at a place is, if it is one."""
    start, end = place
    listed = aliases.logins.get(word)
    if listed and (len(word) > 4 or _is_handle(text, start, end)):
        yield start, end, listed, 1.0
    elif _is_handle(text, start, end):
        if ref := known.people.get(f"@{word}"):
            yield start, end, ref, 0.9
        elif ref := aliases.called.get(word):
            yield start, end, ref, 0.8
    elif drop and (ref := listed or known.people.get(f"@{word}") or aliases.called.get(word)):
        drop(start, end, f"may be {ref.label} ({ref.id}): an @, parentheses or words such as `PRs from` would say so")


def _is_handle(text: str, start: int, end: int) -> bool:
    """Tell whether a handle is expected at a place: in parentheses, behind ``@``, behind "PRs from"."""
    before, behind = text[max(0, start - 24) : start], text[end : end + 1]
    if before.endswith("@") or (before.endswith("(") and behind == ")"):
        return True
    return before.endswith(("from ", "by ")) and _WORK.search(before) is not None


def _guests(text: str, aliases: Aliases, drop: DropHere | None) -> Iterator[tuple[int, int, Ref, float]]:
    """Find who joins by the short name that a list knows; yields (start, end, person, confidence)."""
    if not drop and not (aliases.called and any(map(text.__contains__, _GUEST_WORDS))):
        return
    for match in _GUEST.finditer(text):
        group = "joins" if match["joins"] else "with"
        words = match[group].rstrip(".'\u2019-").removesuffix("'s").removesuffix("\u2019s")
        name = _SENTENCE_END.split(words)[-1]  # "… of vmap. Ann joins me"
        start = match.start(group) + len(words) - len(name)
        if ref := aliases.called.get(name.casefold()):
            yield start, start + len(name), ref, 0.8
        elif drop and not is_name(name):
            drop(start, start + len(name), "a guest is announced, but this is no full name of a person")


def _new(text: str, field: str, show: str, aliases: Aliases) -> Iterator[tuple[int, int, Ref, float]]:
    """Find guests in an item whose feed nobody has looked through for names."""
    for guest in find_guests(text, title=field == "title"):
        if guest.sure:
            ref = aliases.names.get(guest.name.casefold()) or person_ref(guest.name, show=show)
            yield guest.start, guest.end, ref, 0.9


def _unspaced(text: str, known: KnownPeople) -> Iterator[tuple[int, int, Ref, float]]:
    """Find known names in scripts that put no spaces between words."""
    for name in known.unspaced:
        at = text.find(name)
        while at >= 0:
            yield at, at + len(name), known.people[name], 1.0
            at = text.find(name, at + len(name))


@lru_cache(maxsize=16)
def aliases_of(subjects: tuple[Subject, ...]) -> Aliases:
    """Return the lists of some subjects; of two persons called alike the one of the earlier subject counts."""
    logins: dict[str, Ref] = {}
    names: dict[str, Ref] = {}
    called: dict[str, Ref] = {}
    for person in (person for subject in reversed(subjects) for person in read_people(subject.file("people.txt"))):
        ref = Ref("person", f"person:{person.login.lower()}", person.names[0], f"https://github.com/{person.login}")
        logins[person.login.casefold()] = ref
        names.update(dict.fromkeys(map(str.casefold, person.names), ref))
        if person.called:
            called[person.called.casefold()] = ref
    words = frozenset((*logins, *called, *(name.split()[0] for name in names)))
    return Aliases(logins, names, called, words, beginnings(words))
