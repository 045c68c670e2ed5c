"""Bibliographic references of a graph: episodes, papers, posts, videos and other titled artifacts.

An episode without an author has the show's author. A post without a blog has the blog of its feed, else the one
blog of its author's other posts.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from podgraph.extractors import host_of, parse_people

from .rows import name_of, text_of
from .shared.days import day_of
from .shared.slug import slug
from .shared.weblink import web_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from .rows import Rows

KINDS = ("episode", "paper", "blog", "video")
_SMALL = frozenset("a an and as at by for from how in is it of on or the to what when where which why with".split())
# a word of a title or a name, without accents
_WORD = re.compile(r"[a-z0-9]+")
TITLED = ("pull", "issue", "discussion", "forum", "question", "tutorial")  # cited once their title is known


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference. ``what`` is the name of its kind, ``state`` the state of a pull request or issue.

    ``key`` consists of the first author's last name, the year and the first significant word of the title.
    ``authors`` lists the names when ``author`` contains only persons. Unknown values are empty or ``None``.
    """

    key: str
    kind: str
    what: str
    title: str
    url: str
    date: date | None
    author: str
    authors: tuple[str, ...]
    series: str
    number: int | None
    doi: str
    arxiv: str
    state: str


def find_references(rows: Rows) -> Iterator[Reference]:
    """Yield the references of a graph, sorted by id, without artifacts mentioned only as boilerplate.

    >>> import networkx
    >>> from podgraph.output.formats import Rows
    >>> graph = networkx.MultiDiGraph()
    >>> graph.add_node("paper:arxiv/1905.12322", kind="paper", label="arXiv 1905.12322")
    >>> [(found.kind, found.arxiv) for found in find_references(Rows(graph))]
    [('paper', '1905.12322')]
    """
    authors, podcasts = _Authors(rows), _find_podcasts(rows)
    query = (
        "SELECT t.id FROM edges e JOIN nodes t ON t.n = e.target GROUP BY t.n HAVING count(*) = sum(e.boilerplate = 1)"
    )
    only_boilerplate = {id_ for (id_,) in rows.store.rows(query)}
    keys: set[str] = set()
    for id_, attrs in rows.store.all_nodes():
        name = rows.clean_id(id_)
        kind = attrs.get("kind")
        if kind not in KINDS and (kind not in TITLED or not _text(attrs, "title")):
            continue
        if kind != "episode" and id_ in only_boilerplate:
            continue
        number = attrs.get("number")
        podcast = podcasts.get(id_) if kind == "episode" else None
        title, day = _text(attrs, "title") or _text(attrs, "label") or name, day_of(attrs.get("date"))
        author = _text(attrs, "author") or authors.of(kind, attrs, podcast)
        people = parse_people(author)
        people = people if people and all(1 < len(one.split()) < 4 for one in people) else ()
        key = _key(people[0] if people else author, day, title) or slug(name)
        if key in keys:
            key += f"-{slug(name)[-8:]}"
        keys.add(key)
        yield Reference(
            key=key,
            kind=kind,
            what=rows.kinds[kind].singular,
            title=title,
            url=web_link(attrs.get("url")),
            date=day,
            author=author,
            authors=people if {*_words(author)} <= {*_words(" ".join(people)), "and"} else (),
            series=" ".join(name_of(podcast, "").split()) if podcast else authors.series(kind, attrs),
            number=number if kind == "episode" and type(number) is int else None,
            doi=name.removeprefix("paper:doi/") if name.startswith("paper:doi/") else "",
            arxiv=name.removeprefix("paper:arxiv/") if name.startswith("paper:arxiv/") else "",
            state=_text(attrs, "state"),
        )


def _key(author: str, day: date | None, title: str) -> str:
    """Return a key as people write it, "" where neither author nor day is known.

    >>> from datetime import date
    >>> _key("Edward Yang", date(2021, 6, 21), "vmap"), _key("", date(2024, 8, 4), "The strides of views")
    ('yang2021vmap', '2024strides')
    """
    last = _words(author)[-1:]
    first = next((word for word in _words(title) if word not in _SMALL), "")
    return f"{''.join(last)}{day.year if day else ''}{first}" if first and (last or day) else ""


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower())


class _Authors:
    """The blogs of the posts of a feed: the feed's own, else the single blog named in its posts."""

    def __init__(self, rows: Rows) -> None:
        """Collect the authors of blogs by host, from the sources of the graph and from the posts."""
        self._blogs: dict[str, tuple[str, str]] = {}  # host -> title, author
        authors_of: dict[str, set[str]] = {}
        for _, attrs in rows.store.all_nodes():
            if attrs.get("kind") == "blog" and (author := _text(attrs, "author")):
                authors_of.setdefault(_host(attrs), set()).add(author)
        self._said = {host: min(found) for host, found in authors_of.items() if host and len(found) == 1}
        sources = rows.about.get("sources")
        for source in sources if isinstance(sources, list) else []:
            if isinstance(source, dict) and source.get("kind") == "blog" and (host := _host(source)):
                self._blogs[host] = (_text(source, "title"), _text(source, "author"))

    def of(self, kind: str, attrs: Mapping[str, object], podcast: Mapping[str, object] | None) -> str:
        """Return the author for an item without one: its podcast's, its blog's, or that of its host's other posts."""
        if podcast:
            return _text(podcast, "author")
        host = _host(attrs) if kind == "blog" else ""
        return self._blogs.get(host, ("", ""))[1] or self._said.get(host, "")

    def series(self, kind: str, attrs: Mapping[str, object]) -> str:
        """Return the blog of a post, or the repository of a pull request."""
        if kind == "blog":
            host = _host(attrs)
            return self._blogs.get(host, ("", ""))[0] or host
        return _text(attrs, "repo") if kind in TITLED else ""


def _find_podcasts(rows: Rows) -> dict[str, Mapping[str, object]]:
    """Return the attributes of the podcast of each episode; of several podcasts those of the first."""
    ends = "SELECT s.id, t.id FROM edges e JOIN nodes s ON s.n = e.source JOIN nodes t ON t.n = e.target"
    pairs = [*rows.store.rows(f"{ends} WHERE e.relation = 'part_of' ORDER BY e.id DESC")]
    wanted = {podcast for _, podcast in pairs}
    found: dict[str, Mapping[str, object]] = {id_: node for id_, node in rows.store.all_nodes() if id_ in wanted}
    return {episode: found[podcast] for episode, podcast in pairs}


def _host(attrs: Mapping[str, object]) -> str:
    return host_of(web_link(attrs.get("url"))).partition(":")[0]


def _text(attrs: Mapping[str, object], name: str) -> str:
    return " ".join((text_of(attrs, name) or "").split())
