"""From episodes to mentions: the registry of extractors, and the loop over them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .crosslinks import link_episodes
from .errors import PodgraphError
from .model import Corpus, Episode, Feed, Mention
from .references import find_references
from .sites import identify
from .symbols import find_symbols
from .topics import find_topics
from .urls import find_urls, truncated_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .vocabulary import Vocabulary

    Extractor = Callable[[Episode, Corpus], Iterable[Mention]]

# In the order of reading: what a URL says goes before what the words round it say.
EXTRACTORS: tuple[tuple[str, Extractor], ...] = (
    ("urls", find_urls),
    ("references", find_references),
    ("symbols", find_symbols),
    ("topics", find_topics),
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
    from .derived_topics import derive_vocabulary  # noqa: PLC0415 - only feeds without a vocabulary need it
    from .vocabulary import builtin_vocabulary  # noqa: PLC0415 - reads the index

    topics = vocabulary or builtin_vocabulary()
    pages = known_pages(feeds)
    results = []
    for feed in feeds:
        on_subject = topics.concerns(feed.title, feed.description, repo=feed.default_repo)
        derived = None if on_subject else derive_vocabulary(feed.episodes)
        corpus = Corpus(pages, repo or feed.default_repo, topics, on_subject, derived)
        for episode in feed.episodes:
            mentions = [mention for name, find in extractors for mention in _run(name, find, episode, corpus)]
            results.append(
                Extraction(episode, tuple(link_episodes(mentions, episode, corpus)), truncated_links(episode))
            )
    return results


def known_pages(feeds: Sequence[Feed]) -> dict[str, str]:
    """Return the canonical id of the own page of each item of ``feeds``, and the item's node id.

    A page that several items name as theirs (the podcast's home, say) is nobody's own.
    """
    owners: dict[str, set[str]] = {}
    for feed in feeds:
        home = _page_id(feed.url)
        for episode in feed.episodes:
            page = _page_id(episode.url)
            if page and page != home:
                owners.setdefault(page, set()).add(episode.id)
    return {page: ids.pop() for page, ids in owners.items() if len(ids) == 1}


def plugins() -> tuple[tuple[str, Extractor], ...]:
    """Load the extractors that installed packages bring as ``podgraph.extractors`` entry points, sorted by name.

    Called by the command, never at import. Raises ``PodgraphError`` naming the one that cannot be loaded.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - reads the metadata of all that is installed

    loaded: list[tuple[str, Extractor]] = []
    for point in sorted(entry_points(group="podgraph.extractors"), key=lambda point: point.name):
        try:
            loaded.append((point.name, point.load()))
        except Exception as error:
            raise PodgraphError(
                f"the extractor cannot be loaded ({error})",
                source=point.value,
                remedy="update or uninstall its package",
            ) from error
    return tuple(loaded)


def _run(name: str, find: Extractor, episode: Episode, corpus: Corpus) -> Iterable[Mention]:
    for mention in find(episode, corpus):
        text = {"notes": episode.notes, "title": episode.title}.get(mention.field)
        if text is not None and text[mention.start : mention.end] != mention.quote:
            raise PodgraphError(f"the extractor quotes {mention.quote!r}, which is not what stands there", source=name)
        yield mention if mention.extractor else replace(mention, extractor=name)


def _page_id(url: str) -> str:
    known = identify(url) if url else None
    return known[1].id if known else ""
