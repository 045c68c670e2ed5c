"""From episodes to mentions: the registry of extractors, and the loop over them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import PodgraphError
from ..url import without_scheme
from .corpus import Corpus, known_pages
from .crosslinks import link_episodes
from .named_episodes import find_named_episodes, known_titles
from .people import find_people, known_people
from .references import find_references
from .symbols import find_symbols
from .topics import find_topics
from .urls import episode_links, find_urls, mention_of, truncated_links, uncut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ..model import Episode, Feed, Mention
    from ..subjects.vocabulary import Vocabulary

    Extractor = Callable[[Episode, Corpus], Iterable[Mention]]

# In the order of reading: what a URL says goes before what the words round it say.
EXTRACTORS: tuple[tuple[str, Extractor], ...] = (
    ("urls", find_urls),
    ("references", find_references),
    ("people", find_people),
    ("symbols", find_symbols),
    ("topics", find_topics),
    ("crosslinks", find_named_episodes),
)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was found in one episode: its mentions in the order of reading, and its cut links as they stand."""

    episode: Episode
    mentions: tuple[Mention, ...]
    truncated: tuple[str, ...]


def extract(
    feeds: Sequence[Feed],
    extractors: Sequence[tuple[str, Extractor]] = EXTRACTORS,
    *,
    repo: str = "",
    vocabulary: Vocabulary | None = None,
) -> list[Extraction]:
    """Find everything that the episodes and posts of ``feeds`` name.

    ``repo`` (``owner/name``) is the repository that a bare ``#N`` means; without it, each feed's own default.
    ``vocabulary`` holds the topics to look for (none given: PyTorch's, in what is about PyTorch). A feed that it
    is not for gets topics from its own words. Returns one ``Extraction`` for each item, in the order of the feeds.
    """
    from ..subjects.vocabulary import builtin_vocabulary  # noqa: PLC0415 - reads the index
    from .derived_topics import derive_vocabulary  # noqa: PLC0415 - only feeds without a vocabulary need it

    topics = vocabulary or builtin_vocabulary()
    pages, people = known_pages(feeds), known_people(feeds)
    results = []
    for feed in feeds:
        on_subject = topics.concerns(feed.title, feed.description, repo=feed.default_repo)
        derived = None if on_subject else derive_vocabulary(feed.episodes)
        corpus = Corpus(
            pages, repo or feed.default_repo, topics, on_subject, derived, known_titles(feed.episodes), people=people
        )
        for episode in feed.episodes:
            mentions = [mention for name, find in extractors for mention in _run(name, find, episode, corpus)]
            linked = tuple(link_episodes(mentions, episode, corpus))
            results.append(Extraction(episode, linked, truncated_links(episode)))
    return _with_whole_links(results, Corpus(pages))


def plugins() -> tuple[tuple[str, Extractor], ...]:
    """Load the extractors that installed packages bring as ``podgraph.extractors`` entry points, sorted by name.

    Called by the command, never at import. Raises ``PodgraphError`` naming the one that cannot be loaded.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - reads the metadata of all that is installed

    loaded: list[tuple[str, Extractor]] = []
    for point in sorted(entry_points(group="podgraph.extractors"), key=lambda point: point.name):
        try:
            extractor = point.load()
        except Exception as error:
            raise PodgraphError(
                f"the extractor cannot be loaded ({error})",
                source=point.value,
                remedy="update or uninstall its package",
            ) from error
        if not callable(extractor):
            raise PodgraphError("the extractor is no function", source=point.value, remedy="update its package")
        loaded.append((point.name, extractor))
    return tuple(loaded)


def _run(name: str, find: Extractor, episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    for mention in _guarded(name, find, episode, corpus):
        text = {"notes": episode.notes, "title": episode.title}.get(mention.field)
        if text is not None and text[mention.start : mention.end] != mention.quote:
            raise PodgraphError(f"the extractor quotes {mention.quote!r}, which is not what stands there", source=name)
        yield mention if mention.extractor else replace(mention, extractor=name)


def _guarded(name: str, find: Extractor, episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Yield what an extractor finds; a failure of one that a package brought names it, and is not ours to report."""
    try:
        yield from find(episode, corpus)
    except PodgraphError:
        raise
    except Exception as error:
        if find.__module__.startswith(f"{__package__}."):
            raise
        raise PodgraphError(
            f"the extractor failed on {episode.id} ({type(error).__name__}: {error})",
            source=f"{name} ({find.__module__})",
            remedy="update or uninstall its package",
        ) from error


def _with_whole_links(results: list[Extraction], corpus: Corpus) -> list[Extraction]:
    """Read cut links as whole where another episode proves that only the ellipsis was glued on."""
    if not any(result.truncated for result in results):
        return results
    whole = sorted({without_scheme(m.url) for result in results for m in result.mentions if m.url})
    return [_with_whole(result, whole, corpus) if result.truncated else result for result in results]


def _with_whole(result: Extraction, whole: Sequence[str], corpus: Corpus) -> Extraction:
    found, glued = [], set()
    for link in episode_links(result.episode):
        better = uncut(link, whole)
        mention = mention_of(better, result.episode.notes, "notes") if better else None
        # A host, an account or a repository may well be the beginning of what was cut off.
        if mention and "/" in without_scheme(mention.url) and mention.ref.kind not in {"repo", "person"}:
            found.append(mention)
            glued.add(link.url)
    cut = tuple(url for url in result.truncated if url not in glued)
    return Extraction(result.episode, (*result.mentions, *link_episodes(found, result.episode, corpus)), cut)
