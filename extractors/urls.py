"""Every link of an episode, behind words or written out, and the thing it leads to."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from .link_ends import is_truncated
from .links import find_links, with_scheme
from .model import Link, Mention
from .sites import identify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .model import Corpus, Episode


def find_urls(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find what the links of an episode's notes and title lead to.

    Yields one ``Mention`` for each link, in the order of the text: method ``href`` with the linked words as
    quote, or ``url`` with the URL itself. Cut links yield nothing: ``truncated_links`` lists them.
    """
    for link in episode_links(episode):
        if not link.truncated:
            mention = _mention(link, episode.notes, "notes")
            if mention:
                yield mention
    for link in find_links(episode.title):
        if not link.truncated:
            mention = _mention(link, episode.title, "title")
            if mention:
                yield mention


def truncated_links(episode: Episode) -> tuple[str, ...]:
    """Return the links of an episode's notes that were cut or elided, as they stand, each once."""
    return tuple(dict.fromkeys(link.url for link in episode_links(episode) if link.truncated))


def episode_links(episode: Episode) -> list[Link]:
    """Return all links of the notes in order of place, the cut ones marked.

    A URL written inside a hyperlink counts of its own only where it leads elsewhere; a cut one there is no
    loss when the hyperlink holds it whole, and the other way round. A URL to which a page glued its own
    ellipsis counts as whole when the same notes also show it whole and show none that goes on behind it.
    """
    notes = episode.notes
    hrefs = [Link(link.url, link.start, link.end, "href", is_truncated(link.url)) for link in episode.links]
    found = list(find_links(notes, [(link.start, link.end) for link in hrefs]))
    for href in hrefs:
        shown = [
            Link(link.url, link.start + href.start, link.end + href.start, "url", link.truncated)
            for link in find_links(notes[href.start : href.end])
        ]
        found += _told_apart(href, shown)
    found.sort(key=lambda link: (link.start, link.end, link.method))
    whole = sorted({with_scheme(link.url).rstrip("/") for link in found if not link.truncated})
    return [_uncut(link, whole) if link.truncated and link.method == "url" else link for link in found]


def _told_apart(href: Link, shown: list[Link]) -> list[Link]:
    """Return the hyperlink and those URLs among its words that say something else than it does."""
    target = identify(href.url)
    kept = []
    for link in shown:
        if href.truncated and not link.truncated:
            if with_scheme(link.url).startswith(_stem(href.url)):
                return [link]
            kept.append(link)
        elif link.truncated:
            if (
                not href.truncated
                and not _bare(href.url).startswith(_bare(_stem(link.url)))
                and not _elides(link.url, href.url)
            ):
                kept.append(link)
        else:
            seen = identify(with_scheme(link.url))
            if seen and (target is None or seen[1].id != target[1].id) and _bare(href.url) != _bare(link.url):
                kept.append(link)
    return [href, *kept]


def _uncut(link: Link, whole: list[str]) -> Link:
    """Return a cut link as a whole one where ``whole`` (sorted URLs) holds it, and nothing that goes on behind it."""
    stem = _stem(link.url)
    bare = with_scheme(stem).rstrip("/")
    at = bisect_left(whole, bare)
    if (
        is_truncated(stem)
        or at == len(whole)
        or whole[at] != bare
        or whole[at + 1 : at + 2]
        and whole[at + 1].startswith(bare)
    ):
        return link
    return Link(stem, link.start, link.start + len(stem), link.method)


def _stem(url: str) -> str:
    """Return a cut URL without the ellipsis and the brackets round it."""
    return url.rstrip(")]}").rstrip(".…").rstrip("([")


def _elides(shown: str, url: str) -> bool:
    """Tell whether ``shown`` is ``url`` with its middle left out."""
    for dots in ("…", "..."):
        head, found, tail = _bare(shown).partition(dots)
        if found:
            return _bare(url).startswith(head.rstrip("/[")) and _bare(url).endswith(tail.lstrip("/]"))
    return False


def _bare(url: str) -> str:
    return with_scheme(url).partition("://")[2].removeprefix("www.").rstrip("/")


def _mention(link: Link, text: str, field: str) -> Mention | None:
    known = identify(with_scheme(link.url))
    if known is None:
        return None
    site, ref = known
    quote = text[link.start : link.end]
    return Mention(ref, field, link.start, link.end, quote, link.method, site, url=link.url)
