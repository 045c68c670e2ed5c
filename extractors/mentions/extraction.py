"""From episodes to mentions: every step of extraction in one place, in the order of reading, and the loop over them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from .. import plugins
from ..errors import PodgraphError
from ..feeds.parse import parse_feed
from ..languages.language import language_of
from ..model import Mention
from ..notes.show_words import show_words
from ..processes import in_processes
from ..ref import Ref
from ..subjects.registry import known_subjects
from ..subjects.vocabulary import joined_vocabulary
from ..transcripts.cues import Cue, Transcript
from .corpus import Corpus, Extraction, known_pages, own_hosts, own_pages
from .crosslinks import find_named_episodes, link_episodes, list_slugs, list_titles
from .derived_topics import derive_topics
from .known_people import join_people
from .moments import add_moments
from .people import add_roles, find_people
from .references import find_references, find_shown_rfcs
from .show_people import find_show_people, list_hosts, list_roles
from .speech import MOST_WORDS, SpokenReferences, find_spoken
from .symbols.finding import find_symbols
from .topics import find_topics
from .urls import find_urls, list_truncated_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..model import Episode, Feed
    from ..processes import Share
    from ..sources.sources import Source
    from ..subjects.subject import Subject, Topic
    from ..subjects.vocabulary import Vocabulary
    from .corpus import KnownPeople
    from .show_people import ShowPeople

    _Found = tuple[object, ...]  # the fields of an extraction without its episode

Extractor: TypeAlias = "Callable[[Episode, Corpus], Iterable[Mention]]"

# The extractors of an item, in the order of reading: the meaning of a URL precedes the words round it.
EXTRACTORS: tuple[tuple[str, Extractor], ...] = (
    ("urls", find_urls),
    ("references", find_references),
    ("people", find_people),
    ("symbols", find_symbols),
    ("topics", find_topics),
    ("crosslinks", find_named_episodes),
)


class Hints(NamedTuple):
    """One feed's contribution to the facts about all: pages of its items, persons, and the places of its subjects."""

    pages: list[tuple[str, tuple[str, ...]]]
    people: ShowPeople
    about: tuple[int, ...]


class _Options(NamedTuple):
    """The arguments of ``extract`` by the same names."""

    extractors: Sequence[tuple[str, Extractor]]
    repo: str
    vocabulary: Vocabulary | None
    subjects: tuple[Subject, ...]
    words: int


def extract(
    feeds: Sequence[Feed],
    extractors: Sequence[tuple[str, Extractor]] = EXTRACTORS,
    *,
    repo: str = "",
    vocabulary: Vocabulary | None = None,
    subjects: tuple[Subject, ...] = (),
    transcripts: Mapping[str, Transcript] | None = None,
    words: int = MOST_WORDS,
    hints: Sequence[Hints] = (),
    share: Share = in_processes,
) -> list[Extraction]:
    """Find all mentions in the episodes and posts of ``feeds``.

    ``repo`` (``owner/name``) is the repository of a bare ``#N``; without it, each feed's own default. ``vocabulary``
    holds the topics to look for (default: those of the subjects, each in the items about it). A feed without a
    vocabulary gets topics from its own words. ``subjects`` are those to use (default: all installed ones).
    ``transcripts`` are those of episodes, by id; a quote from one has at most ``words`` words. ``hints`` are the
    results of ``map_feed`` (default: they are computed here); ``share`` distributes the work over feeds. Returns one
    ``Extraction`` for each item, in the order of the feeds, however the work is distributed.
    """
    subjects = subjects or known_subjects()
    pages, people = _combine_hints(hints or [*share(hints_of, [feeds], subjects)], subjects)
    spoken = []
    for feed in feeds:
        ids = [item.id for item in feed.episodes if item.id in (transcripts or {})]
        spoken.append({id_: (transcripts or {})[id_] for id_ in ids})
    results: list[Extraction] = []
    options = _Options(extractors, repo, vocabulary, subjects, words)
    with closing(share(_read_feed, [feeds, people, spoken], pages, options)) as found:
        for feed, of_items in zip(feeds, found, strict=True):
            results += (Extraction(*both) for both in zip(feed.episodes, *zip(*of_items, strict=True), strict=True))
    return [link_episodes(result, pages) for result in results]


def map_feed(
    source: Source, as_kind: str, subjects: Sequence[Subject], private: bool | None = None
) -> tuple[Feed, Hints]:
    """Return the feed of a source, and its hints; options are as ``parse_feed`` has them. Raises ``FeedError``."""
    if private is None and source.login:
        private = True
    feed = parse_feed(
        source.data, source=source.source, url=source.url, content_type=source.content_type, as_kind=as_kind,
        asked=source.asked, private=private, pages=source.pages,
    )  # fmt: skip
    found = language_of(feed.language, (f"{item.title} {item.notes}" for item in feed.episodes)).code
    if feed.language and not feed.language.lower().startswith(found):
        line = (
            f"the feed declares the language {feed.language!r}, but its notes are in {found!r}; they are read as such"
        )
        feed = replace(feed, warnings=(*feed.warnings, line))
    return feed, hints_of(feed, subjects)


def hints_of(feed: Feed, subjects: Sequence[Subject]) -> Hints:
    """Return one feed's contribution to the facts about all feeds."""
    is_about = [one.concerns(feed.title, feed.description, repo=feed.default_repo) for one in subjects]
    return Hints(own_pages(feed), find_show_people(feed), tuple(place for place, near in enumerate(is_about) if near))


def _combine_hints(hints: Sequence[Hints], subjects: Sequence[Subject]) -> tuple[dict[str, str], list[KnownPeople]]:
    """Return the items of the feeds' own pages, and the persons whom each feed knows."""
    numbers = {number for of_feed in hints for number in of_feed.about}
    listed = [subject for number, subject in enumerate(subjects) if number in numbers]
    people = join_people([of_feed.people for of_feed in hints], listed)
    return known_pages(page for of_feed in hints for page in of_feed.pages), people


def _read_feed(
    feed: Feed, people: KnownPeople, spoken: Mapping[str, Transcript], pages: Mapping[str, str], options: _Options
) -> list[_Found]:
    """Return the result for each item of a feed: an ``Extraction`` without its episode, which the caller has.

    ``people`` are the persons whom the feed knows, ``spoken`` the transcripts of its items by id.
    """
    show = show_words(feed)
    vocabulary = options.vocabulary or joined_vocabulary(options.subjects)
    about = {
        part: part.subject.concerns(feed.title, feed.description, repo=feed.default_repo) for part in vocabulary.parts
    }
    repos = (part.subject.repo for part, near in about.items() if options.vocabulary and near and part.subject.words)
    corpus = Corpus(
        pages=pages,
        default_repo=options.repo or feed.default_repo or next(repos, ""),
        vocabularies=about,
        derived=None if any(about.values()) else derive_topics(feed, show, people, vocabulary.topics),
        titles=list_titles(feed.episodes),
        people=people,
        subjects=options.subjects,
        asides=show.asides,
        hosts=own_hosts(feed),
        rfcs=find_shown_rfcs(feed.episodes),
        slugs=list_slugs(feed.episodes),
    )
    roles, hosts, spellings = list_roles(feed, people), list_hosts(feed, people), show.table.spellings()
    index = SpokenReferences(feed.episodes, feed.title, show.language, options.subjects[0]) if spoken else None
    found: list[_Found] = []
    for episode, words in zip(feed.episodes, show.table.content(2, title=3), strict=True):
        mentions = _read_episode(episode, options, corpus, spoken.get(episode.id), index)
        asides = corpus.asides.get(episode.id, ())
        found.append(
            (mentions, list_truncated_links(episode), asides, roles.get(episode.id, ()), hosts, words, spellings)
        )
        hosts, spellings = (), {}  # these come with the first item
    return found


def suggest_topics(feed: Feed) -> tuple[Topic, ...]:
    """Return the topics from a feed's own words, regardless of vocabularies, the best first."""
    _, (people,) = _combine_hints([hints_of(feed, ())], ())
    return tuple(derive_topics(feed, show_words(feed), people).vocabulary.topics.values())


def _read_episode(
    episode: Episode, options: _Options, corpus: Corpus, transcript: Transcript | None, index: SpokenReferences | None
) -> tuple[Mention, ...]:
    """Return an episode's mentions; ``index`` finds references to other episodes in its transcript."""
    mentions = tuple(mention for name, find in options.extractors for mention in _run(name, find, episode, corpus))
    mentions = add_roles(episode, add_moments(episode, mentions), corpus.people)
    if episode.moments and not (transcript and transcript.chapters):
        cues = tuple(Cue(moment.start, moment.title, url=moment.url) for moment in episode.moments)
        transcript = replace(transcript or Transcript("the feed"), chapters=cues)
    if transcript is not None:
        mentions = (*mentions, *find_spoken(episode, transcript, mentions, corpus, options.words))
        if index is not None:
            mentions = (*mentions, *index.find(episode, transcript, options.words))
    return mentions


def load_extractors() -> tuple[tuple[str, Extractor], ...]:
    """Load the extractors of installed packages (entry points ``podgraph.extractors``), sorted by name.

    The command calls this, an import never does. An extractor that cannot be loaded is reported (``rule_plugins``).
    """
    return tuple((name, cast("Extractor", function)) for name, function in plugins.load_functions(plugins.EXTRACTORS))


def _run(name: str, find: Extractor, episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Yield the mentions of one extractor; other results and failures of a package's extractor are reported."""
    if getattr(find, "__module__", "").startswith(f"{__package__}."):
        yield from find(episode, corpus)
        return
    try:
        for mention in cast("Iterable[object] | None", plugins.call_in_time(find, episode, corpus)) or ():
            if problem := _find_problem(mention, episode):
                plugins.complain_of(plugins.EXTRACTORS, name, find, problem, episode.id)
            else:
                found = cast("Mention", mention)
                yield found if found.extractor else replace(found, extractor=name)
    except GeneratorExit:
        raise
    except (PodgraphError, *plugins.FAILURES) as error:
        reason = str(error) if isinstance(error, PodgraphError) else error
        plugins.complain_of(plugins.EXTRACTORS, name, find, reason, episode.id)


def _find_problem(mention: object, episode: Episode) -> str:
    """Return the fault of a mention from a package's extractor, "" for a valid one."""
    if not isinstance(mention, Mention):
        return f"gives {type(mention).__name__} and no Mention"
    ref: object = mention.ref
    if not isinstance(ref, Ref):
        return f"gives a Mention of {type(ref).__name__} and of no Ref"
    texts = (ref.kind, ref.id, ref.label, mention.field, mention.quote, mention.method, mention.relation)
    if not all(isinstance(text, str) and text for text in texts) or not ref.id.isprintable():
        return "gives a Mention with something empty that must be text"
    if not all(isinstance(place, int) for place in (mention.start, mention.end)):
        return "gives a Mention with a place that is not a number"
    text = {"notes": episode.notes, "title": episode.title}.get(mention.field)
    if text is not None and text[mention.start : mention.end] != mention.quote:
        return f"quotes {mention.quote!r}, which is not what stands there,"
    return ""
