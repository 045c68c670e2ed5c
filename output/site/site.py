"""A static site with the map as start page, and one page for each episode, topic, person, route and shared source.

The pages need no script and no server. They use the words, the order and the reasons of the commands. Links between
pages are relative; canonical addresses, the sitemap and the feed need ``site_url``. An update leaves unchanged pages as
they are, and removes our own pages of lost nodes.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

from podgraph import graph as graphs
from podgraph.extractors import OutputError

from ..files import output_errors, publish_all
from ..formats.shared.days import sort_newest_first
from ..formats.shared.texts import slug, to_web_link
from ..page.content import clean, make_page_title
from ..page.host import describe_page, read_host
from ..page.page import json_text, to_html

Context = dict[str, Any]

MARK = "podgraph site"  # in each file: only files with this mark are replaced
_FOLDERS = {"topic": "topics", "person": "people"} | dict.fromkeys(graphs.SOURCES, "episodes")
_LISTS = {"topics": "Topics", "people": "People", "sources": "Sources"}
_CITING = ("cites", "mentions", "about", "listen_first", "see_also")
_ADDRESS = re.compile(r"(https?://[^\s<>\"]*[^\s<>\".,;:!?)\]}'»”])", re.IGNORECASE)
_FEED_LENGTH, _TOP_LENGTH = 20, 24  # episodes in the feed; names in each list on the page of contents
_PAGE_LENGTH = 500  # entries on one page of a list


class _Route(NamedTuple):
    """The route of an area: its name, the ids of its characteristic topics, and its episodes in listening order."""

    name: str
    topics: list[str]
    steps: list[graphs.OrderStep]


def to_site(graph: graphs.Graph, *, publish_private: bool = False, **options: Any) -> dict[str, str]:
    """Return the files of the site for a graph: {path: text}. The same graph gives the same texts.

    ``options`` are those of the page (``to_html``). Raises ``OutputError`` for a private feed without
    ``publish_private``.
    """
    sources = (source for source in graph.graph.get("sources", ()) if isinstance(source, dict))
    private = [source for source in sources if source.get("private")]
    if private and not publish_private:
        titles = ", ".join(str(source.get("title") or source.get("source")) for source in private)
        raise OutputError("is private", source=titles, remedy="if its owner agrees, add --publish-private")
    view = graphs.View.from_networkx(graphs.select_valid(graph))
    graph = view.to_networkx()
    pages = {"index.html": to_html(graph, **{**options, "contents": "contents.html"})}
    return pages | dict(_Site(view, graph, options).to_pages())


def write_site(graph: graphs.Graph, path: str | os.PathLike[str], **options: Any) -> None:
    """Write the site into the folder ``path``, or update it there.

    All texts exist before the first is written. Unchanged pages stay as they are, and our pages of lost nodes are
    removed. ``options`` are those of ``to_site``. Raises ``OutputError`` on a failure, and for a file of another
    program.
    """
    folder = Path(os.path.realpath(path))
    texts = to_site(graph, **options)
    # One text after another is freed, since those of a long show are 100 MB.
    pages = {folder / name: texts.pop(name).encode("utf-8", "replace") for name in [*texts]}
    with output_errors(os.fspath(path)):
        files_there = (file for name in ("*.*", "*/*.html") for file in folder.glob(name) if file.is_file())
        there = {file: file.read_bytes() for file in files_there}
        # The start page is the map, which has no mark.
        map_head = b'<meta name="referrer" content="no-referrer">\n<meta name="color-scheme" content="light dark">'
        ours = {file for file, data in there.items() if MARK.encode() in data[:4000] or map_head in data}
        if others := sorted((pages.keys() & there.keys()) - ours):
            problem = "is there, and podgraph did not write it"
            raise OutputError(problem, source=str(others[0]), remedy="name another folder")
        updates = ((file, data) for file, data in pages.items() if there.get(file) != data)
        mark = f'content="{MARK}"'.encode()  # in a page; other files, such as the feed, are never removed
        gone = [file for file, data in there.items() if file not in pages and mark in data[:4000]]
        publish_all(updates, sorted(gone), inside=folder)


class _Site:
    """Makes the pages of a graph's site."""

    def __init__(self, view: graphs.View, graph: graphs.Graph, options: Context) -> None:
        """Collect the data of all pages: episodes, the citations of each artifact, paths and routes.

        ``options`` are those of the page.
        """
        from jinja2 import Environment, PackageLoader  # noqa: PLC0415 - only a site and a page need it

        self._view = view
        self._orders = graphs.Orders(view)
        host = read_host(options)  # type: ignore[arg-type]
        self._episodes = {
            id_: node for id_, node in view.nodes(*graphs.SOURCES) if view.edges_from(id_, "part_of", *_CITING)
        }
        self._newest = sort_newest_first(self._episodes)
        artifacts = (id_ for id_, node in view.nodes() if node.get("kind") not in {"podcast", *graphs.SOURCES})
        self._citing = {id_: self._find_citing(id_) for id_ in artifacts}
        self._paths = self._choose_paths()
        self._show = make_page_title(graph, host.title)
        self._routes = self._find_routes()
        self._places: dict[str, list[tuple[str, int]]] = defaultdict(list)  # episode -> (path of route, place from 0)
        for path, route in self._routes.items():
            for place, step in enumerate(route.steps):
                self._places[step.id].append((path, place))
        url = host.site_url
        self._base = url if not url or url.endswith("/") else f"{url}/"
        loader = PackageLoader(__package__)
        self._environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
        self._environment.filters |= {"json": json_text, "duration": _to_duration}
        self._environment.globals.update(
            show=self._show, host=host, base=self._base, mark=MARK, about=describe_page(host, graph),
            lists={name: title for name, title in _LISTS.items() if self._list_folder(name)},
        )  # fmt: skip

    def _find_citing(self, id_: str) -> list[graphs.Edge]:
        """Return one edge from each episode that cites the node ``id_``, the newest episode first."""
        edges = {edge.source: edge for edge in self._view.edges_to(id_, *_CITING) if edge.source in self._episodes}
        return [edges[source] for source in self._newest if source in edges] if len(edges) > 1 else [*edges.values()]

    def _choose_paths(self) -> dict[str, str]:
        """Return {node id: path of its page} for each node with a page.

        The name of the file is the end of the id, or the whole id if two nodes share the end. Artifacts other than
        topics, people and sources have a page if at least two episodes cite them.
        """
        folders = dict.fromkeys(self._episodes, "episodes")
        for id_, edges in self._citing.items():
            node = self._view.node(id_) or {}
            kind, real_edges = node.get("kind", ""), [edge for edge in edges if not edge.attributes.get("boilerplate")]
            if (kind in _FOLDERS and (real_edges or kind == "topic" or node.get("hosts"))) or len(real_edges) > 1:
                folders[id_] = _FOLDERS.get(kind, "sources")
        short = {id_: _shorten(id_.rpartition("/")[2].rpartition(":")[2]) for id_ in folders}
        counts = Counter((folder, short[id_]) for id_, folder in folders.items())
        paths = {}
        for id_, folder in folders.items():
            # Windows has devices of these names; "" is not a name either.
            is_device = re.fullmatch(r"con|prn|aux|nul|com\d|lpt\d|", short[id_])
            name = short[id_] if counts[folder, short[id_]] == 1 and not is_device else slug(id_)
            paths[id_] = f"{folder}/{name}.html"
        return paths

    def _find_routes(self) -> dict[str, _Route]:
        """Return {path of the page: route} for each area (a group of related episodes), in listening order."""
        areas: dict[str, list[graphs.OrderStep]] = defaultdict(list)
        for step in self._orders.build_routes():
            areas[step.area].append(step)
        routes = {}
        for area, steps in areas.items():
            name = clean(area) or "All episodes"
            routes[f"routes/{_shorten(area or name) or slug(area)}.html"] = _Route(
                name, self._find_topics(steps), steps
            )
        return routes

    def _find_topics(self, steps: Iterable[graphs.OrderStep]) -> list[str]:
        """Return the ids of the three characteristic topics of the episodes in ``steps`` of a listening order.

        Many of these episodes are about such a topic, and few other episodes are.
        """
        edges = (edge for id_ in {step.id for step in steps} for edge in self._view.edges_from(id_, "about"))
        counts = Counter(edge.target for edge in edges)
        # The number of these episodes, times their share of all episodes about the topic.
        scores = {id_: n * n / max(len(self._citing.get(id_, ())), 1) for id_, n in counts.items() if n > 1}
        return sorted(scores, key=lambda id_: (-scores[id_], id_))[:3]

    def _list_folder(self, folder: str) -> list[str]:
        """Return the ids of the nodes with a page in a folder such as ``topics``; the most cited come first."""
        ids = [id_ for id_, path in self._paths.items() if path.startswith(f"{folder}/")]
        return sorted(ids, key=lambda id_: (-len(self._citing.get(id_, ())), self._get_name(id_).casefold(), id_))

    def _get_name(self, id_: str) -> str:
        """Return the title or label of a node as clean text, else its id."""
        return clean(graphs.title_of(self._view.node(id_) or {}, id_)) or id_

    def to_pages(self) -> Iterator[tuple[str, str]]:
        """Yield (path, text) for each page and other file of the site, except the start page."""
        years: dict[str, list[str]] = defaultdict(list)
        for id_ in self._newest:
            years[str(self._episodes[id_].get("date", ""))[:4]].append(id_)
        years = dict(sorted(years.items(), reverse=True))
        kinds = Counter(str(node["kind"]) for node in self._episodes.values())
        yield self._render(
            "contents.html", "contents.html", self._show, years=years, routes=map(self._describe_route, self._routes),
            newest=self._make_entries(self._newest[:_FEED_LENGTH]),
            top={title: self._make_entries(self._list_folder(name)[:_TOP_LENGTH]) for name, title in _LISTS.items()},
            total=", ".join(f"{count} {self._view.kinds[kind].plural}" for kind, count in kinds.items()),
        )  # fmt: skip
        yield self._render("search.html", "search.html", "Search")
        yield "titles.js", self._to_titles()
        for name in ("site.css", "search.js"):
            yield self._render(name, name, "")
        for year, ids in years.items():
            title = f"Episodes of {year}" if year else "Episodes without a date"
            yield from self._list_pages(year or "undated", title, ids)
        for name, title in _LISTS.items():
            yield from self._list_pages(name, title, self._list_folder(name))
        for path, route in self._routes.items():
            context = {"route": self._describe_route(path), "steps": self._make_steps(route.steps)}
            yield self._render("route.html", path, route.name, **context)
        for id_ in self._newest:
            yield self._render_episode(id_, self._orders.build_episode_order(id_, 10))  # with at most 10 prerequisites
        for id_, path in self._paths.items():
            if not path.startswith("episodes/"):
                yield self._render_other(id_, path)
        if self._base:
            newest = [id_ for id_ in self._newest if "date" in self._episodes[id_]][:_FEED_LENGTH]
            yield self._render("feed.xml", "new.xml", self._show, entries=self._make_entries(newest))
            names = ["", "contents.html", *self._paths.values(), *self._routes]
            yield self._render("sitemap.xml", "sitemap.xml", self._show, names=names)
            yield "robots.txt", f"# {MARK}\nUser-agent: *\nAllow: /\nSitemap: {self._base}sitemap.xml\n"

    def _render(self, template: str, path: str, title: str, **context: Any) -> tuple[str, str]:
        """Return (path, text) of a file of the site, made of a Jinja ``template``.

        ``title`` and ``context`` are the template's values; ``path`` is that of the file in the site.
        """
        page = {"path": path, "root": "../" * path.count("/"), "title": title}
        canonical = self._base + path if self._base else ""
        return path, self._environment.get_template(template).render(**page, canonical=canonical, **context)

    def _make_entries(self, ids: Iterable[str]) -> list[Context]:
        """Return the values of the nodes ``ids`` for a list on a page (see ``_make_entry``)."""
        return [self._make_entry(id_) for id_ in ids]

    def _make_entry(self, id_: str, **more: Any) -> Context:
        """Return the values of a node (``id_``) for a list on a page, as variables of a template.

        They are name, path of its page or else its address, date, minutes, number of citing episodes, then ``more``.
        """
        node = self._view.node(id_) or {}
        place = {"path": self._paths[id_]} if id_ in self._paths else {"url": to_web_link(node.get("url"))}
        facts = {**place, **_to_facts(node), **more}
        return {"name": self._get_name(id_), "count": len(self._citing.get(id_, ())), **facts}

    def _make_steps(self, steps: Iterable[graphs.OrderStep]) -> list[Context]:
        """Return the values of the episodes of a listening order for a list on a page.

        They are those of ``_make_entry``, the reason for the step, and the first sentence of the notes.
        """
        entries = []
        for step in steps:
            sentence = graphs.first_sentence((self._view.node(step.id) or {}).get("summary", ""))
            entries.append(self._make_entry(step.id, reason=clean(step.reason), sentence=clean(sentence)))
        return entries

    def _count_minutes(self, steps: Iterable[graphs.OrderStep]) -> int:
        """Return how many minutes the episodes of a listening order (``steps``) last."""
        return round(sum((self._view.node(step.id) or {}).get("duration") or 0 for step in steps) / 60)

    def _describe_route(self, path: str) -> Context:
        """Return the values of a route for a template: name, path, number of episodes, minutes, topics.

        ``path`` is the path of its page.
        """
        name, topics, steps = self._routes[path]
        facts = {"count": len(steps), "minutes": self._count_minutes(steps), "topics": self._make_entries(topics)}
        return {"name": name, "path": path, **facts}

    def _list_pages(self, name: str, title: str, ids: list[str]) -> Iterator[tuple[str, str]]:
        """Yield (path, text) for each page of a long list of nodes (``ids``), with 500 on each.

        ``name`` is the beginning of the file names ("topics"), ``title`` the title of the pages. The second page is
        called ``topics-1.html``.
        """
        parts = [ids[at : at + _PAGE_LENGTH] for at in range(0, len(ids), _PAGE_LENGTH)]
        links = [f"{name}{f'-{number}' if number else ''}.html" for number in range(len(parts))]
        for link, part in zip(links, parts, strict=True):
            yield self._render("list.html", link, title, entries=self._make_entries(part), links=links)

    def _render_episode(self, id_: str, before: tuple[graphs.OrderStep, ...]) -> tuple[str, str]:
        """Return (path, text) of the page of the episode ``id_``.

        ``before`` is the listening order that ends with the episode.
        """
        node, path = self._episodes[id_], self._paths[id_]
        prerequisites = {step.id for step in before}
        near: dict[str, list[Context]] = defaultdict(list)  # level -> related episodes
        for row in graphs.list_relatives(id_, self._view):
            if row["id"] not in prerequisites:
                level = "strong" if row.level == "strong" else "similar"
                near[level].append(self._make_entry(row["id"], reason="; ".join(map(clean, row.reasons or ()))))
        citations = self._find_citations(id_, node)
        # The last step of the order is the episode itself: it is not before it.
        lines = filter(None, map(str.strip, clean(node.get("summary", "")).splitlines()))
        return self._render(
            "episode.html", path, self._get_name(id_), audio=to_web_link(node.get("audio_url")),
            url=to_web_link(node.get("url")), **_to_facts(node), before=self._make_steps(before[:-1]),
            sentence=clean(graphs.first_sentence(node.get("summary", ""))), topics=citations.pop("Topics", []),
            citations=citations, near=near,
            notes=[*map(_ADDRESS.split, lines)], routes=starmap(self._describe_place, self._places[id_]),
            data=self._to_data(id_, node),
        )  # fmt: skip

    def _to_data(self, id_: str, node: graphs.NodeAttributes) -> Context:
        """Return the structured data of an episode for search engines (https://schema.org/PodcastEpisode).

        ``node`` are the attributes of the episode ``id_``.
        """
        facts, audio = _to_facts(node), to_web_link(node.get("audio_url"))
        data = {
            "@context": "https://schema.org", "@type": "PodcastEpisode", "name": self._get_name(id_),
            "url": self._base + self._paths[id_] if self._base else to_web_link(node.get("url")),
            "datePublished": facts["date"], "timeRequired": f"PT{facts['minutes']}M" if node.get("duration") else "",
            "associatedMedia": audio and {"@type": "MediaObject", "contentUrl": audio},
            "partOfSeries": {"@type": "PodcastSeries", "name": self._show},
        }  # fmt: skip
        return {name: value for name, value in data.items() if value}

    def _find_citations(self, id_: str, node: graphs.NodeAttributes) -> dict[str, list[Context]]:
        """Return {heading: the nodes that the episode ``id_`` mentions, as values for a list}. People come first.

        ``node`` are the episode's attributes. A heading is the plural of a kind, or "See also" for episodes.
        Boilerplate (links that the show repeats in its notes) is left out.
        """
        citations: dict[str, list[Context]] = defaultdict(list)
        for edge in self._view.edges_from(id_, *_CITING):
            if not edge.attributes.get("boilerplate"):
                kind = str((self._view.node(edge.target) or {}).get("kind", "web"))
                plural = self._view.kinds[kind].plural
                heading = "See also" if kind in graphs.SOURCES else plural[:1].upper() + plural[1:]
                moment = _find_moment(edge.attributes, node)
                citations[heading].append(self._make_entry(edge.target, **moment, role=graphs.role_of(edge.attributes)))
        return dict(sorted(citations.items(), key=lambda heading: (heading[0] != "People", heading[0])))

    def _describe_place(self, path: str, place: int) -> Context:
        """Return the values of a route with the place of one of its episodes, and the episodes before and after it.

        ``path`` is the route's page; ``place`` counts from 0, the value in the result from 1.
        """
        steps = self._routes[path].steps
        ends = {"previous": place - 1, "next": place + 1}
        neighbours = {name: self._make_entry(steps[at].id) for name, at in ends.items() if 0 <= at < len(steps)}
        return {**self._describe_route(path), "place": place + 1, **neighbours}

    def _render_other(self, id_: str, path: str) -> tuple[str, str]:
        """Return (path, text) of the page of a topic, a person or a source (``id_``). ``path`` is that of the page."""
        node, folder = self._view.node(id_) or {}, path.partition("/")[0]
        kind = self._view.kinds[str(node.get("kind", "web"))].singular
        context: Context = {"url": to_web_link(node.get("url")), "kind": kind}
        if folder == "topics":
            steps = self._orders.build_topic_order(id_)
            context |= {
                "steps": self._make_steps(steps), "minutes": self._count_minutes(steps),
                "wholes": self._make_entries(edge.target for edge in self._view.edges_from(id_, "subtopic_of")),
                "pieces": self._make_entries(edge.source for edge in self._view.edges_to(id_, "subtopic_of")),
                "covers": self._make_entries(edge.target for edge in self._view.edges_from(id_, "covers")),
            }  # fmt: skip
        else:
            context |= {"episodes": [], "presents": [self._get_name(podcast) for podcast in node.get("hosts", ())]}
            for episode, _, _, edge in self._citing[id_]:
                more = _find_moment(edge, self._episodes[episode]) | {"quote": _find_quote(edge)}
                context["episodes"].append(self._make_entry(episode, role=graphs.role_of(edge), **more))
        return self._render(f"{folder}.html", path, self._get_name(id_), **context)

    def _to_titles(self) -> str:
        """Return the script ``titles.js`` with all titles, for the search on the site: {folder: rows}.

        A row is [title, date, file name]. The file name is left out if the title gives it; then a missing date is, too.
        """
        rows: dict[str, list[list[str]]] = {"episodes": [], "routes": [], **{name: [] for name in _LISTS}}
        titles = [(path, route.name, "") for path, route in self._routes.items()]
        for id_ in [*self._newest, *(id_ for name in _LISTS for id_ in self._list_folder(name))]:
            date = str(self._episodes[id_].get("date", ""))[:10] if id_ in self._episodes else ""
            titles.append((self._paths[id_], self._get_name(id_), date))
        for path, title, date in titles:
            folder, _, file = path.removesuffix(".html").partition("/")
            is_same = title.isascii() and _shorten(title) == file
            rows[folder].append([title, date, *([] if is_same else [file])] if date or not is_same else [title])
        return f"// {MARK}\nconst titles = {json_text(rows)};\n"


def _shorten(text: str) -> str:
    """Return a text as a short file name: small ASCII letters and digits, with hyphens between the words.

    >>> _shorten("C++ & Python: the bindings")
    'c-python-the-bindings'
    """
    return re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")


def _to_facts(node: graphs.NodeAttributes) -> Context:
    """Return the date (YYYY-MM-DD) and the length in minutes of a node; "" and 0 if unknown."""
    return {"date": str(node.get("date", ""))[:10], "minutes": round(int(node.get("duration") or 0) / 60)}


def _to_duration(minutes: int) -> str:
    """Return a number of minutes as hours and minutes.

    >>> _to_duration(79), _to_duration(5)
    ('1 h 19 min', '5 min')
    """
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"


def _find_moment(edge: graphs.EdgeAttributes, node: graphs.NodeAttributes) -> Context:
    """Return the first ``moment`` (m:ss) of a spoken mention in an episode, and the address to ``listen`` from there.

    ``edge`` has the attributes of the mention, ``node`` those of the episode. The result is {} without a time.
    """
    times = [evidence["time"] for evidence in edge.get("evidence", ()) if "time" in evidence]
    second = int(min(times, default=0))
    listen = to_web_link(graphs.listen_at(node, second))
    return {"moment": f"{second // 60}:{second % 60:02}", "listen": listen} if times else {}


def _find_quote(edge: graphs.EdgeAttributes) -> str:
    """Return the words in which an episode mentions an artifact; "" if it gives only an address."""
    quotes = (clean(str(evidence.get("quote", ""))) for evidence in edge.get("evidence", ()))
    return next((quote for quote in quotes if quote and "//" not in quote), "")
