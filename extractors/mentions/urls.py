"""Every link of an episode, behind words or written out, and the thing it leads to."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ..model import Link, Mention
from ..notes.link_ends import is_truncated
from ..notes.links import find_links
from ..ref import Ref
from ..sites import identify
from ..sites.web import page
from ..url import with_scheme, without_scheme
from .crosslinks import find_own_episode, find_own_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Episode
    from .corpus import Corpus, KnownPeople


def find_urls(episode: Episode, corpus: Corpus) -> Iterator[Mention]:
    """Find the targets of the links in an episode's notes and title.

    Yields one ``Mention`` for each link, in the order of the text: method ``href`` with the linked words as
    quote, or ``url`` with the URL itself. Cut links yield nothing: ``list_truncated_links`` lists them.
    """
    fields = ("notes", episode.notes, list_links(episode)), ("title", episode.title, find_links(episode.title))
    for field, text, links in fields:
        for link in links:
            artifact = None if link.truncated else identify(with_scheme(link.url.replace("&amp;", "&")))
            if artifact is not None:
                site, ref = artifact
                places = field, link.start, link.end, text[link.start : link.end]
                relation = "mentions" if ref.kind == "person" else "cites"
                mention = Mention(ref, *places, link.method, site, url=link.url, relation=relation)
                yield _to_episode(_to_person(mention, corpus.people), link, corpus)


def _to_episode(mention: Mention, link: Link, corpus: Corpus) -> Mention:
    """Return a mention of an episode of the show, by the address or words of a link, as one of that episode."""
    if not corpus.titles or mention.ref.id in corpus.pages:
        return mention
    target = find_own_page(link.url, corpus)
    if not target and link.method == "href" and "://" not in mention.quote:
        target = find_own_episode(link, mention.quote, mention.ref, corpus)
    ref = Ref(target.partition(":")[0], target, mention.quote, mention.ref.url) if target else mention.ref
    return replace(mention, ref=ref)


def _to_person(mention: Mention, people: KnownPeople) -> Mention:
    """Return a mention of somebody's profile as one of the person, and that of an account of no person as a page."""
    if person := people.profiles.get(mention.ref.id):
        return replace(mention, ref=person, relation="mentions")
    return to_page(mention) if mention.ref.kind == "person" and people.gathered else mention


def to_page(mention: Mention) -> Mention:
    """Return the mention of a person's page as that of a mere page."""
    artifact = identify(with_scheme(mention.url))
    ref = artifact[1] if artifact else mention.ref
    if ref.kind == "person":
        ref = page(f"github.com/{ref.id.partition(':')[2]}", url=ref.url)
    return replace(mention, ref=ref, relation="cites")


def list_truncated_links(episode: Episode) -> tuple[str, ...]:
    """Return the truncated links of an episode's notes, as written, each once."""
    return tuple(dict.fromkeys(link.url for link in list_links(episode) if link.truncated))


@lru_cache(maxsize=4)  # each extractor asks for the same episode
def list_links(episode: Episode) -> tuple[Link, ...]:
    """Return all links of the notes in order of place, the cut ones marked.

    A URL written inside a hyperlink counts of its own only where it leads elsewhere; a truncated one there is no loss
    when the hyperlink holds it whole, and the other way round.
    """
    hrefs = [replace(link, truncated=True) if is_truncated(link.url) else link for link in episode.links]
    links = list(find_links(episode.notes, [(link.start, link.end) for link in hrefs]))
    for href in hrefs:
        links += _split_link(href, episode.notes[href.start : href.end])
    return tuple(sorted(links, key=lambda link: (link.start, link.end, link.method)))


def _split_link(href: Link, words: str) -> list[Link]:
    """Return the hyperlink and those URLs among its words that lead elsewhere."""
    if words == href.url or ("." not in words and "//" not in words and not href.truncated):
        return [href]
    links = [
        Link(link.url, link.start + href.start, link.end + href.start, "url", link.truncated)
        for link in find_links(words)
    ]
    if href.truncated:
        stem = _stem(href.url)
        whole = next((link for link in links if not link.truncated and without_scheme(link.url).startswith(stem)), None)
        return [whole] if whole else [href, *links]
    return [href, *(link for link in links if _leads_elsewhere(link, href))]


def _leads_elsewhere(link: Link, href: Link) -> bool:
    """Return whether a URL among the words of a whole hyperlink leads elsewhere, or is cut and no part of it."""
    target = without_scheme(href.url)
    if link.truncated:  # the middle may be left out
        head, _, tail = without_scheme(link.url).replace("...", "\u2026").partition("\u2026")
        elided = target.startswith(head.rstrip("/[")) and target.endswith(tail.lstrip("/]"))
        return not (target.startswith(_stem(link.url)) or elided)
    # Words that only look like a host are a name: "Node.js", "Postgres.app". The target of the link counts.
    shown, other = identify(link.url) if "//" in link.url else None, identify(with_scheme(href.url))
    return shown is not None and (other is None or shown[1].id != other[1].id)


def _stem(url: str) -> str:
    """Return a cut URL without its scheme, the ellipsis and the brackets round that."""
    for entity in ("&hellip;", "&#8230;"):
        url = url.removesuffix(entity)
    return without_scheme(url.rstrip(")]}").rstrip(".\u2026\u2025\u22ef\u3002").rstrip("(["))
