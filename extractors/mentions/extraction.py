"""From episodes to mentions: every step of extraction in one place, in the order of reading, and the loop over them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..feeds.parse import parse_feed
from ..languages.language import language_of
from ..notes.show_words import ShowWords, show_words
from ..plugin_extractors import run_extractor
from ..processes import in_processes
from ..sample import SNAPSHOT_PODCAST
from ..sample.facts import list_snapshot_mentions
from ..subjects.registry import known_subjects
from ..subjects.vocabulary import joined_vocabulary
from ..transcripts.cues import Cue, Transcript
from .corpus import Corpus, Extraction, find_own_hosts, find_owners, list_own_pages
from .crosslinks import find_named_episodes, link_episodes, list_titles
from .derived_topics import derive_topics
from .moments import add_moments
from .people import add_roles, find_people, find_show_people, join_people, list_hosts, list_roles
from .references import find_references, find_shown_rfcs
from .speech import SpokenReferences, find_spoken
from .symbols.finding import find_symbols
from .topics import find_topics
from .urls import find_urls, list_truncated_links

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..model import Feed
    from ..plugin_extractors import Extractors
    from ..processes import Share
    from ..sources.sources import Source
    from ..subjects.subject import Subject
    from ..subjects.vocabulary import Vocabulary
    from .corpus import KnownPeople
    from .people import ShowPeople

# The extractors of an item, in the order of reading: the meaning of a URL precedes the words round it.
EXTRACTORS: Extractors = (
    ("urls", find_urls),
    ("references", find_references),
    ("people", find_people),
    ("symbols", find_symbols),
    ("topics", find_topics),
    ("crosslinks", find_named_episodes),
)


class Hints(NamedTuple):
    """The facts of one feed that the extraction of all feeds needs.

    ``pages`` are (id of a page, node id of its item), ``about`` the subjects that the feed is about.
    """

    pages: list[tuple[str, str]]
    people: ShowPeople
    about: tuple[Subject, ...]


def extract(
    feeds: Sequence[Feed],
    extractors: Extractors = EXTRACTORS,
    *,
    repo: str = "",
    vocabulary: Vocabulary | None = None,
    subjects: tuple[Subject, ...] = (),
    transcripts: Mapping[str, Transcript] | None = None,
    hints: Sequence[Hints] = (),
    share: Share = in_processes,
) -> list[Extraction]:
    """Find all mentions in the episodes and posts of ``feeds``.

    ``repo`` (``owner/name``) is the repository of a bare ``#N``; without it, each feed's own default. ``vocabulary``
    holds the topics to look for (default: those of the subjects, each in the items about it). A feed without a
    vocabulary gets topics from its own words. ``subjects`` are those to use (default: all installed ones).
    ``transcripts`` are those of episodes, by id. ``hints`` are the
    results of ``map_feed`` (default: they are computed here); ``share`` distributes the work over feeds. Returns one
    ``Extraction`` for each item, in the order of the feeds, however the work is distributed.
    """
    subjects = subjects or known_subjects()
    hints = hints or [*share(hints_of, [feeds], subjects)]
    subjects_of_feeds = [subject for subject in subjects if any(subject in hint.about for hint in hints)]
    people = join_people([hint.people for hint in hints], subjects_of_feeds)
    pages = find_owners(pair for hint in hints for pair in hint.pages)
    parts = (vocabulary or joined_vocabulary(subjects)).parts
    corpus = Corpus(pages, repo, dict.fromkeys(parts, False), subjects=subjects)
    results: list[Extraction] = []
    with closing(share(_read_feed, [feeds, people], corpus, extractors, transcripts or {})) as results_of:
        for feed, of_items in zip(feeds, results_of, strict=True):
            results += (Extraction(item, *fields) for item, fields in zip(feed.episodes, of_items, strict=True))
    return results


def add_snapshot_facts(feeds: Sequence[Feed], extractions: Sequence[Extraction]) -> list[Extraction]:
    """Return the extractions with the facts of the built-in snapshot for the episodes of its show that they lack.

    Feeds of other shows stay unchanged. The snapshot itself gets the references from transcripts only, because its
    other facts are in its own notes.
    """
    sources = {feed.source for feed in feeds if feed.id == SNAPSHOT_PODCAST}
    mentions = list_snapshot_mentions(only_references="sample" in sources) if sources else {}
    results = []
    for result in extractions:
        ids = {mention.ref.id for mention in result.mentions} | {result.episode.id}
        additions = [mention for mention in mentions.get(result.episode.id, ()) if mention.ref.id not in ids]
        results.append(replace(result, mentions=(*result.mentions, *additions)))
    return results


def map_feed(
    source: Source, as_kind: str, subjects: Sequence[Subject], private: bool | None = None
) -> tuple[Feed, Hints]:
    """Return the feed of a source, and its hints; options are as ``parse_feed`` has them. Raises ``FeedError``."""
    private = True if private is None and source.login else private
    feed = parse_feed(
        source.data, source=source.source, url=source.url, content_type=source.content_type, as_kind=as_kind,
        requested_url=source.requested_url, private=private, pages=source.pages,
    )  # fmt: skip
    code = language_of(feed.language, (f"{item.title} {item.notes}" for item in feed.episodes)).code
    if feed.language and not feed.language.lower().startswith(code):
        line = f"the feed declares the language {feed.language!r}, but its notes are in {code!r}; they are read as such"
        feed = replace(feed, warnings=(*feed.warnings, line))
    return feed, hints_of(feed, subjects)


def hints_of(feed: Feed, subjects: Sequence[Subject]) -> Hints:
    """Return the facts of one feed that the extraction of all feeds needs."""
    about = tuple(subject for subject in subjects if _is_feed_about(feed, subject))
    return Hints(list_own_pages(feed), find_show_people(feed), about)


def _is_feed_about(feed: Feed, subject: Subject) -> bool:
    """Return whether a feed's title, description or repository is about a subject."""
    return subject.concerns(feed.title, feed.description, repo=feed.default_repo)


def _read_feed(
    feed: Feed, people: KnownPeople, corpus: Corpus, extractors: Extractors, transcripts: Mapping[str, Transcript]
) -> list[tuple[Any, ...]]:
    """Return the result for each item of a feed: the fields of an ``Extraction`` without its episode, which is large.

    ``people`` are the persons whom the feed knows, ``corpus`` has the facts that all feeds share.
    """
    show = show_words(feed)
    corpus = _add_feed(corpus, feed, show, people)
    finder = SpokenReferences(feed.episodes, feed.title, show.language, corpus.subjects[0]) if transcripts else None
    of_show = list_hosts(feed, people), show.table.find_spellings()
    results: list[tuple[Any, ...]] = []
    for episode, words in zip(feed.episodes, show.table.count_stems(2, title_weight=3), strict=True):
        places = (mention for name, find in extractors for mention in run_extractor(name, find, episode, corpus))
        mentions = [*add_roles(episode, [*add_moments(episode, places)], people)]
        transcript = transcripts.get(episode.id)
        if episode.moments and not (transcript and transcript.chapters):
            cues = tuple(Cue(moment.start, moment.title, url=moment.url) for moment in episode.moments)
            transcript = replace(transcript or Transcript("the feed"), chapters=cues)
        if transcript:
            mentions += [*find_spoken(episode, transcript, mentions, corpus)]
            mentions += finder.find(episode, transcript) if finder else ()
        linked = tuple(link_episodes(episode, mentions, corpus))
        hosts, spellings = ((), {}) if results else of_show  # these come with the first item
        asides, guests = show.asides.get(episode.id, ()), tuple(list_roles(episode, feed, people))
        results.append((linked, list_truncated_links(episode), asides, guests, hosts, words, spellings))
    return results


def _add_feed(corpus: Corpus, feed: Feed, show: ShowWords, people: KnownPeople) -> Corpus:
    """Return the facts about all feeds with those about one: ``show`` has its words, ``people`` its persons."""
    vocabularies = {part: _is_feed_about(feed, part.subject) for part in corpus.vocabularies}
    near = [part.subject for part, is_near in vocabularies.items() if is_near and part.subject.words]
    repos = [subject.repo for subject in near if subject not in corpus.subjects]  # of a user's own vocabulary
    topic_ids = {id_ for part in vocabularies for id_ in part.topics}
    return replace(
        corpus,
        default_repo=next(filter(None, (corpus.default_repo, feed.default_repo, *repos)), ""),
        vocabularies=vocabularies,
        own_topics=None if any(vocabularies.values()) else derive_topics(feed, show, people, topic_ids),
        titles=list_titles(feed.episodes),
        people=people,
        asides=show.asides,
        hosts=find_own_hosts(feed),
        rfcs=find_shown_rfcs(feed.episodes),
    )
