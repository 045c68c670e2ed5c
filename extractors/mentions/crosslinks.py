"""References to other episodes: by their titles or numbers in the notes, and by links to their pages."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from ..languages.phrase_finder import PhraseFinder
from ..languages.trigger_phrases import phrases
from ..model import Mention
from ..ref import Ref
from ..slugs import slugify
from ..url import host_of, split_url, unescape, with_scheme
from .patterns import read_patterns

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Link
    from .corpus import Corpus, Extraction

_PATTERNS = read_patterns("episodes")
_ANNOUNCED = PhraseFinder(
    _PATTERNS["announced"].pattern,
    frozenset().union(*(phrases(table, "episodes") for table in ("announce in English", "announce", "needed"))),
)
_NUMBERED = PhraseFinder(_PATTERNS["number behind"].pattern, phrases("number", "episodes"))
_COPIES = tuple(f".{host.removeprefix('.')}" for host in phrases("hosts", "episodes"))
_NEAR, _REACH = 40, 120  # characters round a title in quotes, and behind the words that announce one


def find_named_episodes(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the titles and numbers of other episodes of the feed in the notes, where the words announce episodes.

    Yields a ``Mention`` of method ``crosslink`` (``see_also`` or ``listen_first``) for each; the longest title counts.
    """
    notes = episode.notes
    places: dict[int, tuple[int, str]] = {}
    for start, end, target in _find_titles(notes, corpus.titles) if corpus.titles else ():
        if target != episode.id:
            places.setdefault(start, (end, target))
    for start, (end, target) in places.items():
        ref = Ref(target.partition(":")[0], target, notes[start:end])
        relation = choose_relation(notes, start, end)
        yield Mention(ref, "notes", start, end, notes[start:end], "crosslink", "crosslinks", 0.9, relation=relation)


def _find_titles(notes: str, titles: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """Yield the place and the episode's id of each announced title or number."""
    done = 0
    for trigger in _ANNOUNCED.find(notes):
        for place in _find_behind(notes, trigger, max(trigger.end(), done), titles):
            done = place[1]
            yield place
    for quote in _PATTERNS["in quotes"].finditer(notes):
        target = titles.get(_fold(quote["title"]))
        if target and _PATTERNS["episode"].search(notes, max(0, quote.start() - _NEAR), quote.end() + _NEAR):
            yield *quote.span("title"), target
    for match in (*_NUMBERED.find(notes), *_PATTERNS["number before"].finditer(notes)):
        if target := titles.get(f"#{match['number']}"):
            yield *match.span(), target


def _find_behind(
    notes: str, trigger: re.Match[str], start: int, titles: Mapping[str, str]
) -> Iterator[tuple[int, int, str]]:
    """Yield the titles in the sentence behind words that announce episodes, the longest at each place."""
    stop = _PATTERNS["end"].search(notes, trigger.end(), trigger.end() + _REACH)
    words = [*_PATTERNS["word"].finditer(notes, start, stop.start() if stop else trigger.end() + _REACH)]
    at = 0
    while at < len(words):
        for behind in range(min(at + 10, len(words)), at, -1):
            if target := titles.get(" ".join(word[0].casefold() for word in words[at:behind])):
                yield words[at].start(), words[behind - 1].end(), target
                at = behind - 1
                break
        at += 1


def choose_relation(notes: str, start: int, end: int) -> str:
    """Return ``listen_first`` if the words round ``notes[start:end]``, or the heading over it, want it heard first."""
    line_start = notes.rfind("\n", 0, start) + 1
    sentence = _PATTERNS["between sentences"].split(notes[max(line_start, start - 200) : start])[-1]
    above = notes[max(0, line_start - 200) : line_start].rstrip().rpartition("\n")[2]
    is_first = _PATTERNS["first"].search(sentence) or _PATTERNS["first behind"].match(
        notes[end : end + 60].partition("\n")[0]
    )
    is_headed = above.endswith(":") and _PATTERNS["first"].search(above)
    return "listen_first" if (is_first or is_headed) and not _PATTERNS["after"].search(sentence) else "see_also"


def _fold(text: str) -> str:
    return " ".join(map(str.casefold, _PATTERNS["word"].findall(text)))


def list_titles(episodes: Sequence[Episode]) -> dict[str, str]:
    """Return the node id of an episode by its names, folded to words; names of several episodes are left out.

    The names are its title, the title without its number and the show's name, and ``#12`` where episodes are numbered.

    >>> from podgraph.extractors.model import Episode
    >>> list_titles([Episode("episode:p/vmap", "episode", "podcast:p", "12: vmap, an introduction", number=12)])
    {'12 vmap an introduction': 'episode:p/vmap', 'vmap an introduction': 'episode:p/vmap', '#12': 'episode:p/vmap'}
    """
    owners: dict[str, set[str]] = defaultdict(set)
    numbers: dict[str, int] = {}
    for episode in episodes:
        prefix = _PATTERNS["prefix"].match(episode.title)
        for words in (_fold(episode.title), _fold(_PATTERNS["prefix"].sub("", episode.title))):
            if len(words) > 2:
                owners[words].add(episode.id)
        if number := episode.number or int(_PATTERNS["digits"].findall(prefix[0])[-1] if prefix else 0):
            numbers[episode.id] = number
    if len(numbers) > 0.6 * len(episodes):
        for id_, number in numbers.items():
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
        owners[slugify(_PATTERNS["prefix"].sub("", episode.title))].append(episode.id)
    return {slug: ids[0] for slug, ids in owners.items() if slug and len(ids) == 1}


def find_own_page(url: str, corpus: Corpus) -> str:
    """Return the id of the episode whose title, of two words or more, is in an address of the show; "" without one.

    A number before the title and two words behind it (``-lup-73``) do not count.
    """
    parts = split_url(with_scheme(url)) if any(map(url.__contains__, corpus.hosts)) else None
    if parts is None or not parts.segments or parts.host not in corpus.hosts:
        return ""
    slug = slugify(_PATTERNS["suffix"].sub("", unescape(parts.segments[-1]).replace("_", "-")))
    names = (slug, _PATTERNS["number in address"].sub("", slug), slug.rpartition("-")[0].rpartition("-")[0])
    return next((corpus.slugs[name] for name in names if "-" in name and name in corpus.slugs), "")


def find_own_episode(link: Link, words: str, ref: Ref, corpus: Corpus) -> str:
    """Return the id of the episode that a link leads to by its words, which are its exact title, "" without one.

    The title is enough where the page is the show's, a copy at a host of podcasts or videos, or, if it is long, on any
    page that is not a work of its own; a short one may be the name of the page's subject.
    """
    title = _fold(words[:200])
    target = corpus.titles.get(title) or corpus.titles.get(_fold(_PATTERNS["prefix"].sub("", words[:200])), "")
    host = host_of(link.url) if target else ""
    is_long = title.count(" ") > 2 or (not title.isascii() and len(title) > 7)
    is_ours = host in corpus.hosts or f".{host}".endswith(_COPIES)
    return target if is_ours or (is_long and ref.kind in {"web", "blog", "video"}) else ""


def link_episodes(result: Extraction, pages: Mapping[str, str]) -> Extraction:
    """Turn mentions of an episode's or post's own page into mentions of that episode or post.

    A link to a page in ``pages`` gets that node as its reference and, for an episode, method ``crosslink`` and
    relation ``listen_first`` or ``see_also`` by the words round it; a link to the episode that contains it is dropped.
    """
    mentions = []
    for mention in result.mentions:
        target = pages.get(mention.ref.id) if mention.method != "transcript" else None
        if target == result.episode.id:
            continue
        if target:
            kind = target.partition(":")[0]
            mention = replace(mention, ref=Ref(kind, target, mention.ref.label, mention.ref.url))  # noqa: PLW2901
            if kind == "episode":
                notes = result.episode.notes if mention.field == "notes" else ""
                relation = choose_relation(notes, mention.start, mention.end)
                mention = replace(mention, relation=relation, method="crosslink", extractor="crosslinks")  # noqa: PLW2901
        mentions.append(mention)
    return replace(result, mentions=tuple(mentions))
