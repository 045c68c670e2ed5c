"""Other episodes that the notes name by their titles: "related episodes on X and Y"."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from ..languages.phrase_finder import Finder, Finders
from ..languages.trigger_phrases import alternatives, phrases
from ..model import Mention
from ..ref import Ref
from ..slugs import slugify
from ..url import host_of, split_url, unescape, with_scheme

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from ..model import Episode, Link
    from .corpus import Corpus

# Words that announce other episodes. Without them a title such as "Shared memory" is only a subject of the notes.
_CUE = Finder(
    r"\b(?:related|previous|earlier|other|past|prior|another|separate|last|see also (?:the|my|our))\b[^.!?\n]{0,30}"
    r"\b(?:episode|podcast|post)s?\b|\b(?:episode|podcast|post)s (?:on|about|called|titled)\b"
    rf"|(?<!\w)(?:{alternatives('announce', 'episodes')})(?![a-z\u0430-\u044f])",
    (
        *("related", "previous", "earlier", "other", "past", "prior", "another", "separate", "last", "see also"),
        *("episodes", "podcasts", "posts", *phrases("announce", "episodes")),
    ),
)
# "episode 12", "Folge #12", the number of an episode behind the word.
_NUMBERED = Finder(
    rf"(?<!\w)(?:{alternatives('number', 'episodes')})\s?(?:no\.?\s?|nr\.?\s?|n[\u00b0\u00ba]\s?|#|\u2116\s?)?"
    r"(?P<number>[1-9]\d{0,4})(?![A-Za-z0-9_%]|[.,:]\d)"
    r"(?!\s(?:of|von|de|del|da|min|hours?|minutes?|people)\b)",
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
# A title in quotes, before the word or after "see also": the quotes contain the whole title.
_WHOLE = Finder(
    r"\b(?:(?:episode|podcast|post|show)s?|listen(?:ed|ing)? to)\b[^.!?\n\"“”]{0,30}"
    r"[\"“](?P<quoted>[^\"“”\n]{2,100})[\"”]|"
    r"\bsee also:?[ \t]+(?P<alone>[^.!?,;()\n]{2,100})(?=[.,;)]?(?:\s|\Z))",
    ("episode", "podcast", "post", "show", "listen", "see also"),
)
_AFTER = Finder(r"(?<=\s)(?:episode|podcast)\b", ("episode", "podcast"))  # behind a title: "the vmap episode"
_BEFORE = re.compile(r"\b(?:the|our|my|that)\s+", re.IGNORECASE)  # in front of such a title
# It is wanted first.
_FIRST = re.compile(
    rf"(?<!\w)(?:first|before this|{alternatives('needed', 'episodes')}|{alternatives('first', 'episodes')})(?!\w)",
    re.IGNORECASE,
)
# Episodes that this one builds on: "Prerequisites: X, Y", "This builds on X", "Listen to X first"; each a whole title.
_NEEDED = Finder(
    rf"(?<!\w)(?:{alternatives('needed', 'episodes')})[:\uff1a]?\s+(?P<needed>[^.!?;()\n]{{2,160}})"
    r"|\blisten to\s+(?P<before>[^.!?,;()\n]{2,100}?)\s+first\b",
    (*phrases("needed", "episodes"), "listen to"),
)
_LISTED = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_FINDERS = Finders(_CUE, _NUMBERED, _WHOLE, _AFTER, _NEEDED)
# A title in the quotes of any language.
_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab\u300c\u300e\u300a\u2018](?P<title>[^\"\u201c-\u201e\u00ab\u00bb\u300a-\u300f\n]{3,100})"
    r"[\"\u201d\u201c\u00bb\u300d\u300f\u300b\u2019]"
)
# A word for episodes, in any language.
_EPISODE = Finder(
    rf"(?<!\w)(?:{alternatives('number', 'episodes')}|{alternatives('announce', 'episodes')}|podcast)"
    r"(?![a-z\u0430-\u044f])",
    ("podcast", *phrases("number", "episodes"), *phrases("announce", "episodes")),
)
_OF_EPISODE = re.compile(r"(?:e|ep|episode)?-?0*([1-9]\d{0,3})", re.ASCII)  # a part of an address: "12", "ep012"
_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|md|mp3|m4a|ogg|opus)\Z", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_NEAR = 40  # characters between a title in quotes and such a word
_NUMBERED_SHARE = 0.6  # of the episodes have a number
_LONGEST_TITLE = 200  # characters
_TELLING_WORDS, _TELLING_LETTERS = 4, 8  # of a title that names an episode and no other thing
_AHEAD = 20  # characters before "listen to", which may put this episode first
_REACH = 120  # characters behind the words that announce
_LONGEST = 10  # words in a title
_WORD = re.compile(r"[\w.+#']*\w[+#]*")  # with the marks of "C++", "don't", "v1.2"
_END = re.compile(r"[!?\n;]|\.\s|\w{1,12}://|www\.")
_LIKELY = 0.9


def find_named_episodes(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the titles of other episodes of the feed in the notes, where the words before them announce episodes.

    Yields a ``Mention`` of method ``crosslink`` (``see_also`` or ``listen_first``) for each; the longest title counts.
    """
    if not corpus.titles:
        return
    seen: set[int] = set()
    for cue, start, end in _find_titles(episode.notes, corpus):
        quote = episode.notes[start:end]
        numbered = _NUMBERED.search(quote) or _NUMBER_FIRST.search(quote)
        target = corpus.titles.get(_folded(quote)) or corpus.titles[f"#{numbered['number']}" if numbered else ""]
        if target == episode.id or start in seen:
            continue
        seen.add(start)
        ref = Ref(target.partition(":")[0], target, quote)
        relation = "listen_first" if _FIRST.search(episode.notes, cue, start) else "see_also"
        yield Mention(ref, "notes", start, end, quote, "crosslink", "crosslinks", _LIKELY, relation=relation)


def _find_titles(notes: str, corpus: Corpus) -> Iterator[tuple[int, int, int]]:  # noqa: C901
    """Yield the places of (the phrase that announces an episode, the start of a known title, its end)."""
    done = 0
    cues, numbers, wholes, afters, needed = _FINDERS.places(notes)
    for cue in _CUE.finditer(notes, places=cues):
        stop = _END.search(notes, cue.end(), cue.end() + _REACH)
        end = stop.start() if stop else min(cue.end() + _REACH, len(notes))
        words = list(_WORD.finditer(notes, max(cue.end(), done), end))
        place = 0
        while place < len(words):
            behind = _end_of_title(words, place, corpus.titles)
            if behind > place:
                done = words[behind - 1].end()
                yield max(0, cue.start() - _AHEAD), words[place].start(), done
            place = max(behind, place + 1)
    for quoted in _QUOTED.finditer(notes):
        near = max(0, quoted.start() - _NEAR), min(len(notes), quoted.end() + _NEAR)
        if _EPISODE.search(notes, *near) or _FIRST.search(notes, *near):
            yield from _title(notes, quoted.start() - _NEAR, *quoted.span("title"), corpus)
    first = _NUMBER_FIRST.finditer(notes) if any(map(notes.__contains__, "123456789")) else ()
    for numbered in chain(_NUMBERED.finditer(notes, places=numbers), first):
        season = notes[max(0, numbered.start() - 16) : numbered.start()]
        if f"#{numbered['number']}" in corpus.titles and not _SEASON.search(season):
            yield max(0, numbered.start() - _AHEAD), *numbered.span()
    for cue in _WHOLE.finditer(notes, places=wholes):
        yield from _title(notes, cue.start() - _AHEAD, *cue.span(cue.lastgroup or ""), corpus)
    for cue in _NEEDED.finditer(notes, places=needed):
        start, end = cue.span(cue.lastgroup or "")
        pieces = [(start, end)]
        for match in _LISTED.finditer(notes, start, end):
            pieces[-1] = (pieces[-1][0], match.start())
            pieces.append((match.end(), end))
        for piece in ((start, end), *pieces):
            yield from _title(notes, cue.start(), *piece, corpus)
    for cue in _AFTER.finditer(notes, places=afters):
        end = cue.start() - 1
        for before in _BEFORE.finditer(notes, max(end - _REACH, 0), end):
            yield from _title(notes, end - _AHEAD, before.end(), end, corpus)


def _end_of_title(words: list[re.Match[str]], place: int, titles: Container[str]) -> int:
    """Return where the longest title ends that begins with a word: the number of the word behind it; 0 for none."""
    for behind in range(min(place + _LONGEST, len(words)), place, -1):
        if " ".join(word[0].casefold() for word in words[place:behind]) in titles:
            return behind
    return 0


def _title(notes: str, cue: int, start: int, end: int, corpus: Corpus) -> Iterator[tuple[int, int, int]]:
    """Yield the place between ``start`` and ``end`` if the whole of it is a title."""
    words = list(_WORD.finditer(notes, start, end))
    if " ".join(word[0].casefold() for word in words) in corpus.titles:
        yield max(cue, 0), words[0].start(), words[-1].end()


def _folded(text: str) -> str:
    return " ".join(map(str.casefold, _WORD.findall(text)))


def known_titles(episodes: Sequence[Episode]) -> dict[str, str]:
    """Return the node id of an episode by its names, folded to words; names of several episodes are left out.

    The names are its title, the title without its number and the show's name, and ``#12`` where episodes are numbered.

    >>> from podgraph.extractors.model import Episode
    >>> known_titles([Episode("episode:p/vmap", "episode", "podcast:p", "12: vmap, an introduction", number=12)])
    {'12 vmap an introduction': 'episode:p/vmap', 'vmap an introduction': 'episode:p/vmap', '#12': 'episode:p/vmap'}
    """
    owners: dict[str, set[str]] = {}
    for episode in episodes:
        for words in (_folded(episode.title), _folded(_PREFIX.sub("", episode.title))):
            if len(words) > 2:
                owners.setdefault(words, set()).add(episode.id)
    numbers = [(episode.number or _read_number(episode.title), episode.id) for episode in episodes]
    if sum(number > 0 for number, _ in numbers) > _NUMBERED_SHARE * len(numbers):
        for number, id_ in numbers:
            owners.setdefault(f"#{number}", set()).add(id_)
    return {title: ids.pop() for title, ids in owners.items() if len(ids) == 1 and title != "#0"}


def _read_number(title: str) -> int:
    """Return the number in the prefix of a title, as in "Episode 12: …", or 0."""
    prefix = _PREFIX.match(title)
    found = _DIGITS.findall(prefix[0]) if prefix else []
    return int(found[-1]) if found else 0


@lru_cache(maxsize=1)
def _copies() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the hosts of copies, and the ends of such hosts."""
    hosts = phrases("hosts", "episodes")
    return hosts, tuple(sorted(host for host in hosts if host.startswith(".")))


def known_slugs(episodes: Sequence[Episode]) -> dict[str, str]:
    """Return the slug of each title by item id, and the item id by each slug that a single item has.

    >>> from podgraph.extractors.model import Episode
    >>> known_slugs([Episode("episode:p/vmap", "episode", "podcast:p", "12: What's vmap?", number=12)])
    {'episode:p/vmap': 'whats-vmap', 'whats-vmap': 'episode:p/vmap'}
    """
    slugs = {episode.id: slugify(_PREFIX.sub("", episode.title)) for episode in episodes}
    owners: dict[str, list[str]] = {}
    for id_, slug in slugs.items():
        owners.setdefault(slug, []).append(id_)
    return slugs | {slug: ids[0] for slug, ids in owners.items() if slug and len(ids) == 1}


def own_page(url: str, corpus: Corpus) -> str:
    """Return the id of the episode whose number, title or both are in an address of the show itself; "" without one.

    A number alone is too little, and so is one word; other parts round the title (``lup-73``) do not count.
    """
    parts = split_url(with_scheme(url)) if any(map(url.__contains__, corpus.hosts)) else None
    if parts is None or not parts.segments or parts.host not in corpus.hosts:
        return ""
    last = slugify(_SUFFIX.sub("", unescape(parts.segments[-1]).replace("_", "-"))).split("-")
    numbers = [match[1] for part in (*parts.segments, *last) if (match := _OF_EPISODE.fullmatch(part.lower()))]
    for start, end in ((0, None), (1, None), (0, -1), (0, -2), (1, -1), (2, None)):
        if target := corpus.slugs.get("-".join(last[start:end])):
            same = any(corpus.titles.get(f"#{number}") == target for number in numbers)
            return target if same or len(last[start:end]) > 1 else ""
    for number in numbers:
        target = corpus.titles.get(f"#{number}", "")
        words = corpus.slugs.get(target, "").split("-")
        if target and 2 * sum(word in last for word in words) > len(words):
            return target
    return ""


def own_episode(link: Link, words: str, ref: Ref, corpus: Corpus) -> str:
    """Return the id of the episode that a link leads to by its words, which are its exact title, or by its address.

    The title is enough where the page is the show's, a copy at a host of podcasts or videos, or, if it is long, on any
    page that is not a work of its own; a short one may be the name of the page's subject.
    """
    if len(words) >= _LONGEST_TITLE:
        return ""
    title = _folded(words)
    target = corpus.titles.get(title, "")
    if not target and _DIGITS.search(words) and (prefix := _PREFIX.match(words)):
        target = corpus.titles.get(_folded(words[prefix.end() :]), "")
    if target:
        host = host_of(link.url)
        exact, within = _copies()
        copied = host in exact or host.endswith(within)
        plain = ref.kind in {"web", "blog", "video"}
        named = title.count(" ") >= _TELLING_WORDS - 1 or (not title.isascii() and len(title) >= _TELLING_LETTERS)
        return target if copied or host in corpus.hosts or (plain and named) else ""
    return ""
