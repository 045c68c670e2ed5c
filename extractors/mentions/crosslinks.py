"""References to other episodes: by their titles or numbers in the notes, and by links to their pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..languages.phrase_finder import PhraseFinder
from ..languages.trigger_phrases import phrases
from ..model import Mention
from ..ref import Ref
from ..slugs import slugify
from ..url import split_url, unescape, with_scheme
from .corpus import find_owners
from .patterns import read_patterns, skip_overlaps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..model import Episode
    from .corpus import Corpus

_PATTERNS = read_patterns("episodes")
_ANNOUNCED = PhraseFinder(
    _PATTERNS["announced"].pattern,
    frozenset().union(*(phrases(table, "episodes") for table in ("announce in English", "announce", "needed"))),
)
_NUMBERED = PhraseFinder(_PATTERNS["number behind"].pattern, phrases("number", "episodes"))
# Hosts of podcasts and videos, whose pages may be copies of episodes: ".youtube.com", as the end of ".www.youtube.com".
_COPIES = tuple(f".{host.removeprefix('.')}" for host in phrases("hosts", "episodes"))
_ANNOUNCED_REACH = 120  # characters behind the words that announce a title
_MAXIMUM_TITLE = 10  # words


def find_named_episodes(episode: Episode, corpus: Corpus) -> Iterable[Mention]:
    """Find the titles and numbers of other episodes of the feed in the notes, where the words announce episodes.

    Returns a ``Mention`` of method ``crosslink`` for each; the longest title counts.
    """
    return skip_overlaps(_find_titles(episode.notes, corpus.titles)) if corpus.titles else ()


def _find_titles(notes: str, titles: Mapping[str, str]) -> Iterator[Mention]:
    """Yield each announced title or number of an episode; ``titles`` is as of ``list_titles``."""

    def make_mention(start: int, end: int, target: str) -> Mention:
        ref = Ref(target.partition(":")[0], target, notes[start:end])
        return Mention(ref, "notes", start, end, ref.label, "crosslink", "crosslinks", 0.9, relation="see_also")

    for trigger in _ANNOUNCED.find(notes):
        reach = trigger.end() + _ANNOUNCED_REACH
        stop = _PATTERNS["end"].search(notes, trigger.end(), reach)
        words = [*_PATTERNS["word"].finditer(notes, trigger.end(), stop.start() if stop else reach)]
        for number, first in enumerate(words):
            for last in words[number : number + _MAXIMUM_TITLE]:
                if target := titles.get(_to_key(notes[first.start() : last.end()])):
                    yield make_mention(first.start(), last.end(), target)
    for match in (*_NUMBERED.find(notes), *_PATTERNS["number before"].finditer(notes)):
        if target := titles.get(f"#{match['number']}"):
            yield make_mention(*match.span(), target)


def choose_relation(notes: str, start: int, end: int) -> str:
    """Return ``listen_first`` if the words round ``notes[start:end]``, or the heading over it, want it heard first."""
    line_start = notes.rfind("\n", 0, start) + 1
    sentence = _PATTERNS["between sentences"].split(notes[max(line_start, start - 200) : start])[-1]
    heading = notes[max(0, line_start - 200) : line_start].rstrip().rpartition("\n")[2]
    behind = notes[end : end + 60].partition("\n")[0]
    is_first = _PATTERNS["first"].search(f"{heading}\n{sentence}" if heading.endswith(":") else sentence)
    is_first = is_first or _PATTERNS["first behind"].match(behind)
    return "listen_first" if is_first and not _PATTERNS["after"].search(sentence) else "see_also"


def _to_key(title: str) -> str:
    """Return the words of a title in small letters; a single word keeps its capitals, as "modules" is no title."""
    words = _PATTERNS["word"].findall(title)
    return " ".join(words).casefold() if len(words) > 1 else "".join(words)


def list_titles(episodes: Sequence[Episode]) -> dict[str, str]:
    """Return the node id of an episode by its names; names of several episodes are left out.

    The names are its title, the title without its number and the show's name, both folded to words, the slug of the
    latter behind a slash, and ``#12`` where episodes are numbered.

    >>> from podgraph.extractors.model import Episode
    >>> [*list_titles([Episode("episode:p/vmap", "episode", "podcast:p", "12: What's vmap?", number=12)])]
    ["12 what's vmap", "what's vmap", '/whats-vmap', '#12']
    """
    names: list[tuple[str, str]] = []
    numbers: list[tuple[str, str]] = []
    for episode in episodes:
        prefix = _PATTERNS["prefix"].match(episode.title)
        title = episode.title[prefix.end() :] if prefix else episode.title
        names += [(name, episode.id) for name in (_to_key(episode.title), _to_key(title), f"/{slugify(title)}")]
        if number := episode.number or int(_PATTERNS["digits"].findall(prefix[0])[-1] if prefix else 0):
            numbers.append((f"#{number}", episode.id))
    owners = find_owners(names + (numbers if len(numbers) > 0.6 * len(episodes) else []))
    return {name: id_ for name, id_ in owners.items() if len(name) > 2 or name[:1] == "#"}


def link_episodes(episode: Episode, mentions: Iterable[Mention], corpus: Corpus) -> Iterator[Mention]:
    """Yield mentions, those of the page of an episode or post as mentions of that episode or post.

    Those of an episode get the method ``crosslink``, and ``listen_first`` or ``see_also`` by the words round them.
    A mention of the episode that contains it is dropped, and speech is left as it is.
    """
    for mention in mentions:
        target = "" if mention.method == "transcript" else find_own_episode(mention, corpus)
        kind = target.partition(":")[0]
        linked = replace(mention, ref=Ref(kind, target, mention.ref.label, mention.ref.url)) if target else mention
        if kind == "episode":
            notes = episode.notes if mention.field == "notes" else ""
            relation = choose_relation(notes, mention.start, mention.end)
            linked = replace(linked, relation=relation, method="crosslink", extractor="crosslinks")
        if target != episode.id:
            yield linked


def find_own_episode(mention: Mention, corpus: Corpus) -> str:
    """Return the id of the episode or post that a mention leads to, "" without one.

    It is known by its page; by an address of the show with its title, of two words or more; or by the words of the
    link, which are its exact title. These are enough where the page is the show's, a copy at a host of podcasts or
    videos, or, if the title is long, on any page that is not a work of its own; a short one may be the name of the
    page's subject. In an address, a number before the title and two words behind it (``-lup-73``) do not count.
    """
    parts = split_url(with_scheme(mention.url)) if mention.url and mention.ref.kind != "person" else None
    if mention.ref.id in corpus.pages or not parts or not corpus.titles:
        return corpus.pages.get(mention.ref.id, "")
    is_ours = parts.host in corpus.hosts
    if is_ours and parts.segments:
        slug = slugify(_PATTERNS["suffix"].sub("", unescape(parts.segments[-1]).replace("_", "-")))
        for name in (slug, _PATTERNS["number in address"].sub("", slug), slug.rpartition("-")[0].rpartition("-")[0]):
            if "-" in name and (target := corpus.titles.get(f"/{name}")):
                return target
    words = mention.quote[:200] if mention.method == "href" and "://" not in mention.quote else ""
    title, title_behind_prefix = _to_key(words), _to_key(_PATTERNS["prefix"].sub("", words))
    target = corpus.titles.get(title) or corpus.titles.get(title_behind_prefix, "")
    is_long = title.count(" ") > 2 or (not title.isascii() and len(title) > 7)
    is_copy = is_ours or f".{parts.host}".endswith(_COPIES)
    return target if words and (is_copy or (is_long and mention.ref.kind in {"web", "blog", "video"})) else ""
