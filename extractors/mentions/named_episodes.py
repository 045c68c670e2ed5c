"""Other episodes that the notes name by their titles ("related episodes on X and Y"), numbers, or links."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from ..languages.phrase_finder import PhraseFinder
from ..languages.trigger_phrases import alternatives, phrases
from ..model import Mention
from ..ref import Ref
from ..slugs import slugify
from ..url import host_of, split_url, unescape, with_scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Link
    from .corpus import Corpus

_ANNOUNCE, _NEED = alternatives("announce", "episodes"), alternatives("needed", "episodes")
_NUMBER, _AFTER_NUMBER = alternatives("number", "episodes"), alternatives("number first", "episodes")
_OTHER = "related|previous|earlier|other|past|prior|another|separate|last"
_ENGLISH = (
    rf"\b(?:{_OTHER}|see also (?:the|my|our))\b[^.!?\n]{{0,30}}\b(?:episode|podcast|post)s?\b"
    r"|\b(?:episode|podcast|post)s (?:on|about|called|titled)\b"
)
_SIGN = r"\s?(?:no\.?\s?|nr\.?\s?|n[\u00b0\u00ba]\s?|#|\u2116\s?)?"
_NONE = r"[A-Za-z0-9_%]|[.,:]\d|\s(?:of|von|de|del|da|min|hours?|minutes?|people)\b"  # behind one
_FINDER = PhraseFinder(
    # Words that announce other episodes. Without them a title such as "Shared memory" is only a subject of the notes.
    cue=(
        rf"{_ENGLISH}|(?<!\w)(?:{_ANNOUNCE})(?![a-z\u0430-\u044f])",
        (*_OTHER.split("|"), "see also", "episodes", "podcasts", "posts", *phrases("announce", "episodes")),
    ),
    # "episode 12", "Folge #12".
    numbered=(rf"(?<!\w)(?:{_NUMBER}){_SIGN}(?P<number>[1-9]\d{{0,4}})(?!{_NONE})", phrases("number", "episodes")),
    # Whole titles: "see also X", "Prerequisite: X".
    whole=(
        rf"(?:\bsee also|(?<!\w)(?:{_NEED}))[:\uff1a]?\s+(?P<title>[^.!?;()\n]{{2,160}})",
        ("see also", *phrases("needed", "episodes")),
    ),
    after=(r"(?<=\s)(?:episode|podcast)\b", ("episode", "podcast")),  # behind a title: "the vmap episode"
)
# "12-м выпуске", "12. Folge": the number before the word. A search leaps from digit to digit.
_NUMBER_FIRST = re.compile(
    r"(?P<number>[1-9](?<![\w.,:#/-].)\d{0,4})(?:-?(?:\u043c|\u0439|\u0433\u043e|\u043e\u043c)|\.|[\u00aa\u00ba])?"
    rf"[ \u00a0]?(?:{_AFTER_NUMBER})(?![a-z\u0430-\u044f])",
    re.IGNORECASE,
)
_SEASON = re.compile(r"(?:season|staffel|saison|temporada|stagione|\bs)\W{0,2}\d+\W{0,3}\Z", re.IGNORECASE)
# Prefixes of a title: "Episode 12:", "#12 -", "The Kiln 12:", "ep12 ".
_PREFIX = re.compile(
    r"\A[^:|\u2013\u2014]{0,40}?#?\d{1,4}\s?(?:[:|.\u2013\u2014-]|\s-)\s?(?=\S)|\A(?:#|ep\.?\s?)\d{1,4}\s",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\b(?:the|our|my|that)\s+", re.IGNORECASE)  # "the vmap episode"
# The other episode is wanted first.
_FIRST = re.compile(rf"(?<!\w)(?:first|before this|{_NEED}|{alternatives('first', 'episodes')})(?!\w)", re.IGNORECASE)
# A title in the quotes of any language, near a word for episodes.
_QUOTED = re.compile(
    r"[\"\u201c\u201e\u00ab\u300c\u300e\u300a\u2018](?P<title>[^\"\u201c-\u201e\u00ab\u00bb\u300a-\u300f\n]{3,100})"
    r"[\"\u201d\u201c\u00bb\u300d\u300f\u300b\u2019]"
)
_EPISODE = re.compile(
    rf"(?<!\w)(?:{_NUMBER}|{_ANNOUNCE}|podcasts?|posts?|listen(?:ed|ing)? to)(?![a-z\u0430-\u044f])", re.IGNORECASE
)
_OF_EPISODE = re.compile(r"(?:e|ep|episode)?-?0*([1-9]\d{0,3})", re.ASCII)  # a part of an address: "12", "ep012"
_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|md|mp3|m4a|ogg|opus)\Z", re.IGNORECASE)
_WORD = re.compile(r"[\w.+#']*\w[+#]*")  # with the marks of "C++", "don't", "v1.2"
_DIGITS = re.compile(r"\d+")
_END = re.compile(r"[!?\n;]|\.\s|\w{1,12}://|www\.")
_COPIES = tuple(f".{host.removeprefix('.')}" for host in phrases("hosts", "episodes"))
_NEAR = 40  # characters between a title in quotes and such a word
_AHEAD, _REACH = 20, 120  # characters before and behind the words that announce
_LONGEST = 10  # words in a title


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
        yield Mention(ref, "notes", start, end, quote, "crosslink", "crosslinks", 0.9, relation=relation)


def _find_titles(notes: str, corpus: Corpus) -> Iterator[tuple[int, int, int, str]]:
    """Yield (where the words that announce begin, start of a title, its end, the episode's id)."""
    cues = _FINDER.find(notes)
    done = 0
    for cue in cues["cue"]:
        for title in _find_behind(notes, cue, max(cue.end(), done), corpus):
            done = title[1]
            yield cue.start() - _AHEAD, *title
    for cue_start, start, end in _find_spans(notes, cues):
        if target := corpus.titles.get(_fold(notes[start:end])):
            yield cue_start, start, end, target
    for match in (*cues["numbered"], *_NUMBER_FIRST.finditer(notes)):
        target = corpus.titles.get(f"#{match['number']}", "")
        if target and not _SEASON.search(notes[max(0, match.start() - 16) : match.start()]):
            yield match.start() - _AHEAD, *match.span(), target


def _find_behind(notes: str, cue: re.Match[str], start: int, corpus: Corpus) -> Iterator[tuple[int, int, str]]:
    """Yield the titles in the sentence behind words that announce episodes, the longest at each place."""
    stop = _END.search(notes, cue.end(), cue.end() + _REACH)
    words = list(_WORD.finditer(notes, start, stop.start() if stop else cue.end() + _REACH))
    place = 0
    while place < len(words):
        for behind in range(min(place + _LONGEST, len(words)), place, -1):
            if target := corpus.titles.get(" ".join(word[0].casefold() for word in words[place:behind])):
                yield words[place].start(), words[behind - 1].end(), target
                place = behind - 1
                break
        place += 1


def _find_spans(notes: str, cues: Mapping[str, Iterable[re.Match[str]]]) -> Iterator[tuple[int, int, int]]:
    """Yield the places that may have a whole title, with the start of the words that announce it."""
    for quoted in _QUOTED.finditer(notes):
        near = notes[max(0, quoted.start() - _NEAR) : quoted.end() + _NEAR]
        if _EPISODE.search(near) or _FIRST.search(near):
            yield quoted.start() - _NEAR, *quoted.span("title")
    for cue in cues["whole"]:
        yield cue.start(), *cue.span("title")
    for cue in cues["after"]:
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
    owners: dict[str, set[str]] = defaultdict(set)
    numbers: list[tuple[int, str]] = []
    for episode in episodes:
        prefix = _PREFIX.match(episode.title)
        for words in (_fold(episode.title), _fold(_PREFIX.sub("", episode.title))):
            if len(words) > 2:
                owners[words].add(episode.id)
        if number := episode.number or int(_DIGITS.findall(prefix[0])[-1] if prefix else 0):
            numbers.append((number, episode.id))
    if len(numbers) > 0.6 * len(episodes):
        for number, id_ in numbers:
            owners[f"#{number}"].add(id_)
    return {title: ids.pop() for title, ids in owners.items() if len(ids) == 1}


def list_slugs(episodes: Iterable[Episode]) -> dict[str, str]:
    """Return the id of an item by the slug of its title without its number; slugs of several items are left out.

    >>> from podgraph.extractors.model import Episode
    >>> list_slugs([Episode("episode:p/vmap", "episode", "podcast:p", "12: What's vmap?", number=12)])
    {'whats-vmap': 'episode:p/vmap'}
    """
    owners: dict[str, list[str]] = defaultdict(list)
    for episode in episodes:
        owners[slugify(_PREFIX.sub("", episode.title))].append(episode.id)
    return {slug: ids[0] for slug, ids in owners.items() if slug and len(ids) == 1}


def find_own_page(url: str, corpus: Corpus) -> str:
    """Return the id of the episode whose title is in an address of the show itself; "" without one.

    A title of one word needs the episode's number, too; other parts round the title (``lup-73``) do not count.
    """
    parts = split_url(with_scheme(url)) if any(map(url.__contains__, corpus.hosts)) else None
    if parts is None or not parts.segments or parts.host not in corpus.hosts:
        return ""
    last = slugify(_SUFFIX.sub("", unescape(parts.segments[-1]).replace("_", "-"))).split("-")
    numbers = [match[1] for part in (*parts.segments, *last) if (match := _OF_EPISODE.fullmatch(part.lower()))]
    for start, end in ((0, None), (1, None), (0, -1), (0, -2), (1, -1), (2, None)):
        if target := corpus.slugs.get("-".join(last[start:end])):
            is_certain = len(last[start:end]) > 1 or target in {corpus.titles.get(f"#{number}") for number in numbers}
            return target if is_certain else ""
    return ""


def find_own_episode(link: Link, words: str, ref: Ref, corpus: Corpus) -> str:
    """Return the id of the episode that a link leads to by its words, which are its exact title, "" without one.

    The title is enough where the page is the show's, a copy at a host of podcasts or videos, or, if it is long, on any
    page that is not a work of its own; a short one may be the name of the page's subject.
    """
    title = _fold(words[:200])
    target = corpus.titles.get(title) or corpus.titles.get(_fold(_PREFIX.sub("", words[:200])), "")
    host = host_of(link.url) if target else ""
    is_long = title.count(" ") > 2 or (not title.isascii() and len(title) > 7)
    is_ours = host in corpus.hosts or f".{host}".endswith(_COPIES)
    return target if is_ours or (is_long and ref.kind in {"web", "blog", "video"}) else ""
