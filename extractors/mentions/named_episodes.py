"""Other episodes that the notes name by their titles ("related episodes on X and Y"), numbers, or links."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ..languages.phrase_finder import PhraseFinder
from ..languages.trigger_phrases import alternatives, phrases
from ..model import Mention
from ..ref import Ref
from ..slugs import slugify
from ..url import host_of, split_url, unescape, with_scheme

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..model import Episode, Link
    from .corpus import Corpus

_ANNOUNCE, _NEED = alternatives("announce", "episodes"), alternatives("needed", "episodes")
_OTHER = "related|previous|earlier|other|past|prior|another|separate|last"
# Words that announce other episodes. Without them a title such as "Shared memory" is only a subject of the notes.
_CUE = (
    (
        rf"\b(?:{_OTHER}|see also (?:the|my|our))\b[^.!?\n]{{0,30}}"
        r"\b(?:episode|podcast|post)s?\b|\b(?:episode|podcast|post)s (?:on|about|called|titled)\b"
        rf"|(?<!\w)(?:{_ANNOUNCE})(?![a-z\u0430-\u044f])"
    ),
    (*_OTHER.split("|"), "see also", "episodes", "podcasts", "posts", *phrases("announce", "episodes")),
)
# "episode 12", "Folge #12", the number of an episode behind the word.
_NUMBERED = (
    (
        rf"(?<!\w)(?:{alternatives('number', 'episodes')})\s?(?:no\.?\s?|nr\.?\s?|n[\u00b0\u00ba]\s?|#|\u2116\s?)?"
        r"(?P<number>[1-9]\d{0,4})(?![A-Za-z0-9_%]|[.,:]\d)"
        r"(?!\s(?:of|von|de|del|da|min|hours?|minutes?|people)\b)"
    ),
    phrases("number", "episodes"),
)
# "12-м выпуске", "12. Folge": the number before the word. The characters before it are checked only after its first
# digit matched: a search leaps from digit to digit.
_NUMBER_FIRST = re.compile(
    r"(?P<number>[1-9](?<![\w.,:#/-].)\d{0,4})(?:-?(?:\u043c|\u0439|\u0433\u043e|\u043e\u043c)|\.|[\u00aa\u00ba])?"
    rf"[ \u00a0]?(?:{alternatives('number first', 'episodes')})(?![a-z\u0430-\u044f])",
    re.IGNORECASE,
)
_SEASON = re.compile(r"(?:season|staffel|saison|temporada|stagione|\bs)\W{0,2}\d+\W{0,3}\Z", re.IGNORECASE)
# Prefixes of a title: "Episode 12:", "#12 -", "The Kiln 12:", "ep12 ".
_PREFIX = re.compile(
    r"\A[^:|\u2013\u2014]{0,40}?#?\d{1,4}\s?(?:[:|.\u2013\u2014-]|\s-)\s?(?=\S)|\A(?:#|ep\.?\s?)\d{1,4}\s",
    re.IGNORECASE,
)
# Words before whole titles: "see also X", "Prerequisites: X, Y and Z", "listen to X first".
_WHOLE = (
    (
        rf"(?:\bsee also|(?<!\w)(?:{_NEED}))[:\uff1a]?\s+(?P<titles>[^.!?;()\n]{{2,160}})"
        r"|\blisten to\s+(?P<before>[^.!?,;()\n]{2,100}?)\s+first\b"
    ),
    ("see also", "listen to", *phrases("needed", "episodes")),
)
_SEPARATOR = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_AFTER = (r"(?<=\s)(?:episode|podcast)\b", ("episode", "podcast"))  # behind a title: "the vmap episode"
_BEFORE = re.compile(r"\b(?:the|our|my|that)\s+", re.IGNORECASE)  # in front of such a title
# It is wanted first.
_FIRST = re.compile(rf"(?<!\w)(?:first|before this|{_NEED}|{alternatives('first', 'episodes')})(?!\w)", re.IGNORECASE)
# A title in the quotes of any language, near a word for episodes.
_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab\u300c\u300e\u300a\u2018](?P<title>[^\"\u201c-\u201e\u00ab\u00bb\u300a-\u300f\n]{3,100})"
    r"[\"\u201d\u201c\u00bb\u300d\u300f\u300b\u2019]"
)
_EPISODE = re.compile(
    rf"(?<!\w)(?:{alternatives('number', 'episodes')}|{_ANNOUNCE}|podcasts?|posts?|listen(?:ed|ing)? to)"
    r"(?![a-z\u0430-\u044f])",
    re.IGNORECASE,
)
_FINDER = PhraseFinder(cue=_CUE, numbered=_NUMBERED, whole=_WHOLE, after=_AFTER)
_OF_EPISODE = re.compile(r"(?:e|ep|episode)?-?0*([1-9]\d{0,3})", re.ASCII)  # a part of an address: "12", "ep012"
_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|md|mp3|m4a|ogg|opus)\Z", re.IGNORECASE)
_WORD = re.compile(r"[\w.+#']*\w[+#]*")  # with the marks of "C++", "don't", "v1.2"
_DIGITS = re.compile(r"\d+")
_END = re.compile(r"[!?\n;]|\.\s|\w{1,12}://|www\.")
_NEAR = 40  # characters between a title in quotes and such a word
_AHEAD, _REACH = 20, 120  # characters before and behind the words that announce
_NUMBERED_SHARE = 0.6  # of the episodes have a number
_LONGEST_TITLE, _LONGEST = 200, 10  # characters, and words in a title
_TELLING_WORDS, _TELLING_LETTERS = 4, 8  # of a title that names an episode and no other thing
_LIKELY = 0.9


def find_named_episodes(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the titles of other episodes of the feed in the notes, where the words before them announce episodes.

    Yields a ``Mention`` of method ``crosslink`` (``see_also`` or ``listen_first``) for each; the longest title counts.
    """
    seen: set[int] = set()
    for cue, start, end, target in _find_titles(episode.notes, corpus) if corpus.titles else ():
        if target == episode.id or start in seen:
            continue
        seen.add(start)
        quote = episode.notes[start:end]
        relation = "listen_first" if _FIRST.search(episode.notes, max(0, cue), start) else "see_also"
        ref = Ref(target.partition(":")[0], target, quote)
        yield Mention(ref, "notes", start, end, quote, "crosslink", "crosslinks", _LIKELY, relation=relation)


def _find_titles(notes: str, corpus: Corpus) -> Iterator[tuple[int, int, int, str]]:
    """Yield (where the words that announce begin, start of a title, its end, the episode's id)."""
    found = _FINDER.find(notes)
    done = 0
    for cue in found["cue"]:
        for title in _find_behind(notes, cue.start() - _AHEAD, max(cue.end(), done), cue.end(), corpus):
            done = title[2]
            yield title
    for cue_start, start, end in _find_spans(notes, found["whole"], found["after"]):
        words = list(_WORD.finditer(notes, start, end))
        if target := corpus.titles.get(" ".join(word[0].casefold() for word in words)):
            yield cue_start, words[0].start(), words[-1].end(), target
    for match in (*found["numbered"], *_NUMBER_FIRST.finditer(notes)):
        target = corpus.titles.get(f"#{match['number']}", "")
        if target and not _SEASON.search(notes[max(0, match.start() - 16) : match.start()]):
            yield match.start() - _AHEAD, *match.span(), target


def _find_behind(
    notes: str, cue_start: int, start: int, cue_end: int, corpus: Corpus
) -> Iterator[tuple[int, int, int, str]]:
    """Yield the titles in the sentence behind words that announce episodes, the longest at each place."""
    stop = _END.search(notes, cue_end, cue_end + _REACH)
    words = list(_WORD.finditer(notes, start, stop.start() if stop else cue_end + _REACH))
    place = 0
    while place < len(words):
        for behind in range(min(place + _LONGEST, len(words)), place, -1):
            if target := corpus.titles.get(" ".join(word[0].casefold() for word in words[place:behind])):
                yield cue_start, words[place].start(), words[behind - 1].end(), target
                place = behind - 1
                break
        place += 1


def _find_spans(
    notes: str, wholes: Sequence[re.Match[str]], afters: Sequence[re.Match[str]]
) -> Iterator[tuple[int, int, int]]:
    """Yield the places that may have a whole title, with the start of the words that announce it."""
    for quoted in _QUOTED.finditer(notes):
        near = notes[max(0, quoted.start() - _NEAR) : quoted.end() + _NEAR]
        if _EPISODE.search(near) or _FIRST.search(near):
            yield quoted.start() - _NEAR, *quoted.span("title")
    for cue in wholes:
        start, end = cue.span(cue.lastgroup or "")
        edges = [start, *(edge for match in _SEPARATOR.finditer(notes, start, end) for edge in match.span()), end]
        for piece in ((start, end), *zip(edges[::2], edges[1::2], strict=True)):
            yield cue.start() - _AHEAD * (cue.lastgroup == "before"), *piece
    for cue in afters:
        end = cue.start() - 1
        for before in _BEFORE.finditer(notes, max(end - _REACH, 0), end):
            yield end - _AHEAD, before.end(), end


def _fold(text: str) -> str:
    return " ".join(map(str.casefold, _WORD.findall(text)))


def list_titles(episodes: Sequence[Episode]) -> dict[str, str]:
    """Return the node id of an episode by its names, folded to words; names of several episodes are left out.

    The names are its title, the title without its number and the show's name, and ``#12`` where episodes are numbered.

    >>> from podgraph.extractors.model import Episode
    >>> list_titles([Episode("episode:p/vmap", "episode", "podcast:p", "12: vmap, an introduction", number=12)])
    {'12 vmap an introduction': 'episode:p/vmap', 'vmap an introduction': 'episode:p/vmap', '#12': 'episode:p/vmap'}
    """
    owners: dict[str, set[str]] = {}
    numbers: list[tuple[int, str]] = []
    for episode in episodes:
        prefix = _PREFIX.match(episode.title)
        for words in (_fold(episode.title), _fold(episode.title[prefix.end() if prefix else 0 :])):
            if len(words) > 2:
                owners.setdefault(words, set()).add(episode.id)
        digits = _DIGITS.findall(prefix[0]) if prefix else ["0"]
        if number := episode.number or int(digits[-1]):
            numbers.append((number, episode.id))
    if len(numbers) > _NUMBERED_SHARE * len(episodes):
        for number, id_ in numbers:
            owners.setdefault(f"#{number}", set()).add(id_)
    return {title: ids.pop() for title, ids in owners.items() if len(ids) == 1}


def list_slugs(episodes: Sequence[Episode]) -> dict[str, str]:
    """Return the slug of each title by item id, and the item id by each slug that a single item has.

    >>> from podgraph.extractors.model import Episode
    >>> list_slugs([Episode("episode:p/vmap", "episode", "podcast:p", "12: What's vmap?", number=12)])
    {'episode:p/vmap': 'whats-vmap', 'whats-vmap': 'episode:p/vmap'}
    """
    slugs = {episode.id: slugify(_PREFIX.sub("", episode.title)) for episode in episodes}
    owners: dict[str, list[str]] = {}
    for id_, slug in slugs.items():
        owners.setdefault(slug, []).append(id_)
    return slugs | {slug: ids[0] for slug, ids in owners.items() if slug and len(ids) == 1}


def find_own_page(url: str, corpus: Corpus) -> str:
    """Return the id of the episode whose number, title or both are in an address of the show itself; "" without one.

    A number alone is too little, and so is one word; other parts round the title (``lup-73``) do not count.
    """
    parts = split_url(with_scheme(url)) if any(map(url.__contains__, corpus.hosts)) else None
    if parts is None or not parts.segments or parts.host not in corpus.hosts:
        return ""
    last = slugify(_SUFFIX.sub("", unescape(parts.segments[-1]).replace("_", "-"))).split("-")
    numbers = [match[1] for part in (*parts.segments, *last) if (match := _OF_EPISODE.fullmatch(part.lower()))]
    by_number = {corpus.titles.get(f"#{number}", "") for number in numbers} - {""}
    for start, end in ((0, None), (1, None), (0, -1), (0, -2), (1, -1), (2, None)):
        if target := corpus.slugs.get("-".join(last[start:end])):
            return target if target in by_number or len(last[start:end]) > 1 else ""
    for target in sorted(by_number):
        words = corpus.slugs.get(target, "").split("-")
        if 2 * sum(word in last for word in words) > len(words):
            return target
    return ""


@lru_cache(maxsize=1)
def _list_hosts_of_copies() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the hosts of copies, and the ends of such hosts."""
    hosts = phrases("hosts", "episodes")
    return hosts, tuple(sorted(host for host in hosts if host.startswith(".")))


def find_own_episode(link: Link, words: str, ref: Ref, corpus: Corpus) -> str:
    """Return the id of the episode that a link leads to by its words, which are its exact title, "" without one.

    The title is enough where the page is the show's, a copy at a host of podcasts or videos, or, if it is long, on any
    page that is not a work of its own; a short one may be the name of the page's subject.
    """
    if len(words) >= _LONGEST_TITLE:
        return ""
    title = _fold(words)
    target = corpus.titles.get(title) or corpus.titles.get(_fold(_PREFIX.sub("", words)))
    host = host_of(link.url) if target else ""
    exact, ends = _list_hosts_of_copies()
    is_long = title.count(" ") >= _TELLING_WORDS - 1 or (not title.isascii() and len(title) >= _TELLING_LETTERS)
    is_ours = host in exact or host.endswith(ends) or host in corpus.hosts
    return target if target and (is_ours or (is_long and ref.kind in {"web", "blog", "video"})) else ""
