"""Every link of an episode, behind words or written out, and the thing it leads to."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ..model import Link, Mention
from ..notes.link_ends import is_shortened, is_truncated
from ..notes.links import find_links
from ..sites import identify
from ..sites.web import make_page
from ..url import with_scheme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Episode
    from .corpus import Corpus


def find_urls(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the targets of the links in an episode's notes and title.

    Yields one ``Mention`` for each link, in the order of the text: method ``href`` with the linked words as
    quote, or ``url`` with the URL itself. Truncated links yield nothing: ``list_truncated_links`` lists them.
    A profile is a mention of its person; an account of no known person is a page.
    """
    fields = ("notes", episode.notes, list_links(episode)), ("title", episode.title, find_links(episode.title))
    for field, text, links in fields:
        for link in links:
            artifact = None if link.truncated else identify(with_scheme(link.url.replace("&amp;", "&")))
            if artifact:
                site, ref = artifact
                person = corpus.people.profiles.get(ref.id)
                quote, relation = text[link.start : link.end], "mentions" if person else "cites"
                place = (field, link.start, link.end, quote, link.method, site)
                mention = Mention(person or ref, *place, url=link.url, relation=relation)
                yield to_page(mention) if ref.kind == "person" and not person else mention


def to_page(mention: Mention) -> Mention:
    """Return the mention of a person's page as that of a mere page."""
    artifact = identify(with_scheme(mention.url))
    ref = artifact.ref if artifact else mention.ref
    if ref.kind == "person":
        ref = make_page(f"github.com/{ref.id.partition(':')[2]}", url=ref.url)
    return replace(mention, ref=ref, relation="cites")


def list_truncated_links(episode: Episode) -> tuple[str, ...]:
    """Return the truncated links of an episode's notes, as written, each once."""
    return tuple(dict.fromkeys(link.url for link in list_links(episode) if link.truncated))


@lru_cache(maxsize=4)  # each extractor asks for the same episode
def list_links(episode: Episode) -> tuple[Link, ...]:
    """Return all links of the notes in order of place, the truncated ones marked.

    A URL among the words of a hyperlink counts of its own only where it leads elsewhere; a truncated hyperlink is left
    out where its words have it whole.
    """
    links = [*find_links(episode.notes, [(link.start, link.end) for link in episode.links])]
    for link in episode.links:
        href = replace(link, truncated=link.truncated or is_truncated(link.url))
        words = episode.notes[href.start : href.end]
        written = find_links(words) if words != href.url and ("." in words or "//" in words) else ()
        inner = [replace(one, start=one.start + href.start, end=one.end + href.start) for one in written]
        if href.truncated:
            whole = [one for one in inner if not one.truncated and is_shortened(href.url, one.url)]
            links += whole[:1] or [href, *inner]
        else:
            links += [href, *(one for one in inner if _has_other_target(one, href))]
    return tuple(sorted(links, key=lambda link: (link.start, link.end, link.method)))


def _has_other_target(link: Link, href: Link) -> bool:
    """Return whether a URL among the words of a whole hyperlink leads elsewhere.

    Words that only look like a host are a name ("Node.js", "Postgres.app"): the target of the hyperlink counts.
    """
    if link.truncated:
        return not is_shortened(link.url, href.url)
    artifact, target = identify(link.url) if "//" in link.url else None, identify(with_scheme(href.url))
    return artifact is not None and (target is None or artifact.ref.id != target.ref.id)
