"""The persons that notes name: by a name or handle that a list or the rest of the corpus confirms, or as a guest.

Precision first. A pair of capitalised words is no person, and a word in parentheses no handle, unless something
else says so: the list ``people.txt``, the feed's own persons, a profile that is linked, "joins me".
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from ..feeds.bylines import parse_people
from ..model import Mention
from ..ref import Ref
from ..sites import identify
from ..slugs import slugify
from .corpus import Corpus, KnownPeople
from .urls import episode_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Feed
    from .corpus import Corpus

_LOGIN = r"[A-Za-z0-9](?:-?[A-Za-z0-9]){1,38}"
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:-[^\W_]+)*")
_NAME = r"[A-Z][\w.'\u2019-]*(?: [A-Z][\w.'\u2019-]*){0,3}"
_GUEST = re.compile(
    rf"(?P<joins>\b{_NAME})(?: \(@?{_LOGIN}\))? (?:joins|joined) (?:me|us)\b"
    rf"|\b(?:joined (?:today )?by|[Gg]uests?(?: today)? (?:is|are)|[Gg]uests?:|[Ii]nterview(?:s|ed|ing)?(?: with)?"
    rf"|[Cc]onversation with|[Qq]uestions with) (?P<with>{_NAME})"
)
_GUEST_WORDS = (" join", "uest", "nterview", "onversation with", "stions with")
_TECHNICAL = re.compile(r"[a-z][A-Z]|[A-Z]{2}|\d")
_INNER_CAPITAL = re.compile(r"\b(?:Mc|Mac|De|Di|Du|La|Le|Van|O['\u2019])(?=[A-Z])")
_BY = re.compile(rf"\b(?:from|by) @?(?P<login>{_LOGIN})(?![\w.-]*\w)")
_WORK = re.compile(
    r"\b(?:PRs?|requests?|patch(?:es)?|commits?|issues?|diffs?|posts?|notes?|proposals?|RFCs?) (?:(?:from|by) @?)?\Z",
    re.IGNORECASE,
)
_PAIR = re.compile(rf"\b[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][\w'\u2019-]+){{1,2}} \(@?(?P<login>{_LOGIN})\)")
_OWNER = re.compile(rf"github\.com/(?P<login>{_LOGIN})(?![\w-])(?P<more>/[\w.-])?", re.IGNORECASE)
_HANDLE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class _Aliases(NamedTuple):
    """The shipped list, by what may stand in a text; keys are case-folded."""

    logins: Mapping[str, Ref]
    names: Mapping[str, Ref]
    called: Mapping[str, Ref]
    words: frozenset[str]


_NOBODY = _Aliases({}, {}, {}, frozenset())


def find_people(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the persons that an episode's notes and title name.

    Yields ``Mention`` values of relation ``mentions`` and method ``alias``: for names and handles that the
    corpus knows or, in what is about PyTorch, the shipped list; and for guests who join. Nothing inside a URL
    counts.
    """
    known = corpus.people
    notes = episode.notes
    listed = known.listed or corpus.default_repo.startswith("pytorch/") or _names_pytorch(notes, episode.title)
    aliases = _aliases() if listed else _NOBODY
    spans = [
        (link.start, link.end)
        for link in episode_links(episode)
        if link.method == "url" or "://" in notes[link.start : link.end]
    ]
    yield from _find(notes, "notes", known, aliases, spans)
    yield from _find(episode.title, "title", known, aliases, ())


def person_ref(name: str, url: str = "", *, listed: bool = False) -> Ref:
    """Return the reference of a person of whom the feed gives the name and perhaps a page.

    The id is ``person:<login>`` where the page is a GitHub profile or, if ``listed`` says that the shipped list
    is to be asked, where it knows the name; else ``person:<slug of the name>``.

    >>> person_ref("Edward Z. Yang", listed=True).id, person_ref("Ann Example").id
    ('person:ezyang', 'person:ann-example')
    """
    shown = " ".join(name.split())
    profile = identify(url) if "github.com/" in url.lower() else None
    if profile and profile[1].kind == "person":
        return Ref("person", profile[1].id, shown, profile[1].url)
    known = _aliases().names.get(shown.casefold()) if listed else None
    return known or Ref("person", f"person:{slugify(shown)}", shown, url)


def lists_people(feeds: Iterable[Feed]) -> bool:
    """Tell whether the shipped list holds for ``feeds``: whether one of them is about PyTorch."""
    return any(
        feed.default_repo.startswith("pytorch/") or _names_pytorch(feed.title, feed.description) for feed in feeds
    )


def known_people(feeds: Sequence[Feed]) -> KnownPeople:
    """Return the persons whom ``feeds`` confirm.

    Names are those of the feeds' own persons. A login is confirmed by a link to the profile, or by standing in
    two ways: behind a full name, behind "PRs from", as the owner of a repository.
    """
    listed = lists_people(feeds)
    people: dict[str, Ref] = {}
    ways: dict[str, set[str]] = defaultdict(set)
    for feed in feeds:
        for person in (*feed.people, *(person for episode in feed.episodes for person in episode.people)):
            ref = person_ref(person.name, person.url, listed=listed)
            people.setdefault(person.name.casefold(), ref)
            people.setdefault("@" + ref.id.partition(":")[2], ref)
        for episode in feed.episodes:
            for text in (episode.notes, *(link.url for link in episode.links)):
                for way, login in _ways(text):
                    ways[login].add(way)
    for login, seen in ways.items():
        if "profile" in seen or len(seen) > 1:
            known = identify(f"https://github.com/{login}")
            if known and known[1].kind == "person":
                people.setdefault(f"@{login}", known[1])
    return KnownPeople(people, listed=listed)


def _ways(text: str) -> Iterator[tuple[str, str]]:
    if "github.com/" in text:
        for match in _OWNER.finditer(text):
            yield "owner" if match["more"] else "profile", match["login"].lower()
    for way, pattern in (("by", _BY), ("pair", _PAIR)):
        for match in pattern.finditer(text) if way == "by" or "(" in text else ():
            if len(match["login"]) > 3 and _HANDLE.fullmatch(match["login"]):
                before = text[max(0, match.start() - 12) : match.start()]
                if way == "pair" or _WORK.search(before):
                    yield way, match["login"]


def _find(
    text: str, field: str, known: KnownPeople, aliases: _Aliases, spans: Sequence[tuple[int, int]]
) -> Iterator[Mention]:
    found = sorted((*_named(text, known, aliases), *_guests(text, aliases)), key=lambda person: (person[0], -person[1]))
    index = free_from = 0
    for start, end, ref, confidence in found:
        while index < len(spans) and spans[index][1] <= start:
            index += 1
        if start < free_from or (index < len(spans) and spans[index][0] < end):
            continue
        free_from = end
        yield Mention(ref, field, start, end, text[start:end], "alias", "people", confidence, relation="mentions")


def _named(text: str, known: KnownPeople, aliases: _Aliases) -> Iterator[tuple[int, int, Ref, float]]:
    """Find the names and handles that the list or the corpus knows; yields (start, end, person, confidence)."""
    words = _WORD.findall(text.casefold())
    if aliases.words.isdisjoint(words) and known.words.isdisjoint(words):
        return
    places = [(match.start(), match.end(), match[0].casefold()) for match in _WORD.finditer(text)]
    for index, (start, end, word) in enumerate(places):
        if word in aliases.words or word in known.words:
            yield from _handle(text, (start, end), word, known, aliases)
            for count in (4, 3, 2):
                last = places[index + count - 1][1] if index + count <= len(places) else start + 99
                name = " ".join(text[start:last].split()).casefold() if last - start < 60 else ""
                if ref := aliases.names.get(name) or known.people.get(name):
                    yield start, last, ref, 1.0
                    break


def _handle(
    text: str, place: tuple[int, int], word: str, known: KnownPeople, aliases: _Aliases
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


def _is_handle(text: str, start: int, end: int) -> bool:
    """Tell whether a handle is expected at a place: in parentheses, behind ``@``, behind "PRs from"."""
    before, behind = text[max(0, start - 24) : start], text[end : end + 1]
    if before.endswith("@") or (before.endswith("(") and behind == ")"):
        return True
    return before.endswith(("from ", "by ")) and _WORK.search(before) is not None


def _guests(text: str, aliases: _Aliases) -> Iterator[tuple[int, int, Ref, float]]:
    """Find who joins, is interviewed or is called a guest; yields (start, end, person, confidence)."""
    for match in _GUEST.finditer(text) if any(word in text for word in _GUEST_WORDS) else ():
        group = "joins" if match["joins"] else "with"
        name = match[group].rstrip(".'\u2019-")
        start = match.start(group)
        if group == "joins" and "." in name:
            # "… about strides. Ann Example joins me": the sentence before is none of the name.
            start += len(name) - len(name := re.split(r"(?<=\w\w)\. ", name)[-1])
        if name.endswith(("'s", "\u2019s")):
            name = name[:-2]
        if ref := aliases.called.get(name.casefold()):
            yield start, start + len(name), ref, 0.8
        elif " " in name and not _TECHNICAL.search(_INNER_CAPITAL.sub("", name)) and parse_people(name) == (name,):
            yield start, start + len(name), person_ref(name, listed=bool(aliases.names)), 0.9


def _names_pytorch(*texts: str) -> bool:
    return any("pytorch" in text.lower() for text in texts)


@lru_cache(maxsize=1)
def _aliases() -> _Aliases:
    logins: dict[str, Ref] = {}
    names: dict[str, Ref] = {}
    called: dict[str, Ref] = {}
    for login, spellings, first in _listed():
        ref = Ref("person", f"person:{login.lower()}", spellings[0], f"https://github.com/{login}")
        logins[login.casefold()] = ref
        names.update(dict.fromkeys(map(str.casefold, spellings), ref))
        if first:
            called[first.casefold()] = ref
    words = frozenset((*logins, *called, *(name.split()[0] for name in names)))
    return _Aliases(logins, names, called, words)


def _listed() -> Iterable[tuple[str, list[str], str]]:
    for line in files("podgraph.extractors.subjects.pytorch").joinpath("people.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            login, _, rest = line.partition(": ")
            names, _, first = rest.partition("; ")
            yield login, names.split(", "), first
