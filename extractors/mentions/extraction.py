"""From episodes to mentions: every step of extraction in one place, in the order of reading, and the loop over them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias, cast

from .. import plugins
from ..errors import PodgraphError
from ..languages.language import language_of
from ..model import Mention
from ..processes import in_processes
from ..ref import Ref
from ..subjects.registry import known_subjects
from ..subjects.vocabulary import joined_vocabulary
from .asides import find_asides
from .corpus import Corpus, Extraction, known_pages, own_hosts
from .crosslinks import link_episodes
from .derived_topics import derive_topics
from .known_people import known_hosts, known_people, known_roles
from .moments import with_moments
from .named_episodes import find_named_episodes, known_titles
from .people import find_people
from .proposals import proposals_of
from .references import find_references, join_proposals
from .speech.finding import MOST_WORDS, find_said
from .symbols.finding import find_symbols
from .topics import find_topics, topic_ref
from .urls import find_urls, read_whole_links, truncated_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..languages.language import Language
    from ..model import Episode, Feed
    from ..subjects.subject import Subject
    from ..subjects.vocabulary import Topic, Vocabulary
    from ..transcripts.cues import Transcript
    from .asides import Aside

    Join = Callable[[Sequence[Extraction], Corpus], list[Extraction]]

Extractor: TypeAlias = "Callable[[Episode, Corpus], Iterable[Mention]]"

# What reads an item, in the order of reading: what a URL says goes before what the words round it say.
EXTRACTORS: tuple[tuple[str, Extractor], ...] = (
    ("urls", find_urls),
    ("references", find_references),
    ("people", find_people),
    ("symbols", find_symbols),
    ("topics", find_topics),
    ("crosslinks", find_named_episodes),
)
# What needs to know what was found in all items, in this order, once all are read.
JOINS: tuple[tuple[str, Join], ...] = (
    ("whole links", read_whole_links),
    ("own pages", link_episodes),
    ("proposals", join_proposals),
)


def extract(
    feeds: Sequence[Feed],
    extractors: Sequence[tuple[str, Extractor]] = EXTRACTORS,
    *,
    repo: str = "",
    vocabulary: Vocabulary | None = None,
    subjects: tuple[Subject, ...] = (),
    transcripts: Mapping[str, Transcript] | None = None,
    words: int = MOST_WORDS,
    jobs: int = 1,
) -> list[Extraction]:
    """Find everything that the episodes and posts of ``feeds`` name.

    ``repo`` (``owner/name``) is the repository that a bare ``#N`` means; without it, each feed's own default.
    ``vocabulary`` holds the topics to look for (none given: those of the subjects, each in what is about it). A feed
    that none is for gets topics from its own words. ``subjects`` are those to know (none given: all that are known).
    ``transcripts`` are those of episodes, by id; at most ``words`` words of one stand in a quote. ``jobs`` processes
    share the feeds. Returns one ``Extraction`` for each item, in the order of the feeds, whatever ``jobs``.
    """
    heard = transcripts or {}
    corpus_of = reduce_corpus(feeds, repo=repo, vocabulary=vocabulary, subjects=subjects)

    def map_extract(number: int) -> list[Extraction]:
        feed, corpus = feeds[number], corpus_of(number)
        roles = known_roles(feed, corpus.people)
        read = [
            replace(_read(episode, extractors, corpus, heard.get(episode.id), words), known=roles.get(episode.id, ()))
            for episode in feed.episodes
        ]
        if read:
            read[0] = replace(read[0], hosts=known_hosts(feed, corpus.people))
        return read

    found = in_processes(map_extract, len(feeds), jobs)
    results = [
        one if one.episode is episode else replace(one, episode=episode)  # which came from another process as a copy
        for feed, several in zip(feeds, found, strict=True)
        for episode, one in zip(feed.episodes, several, strict=True)
    ]
    return join(results, feeds, subjects)


def corpora(
    feeds: Sequence[Feed], *, repo: str, vocabulary: Vocabulary | None, subjects: tuple[Subject, ...]
) -> Iterator[tuple[Feed, Corpus]]:
    """Yield each feed, and what its episodes' extractors may know; the arguments are those of ``extract``."""
    return zip(
        feeds,
        map(reduce_corpus(feeds, repo=repo, vocabulary=vocabulary, subjects=subjects), range(len(feeds))),
        strict=True,
    )


def reduce_corpus(
    feeds: Sequence[Feed], *, repo: str, vocabulary: Vocabulary | None, subjects: tuple[Subject, ...]
) -> Callable[[int], Corpus]:
    """Look through all feeds; return what gives all that the extractors of one of them, by its place, may know."""
    subjects = subjects or known_subjects()
    topics = (vocabulary or joined_vocabulary(subjects)).parts
    pages, people = known_pages(feeds), known_people(feeds, subjects)

    def corpus_of(number: int) -> Corpus:
        feed, known = feeds[number], people[number]
        about = {part: part.subject.concerns(feed.title, feed.description, repo=feed.default_repo) for part in topics}
        titles = known_titles(feed.episodes)
        language, asides = _language_and_asides(feed)
        derived = None if any(about.values()) else derive_topics(feed, language, asides, known)
        own, filed = derived or (None, {})
        default_repo, hosts = repo or feed.default_repo, own_hosts(feed)
        rfcs = proposals_of(feed.episodes)
        return Corpus(pages, default_repo, about, own, titles, known, subjects, asides, filed, hosts, rfcs)

    return corpus_of


def _language_and_asides(feed: Feed) -> tuple[Language, dict[str, tuple[Aside, ...]]]:
    """Return the language of a feed, and by item id the passages that it repeats."""
    language = language_of(feed.language, (f"{item.title} {item.notes}" for item in feed.episodes))
    found = find_asides([item.notes for item in feed.episodes], language)
    return language, {item.id: passages for item, passages in zip(feed.episodes, found, strict=True)}


def suggest_topics(feed: Feed) -> tuple[Topic, ...]:
    """Return the topics that a feed's own words make, whatever vocabularies there are, the best first."""
    language, asides = _language_and_asides(feed)
    (people,) = known_people([feed], known_subjects())
    found = derive_topics(feed, language, asides, people)
    return tuple(found.vocabulary.topics.values())


def join(results: list[Extraction], feeds: Sequence[Feed], subjects: tuple[Subject, ...]) -> list[Extraction]:
    """Take the steps that need to know what was found in all items."""
    corpus = Corpus(known_pages(feeds), subjects=subjects or known_subjects())
    for _, step in JOINS:
        results = step(results, corpus)
    return results


def _read(
    episode: Episode,
    extractors: Sequence[tuple[str, Extractor]],
    corpus: Corpus,
    transcript: Transcript | None = None,
    words: int = MOST_WORDS,
) -> Extraction:
    mentions = tuple(mention for name, find in extractors for mention in run(name, find, episode, corpus))
    mentions = with_moments(episode, mentions)
    if transcript is not None:
        mentions = (*mentions, *find_said(episode, transcript, mentions, corpus, words))
    filed = tuple(_filed(episode, corpus))
    return Extraction(episode, mentions, truncated_links(episode), corpus.asides.get(episode.id, ()), filed)


def _filed(episode: Episode, corpus: Corpus) -> Iterator[Ref]:
    """Yield the topics that the feed itself files an item under."""
    if corpus.derived is not None:
        for id_ in corpus.filed.get(episode.id, ()):
            yield topic_ref(corpus.derived.topics[id_], corpus.derived)


def load_extractors() -> tuple[tuple[str, Extractor], ...]:
    """Load the extractors that installed packages bring as ``podgraph.extractors`` entry points, sorted by name.

    Called by the command, never at import. One that cannot be loaded is told of (``rule_plugins``).
    """
    return tuple((name, cast("Extractor", function)) for name, function in plugins.load_functions(plugins.EXTRACTORS))


def run(name: str, find: Extractor, episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Yield what one extractor finds in an episode, checked; ``name`` is what it is called."""
    own = getattr(find, "__module__", "").startswith(f"{__package__}.")
    for mention in find(episode, corpus) if own else _of_package(name, find, episode, corpus):
        text = {"notes": episode.notes, "title": episode.title}.get(mention.field)
        if text is not None and text[mention.start : mention.end] != mention.quote:
            raise PodgraphError(f"the extractor quotes {mention.quote!r}, which is not what stands there", source=name)
        yield mention if mention.extractor else replace(mention, extractor=name)


def _of_package(name: str, find: Extractor, episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Yield the mentions that a package's extractor finds; what it gives else, or fails with, is told of."""

    def complain(problem: str | BaseException) -> None:
        plugins.complain_of(plugins.PLUGIN_GROUPS[plugins.EXTRACTORS], name, find, problem, episode.id)

    try:
        with plugins.at_work(plugins.function_source(name, find), f"is at work on {episode.id}"):
            for mention in cast("Iterable[object] | None", find(episode, corpus)) or ():
                if problem := _problem(mention, episode):
                    complain(problem)
                else:
                    yield cast("Mention", mention)
    except GeneratorExit:
        raise
    except PodgraphError as error:
        complain(str(error))
    except plugins.FAILURES as error:
        complain(error)


def _problem(mention: object, episode: Episode) -> str:
    """Return what is wrong with something that a package's extractor found, "" for nothing."""
    if not isinstance(mention, Mention):
        return f"gives {type(mention).__name__} and no Mention"
    ref: object = mention.ref
    if not isinstance(ref, Ref):
        return f"gives a Mention of {type(ref).__name__} and of no Ref"
    texts = (ref.kind, ref.id, ref.label, mention.field, mention.quote, mention.method, mention.relation)
    if not all(isinstance(text, str) and text for text in texts) or not ref.id.isprintable():
        return "gives a Mention with something empty that must be text"
    if not all(isinstance(place, int) for place in (mention.start, mention.end)):
        return "gives a Mention whose place is no number"
    text = {"notes": episode.notes, "title": episode.title}.get(mention.field)
    if text is not None and text[mention.start : mention.end] != mention.quote:
        return f"quotes {mention.quote!r}, which is not what stands there,"
    return ""
